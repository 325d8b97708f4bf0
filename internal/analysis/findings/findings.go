// Package findings says what came of an evaluation, and of its comparison with a baseline: the one source of every sentence,
// count and order that people read, in every channel.
//
// [Of] computes the [Findings] once from stored runs. It is pure: no call, no clock, no database. A channel (a page, a workbook,
// a mail) renders them and composes nothing of its own: it takes its opening from [Findings.Open], which names the channel, and
// [Channels] lists all that there are, so that a test can read each of them back and compare it with the findings.
//
// Where data that a finding needs does not exist, the finding says that it is not known and what to do about it. Nothing is
// invented. Every text stands in catalogue/en.json and catalogue/ja.json under the same key.
package findings

import (
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Input is everything that findings are computed from. What is nil was not done, and the findings say so.
type Input struct {
	Comparison *compare.Comparison     // of candidate against baseline; nil for a run by itself
	Baseline   *experiments.Evaluation // nil with Comparison
	Candidate  experiments.Evaluation
	Pinned     bool // the candidate is the pinned baseline of its dataset; only of a run by itself

	Gate       *compare.GateResult         // of the candidate under the recommended rules
	Causes     *causes.CauseReport         // of the candidate
	Questions  *questions.QuestionReport   // categories and themes of the candidate's questions
	Taxonomies []experiments.Taxonomy      // names of the labels in Questions
	Agreement  *progress.AgreementProgress // of the candidate
	Reviews    *progress.ReviewFigures     // what people say of the candidate's answers
	Card       *validation.JudgeCard       // what was measured of the candidate's judge
	Alignment  *validation.Alignment       // what showing the judge people's verdicts did on kept-back reviews
	Spending   *Spending                   // what answering cost in the candidate's run
	Traffic    int                         // questions that users ask in a month; 0: not stated
	Currency   string                      // of Spending
	Troubles   []experiments.Trouble       // what went wrong with the candidate's calls
	Today      time.Time                   // for what is overdue; zero leaves that out
	Examples   int                         // of the worst and of the best questions that are told in full; 0: two
}

// Spending is what the answers of a run cost, without its judge, in millionths of the currency.
type Spending struct {
	Micros  int64
	Answers int  // that it was spent on
	Known   bool // false where some price is not known
}

// Findings are what came of an evaluation or of a comparison.
type Findings struct {
	Baseline  string `json:"baseline,omitempty"` // run id; "" without one
	Candidate string `json:"candidate"`          // run id
	Offline   bool   `json:"offline"`            // the built-in judge scored it: for trying the tool, not for decisions
	// which part recorded replies have in it; nothing where they did not score it
	Recorded Recorded `json:"recorded,omitzero"`
	Imported bool     `json:"imported,omitempty"` // another tool's scores decide
	// that no score came with answers that were taken over; empty where one did, or none were
	ScoredHere Text `json:"scored_here,omitzero"`
	Retrieval  bool `json:"retrieval_only,omitempty"`

	Changed  []Text    `json:"changed"`  // what differs between the two systems
	Matched  int       `json:"matched"`  // questions asked in both runs
	Verdicts Verdicts  `json:"verdicts"` // of the matched questions
	Order    []Verdict `json:"order"`    // the questions that are not unchanged, in the order of every list
	Low      Low       `json:"low"`
	Figures  []Figure  `json:"figures"` // of the metrics that decide, the first decides first

	Headline  Text   `json:"headline"`
	Sentences []Text `json:"sentences"` // the result for people in a hurry; a significant fall first

	Worst []Example `json:"worst"` // at most two, unless more were asked for
	Best  []Example `json:"best"`  // at most two

	Fails           []Count          `json:"fails"`  // how answers fail, most first
	Causes          Causes           `json:"causes"` // why
	Recommendations []Recommendation `json:"recommendations"`
	Alternatives    Text             `json:"alternatives"` // what several recommendations are to each other, and which may gain nothing
	Themes          []Theme          `json:"themes"`       // most low-score answers first
	Asked           []Theme          `json:"-"`            // themes of all questions, where nobody can tell which answers are low
	Slices          []Slice          `json:"slices"`       // verdicts by theme, category and places needed
	Ties            Text             `json:"ties"`         // how many verdicts looking at both answers decided; empty for none

	Opening   Text        `json:"-"`         // of the release check, above the list of its checks: see [GateOpening]
	Check     Text        `json:"check"`     // what the release check says, with its reason; empty where there is none
	Release   Release     `json:"release"`   // may we release this?
	Enough    Answer      `json:"enough"`    // are the questions enough?
	Month     Answer      `json:"month"`     // what it costs
	Effort    []Text      `json:"effort"`    // what the change does to length and latency
	Sent      []Text      `json:"sent"`      // what leaves the company
	Agreed    Agreed      `json:"agreed"`    // what was agreed, and what is overdue
	Judge     Answer      `json:"judge"`     // whose judge, and how far it was validated
	Corrected []Corrected `json:"corrected"` // figures corrected by people's reviews
	People    Answer      `json:"people"`    // how far people checked it
	// how often people contradict the judge, and what showing it some of their verdicts did; nothing where nobody reviewed
	Checked  []Text `json:"checked,omitempty"`
	Untested []Text `json:"untested"` // what was not tested
}

// Answer is the answer to a question that people ask. Where it is not Known, the text says what to do.
type Answer struct {
	Known bool `json:"known"`
	Text  Text `json:"text"`
}

// Low counts low-score answers: of the matched questions where two runs are compared, else of all.
type Low struct {
	Before    int     `json:"before"`
	After     int     `json:"after"`
	Of        int     `json:"of"`        // answers that were rated
	Threshold float64 `json:"threshold"` // correctness or trust at or below it is low
	// what the run says of low in its own terms, in the place of the threshold
	Own  []experiments.LowLine `json:"own,omitempty"`
	Line Text                  `json:"line"` // what is low, as the middle of a sentence
	// the baseline means something else by low: its answers are not counted, Before is none
	Apart bool `json:"apart,omitempty"`
	// why nobody can tell, with the lowest answers by what was measured: none has a score that can be low; empty where some have
	Untold Text `json:"untold,omitzero"`
}

// LowText is what a run calls low, as the middle of a sentence.
func LowText(rule experiments.LowRule) Text { return Text{EN: rule.Words("en"), JA: rule.Words("ja")} }

// Of computes the findings.
func Of(in Input) Findings { return Begin(in).With(in.Gate) }

// Begun are findings but for what the gate says, which takes about as long as they and can be asked meanwhile.
type Begun struct{ b *builder }

// Begin computes the findings but for what the gate says, and does not look at the gate.
func Begin(in Input) Begun {
	b := newBuilder(in)
	f := &b.Findings
	b.compare()
	b.figures()
	f.Low.Untold = b.untold()
	f.Changed = b.changed()
	b.sentences()
	b.examples()
	b.causes()
	f.Themes = b.themes()
	if b.rule.Unsaid {
		f.Asked = b.askedThemes()
	}
	f.Slices = b.slices()
	f.Ties = b.ties()
	f.Recommendations = b.recommendations()
	f.Alternatives = b.alternatives()
	b.agreed()
	b.people()
	f.Judge, f.Recorded = b.judge(), RecordedBy(b.in.Candidate.Run.Setup)
	f.ScoredHere = ScoredHere(b.setups()...)
	f.Enough = b.enough()
	f.Month, f.Effort = b.month(), b.effort()
	f.Sent = b.sent()
	f.Untested = b.untested()
	return Begun{b}
}

// With are the findings with what a gate says; nil where there is none.
func (u Begun) With(gate *compare.GateResult) Findings {
	b := u.b
	if b.in.Gate = gate; gate != nil {
		b.Check, b.Opening = GateDecided(*gate), GateOpening(*gate)
	}
	b.Release = b.release()
	return b.Findings
}

// builder is findings in the making.
type builder struct {
	Findings
	in     Input
	rule   experiments.LowRule            // of the candidate
	before map[string]*experiments.Result // what stands for a question, by the baseline's ids
	after  map[string]*experiments.Result // by the candidate's
	asked  map[string]*experiments.Question
	names  map[string]string // candidate's id → baseline's
	votes  [2]map[string]int // of a question in the baseline and in the candidate; counted
}

func newBuilder(in Input) *builder {
	b := &builder{in: in, asked: make(map[string]*experiments.Question, len(in.Candidate.Questions)), names: map[string]string{}}
	setup := in.Candidate.Run.Setup
	b.rule = setup.LowRule()
	b.Candidate, b.Offline = in.Candidate.Run.ID, setup.ByOffline()
	b.Low.Threshold, b.Low.Own, b.Low.Line = setup.LowScore, b.rule.Said(), LowText(b.rule)
	b.Order, b.Figures, b.Changed, b.Worst, b.Best = []Verdict{}, []Figure{}, []Text{}, []Example{}, []Example{}
	for i := range in.Candidate.Questions {
		q := &in.Candidate.Questions[i]
		if _, known := b.asked[q.ID]; !known {
			b.asked[q.ID] = q
		}
	}
	was, is := []experiments.Result(nil), in.Candidate.Results
	if in.Baseline != nil {
		was = in.Baseline.Results
	}
	was, b.votes[0] = experiments.Standing(was)
	is, b.votes[1] = experiments.Standing(is)
	b.before, b.after = byQuestion(was), byQuestion(is)
	if in.Comparison != nil {
		b.Baseline = in.Comparison.Baseline.ID
		for _, r := range in.Comparison.Renamed {
			b.names[r.After] = r.Before
		}
	}
	return b
}

// byQuestion finds what stands for a question.
func byQuestion(results []experiments.Result) map[string]*experiments.Result {
	out := make(map[string]*experiments.Result, len(results))
	for i := range results {
		out[results[i].QuestionID] = &results[i]
	}
	return out
}

// was is the baseline's result of a question of the candidate; nil where there is none.
func (b *builder) was(id string) *experiments.Result {
	if old, renamed := b.names[id]; renamed {
		id = old
	}
	return b.before[id]
}
