package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"madang/static"
	"madang/store"
	"madang/views"
)

// access says who may use a route. Its zero value lets nobody in, so that a
// route that forgets to say is closed.
type access int

const (
	nobody access = iota
	anyone
	member
	admin
)

// route is one address of the site.
type route struct {
	method string
	path   string
	handle echo.HandlerFunc
	// back is the page whose form posts here: where a guest goes on after
	// login, and where a change of language leads from an answer to the post.
	back string
	// keep names the form whose text is kept when a guest posts it.
	keep bool
}

// routes is every address of the site, by who may use it. A new page adds its line
// here; a table in the tests says the same from outside.
func (s *Server) routes() map[access][]route {
	const get, post = http.MethodGet, http.MethodPost
	return map[access][]route{
		anyone: {
			{method: get, path: "/", handle: s.home},
			{method: get, path: "/search", handle: s.search},
			{method: get, path: "/auth/signup", handle: s.signupForm},
			{method: post, path: signupPath, handle: s.signup, back: "/auth/signup"},
			{method: get, path: "/auth/pending", handle: s.pending},
			{method: post, path: "/auth/pending/email", handle: s.correctEmail, back: "/auth/pending"},
			{method: post, path: "/auth/resend", handle: s.resend, back: "/auth/pending"},
			{method: post, path: "/auth/verify/code", handle: s.verifyCode, back: "/auth/pending"},
			{method: get, path: "/auth/verify", handle: s.verifyForm},
			{method: post, path: "/auth/verify", handle: s.verifyLink, back: "/"},
			{method: get, path: "/auth/login", handle: s.loginForm},
			{method: post, path: "/auth/login", handle: s.login, back: "/auth/login"},
			{method: get, path: "/auth/forgot", handle: s.forgotForm},
			{method: post, path: "/auth/forgot", handle: s.forgot, back: "/auth/forgot"},
			{method: get, path: "/auth/forgot/sent", handle: s.forgotSent},
			{method: get, path: "/auth/reset", handle: s.resetForm},
			{method: post, path: "/auth/reset", handle: s.resetPassword, back: "/auth/forgot"},
			{method: post, path: "/auth/logout", handle: s.logout, back: "/"},
			{method: post, path: "/language", handle: s.language, back: "/"},
			{method: get, path: "/posts/:id", handle: s.post},
			{method: get, path: "/users/:nickname", handle: s.profile},
			{method: get, path: "/dev/mail", handle: s.mailbox},
			{method: get, path: "/dev/mail/:id", handle: s.mail},
		},
		member: {
			{method: get, path: "/posts/new", handle: s.newPost},
			{method: post, path: "/posts", handle: s.createPost, back: "/posts/new", keep: true},
			{method: get, path: "/posts/:id/edit", handle: s.editPost},
			{method: post, path: "/posts/:id", handle: s.savePost, back: "/posts/:id/edit", keep: true},
			{method: post, path: "/posts/:id/delete", handle: s.deletePost, back: "/posts/:id"},
			{method: post, path: "/posts/:id/like", handle: s.like, back: "/posts/:id"},
			{method: post, path: "/posts/:id/unlike", handle: s.unlike, back: "/posts/:id"},
			{method: post, path: "/posts/:id/comments", handle: s.createComment, back: "/posts/:id", keep: true},
			{method: get, path: "/comments/:id/edit", handle: s.editComment},
			{method: post, path: "/comments/:id", handle: s.saveComment, back: "/comments/:id/edit", keep: true},
			{method: post, path: "/comments/:id/delete", handle: s.deleteComment, back: "/comments/:id/edit"},
			{method: get, path: accountPath, handle: s.account},
			{method: get, path: "/account/data.json", handle: s.accountData},
			{method: post, path: "/account/nickname", handle: s.changeNickname, back: accountPath},
			{method: post, path: "/account/language", handle: s.changeLanguage, back: accountPath},
			{method: post, path: "/account/password", handle: s.changePassword, back: accountPath},
			{method: post, path: "/account/email", handle: s.changeEmail, back: accountPath},
			{method: post, path: "/account/sessions/end", handle: s.endSession, back: accountPath},
			{method: post, path: "/account/delete", handle: s.deleteAccount, back: accountPath},
			{method: get, path: "/auth/email", handle: s.emailForm},
			{method: post, path: "/auth/email", handle: s.proveEmail, back: accountPath},
		},
		admin: {
			{method: get, path: "/admin", handle: s.admin},
			{method: get, path: "/admin/jobs", handle: s.jobs},
			{method: get, path: "/admin/jobs/:id", handle: s.job},
			{method: post, path: "/admin/jobs/:id/retry", handle: s.retryJob, back: "/admin/jobs"},
			{method: post, path: "/admin/jobs/:id/drop", handle: s.dropJob, back: "/admin/jobs"},
			{method: get, path: "/admin/pools", handle: s.poolsPage},
			{method: get, path: usersPath, handle: s.users},
			{method: post, path: usersPath + "/:id/disable", handle: s.disableUser, back: usersPath},
			{method: post, path: usersPath + "/:id/enable", handle: s.enableUser, back: usersPath},
			{method: post, path: usersPath + "/:id/role", handle: s.changeRole, back: usersPath},
		},
	}
}

