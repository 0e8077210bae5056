package store

// KeptText is a text whose submission met an expired session. It is kept for
// an hour and comes back in its form after login.
type KeptText struct {
	Path   string // of the form page it belongs to, e.g. "/posts/new"
	Title  string
	Body   string
	FormID string
	Parent int64
}
