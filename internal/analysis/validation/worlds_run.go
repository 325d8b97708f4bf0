package validation

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// worldRun is a text with its models.
type worldRun struct {
	CauseWorlds
	models  *worldModels
	indexes *rag.Indexes
	offline llm.Provider
}

func newWorldRun(w CauseWorlds) *worldRun {
	r := &worldRun{CauseWorlds: w, indexes: rag.NewIndexes(harnessIndexes),
		offline: llm.NewOffline(offline.Handlers(), offline.Embedders())}
	r.models = &worldModels{seed: seedOf(w.Seed, "models"), noise: w.Noise, lenient: w.Lenient, items: map[string]*worldItem{},
		calls: map[string]int{}}
	for _, item := range worldItems(w.Material) {
		r.models.items[item.question.Text] = item
	}
	return r
}

// Provider implements [rag.Providers].
func (r *worldRun) Provider(name string) (llm.Provider, error) {
	if name == ScriptedProvider {
		return r.models, nil
	}
	return r.offline, nil
}

func (r *worldRun) retrieve(ctx context.Context, corpus *rag.Corpus, c rag.Config, question string) ([]rag.Hit, error) {
	system, err := rag.Open(ctx, c, corpus, r, r.indexes, noStages{})
	if err != nil {
		return nil, err
	}
	defer system.Close()
	found, _, err := system.Retrieve(ctx, question)
	return found.Hits, err
}

// condition runs one faulty system, diagnoses its low answers, and applies what is recommended.
func (r *worldRun) condition(ctx context.Context, c worldCondition, items []*worldItem) (WorldRow, error) {
	row := WorldRow{World: r.name(), Condition: c.name, Named: map[causes.Component]int{},
		Certainty: map[causes.Certainty]WorldTally{}, Standing: map[causes.Standing]WorldTally{}}
	for i, e := range c.expected {
		row.Expected += map[bool]string{true: "|"}[i > 0] + string(e)
	}
	config, corpus := r.base(), r.Material.Corpus
	if c.fault != nil {
		c.fault(&config)
	}
	if c.deleted {
		corpus = without(corpus, items)
	}
	stages := &rag.MemoryStages{}
	e, err := r.evaluate(ctx, corpus, config, items, stages)
	if err != nil {
		return row, err
	}
	run := experiments.Run{ID: "diagnose", Kind: experiments.KindDiagnose, Setup: e.Run.Setup}
	run.Setup.Analysis = &experiments.AnalysisSetup{Of: e.Run.ID, Version: causes.CauseVersion, Method: string(causes.Tested), Trials: 4,
		Reference: worldReference(), Embedders: harnessEmbedders}
	analyst, err := laboratory.OpenDiagnosis(ctx, run, laboratory.DiagnosisSource{Evaluation: e, Corpus: corpus, Providers: r,
		Indexes: r.indexes,
		Stages:  stages})
	if err != nil {
		return row, err
	}
	if closer, ok := analyst.(interface{ Close() }); ok {
		defer closer.Close()
	}
	lab, err := laboratory.NewLab(ctx, laboratory.LabOptions{Evaluation: e, Corpus: corpus, Providers: r, Indexes: r.indexes,
		Stages:    stages,
		Reference: worldReference(), Embedders: harnessEmbedders})
	if err != nil {
		return row, err
	}
	defer lab.Close()
	found := map[string]causes.Diagnosis{}
	for _, item := range items {
		q := item.question.Question
		result, _ := e.Result(q.ID)
		before := r.models.calls[q.Text]
		f, err := analyst.Finding(llm.WithScope(ctx, llm.Scope{RunID: run.ID, QuestionID: q.ID}), e.Questions[slices.Index(items, item)])
		if err != nil {
			return row, err
		}
		d, ok := f.Body.(causes.Diagnosis)
		if !ok {
			continue
		}
		found[q.ID] = d
		starved := !item.complete(textsOf(result.Answer.Hits))
		if item.right(result.Answer.Text) || starved != (c.starves || c.deleted) {
			continue // wrong for another reason than the fault, or not wrong at all
		}
		row.count(d, c, r.models.calls[q.Text]-before)
		prospect, err := lab.Prospect(ctx, causes.LabCase{Question: e.Questions[slices.Index(items, item)], Result: result})
		if err != nil {
			return row, err
		}
		row.Planned += lab.Rules().Expected(prospect, config.Generate.Temperature == 0)
		if r.Hear != nil {
			asked := causes.LabCase{Question: q, Result: result}
			r.Hear(WorldFinding{c.name, c.expected, asked, d, slices.Contains(c.expected, d.Component)})
		}
	}
	slices.Sort(row.Calls)
	if r.Apply {
		row.Outcome, err = r.apply(ctx, lab, corpus, e, found, items)
	}
	return row, err
}

