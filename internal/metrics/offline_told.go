package metrics

import (
	"slices"
	"strconv"
	"strings"
)

// Told is what the offline judge's reason for a grade of correctness says of an answer, read back out of its own words.
type Told struct {
	Known    bool    // the reason says how much of the right answer it found, or which way the answer is wrong
	Share    float64 // of the right answer that the answer covers
	Conflict bool    // the answer says what contradicts the right answer
}

// Nothing reports whether so little of the right answer was found that the judge cannot tell it from nothing: it prefers no answer to
// another for less.
func (t Told) Nothing() bool { return t.Known && t.Share < preferredBy }

// what the offline judge says of how much it found, in its languages.
var (
	coversReason = []struct{ begin, end string }{{"covers ", "% of the reference"}, {"正解の", "%を含む"}}
	foundNothing = []string{"nothing of the reference was found in it", "正解に当たる記述が見つからない"}
	withConflict = []string{"; conflicts with it: ", "。正解と矛盾する記述："}
)

// ReasonTold reads a reason of the offline judge for a grade of correctness. Of every other reason nothing is known.
func ReasonTold(reason string) Told {
	switch reason {
	case "says the opposite of the reference", "正解と逆の回答である":
		return Told{Known: true, Conflict: true}
	case "does not answer yes or no", "「はい」か「いいえ」かを答えていない":
		return Told{Known: true}
	}
	percent, rest, ok := toldShare(reason)
	if !ok {
		return Told{}
	}
	conflicts := slices.ContainsFunc(withConflict, func(begin string) bool { return strings.HasPrefix(rest, begin) })
	return Told{Known: true, Share: float64(percent) / 100, Conflict: conflicts}
}

// toldShare reads how many percent a reason says that it found, and what it says further.
func toldShare(reason string) (percent int, rest string, ok bool) {
	for _, c := range coversReason {
		after, begins := strings.CutPrefix(reason, c.begin)
		if !begins {
			continue
		}
		digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
		if rest, ok := strings.CutPrefix(after[digits:], c.end); ok && digits > 0 {
			percent, _ = strconv.Atoi(after[:digits])
			return percent, rest, true
		}
	}
	for _, c := range foundNothing {
		if rest, ok := strings.CutPrefix(reason, c); ok {
			return 0, rest, true
		}
	}
	return 0, "", false
}
