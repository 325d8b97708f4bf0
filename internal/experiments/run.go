package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Kind says what a run buys calls for.
type Kind string

// The kinds of runs. A sweep owns evaluate runs; the others are children of the run they look into.
const (
	KindEvaluate  Kind = "evaluate"
	KindSweep     Kind = "sweep"
	KindVerify    Kind = "verify"
	KindDiagnose  Kind = "diagnose"
	KindQuestions Kind = "questions"
	KindValidate  Kind = "validate"
)

// LooksInto reports whether such a run is an analysis of another one: it has no answers and no low scores of its own.
func (k Kind) LooksInto() bool { return k == KindDiagnose || k == KindQuestions }

// MakesThemes reports whether the run makes themes, or adds some to a version of them, and labels no question: it is no analysis, and its
// setup names the dataset and that version where others name an experiment and its revision.
func (r Run) MakesThemes() bool { return r.Kind == KindQuestions && r.Setup.Analysis == nil }

// RunState is where a run stands.
type RunState string

// The states of a run. A finished run never changes again.
const (
	Queued    RunState = "queued"
	Running   RunState = "running"
	Paused    RunState = "paused" // Cause says why: user, budget, provider
	Finished  RunState = "finished"
	Cancelled RunState = "cancelled"
	Failed    RunState = "failed" // could not start
)

// Setup is everything that decides a run's results, frozen when it starts. Editing the experiment, a prompt or a dataset
// afterwards changes nothing in the run.
type Setup struct {
	Experiment string              `json:"experiment"`
	Revision   int                 `json:"revision"`
	Config     rag.Config          `json:"config"` // prompts as text
	Corpus     Ref                 `json:"corpus"`
	Dataset    Ref                 `json:"dataset"`
	Suite      []metrics.Spec      `json:"suite"`
	Judge      metrics.JudgeConfig `json:"judge"`
	LowScore   float64             `json:"low_score"` // agreed threshold: correctness or trust ≤ this is a low score
	// what low means in the terms of imported scores, which then counts in the place of LowScore; see [Setup.LowRule]
	Low       []LowLine `json:"low,omitempty"`
	Goals     []Goal    `json:"goals,omitempty"`
	Questions []string  `json:"questions,omitempty"` // ids when not the whole dataset
	Replicate int       `json:"replicate,omitempty"` // 0 is the first vote; a child run with n > 0 asks everything again
	// the fire of a schedule that asks the system under test anew; judges are asked only about new texts
	Fire    string `json:"fire,omitempty"`
	Rejudge string `json:"rejudge,omitempty"` // the fire that has the judge judge these answers again
	// of a child run: calls of the parent whose reply never came may be repeated everywhere
	Repeat bool `json:"repeat,omitempty"`
	// of a child run: a system that runs elsewhere is not asked; the judge judges again what it answered in the parent
	KeepAnswers bool `json:"keep_answers,omitempty"`
	Offline     bool `json:"offline"` // the judge is the offline one: for wiring and trial, not belief
	// of a run that the offline provider writes, searches or scores for: its version. Another version may do so differently, so it is
	// another run. "" of one that the offline judge scored is before 11; runs before 2026-12 say it only where that judge scored.
	OfflineVersion string         `json:"offline_version,omitempty"`
	Recorded       *Recorded      `json:"recorded,omitempty"`  // whose recorded replies judged; nil: nobody's
	Settled        bool           `json:"settled"`             // generator and judge are deterministic: one vote settles a comparison
	Analysis       *AnalysisSetup `json:"analysis,omitempty"`  // of a run that looks into another one
	Agreement      int            `json:"agreement,omitempty"` // version of the agreement on the dataset that was in force; 0: none
	// metrics that decide a comparison, the first before its guard; nil: the usual ones for the suite
	DecideBy []string `json:"decide_by,omitempty"`
	// "off": two answers whose grades and facts tie are never set beside each other; "": they may be
	Pairwise string `json:"pairwise,omitempty"`
}

// Recorded says whose replies a recording holds, in the words of whoever took them in, and on which day the first was taken.
type Recorded struct {
	By  string `json:"by"`
	Day string `json:"day"` // 2006-01-02, in UTC
}

// AsksOffline reports whether the offline provider writes, searches, scores or measures similarity for the run.
func (s Setup) AsksOffline() bool {
	return slices.Contains(append(s.Config.ProviderNames(), s.Judge.Provider, s.Judge.Embedding.Provider), "offline")
}

// Versioned is the setup of a run that is made now: with the version of the offline provider, where that is asked.
func (s Setup) Versioned() Setup {
	if s.AsksOffline() {
		s.OfflineVersion = llm.OfflineVersion
	}
	return s
}

