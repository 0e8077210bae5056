// Package web speaks HTTP: every address of the site, what guards it, and one
// file for each screen. It reads forms, asks the store and renders views. It
// may import store, views and static; it knows no SQL and no SMTP, and it
// never imports jobs: what happens after an answer is a row in the store.
package web
