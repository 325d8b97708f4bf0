package causes

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// DataCause is the data-level cause of a low-score answer, in the words of the founding paper: which piece of data that
// passes through the pipeline went wrong first.
type DataCause string

// The data-level causes.
const (
	NoFaultData      DataCause = "no_fault"
	QuestionData     DataCause = "question"   // the question does not say what is asked
	RetrievalData    DataCause = "retrieval"  // the contexts lack what the answer needs
	GenerationData   DataCause = "generation" // the contexts hold it and the answer does not
	ReferenceData    DataCause = "reference"  // the reference is wrong or out of date
	UndeterminedData DataCause = "undetermined"
)

// DataCauses returns all of them, in the order of the pipeline.
func DataCauses() []DataCause {
	return []DataCause{QuestionData, RetrievalData, GenerationData, ReferenceData, NoFaultData, UndeterminedData}
}

// Component is the component-level cause: the part to change.
type Component string

// The component-level causes. The last three are not parts: nothing to repair, one answer by luck, and nothing that could be
// told apart.
const (
	SearchQuery      Component = "search_query"
	Database         Component = "database"
	Retriever        Component = "retriever"
	GenerationModel  Component = "generation_model"
	SystemPrompt     Component = "system_prompt"
	PostProcessing   Component = "post_processing"
	ReferenceText    Component = "reference"
	QuestionText     Component = "question"
	ContextNotFound  Component = "context_not_obtained" // observed only: database, query and retriever cannot be told apart in a log
	GenerationUnsure Component = "generation"           // model and prompt could not be told apart
	NoFault          Component = "no_fault"             // judged again, the answer is not low
	Unstable         Component = "unstable"             // asked again, the same system answers well
	Undetermined     Component = "undetermined"
)

// Data returns the data-level cause that a component belongs to.
func (c Component) Data() DataCause {
	switch c {
	case SearchQuery, Database, Retriever, ContextNotFound:
		return RetrievalData
	case GenerationModel, SystemPrompt, PostProcessing, GenerationUnsure, Unstable:
		return GenerationData
	case ReferenceText:
		return ReferenceData
	case QuestionText:
		return QuestionData
	case NoFault:
		return NoFaultData
	case Undetermined, MissingRelated, MissingForeign, OtherCause: // of no level
	}
	return UndeterminedData
}

// Components lists the component-level causes in the order of the pipeline.
func Components() []Component {
	return []Component{
		QuestionText, SearchQuery, Database, Retriever, ContextNotFound, SystemPrompt, GenerationModel, GenerationUnsure, PostProcessing,
		ReferenceText, Unstable, NoFault, Undetermined,
	}
}

// Open reports whether a component that a method arrived at leaves the cause open: no replacement healed the answer. Such answers are
// counted last and drawn apart.
func (c Component) Open(by CauseMethod) bool {
	return c == Undetermined || c == GenerationUnsure && by == Tested
}

// CauseMethod says how a cause was found. Causes of different methods never share a bar.
type CauseMethod string

// The methods.
const (
	Tested   CauseMethod = "tested"   // by intervention: one part was replaced and the answer healed
	Observed CauseMethod = "observed" // read from the log by a judge; not tested
	PaperWay CauseMethod = "paper"    // the founding paper's single call, as a control arm
)

// Standing says what a cause rests on.
type Standing string

// The standings.
const (
	StandsTested   Standing = "tested"   // a part was replaced and the answer healed
	StandsProbable Standing = "probable" // the answer was judged good, from guessed evidence that lacks a figure of the reference
	StandsSearched Standing = "searched" // looked for in all documents and not found, or read from two places; nothing was replaced
	StandsObserved Standing = "observed" // read from a log
	StandsUnknown  Standing = "unknown"  // nothing that was tried healed the answer, or nothing could be tried
)

// Standing is what the cause rests on. Only a replacement that healed the answer makes a tested cause; what nothing healed is unknown,
// and is counted apart. An answer that was judged good does not prove a cause where what was guessed to be the evidence lacks a figure
// that the reference states: that cause is probable at most.
func (d Diagnosis) Standing() Standing {
	if s := d.shown(); s != StandsTested || d.Component == NoFault || len(d.Lacks) == 0 {
		return s
	}
	return StandsProbable
}

