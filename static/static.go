// Package static holds the style sheet, icon and scripts of the site. They are
// embedded and served under names that carry a hash of their content, so that
// a browser may keep them for ever. It imports nothing of ours.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed files
var embedded embed.FS

// root is the path below which Handler serves.
const root = "/static/"

// asset is one file, ready to be sent.
type asset struct {
	contentType string
	plain       []byte
	gzipped     []byte // nil when it would not be smaller
}

// library knows every file by its public path and every public path by its file.
type library struct {
	assets map[string]asset
	urls   map[string]string
}

// shelf is the library of the embedded files, hashed and compressed at first use.
var shelf = sync.OnceValue(func() library {
	files, err := fs.Sub(embedded, "files")
	if err != nil {
		panic(err)
	}
	lib, err := load(files)
	if err != nil {
		panic(err)
	}
	return lib
})

// URL returns the path of a file below the site's root, e.g.
// "/static/madang.1f2e3d4c5b6a7988.css". An unknown name is a programmer's
// error, so it panics.
func URL(name string) string {
	url, ok := shelf().urls[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return url
}

func load(files fs.FS) (library, error) {
	lib := library{assets: map[string]asset{}, urls: map[string]string{}}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return library{}, fmt.Errorf("list static files: %w", err)
	}
	for _, entry := range entries {
		content, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			return library{}, fmt.Errorf("read static file: %w", err)
		}
		if err := lib.add(entry.Name(), content); err != nil {
			return library{}, err
		}
	}
	return lib, nil
}

func (l library) add(name string, content []byte) error {
	ext := path.Ext(name)
	contentType, err := typeOf(ext)
	if err != nil {
		return fmt.Errorf("static file %s: %w", name, err)
	}
	sum := sha256.Sum256(content)
	url := root + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:8]) + ext
	l.urls[name] = url
	l.assets[url] = asset{contentType: contentType, plain: content, gzipped: compress(content)}
	return nil
}

// typeOf is a table of our own because package mime reads the tables of the
// machine, which may know less or something else.
func typeOf(ext string) (string, error) {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8", nil
	case ".js":
		return "text/javascript; charset=utf-8", nil
	case ".png":
		return "image/png", nil
	case ".svg":
		return "image/svg+xml; charset=utf-8", nil
	}
	return "", fmt.Errorf("no content type for %q", ext)
}

func compress(content []byte) []byte {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		panic(err) // only for a level that does not exist
	}
	// Writes to a bytes.Buffer do not fail.
	_, _ = w.Write(content)
	_ = w.Close()
	if buf.Len() >= len(content) {
		return nil
	}
	return buf.Bytes()
}
