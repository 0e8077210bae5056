package store

import (
	"context"
	"time"
)

// SearchWithin searches with another limit in time.
func (s *Store) SearchWithin(ctx context.Context, q SearchQuery, within time.Duration) (SearchResult, error) {
	return s.searchWithin(ctx, q, within)
}