// shown is what the cause rests on if good answers were good.
func (d Diagnosis) shown() Standing {
	switch {
	case d.Method != Tested:
		return StandsObserved
	case d.Component.Open(d.Method):
		return StandsUnknown
	case d.Component == NoFault || d.Component == Unstable:
		return StandsTested // the replacement is a second judgement, or a second answer
	case slices.Contains([]Component{Database, QuestionText, ReferenceText}, d.Component):
		return StandsSearched // nothing takes their place, whatever else was tried on the way
	case slices.ContainsFunc(d.Steps, CauseStep.healed):
		return StandsTested
	}
	return StandsSearched
}

// Standings lists what a cause can rest on, the surest first.
func Standings() []Standing {
	return []Standing{StandsTested, StandsProbable, StandsSearched, StandsObserved, StandsUnknown}
}

// healed reports whether a step replaced a part and at least half of its trials were good.
func (s CauseStep) healed() bool {
	replaced := slices.Contains([]string{"raw_answer", "regenerate", "oracle", "prompt", "model", "both", "deep"}, s.Step)
	return replaced && s.Trials > 0 && 2*s.Passes >= s.Trials
}

// Certainty is a confidence in words: high from .95, medium from .80, else low.
type Certainty string

// The certainties.
const (
	HighCertainty   Certainty = "high"
	MediumCertainty Certainty = "medium"
	LowCertainty    Certainty = "low"
)

// CertaintyOf puts a confidence in [0, 1] in words.
func CertaintyOf(confidence float64) Certainty {
	switch {
	case confidence >= .95:
		return HighCertainty
	case confidence >= .80:
		return MediumCertainty
	}
	return LowCertainty
}

// Repair is one change that heals an answer, or the retrieval it needs.
type Repair struct {
	Component Component `json:"component"`
	// "retrieve.k", "chunk.size", "chunk.overlap", "embedding.model", "retrieve.mode", "rewrite", "rerank", "generate.prompt",
	// "generate.model", "corpus", "post_process" …
	Param       string  `json:"param,omitempty"`
	From        any     `json:"from,omitempty"`
	To          any     `json:"to,omitempty"`
	Unit        string  `json:"unit,omitempty" doc:"of a size of chunks: what it counts, as chunk.by says it; absent in what was stored before"`
	Passes      int     `json:"passes"`       // trials with the change that were not low; 0 of 0 where only retrieval was tried
	Trials      int     `json:"trials"`       // answers generated with the change
	ContextCost float64 `json:"context_cost"` // length of the contexts with the change ÷ without it; 1 where they stay
	Expensive   bool    `json:"expensive,omitempty"`
}

// QuotedSpan is a place in the corpus that holds what an answer needs, or contradicts what is held to be right.
type QuotedSpan struct {
	rag.Span
	Quote       string `json:"quote"`
	Rank        int    `json:"rank,omitempty"` // of the first chunk that covers it, 1 is best; 0 when none was retrieved
	InContext   bool   `json:"in_context"`
	Contradicts bool   `json:"contradicts,omitempty"`
}

// CauseStep is one thing that was tried, with its result. No two steps of a diagnosis have the same Step, Change, On, Swap and Again.
type CauseStep struct {
	// of the decision procedure: "rejudge", "raw_answer", "evidence", "question", "in_context", "retrieval", "regenerate",
	// "oracle", "resample", "prompt", "model", "both", "deep", "facts"
	Step   string `json:"step"`
	Change string `json:"change,omitempty"` // "retrieve.k 3 -> 5"
	On     string `json:"on,omitempty"`     // contexts that stood in for those of the run: "evidence", "facts" or "changed"
	Swap   string `json:"swap,omitempty"`   // what stood in besides, where the step does not say so: "prompt", "model" or "both"
	Again  int    `json:"again,omitempty"`  // 2 for the second time that the same was tried, and so on
	Passes int    `json:"passes"`
	Trials int    `json:"trials"`
	Calls  int    `json:"calls"` // to models, known replies included
	// the places of the documents that were given as contexts, where they are not those of the run or of a deep search
	Given []rag.Span `json:"given,omitempty"`
}

