package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
)

// album numbers the pages of a visitor and keeps pictures of them in the
// directory that the environment variable SCREENSHOTS names: of each page one
// in every width and scheme. Without that variable it takes none.
type album struct {
	next int
}

// albums is the directory of all pictures, "" for none.
func albums() string { return os.Getenv("SCREENSHOTS") }

// turn goes on to the next page.
func (v *visitor) turn(name string) {
	v.t.Helper()
	v.album.next++
	page := fmt.Sprintf("%s-%02d-%s", v.name, v.album.next, name)
	v.page = filepath.Join(v.look.String(), page)
	if albums() == "" {
		return
	}
	for _, width := range []int64{320, 768, 1280} {
		for _, dark := range []bool{false, true} {
			worn := look{lang: v.look.lang, width: width, dark: dark}
			v.do(worn.window(), worn.scheme())
			v.keep(filepath.Join(albums(), worn.folder(), page+".png"))
		}
	}
	v.do(v.look.window(), v.look.scheme())
}

// keep takes a picture of the page as it is now.
func (v *visitor) keep(file string) {
	v.t.Helper()
	picture := ask(v, chromedp.FullScreenshot(100))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		v.t.Fatal(err)
	}
}

// folder is where pictures of a look are kept.
func (l look) folder() string {
	if l.dark {
		return fmt.Sprintf("%d-%s-dark", l.width, l.lang)
	}
	return fmt.Sprintf("%d-%s-light", l.width, l.lang)
}
