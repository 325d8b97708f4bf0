package findings

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TrendView is a series with what the decisions of the gate in it are worth.
type TrendView struct {
	progress.Trend
	Caution *Text `json:"caution,omitempty" doc:"what the decisions of the release check are worth, where the built-in judge scored one of them"`
}

// ViewTrend adds to a series what is to be said of its gates.
func ViewTrend(t progress.Trend) TrendView {
	view := TrendView{Trend: t}
	for _, p := range t.Points {
		if p.Gate != "" && p.Run != nil && p.Run.Offline {
			view.Caution = new(OfflineGate())
		}
	}
	return view
}

// TrendPlan draws the chosen metrics of a series, its low scores and their causes over the same fires, told by a clock.
func TrendPlan(t progress.Trend, clock *time.Location) *charts.Plan {
	summary := say("trend.runs", "name", t.Experiment, "n", len(t.Points))
	if t.Schedule != "" {
		summary = say("trend.fires", "name", t.Schedule, "n", len(t.Points))
	}
	c := charts.Course{Summary: summary.Words(), Parts: say("plot.cause").Words(),
		Heads: []charts.Words{say("trend.when").Words(), say("trend.state").Words(), say("trend.what").Words()}}
	for i, p := range t.Points {
		at := p.At.In(clock)
		place := charts.Place{Empty: p.Run == nil, Flag: flag(t.Points, i),
			Brief: charts.Words{EN: at.Format("Jan 2, 15:04"), JA: at.Format("1月2日 15:04")}}
		full := charts.Words{EN: at.Format("Mon, Jan 2, 2006, 15:04"), JA: at.Format("2006年1月2日 15:04")}
		state, what := charts.Words{}, charts.Words{}
		if p.Run != nil {
			place.Key = p.Run.RunID
		} else {
			state = stateOf(p).Words()
		}
		if happened := happenings(p); len(happened) > 0 {
			what = listed(happened)
		}
		place.Texts = []charts.Words{full, state, what}
		c.Places = append(c.Places, place)
	}
	for _, id := range t.Chosen {
		c.Strands = append(c.Strands, metricStrand(t, id))
	}
	c.Strands = append(c.Strands, lowStrand(t.Points))
	return causeStrands(c, t.Points).Plan()
}

// breaksMeans are the changes after which the mean of a metric does not measure what it did before.
var breaksMeans = []progress.TrendChange{progress.ChangedDataset, progress.ChangedQuestions, progress.ChangedJudge, progress.ChangedMetrics}

func metricStrand(t progress.Trend, id string) charts.Strand {
	spec, known := t.Spec(id)
	name := Text{EN: cmp.Or(spec.TitleEN, strings.ReplaceAll(id, "_", " ")), JA: cmp.Or(spec.TitleJA, strings.ReplaceAll(id, "_", " "))}
	title := name
	s := charts.Strand{Name: name.Words(), Mark: charts.Line, Nothing: say("trend.none").Words()}
	if spec.Max > spec.Min {
		s.Limits = [2]float64{spec.Min, spec.Max}
		title = say("trend.metric", "name", name, "min", spec.Min, "max", spec.Max)
	}
	if known && spec.LowerIsBetter {
		title = say("trend.down", "title", title)
	}
	s.Title = title.Words()
	for _, p := range t.Points {
		v := charts.Value{Framed: p.IsBaseline,
			Begins: slices.ContainsFunc(p.Changes, func(c progress.TrendChange) bool { return slices.Contains(breaksMeans, c) })}
		if p.Run != nil {
			if m, has := p.Run.Metrics[id]; has {
				v.Known, v.Y = true, m.Mean
				if m.CI95 != nil {
					v.Span = m.CI95[:]
				}
			}
		}
		s.Values = append(s.Values, v)
	}
	return s
}

