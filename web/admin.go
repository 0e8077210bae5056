package web

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"madang/views"
)

// admin is the first page of the administrator.
func (s *Server) admin(c echo.Context) error {
	jobs, err := s.store.JobCounts(c.Request().Context())
	if err != nil {
		return fmt.Errorf("count jobs: %w", err)
	}
	alarms, err := s.store.Alarms(c.Request().Context())
	if err != nil {
		return fmt.Errorf("read alarms: %w", err)
	}
	backups, err := s.store.BackupRuns(c.Request().Context())
	if err != nil {
		return fmt.Errorf("look at backups: %w", err)
	}
	return s.render(c, http.StatusOK, views.Admin(views.AdminPage{
		Page: s.page(c), Alarms: alarms, Jobs: jobs, Backups: backups,
	}))
}
