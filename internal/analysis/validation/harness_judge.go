package validation

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// harnessJudge knows the truth and errs in a given share of its calls, each by itself. The same call asked again errs again,
// another vote errs by itself.
type harnessJudge struct {
	seed    uint64
	flip    float64 // share of calls that err, in [0, 1)
	lasting float64 // share of the errors that every vote repeats
}

// errs reports whether the call that these arguments name errs. The last argument is the vote.
func (j harnessJudge) errs(of ...any) bool {
	return j.repeats(of...) || chance(j.seed, of...) < j.flip*(1-j.lasting)
}

// repeats reports whether every vote on this errs.
func (j harnessJudge) repeats(of ...any) bool {
	return j.lasting > 0 && chance(j.seed, append([]any{"lasting"}, of[:len(of)-1]...)...) < j.flip*j.lasting
}

// pass says whether an answer agrees with the reference.
func (j harnessJudge) pass(item *harnessItem, answer string, vote int) bool {
	return item.agrees(answer) != j.errs("pass", item.question.ID, answer, vote)
}

// clear says whether the question says what is asked.
func (j harnessJudge) clear(item *harnessItem, vote int) bool {
	return item.clear != j.errs("clear", item.question.ID, vote)
}

// harnessWindows is how many windows one call judges: science.md 3.2.
const harnessWindows = 10

// supports judges windows in calls of ten and returns how many calls that were. A call that errs overlooks the windows that decide
// the claim; where there are none, it takes one that speaks of the same thing for one that does.
func (j harnessJudge) supports(item *harnessItem, claim string, windows []causes.Window,
	vote int) (verdicts []causes.WindowVerdict, calls int) {
	truth := item.claimOf(claim)
	for first := 0; first < len(windows); first += harnessWindows {
		batch := windows[first:min(first+harnessWindows, len(windows))]
		calls++
		read := make([]causes.WindowVerdict, len(batch))
		decided := false
		for w, window := range batch {
			read[w] = truth.verdict(window)
			decided = decided || read[w].Verdict != "neutral"
		}
		call := []any{"supports", item.question.ID, claim, batch[0].Span, vote}
		if j.errs(call...) {
			if j.repeats(call...) {
				call = call[:len(call)-1] // the same mistake in every vote
			}
			read = truth.misread(batch, decided, seedOf(j.seed, "mistake", call))
		}
		verdicts = append(verdicts, read...)
	}
	return verdicts, calls
}

// claimOf finds a claim of the reference by its words. Words that are no claim of it are decided nowhere.
func (i *harnessItem) claimOf(words string) harnessClaim {
	for _, c := range i.claims {
		if strings.TrimSpace(c.text) == strings.TrimSpace(words) {
			return c
		}
	}
	return harnessClaim{text: words}
}

// verdict is what an errorless judge says of a window.
func (c harnessClaim) verdict(w causes.Window) causes.WindowVerdict {
	for _, at := range c.at {
		if at.DocID == w.DocID && w.Start <= at.Start && at.End <= w.End {
			verdict := "entail"
			if c.contradicts {
				verdict = "contradict"
			}
			return causes.WindowVerdict{Verdict: verdict, Quote: at}
		}
	}
	return causes.WindowVerdict{Verdict: "neutral"}
}

// misread is what a call says that errs.
func (c harnessClaim) misread(batch []causes.Window, decided bool, seed uint64) []causes.WindowVerdict {
	read := make([]causes.WindowVerdict, len(batch))
	var alike []int
	for w, window := range batch {
		read[w] = causes.WindowVerdict{Verdict: "neutral"}
		if c.subject != "" && strings.Contains(window.Text, c.subject) {
			alike = append(alike, w)
		}
	}
	if decided || len(batch) == 0 {
		return read
	}
	w := int(seed % uint64(len(batch)))
	if len(alike) > 0 {
		w = alike[seed%uint64(len(alike))]
	}
	read[w] = causes.WindowVerdict{Verdict: "entail", Quote: c.mistaken(batch[w])}
	return read
}

// mistaken is the sentence of a window that an erring judge quotes: the first that speaks of the same thing, else the first.
func (c harnessClaim) mistaken(w causes.Window) rag.Span {
	sentences := text.Sentences(w.Text)
	runes := []rune(w.Text)
	chosen := text.Span{End: len(runes)}
	for n, s := range sentences {
		if n == 0 {
			chosen = s
		}
		if c.subject != "" && strings.Contains(string(runes[s.Start:s.End]), c.subject) {
			chosen = s
			break
		}
	}
	return rag.Span{DocID: w.DocID, Start: w.Start + chosen.Start, End: w.Start + chosen.End}
}