// Diagnosis is the cause of one low-score answer.
type Diagnosis struct {
	QuestionID string      `json:"question_id"`
	Method     CauseMethod `json:"method"`
	Stands     Standing    `json:"stands,omitempty"` // what the cause rests on, see [Diagnosis.Standing]; reports fill it in
	Data       DataCause   `json:"data"`
	Component  Component   `json:"component"`
	// "stale", "chunk_border", "context_noise", "either", …: codes, named by the catalogue
	Detail  string      `json:"detail,omitempty"`
	Further []Component `json:"further,omitempty"` // faults that remained after the first repair
	Repairs []Repair    `json:"repairs,omitempty"` // the minimal repair set: applied together they heal the answer
	// every single change that brings the evidence into the contexts: what the set cover chooses from
	Alternatives []Repair     `json:"alternatives,omitempty"`
	Confidence   float64      `json:"confidence"` // in [0, 1]
	Certainty    Certainty    `json:"certainty"`
	Pattern      Pattern      `json:"pattern,omitempty"`
	Evidence     []QuotedSpan `json:"evidence,omitempty"`
	// quantities of the reference that what a search took for the evidence does not state; none where evidence is labelled
	Lacks     []string              `json:"lacks,omitempty"`
	Steps     []CauseStep           `json:"steps,omitempty"`
	Rationale experiments.Rationale `json:"rationale"`
	Calls     int                   `json:"calls"`           // to models, known replies included
	Votes     []string              `json:"votes,omitempty"` // observed: the component of each vote
}

// Parameter is the parameter of the part that the diagnosis names first, as its repair changes it; "" where no repair of that part is
// known. Repairs of other parts, such as the prompt beside a search, have parameters of their own.
func (d Diagnosis) Parameter() string {
	for _, r := range d.Repairs {
		if r.Component == d.Component {
			return r.Param
		}
	}
	return ""
}

// repairsAll reports whether the repairs change every part that is at fault: what repairs a part of them heals nothing.
func (d Diagnosis) repairsAll() bool {
	for _, c := range append([]Component{d.Component}, d.Further...) {
		if !slices.ContainsFunc(d.Repairs, func(r Repair) bool { return r.Component == c }) {
			return false
		}
	}
	return true
}

// Pattern says in words that a manager repeats how a low-score answer fails (table 4 of the founding paper).
type Pattern string

// The patterns of low-score answers.
const (
	PatternWrong         Pattern = "wrong"           // it contradicts the reference, or answers what the documents do not
	PatternNotFound      Pattern = "could_not_find"  // it says that the documents do not say
	PatternNotInContexts Pattern = "not_in_contexts" // right or not, the judge did not find what it says in the contexts
	PatternIncomplete    Pattern = "incomplete"      // it holds a part of the right answer
	PatternHardlyAny     Pattern = "hardly_any"      // next to nothing of the right answer was found in it
	PatternOther         Pattern = "other"           // the grade is low, and nothing was read out of the answer that tells why
)

// Corner is where a low-score answer lies: which of correctness and trust is at or below the threshold.
type Corner string

// The corners.
const (
	BothLow        Corner = "both_low"
	CorrectnessLow Corner = "correctness_low" // and trust is not
	TrustLow       Corner = "trust_low"       // and correctness is not
)

// CauseCount is one bar: low-score answers with one cause. Causes that are not known stand last, whatever their number.
type CauseCount struct {
	Data      DataCause `json:"data"`
	Component Component `json:"component"`
	Param     string    `json:"param,omitempty"` // where every diagnosis of the bar names the same parameter
	Count     int       `json:"count"`
	Questions []string  `json:"questions"`
	// of the answers, by what the cause rests on
	Stands map[Standing]int `json:"stands"`
}

