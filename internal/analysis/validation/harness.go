package validation

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// CauseHarness puts known faults into a synthetic system and asks the decision procedure for the cause of every answer (science.md
// 3.5): corpus, chunks and search are real, generator and judge are scripted. The zero value of a field means its default.
type CauseHarness struct {
	Noise      []float64 // shares of judge calls that err; default 0, .05, .10
	Batches    int       // corpora for each condition; default 10
	Items      int       // answers of each; default 50, as in the founding paper
	Seed       uint64    // equal seeds give equal figures
	Conditions []string  // names; default all of [CauseConditions] that the text allows
	Lasting    float64   // share of the judge's errors that every vote repeats, in [0, 1]; 0 as in the design: votes err independently
	Rules      causes.CauseRules
	Parallel   int                // answers that are looked into at the same time; default one for each processor. It changes no figure
	Hear       func(CauseFinding) // hears of every diagnosis, in order; may be nil

	Material *CauseMaterial // real text instead of the synthetic corpus
	Judge    *CauseJudge    // a real judge instead of the scripted one; with Material only

	// hide the labelled evidence from a real judge, which then has to find it; the scripted one never sees labels of real text
	Unlabelled bool
}

// CauseFinding is one diagnosis of a [CauseHarness] with what is true of the answer.
type CauseFinding struct {
	Condition string
	Expected  string
	Noise     float64
	Case      causes.LabCase
	Diagnosis causes.Diagnosis
	Calls     int  // of models, as the harness counted them; with a real judge as the diagnosis says
	Wrong     bool // the answer is wrong in truth
	Right     bool // the expected component was named first
}

// CauseJudge opens systems whose verdicts a real judge gives. The harness replaces [causes.Lab.Generate] by its scripted generator.
type CauseJudge struct {
	Name     string  // provider/model
	LowScore float64 // correctness or trust at or below it is low
	// Score judges an answer as its run would have: correctness and trust at least.
	Score func(ctx context.Context, corpus *rag.Corpus, q experiments.Question, a rag.Answer) ([]metrics.Score, error)
	Open  func(ctx context.Context, w CauseWorld) (lab causes.Lab, done func(), err error)
	// Paper is the founding paper's method with this judge; nil leaves the control arm out.
	Paper func(ctx context.Context, c causes.LabCase) (causes.Diagnosis, error)
}

// CauseWorld is one system with a fault, and the answers that it gave.
type CauseWorld struct {
	Corpus  *rag.Corpus
	Config  rag.Config
	Answers []causes.LabCase
}

// CauseConditions are the names of the faults that a [CauseHarness] makes, in the order of its rows.
func CauseConditions() []string { return namesOf(syntheticConditions()) }

func namesOf(conditions []harnessCondition) []string {
	names := make([]string, len(conditions))
	for i, c := range conditions {
		names[i] = c.name
	}
	return names
}

// CauseRow is one row of the confusion tables: what was found of the answers of a system with one known fault.
type CauseRow struct {
	Condition      string                   `json:"condition"`
	N              int                      `json:"n"`        // answers
	Expected       string                   `json:"expected"` // the component with the fault; two are joined by +
	DataLevel      map[causes.DataCause]int `json:"data_level"`
	ComponentLevel map[causes.Component]int `json:"component_level"`
	Calls          float64                  `json:"calls_per_question"` // of models, asked by the procedure

	Material    string      `json:"material"`      // "synthetic", or the dataset
	Judge       string      `json:"judge"`         // "scripted", or provider/model
	Noise       float64     `json:"noise"`         // share of the scripted judge's calls that err
	Lasting     float64     `json:"lasting"`       // share of these errors that every vote repeats
	Right       int         `json:"right"`         // named the expected component first
	DataRight   int         `json:"data_right"`    // named the expected data-level cause
	ReallyWrong CauseTally  `json:"really_wrong"`  // the answers that are wrong in truth: a weak model is sometimes right
	Both        int         `json:"both_found"`    // of a double fault: both were named, first or as a further one
	LowCalls    float64     `json:"calls_per_low"` // calls_per_question among the really wrong
	Repairs     RepairTally `json:"repairs"`       // of parameters, named for really wrong answers
	// the founding paper's method on the same answers with the same judge; nil where it was not asked
	Control *ControlTally `json:"paper,omitempty"`
}

// CauseTally counts causes of some of a row's answers.
type CauseTally struct {
	N              int                      `json:"n"`
	Right          int                      `json:"right"`
	DataRight      int                      `json:"data_right"`
	Both           int                      `json:"both_found"`
	DataLevel      map[causes.DataCause]int `json:"data_level"`
	ComponentLevel map[causes.Component]int `json:"component_level"`
}

// RepairTally counts named repairs that were applied to the system. Restored ones made most fresh answers right.
type RepairTally struct {
	Named    int `json:"named"`
	Restored int `json:"restored"`
}

