package web

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
)

// accountProfile is what is held about a member in one place.
type accountProfile struct {
	ID        int64  `json:"id"`
	Email     string `json:"email"`
	Nickname  string `json:"nickname"`
	Name      string `json:"name"`
	Role      string `json:"role"`
	Language  string `json:"language"`
	CreatedAt string `json:"created_at"`
}

func profileOf(u store.User) accountProfile {
	return accountProfile{
		ID: u.ID, Email: u.Email, Nickname: u.Nickname, Name: u.Name, Role: string(u.Role), Language: u.Lang,
		CreatedAt: u.CreatedAt.Format(time.RFC3339),
	}
}

// accountData is everything held about the member as one file. It is written
// as it is read, so that a long one takes no more memory than a short one.
func (s *Server) accountData(c echo.Context) error {
	if err := s.saveSession(c); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", jsonText)
	h.Set("Content-Disposition", `attachment; filename="madang-account.json"`)
	c.Response().WriteHeader(http.StatusOK)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	s.event(c, slog.LevelInfo, "data downloaded")
	w := bufio.NewWriter(c.Response())
	err := s.writeAccountData(c, w)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		s.logError(c, err, http.StatusInternalServerError)
		panic(http.ErrAbortHandler) // half a file must not look like a whole one
	}
	return nil
}

func (s *Server) writeAccountData(c echo.Context, w *bufio.Writer) error {
	profile, err := json.Marshal(profileOf(visitOf(c).user))
	if err != nil {
		return fmt.Errorf("encode profile: %w", err)
	}
	if _, err := fmt.Fprintf(w, "{\n\"exported_at\": %q,\n\"profile\": %s", s.now().UTC().Format(time.RFC3339), profile); err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	for _, part := range store.AccountParts() {
		if err := s.writeAccountPart(c, w, part); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "\n}\n")
	return err //nolint:wrapcheck // the line to the client
}

func (s *Server) writeAccountPart(c echo.Context, w *bufio.Writer, part store.AccountPart) error {
	if _, err := fmt.Fprintf(w, ",\n%q: [", part.Name); err != nil {
		return fmt.Errorf("write %s: %w", part.Name, err)
	}
	comma := ""
	err := s.store.AccountData(c.Request().Context(), visitOf(c).user.ID, part, func(r store.AccountRecord) error {
		line, err := json.Marshal(r)
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\n%s", comma, line)
		}
		comma = ","
		return err
	})
	if err == nil {
		_, err = w.WriteString("]")
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", part.Name, err)
	}
	return nil
}
