package views

import (
	"strconv"
	"time"
)

// in returns a time in the zone of shown dates.
func (s Site) in(t time.Time) time.Time {
	if s.Zone == nil {
		return t.UTC()
	}
	return t.In(s.Zone)
}

// machine writes a time for the attribute datetime.
func machine(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// moment writes a time out, zone included.
func (s Site) moment(l Lang, t time.Time) string {
	return s.in(t).Format(l.Word("time.moment"))
}

// ago writes a time as the reader sees it from the time of the request.
func (p Page) ago(t time.Time) string {
	now, then := p.Site.in(p.Now), p.Site.in(t)
	elapsed := now.Sub(then)
	switch days := daysBetween(then, now); {
	case elapsed < time.Minute: // a clock that runs ahead included
		return p.Word("time.now")
	case elapsed < time.Hour:
		return p.Lang.Count("time.minutes_ago", int64(elapsed/time.Minute))
	case elapsed < 24*time.Hour:
		return p.Lang.Count("time.hours_ago", int64(elapsed/time.Hour))
	case days == 1:
		return p.Word("time.yesterday")
	case days < 7:
		return p.Lang.Count("time.days_ago", int64(days))
	case then.Year() == now.Year():
		return then.Format(p.Word("time.day"))
	}
	return then.Format(p.Word("time.date"))
}

// daysBetween counts the midnights between two times of one zone.
func daysBetween(from, to time.Time) int {
	midnight := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(to).Sub(midnight(from)) / (24 * time.Hour))
}

// wait writes a time to wait, rounded up in a unit that fits.
func (l Lang) wait(d time.Duration) string {
	switch {
	case d <= 2*time.Minute:
		return l.Count("wait.seconds", roundUp(d, time.Second))
	case d <= 2*time.Hour:
		return l.Count("wait.minutes", roundUp(d, time.Minute))
	}
	return l.Count("wait.hours", roundUp(d, time.Hour))
}

// waitSeconds writes a time to wait for the script that counts it down.
func waitSeconds(d time.Duration) string { return strconv.FormatInt(roundUp(d, time.Second), 10) }

func roundUp(d, unit time.Duration) int64 {
	return int64((d + unit - 1) / unit)
}

// resendIn is how long until another mail may be asked for, 0 for now.
func (p PendingPage) resendIn() time.Duration {
	return max(0, p.Signup.ResendAt.Sub(p.Now))
}
