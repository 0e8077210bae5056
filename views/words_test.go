package views

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"madang/store"
)

// whole returns the catalogues of a language as one.
func whole(l Lang) catalogue {
	all := catalogue{}
	for _, words := range l.catalogues() {
		maps.Copy(all, words)
	}
	return all
}

func TestBothLanguagesHaveTheSameKeys(t *testing.T) {
	for _, l := range []Lang{Korean, English} {
		all := 0
		for _, words := range l.catalogues() {
			all += len(words)
		}
		if all != len(whole(l)) {
			t.Errorf("%s: a key stands in two catalogues", l)
		}
	}
	for key := range whole(English) {
		if _, ok := whole(Korean)[key]; !ok {
			t.Errorf("no Korean for %q", key)
		}
	}
	for key := range whole(Korean) {
		if _, ok := whole(English)[key]; !ok {
			t.Errorf("no English for %q", key)
		}
	}
}

func TestNoTextIsEmpty(t *testing.T) {
	for _, l := range []Lang{Korean, English} {
		for key, text := range whole(l) {
			if strings.TrimSpace(text) != text || text == "" {
				t.Errorf("%s %q: %q", l, key, text)
			}
		}
	}
}

func TestFormatVerbsAgree(t *testing.T) {
	verb := regexp.MustCompile(`%[^%]`)
	for key, text := range whole(English) {
		want := verb.FindAllString(whole(Korean)[key], -1)
		for form := range strings.SplitSeq(text, "|") {
			if got := verb.FindAllString(form, -1); !slices.Equal(got, want) {
				t.Errorf("%q: English %q, Korean %q", key, got, want)
			}
		}
	}
}

// sources returns the hand-written files of the package but the catalogues.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*.go", "*.templ"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if regexp.MustCompile(`^(words|messages)_|_(test|templ)\.go$`).MatchString(name) {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}

// computed returns the keys that the code puts together at run time.
func computed() []string {
	var keys []string
	for _, d := range []store.Delivery{store.Queued, store.Sending, store.Sent, store.Failed} {
		keys = append(keys, deliveryKey(d))
	}
	for _, s := range []VerifyState{
		VerifyReady, VerifyDone, VerifyExpired, VerifyReplaced, VerifyForged, VerifyLocked,
	} {
		p := VerifyPage{State: s}
		keys = append(keys, p.stateKey("title"), p.stateKey("text"))
	}
	for _, status := range []int{400, 403, 404, 405, 410, 413, 415, 422, 429, 500, 503} {
		keys = append(keys, fmt.Sprintf("error.%d.title", status), fmt.Sprintf("error.%d.text", status))
	}
	for _, state := range []string{store.Available, store.Scheduled, store.Running, store.Done, store.Dead} {
		keys = append(keys, "state."+state)
	}
	for _, field := range []string{"email", "name", "nickname", "password", "title", "body", "comment", "code", TrapField} {
		keys = append(keys, "field."+field)
	}
	for _, problem := range []store.Problem{store.Missing, store.TooShort, store.TooLong, store.Malformed, store.Taken, store.TooShortAdmin, store.TooCommon} {
		keys = append(keys, "problem."+string(problem))
	}
	keys = append(keys, "alarm."+store.AlarmMail)
	for _, outcome := range []store.Outcome{
		store.OutcomeDone, store.OutcomeObsolete, store.OutcomeRetry, store.OutcomeDead, store.OutcomeReleased, store.OutcomeLost,
	} {
		keys = append(keys, "outcome."+string(outcome))
	}
	for _, kind := range append(store.MailKinds(), store.KindViews) {
		keys = append(keys, "kind."+kind)
	}
	keys = append(keys, "pool.mail", "pool.views")
	for _, role := range store.Roles() {
		keys = append(keys, "role."+string(role))
	}
	for _, state := range store.MemberStates() {
		keys = append(keys, "user_state."+string(state))
	}
	for _, act := range []string{ActDisable, ActEnable, ActRole} {
		keys = append(keys, "confirm."+act)
	}
	for _, section := range []string{"nickname", "language", "password", "email", "sessions", "data", "delete"} {
		keys = append(keys, "account."+section+".title")
	}
	for _, form := range []string{AccountNickname, AccountPassword, AccountEmail} {
		keys = append(keys, "account."+form+".text", "account."+form+".do")
	}
	for _, s := range []EmailState{
		EmailReady, EmailDone, EmailExpired, EmailReplaced, EmailOvertaken, EmailForged, EmailForeign,
	} {
		p := EmailPage{State: s}
		keys = append(keys, p.stateKey("title"), p.stateKey("text"))
	}
	for _, s := range resetStates() {
		p := ResetPage{State: s}
		keys = append(keys, p.stateKey("title"), p.stateKey("text"))
	}
	keys = append(keys, "field.current", "problem.current.missing", "problem.current.wrong", "problem.current.too_soon",
		"problem.form.last_admin")
	keys = append(keys, "field.own_password", "problem.own_password.missing", "problem.own_password.wrong")
	return keys
}

