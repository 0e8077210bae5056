package client

import (
	"net/http"
	"net/url"
)

// follow turns r into the request the redirect asks for, by the rules of
// browsers: 301 to 303 become a GET without a body, 307 and 308 are sent again.
func follow(r *Request, a *Answer) bool {
	location := a.Header.Get("Location")
	if location == "" {
		return false
	}
	switch a.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		if r.Method != http.MethodHead {
			r.Method = http.MethodGet
		}
		r.Body = nil
		r.Header = r.Header.Clone()
		r.Header.Del("Content-Type")
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return false
	}
	return r.aim(a.Request.URL, location)
}

func (r *Request) aim(from *url.URL, location string) bool {
	to, err := from.Parse(location)
	if err != nil {
		return false
	}
	if to.Host != from.Host {
		r.Header = r.Header.Clone()
		r.Header.Del("Authorization")
		r.Header.Del("Host")
		r.Cookies = nil // the script gave them to the first host
	}
	r.URL = to.String()
	return true
}
