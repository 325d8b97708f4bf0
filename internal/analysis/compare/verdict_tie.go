package compare

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// AnswerFacts are what the judge read out of an answer beyond its grades. They rest on stored replies; nothing is asked for them.
type AnswerFacts struct {
	Refused      *bool `json:"refused,omitempty"` // says that the documents do not hold the answer, and gives none; nil: not asked
	Key          int   `json:"key"`               // claims of the right answer without which an answer is incomplete
	Covered      int   `json:"covered"`           // of these, the ones that the answer holds
	Supported    int   `json:"supported"`         // claims of the answer that the right answer holds, key ones or not
	Contradicted int   `json:"contradicted"`      // claims of the answer that the right answer rules out
	Matched      bool  `json:"matched"`           // the claims of both were set against each other

	Told metrics.Told `json:"-"` // what the reason of the grade says of the answer
}

// With adds what the reason of the grade says.
func (f AnswerFacts) With(reason string) AnswerFacts {
	f.Told = metrics.ReasonTold(reason)
	return f
}

// holds reports whether a claim of the right answer was found in an answer, or one of the answer in it.
func (f AnswerFacts) holds() bool { return f.Covered > 0 || f.Supported > 0 }

// partly reports whether the reason of the grade finds more of the right answer in an answer than the judge takes for nothing.
func (f AnswerFacts) partly() bool { return f.Told.Known && !f.Told.Nothing() }

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
// scale. An answer is better that holds more key facts, and one that contradicts less; where these two disagree nothing is said. A
// refusal and an answer are set against each other by what the answer holds.
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
	return breakByRefusal(before, after)
}

// breakByRefusal sets a refusal against a wrong answer. Whoever holds a fact of the right answer holds more than a refusal, whatever else
// is said. Something that holds none in place of an honest refusal is worse. A refusal in place of it is progress only where what went
// spoke against the right answer: giving up is nothing gained.
func breakByRefusal(before, after AnswerFacts) (Movement, TieBreak) {
	if !decides(before, after) {
		return Level, ""
	}
	switch {
	case *before.Refused && after.holds():
		return Rose, ByKeyFacts
	case *before.Refused:
		return Fell, ByRefusal
	case before.holds():
		return Fell, ByKeyFacts
	case before.Contradicted > 0:
		return Rose, ByRefusal
	}
	return Level, ""
}

// SettleByKind is the verdict where something else than the movement of the first metric may have decided. What was graded higher is not
// called worse because it is no refusal, and for nothing else.
func SettleByKind(first, decided Movement, by TieBreak, guard Movement, at Crossing) Label {
	if first != Rose || decided != Fell || by != ByRefusal {
		return Settle(decided, guard, at)
	}
	if l := Settle(Rose, guard, at); l != Better {
		return l
	}
	return NoChange
}

// decides reports whether one of two answers refuses, and it is known what the other holds.
func decides(before, after AnswerFacts) bool {
	return before.Matched && after.Matched && before.Refused != nil && after.Refused != nil && *before.Refused != *after.Refused
}

// BetweenRefusalAndWrong decides by facts what became of a question that is refused on one side and wrong on the other, whatever its
// grades: a judge that gives an irrelevant answer a point more than a refusal has not seen it become better. ok is false for every other
// pair of kinds, where the facts are not known, and where the answer that is no refusal lost or won its grade by what was found in it.
func BetweenRefusalAndWrong(kinds [2]AnswerKind, facts [2]*AnswerFacts, graded Movement) (m Movement, by TieBreak, ok bool) {
	if kinds != [2]AnswerKind{KindRefused, KindWrong} && kinds != [2]AnswerKind{KindWrong, KindRefused} || facts[0] == nil ||
		facts[1] == nil {
		return Level, "", false
	}
	m, by = breakByRefusal(*facts[0], *facts[1])
	if graded == Rose && m == Fell && facts[1].partly() || graded == Fell && m != Fell && facts[0].partly() {
		return Level, "", false
	}
	return m, by, decides(*facts[0], *facts[1])
}
