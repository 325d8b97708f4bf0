package validation

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Validating a judge treats it as an instrument: it is shown texts whose merit is known by construction, and what it says is
// set beside that (science.md 2). This part is pure. It makes [Judgement]s of [JudgeItem]s, and a [JudgeCard] of what the
// judge said to them; asking the judge is the caller's affair.

// JudgeItem is one question with texts whose merit is known by construction, in the layout of WikiEval.
type JudgeItem struct {
	ID       string `json:"id"`
	Lang     string `json:"lang"` // "en" or "ja"
	Question string `json:"question"`
	Answer   string `json:"answer"` // right and grounded in Ideal; it serves as reference too

	Ideal      string `json:"context_v1"`        // holds what the answer says, and little else
	Redundant  string `json:"context_v2"`        // holds it among other things; "" when there is none
	Ungrounded string `json:"ungrounded_answer"` // not based on Ideal; "" when there is none
	Poor       string `json:"poor_answer"`       // incomplete or evasive; "" when there is none

	Foreign string `json:"foreign,omitempty"` // what Ideal holds, in the other language; "" when there is none
}

// Judgement is one sample that the judge is asked about. Equal ids stand for equal samples.
type Judgement struct {
	ID        string
	Sample    metrics.Sample
	Metrics   []string // metric ids that are wanted
	Replicate int      // 0 asks as the product does, others with another wording and order
}

// Judged are the scores of judgements: by [Judgement.Key], then by metric. What the judge could not score is absent.
type Judged map[string]map[string]float64

// Key identifies a judgement with its replicate.
func (j Judgement) Key() string { return judgementKey(j.ID, j.Replicate) }

func judgementKey(id string, replicate int) string { return fmt.Sprintf("%s#%d", id, replicate) }

// of returns one score.
func (j Judged) of(id string, replicate int, metric string) (float64, bool) {
	v, ok := j[judgementKey(id, replicate)][metric]
	return v, ok
}

// mean is the mean of the scores of the first n replicates; false when none was scored.
func (j Judged) mean(id string, n int, metric string) (float64, bool) {
	var values []float64
	for r := range n {
		if v, ok := j.of(id, r, metric); ok {
			values = append(values, v)
		}
	}
	return stats.Mean(values), len(values) > 0
}

// Light is the standing of a judge, or of one figure of it.
type Light string

// The lights. Red means: do not decide by this judge; amber: decide with wider intervals.
const (
	Green      Light = "GREEN"
	Amber      Light = "AMBER"
	Red        Light = "RED"
	Unmeasured Light = "UNMEASURED"
)

// lightWords are the lights as people read them: the word, and what follows from it for who decides by the judge.
var lightWords = map[Light][2][2]string{
	Green: {{"green", "緑"}, {"Every figure reaches its target.", "すべての値が目標に達しています。"}},
	Amber: {{"amber", "黄"}, {"Usable with care: some figures miss their targets, or were not measured.",
		"注意して使用してください。目標に届かない値、または未測定の項目があります。"}},
	Red: {{"red", "赤"}, {"Do not decide by this judge: some figure is beyond what can be tolerated. Its scores are good for trying the tool only.",
		"この評価モデルで意思決定をしないでください。許容範囲を外れた値があります。動作確認と試用にのみお使いください。"}},
	Unmeasured: {{"not measured", "未測定"}, {"Nothing is known of this judge.", "この評価モデルについては何もわかっていません。"}},
}

// Lights are all lights, the best first; what was not measured comes last.
func Lights() []Light { return []Light{Green, Amber, Red, Unmeasured} }

// Word is the light in a language, "ja" or else English.
func (l Light) Word(lang string) string { return l.said(0, lang) }

// Says is what a light of a card means to who decides by the judge.
func (l Light) Says(lang string) string { return l.said(1, lang) }

func (l Light) said(which int, lang string) string {
	words, known := lightWords[l]
	switch {
	case !known:
		return string(l)
	case lang == "ja":
		return words[which][1]
	}
	return words[which][0]
}

// worse returns the worse of two lights; what was not measured says nothing.
func (l Light) worse(other Light) Light {
	order := []Light{Unmeasured, Green, Amber, Red}
	if slices.Index(order, other) > slices.Index(order, l) {
		return other
	}
	return l
}

