package views

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// RunCharts are the charts of a run. What is chosen in one narrows the others, and not itself, so that other choices stay in sight.
type RunCharts struct {
	Bubbles *charts.Plan `json:"bubbles"` // answers by correctness and trust
	Bars    []RunBars    `json:"bars"`    // causes, categories, themes, groups of tags: those that there are
}

// RunBars are ranked parts of a run. The key of a mark is what the filter takes.
type RunBars struct {
	Filter string       `json:"filter" enum:"cause,category,theme,tag"`
	Plan   *charts.Plan `json:"plan"`
}

// Charts draws a run under the filters of its list of questions; its text is not one of them.
func (v *runViews) Charts(ctx context.Context, name string, q QuestionQuery) (RunCharts, error) {
	run, err := v.find(ctx, name)
	if err != nil {
		return RunCharts{}, err
	}
	l, err := v.evaluation(ctx, run)
	if err != nil {
		return RunCharts{}, err
	}
	return l.charts(q), nil
}

func (l *loaded) charts(q QuestionQuery) RunCharts {
	out := RunCharts{Bars: []RunBars{}, Bubbles: l.squares(q)}
	bars := func(filter string, q QuestionQuery, part func(QuestionRow) charts.Part) {
		if parts := l.parts(q, part); len(parts) > 0 {
			out.Bars = append(out.Bars, RunBars{filter, findings.Ranked(filter, l.classified(q, part), parts)})
		}
	}
	apart := q
	apart.Cause = nil
	bars("cause", apart, func(r QuestionRow) charts.Part {
		part := findings.CausePart(causes.Component(r.Cause), causes.CauseMethod(l.known.method()), 0)
		if d := l.known.diagnoses[r.QuestionID]; d.Standing() == causes.StandsProbable {
			part.Doubted = 1
		}
		return part
	})
	apart = q
	apart.Category = nil
	bars("category", apart, func(r QuestionRow) charts.Part {
		return charts.Part{Key: r.Category, Name: findings.CategoryWords(r.Category)}
	})
	apart = q
	apart.Theme = nil
	bars("theme", apart, func(r QuestionRow) charts.Part {
		if r.ThemeName == nil {
			return charts.Part{Key: r.Theme, Name: charts.Words{EN: r.Theme}}
		}
		return charts.Part{Key: r.Theme, Name: charts.Words{EN: r.ThemeName.EN, JA: r.ThemeName.JA}}
	})
	apart = q
	apart.Tag = nil
	groups := l.tagged(apart)
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		out.Bars = append(out.Bars, RunBars{"tag", findings.Ranked(group, findings.Text{}, groups[group])})
	}
	return out
}

// classified says whose the bars are: of questions that the analysis labelled, or of the tags of the dataset.
func (l *loaded) classified(q QuestionQuery, bar func(QuestionRow) charts.Part) findings.Text {
	tagged, found := false, false
	for _, r := range l.rows {
		if bar(r).Key == "" || !q.fits(r, l.Run.Setup.LowScore) {
			continue
		}
		_, analysed := l.known.labels[r.QuestionID]
		tagged, found = tagged || !analysed, found || analysed
	}
	return findings.ClassifiedBy(tagged, found)
}

// squares are the bubbles of a run under filters, on the scale of all its answers.
func (l *loaded) squares(q QuestionQuery) *charts.Plan {
	threshold := l.Run.Setup.LowScore
	whole := bubblesOf(l.Results, l.Run.Setup)
	s := findings.Squares{Threshold: threshold, Counts: make([][]int, 5)}
	for i, row := range whole.Counts {
		s.Counts[i], s.Most = make([]int, len(row)), max(s.Most, slices.Max(row))
	}
	q.Correctness, q.Trust = nil, nil
	for _, r := range l.rows {
		c, t := stepOf(r, "correctness", threshold), stepOf(r, "trust", threshold)
		if c == 0 || t == 0 || !q.fits(r, threshold) {
			continue
		}
		s.Counts[t-1][c-1]++
		if r.Low {
			s.Low++
		}
	}
	return s.Plan()
}

// parts counts the questions under filters by the key of the bar that they belong to, in the order of the dataset. Those without a key
// are in no bar.
func (l *loaded) parts(q QuestionQuery, bar func(QuestionRow) charts.Part) []charts.Part {
	var out []charts.Part
	at := map[string]int{}
	for _, r := range l.rows {
		part := bar(r)
		k := part.Key
		if k == "" || !q.fits(r, l.Run.Setup.LowScore) {
			continue
		}
		i, known := at[k]
		if !known {
			i = len(out)
			at[k], out = i, append(out, part)
			out[i].Doubted = 0
		}
		out[i].Count++
		out[i].Doubted += part.Doubted
		if r.Low {
			out[i].Marked++
		}
	}
	return out
}

