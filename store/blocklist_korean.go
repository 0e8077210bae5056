package store

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// koreanWords are those that Koreans choose for passwords, by the keys they are
// typed with.
const koreanWords = `
	akekd qlalfqjsgh qlqjs votmdnjem dkagh dkssud dkssudgktpdy tkfkd tkfkdgo tkfkdgody tkfkdgkqslek
	gksrnr eogksalsrnr dnflskfk tjdnf qntks rkatkgkqslek rhakqtmqslek godqhr godqhrgkwk cjstk qkqh ajdcjddl clsrn duqh wkrldi
	dnflwlq dnflrkwhr rkwhr djaak dkqk dkrl gksmsla gksksla dptnsla rkddkwl rhdiddl anwlro gksmf qkek cnrrn dirn
	fhrmdls ghldnjsrkdlq rptlvks rhksflwk`

// The keys of the Korean keyboard for what a syllable is made of: how it
// begins, its vowel, how it ends. Shift makes no difference, as folding leaves
// none.
var (
	firstKeys = strings.Fields("r r s e e f a q q t t d w w c z x v g")
	vowelKeys = strings.Fields("k o i o j p u p h hk ho hl y n nj np nl b m ml l")
	lastKeys  = strings.Fields("r r rt s sw sg e f fr fa fq ft fx fv fg a q qt t t d w c z x v g")
)

// The places of these among the conjoining letters of Unicode.
const (
	firstBase = '\u1100'
	vowelBase = '\u1161'
	lastBase  = '\u11a8'
)

// typedKeys is a text as it comes out when the keyboard is left in its English
// mode, "안녕" as "dkssud": in whichever mode it is typed, it is as easy to guess.
func typedKeys(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		switch {
		case r >= firstBase && int(r-firstBase) < len(firstKeys):
			b.WriteString(firstKeys[r-firstBase])
		case r >= vowelBase && int(r-vowelBase) < len(vowelKeys):
			b.WriteString(vowelKeys[r-vowelBase])
		case r >= lastBase && int(r-lastBase) < len(lastKeys):
			b.WriteString(lastKeys[r-lastBase])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
