package main

import (
	"os"
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
	b := newBench(t)
	said := b.must("demo", "--lang", "ja")
	for name, look := range map[string]func(*testing.T, *bench, outcome){
		"leaves a comparison, a report and files to go on with": lookAtDemo,
		"every notebook of the gallery runs on it":              runGallery,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := newBench(t)
			if err := os.CopyFS(own.path("data"), os.DirFS(b.path("data"))); err != nil {
				t.Fatal(err)
			}
			look(t, own, said)
		})
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

func lookAtDemo(t *testing.T, b *bench, o outcome) {
	t.Helper()
	for _, says := range []string{"44ページ", "低スコア", "16件の中で最良", "悪化：ja-", "根拠", "内蔵の簡易評価"} {
		if !strings.Contains(o.stdout+o.stderr, says) {
			t.Errorf("the demo does not say %q:\n%s", says, o.stdout)
		}
	}
	if n := strings.Count(o.stdout, "\n悪化："); n != 3 {
		t.Errorf("%d worse answers are shown, want 3", n)
	}
	lookAtTeam(t, b)
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
