package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestDemo evaluates the demo as `make demo` does, in one language, and looks at what it leaves and at what people can do with it.
func TestDemo(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("two thousand answers take minutes under the race detector; the same code runs under it in the other tests")
	}
	b := bareBench(t)
	said := b.must("demo", "--lang", "ja")
	for name, look := range map[string]func(*testing.T, *bench, outcome){
		"leaves a comparison, a report and files to go on with": lookAtDemo,
		"every notebook of the gallery runs on it":              runGallery,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := bareBench(t)
			if err := os.CopyFS(own.path("data"), os.DirFS(b.path("data"))); err != nil {
				t.Fatal(err)
			}
			look(t, own, said)
		})
	}
}

// TestDemoInBothLanguages: the notebooks have one name in both, and are those of the first; the reports are in each.
func TestDemoInBothLanguages(t *testing.T) {
	t.Parallel()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("all of the demo's work, which one language does half of: set WORKBENCH_SLOW_TESTS=1")
	}
	b := bareBench(t)
	b.must("demo")
	for _, name := range []string{"airline-study", "judge", "sweep", "weekly"} {
		text, err := os.ReadFile(b.path("data/notebooks/" + name + ".rag.md"))
		if err != nil || !strings.Contains(string(text), "lang: {default: en,") {
			t.Errorf("the notebook %s is not in English (%v)", name, err)
		}
	}
	if n := strings.Count(b.must("runs", "list", "--json", "--limit", "200").stdout, `"airline-study.`); n == 0 {
		t.Error("the study was not executed")
	}
	for _, file := range []string{"report-en", "report-ja", "recorded-en", "recorded-ja", "repaired-en", "repaired-ja"} {
		if _, err := os.Stat(b.path("data/demo-" + file + ".xlsx")); err != nil {
			t.Error(err)
		}
	}
}

// A page with nothing on it tells no story: the demo has an agreement, a validated judge, and a schedule that ran.
func lookAtTeam(t *testing.T, b *bench) {
	t.Helper()
	for verb, says := range map[string]string{
		"agreement show airline-ja": "agreed on the results of run", "validate judge --show": "Judge card: offline/lexical",
		"schedule fires monday-ja": "newly",
	} {
		if o := b.must(strings.Fields(verb)...); !strings.Contains(o.stdout, says) {
			t.Errorf("%s does not say %q:\n%s", verb, says, o.stdout)
		}
	}
}