func worldReference() *rag.Model { return &rag.Model{Provider: ScriptedProvider, Name: "strong"} }

func (r *WorldRow) count(d causes.Diagnosis, c worldCondition, calls int) {
	right := slices.Contains(c.expected, d.Component)
	r.Low++
	r.Right += counted(right)
	r.Named[d.Component]++
	r.Calls = append(r.Calls, calls)
	t := r.Certainty[d.Certainty]
	r.Certainty[d.Certainty] = WorldTally{t.N + 1, t.Right + counted(right)}
	s := r.Standing[d.Standing()]
	r.Standing[d.Standing()] = WorldTally{s.N + 1, s.Right + counted(right)}
}

// without is the corpus that lost the document of the first piece of evidence of each question.
func without(corpus *rag.Corpus, items []*worldItem) *rag.Corpus {
	gone := map[string]bool{}
	for _, i := range items {
		gone[i.places[0].DocID] = true
	}
	var left []rag.Document
	for _, d := range corpus.Documents {
		if !gone[d.ID] {
			left = append(left, d)
		}
	}
	return rag.NewCorpus(corpus.Name, left)
}

// evaluate answers and judges questions as a run does.
func (r *worldRun) evaluate(ctx context.Context, corpus *rag.Corpus, config rag.Config, items []*worldItem,
	stages rag.Stages) (experiments.Evaluation, error) {
	judge := metrics.DefaultJudge()
	judge.Model = rag.Model{Provider: ScriptedProvider, Name: "judge"}
	e := experiments.Evaluation{Run: experiments.Run{ID: "run", Kind: experiments.KindEvaluate,
		Setup: experiments.Setup{Config: config, Judge: judge, LowScore: experiments.DefaultLowScore}}}
	var err error
	if e.Run.Setup.Suite, err = metrics.Resolve([]string{"correctness", "trust"}); err != nil {
		return e, err
	}
	suite, err := metrics.NewSuite(e.Run.Setup.Suite, judge, r, stages)
	if err != nil {
		return e, err
	}
	system, err := rag.Open(ctx, config, corpus, r, r.indexes, stages)
	if err != nil {
		return e, err
	}
	defer system.Close()
	for _, item := range items {
		q := item.question.Question
		if !r.Labels {
			q.Evidence = nil
		}
		scope := llm.WithScope(ctx, llm.Scope{RunID: e.Run.ID, QuestionID: q.ID})
		answer, err := system.Answer(scope, q.Text)
		if err != nil {
			return e, err
		}
		scores, err := suite.Score(scope, q.Sample(corpus, answer))
		if err != nil {
			return e, err
		}
		e.Questions = append(e.Questions, q)
		e.Results = append(e.Results, experiments.Result{QuestionID: q.ID, Answer: &answer, Scores: scores})
	}
	return e, nil
}

func lows(e experiments.Evaluation) map[string]bool {
	out := map[string]bool{}
	for _, result := range e.Results {
		if result.Low(e.Run.Setup.LowRule()) {
			out[result.QuestionID] = true
		}
	}
	return out
}

// apply tries what is recommended, as the product does, applies the first configuration to the whole run, and sets it beside the
// system without the fault.
func (r *worldRun) apply(ctx context.Context, lab *laboratory.RealLab, corpus *rag.Corpus, e experiments.Evaluation,
	found map[string]causes.Diagnosis, items []*worldItem) (*WorldOutcome, error) {
	in := causes.CauseReportInput{Method: causes.Tested, Risks: map[string]causes.RepairRisk{}, Outcomes: map[string]causes.RepairOutcome{}}
	for _, rec := range causes.ToTry(e, found, in) {
		if !rec.Applies {
			continue
		}
		risk, err := causes.RiskOf(ctx, lab, e, rec.Changes())
		if err != nil {
			return nil, err
		}
		in.Risks[rec.Key()], rec.AtRisk = risk, risk.AtRisk
		if in.Outcomes[rec.Key()], err = lab.TryRepairs(ctx, rec, 1); err != nil {
			return nil, err
		}
	}
	report := causes.ReportCauses(e, found, in)
	before := lows(e)
	out := &WorldOutcome{Before: len(before), Promised: float64(len(before)), After: len(before)}
	ideal, err := r.evaluate(ctx, r.Material.Corpus, r.base(), items, &rag.MemoryStages{})
	if err != nil {
		return nil, err
	}
	out.Best = len(lows(ideal))
	if len(report.Recommendations) == 0 || !report.Recommendations[0].Applies {
		out.Best = out.Before
		return out, nil
	}
	first := report.Recommendations[0]
	out.Change = first.Words("en")
	out.Promised -= float64(len(first.Heals))
	if first.Outcome != nil {
		out.Promised = first.Outcome.LowAfter
	}
	config, err := causes.ApplyRepairs(e.Run.Setup.Config, first.Changes(), e.Questions[0].Lang)
	if err != nil {
		return nil, fmt.Errorf("apply %s: %w", out.Change, err)
	}
	applied, err := r.evaluate(ctx, corpus, config, items, &rag.MemoryStages{})
	if err != nil {
		return nil, err
	}
	after := lows(applied)
	out.After = len(after)
	for id := range after {
		out.Broken += counted(!before[id])
	}
	return out, nil
}

