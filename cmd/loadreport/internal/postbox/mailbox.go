package postbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"madang/store"
)

// mailboxSize is how many mails are listed at once, as in the built-in mailbox.
const mailboxSize = 100

// list answers as the board's built-in mailbox does to a program: the mails to
// an address, newest first.
func (p *Postbox) list(w http.ResponseWriter, r *http.Request) {
	mails := []store.MailboxMail{}
	for id, l := range p.newest(r.URL.Query().Get("to")) {
		m, err := l.open(int64(id) + 1)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		mails = append(mails, m)
	}
	slices.SortFunc(mails, func(a, b store.MailboxMail) int { return int(b.ID - a.ID) })
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(mails)
}

// newest returns the last mails to an address, or to anybody, by their number.
func (p *Postbox) newest(to string) map[int]letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := map[int]letter{}
	if to != "" {
		ids := p.to[strings.ToLower(to)]
		for _, id := range ids[max(len(ids)-mailboxSize, 0):] {
			found[id] = p.letters[id]
		}
		return found
	}
	for id := max(len(p.letters)-mailboxSize, 0); id < len(p.letters); id++ {
		found[id] = p.letters[id]
	}
	return found
}
