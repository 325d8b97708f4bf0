package validation

import (
	"fmt"
	"math"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Labelled is an item on which people, or the makers of a dataset, have said what is right.
type Labelled struct {
	ID     string
	Sides  []metrics.Sample // one answer, or the two that were compared
	Label  float64          // the more the better: what people said of the answer, or of the second against the first
	Binary int              // 1: good, 0: bad, −1: neither; for AUROC and accuracy

	Premise, Hypothesis, Verdict string // of pairs of sentences instead of Sides
}

// LabelledSet is a dataset with labels and how the judge is measured on it.
type LabelledSet struct {
	Name   string
	Kind   string // "attribution", "answer_pairs", "ratings", "preference" or "entailment"
	Metric string // that is compared with the labels: "trust" or "correctness"; "" for entailment
	Items  []Labelled
}

// DatasetScore is how far a judge agrees with the labels of a dataset.
type DatasetScore struct {
	Name        string            `json:"name"`
	Kind        string            `json:"kind"`
	Metric      string            `json:"metric"`
	N           int               `json:"n"`
	Lost        int               `json:"lost,omitempty"`
	AUROC       *float64          `json:"auroc"`       // null: it does not apply
	Accuracy    *float64          `json:"accuracy"`    // see docs/judge.md for each kind
	Correlation *float64          `json:"correlation"` // Spearman
	Pearson     *float64          `json:"pearson,omitempty"`
	Asked       string            `json:"asked"`
	Published   map[string]string `json:"published,omitempty"`
	Light       Light             `json:"light"`
}

// String names the figures.
func (d DatasetScore) String() string {
	parts := []string{d.Name}
	for _, f := range []struct {
		name  string
		value *float64
	}{{"AUROC", d.AUROC}, {"accuracy", d.Accuracy}, {"correlation", d.Correlation}} {
		if f.value != nil {
			parts = append(parts, fmt.Sprintf("%s %.3f", f.name, *f.value))
		}
	}
	return strings.Join(parts, ", ")
}

// ragcheckerPublished are the figures of RAGChecker's own checker and of a second annotator on all 280 pairs (science.md 0).
var ragcheckerPublished = map[string]string{
	"ragchecker_sign": "0.766", "ragchecker_pearson": "0.672", "ragchecker_spearman": "0.661", "human_human_sign": "0.886",
	"human_human_pearson": "0.70",
}

// LabelledJudgements are what measuring on a set asks; pairs of sentences are asked by their verdicts instead.
func LabelledJudgements(set LabelledSet) []Judgement {
	var out []Judgement
	for _, item := range set.Items {
		for i, side := range item.Sides {
			out = append(out, Judgement{labelledID(set, item, i), side, []string{set.Metric}, 0})
		}
	}
	return out
}

func labelledID(set LabelledSet, item Labelled, side int) string {
	return fmt.Sprintf("J3/%s/%s/%d", set.Name, item.ID, side)
}

// verdictLevels order the relations of two sentences.
var verdictLevels = map[string]float64{"contradiction": 0, "contradicted": 0, "neutral": 1, "neither": 1, "entailment": 2, "supported": 2}

// Agreement measures a judge on a labelled set. verdicts are what it said of pairs of sentences, by item id.
func Agreement(set LabelledSet, judged Judged, verdicts map[string]string) DatasetScore {
	d := DatasetScore{Name: set.Name, Kind: set.Kind, Metric: set.Metric, Light: Unmeasured, Asked: askedOf[set.Kind]}
	var labels, scores []float64
	var good []bool
	var ranked, right []float64
	for _, item := range set.Items {
		score, ok := set.score(item, judged, verdicts)
		if !ok {
			d.Lost++
			continue
		}
		d.N++
		labels, scores = append(labels, item.Label), append(scores, score)
		if item.Binary >= 0 {
			good, ranked = append(good, item.Binary == 1), append(ranked, score)
		}
		if v, ok := set.rightness(item, score); ok {
			right = append(right, v)
		}
	}
	if set.Kind == "answer_pairs" { // the two answers of a pair also stand each for itself
		good, ranked = set.sides(judged)
	}
	if v, err := stats.AUROC(good, ranked); err == nil {
		d.AUROC = number(v)
	}
	d.Accuracy = number(average(right))
	if set.Kind == "answer_pairs" {
		labels, scores = nil, ranked
		for _, g := range good {
			labels = append(labels, map[bool]float64{true: 1}[g])
		}
	}
	if len(labels) > 2 {
		d.Correlation, d.Pearson = number(stats.Spearman(scores, labels)), number(stats.Pearson(scores, labels))
	}
	if set.Kind == "preference" {
		d.Published = ragcheckerPublished
	}
	d.Light = d.light()
	return d
}

var askedOf = map[string]string{
	"attribution":  "trust 5 means attributable to the context",
	"answer_pairs": "trust ranks the right answer above the hallucinated one (accuracy: ties half)",
	"ratings":      "trust against people's mean faithfulness (good: above 3)",
	"preference":   "the difference in correctness has the sign of people's preference (accuracy: ties half, people's ties left out)",
	"entailment":   "supported, contradicted or neither (accuracy: three-way)",
}

// score is what the judge said of an item: a level, a difference of two, or a relation.
func (s LabelledSet) score(item Labelled, judged Judged, verdicts map[string]string) (float64, bool) {
	if s.Kind == "entailment" {
		v, ok := verdicts[item.ID]
		return verdictLevels[v], ok
	}
	first, ok := judged.of(labelledID(s, item, 0), 0, s.Metric)
	if !ok || len(item.Sides) == 1 {
		return first, ok
	}
	second, ok := judged.of(labelledID(s, item, 1), 0, s.Metric)
	return second - first, ok
}

// rightness is how right the judge is about one item: 1, 0, or half for a tie; false where people are undecided.
func (s LabelledSet) rightness(item Labelled, score float64) (float64, bool) {
	is := func(yes bool) (float64, bool) { return map[bool]float64{true: 1}[yes], true }
	switch s.Kind {
	case "attribution":
		if item.Binary < 0 {
			return 0, false
		}
		return is((score >= 5) == (item.Binary == 1))
	case "ratings":
		return is((score >= 4) == (item.Binary == 1))
	case "entailment":
		return is(score == verdictLevels[item.Verdict])
	}
	if item.Label == 0 {
		return 0, false
	}
	return wins(math.Copysign(1, item.Label)*score, 0), true
}

// sides are the answers of pairs one by one: the second of each is the right one.
func (s LabelledSet) sides(judged Judged) (good []bool, scores []float64) {
	for _, item := range s.Items {
		for i := range item.Sides {
			if v, ok := judged.of(labelledID(s, item, i), 0, s.Metric); ok {
				good, scores = append(good, i == 1), append(scores, v)
			}
		}
	}
	return good, scores
}

// light is green from an AUROC of 0.80 on, which is also the goal for the sign of preferences, and red below 0.65.
func (d DatasetScore) light() Light {
	figure := d.AUROC
	if d.Kind == "preference" {
		figure = d.Accuracy
	}
	if figure == nil || d.N == 0 {
		return Unmeasured
	}
	return aim{goal: .80, floor: .65}.check("", *figure, d.N).Light
}

// number is nil for what is not one.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