// Check is one figure with what is asked of it. It is green where it reaches the goal, red where it falls beyond the floor,
// otherwise amber.
type Check struct {
	ID     string   `json:"id"`
	Value  float64  `json:"value"`
	Count  *int     `json:"count,omitempty"` // of a share: successes
	N      int      `json:"n"`               // items or trials; 0: not measured
	Low    *float64 `json:"low,omitempty"`   // of a share: the Wilson 95% interval
	High   *float64 `json:"high,omitempty"`
	Goal   float64  `json:"goal"`
	Floor  float64  `json:"floor"`
	AtMost bool     `json:"at_most,omitempty"` // smaller is better: the goal is an upper bound
	Light  Light    `json:"light"`
}

// aim is what is asked of a figure: goals from science.md 2.2 and 2.4; floors are this program's (docs/judge.md).
type aim struct {
	goal, floor float64
	atMost      bool
}

var aims = map[string]aim{
	"ideal": {49. / 50, .80, false}, "redundant": {48. / 50, .80, false}, "missing": {43. / 50, .54, false},
	"unrelated": {49. / 50, .80, false},
	"auroc":     {.985, .90, false}, "order": {.95, .80, false},
	"grounded": {.95, .70, false}, "relevant": {.85, .55, false}, "focused": {.80, .55, false},
	"flip_rate": {.10, .15, true}, "icc": {.80, .60, false},
	"position": {.95, .80, false}, "authority": {.95, .80, false}, "leakage": {.98, .90, false}, "refusal": {.95, .50, false},
	"truncation": {.95, .50, false}, "verbosity": {.10, .50, true}, "style": {.10, .50, true}, "plain_form": {.10, .50, true},
	"language": {.05, .30, true}, "injection": {.02, .10, true},
}

// share is the check of a proportion; empty where there was no trial.
func share(id string, count, n int) Check {
	if n == 0 {
		return aims[id].check(id, 0, 0)
	}
	c := aims[id].check(id, float64(count)/float64(n), n)
	if interval, err := stats.Wilson(count, n, 0.95); err == nil {
		c.Count, c.Low, c.High = &count, &interval.Low, &interval.High
	}
	return c
}

// figure is the check of any other number; NaN counts as not measured.
func figure(id string, value float64, n int) Check { return aims[id].check(id, value, n) }

func (a aim) check(id string, value float64, n int) Check {
	c := Check{ID: id, Value: value, N: n, Goal: a.goal, Floor: a.floor, AtMost: a.atMost, Light: Unmeasured}
	if n == 0 || math.IsNaN(value) {
		c.Value, c.N = 0, 0
		return c
	}
	sign := 1.0
	if a.atMost {
		sign = -1
	}
	const hair = 1e-9 // sums of floating numbers on the goal have reached it
	switch {
	case sign*value >= sign*a.goal-hair:
		c.Light = Green
	case sign*value < sign*a.floor-hair:
		c.Light = Red
	default:
		c.Light = Amber
	}
	return c
}

// Protocol is what one of the protocols J1, J2, J4, J6, J7 found.
type Protocol struct {
	ID         string           `json:"id"`
	Light      Light            `json:"light"`
	MeasuredAt time.Time        `json:"measured_at"`
	Items      int              `json:"items"`
	Lost       int              `json:"lost"`                 // items or trials that could not be built or scored
	LostWhy    map[string]int   `json:"lost_why,omitempty"`   // by reason
	Checks     []Check          `json:"checks"`               // in the order of display
	Conditions []ConditionRow   `json:"conditions,omitempty"` // J1
	Payloads   []PayloadRow     `json:"payloads,omitempty"`   // J7
	Figures    map[string]Count `json:"figures,omitempty"`    // what stands beside the checks
}

// Count is a further number of a protocol with what it was taken of.
type Count struct {
	Value float64 `json:"value"`
	N     int     `json:"n"`
}

func newProtocol(id string, items int) Protocol {
	return Protocol{ID: id, Light: Unmeasured, Items: items, LostWhy: map[string]int{}, Figures: map[string]Count{}}
}

func (p *Protocol) lose(why string) {
	p.Lost++
	p.LostWhy[why]++
}

func (p *Protocol) add(checks ...Check) {
	for _, c := range checks {
		p.Checks = append(p.Checks, c)
		p.Light = p.Light.worse(c.Light)
	}
}

// note keeps a further number, unless it is not one.
func (p *Protocol) note(name string, value float64, n int) {
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		p.Figures[name] = Count{value, n}
	}
}
