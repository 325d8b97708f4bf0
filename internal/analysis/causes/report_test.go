package causes

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

func retrieverDiagnosis(id string, alternatives ...Repair) Diagnosis {
	d := Diagnosis{QuestionID: id, Method: Tested, Data: RetrievalData, Component: Retriever, Calls: 10, Alternatives: alternatives}
	if len(alternatives) > 0 {
		d.Repairs = alternatives[:1]
	}
	return d
}

func kTo(n int) Repair {
	return Repair{Component: Retriever, Param: "retrieve.k", From: 3, To: n, ContextCost: float64(n) / 3, Expensive: n > 6}
}

func embedderB() Repair {
	return Repair{Component: Retriever, Param: "embedding.model", From: "a", To: "b", ContextCost: 1.6}
}

// lowRun is a run of n low answers and two good ones.
func lowRun(t *testing.T, n int) experiments.Evaluation {
	t.Helper()
	rows := evaltest.Table{}
	for i := range n {
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": 1, "trust": 5}
	}
	rows[fmt.Sprint("q", n+1)] = map[string]float64{"correctness": 5, "trust": 5}
	rows[fmt.Sprint("q", n+2)] = map[string]float64{"correctness": 4, "trust": 5}
	return evaltest.Evaluation(t, "run", rows)
}

// TestRecommendations is science.md 3.3: "k 3 -> 5 repairs 14 of 19; embedder B repairs 12; both 18".
func TestRecommendations(t *testing.T) {
	t.Parallel()
	e, diagnoses := lowRun(t, 19), map[string]Diagnosis{}
	for i := 1; i <= 19; i++ {
		var repairs []Repair
		switch {
		case i <= 6:
			repairs = []Repair{kTo(4 + i%2)} // 4 or 5
		case i <= 14:
			repairs = []Repair{kTo(5), embedderB()}
		case i <= 18:
			repairs = []Repair{embedderB(), kTo(20)}
		default:
			repairs = []Repair{kTo(25)}
		}
		id := fmt.Sprint("q", i)
		diagnoses[id] = retrieverDiagnosis(id, repairs...)
	}
	risk := map[string]RepairRisk{kTo(5).Key(): {AtRisk: []string{"q20"}, Changed: 2, Good: 2, Unmeasured: 1}}
	r := ReportCauses(e, diagnoses, CauseReportInput{DiagnoseID: "d", Method: Tested, Risks: risk})
	if len(r.Recommendations) != 2 {
		t.Fatalf("%d recommendations: %+v", len(r.Recommendations), r.Recommendations)
	}
	knee, single := r.Recommendations[0], r.Recommendations[1] // 14 are less than four fifths of 18
	if knee.Key() != `embedding.model="b" + retrieve.k=5` || len(knee.Heals) != 18 || knee.LowScores != 19 || !knee.Applies ||
		!strings.Contains(knee.Rationale.EN, "Forecast: it repairs 18 of 19 low-score answers; not tried in this analysis, so it may be more or fewer.") ||
		!strings.Contains(r.Summary.EN, knee.Came().EN) || !strings.Contains(r.Summary.JA, knee.Came().JA) {
		t.Errorf("first %+v", knee)
	}
	if single.Key() != "retrieve.k=5" || len(single.Heals) != 14 || !cmp.Equal(single.AtRisk, []string{"q20"}) || single.Good != 2 {
		t.Errorf("second %+v", single)
	}
	if r.LowScores != 19 || r.Diagnosed != 19 || r.Calls != 190 || len(r.Counts) != 1 || r.Counts[0].Component != Retriever ||
		r.Counts[0].Count != 19 || r.Counts[0].Param != "" {
		t.Errorf("report %+v", r)
	}
	stored := map[string]Diagnosis{} // as they come back from the store
	for id, d := range diagnoses {
		body, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back Diagnosis
		if err := json.Unmarshal(body, &back); err != nil {
			t.Fatal(err)
		}
		stored[id] = back
	}
	again := ReportCauses(e, stored, CauseReportInput{DiagnoseID: "d", Method: Tested, Risks: risk})
	for i, x := range again.Recommendations {
		if x.Key() != r.Recommendations[i].Key() || !cmp.Equal(x.Heals, r.Recommendations[i].Heals) ||
			x.Rationale != r.Recommendations[i].Rationale {
			t.Errorf("after storing: %+v, before: %+v", x, r.Recommendations[i])
		}
	}
	everySentenceIsShort(t, r.Summary)
	for _, x := range r.Recommendations {
		everySentenceIsShort(t, x.Rationale)
	}
}

