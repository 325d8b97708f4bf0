package reports

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// analysed puts made-up analyses into a report: causes, question labels, an agreement, reviews and a sweep over the report's own
// questions. The causes go round by number, whatever the answers are: a fixture for layout, no finding.
func analysed(r Report) Report {
	low := lowIDs(r.Candidate)
	r.Causes = causesOf(r.Candidate, low)
	if r.Baseline != nil {
		r.BaselineCauses = causesOf(*r.Baseline, lowIDs(*r.Baseline))
		r.CauseChanges = []causes.CauseChange{
			{Data: causes.RetrievalData, Component: causes.Retriever, Category: "single_hop_specific", Before: 7, After: 1},
			{Data: causes.RetrievalData, Component: causes.Retriever, Category: "single_hop_abstract", Before: 3, After: 2},
			{Data: causes.RetrievalData, Component: causes.Database, Category: "single_hop_specific", Before: 0, After: 1},
			{Data: causes.GenerationData, Component: causes.SystemPrompt, Category: "single_hop_specific", Before: 1, After: 1},
		}
		r.CauseMoves = []causes.CauseMove{
			{From: string(causes.Retriever), To: "good", Count: 9, Questions: []string{"q-003"}},
			{From: string(causes.Retriever), To: string(causes.GenerationModel), Count: 3, Questions: low},
			{From: "good", To: string(causes.SystemPrompt), Count: 1, Questions: low},
		}
	}
	r.Questions, r.Taxonomies = labelsOf(r.Candidate)
	agreement := progress.ProgressOf(agreementOf(r.Candidate, low), r.Candidate, r.Causes, r.Questions)
	r.Agreement = &agreement
	r.Reviews = reviewsOf(r.Candidate, low)
	r.Sweep = sweepOf(r.Candidate)
	return r
}

func lowIDs(e experiments.Evaluation) []string {
	var out []string
	for _, r := range e.Results {
		if r.Low(e.Run.Setup.LowRule()) {
			out = append(out, r.QuestionID)
		}
	}
	return out
}

func causesOf(e experiments.Evaluation, low []string) *causes.CauseReport {
	round := []causes.Component{
		causes.Retriever, causes.Retriever, causes.GenerationModel, causes.Retriever, causes.SystemPrompt, causes.Retriever,
		causes.Database,
	}
	out := &causes.CauseReport{
		RunID: e.Run.ID, DiagnoseID: "d1a6", Method: causes.Tested, Offline: true, LowScores: len(low), Diagnosed: len(low), Calls: 900,
		Summary: experiments.Rationale{
			EN: "Most low-score answers lack a passage that the documents hold. Reading two more passages repairs most of them.",
			JA: "低スコア回答の多くは、文書にある情報を取得できていません。取得する参照箇所を2つ増やすと、" +
				"その多くが直ります。",
		},
	}
	counts := map[causes.Component]*causes.CauseCount{}
	patternCounts := map[causes.PatternCount]int{}
	var heals []string
	for i, id := range low {
		res, _ := e.Result(id)
		c := round[i%len(round)]
		d := diagnosis(id, c, findings.Patterns()[i%4])
		if c == causes.Retriever {
			d.Steps = append(d.Steps, causes.CauseStep{Step: "oracle", Passes: 1, Trials: 1})
		}
		out.Diagnoses = append(out.Diagnoses, d)
		if counts[c] == nil {
			counts[c] = &causes.CauseCount{Data: c.Data(), Component: c}
		}
		counts[c].Count++
		counts[c].Questions = append(counts[c].Questions, id)
		where, _ := findings.CornerOf(res, 2)
		patternCounts[causes.PatternCount{Corner: where, Pattern: d.Pattern}]++
		if c == causes.Retriever {
			heals = append(heals, id)
		}
	}
	for _, c := range []causes.Component{causes.Retriever, causes.GenerationModel, causes.SystemPrompt, causes.Database} {
		if counts[c] != nil {
			out.Counts = append(out.Counts, *counts[c])
		}
	}
	for _, where := range findings.Corners() {
		for _, p := range findings.Patterns() {
			if n := patternCounts[causes.PatternCount{Corner: where, Pattern: p}]; n > 0 {
				out.Patterns = append(out.Patterns, causes.PatternCount{Corner: where, Pattern: p, Count: n})
			}
		}
	}
	out.Examples = causes.ExamplesOf(*out, out.Told(), e, nil)
	waits := diagnosis(low[0], causes.GenerationUnsure, causes.PatternWrong)
	waits.Detail = "partly_untested"
	out.NeedsReference = causes.ReportCauses(e, map[string]causes.Diagnosis{low[0]: waits}, causes.CauseReportInput{}).NeedsReference
	out.Recommendations = []causes.Recommendation{
		{
			Repair: causes.Repair{Component: causes.Retriever, Param: "retrieve.k", From: 4, To: 6, ContextCost: 1.5}, Heals: heals,
			LowScores: len(low),
			AtRisk:    []string{}, Good: 9, Applies: true,
			Rationale: experiments.Rationale{EN: "The evidence stands at rank 5 or 6.", JA: "根拠は 5 位または 6 位にあります。"},
		},
		{
			Repair: causes.Repair{Component: causes.SystemPrompt, Param: "generate.prompt", To: "=Answer from the contexts alone."},
			Heals:  heals[:1], LowScores: len(low),
			Rationale: experiments.Rationale{EN: "The instructions ask for ten words.", JA: "十語以内で答えるよう指示しています。"},
		},
	}
	return out
}

