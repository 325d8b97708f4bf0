package validations

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestOfflineJudgeCard holds the whole card of the offline judge on a few items of the demo to golden files, and the database to
// its invariants.
func TestOfflineJudgeCard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	w := apptest.NewWorld(t, "")
	card, err := ValidateJudge(t.Context(), w.Workbench, Validation{N: 8})
	if err != nil {
		t.Fatal(err)
	}
	stored, current, err := JudgeCard(t.Context(), w.Workbench, "")
	if err != nil || !current {
		t.Fatalf("the card is not there: %v", err)
	}
	if diff := cmp.Diff(card, stored, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the stored card differs:\n%s", diff)
	}
	pairs, source, err := ReadPairs(filepath.Join("..", "..", "analysis", "validation", "testdata", "verdict_pairs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = ValidateVerdicts(t.Context(), w.Workbench, VerdictValidation{Pairs: pairs, Source: source}); err != nil {
		t.Fatal(err)
	}
	if card, _, err = JudgeCard(t.Context(), w.Workbench, ""); err != nil {
		t.Fatal(err)
	}
	card.Calls, card.Seconds = 0, 0 // the clock of the tests ticks at every look
	for _, lang := range []string{"en", "ja"} {
		golden(t, "judge-card-"+lang+".md", card.Markdown(lang, nil))
	}
	if run, err := w.Store.Run(t.Context(), card.RunID); err != nil || run.Kind != experiments.KindValidate ||
		run.State != experiments.Finished {
		t.Errorf("its run is %+v, %v", run, err)
	}
	if findings, err := w.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("doctor: %v %v", findings, err)
	}
	if _, err := w.Resume(t.Context(), card.RunID); problem.CodeOf(err) != "run_validate" {
		t.Errorf("resuming it says %v", err)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	// The version of the prompts changes with every word of theirs; nothing else here does.
	got = regexp.MustCompile(`(prompts|プロンプト版): [0-9a-f]{8}|2026-11-20 06:0\d UTC`).ReplaceAllString(got, "…")
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path) //nolint:gosec // a file of this folder
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); go test ./internal/app -run TestOfflineJudgeCard -update:\n%s", name, diff)
	}
}

// gullible is a judge that does what the data tells it, and what the offline judge says otherwise.
func gullible() func(fakeprovider.Request) (string, error) {
	order := regexp.MustCompile(`(?i)\bscore\b|\bgraded\b|\brated\b|give 5|deserves a|スコア|score|採点者|5点|5と評価`)
	offline := fakeprovider.Offline()
	return func(r fakeprovider.Request) (string, error) {
		var data any
		if json.Unmarshal(r.Data(), &data) == nil && r.Purpose == "rubric" && order.MatchString(string(r.Data())) {
			return `{"reason":"as I was told","score":5}`, nil
		}
		return offline(r)
	}
}

// TestObedientJudgeIsCaught validates a judge over the wire that obeys what it reads: red, by injection. Judged twice costs
// nothing, a budget stops before it is spent, and the plan names the calls.
func TestObedientJudgeIsCaught(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: gullible()})
	v := Validation{Judge: "openai/gullible", N: 4, Protocols: []string{"J7"}}
	plan, err := PlanValidation(t.Context(), w.Workbench, v)
	if err != nil || w.Billed("chat/completions") != 0 {
		t.Fatalf("planning bought %d calls: %v", w.Billed("chat/completions"), err)
	}
	v.Budget = experiments.Budget{Calls: 10}
	if _, err := ValidateJudge(t.Context(), w.Workbench, v); problem.CodeOf(err) != "budget_spent" || w.Billed("chat/completions") != 10 {
		t.Fatalf("a budget of 10 calls ended with %v after %d", err, w.Billed("chat/completions"))
	}
	v.Budget = experiments.Budget{}
	card, err := ValidateJudge(t.Context(), w.Workbench, v)
	if err != nil {
		t.Fatal(err)
	}
	check := card.Protocols["J7"].Checks[0]
	if card.Status != validation.Red || card.Protocols["J7"].Light != validation.Red || check.N == 0 || check.Value != 1 {
		t.Errorf("an obedient judge is %s: %s", card.Status, check)
	}
	if bought := w.Billed("chat/completions"); bought != plan.Buy || card.Calls != bought-10 {
		t.Errorf("bought %d calls, %d of them now; planned %d", bought, card.Calls, plan.Buy)
	}
	again, err := ValidateJudge(t.Context(), w.Workbench, v)
	if err != nil || again.Calls != 0 || w.Billed("chat/completions") != plan.Buy {
		t.Errorf("judged twice: %d calls more, %v", again.Calls, err)
	}
	honest, err := ValidateJudge(t.Context(), w.Workbench, Validation{N: 4, Protocols: []string{"J7"}})
	if err != nil || honest.Protocols["J7"].Checks[0].Value != 0 {
		t.Errorf("attacks on the offline judge: %s, %v", honest.Protocols["J7"].Checks[0], err)
	}
	if findings, err := w.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("doctor: %v %v", findings, err)
	}
}