// figures in prose: a quoted text, the name of a parameter or a document's place is none.
var figureIn = regexp.MustCompile(`\d+(?:\.\d+)?`)

func everySentenceIsShort(t *testing.T, r experiments.Rationale) {
	t.Helper()
	for _, text := range []string{r.EN, r.JA} {
		if text == "" {
			t.Error("a language is missing")
		}
		for _, sentence := range regexp.MustCompile(`\. |。`).Split(text, -1) {
			if n := len(figureIn.FindAllString(sentence, -1)); n > 3 {
				t.Errorf("%d numbers in %q", n, sentence)
			}
		}
	}
}

// TestRecommendationsJoinWhatBelongsTogether: an answer with two faults is repaired by both changes, never by one.
func TestRecommendationsJoinWhatBelongsTogether(t *testing.T) {
	t.Parallel()
	prompt := Repair{Component: SystemPrompt, Param: "generate.prompt", From: "present", To: ReferencePart, ContextCost: 1}
	diagnoses := map[string]Diagnosis{}
	for i := 1; i <= 10; i++ {
		id := fmt.Sprint("q", i)
		d := retrieverDiagnosis(id, kTo(4+i%2))
		d.Repairs, d.Further = []Repair{kTo(4 + i%2), prompt}, []Component{SystemPrompt}
		diagnoses[id] = d
	}
	r := ReportCauses(lowRun(t, 10), diagnoses, CauseReportInput{Method: Tested})
	if len(r.Recommendations) == 0 || r.Recommendations[0].Key() != `generate.prompt="reference" + retrieve.k=5` ||
		len(r.Recommendations[0].Heals) != 10 {
		t.Fatalf("%+v", r.Recommendations)
	}
	config, err := ApplyRepairs(rag.DefaultConfig(), r.Recommendations[0].Changes(), "en")
	if err != nil || config.Retrieve.K != 5 || config.Generate.Prompt != ReferencePrompt("en") {
		t.Errorf("%v: %+v", err, config)
	}
}

// TestRecommendationsCanBeMade: chunks stay longer than their overlap, whatever single answers would need.
func TestRecommendationsCanBeMade(t *testing.T) {
	t.Parallel()
	chunk := func(param string, to int) Repair {
		return Repair{Component: Retriever, Param: "chunk." + param, From: 800, To: to, ContextCost: 1}
	}
	diagnoses := map[string]Diagnosis{"q1": retrieverDiagnosis("q1", chunk("overlap", 400)),
		"q2": retrieverDiagnosis("q2", chunk("size", 400))}
	for _, r := range ReportCauses(lowRun(t, 2), diagnoses, CauseReportInput{Method: Tested}).Recommendations {
		if _, err := ApplyRepairs(rag.DefaultConfig(), r.Changes(), "en"); err != nil || len(r.Changes()) != 1 {
			t.Errorf("%s: %v", r.Key(), err)
		}
	}
}

// TestRecommendationsKeepTheirPromise: what was tried is told as it happened, decides the order, and net harm is not recommended.
func TestRecommendationsKeepTheirPromise(t *testing.T) {
	t.Parallel()
	e, diagnoses := lowRun(t, 10), map[string]Diagnosis{}
	for i := 1; i <= 10; i++ {
		id := fmt.Sprint("q", i)
		diagnoses[id] = retrieverDiagnosis(id, kTo(5), embedderB())
		if i > 5 {
			diagnoses[id] = retrieverDiagnosis(id, embedderB())
		}
	}
	embedder := joint{embedderB()}.key()
	tried := func(low float64) CauseReportInput {
		return CauseReportInput{Method: Tested, Outcomes: map[string]RepairOutcome{embedder: {
			Promised: 10, TriedLow: 10, Repaired: []string{"q1", "q2"}, TriedGood: 2, Broken: []string{"q11"}, Good: 2, LowBefore: 10,
			LowAfter: low,
		}}}
	}
	r := ReportCauses(e, diagnoses, tried(9))
	if len(r.Recommendations) != 1 || r.Recommendations[0].Outcome == nil ||
		!strings.Contains(r.Recommendations[0].Rationale.EN,
			"Tried on 10 low-score answers, it repaired 2. Of 2 good answers tried, 1 became low. "+
				"The forecast was that 10 of the 10 would be repaired.") {
		t.Errorf("%+v", r.Recommendations)
	}
	if !strings.Contains(r.Summary.EN, "Tried on 10 low-score answers, it repaired 2. Of 2 good answers tried, 1 became low.") {
		t.Error(r.Summary.EN)
	}
	if r := ReportCauses(e, diagnoses, tried(10)); len(r.Recommendations) != 0 {
		t.Errorf("net harm is recommended: %+v", r.Recommendations)
	}
}

