package web

import (
	"net/http"
	"net/url"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestOneOfManyClicksProvesTheAddress(t *testing.T) {
	for _, clicks := range []int{50, 1000} {
		b := newBoard(t)
		u := storetest.Member(t, b.store)
		c := b.as(u)
		token := b.askEmail(c, "new@example.com")
		statuses := crowd(clicks, func(int) int {
			for {
				// A thousand at once may be more than a busy machine answers in time:
				// whoever is told so clicks again.
				status := c.post("/auth/email", url.Values{"token": {token}}).status
				if status != http.StatusServiceUnavailable {
					return status
				}
			}
		})
		if statuses[http.StatusSeeOther] != 1 || statuses[http.StatusOK] != clicks-1 {
			t.Errorf("%d clicks: %v", clicks, statuses)
		}
		if got := b.email(u); got != "new@example.com" {
			t.Errorf("the address is %s", got)
		}
	}
}

func TestOneOfManyMembersGetsAnAddress(t *testing.T) {
	b := newBoard(t)
	const rivals = 10
	var users [rivals]store.User
	var browsers [rivals]*client
	var tokens [rivals]string
	for i := range rivals {
		users[i] = storetest.Member(t, b.store)
		browsers[i] = b.as(users[i])
		tokens[i] = b.askEmail(browsers[i], "wanted@example.com")
	}
	statuses := crowd(rivals, func(i int) int {
		return browsers[i].post("/auth/email", url.Values{"token": {tokens[i]}}).status
	})
	if statuses[http.StatusSeeOther] != 1 || statuses[http.StatusUnprocessableEntity] != rivals-1 {
		t.Errorf("statuses %v", statuses)
	}
}

func TestOneOfManyMembersGetsANickname(t *testing.T) {
	for _, rivals := range []int{10, 50} {
		b := newBoard(t)
		var browsers []*client
		for range rivals {
			browsers = append(browsers, b.as(storetest.Member(t, b.store)))
		}
		statuses := crowd(rivals, func(i int) int {
			name := "Wanted"
			if i%2 == 1 {
				name = "ｗａｎｔｅｄ"
			}
			return browsers[i].post("/account/nickname", url.Values{"nickname": {name}}).status
		})
		if statuses[http.StatusSeeOther] != 1 || statuses[http.StatusUnprocessableEntity] != rivals-1 {
			t.Errorf("of %d: %v", rivals, statuses)
		}
	}
}
