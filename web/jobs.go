package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

const (
	// jobsPageSize is how many jobs a list shows.
	jobsPageSize = 50
	// lostWithin is for how long a lost lease is shown.
	lostWithin = 7 * 24 * time.Hour
	// kindMax is longer than the name of any kind.
	kindMax = 100
)

// jobs is the list of jobs, narrowed to a kind and a state.
func (s *Server) jobs(c echo.Context) error {
	query, err := jobQuery(c)
	if err != nil {
		return err
	}
	page, err := s.jobsPage(c, query)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.Jobs(page))
}

func jobQuery(c echo.Context) (store.JobQuery, error) {
	q := c.QueryParams()
	query := store.JobQuery{Kind: shown(q.Get("kind")), State: q.Get("state"), Limit: jobsPageSize}
	if query.State != "" && !store.IsJobState(query.State) || len(query.Kind) > kindMax {
		return query, fmt.Errorf("%w: no such kind or state of jobs", errBadRequest)
	}
	var err error
	query.Before, query.After, err = listEdges(q)
	return query, err
}

func (s *Server) jobsPage(c echo.Context, query store.JobQuery) (views.JobsPage, error) {
	ctx := c.Request().Context()
	kinds, err := s.jobKinds(ctx)
	if err != nil {
		return views.JobsPage{}, err
	}
	list, err := s.store.Jobs(ctx, query)
	if err != nil {
		return views.JobsPage{}, fmt.Errorf("list jobs: %w", err)
	}
	return views.JobsPage{Page: s.page(c), Kinds: kinds, Kind: query.Kind, State: query.State, List: list}, nil
}

// jobKinds is how the jobs of each kind stand. A kind of which nothing is left
// but a lost lease is among them.
func (s *Server) jobKinds(ctx context.Context) ([]views.KindSummary, error) {
	counts, err := s.store.JobCounts(ctx)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	lost, err := s.store.LostLeases(ctx, s.now().Add(-lostWithin))
	if err != nil {
		return nil, fmt.Errorf("count lost leases: %w", err)
	}
	byKind := map[string]map[string]int64{}
	for kind := range lost {
		byKind[kind] = map[string]int64{}
	}
	for _, count := range counts {
		if byKind[count.Kind] == nil {
			byKind[count.Kind] = map[string]int64{}
		}
		byKind[count.Kind][count.State] = count.Count
	}
	var kinds []views.KindSummary
	for kind, states := range byKind {
		oldest, err := s.store.OldestDue(ctx, kind)
		if err != nil {
			return nil, fmt.Errorf("oldest job: %w", err)
		}
		kinds = append(kinds, views.KindSummary{Kind: kind, Counts: states, OldestDue: oldest, Lost: lost[kind]})
	}
	slices.SortFunc(kinds, func(a, b views.KindSummary) int { return strings.Compare(a.Kind, b.Kind) })
	return kinds, nil
}

// job is one job with its history.
func (s *Server) job(c echo.Context) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	job, err := s.store.JobByID(ctx, id)
	if err != nil {
		return fmt.Errorf("read job: %w", err)
	}
	attempts, err := s.store.Attempts(ctx, id)
	if err != nil {
		return fmt.Errorf("read history of job: %w", err)
	}
	return s.render(c, http.StatusOK, views.Job(views.JobPage{Page: s.page(c), Job: job, Attempts: attempts}))
}

// retryJob sets a dead job to work again.
func (s *Server) retryJob(c echo.Context) error {
	return s.onDeadJob(c, s.store.RetryDead, "job retried", views.NoticeJobRetried)
}

// dropJob deletes a dead job.
func (s *Server) dropJob(c echo.Context) error {
	return s.onDeadJob(c, s.store.DropDead, "job dropped", views.NoticeJobDropped)
}

// onDeadJob works on the job of the path and leads back with a notice. Of two
// administrators who do so at once, the second is told what became of the job.
func (s *Server) onDeadJob(
	c echo.Context, act func(context.Context, ...int64) error, event, notice string,
) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	id, err := pathID(c)
	if err != nil {
		return err
	}
	number := strconv.FormatInt(id, 10)
	err = act(c.Request().Context(), id)
	other, notDead := errors.AsType[*store.NotDeadError](err)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.jobGone(c, number)
	case notDead:
		s.notify(c, views.NoticeJobNotDead, number, visitOf(c).lang.Word("state."+other.State))
	case errors.Is(err, store.ErrViewsForgotten):
		s.notify(c, views.NoticeJobForgotten, number)
	case err != nil:
		return fmt.Errorf("%s: %w", event, err)
	default:
		s.event(c, slog.LevelInfo, event, slog.Int64("job", id))
		s.notify(c, notice, number)
	}
	return s.redirect(c, s.backToJobs(c, f, id))
}

// jobGone shows the list, and says in it that the job is not there.
func (s *Server) jobGone(c echo.Context, number string) error {
	page, err := s.jobsPage(c, store.JobQuery{Limit: jobsPageSize})
	if err != nil {
		return err
	}
	page.Notice = views.Notice{Key: views.NoticeJobGone, Args: []string{number}}
	return s.render(c, http.StatusNotFound, views.Jobs(page))
}

// backToJobs is the list that the form stood on, narrowed as it was. The page
// of the job itself may be gone with it.
func (s *Server) backToJobs(c echo.Context, f form, id int64) string {
	const list = "/admin/jobs"
	next := local(f.get("next"))
	switch own := list + "/" + strconv.FormatInt(id, 10); {
	case next == own && c.Path() == s.site.Prefix+list+"/:id/retry":
		return own
	case strings.HasPrefix(next, list+"?"):
		return next
	}
	return list
}