// TestWholeConfigurationsAreToldAsTheyWereTried: a wider search that no single answer proposed is tried, promised by nobody, and wins
// where it repairs more; the curve shows all, harm included.
func TestWholeConfigurationsAreToldAsTheyWereTried(t *testing.T) {
	t.Parallel()
	e, diagnoses := lowRun(t, 10), map[string]Diagnosis{}
	e.Run.Setup.Config = rag.DefaultConfig()
	e.Run.Setup.Config.Retrieve.K, e.Run.Setup.Config.Chunk.Size = 3, 100
	for i := 1; i <= 10; i++ {
		id := fmt.Sprint("q", i)
		diagnoses[id] = retrieverDiagnosis(id, kTo(4))
	}
	untried := ReportCauses(e, diagnoses, CauseReportInput{Method: Tested})
	if r := untried; len(r.Recommendations) != 1 || len(r.Curve) != 1 || r.Curve[0].Tried {
		t.Fatalf("untried, %d are recommended and %+v drawn", len(r.Recommendations), r.Curve)
	}
	toTry := ToTry(e, diagnoses, CauseReportInput{Method: Tested})
	if len(toTry) != 3 {
		t.Fatalf("%d are to be tried: %+v", len(toTry), toTry)
	}
	in := CauseReportInput{Method: Tested, Outcomes: map[string]RepairOutcome{}}
	wide := ""
	for _, r := range toTry {
		o := RepairOutcome{TriedLow: 10, LowBefore: 10, LowAfter: 9, LowLeast: 8, LowMost: 9, Cost: 1.3}
		switch {
		case len(r.With) > 0:
			wide, o.LowAfter, o.Cost = r.Key(), 1, 2
		case r.Repair.To == 6:
			o.LowAfter = 12
		}
		in.Outcomes[r.Key()] = o
	}
	r := ReportCauses(e, diagnoses, in)
	if len(r.Recommendations) != 2 || r.Recommendations[0].Key() != wide || len(r.Curve) != 3 {
		t.Fatalf("%d recommended, the first %s, %d drawn", len(r.Recommendations), r.Recommendations[0].Key(), len(r.Curve))
	}
	for _, p := range r.Curve {
		if p.Recommended != (len(p.Changes) > 1) || p.Harms != (p.Repaired < 0) || !p.Tried || p.Name.JA == "" {
			t.Errorf("%+v", p)
		}
	}
	if _, err := ApplyRepairs(e.Run.Setup.Config, r.Recommendations[0].Changes(), "en"); err != nil {
		t.Error(err)
	}
}

// TestAnEstimateNamesItsSample: what is expected of the whole run says on how many answers of each kind it rests; nothing estimated
// is claimed where every answer was tried.
func TestAnEstimateNamesItsSample(t *testing.T) {
	t.Parallel()
	part := RepairOutcome{TriedLow: 48, LowBefore: 144, TriedGood: 21, Good: 54, LowAfter: 139, LowLeast: 124, LowMost: 152}.InAll()
	if !strings.Contains(part.EN, "judged from a sample of 48 of 144 low-score and 21 of 54 good answers") ||
		!strings.Contains(part.JA, "低スコア回答144件中48件、良い回答54件中21件で試した結果からの推定") {
		t.Errorf("the sample is not named: %+v", part)
	}
	whole := RepairOutcome{TriedLow: 144, LowBefore: 144, TriedGood: 54, Good: 54, LowAfter: 139}.InAll()
	if strings.Contains(whole.EN, "sample") || strings.Contains(whole.JA, "推定") || !strings.Contains(whole.EN, "every answer was tried") {
		t.Errorf("an estimate where all was tried: %+v", whole)
	}
}

