package web

import (
	"net/http"
	"net/http/httptest"
)

// underWay begins a post with the session of a token and returns when the
// session has been read; the function it returns sends the rest.
func (b *board) underWay(token string) (finish func()) {
	b.t.Helper()
	body := &gate{reading: make(chan struct{}), open: make(chan struct{}), text: "title=late&body=late&form_id=" + newID()}
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, "/posts", body)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: "sid", Value: token})
	w, done := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(done)
		b.server.Handler().ServeHTTP(w, r)
	}()
	<-body.reading
	return func() {
		b.t.Helper()
		close(body.open)
		<-done
		if w.Code != http.StatusSeeOther {
			b.t.Errorf("the request under way got %d", w.Code)
		}
	}
}
