package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// What is said of questions that a later dataset changed.
const (
	changedEN = "{n} {n?question has|questions have} another text or another right answer in the candidate's dataset and " +
		"{n?was|were} not compared: {which}"
	changedJA = "候補のデータセットで質問文または正解が変わった{n}問は、比較していません：{which}"
)

// Dropped are questions that the baseline was asked and that are compared nowhere, because the candidate's dataset is a later one.
type Dropped struct {
	Removed  []string // the candidate's dataset has them no more
	Changed  []string // it asks something else by that name, or has another right answer
	Critical []string // those of both that are critical in either dataset
}

// dropped are those of two runs. What a run over a part of its dataset leaves out is [Unasked], and not dropped.
func dropped(c Comparison, baseline, candidate experiments.Evaluation) Dropped {
	d := Dropped{Changed: slices.Concat(c.Reworded, c.ReferenceChanged)}
	if len(candidate.Run.Setup.Questions) == 0 {
		d.Removed = c.Removed
	}
	critical := map[string]bool{}
	for _, e := range []experiments.Evaluation{baseline, candidate} {
		for i := range e.Questions {
			critical[e.Questions[i].ID] = critical[e.Questions[i].ID] || e.Questions[i].Critical
		}
	}
	for _, id := range slices.Concat(d.Removed, d.Changed) {
		if critical[id] {
			d.Critical = append(d.Critical, id)
		}
	}
	return d
}

// droppedCheck names the questions that a later dataset dropped or changed. It keeps a check from passing where critical ones are among
// them: whether these got worse is not known, and leaving a question out must not be how it stops failing.
func droppedCheck(d Dropped) []GateCheck {
	all := slices.Concat(d.Removed, d.Changed)
	if len(all) == 0 {
		return nil
	}
	c := GateCheck{Name: "dropped", Decision: stats.Pass, N: len(all), Dropped: all, Critical: d.Critical}
	if n := len(d.Removed); n > 0 {
		c.says("gate.dropped", "n", n, "which", listOf(d.Removed))
	}
	if n := len(d.Changed); n > 0 {
		code := "gate.dropped_changed"
		if c.Message != "" {
			code += "_more"
		}
		c.says(code, "n", n, "which", listOf(d.Changed))
	}
	if n := len(d.Critical); n > 0 {
		c.Decision = stats.Inconclusive
		c.says("gate.dropped_critical", "n", n, "which", listOf(d.Critical))
	}
	return []GateCheck{c}
}