// CauseWorldTable prints rows as Markdown, in "en" or "ja".
func CauseWorldTable(rows []WorldRow, lang string) string {
	l := tableWords(lang)
	var b strings.Builder
	header(&b, l.named("world", "fault", "low", "right, of 50", "named", "high", "medium", "low certainty", "tested", "calls median, p95",
		"planned ÷ made", "low before → promised → happened (best)", "restored", "broken", "change"))
	for _, r := range rows {
		line(&b, r.cells(l))
	}
	return b.String()
}

func (r WorldRow) cells(l tableWords) []string {
	share := func(t WorldTally) string { return fmt.Sprintf("%d/%d", t.Right, t.N) }
	of50, ratio, calls := "-", "-", "-"
	if r.Low > 0 {
		of50 = fmt.Sprintf("%.1f", 50*float64(r.Right)/float64(r.Low))
		made := 0
		for _, n := range r.Calls {
			made += n
		}
		ratio = fmt.Sprintf("%.2f", r.Planned/float64(max(1, made)))
		calls = fmt.Sprintf("%d, %d", r.Calls[len(r.Calls)/2], r.Calls[min(len(r.Calls)-1, len(r.Calls)*95/100)])
	}
	var named []string
	for _, c := range causes.Components() {
		if n := r.Named[c]; n > 0 {
			named = append(named, fmt.Sprintf("%s %d", l.cause("component", string(c)), n))
		}
	}
	outcome, restored, broken, change := "-", "-", "-", "-"
	if o := r.Outcome; o != nil {
		outcome = fmt.Sprintf("%d → %.0f → %d (%d)", o.Before, o.Promised, o.After, o.Best)
		restored, broken, change = fmt.Sprintf("%.2f", o.Restored()), fmt.Sprint(o.Broken), o.Change
	}
	return []string{
		r.World, r.Condition, strconv.Itoa(r.Low), of50, strings.Join(named, ", "), share(r.Certainty[causes.HighCertainty]),
		share(r.Certainty[causes.MediumCertainty]), share(r.Certainty[causes.LowCertainty]), share(r.Standing[causes.StandsTested]), calls,
		ratio, outcome, restored, broken, change,
	}
}

// CauseWorldSummary says over all rows how far each word of certainty and standing can be trusted, and what promises were worth; in
// "en" or "ja".
func CauseWorldSummary(rows []WorldRow, lang string) string {
	l := tableWords(lang)
	var b strings.Builder
	certainty, standing := map[causes.Certainty]WorldTally{}, map[causes.Standing]WorldTally{}
	var calls []int
	planned, made := 0.0, 0
	for _, r := range rows {
		for k, t := range r.Certainty {
			certainty[k] = WorldTally{certainty[k].N + t.N, certainty[k].Right + t.Right}
		}
		for k, t := range r.Standing {
			standing[k] = WorldTally{standing[k].N + t.N, standing[k].Right + t.Right}
		}
		calls, planned = append(calls, r.Calls...), planned+r.Planned
	}
	for _, n := range calls {
		made += n
	}
	slices.Sort(calls)
	for _, c := range []causes.Certainty{causes.HighCertainty, causes.MediumCertainty, causes.LowCertainty} {
		b.WriteString(l.of("certainty %s: %d of %d right\n", l.cause("certainty", string(c)), certainty[c].Right, certainty[c].N))
	}
	for _, s := range causes.Standings() {
		if s == causes.StandsObserved || s == causes.StandsProbable && standing[s].N == 0 {
			continue // nothing is read from a log here
		}
		b.WriteString(l.of("%s: %d of %d right\n", l.cause("stands", string(s)), standing[s].Right, standing[s].N))
	}
	if len(calls) > 0 {
		b.WriteString(l.of("calls for a low answer: median %d, 95th percentile %d; planned ÷ made %.2f\n", calls[len(calls)/2],
			calls[len(calls)*95/100], planned/float64(max(1, made))))
	}
	return b.String()
}
