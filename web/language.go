package web

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"madang/views"
)

const langCookie = "lang"

// guestLang is the language of somebody who is not logged in: the one chosen
// before, else what the browser asks for, else English.
func guestLang(r *http.Request) views.Lang {
	if cookie, err := r.Cookie(langCookie); err == nil {
		if lang, ok := langNamed(cookie.Value); ok {
			return lang
		}
	}
	wanted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(wanted) == 0 {
		return views.English
	}
	return matchLang(wanted)
}

// matchLang takes the first wanted language that is one of ours.
func matchLang(wanted []language.Tag) views.Lang {
	for _, tag := range wanted {
		base, _ := tag.Base()
		if lang, ok := langNamed(base.String()); ok {
			return lang
		}
	}
	return views.English
}

func langNamed(name string) (views.Lang, bool) {
	lang := views.Lang(name)
	return lang, lang == views.Korean || lang == views.English
}

// language changes the language: the setting of a member, and a cookie for when
// nobody is logged in.
func (s *Server) language(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	lang, ok := langNamed(f.get("lang"))
	if !ok {
		return fmt.Errorf("%w: no such language", errBadRequest)
	}
	if err := s.setLang(c, lang); err != nil {
		return err
	}
	return s.redirect(c, local(f.get("next")))
}

func (s *Server) setLang(c echo.Context, lang views.Lang) error {
	if user := visitOf(c).user; user.ID != 0 {
		if err := s.store.SetLang(c.Request().Context(), user.ID, string(lang)); err != nil {
			return fmt.Errorf("set language: %w", err)
		}
	}
	s.rememberLang(c, lang)
	return nil
}

// rememberLang keeps the language in the browser for when nobody is logged in.
func (s *Server) rememberLang(c echo.Context, lang views.Lang) {
	c.SetCookie(&http.Cookie{ //nolint:gosec // Secure follows the scheme of the base URL
		Name:     langCookie,
		Value:    string(lang),
		Path:     cookiePath(s.site.Prefix),
		MaxAge:   365 * 24 * 60 * 60,
		Secure:   s.base.Scheme == "https",
		HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}