// ControlTally is what the control arm found, by one call for each answer.
type ControlTally struct {
	DataLevel      map[causes.DataCause]int `json:"data_level"`
	ComponentLevel map[causes.Component]int `json:"component_level"`
	Right          int                      `json:"right"`
	DataRight      int                      `json:"data_right"`
	WrongRight     int                      `json:"really_wrong_right"` // named the expected component of really wrong answers

	guessed map[causes.Component]guesses // by what the stand-in saw where it could only guess; settled at the end
}

// guesses counts answers whose contexts lack what they need, all and really wrong ones.
type guesses struct{ n, wrong int }

func newCauseRow(condition string, expected []causes.Component) CauseRow {
	names := make([]string, len(expected))
	for i, e := range expected {
		names[i] = string(e)
	}
	return CauseRow{
		Condition: condition, Expected: strings.Join(names, "+"), DataLevel: map[causes.DataCause]int{},
		ComponentLevel: map[causes.Component]int{},
		ReallyWrong:    CauseTally{DataLevel: map[causes.DataCause]int{}, ComponentLevel: map[causes.Component]int{}},
	}
}

// count adds one diagnosis. calls are those that the lab was asked for.
func (r *CauseRow) count(d causes.Diagnosis, expected []causes.Component, wrong bool, calls int) {
	right, data := d.Component == expected[0], d.Data == expected[0].Data()
	found := 0
	for _, e := range expected {
		if d.Component == e || slices.Contains(d.Further, e) {
			found++
		}
	}
	complete := len(expected) > 1 && found == len(expected)
	r.Calls = (r.Calls*float64(r.N) + float64(calls)) / float64(r.N+1)
	r.N++
	r.DataLevel[d.Data]++
	r.ComponentLevel[d.Component]++
	r.Right, r.DataRight, r.Both = r.Right+counted(right), r.DataRight+counted(data), r.Both+counted(complete)
	if !wrong {
		return
	}
	w := &r.ReallyWrong
	r.LowCalls = (r.LowCalls*float64(w.N) + float64(calls)) / float64(w.N+1)
	w.N++
	w.DataLevel[d.Data]++
	w.ComponentLevel[d.Component]++
	w.Right, w.DataRight, w.Both = w.Right+counted(right), w.DataRight+counted(data), w.Both+counted(complete)
}

func (t *ControlTally) count(found causes.Component, expected []causes.Component, wrong bool) {
	if found == causes.MissingRelated || found == causes.MissingForeign {
		if t.guessed == nil {
			t.guessed = map[causes.Component]guesses{}
		}
		g := t.guessed[found]
		t.guessed[found] = guesses{g.n + 1, g.wrong + counted(wrong)}
		t.DataLevel[causes.RetrievalData]++
		t.DataRight += counted(expected[0].Data() == causes.RetrievalData)
		return
	}
	t.DataLevel[found.Data()]++
	t.ComponentLevel[found]++
	t.Right, t.DataRight = t.Right+counted(found == expected[0]), t.DataRight+counted(found.Data() == expected[0].Data())
	t.WrongRight += counted(wrong && found == expected[0])
}

func counted(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (h CauseHarness) filled() (CauseHarness, []harnessCondition, error) {
	if len(h.Noise) == 0 {
		h.Noise = []float64{0, .05, .10}
	}
	if h.Judge != nil {
		h.Noise = []float64{0} // it errs by itself
	}
	if h.Batches == 0 {
		h.Batches = 10
	}
	if h.Items == 0 {
		h.Items = 50
	}
	if h.Parallel == 0 {
		h.Parallel = runtime.GOMAXPROCS(0)
	}
	for _, f := range h.Noise {
		if !(f >= 0 && f < .5) {
			return h, nil, problem.New(problem.Invalid, "harness_noise", "a judge that errs in %g of its calls makes no sense", f).
				WithHint("shares from 0 to below 0.5")
		}
	}
	if h.Batches < 1 || h.Items < 1 || h.Items > 100 {
		return h, nil, problem.New(problem.Invalid, "harness_size", "%d batches of %d answers make no sense", h.Batches, h.Items).
			WithHint("at least one batch of 1 to 100 answers")
	}
	if !(h.Lasting >= 0 && h.Lasting <= 1) {
		return h, nil, problem.New(problem.Invalid, "harness_noise", "%g of the errors cannot be repeated", h.Lasting).
			WithHint("a share from 0 to 1")
	}
	h.Rules.Embedders = harnessEmbedders
	h.Rules.Reference = &rag.Model{Provider: ScriptedProvider, Name: "reference"}
	all := syntheticConditions()
	if h.Material != nil {
		all = h.Material.conditions()
	}
	if len(h.Conditions) == 0 {
		return h, all, nil
	}
	var chosen []harnessCondition
	for _, name := range h.Conditions {
		i := slices.IndexFunc(all, func(c harnessCondition) bool { return c.name == name })
		if i < 0 {
			return h, nil, problem.New(problem.Invalid, "condition_unknown", "there is no condition %q", name).
				WithHint("conditions: %s", strings.Join(namesOf(all), ", "))
		}
		chosen = append(chosen, all[i])
	}
	return h, chosen, nil
}
