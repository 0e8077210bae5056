package web

import (
	"log/slog"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

// event logs something that a watcher of the site looks for: who, from where,
// in which request. It takes no tokens, passwords or whole addresses.
func (s *Server) event(c echo.Context, level slog.Level, what string, attrs ...slog.Attr) {
	v := visitOf(c)
	attrs = append(attrs,
		slog.String("method", c.Request().Method), slog.String("path", c.Request().URL.Path),
		slog.String("id", v.id), slog.Int64("user", v.user.ID), slog.String("client", v.client.String()))
	s.log.LogAttrs(c.Request().Context(), level, what, attrs...)
}

// email is a masked address for the log.
func email(address string) slog.Attr { return slog.String("email", mask(address)) }

// maskable is the length of the longest address. What is longer was typed to
// fill the log.
const maskable = 254

// mask leaves the first letter and the domain of an address: j***@example.com.
// What has no such domain may be a password that was typed into the wrong field.
func mask(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 1 || len(address) > maskable || !strings.Contains(address[at:], ".") {
		return "***"
	}
	_, size := utf8.DecodeRuneInString(address)
	return address[:size] + "***" + address[at:]
}
