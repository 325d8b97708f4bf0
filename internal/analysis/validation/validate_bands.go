package validation

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Condition is what an item's contexts hold of its answer.
type Condition string

// The conditions of J1. The first four are those of the paper's Table 1; half and contradicting are graded between.
const (
	IdealContext         Condition = "ideal"
	RedundantContext     Condition = "redundant"
	MissingContext       Condition = "missing"
	UnrelatedContext     Condition = "unrelated"
	HalfContext          Condition = "half"
	ContradictingContext Condition = "contradicting"
)

// Conditions lists them in the order of display.
func Conditions() []Condition {
	return []Condition{IdealContext, RedundantContext, MissingContext, UnrelatedContext, HalfContext, ContradictingContext}
}

// band is the trust that a condition calls for.
var band = map[Condition][]float64{
	IdealContext: {4, 5}, RedundantContext: {4, 5}, MissingContext: {1, 2}, UnrelatedContext: {1, 2}, HalfContext: {2, 4},
	ContradictingContext: {1, 2},
}

// paper is Table 1 of the founding paper: how many of 50 items got trust 5, 4, 3, 2, 1 (framework.md).
var paper = map[Condition][5]int{
	IdealContext: {30, 20, 0, 0, 0}, RedundantContext: {30, 20, 0, 0, 0}, MissingContext: {2, 4, 10, 9, 25},
	UnrelatedContext: {0, 0, 0, 0, 50},
}

// ConditionRow is one row of Table 1, ours beside the paper's.
type ConditionRow struct {
	Condition Condition `json:"condition"`
	Levels    []int     `json:"levels"` // items whose mean trust rounds to 5, 4, 3, 2, 1
	N         int       `json:"n"`
	InBand    int       `json:"in_band"` // items whose mean trust over the replicates, rounded, lies in Band
	Band      []float64 `json:"band"`
	Low       float64   `json:"low"` // Wilson 95%
	High      float64   `json:"high"`
	Paper     *PaperRow `json:"paper,omitempty"`
}