func TestEveryKeyInUseExists(t *testing.T) {
	words := whole(English)
	rooms := map[string]bool{}
	for key := range words {
		room, _, _ := strings.Cut(key, ".")
		rooms[room] = true
	}
	used := computed()
	for _, match := range regexp.MustCompile(`"([a-z]+)\.([a-z0-9_.]*[a-z0-9_])"`).FindAllStringSubmatch(sources(t), -1) {
		if rooms[match[1]] && match[2] != "js" {
			used = append(used, match[1]+"."+match[2])
		}
	}
	for _, key := range used {
		if _, ok := words[key]; !ok {
			t.Errorf("no words for %q", key)
		}
	}
}

func TestEveryKeyIsInUse(t *testing.T) {
	source, known := sources(t), computed()
	problem := regexp.MustCompile(
		`^problem\.(email|name|nickname|password|title|body|comment|code|form|form_id|parent)\.` +
			`(missing|too_short|too_long|malformed|taken|wrong|dead|login|too_soon|no_signup|` +
			`too_short_admin|too_common|throttled|trap|too_often|other_member)$`)
	for key := range whole(English) {
		if !strings.Contains(source, `"`+key+`"`) && !slices.Contains(known, key) && !problem.MatchString(key) {
			t.Errorf("%q is not used", key)
		}
	}
}

func TestWordOfAnUnknownKeyIsTheKey(t *testing.T) {
	if got := English.Word("no.such.key"); got != "no.such.key" {
		t.Errorf("got %q", got)
	}
}

func TestProblemPrefersTheWordsOfTheField(t *testing.T) {
	for _, c := range []struct {
		lang    Lang
		field   string
		problem store.Problem
		want    string
	}{
		{English, "nickname", store.Taken, "This nickname is taken. Choose another one."},
		{Korean, "nickname", store.TooShort, "닉네임은 2자 이상이어야 해요."},
		{English, "to", store.TooLong, "This is too long."},
		{Korean, "to", "unheard_of", "쓸 수 없는 값이에요."},
	} {
		if got := c.lang.Problem(c.field, c.problem); got != c.want {
			t.Errorf("%s %s %s: %q, want %q", c.lang, c.field, c.problem, got, c.want)
		}
	}
}

func TestCountKnowsOneFromMany(t *testing.T) {
	for n, want := range map[int64][2]string{
		0:         {"0 views", "조회 0"},
		1:         {"1 view", "조회 1"},
		2:         {"2 views", "조회 2"},
		999:       {"999 views", "조회 999"},
		1000:      {"1,000 views", "조회 1,000"},
		123456789: {"123,456,789 views", "조회 123,456,789"},
		-1234:     {"-1,234 views", "조회 -1,234"},
	} {
		got := [2]string{English.Count("count.views", n), Korean.Count("count.views", n)}
		if got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if one, two := English.Count("count.comments", 1), English.Count("count.comments", 2); one != "1 comment" || two != "2 comments" {
		t.Errorf("%q, %q", one, two)
	}
}
