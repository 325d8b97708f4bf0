package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// why counts what differs at the answers that are worse, mixed or to be checked, or that could not be compared because somebody edited
// the question, and says that it is these.
func why(p *program.Program, c compare.Comparison) {
	counts, all := map[compare.Class]int{}, 0
	var classes []compare.Class
	for _, t := range c.Triage {
		if t.Label == compare.Better {
			continue
		}
		all++
		if counts[t.Class]++; counts[t.Class] == 1 {
			classes = append(classes, t.Class)
		}
	}
	if len(classes) == 0 {
		return
	}
	slices.SortStableFunc(classes, func(a, b compare.Class) int { return cmp.Compare(counts[b], counts[a]) })
	parts := make([]string, len(classes))
	for i, class := range classes {
		parts[i] = fmt.Sprintf("%s %d", class.Word(string(p.Lang())), counts[class])
	}
	p.Say("")
	p.Say("what differs, for the answers that are worse, mixed, to be checked or not compared (%d): %s", all, p.Lang().Parts(parts))
}

// compareQuestion prints what changed for one question.
func compareQuestion(p *program.Program, c compare.Comparison, both [2]experiments.Evaluation, id string) error {
	after, ok := both[1].Result(id)
	if !ok {
		return program.NotThere("question", id, "workbench dataset show "+both[1].Run.Setup.Dataset.String())
	}
	inBaseline := id
	var changes []compare.QuestionChange
	for _, q := range c.Questions {
		if q.QuestionID == id {
			inBaseline = q.InBaseline()
			changes = append(changes, q)
		}
	}
	before, ok := both[0].Result(inBaseline)
	if !ok {
		return program.NotThere("question", inBaseline, "workbench dataset show "+both[0].Run.Setup.Dataset.String())
	}
	contexts, words := compare.ContextDiff{}, []text.Change{}
	if before.Answer != nil && after.Answer != nil {
		contexts = compare.DiffContexts(before.Answer.Hits, after.Answer.Hits)
		words = compare.DiffAnswers(before.Answer.Text, after.Answer.Text)
	}
	if p.Flags.JSON {
		var verdict any // null where there is no change and nothing to say
		if v, ok := c.Verdict(id); ok {
			verdict = v
		}
		return p.PrintJSON(map[string]any{"question_id": id, "verdict": verdict, "changes": changes,
			"why":      printing.TriageOf(c, id, program.English),
			"contexts": contexts, "answer": words})
	}
	for _, q := range both[1].Questions {
		if q.ID == id {
			p.Say("question   %s\nreference  %s", program.Printable(q.Text), program.Printable(q.Reference))
			break
		}
	}
	whatDecided(p, c, both, [2]string{inBaseline, id})
	otherMeasures(p, c, changes)
	if word := printing.TriageOf(c, id, p.Lang()); word != "" {
		p.Say("why        %s", word)
	}
	contextDiff(p, contexts)
	p.Say("answer     %s", program.Printable(inline(words)))
	return nil
}

// whatDecided prints the verdict on a question and, moved or not, every metric that decides.
func whatDecided(p *program.Program, c compare.Comparison, both [2]experiments.Evaluation, ids [2]string) {
	id := ids[1]
	if slices.Contains(c.Undecided, id) {
		p.Say("verdict    none: no metric that decides was scored in both runs")
		return
	}
	v, listed := c.Verdict(id)
	if !listed {
		v = compare.QuestionVerdict{QuestionID: id, Verdict: compare.NoChange}
	}
	p.Say("verdict    %s%s", v.Verdict.Word(string(p.Lang())), printing.Remarked(v, p.Lang()))
	var standing [2]experiments.Result
	var votes [2]int
	for i, e := range both {
		all, counted := experiments.Standing(e.Results)
		votes[i] = counted[ids[i]]
		standing[i] = all[slices.IndexFunc(all, func(r experiments.Result) bool { return r.QuestionID == ids[i] })]
	}
	if said := findings.VotesText(votes[0], votes[1]); said != nil {
		p.Say("scores     %s", said.In(string(p.Lang())))
	}
	for _, metric := range c.DecideBy {
		d := compare.Deciding{Metric: metric, Movement: compare.Level}
		was, had := standing[0].Value(metric)
		is, has := standing[1].Value(metric)
		d.Baseline, d.Candidate = was, is
		switch {
		case listed && v.First.Metric == metric:
			d = v.First
		case listed && v.Guard != nil && v.Guard.Metric == metric:
			d = *v.Guard
		case !had || !has:
			continue
		}
		p.Say("%-12s %s → %s  %s", p.Lang().Metric(metric), program.Number(metric, d.Baseline), program.Number(metric, d.Candidate),
			movement(p, d.Movement))
	}
}

// otherMeasures prints what moved and decides nothing, so that it cannot be taken for the verdict.
func otherMeasures(p *program.Program, c compare.Comparison, changes []compare.QuestionChange) {
	said := false
	for _, q := range changes {
		if slices.Contains(c.DecideBy, q.Metric) {
			continue
		}
		if !said {
			p.Say("other measures, which do not decide:")
			said = true
		}
		p.Say("  %s %s → %s  %s", p.Lang().Metric(q.Metric), program.Number(q.Metric, q.Baseline), program.Number(q.Metric, q.Candidate),
			movement(p, compare.LabelMovement(q.Label)))
	}
}

// movement says which way a metric moved; the five words are for the question.
func movement(p *program.Program, m compare.Movement) string {
	switch m {
	case compare.Fell:
		return p.Lang().Text("for the worse")
	case compare.Rose:
		return p.Lang().Text("for the better")
	case compare.Unsettled:
		return p.Lang().Text("not settled")
	case compare.Level, compare.Absent:
	}
	return p.Lang().Text("as before")
}

// contextDiff prints what was kept, moved, lost and gained, with the rank it had.
func contextDiff(p *program.Program, d compare.ContextDiff) {
	for _, list := range []struct {
		name   string
		pieces []compare.ContextPiece
	}{{"lost", d.Lost}, {"gained", d.Gained}, {"moved", d.Moved}, {"kept", d.Kept}} {
		for _, piece := range list.pieces {
			p.Say("%-10s %s  rank %s → %s", p.Lang().Format(list.name), printing.Runs(p).Place(piece.Span), rank(piece.Before),
				rank(piece.After))
		}
	}
}

func rank(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// inline shows a word diff in one text: [-what went-]{+what came+}.
func inline(changes []text.Change) string {
	var b strings.Builder
	for _, c := range changes {
		switch c.Edit {
		case text.Deleted:
			b.WriteString("[-" + c.Text + "-]")
		case text.Inserted:
			b.WriteString("{+" + c.Text + "+}")
		case text.Equal:
			b.WriteString(c.Text)
		}
	}
	return b.String()
}
