// Package static holds the style sheet, icons and scripts, embedded, under
// names that carry a hash of their content. It imports nothing of ours.
package static

// URL returns the hashed path below the site's root of a file, e.g.
// "/static/madang.1f2e3d4c.css". It panics on an unknown name (a programmer's error).
func URL(name string) string { panic("stub") }

// Handler is to come: func Handler() http.Handler serving /static/<hashed name>
