package main

// searches looks for a part of a Korean word from wherever the header has room
// for the search.
func (v *visitor) searches() {
	v.t.Helper()
	v.open("/")
	if v.look.width < 672 {
		v.follow(`header a[href$="/search"]`)
		v.see("search", 200, v.word("search.title"))
		v.until(`document.activeElement.id === "q"`)
	} else {
		v.tabTo("header [role=search] input")
	}
	v.press("길")
	v.enter()
	v.see("search-results", 200, "길")
	v.until(`[...document.querySelectorAll("mark")].every((mark) => mark.textContent === "길")`)
	v.follow(`a[rel="next"]`)
	v.follow(`.excerpt`) // the whole line leads to its post
	v.see("search-found", 200, "")
	v.open("/search?q=" + "%EC%97%86%EB%8A%94+%EB%82%B1%EB%A7%90%EA%B3%BC+zzz")
	v.see("search-none", 200, v.word("search.title"))
	v.reads(".result", v.word("search.none"))
	v.open("/search?q=book*+-old")
	v.see("search-english", 200, v.word("search.title"))
}