// probes are the addresses without a session: health checks, files, and what
// programs read of the site.
func (s *Server) probes() []route {
	files := http.StripPrefix(s.site.Prefix, static.Handler())
	return []route{
		{method: http.MethodGet, path: "/healthz", handle: s.healthz},
		{method: http.MethodGet, path: "/readyz", handle: s.readyz},
		{method: http.MethodGet, path: "/static/*", handle: echo.WrapHandler(files)},
		{method: http.MethodGet, path: views.FeedPath, handle: s.feed},
		{method: http.MethodGet, path: sitemapPath, handle: s.sitemap},
		{method: http.MethodGet, path: robotsPath, handle: s.robotsTxt},
	}
}

func (s *Server) register(e *echo.Echo) {
	s.forms, s.pages, s.patterns = make(map[string]route), make(map[string]access), make(map[string]bool)
	for who, routes := range s.routes() {
		for _, r := range routes {
			if r.method == http.MethodPost {
				s.forms[s.site.Prefix+r.path] = r
			} else {
				s.pages[s.site.Prefix+r.path] = who
			}
			s.add(e, r, s.site.Prefix, s.guard(who, r.keep))
		}
	}
	for _, r := range s.probes() {
		s.add(e, r, s.site.Prefix)
	}
	if s.site.Prefix != "" {
		s.registerRoot(e)
	}
}

// registerRoot adds what answers outside the prefix: the health checks, which
// a supervisor asks without knowing it, robots.txt, which counts nowhere else,
// and the prefix without its slash.
func (s *Server) registerRoot(e *echo.Echo) {
	s.add(e, route{method: http.MethodGet, path: "/healthz", handle: s.healthz}, "")
	s.add(e, route{method: http.MethodGet, path: "/readyz", handle: s.readyz}, "")
	s.add(e, route{method: http.MethodGet, path: robotsPath, handle: s.robotsTxt}, "")
	home := func(c echo.Context) error { return s.redirect(c, "/") }
	s.add(e, route{method: http.MethodGet, path: s.site.Prefix, handle: home}, "")
}

// add registers a route, and the HEAD that goes with each GET.
func (s *Server) add(e *echo.Echo, r route, prefix string, guards ...echo.MiddlewareFunc) {
	s.patterns[prefix+r.path] = true
	e.Add(r.method, prefix+r.path, r.handle, guards...)
	if r.method == http.MethodGet {
		e.Add(http.MethodHead, prefix+r.path, r.handle, guards...)
	}
}

// guard lets through whom a route is for. A guest is sent to log in and comes
// back; a text that was being posted waits meanwhile.
func (s *Server) guard(who access, keep bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			user := visitOf(c).user
			switch {
			case who == anyone, who == member && user.ID != 0, who == admin && user.Role == store.Admin:
				return next(c)
			case user.ID != 0 || who == nobody:
				return store.ErrForbidden
			}
			return s.askLogin(c, keep)
		}
	}
}

func (s *Server) askLogin(c echo.Context, keep bool) error {
	if keep {
		if err := s.keepText(c); err != nil {
			return err
		}
	}
	if c.QueryParam("token") != "" {
		hideToken(c)
	}
	return s.redirect(c, "/auth/login?next="+escapeQuery(s.here(c)))
}

// here is the path and query of the page a visitor is on, without the prefix.
// An answer to a post stands on the page that holds the form.
func (s *Server) here(c echo.Context) string {
	r := c.Request()
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return local(strings.TrimPrefix(r.URL.RequestURI(), s.site.Prefix))
	}
	return local(strings.ReplaceAll(s.forms[c.Path()].back, ":id", c.Param("id")))
}

// forMembers is true for the address of a page that a guest may not open.
func (s *Server) forMembers(next string) bool {
	path, _, _ := strings.Cut(next, "?")
	c := s.echo.NewContext(nil, nil)
	s.echo.Router().Find(http.MethodGet, s.site.Prefix+path, c)
	return s.pages[c.Path()] > anyone
}
