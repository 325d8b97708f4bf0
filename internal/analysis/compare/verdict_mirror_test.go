package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/rag"
)

// oneSided are the rules that are no mirror of themselves, with their reasons; of everything else a rise is treated as the fall that it
// would be read backwards.
var oneSided = []struct {
	why     string
	applies func(v, back QuestionVerdict, settled bool) bool
}{
	{"a wrong answer in place of an honest refusal is worse, and a refusal in place of a wrong answer is progress only where what went " +
		"spoke against the right answer: giving up is nothing gained",
		func(v, back QuestionVerdict, _ bool) bool {
			between := v.Kinds == [2]AnswerKind{KindRefused, KindWrong} || v.Kinds == [2]AnswerKind{KindWrong, KindRefused}
			return between || v.ByTie == ByRefusal || back.ByTie == ByRefusal
		}},
	{"the guard learns which qualities there are from the baseline, which is known before anything is changed, so that near its lines one " +
		"reading may be sure where the other still asks for a check; never of opposite things",
		func(v, back QuestionVerdict, settled bool) bool {
			return !settled && (v.Verdict == NeedsCheck) != (back.Verdict == NeedsCheck)
		}},
}

var mirrored = map[Label]Label{Worse: Better, Better: Worse, Mixed: Mixed, NeedsCheck: NeedsCheck, NoChange: NoChange}

// mirrorRun is a run of n questions with up to four votes on each, and answers of a few texts, some of which refuse. The higher lift is,
// the more of its grades are good: of two such runs the guard learns that most movements go one way.
func mirrorRun(t *testing.T, r *rand.Rand, id string, n int, lift float64) experiments.Evaluation {
	t.Helper()
	rows := evaltest.Table{}
	grade := func() float64 {
		if r.Float64() < lift {
			return float64(4 + r.IntN(2))
		}
		return float64(1 + r.IntN(5))
	}
	for i := range n {
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": grade(), "trust": grade()}
	}
	e := evaltest.Evaluation(t, id, rows)
	e.Run.Setup.Corpus = experiments.Ref{Name: "c", Version: 1, Digest: "corpus"}
	for i := range n {
		e.Results[i].Answer = &rag.Answer{Generation: rag.Generation{Text: mirrorTexts[r.IntN(len(mirrorTexts))]}}
		for k := range r.IntN(5) {
			again := e.Results[i]
			again.Replicate, again.Scores = k+1, append(again.Scores[:0:0], again.Scores...)
			for at := range again.Scores {
				if s := &again.Scores[at]; s.Value > 0 && r.IntN(3) == 0 {
					s.Value = min(5, max(1, s.Value+float64(r.IntN(3)-1)))
				}
			}
			e.Results = append(e.Results, again)
		}
	}
	return e
}

var mirrorTexts = []string{"The fare is lost.", "Half of it comes back.", "The documents do not say.", "Bring the ticket to a counter."}

// TestVerdictsAreMirrored: who reads two runs in the other order reads the mirrored verdicts.
func TestVerdictsAreMirrored(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	facts := factsBy(map[string]AnswerFacts{
		mirrorTexts[0]: {Refused: &no, Key: 2, Covered: 1, Matched: true},
		mirrorTexts[1]: {Refused: &no, Key: 2, Contradicted: 1, Matched: true},
		mirrorTexts[2]: {Refused: &yes, Key: 2, Matched: true},
		mirrorTexts[3]: {Refused: &no, Key: 2, Matched: true},
	})
	seen, left, single, asked := map[Label]int{}, [2]int{}, 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 47))
		lift := [2]float64{0, []float64{0, .5, .9}[seed%3]}
		before, after := mirrorRun(t, r, "b", 40, lift[0]), mirrorRun(t, r, "c", 40, lift[1])
		settled := seed%4 == 0
		before.Run.Setup.Settled, after.Run.Setup.Settled = settled, settled
		o := Options{}
		if seed%2 == 0 {
			o.Facts = facts
		}
		if seed%3 > 0 { // a judge that prefers one text to another, whichever it reads first
			o.Preferences = prefersLater
			asked++
		}
		there, back := verdictsOf(t, before, after, o), verdictsOf(t, after, before, o)
		for i := range before.Questions {
			id := before.Questions[i].ID
			v, w := there[id], back[id]
			seen[v.Verdict]++
			if !v.Identical && (few(before, id) || few(after, id)) { // no votes of its own decide it, whatever the others did
				moved := !settled && v.ByTie == "" && w.ByTie == "" && max(v.First.Gain, -v.First.Gain) >= .25
				if moved && v.First.Movement != Level && w.First.Movement != Level {
					single++
				}
				if moved && (v.Verdict != NeedsCheck || w.Verdict != NeedsCheck) || !settled && v.First.SettledBy != "" {
					t.Errorf("seed %d, %s has too few votes and is %s (%+v), read backwards %s", seed, id, v.Verdict, v.First, w.Verdict)
				}
			}
			if v.Verdict == w.Verdict && (v.Verdict == Worse || v.Verdict == Better) {
				t.Errorf("seed %d, %s is %s (by %q), and so it is read backwards (by %q)", seed, id, v.Verdict, v.ByTie, w.ByTie)
			}
			if rule := oneSidedBy(v, w, settled); rule >= 0 {
				left[rule]++
				continue
			}
			if w.Verdict != mirrored[v.Verdict] {
				t.Errorf("seed %d, %s: %s (%+v, guard %+v), read backwards %s (%+v, guard %+v)", seed, id, v.Verdict, v.First, v.Guard,
					w.Verdict, w.First, w.Guard)
			}
		}
	}
	for word := range mirrored {
		if seen[word] == 0 {
			t.Errorf("no pair is %s", word)
		}
	}
	if asked == 0 {
		t.Error("no run has a judge that compares both answers")
	}
	if single == 0 {
		t.Error("no pair moved that has too few votes")
	}
	t.Log("by one-sided rules:", left, "of", seen)
	for rule, n := range left {
		if n == 0 {
			t.Errorf("no pair is decided by the rule: %s", oneSided[rule].why)
		}
	}
}

// prefersLater is a judge that compares two answers of [mirrorTexts], and prefers the later one of the list.
func prefersLater(_ experiments.Question, before, after *experiments.Result) (Movement, bool) {
	b, a := slices.Index(mirrorTexts, before.Answer.Text), slices.Index(mirrorTexts, after.Answer.Text)
	return []Movement{Fell, Level, Rose}[1+max(-1, min(1, a-b))], true
}

// oneSidedBy is the place of the rule for which a pair need not be mirrored, below 0 where there is none.
func oneSidedBy(v, back QuestionVerdict, settled bool) int {
	for i, rule := range oneSided {
		if rule.applies(v, back, settled) {
			return i
		}
	}
	return -1
}

// few reports whether a question has fewer votes than decide it.
func few(e experiments.Evaluation, id string) bool {
	n := 0
	for i := range e.Results {
		if e.Results[i].QuestionID == id {
			n++
		}
	}
	return n < enoughVotes
}

// verdictsOf are the verdicts on every question, those without change too.
func verdictsOf(t *testing.T, before, after experiments.Evaluation, o Options) map[string]QuestionVerdict {
	t.Helper()
	s, err := open(before, after, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range s.specs {
		s.compareMetric(spec)
	}
	out := map[string]QuestionVerdict{}
	for i := range s.pairs {
		v, _ := s.verdictOn(i)
		out[v.QuestionID] = v
	}
	return out
}
