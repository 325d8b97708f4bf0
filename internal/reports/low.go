package reports

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// lowColumn is a column of scores whose low ones are marked.
type lowColumn struct {
	at   int // from 0
	line experiments.LowLine
}

// lowLine is what a report calls low, for headings and notes.
func (f *content) lowLine() string { return f.each(f.rule.Short) }

// lowHeading names the number of low-score answers with what is low; where nobody said that of imported scores, it says so.
func (f *content) lowHeading() string {
	if f.undefined() {
		return f.words.Say("figure.low_undefined")
	}
	return f.words.Say("figure.low_at", "line", f.lowLine())
}

// undefined reports whether all scores are those of other tools and nobody said what is low in them.
func (f *content) undefined() bool { return f.rule.Unsaid }

// lowExample is how people say what is low by the metric that decides first; the score is theirs to name.
func (f *content) lowExample() string {
	if len(f.found.Figures) == 0 {
		return "≤ …"
	}
	figure, than := f.found.Figures[0], "≤"
	if figure.LowerIsBetter {
		than = "≥"
	}
	_, name, _ := strings.Cut(figure.Metric, ".")
	return name + " " + than + " …"
}

// lowMetrics are those whose scores stand beside a low-score answer: correctness and trust, or what the run calls low.
func (f *content) lowMetrics() []string { return f.rule.Metrics() }

// lowLineOf is the line of a metric by which answers can be low.
func (f *content) lowLineOf(metric string) (experiments.LowLine, bool) {
	for _, line := range f.rule.Lines {
		if line.Metric == metric && metric != "" {
			return line, true
		}
	}
	return experiments.LowLine{}, false
}

// lowest is how low an answer is, for the order of lists: its lowest score as a share of the scale, 1 being best.
func (f *content) lowest(r *experiments.Result) float64 {
	least := 1.0
	for _, line := range f.rule.Lines {
		v, scored := r.Value(line.Metric)
		i := slices.IndexFunc(f.specs, func(s metrics.Spec) bool { return s.ID == line.Metric })
		if !scored || i < 0 || f.specs[i].Max <= f.specs[i].Min {
			continue
		}
		share := (v - f.specs[i].Min) / (f.specs[i].Max - f.specs[i].Min)
		if line.Above {
			share = 1 - share
		}
		least = min(least, share)
	}
	return least
}

// lowBy names the scores by which an answer of a run with a rule of its own is low.
func (f *content) lowBy(r *experiments.Result) string {
	var out []string
	for _, line := range f.rule.Said() {
		if v, ok := r.Value(line.Metric); ok && f.rule.By(line.Metric, v) {
			out = append(out, f.title(line.Metric))
		}
	}
	return f.causeText().list(out)
}