// tagged counts the questions under filters by tags such as "hops:multi", in groups by their first part. Themes and categories have
// charts of their own.
func (l *loaded) tagged(q QuestionQuery) map[string][]charts.Part {
	out, at := map[string][]charts.Part{}, map[string]int{}
	for _, r := range l.rows {
		if !q.fits(r, l.Run.Setup.LowScore) {
			continue
		}
		for _, tag := range r.Tags {
			group, value, has := strings.Cut(tag, ":")
			if !has || group == "theme" || group == "category" {
				continue
			}
			i, known := at[tag]
			if !known {
				i = len(out[group])
				at[tag], out[group] = i, append(out[group], charts.Part{Key: tag, Name: charts.Words{EN: value}})
			}
			out[group][i].Count++
			if r.Low {
				out[group][i].Marked++
			}
		}
	}
	return out
}

// Movement is two runs as bubbles on one scale.
type Movement struct {
	Before *charts.Plan `json:"before"`
	After  *charts.Plan `json:"after"`
}

// Chosen are squares of one side of a movement; without any the charts have all answers.
type Chosen struct {
	Side        string // before or after
	Correctness []int
	Trust       []int
}

// Movement draws both runs of a comparison. Where squares of one side are chosen, the other side has only the answers that went there
// or came from there.
func (v *compareViews) Movement(ctx context.Context, baseline, candidate string, chosen Chosen) (Movement, error) {
	c, err := v.comparison(ctx, baseline, candidate)
	if err != nil {
		return Movement{}, err
	}
	return c.movement(chosen), nil
}

func (c *compared) movement(chosen Chosen) Movement {
	var sides [2]findings.Squares
	most := 0
	for i := range sides {
		b := bubblesOf(c.standing[i], c.both[i].Run.Setup)
		sides[i] = findings.Squares{Counts: b.Counts, Low: b.Low, Threshold: b.LowScore, Flat: true}
		for _, row := range b.Counts {
			most = max(most, slices.Max(row))
		}
	}
	if len(chosen.Correctness)+len(chosen.Trust) > 0 {
		own := 0
		if chosen.Side == "after" {
			own = 1
		}
		sides[1-own] = c.followed(own, chosen)
	}
	sides[0].Most, sides[1].Most = most, most
	return Movement{Before: sides[0].Plan(), After: sides[1].Plan()}
}

// followed counts on the other side the answers of the chosen squares.
func (c *compared) followed(own int, chosen Chosen) findings.Squares {
	out := findings.Squares{Threshold: c.both[1-own].Run.Setup.LowScore, Flat: true, Counts: make([][]int, 5)}
	for i := range out.Counts {
		out.Counts[i] = make([]int, 5)
	}
	for _, r := range c.rows {
		scores, low := [2]map[string]float64{r.Before, r.After}, [2]bool{r.LowBefore, r.LowAfter}
		from := placeOf(scores[own], c.both[own].Run.Setup.LowScore)
		to := placeOf(scores[1-own], out.Threshold)
		if from[0]*from[1]*to[0]*to[1] == 0 || !among(chosen.Correctness, from[0]) || !among(chosen.Trust, from[1]) {
			continue
		}
		out.Counts[to[1]-1][to[0]-1]++
		if low[1-own] {
			out.Low++
		}
	}
	return out
}

// front draws the configurations of a sweep against their cost, and against latency where that is known.
func (view *SweepView) front() error {
	money := len(view.Pareto) > 0
	for _, p := range view.Pareto {
		money = money && p.Micros != nil
	}
	named := map[string]charts.Words{}
	for _, r := range view.Runs {
		named[r.Run.RunID] = charts.Words{EN: differing(r.Run.Params, view.Axes)}
	}
	var cost, latency []findings.FrontPoint
	timed := false
	for _, p := range view.Pareto {
		at := findings.FrontPoint{Key: p.RunID, Name: named[p.RunID], Quality: p.Quality, Standing: p.Standing,
			Baseline: p.RunID == view.Baseline, Cost: p.Tokens}
		if money {
			at.Cost = *p.Micros / 1e6
		}
		cost = append(cost, at)
		at.Cost, timed = p.Latency, timed || p.Latency > 0
		latency = append(latency, at)
	}
	unit := "tokens"
	if money {
		unit = "price"
	}
	var err error
	if view.Charts.Cost, err = findings.Front(cost, unit); err == nil && timed {
		view.Charts.Latency, err = findings.Front(latency, "latency")
	}
	return err
}

// differing are the parameters of a configuration in which a sweep's runs differ, without what all names share.
func differing(params []experiments.Param, axes []experiments.Axis) string {
	differ := map[string]bool{}
	for _, a := range axes {
		differ[a.Name] = len(a.Values) > 1
	}
	var parts []string
	for _, p := range params {
		if len(axes) > 1 && !differ[p.Name] {
			continue
		}
		parts = append(parts, shortParam(p.Name, fmt.Sprint(p.Value)))
	}
	return strings.Join(parts, " · ")
}

// shortParam is a parameter with its value, without what all names share.
func shortParam(name, value string) string {
	short := strings.TrimSuffix(strings.TrimSuffix(name, ".model"), ".mode")
	return strings.TrimPrefix(strings.TrimPrefix(short, "chunk."), "retrieve.") + " " + value
}
