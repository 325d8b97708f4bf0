package findings

import (
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// Effects draws what each value of each parameter does to a metric, whose specification is of a run's suite; nil where the parameters
// cannot be told apart. name is a value of a parameter as people read it.
func Effects(e compare.SweepEffects, spec metrics.Spec, name func(param, value string) string) *charts.Plan {
	if len(e.Levels) == 0 {
		return nil
	}
	title := Text{EN: spec.TitleEN, JA: spec.TitleJA}
	if e.Metric == compare.GoodAnswers {
		title = say("effects.good")
	}
	d := charts.Differences{Name: say("effects.value").Words(), Value: say("effects.mean").Words(), Diff: say("effects.diff").Words(),
		Title: say("effects.title").Words(),
		Kinds: [2]charts.Words{say("effects.clear").Words(), say("effects.unclear").Words()}}
	most, least := 0, 0
	for i, l := range e.Levels {
		part := charts.Difference{Name: charts.Words{EN: name(l.Param, l.Value)}, Value: l.Mean, Diff: l.Effect}
		if l.CI95 != nil {
			part.Span = l.CI95[:]
		}
		if l.Mean > e.Levels[most].Mean {
			most = i
		}
		if l.Mean < e.Levels[least].Mean {
			least = i
		}
		d.Parts = append(d.Parts, part)
	}
	d.Summary = say("effects.summary", "metric", title, "most", e.Levels[most].Mean, "at", d.Parts[most].Name.EN,
		"least", e.Levels[least].Mean, "of", d.Parts[least].Name.EN).Words()
	return d.Plan()
}
