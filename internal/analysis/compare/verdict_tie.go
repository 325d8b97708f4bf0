package compare

import "github.com/rag-workbench/workbench/internal/experiments"

// AnswerFacts are what the judge read out of an answer beyond its grades. They rest on stored replies; nothing is asked for them.
type AnswerFacts struct {
	Refused      *bool `json:"refused,omitempty"` // says that the documents do not hold the answer, and gives none; nil: not asked
	Key          int   `json:"key"`               // claims of the right answer without which an answer is incomplete
	Covered      int   `json:"covered"`           // of these, the ones that the answer holds
	Contradicted int   `json:"contradicted"`      // claims of the answer that the right answer rules out
	Matched      bool  `json:"matched"`           // the claims of both were set against each other
}

// FactsReader finds the facts of the answer of a result; ok is false where nothing is stored. It must give the same facts for the same
// result every time.
type FactsReader func(arm Arm, r *experiments.Result) (facts AnswerFacts, ok bool)

// TieBreak says what decided where the grades of the first metric tie.
type TieBreak string

// The tie-breaks, in the order in which they are tried.
const (
	ByKeyFacts   TieBreak = "key_facts"   // one answer holds more of what a right answer must say, or contradicts it less
	ByRefusal    TieBreak = "refusal"     // equally wrong, but one of them says that it does not know
	ByBothOrders TieBreak = "both_orders" // the judge compared both answers, and said the same in either order
)

// BreakTie sets two answers of equal grade against each other by their facts: which way the first metric would have moved on a finer
// scale. An answer is better that holds more key facts, and one that contradicts less; where these two disagree nothing is said. Between
// two answers that hold none of the key facts an honest refusal is better than one that contradicts them.
func BreakTie(before, after AnswerFacts) (Movement, TieBreak) {
	if before.Matched && after.Matched && before.Key == after.Key {
		covered, against := after.Covered-before.Covered, after.Contradicted-before.Contradicted
		switch {
		case covered > 0 && against <= 0, covered == 0 && against < 0 && after.Covered > 0:
			return Rose, ByKeyFacts
		case covered < 0 && against >= 0, covered == 0 && against > 0 && before.Covered > 0:
			return Fell, ByKeyFacts
		}
	}
	if before.Refused != nil && after.Refused != nil && *before.Refused != *after.Refused {
		if *before.Refused && after.Covered == 0 {
			return Fell, ByRefusal
		}
		if *after.Refused && before.Covered == 0 {
			return Rose, ByRefusal
		}
	}
	return Level, ""
}
