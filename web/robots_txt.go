package web

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v4"
)

const (
	robotsPath  = "/robots.txt"
	sitemapPath = "/sitemap.xml"
)

// robotsTxt asks well-behaved robots to leave alone what is for one person or
// one moment. It is no protection.
func (s *Server) robotsTxt(c echo.Context) error {
	var text bytes.Buffer
	text.WriteString("User-agent: *\nAllow: " + s.site.Prefix + "/\n")
	for _, path := range []string{"/auth", accountPath, "/admin", "/search", "/dev"} {
		text.WriteString("Disallow: " + s.site.Prefix + path + "\n")
	}
	text.WriteString("\nSitemap: " + s.site.BaseURL + sitemapPath + "\n")
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return s.write(c, http.StatusOK, plainText, &content{plain: text.Bytes()})
}
