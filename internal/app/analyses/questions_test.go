package analyses

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

func analysed(w *apptest.World, t *testing.T, name string, rules QuestionRules) questions.QuestionReport {
	t.Helper()
	if _, err := AnalyseQuestions(t.Context(), w.Workbench, name, rules); err != nil {
		t.Fatal(err)
	}
	r, err := QuestionReport(t.Context(), w.Workbench, name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func labelsByID(r questions.QuestionReport) map[string]experiments.QuestionLabels {
	out := map[string]experiments.QuestionLabels{}
	for _, l := range r.Questions {
		out[l.QuestionID] = l
	}
	return out
}

func TestQuestionsOfARun(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	if _, err := QuestionReport(t.Context(), w.Workbench, "asked"); problem.CodeOf(err) != "questions_unknown" {
		t.Errorf("before any analysis: %v", err)
	}
	run := w.Worked(t, "name: base\nbase: {retrieve: {mode: bm25, k: 1}, generate: {provider: offline, model: closed-book}}\n")
	r := analysed(w, t, "base", QuestionRules{})
	if r.RunID != run.ID || len(r.Questions) != len(apptest.AskedQuestions) || !r.Offline || r.Dataset != "asked@1" {
		t.Errorf("report %s of %s, %d questions, offline %v", r.RunID, r.Dataset, len(r.Questions), r.Offline)
	}
	low, total := 0, 0
	for _, c := range r.Categories {
		low, total = low+c.Low, total+c.Count
	}
	if total != len(apptest.AskedQuestions) || low != run.Totals.LowScoreCount || low == 0 {
		t.Errorf("%d questions with %d low scores; the run has %d", total, low, run.Totals.LowScoreCount)
	}
	for _, l := range r.Questions {
		if l.HopsBy != questions.HopsByEvidence || l.Hops != experiments.SingleHop || l.Answerable == nil || !*l.Answerable {
			t.Errorf("%s: %+v", l.QuestionID, l)
		}
	}
	analyse, err := w.Store.Run(t.Context(), r.AnalyseID)
	if err != nil || analyse.ParentID != run.ID || analyse.State != experiments.Finished || analyse.Chain == "" {
		t.Errorf("the analysis is %+v, %v", analyse, err)
	}
	before := runs(w, t)
	again := analysed(w, t, "base", QuestionRules{})
	if after := runs(w, t); after != before || again.AnalyseID != r.AnalyseID {
		t.Errorf("analysing again made %d runs", after-before)
	}
}

func runs(w *apptest.World, t *testing.T) int {
	t.Helper()
	list, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestAFirstAnalysisHasNoHistory: one that added themes and labelled again has no earlier analysis but those that people asked for.
func TestAFirstAnalysisHasNoHistory(t *testing.T) {
	t.Parallel()
	asked := experiments.Ref{Name: "asked", Version: 1}
	run := func(id string, labels bool) experiments.Run {
		r := experiments.Run{ID: id, Kind: experiments.KindQuestions, ParentID: "base"}
		r.Setup.Dataset = asked
		if labels {
			r.Setup.Analysis = &experiments.AnalysisSetup{}
		}
		return r
	}
	first := []experiments.Run{run("again", true), run("more", false), run("labels", true), run("themes", false)} // newest first
	for want, all := range map[string][]experiments.Run{
		"again ": first, "later again ": append([]experiments.Run{run("later", true)}, first...), "labels ": first[1:], "": first[3:],
	} {
		got := ""
		for _, r := range analysesAmong(all, "base", asked) {
			got += r.ID + " "
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLabelsStayOverDatasetVersions is churn 0: the dataset grows, its name keeps the themes, and what was there keeps its labels.
func TestLabelsStayOverDatasetVersions(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	first := analysed(w, t, "asked", QuestionRules{Corpus: "rules"})
	more := apptest.Lines(12, func(i int) any {
		if i >= len(apptest.AskedQuestions) {
			return map[string]any{"question_id": fmt.Sprint("new", i), "question": fmt.Sprintf("Is the fee of lounge %d refunded?", i)}
		}
		return map[string]any{"question_id": fmt.Sprint("q", i), "question": apptest.AskedQuestions[i],
			"reference": apptest.RightAnswers[i] + " (corrected)"}
	})
	if _, _, err := w.ImportDataset(t.Context(), w.Write(t, "more.jsonl", more), "asked", "", nil); err != nil {
		t.Fatal(err)
	}
	second := analysed(w, t, "asked", QuestionRules{})
	if len(second.Questions) != 12 || second.Previous != first.AnalyseID && len(second.Gained) == 0 {
		t.Errorf("%d questions, previous %s", len(second.Questions), second.Previous)
	}
	before, after := labelsByID(first), labelsByID(second)
	for id, b := range before {
		a := after[id]
		if a.Scope != b.Scope || a.Theme != b.Theme && b.Theme != experiments.OtherLabel {
			t.Errorf("%s was %s under %s and is %s under %s", id, b.Scope, b.Theme, a.Scope, a.Theme)
		}
	}
	if c := second.Reliability.Churn; c == nil {
		t.Error("churn is not known")
	}
}

func TestEditedAndFurtherTaxonomies(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	analysed(w, t, "asked", QuestionRules{})
	themes, err := Themes(t.Context(), w.Workbench, "asked")
	if err != nil {
		t.Fatal(err)
	}
	body, err := themes.YAML()
	if err != nil {
		t.Fatal(err)
	}
	edited, err := experiments.ReadTaxonomy(w.Write(t, "themes.yaml",
		strings.Replace(string(body), "labels:\n",
			"labels:\n- {id: money, en: Money, ja: お金, include: What it costs., words: [cost, charge, fee, refund, 手数料, pay, free]}\n", 1)))
	if err != nil {
		t.Fatal(err)
	}
	risk := experiments.Taxonomy{ID: "risk", EN: "Risk", JA: "リスク", Multi: true, Labels: []experiments.TaxonomyLabel{
		{ID: "legal", EN: "Legal", JA: "法務", Include: "Rights.", Words: []string{"cancels", "払い戻し"}},
	}, Gold: []experiments.GoldLabel{{QuestionID: "q5", Labels: []string{"legal"}}, {QuestionID: "q0", Labels: []string{}}}}
	r := analysed(w, t, "asked", QuestionRules{Taxonomies: []experiments.Taxonomy{edited, risk}})
	l := labelsByID(r)
	if l["q4"].Theme != "money" || l["q4"].TaxonomyTheme != fmt.Sprint("theme@", themes.Version+1) {
		t.Errorf("q4 is %s from %s", l["q4"].Theme, l["q4"].TaxonomyTheme)
	}
	if diff := cmp.Diff([][]string{{"legal"}, {}}, [][]string{l["q5"].Labels["risk"], l["q0"].Labels["risk"]}); diff != "" {
		t.Error(diff)
	}
	if g := r.Reliability.Gold; len(g) != 1 || g[0].N != 2 || g[0].Agree != 2 {
		t.Errorf("gold %+v", g)
	}
	if _, err := AnalyseQuestions(t.Context(), w.Workbench, "asked",
		QuestionRules{Taxonomies: []experiments.Taxonomy{themes}}); problem.CodeOf(err) != "taxonomy_id_lost" {
		t.Errorf("the older file was taken: %v", err)
	}
}

var offeredIDs = regexp.MustCompile(`"primary":\{"type":"string","enum":\["([^"]+)"`)

// classify answers the prompts of the question analysis as a model that sees one theme everywhere.
func classify(_, _, user string, schema []byte) (string, error) {
	switch s := strings.ReplaceAll(string(schema), " ", ""); {
	case strings.Contains(s, `"scope"`):
		return `{"reason":"r","scope":"specific","hops":"single_hop","quality":[],"keywords":["refund"]}`, nil
	case strings.Contains(s, `"themes"`):
		return `{"themes":[{"id":"flights","en":"Flights","ja":"便","include":"Everything.","exclude":"","examples":[],"words":[]}]}`, nil
	case strings.Contains(s, `"primary"`):
		return fmt.Sprintf(`{"reason":"r","primary":%q,"second":"none"}`, offeredIDs.FindStringSubmatch(s)[1]), nil
	}
	return apptest.Respond("", "", user, schema)
}

const paidQuestions = "openai/gpt-4.1-mini"

func TestQuestionsArePlannedBoughtAndResumed(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: classify})
	rules := QuestionRules{Judge: paidQuestions}
	plan, err := PlanQuestions(t.Context(), w.Workbench, "asked", rules)
	if err != nil {
		t.Fatal(err)
	}
	// One request names all themes, then two closed choices for each question with three votes.
	if want := 1 + 2*3*len(apptest.AskedQuestions); plan.Buy != want || w.Billed("chat/completions") != 0 {
		t.Errorf("planned %d calls, want %d; %d were made", plan.Buy, want, w.Billed("chat/completions"))
	}
	rules.Budget = experiments.Budget{Calls: 20}
	stopped, err := AnalyseQuestions(t.Context(), w.Workbench, "asked", rules)
	if !problem.Is(err, problem.Incomplete) || stopped.State == experiments.Finished {
		t.Fatalf("with a budget of 20 calls: %s, %v", stopped.State, err)
	}
	if n := w.Billed("chat/completions"); n > 20 || n == 0 {
		t.Errorf("%d calls under a budget of 20", n)
	}
	rules.Budget = experiments.Budget{Calls: 100}
	run, err := AnalyseQuestions(t.Context(), w.Workbench, "asked", rules)
	if err != nil || run.ID != stopped.ID || run.State != experiments.Finished {
		t.Fatalf("gone on: %s %s, not %s: %v", run.ID, run.State, stopped.ID, err)
	}
	if n := w.Billed("chat/completions"); n != plan.Buy {
		t.Errorf("%d calls, %d were planned", n, plan.Buy)
	}
	if plan, err = PlanQuestions(t.Context(), w.Workbench, "asked", rules); err != nil || plan.Buy != 0 {
		t.Errorf("afterwards %d calls are planned, %v", plan.Buy, err)
	}
	r, err := QuestionReport(t.Context(), w.Workbench, "asked")
	if err != nil || r.Offline || len(r.Themes) != 1 || r.Themes[0].Label != "flights" {
		t.Errorf("themes %v, %v", r.Themes, err)
	}
}

func TestDraftReviewImport(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	out := filepath.Join(w.Dir, "draft.jsonl")
	d, err := DraftDataset(t.Context(), w.Workbench, "rules", DraftRules{N: 8, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if d.Questions == 0 || d.RunID == "" || !d.Offline {
		t.Errorf("drafted %+v", d)
	}
	if _, _, err := w.ImportDataset(t.Context(), out, "drafted", "rules", nil); problem.CodeOf(err) != "draft_unreviewed" {
		t.Errorf("an unreviewed draft was imported: %v", err)
	}
	sheet := strings.ReplaceAll(w.Read(t, "draft.jsonl"), `"proposed"`, `"accepted"`)
	imported, _, err := w.ImportDataset(t.Context(), w.Write(t, "draft.jsonl", sheet), "drafted", "rules", nil)
	if err != nil || imported.Items != d.Questions {
		t.Errorf("imported %+v, %v", imported, err)
	}
	if _, err := DraftDataset(t.Context(), w.Workbench, "rules", DraftRules{Out: "draft.pdf"}); problem.CodeOf(err) != "draft_format" {
		t.Errorf("a draft as pdf: %v", err)
	}
	plan, err := PlanDraft(t.Context(), w.Workbench, "rules", DraftRules{N: 8, Judge: paidQuestions})
	if err != nil || plan.Buy < 8 || w.Billed("chat/completions") != 0 {
		t.Errorf("planned %d calls, made %d: %v", plan.Buy, w.Billed("chat/completions"), err)
	}
}

func TestQuestionsOfNothing(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for name, rules := range map[string]QuestionRules{"nothing": {}, "asked": {Select: app.Select{Filter: []string{"none"}}}} {
		_, err := AnalyseQuestions(t.Context(), w.Workbench, name, rules)
		if !slices.Contains([]string{"run_or_dataset", "no_questions"}, problem.CodeOf(err)) || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErrorsOfAnAnalysisAreRetried lets the provider fail for one question: what a child run then finds belongs to the analysis.
func TestErrorsOfAnAnalysisAreRetried(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	broken := true
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"],
		Responder: func(model, system, user string, schema []byte) (string, error) {
			if broken && strings.Contains(user, apptest.AskedQuestions[3]) && strings.Contains(string(schema), `"scope"`) {
				return `{"reason":"no label"}`, nil
			}
			return classify(model, system, user, schema)
		}})
	run, err := AnalyseQuestions(t.Context(), w.Workbench, "asked", QuestionRules{Judge: paidQuestions})
	if err != nil || len(run.Totals.Errors) != 1 {
		t.Fatalf("errors %v, %v", run.Totals, err)
	}
	if r, err := QuestionReport(t.Context(), w.Workbench, "asked"); err != nil || len(r.Questions) != len(apptest.AskedQuestions)-1 {
		t.Errorf("%d questions are labelled, %v", len(r.Questions), err)
	}
	broken = false
	if _, err := w.RetryErrors(t.Context(), run.ID, true, experiments.Budget{}); err != nil {
		t.Fatal(err)
	}
	if r, err := QuestionReport(t.Context(), w.Workbench, "asked"); err != nil || len(r.Questions) != len(apptest.AskedQuestions) ||
		r.AnalyseID != run.ID {
		t.Errorf("after retrying %d questions are labelled in %s, %v", len(r.Questions), r.AnalyseID, err)
	}
}
