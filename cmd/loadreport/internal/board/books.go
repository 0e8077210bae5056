package board

import (
	"context"
	"slices"

	"madang/store"
)

// Waiting says how many jobs have not come to their end, and how many of them
// are mails.
func (b *Board) Waiting(ctx context.Context) (all, mails int, err error) {
	counts, err := b.db.JobCounts(ctx)
	if err != nil {
		return 0, 0, err
	}
	for _, c := range counts {
		if c.State == store.Done || c.State == store.Dead {
			continue
		}
		all += int(c.Count)
		if slices.Contains(store.MailKinds(), c.Kind) {
			mails += int(c.Count)
		}
	}
	return all, mails, nil
}

// Books are what a board has left behind.
type Books struct {
	Mails store.SignupMails
	// Contradictions are what the rows say against each other.
	Contradictions []string
}

// Books reads them. The board must have stopped.
func (b *Board) Books(ctx context.Context) (Books, error) {
	mails, err := b.db.SignupMails(ctx)
	if err != nil {
		return Books{}, err
	}
	contradictions, err := b.db.Check(ctx)
	return Books{mails, contradictions}, err
}
