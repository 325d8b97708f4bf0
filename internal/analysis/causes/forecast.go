package causes

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// Prospect is what can be seen of a low-score answer before any call, and decides how many calls its diagnosis takes.
type Prospect struct {
	Labelled bool // the dataset names the evidence, and it stands in the documents
	Held     bool // the contexts seem to hold what is needed
	Lacking  bool // the documents seem to lack it
	Refuses  bool // the answer says that the documents do not say: equal refusals are judged once
}

// Calls that a diagnosis takes by what can be seen before, measured on whole systems with faults (`go run ./bench/causes -worlds`), with
// four trials of a system at temperature 0, and with each more that one that varies takes.
const (
	callsRefused  = 9.5  // evidence labelled, contexts hold it, the answer refuses
	callsWrong    = 15.5 // the same, the answer says something else
	callsStarved  = 10.5 // evidence labelled, contexts lack it
	callsToSearch = 11.0 // more where the evidence has to be found, and the contexts lack it
	callsToTry    = 2.5  // more where it need not be found, since the contexts hold it
	callsLacking  = 31.0 // the documents lack it
	callsVarying  = 4.5  // more for each trial of a system that varies
)

// What is left of these where the judge gives the same verdict on the same answer: no second vote is bought, and equal answers are judged
// once. The calls that are left are the dear ones. Measured on five systems with faults in one database each, where 567 calls were made.
const (
	SettledCalls = 0.35
	SettledPrice = 0.5
)

// Expected is how many calls the diagnosis of an answer with this prospect takes on average. greedy says that the system gives the same
// answer to the same request.
func (r CauseRules) Expected(p Prospect, greedy bool) float64 {
	r = r.filled()
	calls := callsWrong
	switch {
	case p.Lacking:
		calls = callsLacking
	case !p.Held && p.Labelled:
		calls = callsStarved
	case !p.Held:
		calls = callsStarved + callsToSearch
	case p.Refuses:
		calls = callsRefused
	}
	if p.Held && !p.Labelled && !p.Lacking {
		calls += callsToTry
	}
	if !greedy {
		calls += callsVarying * float64(r.Trials)
	}
	return calls
}

// Shares of the words of question and reference from which contexts seem to hold what is needed, and up to which the documents seem
// to lack it.
const (
	seemsHeld    = 0.80
	seemsLacking = 0.6
)

// ProspectOf looks at an answer without a call: at its labels, and else at the words of question and reference. near finds the windows
// that share most words with a text; nil where no documents can be searched.
func ProspectOf(
	ctx context.Context, lab Lab, rules CauseRules, c LabCase, near func(context.Context, string) ([]Window, error),
) (Prospect, error) {
	answer, _ := c.Answer()
	says, only := metrics.Refusal(answer)
	p := Prospect{Refuses: says || only}
	x := &diagnosing{lab: lab, c: c, rules: rules.filled(), config: lab.Config(), powers: lab.Can()}
	lost, labelled := x.searching().labels()
	if labelled && lost == nil && len(x.passages) == 0 {
		p.Labelled, p.Held = true, covered(x.claims, c.Hits(), true)
		return p, nil
	}
	words := CauseTopic(c.Question.Text + " " + c.Question.Reference)
	var contexts, found strings.Builder
	for _, h := range c.Hits() {
		contexts.WriteString(h.Text + "\n")
	}
	p.Held = heldShare(words, contexts.String()) >= seemsHeld
	if p.Held || near == nil {
		return p, nil
	}
	windows, err := near(ctx, c.Question.Text+" "+c.Question.Reference)
	for _, w := range windows {
		found.WriteString(w.Text + "\n")
	}
	p.Lacking = lost != nil || heldShare(words, found.String()) <= seemsLacking
	return p, err
}

// heldShare is the share of words that a text holds.
func heldShare(words map[string]bool, text string) float64 {
	held, n := CauseTopic(text), 0
	for w := range words {
		n += counted(held[w])
	}
	return float64(n) / float64(max(1, len(words)))
}
