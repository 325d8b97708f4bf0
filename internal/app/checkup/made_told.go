package checkup

import (
	"context"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// tellStrange tells of results that do not follow from the setups of their runs. A score that its own verdicts do not give is a finding.
// What stands under another key is one where the run says that this version of the offline provider worked for it, or where it is rightly
// that of another run or question; else a version of the program that asked in other words may have made it, which is only noted.
func tellStrange(ctx context.Context, p Place, runs []experiments.Run, odd map[string][]strange) (r Report, err error) {
	var elsewhere map[string]bool
	for _, run := range runs {
		some := odd[run.ID]
		if len(some) == 0 {
			continue
		}
		var t telling
		for _, s := range some {
			t.add(s)
		}
		certain := run.Setup.OfflineVersion != "" // else the run was passed over
		if !certain && t.answers.n+t.cells.n > 0 {
			if elsewhere == nil {
				if elsewhere, err = rightlyElsewhere(ctx, p, runs, odd); err != nil {
					return r, err
				}
			}
			certain = t.in(elsewhere)
		}
		t.tell(&r, "run "+run.ID, certain)
	}
	return r, ctx.Err()
}

// counted are equal faults of one run.
type counted struct {
	n     int
	first string
	keys  []string
}

func (c *counted) add(where, key string) {
	if c.n++; c.n == 1 {
		c.first = where
	}
	c.keys = append(c.keys, key)
}

// telling is what is told of one run.
type telling struct{ answers, cells, values, unasked, hidden counted }

func (t *telling) add(s strange) {
	if s.answer != "" {
		t.answers.add(s.question, s.answer)
	}
	for _, c := range s.cells {
		t.cells.add(s.question+" "+c.Metric, restsOn(c.Stages))
	}
	for _, c := range s.values {
		t.values.add(s.question+" "+c.Metric, "")
	}
	for _, part := range s.unasked {
		t.unasked.add(s.question+" "+part, "")
	}
	for _, part := range s.hidden {
		t.hidden.add(s.question+" "+part, "")
	}
}

// restsOn is what a score was computed from, as one key.
func restsOn(stages []string) string { return strings.Join(stages, " ") }

func (t *telling) in(keys map[string]bool) bool {
	for _, key := range append(t.answers.keys, t.cells.keys...) {
		if keys[key] {
			return true
		}
	}
	return false
}

func (t *telling) tell(r *Report, run string, certain bool) {
	add := func(to *[]doctor.Finding, c counted, format string) {
		if c.n > 0 {
			*to = append(*to, doctor.Finding{Invariant: "made", Subject: run, Message: fmt.Sprintf(format, c.n, c.first)})
		}
	}
	finding := func(c counted, format string) { add(&r.Findings, c, format) }
	finding(t.values,
		"%d of its scores do not follow from its answers and the stored verdicts, the first is that of question %s")
	finding(t.unasked,
		"%d of its answers and scores rest on replies of a model that costs money, and no call stands behind them, "+
			"the first is that of question %s")
	add(&r.Notes, t.hidden,
		"%d of its answers and scores ended in an error, and its own replies give them, the first is that of question %s")
	if certain {
		finding(t.answers,
			"%d of its answers were made with something else than its setup, the first is that to question %s")
		finding(t.cells,
			"%d of its scores were computed from something else than its questions, answers and setup, the first is that of question %s")
		return
	}
	if n := t.answers.n + t.cells.n; n > 0 {
		first := t.answers.first
		if t.answers.n == 0 {
			first = t.cells.first
		}
		r.Notes = append(r.Notes, doctor.Finding{Invariant: "made", Subject: run, Message: fmt.Sprintf(
			"this version keeps %d of its answers and scores under other keys, the first is that of question %s: another version may have asked in "+
				"other words; whether they follow from the stored replies is what `workbench verify` of a study with it says", n, first)})
	}
}

// rightlyElsewhere are the keys of answers and scores that follow from the setup of a run in which they stand.
func rightlyElsewhere(ctx context.Context, p Place, runs []experiments.Run, odd map[string][]strange) (map[string]bool, error) {
	out := map[string]bool{}
	all := &recipes{Place: p}
	for _, run := range runs {
		one, err := all.of(ctx, run)
		if err != nil {
			return nil, err
		}
		results, err := p.Store.Results(ctx, run.ID)
		if err != nil || one == nil || len(one.ways) == 0 {
			continue // nobody looked at it
		}
		wrong := map[string]bool{}
		for _, s := range odd[run.ID] {
			wrong[s.question] = true
		}
		for _, result := range results {
			if result.Answer == nil || wrong[result.QuestionID] {
				continue
			}
			out[result.Answer.GenerationKey] = true
			for _, s := range result.Scores {
				if one.judged && len(s.Stages) > 0 {
					out[restsOn(s.Stages)] = true
				}
			}
		}
	}
	return out, ctx.Err()
}