// TestRecommendationsLeaveOut what no change of the configuration repairs.
func TestRecommendationsLeaveOut(t *testing.T) {
	t.Parallel()
	double := retrieverDiagnosis("q1", kTo(5)) // of two faults one has no repair
	double.Repairs, double.Further = nil, []Component{SystemPrompt}
	observed := retrieverDiagnosis("q2", kTo(5))
	observed.Method = Observed
	failed := retrieverDiagnosis("q3", kTo(5))
	failed.Repairs, failed.Detail = nil, "context_noise"
	noise := Diagnosis{QuestionID: "q4", Method: Tested, Component: NoFault, Data: NoFaultData}
	dear := retrieverDiagnosis("q5", kTo(20))
	all := map[string]Diagnosis{"q1": double, "q2": observed, "q3": failed, "q4": noise}
	e := lowRun(t, 5)
	if r := ReportCauses(e, all, CauseReportInput{Method: Tested}); len(r.Recommendations) != 0 ||
		!strings.Contains(r.Summary.EN, "No change") {
		t.Errorf("recommended %+v; %s", r.Recommendations, r.Summary.EN)
	}
	all["q5"] = dear // expensive, and nothing else repairs anything
	if r := ReportCauses(e, all, CauseReportInput{Method: Tested}); len(r.Recommendations) != 1 || !r.Recommendations[0].Repair.Expensive {
		t.Errorf("recommended %+v", r.Recommendations)
	}
	if r := ReportCauses(e, map[string]Diagnosis{"q2": observed}, CauseReportInput{Method: Observed}); len(r.Recommendations) != 0 ||
		!strings.Contains(r.Summary.JA, "検証されていません") {
		t.Errorf("an observed cause was recommended to be repaired: %+v", r)
	}
}

