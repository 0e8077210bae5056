package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"madang/store"
)

// seedCmd fills an empty database.
type seedCmd struct {
	storage `embed:""`

	Timezone timezone `default:"UTC" placeholder:"ZONE" help:"Time zone of days."`
}

// Run seeds and prints the logins. They share a password made for this
// database alone, so that no site starts with accounts the whole world knows.
func (c *seedCmd) Run(ctx context.Context, s streams) error {
	opened, err := c.open(ctx, store.Options{Zone: c.Timezone.location})
	if err != nil {
		return err
	}
	password := rand.Text()
	if err := errors.Join(opened.Seed(ctx, password), opened.Close()); err != nil {
		return fmt.Errorf("%s: %w", c.name(), err)
	}
	_, err = fmt.Fprintf(s.out, "%s now has members, posts, comments and likes.\nLog in as %s (a moderator) or as %s, with the password %s\n",
		c.name(), store.SeedEmails()[0], strings.Join(store.SeedEmails()[1:], ", "), password)
	return err
}