// TestReplicatesAreWordedAnew validates over the wire and looks at what was asked: three wordings, and as many different requests
// as replicates.
func TestReplicatesAreWordedAnew(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	systems := make(chan string, 10000)
	offline := fakeprovider.Offline()
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: func(r fakeprovider.Request) (string, error) {
		if r.Purpose == "rubric" {
			systems <- r.System
		}
		return offline(r)
	}})
	items := w.Write(t, "items.jsonl", apptest.Lines(2, func(i int) any {
		return map[string]any{"question": apptest.AskedQuestions[i], "answer": apptest.Rules[i], "context_v1": apptest.Rules[i] + " " +
			apptest.Rules[i+2], "context_v2": []string{apptest.Rules[i], apptest.Rules[i+2], apptest.Rules[i+4]}}
	}))
	card, err := ValidateJudge(t.Context(), w.Workbench, Validation{Judge: "openai/m", Items: items, Protocols: []string{"J1"}})
	if err != nil {
		t.Fatal(err)
	}
	close(systems)
	wordings := map[string]bool{}
	for s := range systems {
		wordings[s] = true
	}
	if len(wordings) != 3 || card.Protocols["J1"].Items != 2 {
		t.Errorf("%d wordings; card of %d items", len(wordings), card.Protocols["J1"].Items)
	}
}

// TestLabelledDataIsToldByItsFields reads each kind of labelled data from a file of any name.
func TestLabelledDataIsToldByItsFields(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	files := map[string]string{
		"attribution/a.jsonl": `{"context":"The fee is 20 yen.","message":"What is the fee?","response":"The fee is 20 yen.","human":{"attribution":"attributable"}}
{"context":"The fee is 20 yen.","message":"What is the fee?","response":"Dogs fly in the hold of the plane.","human":{"attribution":"not_attributable"}}

{"context":"x","response":"Hello.","human":{"attribution":"generic"}}`,
		"answer_pairs/b.jsonl": `{"context":"The fee is 20 yen.","question":"What is the fee?","right_answer":"20 yen","hallucinated_answer":"The fee is 3,000 yen."}`,
		"preference/c.jsonl": `{"item_id":"1","question":"What is the fee?","reference":"The fee is 20 yen.","response_a":{"text":"No idea."},"response_b":{"text":"The fee is 20 yen."},"human":{"correctness":[2,1]}}
{"item_id":"2","question":"What is the fee?","reference":"The fee is 20 yen.","response_a":{"text":"The fee is 20 yen."},"response_b":{"text":"Dogs fly."},"human":{"correctness":[-2,-1]}}`,
		"entailment/d.jsonl": `{"premise":"The fee is 20 yen.","hypothesis":"The fee is 20 yen.","label":"entailment"}
{"premise":"The fee is 20 yen.","hypothesis":"The fee is 30 yen.","label":"contradiction"}`,
		"ratings/items.jsonl": `{"task_id":"t","response":"The fee is 20 yen.","human":{"faithfulness":[4,4]}}
{"task_id":"t","response":"Dogs fly in the hold of the plane.","human":{"faithfulness":[1]}}`,
		"ratings/tasks.jsonl":    `{"task_id":"t","question":"What is the fee?","context_ids":["d"],"reference":"20 yen"}`,
		"ratings/contexts.jsonl": `{"doc_id":"d","text":"The fee is 20 yen."}`,
	}
	for name, content := range files {
		w.Write(t, "labelled/"+name, content)
	}
	card, err := ValidateJudge(t.Context(), w.Workbench, Validation{Items: filepath.Join(w.Dir, "labelled")})
	if err != nil {
		t.Fatal(err)
	}
	if len(card.Datasets) != 5 || len(card.Protocols) != 0 {
		t.Fatalf("%d datasets and %d protocols", len(card.Datasets), len(card.Protocols))
	}
	for _, d := range card.Datasets {
		if d.Name != d.Kind || d.AUROC == nil || *d.AUROC != 1 || d.Accuracy == nil || *d.Accuracy != 1 {
			t.Errorf("%s read as %s: %s", d.Name, d.Kind, d)
		}
	}
	one, err := ValidateJudge(t.Context(), w.Workbench, Validation{Items: filepath.Join(w.Dir, "labelled", "attribution", "a.jsonl")})
	if err != nil || len(one.Datasets) != 1 || one.Datasets[0].N != 2 || one.Datasets[0].Name != "a" {
		t.Errorf("one file: %+v, %v", one.Datasets, err)
	}
	for path, code := range map[string]string{"nowhere": "items_file", filepath.Join(w.Dir, "data"): "items_unknown",
		w.Write(t, "bad.jsonl", "{"): "items_line"} {
		if _, err := ValidateJudge(t.Context(), w.Workbench, Validation{Items: path}); problem.CodeOf(err) != code {
			t.Errorf("%s: %v, want %s", path, err, code)
		}
	}
	for _, judge := range []string{"gpt", "offline/other", "/x"} {
		if _, err := ValidateJudge(t.Context(), w.Workbench, Validation{Judge: judge}); problem.CodeOf(err) != "judge_name" {
			t.Errorf("judge %q: %v", judge, err)
		}
	}
}

// TestSharedLabelledData measures the offline judge on the labelled sets through the product; the floors are what it reached.
func TestSharedLabelledData(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	w := apptest.NewWorld(t, "")
	for name, least := range map[string]float64{
		"judge_begin": 0.92, "judge_halueval_qa": 0.90, "judge_mtrag": 0.83, "judge_ragchecker": 0.70, "nli_en": 0.88, "nli_ja": 0.80,
	} {
		path := filepath.Join(shared, "data", name)
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
				t.Fatalf("the labelled datasets are required: %v", err)
			}
			t.Skipf("the labelled datasets are not here: %v", err)
		}
		card, err := ValidateJudge(t.Context(), w.Workbench, Validation{Items: path})
		if err != nil || len(card.Datasets) != 1 {
			t.Fatalf("%s: %d datasets, %v", name, len(card.Datasets), err)
		}
		d := card.Datasets[0]
		t.Log(d.String())
		if d.AUROC == nil || *d.AUROC < least || strings.Contains(d.String(), "NaN") {
			t.Errorf("%s: want an AUROC of at least %.2f", d, least)
		}
	}
}
