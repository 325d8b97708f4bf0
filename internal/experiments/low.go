package experiments

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// MostLowLines is by how many metrics an answer can be low; either counts.
const MostLowLines = 2

// LowLine is a metric and the score from which an answer is low by it: at or below, or at or above where less is better.
type LowLine struct {
	Metric string  `json:"metric"`
	At     float64 `json:"at"`
	Above  bool    `json:"above,omitempty"` // low is at or above: less is better in the metric
}

// LowRule says which answers of a run are low, and of which that can be told. It is the one definition, whoever asks: correctness or trust
// at or below the agreed threshold, or what a run of imported scores says in its own terms. Equal rules are equal values.
type LowRule struct {
	Lines [MostLowLines]LowLine // either counts; one without a metric counts nothing
	Own   bool                  // the run said it of its own metrics, so no agreed threshold applies
	// all scores are those of other tools, and nobody said what is low in them: it can be told of none
	Unsaid bool
}

// UsualLow is the rule where a run says nothing of its own: correctness or trust at or below the threshold.
func UsualLow(threshold float64) LowRule {
	return LowRule{Lines: [MostLowLines]LowLine{{Metric: "correctness", At: threshold}, {Metric: "trust", At: threshold}}}
}

// LowRule is which answers of a run with this setup are low.
func (s Setup) LowRule() LowRule {
	if len(s.Low) == 0 {
		rule := UsualLow(s.LowScore)
		rule.Unsaid = len(s.Tools()) > 0
		return rule
	}
	rule := LowRule{Own: true}
	copy(rule.Lines[:], s.Low)
	return rule
}

// Agreed is the rule with another threshold, which somebody agreed; what a run says in its own terms, or does not, stays.
func (l LowRule) Agreed(threshold float64) LowRule {
	if l.Own || l.Unsaid || threshold == 0 {
		return l
	}
	return UsualLow(threshold)
}

// Threshold is that of correctness and trust; 0 where the run has a rule of its own.
func (l LowRule) Threshold() float64 {
	if l.Own {
		return 0
	}
	return l.Lines[0].At
}

// Said are the lines of a rule of the run's own, in their order; nil of the usual one.
func (l LowRule) Said() []LowLine {
	if !l.Own {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.Lines[:]), func(line LowLine) bool { return line.Metric == "" })
}

// Metrics are those by which an answer can be low.
func (l LowRule) Metrics() []string {
	var ids []string
	for _, line := range l.Lines {
		if line.Metric != "" {
			ids = append(ids, line.Metric)
		}
	}
	return ids
}

// By reports whether an answer with this score is low by a metric; false for a metric that says nothing of it.
func (l LowRule) By(metric string, score float64) bool {
	for _, line := range l.Lines {
		if line.Metric != metric || metric == "" {
			continue
		}
		slack := 0.0
		if l.Own { // a mean of three votes of tenths is not exact
			slack = 1e-9
		}
		if line.Above {
			return score >= line.At-slack
		}
		return score <= line.At+slack
	}
	return false
}

// Low reports whether some score of the answer is one of a low answer.
func (r Result) Low(rule LowRule) bool {
	for _, line := range rule.Lines {
		if v, ok := r.Value(line.Metric); ok && rule.By(line.Metric, v) {
			return true
		}
	}
	return false
}

// Rated reports whether it can be told whether an answer is low: it has a score by which it can be.
func (r Result) Rated(rule LowRule) bool {
	for _, line := range rule.Lines {
		if _, ok := r.Value(line.Metric); ok {
			return true
		}
	}
	return false
}

// Words say the rule as the middle of a sentence: "correctness or trust of 2 or less", 正確性または信頼性が2以下.
func (l LowRule) Words(lang string) string {
	return l.told(lang, ", or ", map[bool]string{false: " of %s or less", true: " of %s or more"})
}

// Short is [LowRule.Words] for headings and tables: "correctness or trust ≤ 2".
func (l LowRule) Short(lang string) string {
	return l.told(lang, " or ", map[bool]string{false: " ≤ %s", true: " ≥ %s"})
}

func (l LowRule) told(lang, or string, bounds map[bool]string) string {
	if lang == "ja" {
		or, bounds = "、または", map[bool]string{false: "が%s以下", true: "が%s以上"}
	}
	bounded := func(name string, line LowLine) string {
		return name + strings.Replace(bounds[line.Above], "%s", strconv.FormatFloat(line.At, 'g', 6, 64), 1)
	}
	if l.Unsaid {
		return map[bool]string{false: "not said", true: "未指定"}[lang == "ja"]
	}
	if !l.Own {
		name := "correctness or trust"
		if lang == "ja" {
			name = "正確性または信頼性"
		}
		return bounded(name, l.Lines[0])
	}
	var said []string
	for _, line := range l.Said() {
		en, ja, known := metrics.ImportedTitle(line.Metric)
		switch {
		case !known:
			en = line.Metric
		case lang == "ja":
			en = ja
		}
		said = append(said, bounded(en, line))
	}
	return strings.Join(said, or)
}

// OwnLow is what the totals of a run say of low answers where it has a rule of its own.
type OwnLow struct {
	Lines []LowLine `json:"lines"`
	Rated int       `json:"rated"` // answers of which it can be told whether they are low
}
