package web

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// PoolWatcher tells what the pools of workers of this process do.
type PoolWatcher interface {
	// Pools returns the figures of each pool.
	Pools() []views.PoolFigures
}

// poolsPage shows how many workers are enough.
func (s *Server) poolsPage(c echo.Context) error {
	counts, err := s.store.JobCounts(c.Request().Context())
	if err != nil {
		return fmt.Errorf("count jobs: %w", err)
	}
	backlog := map[string]int64{}
	for _, count := range counts {
		if count.State == store.Available {
			backlog[count.Kind] += count.Count
		}
	}
	return s.render(c, http.StatusOK, views.Pools(views.PoolsPage{Page: s.page(c), Pools: s.pools.Pools(), Backlog: backlog}))
}