// Known reports whether the cause is one: what no replacement healed has none yet.
func (c CauseCount) Known() bool {
	return c.Component != Undetermined && c.Stands[StandsUnknown] == 0
}

// PatternCount is one cell of the paper's table 4.
type PatternCount struct {
	Corner  Corner  `json:"corner"`
	Pattern Pattern `json:"pattern"`
	Count   int     `json:"count"`
}

// Recommendation is a configuration to try, by how many low-score answers it is expected to repair: one change, or several that are
// made together. What concerns documents, questions and references stands by itself.
type Recommendation struct {
	Repair     Repair                `json:"repair"`
	With       []Repair              `json:"with,omitempty"` // further changes of the same configuration
	Heals      []string              `json:"heals"`          // low-score answers that it is expected to repair; empty: no forecast
	LowScores  int                   `json:"low_scores"`     // low-score answers diagnosed
	AtRisk     []string              `json:"at_risk"`        // good answers whose evidence leaves the contexts
	Changed    int                   `json:"changed"`        // good answers whose contexts change at all
	Good       int                   `json:"good"`           // good answers that were looked at
	Unmeasured int                   `json:"unmeasured"`     // good answers without known evidence
	Applies    bool                  `json:"applies"`        // the workbench can register it as an experiment by itself
	Rationale  experiments.Rationale `json:"rationale"`

	Outcome *RepairOutcome `json:"outcome,omitempty"` // what happened when it was tried; nil where it was not
}

// Changes are all changes of the recommended configuration.
func (r Recommendation) Changes() []Repair { return append([]Repair{r.Repair}, r.With...) }

// ContextCost is how much longer the contexts become: as measured where it was tried, else by the changes together.
func (r Recommendation) ContextCost() float64 {
	if r.Outcome != nil {
		return r.Outcome.Cost
	}
	return joint(r.Changes()).cost()
}

// Words are the changes as people write them, joined by plus signs.
func (r Recommendation) Words(lang string) string {
	var out []string
	for _, c := range r.Changes() {
		out = append(out, c.Words(lang))
	}
	if lang == "ja" {
		return strings.Join(out, "＋")
	}
	return strings.Join(out, " + ")
}

// Embeds reports whether the configuration needs another embedder, or other chunks to embed.
func (r Recommendation) Embeds() bool {
	return slices.ContainsFunc(r.Changes(), func(c Repair) bool {
		return strings.HasPrefix(c.Param, "embedding") || strings.HasPrefix(c.Param, "chunk.")
	})
}

// RepairOutcome is what a recommended configuration did when it was tried on answers of the run: on those it was to repair, on good ones
// whose evidence it takes away, and on a random sample of the other good ones.
type RepairOutcome struct {
	// a finished run with exactly this configuration, where there is one: then every answer was made and judged in it
	RunID string `json:"run_id,omitempty"`
	Among int    `json:"among,omitempty"` // of how many other runs of the sweep that one is the best; 0 where it was not chosen for that

	Promised  int      `json:"promised"`   // low-score answers it was expected to repair, of those tried
	TriedLow  int      `json:"tried_low"`  // low-score answers that were answered again
	Repaired  []string `json:"repaired"`   // of them, those that are good now
	TriedGood int      `json:"tried_good"` // good answers that were answered again
	Broken    []string `json:"broken"`     // of them, those that are low now
	Good      int      `json:"good"`       // good answers of the run
	LowBefore int      `json:"low_before"` // low-score answers of the run
	LowAfter  float64  `json:"low_after"`  // estimate for the whole run
	LowLeast  float64  `json:"low_least"`  // lower end of the 95% interval of low_after
	LowMost   float64  `json:"low_most"`   // its upper end
	// estimate of the good answers of the whole run that become low, and the ends of its 95% interval
	BrokenInAll float64 `json:"broken_in_all"`
	BrokenLeast float64 `json:"broken_least"`
	BrokenMost  float64 `json:"broken_most"`
	Cost        float64 `json:"cost"` // length of the contexts of the tried answers with the configuration ÷ without it
}