func diagnosis(id string, c causes.Component, p causes.Pattern) causes.Diagnosis {
	return causes.Diagnosis{
		QuestionID: id, Method: causes.Tested, Data: c.Data(), Component: c, Pattern: p, Confidence: 0.97, Certainty: causes.HighCertainty,
		Repairs:  []causes.Repair{{Component: c, Param: "retrieve.k", From: 4, To: 6, Passes: 4, Trials: 4, ContextCost: 1.5}},
		Evidence: []causes.QuotedSpan{{Span: rag.Span{DocID: "handbook", Start: 10, End: 60}, Quote: "refunded in full", Rank: 5}},
		Rationale: experiments.Rationale{
			EN: "The passage that answers the question stands in the documents, but came fifth in the search and was not read. With two more contexts the answer was right in 4 of 4 trials.",
			JA: "質問に答える記述は文書にありますが、検索では 5 位で、読み込まれていません。" +
				"参照箇所を2つ増やすと、4 回中 4 回正しく回答しました。",
		},
	}
}

func labelsOf(e experiments.Evaluation) (*questions.QuestionReport, []experiments.Taxonomy) {
	themes := []string{"refunds", "baggage", "children"}
	out := &questions.QuestionReport{RunID: e.Run.ID, AnalyseID: "a1b2", Dataset: e.Run.Setup.Dataset.String(), Offline: true}
	categories, byTheme := map[string]*questions.LabelCount{}, map[string]*questions.LabelCount{}
	add := func(counts map[string]*questions.LabelCount, label, id string, low bool) {
		if counts[label] == nil {
			counts[label] = &questions.LabelCount{Label: label}
		}
		counts[label].Count++
		counts[label].Questions = append(counts[label].Questions, id)
		if low {
			counts[label].Low++
		}
	}
	for i, q := range e.Questions {
		l := experiments.QuestionLabels{QuestionID: q.ID, Category: experiments.Categories()[i%3], Theme: themes[i%3],
			Keywords: []string{"fare"}, HopsBy: "evidence"}
		if i%7 == 6 {
			l.Theme = experiments.OtherLabel
		}
		out.Questions = append(out.Questions, l)
		res, _ := e.Result(q.ID)
		add(categories, string(l.Category), q.ID, res.Low(experiments.UsualLow(2)))
		add(byTheme, l.Theme, q.ID, res.Low(experiments.UsualLow(2)))
	}
	for _, c := range experiments.Categories() {
		if n := categories[string(c)]; n != nil {
			out.Categories = append(out.Categories, *n)
		}
	}
	for _, t := range append(themes, experiments.OtherLabel) {
		if n := byTheme[t]; n != nil {
			out.Themes = append(out.Themes, *n)
		}
	}
	out.Keywords = []questions.LabelCount{{Label: "fare", Count: 9, Low: 2}, {Label: "=SUM(1)", Count: 4, Low: 1}}
	out.Warnings = []questions.CoverageWarning{{Code: "category_missing", Text: experiments.Rationale{
		EN: "No question asks for an explanation from several places of the documents.", JA: "文書の複数の箇所から説明を求める質問がありません。",
	}}}
	return out, []experiments.Taxonomy{{ID: "theme", Version: 1, EN: "Theme", JA: "テーマ", Labels: []experiments.TaxonomyLabel{
		{ID: "refunds", EN: "Refunds", JA: "払い戻し"}, {ID: "baggage", EN: "Baggage", JA: "手荷物"}, {ID: "children", EN: "Children", JA: "お子さま"},
	}}}
}

