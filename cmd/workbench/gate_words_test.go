package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// twoWords are two English words in a row.
var twoWords = regexp.MustCompile(`[A-Za-z]{2,} +[A-Za-z]{2,}`)

// TestGateSpeaksJapanese: whatever a gate decides, `gate --lang ja` says it with the words of the pages and leaves no sentence in English.
func TestGateSpeaksJapanese(t *testing.T) {
	t.Parallel()
	files, runs := newScores(t), newBench(t).imported()
	if err := os.WriteFile(files.path("few.csv"), []byte("id,correctness\nq01,5\nq02,5\nq03,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runs.must("run", "{}/closed.yaml")
	runs.must("baseline", "set", "closed")
	runs.must("run", "{}/closed.yaml", "--limit", "2")
	for name, c := range map[string]struct {
		b    *bench
		args []string
		code int
		says []string
	}{
		"fails": {files, []string{"{}/old.csv", "{}/new.csv", "--min", "faithfulness >= 0.9"}, program.ExitGateFail,
			[]string{"不合格\n", "  不合格   候補の忠実性の平均は", "  判定不能 正確性の平均は", "q04   正確性"}},
		"passes": {files, []string{"{}/old.csv", "{}/same.csv"}, program.ExitDone, []string{"合格\n", "  合格     正確性の平均は"}},
		"is inconclusive": {files, []string{"{}/few.csv", "{}/old.csv", "--margin", "0.01"}, program.ExitDone,
			[]string{"判定不能\n", "合否を判定できません", "比較しません"}},
		"misses scores": {files, []string{"{}/old.csv", "{}/few.csv"}, program.ExitIncomplete, []string{"不足している採点を"}},
		"is partial": {runs, []string{"closed"}, program.ExitIncomplete,
			[]string{"採点できた割合）。", "がデータセットの一部だけを対象としたため", "。候補（", "両方の実行で同じ質問をして"}},
	} {
		o := c.b.run(append([]string{"gate", "--lang", "ja"}, c.args...)...)
		said := o.stdout + o.stderr
		if found := twoWords.FindString(strings.ReplaceAll(said, "RAG Workbench", "")); found != "" || o.code != c.code {
			t.Errorf("a gate that %s ends with %d and says %q in English:\n%s", name, o.code, found, said)
		}
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("a gate that %s does not say %q:\n%s", name, want, said)
			}
		}
	}
}