// Sampled reports whether only a part of the answers was tried, so that the figures for the whole run are estimates.
func (o RepairOutcome) Sampled() bool { return o.TriedLow < o.LowBefore || o.TriedGood < o.Good }

// Harms reports whether the configuration leaves no fewer low-score answers than there were.
func (o RepairOutcome) Harms() bool { return o.LowAfter >= float64(o.LowBefore) }

// Gains reports whether fewer answers are low with the configuration, by the whole 95% interval of [RepairOutcome.LowAfter].
func (o RepairOutcome) Gains() bool { return o.LowMost < float64(o.LowBefore) }

// CauseReport is what a diagnosis found about one run.
type CauseReport struct {
	RunID           string                  `json:"run_id"`      // the run that was diagnosed
	DiagnoseID      string                  `json:"diagnose_id"` // the run that did it
	Method          CauseMethod             `json:"method"`
	Offline         bool                    `json:"offline"`    // the judge is the offline one
	Threshold       float64                 `json:"low_score"`  // correctness or trust at or below it is low
	LowScores       int                     `json:"low_scores"` // low-score answers of the run
	Diagnosed       int                     `json:"diagnosed"`
	Failed          int                     `json:"failed"` // that could not be diagnosed because calls failed
	Diagnoses       []Diagnosis             `json:"diagnoses"`
	Counts          []CauseCount            `json:"counts"`               // most first
	Patterns        []PatternCount          `json:"patterns"`             // all corners × patterns that occur
	PatternsBy      experiments.Rationale   `json:"patterns_by,omitzero"` // see [patternsBy]; empty where nothing is to be said
	Recommendations []Recommendation        `json:"recommendations,omitempty"`
	Curve           []RepairPoint           `json:"curve,omitempty"` // what configurations repair against their cost, cheapest first
	Calls           int                     `json:"calls"`
	Summary         experiments.Rationale   `json:"summary"` // the facts behind each other
	Facts           []experiments.Rationale `json:"facts"`   // what is low, why, and what would help most: a line each
	// those of Facts that no recommendation tells itself: for whoever shows the recommendations below them
	Unlisted []experiments.Rationale `json:"facts_unlisted"`
	Doubt    experiments.Rationale   `json:"doubt,omitzero"` // that the first recommendation may gain nothing, to be told below them
	Choice   experiments.Rationale   `json:"choice"`         // what several recommendations are to each other; empty for one
	// for how many answers another model would decide, and how; nil where none waits for one
	NeedsReference *ReferenceNeed `json:"needs_reference,omitempty"`
	// one answer of each of the most frequent causes, told through; see [ExamplesOf]
	Examples []CauseExample `json:"examples,omitempty"`
	// the tested causes beside those of the paper's method, where both were looked for
	Beside *BesideTested `json:"beside,omitempty"`
}

// ReferenceNeed says what naming a reference model would decide.
type ReferenceNeed struct {
	Answers int                   `json:"answers"` // low-score answers whose part is open only because no other model was named
	Text    experiments.Rationale `json:"text"`    // that number, and what the result of another diagnosis will mean
	Command string                `json:"command"` // that diagnosis on the command line, which alone says it
}

// CauseChange is one row of the paper's table 5: low-score answers of one cause and question category before and after.
type CauseChange struct {
	Data      DataCause `json:"data"`
	Component Component `json:"component"`
	Category  string    `json:"category"` // "" where the questions have not been analysed
	Before    int       `json:"before"`
	After     int       `json:"after"`
}

// CauseMove counts questions that went from one cause to another between two runs. "good" stands for an answer that is not
// low.
type CauseMove struct {
	From      string   `json:"from"`
	To        string   `json:"to"`
	Count     int      `json:"count"`
	Questions []string `json:"questions"`
}

// What the stand-in sees where contexts lack what the answer needs: they speak of what the question is about, or they do not.
const (
	MissingRelated Component = "missing_related"
	MissingForeign Component = "missing_foreign"
)

// OtherCause is the paper's column "other" of table 3.
const OtherCause Component = "other"