// PaperRow is the paper's row of the same condition.
type PaperRow struct {
	Levels []int   `json:"levels"`
	InBand int     `json:"in_band"`
	N      int     `json:"n"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Deletion is what is needed to take an item's facts out of its ideal context.
type Deletion struct {
	Sentences []string // of the ideal context
	Entails   [][]bool // by key claim and sentence: some vote says that the sentence entails or contradicts the claim
}

// SentencesOf cuts a context into the units that a deletion removes.
func SentencesOf(context string) []string { return sentencesOf(context) }

// Without is the context without every sentence on which some of the first n key claims rest, and how many were removed.
func (d Deletion) Without(n int) (string, int) {
	var kept []string
	for k, sentence := range d.Sentences {
		if !slices.ContainsFunc(d.Entails[:min(n, len(d.Entails))], func(row []bool) bool { return row[k] }) {
			kept = append(kept, sentence)
		}
	}
	return strings.Join(kept, "\n"), len(d.Sentences) - len(kept)
}

// Contradicting is the context with every sentence on which a key claim rests changed so that it says otherwise.
func (d Deletion) Contradicting(lang string) (string, bool) {
	out, changed := slices.Clone(d.Sentences), false
	for k, sentence := range out {
		if !slices.ContainsFunc(d.Entails, func(row []bool) bool { return row[k] }) {
			continue
		}
		other, ok := contradict(sentence, lang)
		if !ok {
			return "", false // what still supports the answer must not stay
		}
		out[k], changed = other, true
	}
	return strings.Join(out, "\n"), changed
}

// BandItem is an item with its contexts by condition; conditions that could not be built are absent.
type BandItem struct {
	Item     JudgeItem
	Contexts map[Condition]string
	Why      map[Condition]string // why a condition is absent

	Wrong        string // the answer to another question; "" when there is no other
	OtherForeign string // the unrelated context in the other language
}

// Assemble puts together the contexts of items. built and why are those of the conditions that needed the judge: missing, half
// and contradicting. Unrelated is the ideal context of an item of the same language half a list away, and the wrong answer that
// of one a third of a list away, because neighbours often stand on the same page.
func Assemble(items []JudgeItem, built, why []map[Condition]string) []BandItem {
	same := map[string][]int{}
	for i, item := range items {
		same[item.Lang] = append(same[item.Lang], i)
	}
	out := make([]BandItem, len(items))
	for i, item := range items {
		b := BandItem{Item: item, Contexts: map[Condition]string{IdealContext: item.Ideal}, Why: map[Condition]string{}}
		if item.Redundant != "" {
			b.Contexts[RedundantContext] = item.Redundant
		}
		list := same[item.Lang]
		at := slices.Index(list, i)
		if n := len(list); n > 1 {
			other, third := items[list[(at+n/2)%n]], items[list[(at+max(1, n/3))%n]]
			if other.Ideal != item.Ideal {
				b.Contexts[UnrelatedContext] = other.Ideal
			}
			b.Wrong, b.OtherForeign = third.Answer, other.Foreign
		}
		if i < len(built) {
			maps.Copy(b.Contexts, built[i])
			maps.Copy(b.Why, why[i])
		}
		out[i] = b
	}
	return out
}

func bandID(item JudgeItem, c Condition) string { return "J1/" + item.ID + "/" + string(c) }

// sampleOf is an answer over one or more contexts.
func sampleOf(item JudgeItem, answer string, contexts ...string) metrics.Sample {
	s := metrics.Sample{QuestionID: item.ID, Question: item.Question, Lang: item.Lang, Reference: item.Answer, Answerable: true,
		Answer: answer}
	for _, c := range contexts {
		s.Contexts = append(s.Contexts, rag.Hit{Text: c})
	}
	return s
}

// BandJudgements are what J1 asks: the trust of the same answer over every context, replicates times.
func BandJudgements(items []BandItem, replicates int) []Judgement {
	var out []Judgement
	for _, b := range items {
		for _, c := range Conditions() {
			context, ok := b.Contexts[c]
			if !ok {
				continue
			}
			for r := range replicates {
				out = append(out, Judgement{bandID(b.Item, c), sampleOf(b.Item, b.Item.Answer, context), []string{"trust"}, r})
			}
		}
	}
	return out
}

// Bands is J1: how often the mean trust of an item lies where its context says it must, and how well trust separates
// sufficient (ideal, redundant) from insufficient contexts (missing, unrelated).
func Bands(items []BandItem, replicates int, judged Judged) Protocol {
	p := newProtocol("J1", len(items))
	trust := map[Condition]map[string]float64{}
	for _, c := range Conditions() {
		row := ConditionRow{Condition: c, Levels: make([]int, 5), Band: band[c], Paper: paperRow(c)}
		trust[c] = map[string]float64{}
		for _, b := range items {
			if _, ok := b.Contexts[c]; !ok {
				p.lose(string(c) + ": " + orElse(b.Why[c], "no such context"))
				continue
			}
			v, ok := judged.mean(bandID(b.Item, c), replicates, "trust")
			if !ok {
				p.lose(string(c) + ": not scored")
				continue
			}
			trust[c][b.Item.ID] = v
			level := math.Floor(v + 0.5)
			row.N++
			row.Levels[5-int(level)]++
			if level >= row.Band[0] && level <= row.Band[1] {
				row.InBand++
			}
		}
		row.Low, row.High = wilson(row.InBand, row.N)
		p.Conditions = append(p.Conditions, row)
		if _, ok := aims[string(c)]; ok {
			check := share(string(c), row.InBand, row.N)
			if check.Light == Green && row.N*5 < len(items)*4 {
				check.Light = Amber // more than a fifth of the items is lost: what is left may be the easy ones
			}
			p.add(check)
		} else if row.N > 0 {
			p.note(string(c), float64(row.InBand)/float64(row.N), row.N)
		}
	}
	p.separate(items, trust)
	return p
}

// separate adds the AUROC of sufficient against insufficient contexts and the share of pairs of one item in the right order.
func (p *Protocol) separate(items []BandItem, trust map[Condition]map[string]float64) {
	var enough []bool
	var scores, ordered []float64
	good, bad := []Condition{IdealContext, RedundantContext}, []Condition{MissingContext, UnrelatedContext}
	for _, b := range items {
		for _, c := range append(slices.Clone(good), bad...) {
			if v, ok := trust[c][b.Item.ID]; ok {
				enough, scores = append(enough, slices.Contains(good, c)), append(scores, v)
			}
		}
		for _, g := range good {
			for _, w := range bad {
				better, one := trust[g][b.Item.ID]
				worse, other := trust[w][b.Item.ID]
				if one && other {
					ordered = append(ordered, wins(better, worse))
				}
			}
		}
	}
	auroc, err := stats.AUROC(enough, scores)
	if err != nil {
		auroc = math.NaN()
	}
	p.add(figure("auroc", auroc, len(scores)), figure("order", average(ordered), len(ordered)))
}

// wins is 1 where the better of two scores higher, half where they tie.
func wins(better, worse float64) float64 {
	switch {
	case better > worse:
		return 1
	case better == worse:
		return 0.5
	}
	return 0
}

func average(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return stats.Mean(values)
}

func paperRow(c Condition) *PaperRow {
	levels, ok := paper[c]
	if !ok {
		return nil
	}
	row := &PaperRow{Levels: levels[:]}
	for i, n := range levels {
		row.N += n
		if level := float64(5 - i); level >= band[c][0] && level <= band[c][1] {
			row.InBand += n
		}
	}
	row.Low, row.High = wilson(row.InBand, row.N)
	return row
}

func wilson(x, n int) (low, high float64) {
	interval, err := stats.Wilson(x, n, 0.95)
	if err != nil {
		return 0, 1 // nothing is known of no trial
	}
	return interval.Low, interval.High
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