func agreementOf(e experiments.Evaluation, low []string) experiments.Agreement {
	return experiments.Agreement{
		Dataset: e.Run.Setup.Dataset.Name, Version: 2, LowScore: 2, AgreedBy: []string{"Customer service", "IT"}, AgreedOn: "2026-11-16",
		Targets: []experiments.Target{
			{Goal: experiments.Goal{Metric: lowShare, Target: 0.05, Owner: "IT"}, Due: "2026-12-15"},
			{Goal: experiments.Goal{Theme: "refunds", Metric: correctness, Target: 4.0, Owner: "Customer service"}},
		},
		Items: []experiments.AgreementItem{
			{CauseGroup: experiments.CauseGroup{Component: string(causes.Retriever)}, Action: "Read six passages",
				Priority: experiments.HighPriority, Owner: "IT", Due: "2026-12-01", Was: new(len(low) + 3)},
			{CauseGroup: experiments.CauseGroup{Theme: "children"}, OutOfScope: true, Why: "=answered by telephone"},
		},
	}
}

func reviewsOf(e experiments.Evaluation, low []string) *progress.ReviewFigures {
	out := &progress.ReviewFigures{
		RunID: e.Run.ID, Threshold: 2, Reviewers: []string{"A. CS", "@evil"}, Reviews: 12, Stale: 1, Answers: len(e.Questions),
		Judge: []progress.RaterFigures{
			{Of: "verdict", N: 12, Percent: 0.917, Kappa: new(0.81), CI95: &stats.Interval{Low: 0.55, High: 1}, Alpha: new(0.8)},
			{Of: "correctness", N: 9, Percent: 0.78, Kappa: new(0.7)},
		},
		People: []progress.RaterFigures{{Of: "verdict", N: 5, Percent: 0.8}},
		Corrected: []progress.CorrectedMean{{Metric: correctness, Judge: 4.1, N: 14, Labels: 12, Estimate: new(3.9),
			CI95: stats.Interval{Low: 3.4, High: 4.4}}, {Metric: trust, Judge: 4.4, Labels: 2}},
	}
	for _, id := range low {
		out.Labels = append(out.Labels, progress.HumanLabel{QuestionID: id, Reviews: []experiments.Review{
			{QuestionID: id, Reviewer: "A. CS", Verdict: experiments.IncorrectAnswer, Correctness: new(2)},
		}})
	}
	return out
}

func sweepOf(e experiments.Evaluation) *Sweep {
	out := &Sweep{ID: "5eeb00000000", Winner: "run-800-0-4"}
	for i, size := range []int{800, 1000} {
		for j, overlap := range []int{0, 200} {
			for k, top := range []int{3, 4} {
				r := e.Run
				r.ID = fmt.Sprintf("run-%d-%d-%d", size, overlap, top)
				if size == 800 && overlap == 200 && top == 4 {
					r.ID = e.Run.ID
				}
				r.Params = []experiments.Param{{Name: "chunk.size", Value: size}, {Name: "chunk.overlap", Value: overlap},
					{Name: "retrieve.k", Value: top}}
				totals := experiments.Total(e.Results, experiments.UsualLow(2))
				totals.LowScoreCount += 2*i + 3*j + 4*(1-k)
				r.Totals = &totals
				out.Runs = append(out.Runs, r)
			}
		}
	}
	out.Runs[7].Totals, out.Runs[7].State = nil, experiments.Cancelled
	out.Effects = []analysiscompare.SweepEffects{{Metric: analysiscompare.GoodAnswers, N: 15, Levels: []analysiscompare.LevelEffect{
		{Param: "chunk.size", Value: "800", Runs: 4, Mean: 0.81, Effect: 0.04, CI95: &[2]float64{0.01, 0.07}},
		{Param: "chunk.size", Value: "1000", Runs: 4, Mean: 0.73, Effect: -0.04},
	}}}
	out.Map = analysiscompare.SweepMap{Metric: analysiscompare.GoodAnswers, N: 15,
		Words: experiments.Rationale{EN: "Words of the map.", JA: "表の説明。"},
		Cells: []analysiscompare.MapCell{{RunID: "run-800-0-4", Best: true}, {RunID: "run-800-0-3"},
			{RunID: "run-800-200-3", Gap: analysiscompare.Gap{Differs: true}}}}
	return out
}
