package store_test

import (
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// rivalry is a way in which an address comes to hold several passwords.
type rivalry struct {
	name  string
	costs int64 // hashes of a login
	begin func(*testing.T, *store.Store) (prove func())
}

func rivalries() []rivalry {
	return []rivalry{
		{"a sign-up alone", 1, func(t *testing.T, s *store.Store) func() {
			id := signUp(t, s, person(desired))
			return func() { proveCode(t, s, id) }
		}},
		{"a sign-up before a stranger's", 1, func(t *testing.T, s *store.Store) func() {
			id := signUp(t, s, person(desired))
			stranger(t, s, desired)
			return func() { proveCode(t, s, id) }
		}},
		{"a sign-up after a stranger's", 1, func(t *testing.T, s *store.Store) func() {
			stranger(t, s, desired)
			id := signUp(t, s, person(desired))
			return func() { proveCode(t, s, id) }
		}},
		{"a change alone", 1, func(t *testing.T, s *store.Store) func() {
			return change(t, s, storetest.Member(t, s))
		}},
		{"a change after a stranger's sign-up", 1, func(t *testing.T, s *store.Store) func() {
			stranger(t, s, desired)
			return change(t, s, storetest.Member(t, s))
		}},
		{"a change before a stranger's sign-up", 1, func(t *testing.T, s *store.Store) func() {
			prove := change(t, s, storetest.Member(t, s))
			stranger(t, s, desired)
			return prove
		}},
		{"two changes", 1, func(t *testing.T, s *store.Store) func() {
			prove := change(t, s, storetest.Member(t, s))
			stranger(t, s, desired)
			change(t, s, storetest.Member(t, s))
			return prove
		}},
		{"a change by a member who signs up there too", 1, func(t *testing.T, s *store.Store) func() {
			change(t, s, storetest.Member(t, s))
			id := signUp(t, s, person(desired))
			return func() { proveCode(t, s, id) }
		}},
		{"a change to the address of who leaves, with a salt from before", 1, func(t *testing.T, s *store.Store) func() {
			owner := signUp(t, s, person(desired))
			proveCode(t, s, owner)
			oldSalt(t, s, desired)
			prove := change(t, s, storetest.Member(t, s))
			leave(t, s, desired)
			stranger(t, s, desired)
			return prove
		}},
		{"a change to an address whose sign-up has a salt from before", 1, func(t *testing.T, s *store.Store) func() {
			stranger(t, s, desired)
			oldSalt(t, s, desired)
			return change(t, s, storetest.Member(t, s))
		}},
		{"a sign-up that is corrected", 2, func(t *testing.T, s *store.Store) func() {
			id := signUp(t, s, person("typo@example.com"))
			correct(t, s, id)
			return func() { proveCode(t, s, id) }
		}},
		{"a sign-up that is corrected before a stranger's", 2, func(t *testing.T, s *store.Store) func() {
			id := signUp(t, s, person("typo@example.com"))
			correct(t, s, id)
			stranger(t, s, desired)
			return func() { proveCode(t, s, id) }
		}},
		{"a sign-up that is corrected after a stranger's", 2, func(t *testing.T, s *store.Store) func() {
			stranger(t, s, desired)
			id := signUp(t, s, person("typo@example.com"))
			correct(t, s, id)
			return func() { proveCode(t, s, id) }
		}},
		{"a sign-up before a stranger's that is corrected", 2, func(t *testing.T, s *store.Store) func() {
			id := signUp(t, s, person(desired))
			correct(t, s, stranger(t, s, "typo@example.com"))
			return func() { proveCode(t, s, id) }
		}},
		{"a change before a stranger's sign-up that is corrected", 2, func(t *testing.T, s *store.Store) func() {
			prove := change(t, s, storetest.Member(t, s))
			correct(t, s, stranger(t, s, "typo@example.com"))
			return prove
		}},
		{"a change after a stranger's sign-up that is corrected", 2, func(t *testing.T, s *store.Store) func() {
			correct(t, s, stranger(t, s, "typo@example.com"))
			return change(t, s, storetest.Member(t, s))
		}},
	}
}
