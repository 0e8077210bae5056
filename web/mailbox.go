package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// mailboxSize is how many mails the mailbox shows.
const mailboxSize = 100

// mailbox lists the mails of the built-in mailbox, newest first.
func (s *Server) mailbox(c echo.Context) error {
	if !s.opensMailbox(c) {
		return store.ErrNotFound
	}
	to := c.QueryParam("to")
	mails, err := s.store.Mailbox(c.Request().Context(), to, mailboxSize)
	if err != nil {
		return fmt.Errorf("list mailbox: %w", err)
	}
	if wantsJSON(c) {
		return s.renderJSON(c, http.StatusOK, mails)
	}
	return s.render(c, http.StatusOK, views.Mailbox(views.MailboxPage{
		Page: s.page(c), To: shown(to), Mails: mails,
	}))
}

// mail shows one mail of the built-in mailbox.
func (s *Server) mail(c echo.Context) error {
	if !s.opensMailbox(c) {
		return store.ErrNotFound
	}
	id, err := pathID(c)
	if err != nil {
		return err
	}
	mail, err := s.store.MailByID(c.Request().Context(), id)
	if err != nil {
		return fmt.Errorf("read mailbox: %w", err)
	}
	if wantsJSON(c) {
		return s.renderJSON(c, http.StatusOK, mail)
	}
	return s.render(c, http.StatusOK, views.Mail(views.MailPage{Page: s.page(c), Mail: mail}))
}

// opensMailbox lets in requests that name this machine or the site. Any other
// Host is a foreign name that was made to point here, so that a page of its
// own could read the mails.
func (s *Server) opensMailbox(c echo.Context) bool {
	if !s.site.DevMail {
		return false
	}
	host := c.Request().Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") || strings.EqualFold(host, s.base.Hostname()) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

func wantsJSON(c echo.Context) bool {
	c.Response().Header().Add("Vary", "Accept")
	return strings.Contains(c.Request().Header.Get("Accept"), "application/json")
}
