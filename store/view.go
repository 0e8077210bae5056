package store

// ViewEvent is one reading of a post: a view is one (post, viewer, day).
type ViewEvent struct {
	Day    int32 // days since 1970-01-01 in the site's time zone
	PostID int64
	Viewer [16]byte // keyed hash, see Store.ViewEvent
}
