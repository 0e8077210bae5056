package views

import (
	"testing"
	"time"
)

func TestTimesAreRelativeUntilAWeekHasPassed(t *testing.T) {
	seoul := time.FixedZone("KST", 9*60*60)
	now := time.Date(2026, 3, 2, 0, 30, 0, 0, seoul)
	page := Page{Site: Site{Zone: seoul}, Now: now}
	for _, c := range []struct {
		then            time.Time
		english, korean string
	}{
		{now.Add(time.Minute), "just now", "방금 전"},
		{now.Add(-59 * time.Second), "just now", "방금 전"},
		{now.Add(-time.Minute), "1 minute ago", "1분 전"},
		{now.Add(-59 * time.Minute), "59 minutes ago", "59분 전"},
		{now.Add(-time.Hour), "1 hour ago", "1시간 전"},
		{now.Add(-23 * time.Hour), "23 hours ago", "23시간 전"},
		{now.Add(-24 * time.Hour), "yesterday", "어제"},
		{now.Add(-25 * time.Hour), "2 days ago", "2일 전"},
		{now.Add(-6 * 24 * time.Hour), "6 days ago", "6일 전"},
		{now.Add(-7 * 24 * time.Hour), "23 Feb", "2월 23일"},
		{time.Date(2025, 12, 31, 15, 0, 0, 0, time.UTC), "1 Jan", "1월 1일"}, // midnight in the zone
		{time.Date(2025, 12, 31, 14, 59, 0, 0, time.UTC), "31 Dec 2025", "2025년 12월 31일"},
	} {
		page.Lang = English
		if got := page.ago(c.then); got != c.english {
			t.Errorf("%s: %q, want %q", c.then, got, c.english)
		}
		page.Lang = Korean
		if got := page.ago(c.then); got != c.korean {
			t.Errorf("%s: %q, want %q", c.then, got, c.korean)
		}
	}
}

func TestMomentsNameTheirZone(t *testing.T) {
	at := time.Date(2026, 11, 30, 15, 4, 0, 0, time.UTC)
	seoul := Site{Zone: time.FixedZone("KST", 9*60*60)}
	for got, want := range map[string]string{
		Site{}.moment(English, at): "30 November 2026, 15:04 UTC",
		Site{}.moment(Korean, at):  "2026년 11월 30일 15:04 UTC",
		seoul.moment(English, at):  "1 December 2026, 00:04 KST",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWaitsAreRoundedUp(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		time.Millisecond:               "1 second",
		42*time.Second + 1:             "43 seconds",
		2 * time.Minute:                "120 seconds",
		2*time.Minute + time.Second:    "3 minutes",
		time.Hour:                      "60 minutes",
		2*time.Hour + time.Millisecond: "3 hours",
		23*time.Hour + 30*time.Minute:  "24 hours",
	} {
		if got := English.wait(wait); got != want {
			t.Errorf("%s: %q, want %q", wait, got, want)
		}
	}
}
