package document

import (
	"reflect"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Unit says how a value is written in prose.
type Unit string

// The units.
const (
	Count Unit = "count" // 1,234
	Share Unit = "share" // 12.3%
	Score Unit = "score" // 4.31
	Diff  Unit = "diff"  // +0.42
	Money Unit = "money" // millionths of a currency
	Plain Unit = "text"
)

// Source is a resolved dataset or corpus.
type Source struct {
	Ref    string `json:"ref" unit:"text" en:"Name and version." ja:"名前と版。"`
	Name   string `json:"name" unit:"text" en:"Name." ja:"名前。"`
	Digest string `json:"digest" unit:"text" en:"SHA-256 of the content." ja:"内容の SHA-256。"`
	Count  int    `json:"count" unit:"count" en:"Questions that runs ask, or documents." ja:"実行で使う質問の数、または文書の数。"`
	Total  int    `json:"total" unit:"count" en:"Questions or documents of the whole." ja:"全体の質問または文書の数。"`
	Size   Words  `json:"size" unit:"text" en:"How many of how many, in words." ja:"全体のうちいくつ使うか。"`

	Limit  int      `json:"limit,omitempty"`  // of a dataset: only the first
	Filter []string `json:"filter,omitempty"` // and those with these tags
}

// Identity is what cells that use the source rest on. It must not change: locks that were written before compare with it.
func (s Source) Identity() any {
	return struct {
		Ref    string   `json:"ref"`
		Name   string   `json:"name"`
		Digest string   `json:"digest"`
		Count  int      `json:"count"` // of the whole
		Limit  int      `json:"limit,omitempty"`
		Filter []string `json:"filter,omitempty"`
	}{s.Ref, s.Name, s.Digest, s.Total, s.Limit, s.Filter}
}

// Config is a configuration with everything that it extends.
type Config struct {
	Name     string         `json:"name" unit:"text" en:"Name of the cell." ja:"セル名。"`
	Corpus   string         `json:"corpus,omitempty" unit:"text" en:"Corpus." ja:"コーパス。"`
	Endpoint string         `json:"endpoint,omitempty"`
	Answers  string         `json:"answers,omitempty"`
	Preset   string         `json:"preset,omitempty"` // the library whose chunks and hits it begins with
	Base     map[string]any `json:"base"`             // as in an experiment file

	Repaired *Repaired `json:"repaired,omitempty" en:"What a repair cell changed." ja:"repair セルの変更。"`
}

// Identity is what cells that use the configuration rest on: not why it is as it is.
func (c Config) Identity() any {
	c.Repaired = nil
	return c
}

// Repaired says what a diagnosis changed of the configuration of a run.
type Repaired struct {
	Run       string   `json:"run_id" unit:"text" en:"Run that was diagnosed." ja:"分析した実行。"`
	Names     []string `json:"names"` // of the recommendations
	Change    Words    `json:"change" unit:"text" en:"The change in words." ja:"変更の内容。"`
	Reason    Words    `json:"reason" unit:"text" en:"What speaks for it." ja:"変更の理由。"`
	Repairs   int      `json:"repairs" unit:"count" en:"Low-score answers that it is expected to repair." ja:"改善が見込まれる低スコア回答の数。"`
	Tried     bool     `json:"tried,omitempty"` // all of it: the reason says what came of it, and no forecast is told
	AtRisk    int      `json:"at_risk" unit:"count" en:"Good answers that may get worse." ja:"悪化の恐れがある良い回答の数。"`
	LowScores int      `json:"low_scores" unit:"count" en:"Low-score answers of the run." ja:"実行の低スコア回答の数。"`
	Lines     []Placed `json:"lines"`
}

// Placed is one parameter with the value that it had and the value that it takes.
type Placed struct {
	Param string `json:"param"`
	Words Words  `json:"words"`
}

// Axis is one parameter of a sweep.
type Axis struct {
	Name   string `json:"name"`
	Values []any  `json:"values"`
	With   string `json:"with,omitempty"` // an axis before it that this one moves along with
}

// ConfigSet is a sweep.
type ConfigSet struct {
	Count  int              `json:"count" unit:"count" en:"Combinations." ja:"組み合わせの数。"`
	Base   Config           `json:"base"`
	Axes   []Axis           `json:"axes"`
	Except []map[string]any `json:"except,omitempty"` // combinations that are left out
}

// Run is one finished run as cells show it.
type Run struct {
	ID        string             `json:"run_id" unit:"text" en:"Run id." ja:"実行 id。"`
	Label     string             `json:"label" unit:"text" en:"Configuration." ja:"設定。"`
	Chain     string             `json:"chain"` // closes its results
	Questions int                `json:"questions" unit:"count" en:"Questions." ja:"質問数。"`
	LowScores int                `json:"low_scores" unit:"count" en:"Low-score answers." ja:"低スコア回答数。"`
	Coverage  float64            `json:"coverage" unit:"share" en:"Cells that could be scored." ja:"採点できた割合。"`
	Votes     int                `json:"votes" unit:"count" en:"Votes for each question." ja:"質問ごとの試行回数。"`
	Scores    map[string]float64 `json:"scores" unit:"score" en:"Mean of a metric." ja:"指標の平均。"`
	Offline   bool               `json:"offline"`
}

// RunSet is what a run cell publishes. Besides its fields, each configuration's name leads to its run.
type RunSet struct {
	Count int   `json:"count" unit:"count" en:"Runs." ja:"実行数。"`
	Best  *Run  `json:"best" en:"Run with the fewest low scores." ja:"低スコアが最も少ない実行。"`
	First *Run  `json:"first" en:"First run." ja:"最初の実行。"`
	Runs  []Run `json:"runs"`
}

// Counted is a number of answers with their ids.
type Counted struct {
	Count     int      `json:"count" unit:"count" en:"Answers." ja:"回答数。"`
	Questions []string `json:"questions"`
}

// Change is one metric of a comparison.
type Change struct {
	Baseline  float64 `json:"baseline" unit:"score" en:"Mean before." ja:"変更前の平均。"`
	Candidate float64 `json:"candidate" unit:"score" en:"Mean after." ja:"変更後の平均。"`
	Diff      float64 `json:"diff" unit:"diff" en:"After minus before." ja:"変更後と変更前の差。"`
}

// Comparison is what a compare cell publishes.
type Comparison struct {
	Baseline   Run               `json:"baseline" en:"Run before." ja:"変更前の実行。"`
	Candidate  Run               `json:"candidate" en:"Run after." ja:"変更後の実行。"`
	Matched    int               `json:"matched" unit:"count" en:"Questions in both runs." ja:"両方の実行にある質問数。"`
	Worse      Counted           `json:"worse" en:"Answers that got worse." ja:"悪化した回答。"`
	Mixed      Counted           `json:"mixed" en:"Answers that are better in one way and worse in another." ja:"一長一短の回答。"`
	NeedsCheck Counted           `json:"needs_check" en:"Answers that need a check." ja:"要確認の回答。"`
	Better     Counted           `json:"better" en:"Answers that got better." ja:"改善した回答。"`
	LowBefore  int               `json:"low_before" unit:"count" en:"Low-score answers before." ja:"変更前の低スコア数。"`
	LowAfter   int               `json:"low_after" unit:"count" en:"Low-score answers after." ja:"変更後の低スコア数。"`
	LowUntold  bool              `json:"low_untold,omitempty"` // of one of the runs nobody can tell them: nothing rates its answers
	Metrics    map[string]Change `json:"metrics" en:"Change of a metric." ja:"指標の変化。"`
	Sentences  Words             `json:"sentences" unit:"text" en:"The result in three sentences." ja:"結果の要約。"`
	Headline   Words             `json:"headline" unit:"text" en:"The result in one line." ja:"結果の見出し。"`
	Found      []Found           `json:"found,omitempty"` // the parts of the findings, as the page of the comparison has them
	Answers    [][]any           `json:"-"`               // rows of the cell's table; derived from the two runs, and not kept
	Applied    *Applied          `json:"applied,omitempty" en:"What an apply cell changed." ja:"apply セルが適用した変更。"`
}

// Applied is a recommendation that was applied: the run after it is the candidate of the comparison.
type Applied struct {
	Name       string `json:"name" unit:"text" en:"Name of the recommendation." ja:"推奨の名前。"`
	Experiment string `json:"experiment" unit:"text" en:"Experiment that was made." ja:"作成した実験。"`
	Change     Words  `json:"change" unit:"text" en:"The change in words." ja:"変更の内容。"`
}

// Recommended is a change that a diagnosis recommends and an apply cell can make.
type Recommended struct {
	Number  int    `json:"number"` // its place in the list of the diagnosis, from 1
	Name    string `json:"name"`
	Change  Words  `json:"change"`
	Repairs int    `json:"repairs"` // answers that it is expected to repair
}

// Found is a part of the findings: a heading and the lines below it.
type Found struct {
	Name  string  `json:"name"`
	Title Words   `json:"title"`
	Lines []Words `json:"lines"`
}

// Answer is one answer in a table or by itself.
type Answer struct {
	ID          string   `json:"id" unit:"text" en:"Question id." ja:"質問 id。"`
	Question    string   `json:"question" unit:"text" en:"Question." ja:"質問。"`
	Reference   string   `json:"reference" unit:"text" en:"Right answer." ja:"正解。"`
	Answer      string   `json:"answer" unit:"text" en:"Answer." ja:"回答。"`
	Correctness *float64 `json:"correctness" unit:"score" en:"Correctness." ja:"正確性。"`
	Trust       *float64 `json:"trust" unit:"score" en:"Trust." ja:"信頼性。"`
	Contexts    []string `json:"contexts,omitempty"`
	Reasons     []Words  `json:"reasons,omitempty"`

	Scores map[string]float64 `json:"scores,omitempty"` // by which imported scores are low
}

// Failures is what a failures cell publishes.
type Failures struct {
	Run       Run       `json:"run"`
	Count     int       `json:"count" unit:"count" en:"Low-score answers." ja:"低スコア回答数。"`
	Questions int       `json:"questions" unit:"count" en:"Questions." ja:"質問数。"`
	Threshold float64   `json:"threshold" unit:"score" en:"Threshold of a low score." ja:"低スコアのしきい値。"`
	Bubbles   [5][5]int `json:"bubbles"` // [trust-1][correctness-1]
	Answers   []Answer  `json:"answers"`

	// of a run of imported scores: what it calls low in its own terms, in the place of the threshold, and by which metrics; or that
	// nobody said it
	Line   Words       `json:"line,omitzero"`
	By     []LowMetric `json:"by,omitempty"`
	Untold bool        `json:"untold,omitempty"`
}

// LowMetric is a metric by which imported scores are low.
type LowMetric struct {
	ID   string `json:"id"`
	Name Words  `json:"name"`
}

// CauseCount is one bar.
type CauseCount struct {
	Component string `json:"component"`
	Name      Words  `json:"name" unit:"text" en:"Name of the cause." ja:"原因の名前。"`
	Count     int    `json:"count" unit:"count" en:"Answers." ja:"回答数。"`
	Probable  int    `json:"probable,omitempty" unit:"count" en:"Of these, answers whose cause is probable only." ja:"うち、原因が推定にとどまる回答数。"`
}

// CauseSet is what a cause cell publishes.
type CauseSet struct {
	RunID     string       `json:"run_id"`
	Method    string       `json:"method" unit:"text" en:"tested or observed." ja:"方法。"`
	LowScores int          `json:"low_scores" unit:"count" en:"Low-score answers." ja:"低スコア回答数。"`
	Diagnosed int          `json:"diagnosed" unit:"count" en:"Diagnosed answers." ja:"分析した回答数。"`
	Top       *CauseCount  `json:"top" en:"The most frequent cause." ja:"最も多い原因。"`
	Counts    []CauseCount `json:"counts"`
	Change    Words        `json:"change" unit:"text" en:"The change to consider first." ja:"最初に検討する変更。"`
	Told      Words        `json:"told,omitzero" unit:"text" en:"What trying the change gave; else what is expected." ja:"その変更を試した結果。試していなければ見込み。"`
	Repairs   int          `json:"repairs" unit:"count" en:"Answers that it was expected to repair." ja:"その変更で改善が見込まれた回答数。"`
	Summary   Words        `json:"summary" unit:"text" en:"Summary." ja:"要約。"`
	Facts     []Words      `json:"facts,omitempty"` // the sentences of the summary, to be read one below the other
	// the best first
	Recommendations []Recommended `json:"recommendations,omitempty"`
	Answers         [][]any       `json:"-"` // rows of the cell's table; not kept
}

// Identity leaves out what was not kept when the first locks were written: places of recommendations, what trying one gave,
// and the facts, which the summary has too.
func (c CauseSet) Identity() any {
	type named struct {
		Name    string `json:"name"`
		Change  Words  `json:"change"`
		Repairs int    `json:"repairs"`
	}
	type plain CauseSet
	c.Told, c.Facts = Words{}, nil
	out := struct {
		plain
		Recommendations []named `json:"recommendations,omitempty"`
	}{plain: plain(c)}
	for _, r := range c.Recommendations {
		out.Recommendations = append(out.Recommendations, named{r.Name, r.Change, r.Repairs})
	}
	return out
}

// Bar is one bar of a chart.
type Bar struct {
	Name  Words   `json:"name"`
	Value float64 `json:"value"`
}

// Chart is what a chart cell publishes.
type Chart struct {
	Kind    string       `json:"kind" unit:"text" en:"Kind." ja:"種類。"`
	Metric  string       `json:"metric" unit:"text" en:"Metric." ja:"指標。"`
	Unit    Unit         `json:"unit"`
	Bars    []Bar        `json:"bars,omitempty"`
	Bubbles [5][5]int    `json:"bubbles,omitzero"`
	Plan    *charts.Plan `json:"plan,omitempty"`  // what is painted; absent for bubbles
	Texts   bool         `json:"texts,omitempty"` // it was made of texts of questions, answers, passages or judges
}

// Limits are those of a release check that a cell asks for in the place of the usual ones.
type Limits struct {
	experiments.Limits
	Cell string `json:"cell"` // its name
}

// Verdict is what a gate publishes.
type Verdict struct {
	Decision string   `json:"decision" unit:"text" en:"PASS, FAIL or INCONCLUSIVE." ja:"判定。"`
	Said     Words    `json:"said" unit:"text" en:"The decision as people read it." ja:"判定の言葉。合格・不合格・判定不能。"`
	Found    string   `json:"found" unit:"text" en:"What was found, before what was expected." ja:"期待を考慮する前の判定。"`
	Worse    int      `json:"worse" unit:"count" en:"Answers that are worse." ja:"悪化した回答数。"`
	Mixed    int      `json:"mixed" unit:"count" en:"Answers that are better in one way and worse in another; they do not fail the release check." ja:"一長一短の回答数。リリース判定の不合格にはならない。"`
	Reasons  []string `json:"reasons"`          // of every check that did not pass, for machines
	Why      []Words  `json:"why,omitempty"`    // the same for people; none in what older programs kept
	Caution  Words    `json:"caution,omitzero"` // what the decision is worth, where the built-in judge scored
}

// Decided is a gate's decision as people read it.
func Decided(decision string) Words {
	return Words{EN: decision, JA: compare.DecisionWord(stats.Decision(decision), "ja")}
}

// Target is one target beside what was measured.
type Target struct {
	Theme    string   `json:"theme"`
	Metric   string   `json:"metric"`
	Target   float64  `json:"target"`
	Measured *float64 `json:"measured"`
	State    string   `json:"state"`          // met, missed, unmeasured
	Title    Words    `json:"title,omitzero"` // the metric, and the theme, as people read them
	Owner    string   `json:"owner"`
	Due      string   `json:"due"`
}

// Agreement is what an agreement cell publishes.
type Agreement struct {
	Registered bool     `json:"registered"` // false: the targets are the cell's proposal
	Met        int      `json:"met" unit:"count" en:"Targets that are met." ja:"達成した目標数。"`
	Missed     int      `json:"missed" unit:"count" en:"Targets that are not met." ja:"未達の目標数。"`
	Count      int      `json:"count" unit:"count" en:"Targets." ja:"目標数。"`
	Threshold  float64  `json:"threshold" unit:"score" en:"Threshold of a low score." ja:"低スコアのしきい値。"`
	Targets    []Target `json:"targets"`
}

// Report is what a report cell publishes.
type Report struct {
	RunID    string   `json:"run_id" unit:"text" en:"Run." ja:"実行。"`
	Baseline string   `json:"baseline" unit:"text" en:"Baseline." ja:"比較の基準。"`
	Include  []string `json:"include,omitempty"`
	Headline Words    `json:"headline" unit:"text" en:"The result in one line." ja:"結果の見出し。"`
	Summary  Words    `json:"summary" unit:"text" en:"The result in a few sentences." ja:"結果の要約。"`
	Found    []Found  `json:"found,omitempty"` // the parts of the findings
	Limits   Limits   `json:"limits,omitzero"` // of its release check
}

// Doc is what a note publishes.
type Doc struct {
	Text Words `json:"text" unit:"text" en:"Markdown." ja:"Markdown。"`
}

// Published are the Go types of the values, by their names.
var Published = map[string]reflect.Type{
	docValue: reflect.TypeFor[Doc](), datasetValue: reflect.TypeFor[Source](), corpusValue: reflect.TypeFor[Source](),
	configValue:    reflect.TypeFor[Config](),
	configSetValue: reflect.TypeFor[ConfigSet](), runSetValue: reflect.TypeFor[RunSet](), comparisonValue: reflect.TypeFor[Comparison](),
	failuresValue: reflect.TypeFor[Failures](), causeSetValue: reflect.TypeFor[CauseSet](), questionValue: reflect.TypeFor[Answer](),
	chartValue:   reflect.TypeFor[Chart](),
	verdictValue: reflect.TypeFor[Verdict](), agreementValue: reflect.TypeFor[Agreement](), reportValue: reflect.TypeFor[Report](),
	tableValue: reflect.TypeFor[Rows](), tabledValue: reflect.TypeFor[Tabled](),
}

// Textless is the answer without its texts.
func (a Answer) Textless() Answer {
	return Answer{ID: a.ID, Correctness: a.Correctness, Trust: a.Trust}
}

// Table is the runs of a cell with the means of their metrics.
func (x RunSet) Table(name string) spreadsheet.Table {
	t := spreadsheet.Table{Name: name, Columns: []string{"run", "config", "questions", "low_scores", "coverage", "votes"}}
	measured := map[string]bool{}
	for _, r := range x.Runs {
		for id := range r.Scores {
			measured[id] = true
		}
	}
	metrics := SortedKeys(measured)
	t.Columns = append(t.Columns, metrics...)
	var rows [][]any
	for _, r := range x.Runs {
		row := []any{r.ID, r.Label, r.Questions, r.LowScores, r.Coverage, r.Votes}
		for _, id := range metrics {
			if mean, ok := r.Scores[id]; ok {
				row = append(row, mean)
			} else {
				row = append(row, nil)
			}
		}
		rows = append(rows, row)
	}
	t.Rows = spreadsheet.RowsOf(rows)
	return t
}
