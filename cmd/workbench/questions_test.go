package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
)

func TestQuestionsVerb(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	if plan := b.must("questions", "closed", "--plan").stdout; !strings.Contains(plan, "to buy: at most 0 calls") {
		t.Errorf("plan:\n%s", plan)
	}
	o := b.must("questions", "closed")
	for _, says := range []string{"CATEGORY", "single-hop specific", "THEME", "LOW SCORES", "not tested: "} {
		if !strings.Contains(o.stdout, says) {
			t.Errorf("it does not say %q:\n%s", says, o.stdout)
		}
	}
	if ja := b.must("questions", "closed", "--show", "--lang", "ja").stdout; !strings.Contains(ja, "一か所で答えられる・具体") {
		t.Errorf("in Japanese:\n%s", ja)
	}
	var report questions.QuestionReport
	decode(t, b.must("questions", "closed", "--show", "--json"), &report)
	if len(report.Questions) == 0 || report.RunID == "" || report.AnalyseID == "" {
		t.Errorf("report %+v", report)
	}
	shown := b.must("runs", "show", report.AnalyseID).stdout // an analysis is of another run, and has no low scores of its own
	if !strings.Contains(shown, "analysis of run "+report.RunID) ||
		!strings.Contains(shown, "workbench questions "+report.RunID+" --show") ||
		strings.Contains(shown, "low-score") || strings.Contains(shown, "METRIC") {
		t.Errorf("runs show of an analysis says:\n%s", shown)
	}
	themes := b.path("themes.yaml")
	b.must("questions", "closed", "--export-taxonomy", themes)
	if again := b.run("questions", "closed", "--export-taxonomy", themes); again.code != program.ExitUsage ||
		!strings.Contains(again.stderr, "there already") {
		t.Errorf("exported over a file: exit %d\n%s", again.code, again.stderr)
	}
	body, err := os.ReadFile(themes)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(body), "ja: テーマ", "ja: 主題", 1)
	if err := os.WriteFile(themes, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	b.must("questions", "closed", "--taxonomy", themes)
	broken := b.path("broken.yaml")
	if err := os.WriteFile(broken, []byte("id: theme\nlabels: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]outcome{
		"a broken taxonomy": b.run("questions", "closed", "--taxonomy", broken), "nothing": b.run("questions", "nope"),
		"money without a price": b.run("questions", "closed", "--budget", "much"),
		"not analysed":          b.run("questions", "faq@1", "--show", "--limit", "x"),
	} {
		if o.code != program.ExitUsage {
			t.Errorf("%s: exit %d\n%s", name, o.code, o.stderr)
		}
	}
}

func TestDatasetDraftVerb(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	sheet := b.path("draft.xlsx")
	o := b.must("dataset", "draft", "faq", "--n", "8", "--out", sheet)
	if !strings.Contains(o.stdout, "drafted ") || !strings.Contains(o.stdout, "dataset import") {
		t.Errorf("it says:\n%s", o.stdout)
	}
	if unreviewed := b.run("dataset", "import", sheet, "--name", "drafted", "--corpus", "faq"); unreviewed.code != program.ExitUsage ||
		!strings.Contains(unreviewed.stderr, "review_status") {
		t.Errorf("unreviewed: exit %d\n%s", unreviewed.code, unreviewed.stderr)
	}
	if left, err := filepath.Glob(b.path(".draft-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if wrong := b.run("dataset", "draft", "faq", "--out", b.path("draft.pdf")); wrong.code != program.ExitUsage {
		t.Errorf("as pdf: exit %d\n%s", wrong.code, wrong.stderr)
	}
	if plan := b.must("dataset", "draft", "faq", "--plan").stdout; !strings.Contains(plan, "to buy: at most 0 calls") {
		t.Errorf("plan:\n%s", plan)
	}
}

// TestEvidenceVerb has a sheet written, and refuses what it cannot write to.
func TestEvidenceVerb(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	out := b.path("evidence.xlsx")
	if none := b.must("dataset", "evidence", "faq", "--corpus", "faq", "--out", out).
		stdout; !strings.Contains(none, "had some before: 6") || strings.Contains(none, "next:") {
		t.Errorf("with nothing to look for:\n%s", none)
	}
	bare := b.path("bare.csv")
	if err := os.WriteFile(bare,
		[]byte("question,reference\nUntil when can a bassinet be reserved?,Bassinets can be reserved up to 48 hours before departure.\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	b.must("dataset", "import", bare, "--name", "bare", "--corpus", "faq")
	if plan := b.must("dataset", "evidence", "bare", "--corpus", "faq", "--plan").
		stdout; !strings.Contains(plan, "to buy: at most 0 calls") {
		t.Errorf("plan:\n%s", plan)
	}
	o := b.must("dataset", "evidence", "bare", "--corpus", "faq", "--out", out)
	if !strings.Contains(o.stdout, "workbench dataset import DIR/evidence.xlsx --name bare --corpus faq") ||
		!strings.Contains(o.stderr, "offline rules") {
		t.Errorf("stdout:\n%s\nstderr:\n%s", o.stdout, o.stderr)
	}
	b.must("dataset", "import", out, "--name", "bare", "--corpus", "faq")
	for name, o := range map[string]outcome{
		"no such dataset":      b.run("dataset", "evidence", "nope"),
		"a place nobody reads": b.run("dataset", "evidence", "faq", "--corpus", "faq", "--out", b.path("x.pdf")),
	} {
		if o.code != program.ExitUsage {
			t.Errorf("%s: exit %d\n%s", name, o.code, o.stderr)
		}
	}
}

// TestThePapersMethodIsPrintedBesideOurs diagnoses in both ways.
func TestThePapersMethodIsPrintedBesideOurs(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	if alone := b.must("diagnose", "closed", "--method", "paper").stdout; !strings.Contains(alone, "sets tested causes beside these") {
		t.Errorf("alone:\n%s", alone)
	}
	b.must("diagnose", "closed")
	if both := b.must("diagnose", "closed", "--method", "paper", "--show").
		stdout; !strings.Contains(both, "PAPER'S METHOD") || !strings.Contains(both, "beside the tested causes of run ") {
		t.Errorf("both:\n%s", both)
	}
}