// lowStrand is the share of low scores.
func lowStrand(points []progress.TrendPoint) charts.Strand {
	s := charts.Strand{Name: say("trend.share").Words(), Beside: say("trend.of").Words(), Mark: charts.Bar, Digits: 1,
		Limits:  [2]float64{0, 100},
		Nothing: say("trend.none").Words()}
	rules := map[experiments.LowRule]bool{}
	title := say("trend.lows")
	for _, p := range points {
		v := charts.Value{}
		if r := p.Run; r != nil {
			rule := r.LowRule()
			switch rules[rule] = true; {
			case len(rules) > 1:
				title = say("trend.lows")
			case rule.Unsaid:
				title = say("trend.unsaid")
			default:
				title = say("trend.low", "line", LowText(rule))
			}
			if r.Scored > 0 {
				v = charts.Value{Known: true, Y: 100 * r.LowShare.Mean, Text: strconv.Itoa(r.Low) + " / " + strconv.Itoa(r.Scored)}
				if ci := r.LowShare.CI95; ci != nil {
					v.Span = []float64{100 * ci[0], 100 * ci[1]}
				}
			}
		}
		s.Values = append(s.Values, v)
	}
	s.Title = title.Words()
	return s
}

// causeStrands adds the causes of low scores: what was tested and what was only observed never stands in one drawing.
func causeStrands(c charts.Course, points []progress.TrendPoint) charts.Course {
	var found []causes.Component
	for _, component := range causes.Components() {
		if slices.ContainsFunc(points, func(p progress.TrendPoint) bool {
			return p.Run != nil && slices.ContainsFunc(p.Run.Causes, func(c progress.TrendCause) bool { return c.Component == component })
		}) {
			found = append(found, component)
			c.Names = append(c.Names, opening(component.Word))
		}
	}
	for _, method := range []causes.CauseMethod{causes.Tested, causes.Observed, causes.PaperWay} {
		by := Text{EN: method.Word("en"), JA: method.Word("ja")}
		s := charts.Strand{Mark: charts.Bar, Title: say("trend.causes", "method", by).Words()}
		some := false
		for _, p := range points {
			v := charts.Value{}
			if p.Run != nil && p.Run.Method == method && len(p.Run.Causes) > 0 {
				v.Known, some, v.Parts = true, true, make([]float64, len(found))
				for _, cause := range p.Run.Causes {
					v.Parts[slices.Index(found, cause.Component)] = float64(cause.N)
					v.Y += float64(cause.N)
				}
			}
			s.Values = append(s.Values, v)
		}
		if some {
			c.Strands = append(c.Strands, s)
		}
	}
	return c
}

// happenings are what happened at a fire and explains a jump, or is one; what breaks the series first.
func happenings(p progress.TrendPoint) []Text {
	var out []Text
	if p.Drift != "" {
		out = append(out, say("trend.drift"))
	}
	for _, c := range p.Changes {
		out = append(out, say("trend."+string(c)))
	}
	if p.NewBaseline {
		out = append(out, say("trend.baseline"))
	}
	return out
}

func listed(list []Text) charts.Words {
	return charts.Words{EN: strings.Join(Texts(list, "en"), " · "), JA: strings.Join(Texts(list, "ja"), " · ")}
}

// stateOf says why a fire has no figures.
func stateOf(p progress.TrendPoint) Text {
	if code := "trend.state_" + string(p.State); Word("en", code) != code {
		return say(code)
	}
	return say("trend.state_none")
}

// flag is what is written above a fire: what happened, or why there are no figures where such fires begin.
func flag(points []progress.TrendPoint, at int) charts.Words {
	p := points[at]
	switch happened := happenings(p); {
	case len(happened) > 2:
		return say("trend.changes", "n", len(happened)).Words()
	case len(happened) > 0:
		return listed(happened)
	}
	same := func(q progress.TrendPoint) bool { return q.Run == nil && q.State == p.State }
	if p.Run != nil || at > 0 && same(points[at-1]) {
		return charts.Words{}
	}
	n := 0
	for n < len(points)-at && same(points[at+n]) {
		n++
	}
	if n > 1 {
		return say("trend.several", "what", stateOf(p), "n", n).Words()
	}
	return stateOf(p).Words()
}
