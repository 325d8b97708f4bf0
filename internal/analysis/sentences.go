package analysis

import (
	"math"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// Sentences say the result in three plain sentences with at most three numbers each, in English and Japanese.
type Sentences struct {
	EN []string `json:"en"`
	JA []string `json:"ja"`
}

// In returns the sentences in a language: "ja", or else English.
func (s Sentences) In(lang string) []string {
	if lang == "ja" {
		return s.JA
	}
	return s.EN
}

// tally counts questions by their worst label over some metrics.
type tally struct{ worse, check, better, critical int }

func (c *Comparison) tally(counts func(metric string) bool) tally {
	worst, critical := map[string]Label{}, map[string]bool{}
	for i := range c.Questions {
		q := &c.Questions[i]
		if !counts(q.Metric) {
			continue
		}
		if known, ok := worst[q.QuestionID]; !ok || labelOrder[q.Label] < labelOrder[known] {
			worst[q.QuestionID] = q.Label
		}
		critical[q.QuestionID] = q.Critical
	}
	var t tally
	for id, label := range worst {
		switch label {
		case Worse:
			t.worse++
			if critical[id] {
				t.critical++
			}
		case NeedsCheck:
			t.check++
		case Better:
			t.better++
		case NoChange:
		}
	}
	return t
}

// sentences says what happened to the questions, what happened to the mean, and how far to believe it. They speak of the gate
// metrics, because the others decide nothing.
func (c *Comparison) sentences(specs []metrics.Spec) Sentences {
	gate := map[string]bool{}
	for _, id := range c.Method.Gates {
		gate[id] = true
	}
	t := c.tally(func(metric string) bool { return gate[metric] })
	notes := []Note{c.aboutQuestions(t), c.aboutMean(specs, gate), c.aboutTrust(t, gate)}
	var s Sentences
	for _, n := range notes {
		s.EN, s.JA = append(s.EN, n.Text("en")), append(s.JA, n.Text("ja"))
	}
	return s
}

func (c *Comparison) aboutQuestions(t tally) Note {
	critical := ""
	if t.critical > 0 {
		critical = "_critical"
	}
	switch {
	case t.check > 0:
		return newNote("say.changes"+critical, "matched", c.Matched, "worse", t.worse, "check", t.check)
	case t.worse > 0:
		return newNote("say.both"+critical, "matched", c.Matched, "worse", t.worse, "better", t.better)
	case t.better > 0:
		return newNote("say.better", "matched", c.Matched, "better", t.better)
	}
	return newNote("say.calm", "matched", c.Matched)
}

// aboutMean speaks of the gate metric that moved most clearly.
func (c *Comparison) aboutMean(specs []metrics.Spec, gate map[string]bool) Note {
	var chosen metrics.Spec
	clearest := math.Inf(1)
	for _, s := range specs {
		m, ok := c.Metrics[s.ID]
		if !ok || !gate[s.ID] {
			continue
		}
		p := 2.0 // no interval: less clear than anything
		if m.P != nil {
			p = *m.P
		}
		if p < clearest {
			chosen, clearest = s, p
		}
	}
	m, ok := c.Metrics[chosen.ID]
	if !ok {
		return newNote("say.no_gate")
	}
	title := newNote("title", "en", title(chosen, "en"), "ja", title(chosen, "ja"))
	low, high := 0.0, 0.0
	if m.CI95 != nil {
		low, high = m.CI95[0], m.CI95[1]
	}
	args := []any{"metric", title, "before", trimmed(m.Baseline, 2), "after", trimmed(m.Candidate, 2)}
	switch {
	case m.CI95 == nil:
		return newNote("say.few", args...)
	case low > 0 && !chosen.LowerIsBetter || high < 0 && chosen.LowerIsBetter:
		return newNote("say.up", args...)
	case low > 0 || high < 0:
		return newNote("say.down", args...)
	case m.Visible == nil:
		return newNote("say.same", args...)
	}
	return newNote("say.flat", append(args, "visible", trimmed(*m.Visible, 2))...)
}

func title(s metrics.Spec, lang string) string {
	if t := s.Title(lang); t != "" {
		return t
	}
	return strings.ReplaceAll(s.ID, "_", " ")
}

// aboutTrust says what settles the labels, and what is left open.
func (c *Comparison) aboutTrust(t tally, gate map[string]bool) Note {
	wrong, missed, guarded := 0.0, 0.0, false
	for id := range gate {
		if g := c.Metrics[id].Guard; g != nil && g.Decided {
			wrong, missed, guarded = wrong+g.ExpectedFalse, missed+g.ExpectedMiss, true
		}
	}
	switch {
	case c.Method.Settled:
		return newNote("say.settled")
	case guarded:
		return newNote("say.expected", "wrong", trimmed(wrong, 1), "missed", trimmed(missed, 1))
	case t.check > 0:
		return newNote("say.verify", "check", t.check)
	}
	return newNote("say.unverified")
}
