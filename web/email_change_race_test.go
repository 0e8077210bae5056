package web

import (
	"net/http"
	"net/url"
	"sync"
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
		statuses := b.crowd(clicks, func(int) int { return c.post("/auth/email", url.Values{"token": {token}}).status })
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
	statuses := b.crowd(rivals, func(i int) int {
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
		statuses := b.crowd(rivals, func(i int) int {
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

// crowd does the same many times at once and counts the statuses.
func (b *board) crowd(n int, do func(i int) int) map[int]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	statuses, start := map[int]int{}, make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			status := do(i)
			mu.Lock()
			defer mu.Unlock()
			statuses[status]++
		})
	}
	close(start)
	wg.Wait()
	return statuses
}