// lookAtRecorded looks at what recorded replies of a large language model say: of the change, of causes, and of one repair.
func lookAtRecorded(t *testing.T, b *bench, said string) {
	t.Helper()
	for _, says := range []string{"187問中40問。回答も評価も大規模言語モデルの記録済み応答", "採点した40件中34件から14件", "採点した40件中14件から10件"} {
		if !strings.Contains(said, says) {
			t.Errorf("the demo does not say %q:\n%s", says, said)
		}
	}
	for file, words := range map[string][]string{
		"demo-recorded-ja.xlsx": {"記録された大規模言語モデルの応答", "34件から14件"},
		"demo-repaired-ja.xlsx": {"記録された大規模言語モデルの応答", "40件中3件（7.5%）の回答が悪化", "悪化：ja-003"},
	} {
		page := pageOne(t, b.path("data/"+file))
		for _, says := range words {
			if !strings.Contains(page, says) {
				t.Errorf("page 1 of %s does not say %q: %s", file, says, page)
			}
		}
	}
	// Of what is worse a few are shown; the command that the rest stands behind shows all.
	more := regexp.MustCompile(`ほかに(\d+)件：workbench compare (\w+) (\w+) --only worse --data \S+ --list (\d+)`)
	for _, m := range more.FindAllStringSubmatch(said, -1) {
		listed := b.must("compare", m[2], m[3], "--only", "worse", "--list", m[4], "--lang", "en").stdout
		if n := strings.Count(listed, "\nworse  "); strconv.Itoa(n) != m[4] || strconv.Itoa(n-3) != m[1] {
			t.Errorf("%s: %d are listed", m[0], n)
		}
	}
	if !strings.Contains(said, "--only worse") {
		t.Errorf("the demo does not say where the other worse answers are:\n%s", said)
	}
	// Whoever gets the runs as a study computes every score again, without a model and without a network.
	b.must("export", b.path("story.zip"), "airline-ja-recorded-second")
	if o := b.must("verify", b.path("story.zip"), "--lang", "en"); !strings.Contains(o.stdout, "were computed again and are equal") {
		t.Errorf("the recorded study is not verified:\n%s", o.stdout)
	}
	// Where a verification would ask nothing, none is recommended: the reason stands in its place.
	for after, offered := range map[string]bool{"airline-ja-recorded-second": false, "airline-ja-recorded-third": true} {
		before := map[bool]string{false: "airline-ja-recorded-first", true: "airline-ja-recorded-second"}[offered]
		plan := b.must("compare", before, after, "--verify", "--plan", "--lang", "en").stdout
		shown := b.must("compare", before, after, "--lang", "en").stdout
		if strings.HasPrefix(plan, "verify ") != offered || strings.Contains(shown, "what it costs to ask again") != offered ||
			strings.Contains(shown, plan) == offered {
			t.Errorf("%s after %s: the plan is %q, and the comparison ends with\n%s", after, before, plan, shown[max(0, len(shown)-400):])
		}
	}
	// Another setting asks what nobody recorded: that is said, with what to do.
	experiment, err := os.ReadFile(b.path("data/demo/ja/recorded-second.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b.write("five.yaml", strings.Replace(string(experiment), "k: 4", "k: 5", 1))
	o := b.run("run", b.path("five.yaml"))
	if o.code == 0 || !strings.Contains(o.stderr+o.stdout, "workbench record") {
		t.Errorf("a changed recorded configuration: %d\n%s\n%s", o.code, o.stdout, o.stderr)
	}
}

// pageOne is what the first sheet of a workbook says.
func pageOne(t *testing.T, file string) string {
	t.Helper()
	f, err := excelize.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := f.GetRows(f.GetSheetName(0))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(rows)
}

// lookAtSuites looks at what was scored: the sweeps what the demo says, the weekly evaluation every standard metric.
func lookAtSuites(t *testing.T, b *bench) {
	t.Helper()
	var runs []struct {
		Experiment string
		Scores     map[string]any
	}
	if err := json.Unmarshal([]byte(b.must("runs", "list", "--json", "--limit", "100").stdout), &runs); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, run := range runs {
		every, some := []string{"answer_relevancy", "factual_correctness"}, []string{"correctness", "trust", "span_coverage"}
		switch run.Experiment {
		case "airline-ja-weekly":
			some = slices.Concat(some, every)
			every = nil
		case "airline-ja", "airline-ja-corpora", "airline-ja-writers":
		default:
			continue
		}
		if len(run.Scores) == 0 {
			continue // a question that is asked by itself belongs to its experiment too
		}
		seen[run.Experiment]++
		for _, id := range some {
			if _, scored := run.Scores[id]; !scored {
				t.Errorf("a run of %s did not score %s", run.Experiment, id)
			}
		}
		for _, id := range every {
			if _, scored := run.Scores[id]; scored {
				t.Errorf("a run of %s scored %s", run.Experiment, id)
			}
		}
	}
	if seen["airline-ja"] != 16 || seen["airline-ja-weekly"] == 0 || seen["airline-ja-writers"] != 3 || seen["airline-ja-corpora"] != 3 {
		t.Errorf("runs by experiment: %v", seen)
	}
}

func lookAtDemo(t *testing.T, b *bench, o outcome) {
	t.Helper()
	for _, says := range []string{"44ページ", "低スコア", "16件の中で最良", "設定16件の中で最良ですが", "悪化：ja-", "根拠",
		"正確性・信頼性・検索の指標だけを内蔵の簡易評価",
		"評価だけで数えました", "変更点：チャンクサイズ 1000 → 800文字、チャンクの重なり 0 → 200文字",
		"\n  ・低スコア回答（"} {
		if !strings.Contains(o.stdout+o.stderr, says) {
			t.Errorf("the demo does not say %q:\n%s", says, o.stdout)
		}
	}
	if n := strings.Count(o.stdout, "\n悪化："); n != 6 {
		t.Errorf("%d worse answers are shown, want 3 by recorded replies and 3 scored offline", n)
	}
	b.must("doctor") // finds nothing, or fails
	lookAtRecorded(t, b, o.stdout)
	lookAtVotes(t, b)
	lookAtTeam(t, b)
	lookAtSuites(t, b)
	lookAtWorked(t, b, o.stdout, "README.ja.md")
	f, err := excelize.OpenFile(b.path("data/demo-report-ja.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if title, err := f.GetCellValue(f.GetSheetName(0), "A1"); err != nil || !strings.Contains(title, "airline-ja") {
		t.Errorf("the report's title is %q (%v)", title, err)
	}
	for _, file := range []string{"questions.jsonl", "experiment.yaml", "corpora.yaml", "writers.yaml", "corpus/refunds-domestic.md",
		"corpus-stale/refunds-domestic.md"} {
		if _, err := os.Stat(b.path("data/demo/ja/" + file)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(b.path("data/demo/ja/corpus-small/no-show.md")); err == nil {
		t.Error("the smaller help centre has a page that small.txt leaves out")
	}
	// What the demo left is the user's to go on with.
	b.must("run", b.path("data/demo/ja/experiment.yaml"), "--limit", "5", "--filter", "critical")
	b.must("ask", "ペットと一緒に乗れますか", "-e", "airline-ja")
}
