package metrics

import (
	"strconv"

	"github.com/rag-workbench/workbench/internal/text"
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

var (
	coversReason = text.Lazy(`^(?:covers (\d+)% of the reference|正解の(\d+)%を含む|nothing of the reference was found in it|` +
		`正解に当たる記述が見つからない)(; conflicts with it: |。正解と矛盾する記述：)?`)
	oppositeReason = text.Lazy(`^(?:says the opposite of the reference|正解と逆の回答である)$`)
	noYesReason    = text.Lazy(`^(?:does not answer yes or no|「はい」か「いいえ」かを答えていない)$`)
)

// ReasonTold reads a reason of the offline judge for a grade of correctness. Of every other reason nothing is known.
func ReasonTold(reason string) Told {
	if m := coversReason.FindStringSubmatch(reason); m != nil {
		percent, _ := strconv.Atoi(m[1] + m[2]) // neither is nothing
		return Told{Known: true, Share: float64(percent) / 100, Conflict: m[3] != ""}
	}
	return Told{Known: oppositeReason.MatchString(reason) || noYesReason.MatchString(reason), Conflict: oppositeReason.MatchString(reason)}
}