// Tools are the other tools whose scores are all that the run says of its answers: no judge of ours scored. nil where one did.
func (s Setup) Tools() []string { return metrics.OnlyTools(s.Suite) }

// ScoredHere reports whether the run replays answers that were taken over and came without a score: all its scores were given here.
func (s Setup) ScoredHere() bool {
	of := func(group string) func(metrics.Spec) bool {
		return func(m metrics.Spec) bool { return m.Group == group }
	}
	return s.Config.Log != nil && !slices.ContainsFunc(s.Suite, of(metrics.GroupImported)) &&
		slices.ContainsFunc(s.Suite, func(m metrics.Spec) bool { return m.Group != metrics.GroupOperations })
}

// ByOffline reports whether the offline judge scored the run: it is set down where no other is, and scores nothing where all scores are
// those of other tools.
func (s Setup) ByOffline() bool { return s.Offline && len(s.Tools()) == 0 }

// Digest is the SHA-256 of the setup's JSON.
func (s Setup) Digest() string {
	body, err := json.Marshal(s)
	if err != nil {
		panic("setup is not JSON: " + err.Error()) // only numbers JSON cannot express, refused by Validate
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Goal is a target agreed with stakeholders.
type Goal struct {
	Theme    string  `json:"theme,omitempty" yaml:"theme"` // tag "theme:…" it applies to; "" is all questions
	Metric   string  `json:"metric" yaml:"metric"`         // metric id or low_score_share
	Target   float64 `json:"target" yaml:"target"`
	Owner    string  `json:"owner,omitempty" yaml:"owner"`
	AgreedOn string  `json:"agreed_on,omitempty" yaml:"agreed_on"` // YYYY-MM-DD
}

// Param is one swept parameter of a run, in the order of the axes.
type Param struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Run is one execution of a setup.
type Run struct {
	ID          string     `json:"run_id"`
	Kind        Kind       `json:"kind"`
	ParentID    string     `json:"parent_id,omitempty"` // the run that this child adds votes to
	SweepID     string     `json:"sweep_id,omitempty"`  // the sweep that owns it
	Params      []Param    `json:"params,omitempty"`    // what the sweep set
	Setup       Setup      `json:"setup"`
	SetupDigest string     `json:"setup_digest"`
	State       RunState   `json:"state"`
	Cause       string     `json:"cause,omitempty"` // why it paused, failed or was cancelled
	Budget      Budget     `json:"budget,omitzero"`
	CreatedAt   time.Time  `json:"created_at"`
	StartedAt   *time.Time `json:"started_at,omitempty"`
	FinishedAt  *time.Time `json:"finished_at,omitempty"`
	Totals      *Totals    `json:"totals,omitempty"` // set when it finishes, computed from its cells
	Chain       string     `json:"chain,omitempty"`  // SHA-256 over all cells in order: closes the run
}

// Scope is on whose behalf the run asks: what of it goes into requests decides their keys.
func (r Run) Scope() llm.Scope {
	return llm.Scope{RunID: r.ID, Replicate: r.Setup.Replicate, Parent: r.ParentID, Repeat: r.Setup.Repeat, Fresh: r.Setup.Fire,
		Rejudge: r.Setup.Rejudge, KeepAnswers: r.Setup.KeepAnswers}
}

// Failure is the named cause of a question that got no answer. It is never a bad answer.
type Failure struct {
	Cause   string `json:"cause"` // an llm cause code or "internal"
	Message string `json:"message"`
}

// Result is what a run knows about one question.
type Result struct {
	QuestionID string          `json:"question_id"`
	Replicate  int             `json:"replicate"`
	Answer     *rag.Answer     `json:"answer,omitempty"`    // nil while pending or failed
	Failure    *Failure        `json:"failure,omitempty"`   // why there is no answer
	Retrieved  *rag.Retrieved  `json:"retrieved,omitempty"` // what was retrieved all the same; nil with an answer
	Scores     []metrics.Score `json:"scores"`              // one for each metric of the suite, in its order
	LatencyMS  int64           `json:"-"`                   // wall time of the answer; not part of the deterministic result

	// why scores are what they are, where no score says so: of a result that was loaded in short; see Reason
	Reasons Reasons `json:"-"`
	// what tells its stage keys from others', where it was loaded in short without them
	Prints Prints `json:"-"`
	// what the scores rest on, in short, where that was read before; see Found
	Grounds *metrics.Grounds `json:"-"`
	Cover   *metrics.Cover   `json:"-"` // by the offline judge, where that was measured before
}

// Found is what the judge found in the answer beyond its grades: kept of finished runs, else read out of the replies that are stored.
func (r *Result) Found(ctx context.Context, stages rag.Stages) (metrics.Grounds, error) {
	if r.Grounds != nil {
		return *r.Grounds, nil
	}
	e, err := metrics.Explain(ctx, stages, r.Scores)
	return e.Grounds(), err
}

// Value returns the value of a metric that was scored.
func (r Result) Value(metric string) (float64, bool) {
	for i := range r.Scores { // scores are large: none is copied
		if s := &r.Scores[i]; s.Metric == metric {
			return s.Value, s.State == metrics.Scored
		}
	}
	return 0, false
}

// LowScoreShare is the share of low-score answers where a target or a limit names a metric. It is no metric of a suite.
const LowScoreShare = "low_score_share"

// Evaluation is a run with its questions and results: all that analysis and reports need.
type Evaluation struct {
	Run       Run        `json:"run"`
	Questions []Question `json:"questions"`
	Results   []Result   `json:"results"` // in the order of Questions
}

// Result returns the result of a question.
func (e Evaluation) Result(questionID string) (Result, bool) {
	for _, r := range e.Results {
		if r.QuestionID == questionID {
			return r, true
		}
	}
	return Result{}, false
}

// Question is the question with this id; an empty one where there is none.
func (e Evaluation) Question(questionID string) Question {
	for i := range e.Questions {
		if e.Questions[i].ID == questionID {
			return e.Questions[i]
		}
	}
	return Question{}
}

// Coverage counts cells. Applicable leaves out what does not apply, such as context_recall without a reference.
type Coverage struct {
	Scored     int `json:"scored"`
	Applicable int `json:"applicable"`
}

// Share is scored / applicable in [0, 1]; 1 when nothing applies.
func (c Coverage) Share() float64 {
	if c.Applicable == 0 {
		return 1
	}
	return float64(c.Scored) / float64(c.Applicable)
}

// Mean is the mean of a metric over the N questions where it was scored; of one with several votes the mean of those that scored it.
type Mean struct {
	Mean float64 `json:"mean"`
	N    int     `json:"n"`
}

// Totals are a run's headline numbers, always recomputed from its cells. Questions count once, however often they were asked.
type Totals struct {
	Coverage      Coverage        `json:"coverage"`
	Scores        map[string]Mean `json:"scores"`
	LowScoreCount int             `json:"low_score_count"`
	Questions     int             `json:"questions"`
	Errors        map[string]int  `json:"errors,omitempty"` // cells without a score, by cause
	Low           *OwnLow         `json:"low,omitempty"`    // of a run that says in its own terms what low means; nil of others
}

// Total computes the totals of results under a rule of what is low, of what stands for each question by [Standing]: the one definition of
// a run's means, whoever shows them.
func Total(results []Result, rule LowRule) Totals {
	results, _ = Standing(results)
	t := Totals{Scores: map[string]Mean{}, Questions: len(results)}
	if rule.Own {
		t.Low = &OwnLow{Lines: rule.Said()}
	}
	sums := map[string]float64{}
	for _, r := range results {
		for _, s := range r.Scores {
			switch s.State {
			case metrics.Scored:
				t.Coverage.Scored++
				t.Coverage.Applicable++
				m := t.Scores[s.Metric]
				m.N++
				t.Scores[s.Metric] = m
				sums[s.Metric] += s.Value
			case metrics.Errored, metrics.Pending:
				t.Coverage.Applicable++
				if t.Errors == nil {
					t.Errors = map[string]int{}
				}
				t.Errors[causeOf(s)]++
			case metrics.NotApplicable:
			}
		}
		if r.Low(rule) {
			t.LowScoreCount++
		}
		if t.Low != nil && r.Rated(rule) {
			t.Low.Rated++
		}
	}
	for id, m := range t.Scores {
		m.Mean = sums[id] / float64(m.N)
		t.Scores[id] = m
	}
	return t
}

// Rated reports whether some answer has a score that can be low. The totals of a sweep have no means of their own: they count what its
// runs rated.
func (t *Totals) Rated() bool {
	if t.Low != nil {
		return t.Low.Rated > 0
	}
	return len(t.Scores) == 0 || t.Scores["correctness"].N+t.Scores["trust"].N > 0
}

// RatedCount is how many answers have a score that can be low; of a run that is judged by the usual definition those with the one of its
// two scores that more answers have, as an answer without the other one is rated too. 0 of a sweep, whose totals have no means.
func (t *Totals) RatedCount() int {
	if t.Low != nil {
		return t.Low.Rated
	}
	return max(t.Scores["correctness"].N, t.Scores["trust"].N)
}

func causeOf(s metrics.Score) string {
	if s.State == metrics.Pending {
		return string(metrics.Pending)
	}
	return s.Reason
}