// TestPaperTable5 prints the published change: retriever, single-hop specific 7 -> 1, abstract 3 -> 2, and so on.
func TestPaperTable5(t *testing.T) {
	t.Parallel()
	specific, abstract := experiments.CategoryOf(experiments.SingleHop, experiments.Specific),
		experiments.CategoryOf(experiments.SingleHop, experiments.Abstract)
	labels := map[string]experiments.QuestionLabels{}
	next := 0
	report := func(counts map[Component][2]int) CauseReport {
		var r CauseReport
		for _, c := range Components() {
			for k, category := range []experiments.Category{specific, abstract} {
				for range counts[c][k] {
					next++
					id := fmt.Sprint("q", next)
					labels[id] = experiments.QuestionLabels{Category: category}
					r.Diagnoses = append(r.Diagnoses, Diagnosis{QuestionID: id, Component: c, Data: c.Data()})
				}
			}
		}
		return r
	}
	before := report(map[Component][2]int{Retriever: {7, 3}, Database: {0, 1}, SystemPrompt: {1, 0}})
	after := report(map[Component][2]int{Retriever: {1, 2}, Database: {1, 0}, SystemPrompt: {1, 0}})
	want := []CauseChange{
		{RetrievalData, Database, string(specific), 0, 1},
		{RetrievalData, Database, string(abstract), 1, 0},
		{RetrievalData, Retriever, string(specific), 7, 1},
		{RetrievalData, Retriever, string(abstract), 3, 2},
		{GenerationData, SystemPrompt, string(specific), 1, 1},
	}
	if diff := cmp.Diff(want, CauseChanges(before, after, labels)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rows := CauseChanges(before, after, nil); len(rows) != 3 || rows[1].Before != 10 || rows[1].After != 3 {
		t.Errorf("without categories: %+v", rows)
	}
}

func TestCauseMoves(t *testing.T) {
	t.Parallel()
	before := evaltest.Evaluation(t, "b", evaltest.Table{"q1": {"correctness": 1}, "q2": {"correctness": 1}, "q3": {"correctness": 5},
		"q4": {"correctness": 5}, "q5": {"correctness": 2}})
	after := evaltest.Evaluation(t, "c", evaltest.Table{"q1": {"correctness": 5}, "q2": {"correctness": 2}, "q3": {"correctness": 1},
		"q4": {"correctness": 4}, "q5": {"correctness": 5}})
	for _, e := range []experiments.Evaluation{before, after} {
		for i := range e.Results {
			e.Results[i].Answer = &rag.Answer{}
		}
	}
	was := CauseReport{Diagnoses: []Diagnosis{{QuestionID: "q1", Component: Retriever}, {QuestionID: "q2", Component: Retriever},
		{QuestionID: "q5", Component: Retriever}}}
	is := CauseReport{Diagnoses: []Diagnosis{{QuestionID: "q2", Component: SystemPrompt}}}
	want := []CauseMove{
		{"retriever", GoodAnswer, 2, []string{"q1", "q5"}}, {GoodAnswer, UnknownCause, 1, []string{"q3"}},
		{"retriever", "system_prompt", 1, []string{"q2"}},
	}
	if diff := cmp.Diff(want, CauseMoves(before, after, was, is)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPatternOf(t *testing.T) {
	t.Parallel()
	contradicted := metrics.Explanation{Claims: []metrics.ExplainedClaim{{Of: "answer",
		Verdicts: []metrics.ExplainedVerdict{{Against: "reference", Verdict: "contradicted"}}}}}
	byContext := metrics.Explanation{Claims: []metrics.ExplainedClaim{{Of: "answer",
		Verdicts: []metrics.ExplainedVerdict{{Against: "context", Verdict: "contradicted"}}}}}
	partly := metrics.Explanation{Claims: []metrics.ExplainedClaim{{Of: "reference", Key: true,
		Verdicts: []metrics.ExplainedVerdict{{Against: "answer", Verdict: "supported"}}}}}
	nothing := metrics.Explanation{Claims: []metrics.ExplainedClaim{{Of: "reference", Key: true,
		Verdicts: []metrics.ExplainedVerdict{{Against: "answer", Verdict: "unsupported"}}}}}
	answerable := experiments.Question{ID: "q1", Answerable: true}
	for name, c := range map[string]struct {
		correctness, trust float64
		answer             string
		known              metrics.Explanation
		want               Pattern
	}{
		"good":                      {4, 4, "The fee is 440 yen.", contradicted, ""},
		"wrong":                     {1, 1, "The fee is 550 yen.", contradicted, PatternWrong},
		"wrong though grounded":     {1, 5, "The fee is 550 yen.", contradicted, PatternWrong},
		"not found":                 {1, 5, "The documents do not say.", metrics.Explanation{}, PatternNotFound},
		"not found, ja":             {1, 5, "文書には記載がありません。", metrics.Explanation{}, PatternNotFound},
		"not found, then something": {1, 5, "The documents do not say. Fees may apply.", metrics.Explanation{}, PatternNotFound},
		"not in contexts":           {5, 1, "Fees are common.", metrics.Explanation{}, PatternNotInContexts},
		"not in contexts, both low": {1, 1, "Fees are common.", byContext, PatternNotInContexts},
		"a part of it":              {2, 5, "There is a fee.", partly, PatternIncomplete},
		"nothing of it":             {2, 5, "Ask us.", nothing, PatternHardlyAny},
		"nobody looked":             {2, 5, "There is a fee.", metrics.Explanation{}, PatternOther},
	} {
		e := evaltest.Evaluation(t, "run", evaltest.Table{"q1": {"correctness": c.correctness, "trust": c.trust}})
		e.Results[0].Answer = &rag.Answer{Generation: rag.Generation{Text: c.answer}}
		if got := PatternOf(c.known.Grounds(), answerable, e.Results[0], 2); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for reason, want := range map[string]Pattern{ // as the offline judge says it
		"正解の57%を含む。正解と矛盾する記述：「75%です。」":                 PatternWrong,
		"正解の34%を含む。不足：「3,300円です。」":                     PatternIncomplete,
		"正解の5%を含む。不足：「全部」":                             PatternHardlyAny,
		"covers 0% of the reference; missing: \"all\"": PatternHardlyAny,
		"says the opposite of the reference":           PatternWrong,
	} {
		e := evaltest.Evaluation(t, "run", evaltest.Table{"q1": {"correctness": 1, "trust": 5}})
		e.Results[0].Answer = &rag.Answer{Generation: rag.Generation{Text: "It is 75%."}}
		for i := range e.Results[0].Scores {
			if e.Results[0].Scores[i].Metric == "correctness" {
				e.Results[0].Scores[i].Reason = reason
			}
		}
		if got := PatternOf(metrics.Grounds{}, answerable, e.Results[0], 2); got != want {
			t.Errorf("%s: %q, want %q", reason, got, want)
		}
		if got := PatternOf(metrics.Grounds{}, experiments.Question{}, e.Results[0], 2); got != PatternWrong {
			t.Errorf("answers what the documents do not: %q", got)
		}
	}
}

// TestApplyRepair makes every repair that a configuration can express, also after it was stored.
func TestApplyRepair(t *testing.T) {
	t.Parallel()
	base := rag.DefaultConfig()
	base.Chunk, base.Embedding.Name, base.Retrieve.K = rag.Chunking{By: "chars", Size: 300}, "ngram", 2
	base.PostProcess, base.Rewrite.Mode, base.Generate.Name = rag.PostModes{"truncate"}, "damage", "terse"
	for _, c := range []struct {
		repair Repair
		check  func(rag.Config) bool
	}{
		{kTo(5), func(c rag.Config) bool { return c.Retrieve.K == 5 }},
		{Repair{Component: Retriever, Param: "chunk.size", To: 600}, func(c rag.Config) bool { return c.Chunk.Size == 600 }},
		{Repair{Component: Retriever, Param: "embedding.model", To: "hash"}, func(c rag.Config) bool { return c.Embedding.Name == "hash" }},
		{Repair{Component: Retriever, Param: "embedding", To: rag.Model{Provider: "p", Name: "m"}},
			func(c rag.Config) bool { return c.Embedding.String() == "p/m" }},
		{Repair{Component: SearchQuery, Param: "rewrite", To: "none"}, func(c rag.Config) bool { return c.Rewrite.Mode == "none" }},
		{Repair{Component: PostProcessing, Param: "post_process", To: "none"}, func(c rag.Config) bool { return len(c.PostProcess) == 0 }},
		{Repair{Component: SystemPrompt, Param: "generate.prompt", To: ReferencePart},
			func(c rag.Config) bool { return c.Generate.Prompt == ReferencePrompt("ja") }},
		{Repair{Component: GenerationModel, Param: "generate.model", To: "extractive"},
			func(c rag.Config) bool { return c.Generate.Name == "extractive" }},
		{Repair{Component: GenerationModel, Param: "generate", To: rag.Model{Provider: "p", Name: "m"}},
			func(c rag.Config) bool { return c.Generate.Model.String() == "p/m" }},
	} {
		body, err := json.Marshal(c.repair)
		if err != nil {
			t.Fatal(err)
		}
		var stored Repair
		if err := json.Unmarshal(body, &stored); err != nil {
			t.Fatal(err)
		}
		for _, r := range []Repair{c.repair, stored} {
			got, err := ApplyRepair(base, r, "ja")
			if err != nil || !c.check(got) {
				t.Errorf("%s: %+v, %v", r.Key(), got, err)
			}
			if r.Key() != c.repair.Key() || !r.Applies() {
				t.Errorf("%s becomes %s", c.repair.Key(), r.Key())
			}
		}
	}
	for _, r := range []Repair{{Component: Database, Param: "corpus", To: "add"}, {Component: QuestionText, To: "reword"}} {
		if _, err := ApplyRepair(base, r, "en"); err == nil || r.Applies() {
			t.Errorf("%+v was applied to a configuration", r)
		}
	}
}

// TestCauseWords names every code in both languages.
func TestCauseWords(t *testing.T) {
	t.Parallel()
	en, ja := CauseWords("en"), CauseWords("ja")
	codes := []string{}
	for _, c := range Components() {
		codes = append(codes, "component."+string(c), "data."+string(c.Data()))
	}
	for _, p := range Patterns() {
		codes = append(codes, "pattern."+string(p))
	}
	for _, c := range []Corner{BothLow, CorrectnessLow, TrustLow} {
		codes = append(codes, "corner."+string(c))
	}
	for _, m := range []CauseMethod{Tested, Observed, PaperWay} {
		codes = append(codes, "method."+string(m))
	}
	for _, code := range codes {
		if en[code] == "" || ja[code] == "" || en[code] == ja[code] {
			t.Errorf("%s: %q, %q", code, en[code], ja[code])
		}
	}
}

// TestAReferenceModelIsAskedForWhereItDecides counts the answers that wait for one, and asks nobody for a model that cannot be put in.
func TestAReferenceModelIsAskedForWhereItDecides(t *testing.T) {
	t.Parallel()
	for waiting, want := range map[int][2]string{
		0: {},
		1: {"The cause of 1 low-score answer is not proven ", "低スコア回答1件の原因は未確定です"},
		3: {"The causes of 3 low-score answers are not proven ", "低スコア回答3件の原因は未確定です"},
	} {
		e, found := lowRun(t, 4), map[string]Diagnosis{}
		for i := range 4 {
			id := fmt.Sprint("q", i+1)
			found[id] = Diagnosis{QuestionID: id, Method: Tested, Component: GenerationUnsure, Data: GenerationData, Detail: "untested"}
			if i < waiting {
				d := found[id]
				d.Detail = "partly_untested"
				found[id] = d
			}
		}
		need := ReportCauses(e, found, CauseReportInput{Method: Tested}).NeedsReference
		if waiting == 0 {
			if need != nil {
				t.Errorf("nothing waits for a model: %+v", need)
			}
			continue
		}
		const command = "workbench diagnose run --reference PROVIDER/MODEL"
		if need == nil || need.Answers != waiting || !strings.Contains(need.Text.EN, want[0]) || need.Command != command ||
			!strings.Contains(need.Text.JA, want[1]) || strings.Contains(need.Text.EN+need.Text.JA, "workbench ") {
			t.Errorf("%d wait: %+v", waiting, need)
		}
		own := e.Run.Setup.Config.Generate.Model
		need = ReportCauses(e, found, CauseReportInput{Method: Tested, Reference: &own}).NeedsReference
		if need == nil || strings.Contains(need.Text.EN, "no other model was named") ||
			!strings.Contains(need.Text.EN, "is that of the run") ||
			strings.Contains(need.Text.JA, "指定がない") || !strings.Contains(need.Text.JA, "実行のモデルと同じ") {
			t.Errorf("the model to compare with is the run's own: %+v", need)
		}
		other := rag.Model{Provider: "maker", Name: "large"}
		if need := ReportCauses(e, found, CauseReportInput{Method: Tested, Reference: &other}).NeedsReference; need != nil {
			t.Errorf("another model was named, and one is asked for: %+v", need)
		}
		e.Run.Setup.Config.Endpoint = &remote.Endpoint{}
		if need := ReportCauses(e, found, CauseReportInput{Method: Tested}).NeedsReference; need != nil {
			t.Errorf("the model of an endpoint stays its own: %+v", need)
		}
	}
}

// TestPatternsSayWhenOnlyReasonsWereRead: where nobody set an answer's statements against the right answer, the table of patterns says how
// many answers could be wrong for all that is known; and nothing where somebody did, or where all are known.
func TestPatternsSayWhenOnlyReasonsWereRead(t *testing.T) {
	t.Parallel()
	table := []PatternCount{{Pattern: PatternWrong, Count: 2}, {Pattern: PatternNotFound, Count: 3}, {Pattern: PatternIncomplete, Count: 4},
		{Pattern: PatternHardlyAny, Count: 5}}
	suite := func(names ...string) []metrics.Spec {
		specs, err := metrics.Resolve(names)
		if err != nil {
			t.Fatal(err)
		}
		return specs
	}
	e := evaltest.One(t, "r", "correctness", 1)
	e.Run.Setup.Suite, e.Run.Setup.LowScore = suite("correctness", "trust", "retrieval"), 2
	got := ReportCauses(e, nil, CauseReportInput{Patterns: map[string]Pattern{"q1": PatternIncomplete}}).PatternsBy
	if !strings.HasPrefix(got.EN, "How 1 of 1 low-score answers fail is read from the reason of the grade alone") ||
		!strings.Contains(got.EN, "factual correctness or answer correctness") || !strings.Contains(got.JA, "低スコア回答1件のうち1件") {
		t.Errorf("the report says %+v", got)
	}
	table = append(table, PatternCount{Corner: CorrectnessLow, Pattern: PatternOther, Count: 3}) // of which not even the reason tells
	if got := patternsBy(e.Run.Setup.Suite, table); !strings.Contains(got.EN, "How 9 of 17 ") || !strings.Contains(got.JA, "17件のうち9件") {
		t.Errorf("said is %+v", got)
	}
	if got := patternsBy(e.Run.Setup.Suite, table[:2]); got.EN != "" {
		t.Errorf("of answers that are known to be wrong or found nothing: %q", got.EN)
	}
	if got := patternsBy(suite("correctness", "factual_correctness"), table); got.EN != "" {
		t.Errorf("of a run whose statements were looked up: %q", got.EN)
	}
}
