package jobs

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// try hands the letter over and returns each step as "step", "step skipped" or
// "step failed".
func try(t *testing.T, s *SMTP, m Mail) (steps []string, trials []Trial) {
	t.Helper()
	err := s.Try(t.Context(), m, func(trial Trial) {
		trials = append(trials, trial)
		switch {
		case trial.Err != nil:
			steps = append(steps, string(trial.Step)+" failed")
		case trial.Skipped:
			steps = append(steps, string(trial.Step)+" skipped")
		default:
			steps = append(steps, string(trial.Step))
		}
	})
	failed := len(trials) > 0 && trials[len(trials)-1].Err != nil
	if (err != nil) != failed {
		t.Errorf("after %q: %v", steps, err)
	}
	return steps, trials
}

func TestATrialTellsAtWhichStepItFails(t *testing.T) {
	const toLine = "[connection TLS skipped login skipped"
	for _, c := range []struct {
		faults []fault
		want   string
	}{
		{nil, toLine + " sender recipient handed over]"},
		{[]fault{{verb: "banner", reply: "554 no service"}}, "[connection failed]"},
		{[]fault{{verb: "banner", reply: drop}}, "[connection failed]"},
		{[]fault{{verb: "banner", reply: hang}}, "[connection failed]"},
		{[]fault{{verb: "EHLO", reply: "550 go away"}, {verb: "HELO", reply: "550 go away"}}, "[connection failed]"},
		{[]fault{{verb: "MAIL", reply: "550 not yours"}}, toLine + " sender failed]"},
		{[]fault{{verb: "RCPT", reply: "550 nobody"}}, toLine + " sender recipient failed]"},
		{[]fault{{verb: "DATA", reply: "451 later"}}, toLine + " sender recipient handed over failed]"},
		{[]fault{{verb: "dot", reply: "554 spam"}}, toLine + " sender recipient handed over failed]"},
		{[]fault{{verb: "dot", reply: hang}}, toLine + " sender recipient handed over failed]"},
		{[]fault{{verb: "taken", reply: drop}}, toLine + " sender recipient handed over failed]"},
		{[]fault{{verb: "QUIT", reply: drop}}, toLine + " sender recipient handed over]"},
	} {
		sender := impatient(t, newScriptedServer(t, c.faults...).url())
		steps, trials := try(t, sender, letter)
		if got := fmt.Sprint(steps); got != c.want {
			t.Errorf("%v: %s, want %s", c.faults, got, c.want)
		}
		if last := trials[len(trials)-1].Err; last != nil && strings.ContainsAny(last.Error(), "\r\n") {
			t.Errorf("%v: more than a line: %q", c.faults, last)
		}
	}
}

func TestATrialTellsOfEncryptionAndLogin(t *testing.T) {
	cert, roots := selfSigned(t, loopback(), time.Now().Add(24*time.Hour))
	for _, e := range []encryption{startTLS, implicitTLS} {
		backend := new(post)
		address := startPost(t, backend, cert, e)
		sender := newTestSMTP(t, schemes[e]+"user:pass%2F%3A%40@"+address)
		sender.roots = roots
		if steps, _ := try(t, sender, letter); fmt.Sprint(steps) != "[connection TLS login sender recipient handed over]" {
			t.Errorf("%s: %q", e, steps)
		}
		wrong := newTestSMTP(t, schemes[e]+"user:wrong-secret@"+address)
		wrong.roots = roots
		steps, trials := try(t, wrong, letter)
		if fmt.Sprint(steps) != "[connection TLS login failed]" || strings.Contains(fmt.Sprint(trials), "wrong-secret") {
			t.Errorf("%s with a wrong password: %q, %v", e, steps, trials)
		}
		distrusting := newTestSMTP(t, schemes[e]+"user:pass@"+address)
		if steps, _ := try(t, distrusting, letter); fmt.Sprint(steps) != "[connection TLS failed]" {
			t.Errorf("%s with a certificate that nobody trusts: %q", e, steps)
		}
	}
}

func TestATrialTellsWhatAServerDoesNotOffer(t *testing.T) {
	server := newScriptedServer(t)
	plain := server.listener.Addr().String()
	for url, want := range map[string]string{
		"smtp://" + plain: "[connection TLS failed]", "smtps://" + plain: "[connection TLS failed]",
		"smtp://user:pass@" + plain + "?tls=none": "[connection TLS skipped login failed]",
		"smtp://" + closedPort(t) + "?tls=none":   "[connection failed]",
	} {
		if steps, _ := try(t, impatient(t, url), letter); fmt.Sprint(steps) != want {
			t.Errorf("%s: %q, want %s", url, steps, want)
		}
	}
	if len(server.mails()) != 0 {
		t.Error("a mail went out")
	}
}

// A long answer is cut off, wherever in it the password stands.
func TestATrialTellsNoPartOfThePassword(t *testing.T) {
	const password = "hidden-and-long"
	for pad := longestReason - 100; pad <= longestReason; pad++ {
		server := newScriptedServer(t, fault{verb: "banner", reply: "554 " + strings.Repeat("x", pad) + password})
		_, trials := try(t, newTestSMTP(t, "smtp://user:"+password+"@"+server.listener.Addr().String()+"?tls=none"), letter)
		if said := trials[0].Err.Error(); strings.Contains(said, password[:4]) {
			t.Fatalf("after %d letters it says %q", pad, said)
		}
	}
}

func TestATrialComposesBeforeItConnects(t *testing.T) {
	server := newScriptedServer(t)
	m := letter
	m.To = "a@b@example.com"
	if err := newTestSMTP(t, server.url()).Try(t.Context(), m, func(tr Trial) { t.Errorf("told %+v", tr) }); err == nil || server.connections() != 0 {
		t.Errorf("%v, %d connections", err, server.connections())
	}
}
