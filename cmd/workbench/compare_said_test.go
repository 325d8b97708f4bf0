package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

// TestRunsOfTheSearchAlone: two runs that score nothing of the answers are compared as searches, in words and in JSON, and the search
// that lost evidence is named worse.
func TestRunsOfTheSearchAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	for name, rewrite := range map[string]string{"whole": "none", "damaged": "damage"} {
		b.save(name+".yaml", "name: "+name+"\ncorpus: faq\ndataset: faq\nbase:\n  chunk: {by: chars, size: 60, overlap: 0}\n"+
			"  rewrite: {mode: "+rewrite+"}\n  retrieve: {mode: bm25, k: 1}\nsuite: [hit, span_coverage]\n")
		b.must("run", "{}/"+name+".yaml")
	}
	said := b.must("compare", "whole", "damaged").stdout
	if !strings.Contains(said, "Only the search was compared, not the answers.") || strings.Contains(said, "Correctness") {
		t.Errorf("%s", said)
	}
	said = b.must("compare", "whole", "damaged", "--lang", "ja").stdout
	if !strings.Contains(said, "比較したのは検索だけで、回答は比較していません。") {
		t.Errorf("%s", said)
	}
	f := jsonOf[struct {
		Findings findings.Findings `json:"findings"`
	}](t, b.must("compare", "whole", "damaged", "--json")).Findings
	if !f.Retrieval || f.Matched != 6 || f.Verdicts.Worse == 0 || f.Verdicts.Better != 0 || f.Figures[0].Metric != "hit" {
		t.Errorf("%+v, %+v", f.Verdicts, f.Figures)
	}
}

// TestARunComparedWithItselfSaysSo: in one line, in both languages, where a page of zeros left people looking for what differs.
func TestARunComparedWithItselfSaysSo(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	for lang, want := range map[string]string{"en": "is compared with itself, so nothing can differ", "ja": "同じ実行と比べているため"} {
		if said := b.must("compare", "closed", "closed", "--lang", lang).stdout; !strings.Contains(said, want) ||
			strings.Count(said, "\n") != 1 {
			t.Errorf("%s", said)
		}
		itself := findings.VerifyEnd(compare.StopItself).In(lang)
		if said := b.must("compare", "closed", "closed", "--verify", "--plan", "--lang", lang).stdout; said != itself+"\n" {
			t.Errorf("a plan says %s", said)
		}
		if said := b.must("compare", "closed", "closed", "--verify", "--lang", lang); !strings.Contains(said.stdout, want) ||
			!strings.Contains(said.stderr, itself) {
			t.Errorf("verifying says %s%s", said.stdout, said.stderr)
		}
	}
}

// TestAnswersThatGotBetterAreCounted: the lists of what changed say how many more answers got better, and the command that shows them.
func TestAnswersThatGotBetterAreCounted(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	b.must("run", "{}/sweep.yaml")
	said := b.must("compare", "closed", "faq").stdout
	found := regexp.MustCompile(`(\d+) answers? that got better: workbench (compare \S+ \S+ --only better --list \d+)`).FindStringSubmatch(said)
	if found == nil || !strings.Contains(said, found[1]+" better") {
		t.Fatalf("%s", said)
	}
	if listed := b.must(strings.Fields(found[2])...).stdout; fmt.Sprint(strings.Count(listed, "better  ")) != found[1] {
		t.Errorf("%s answers, listed:\n%s", found[1], listed)
	}
	for _, name := range []string{"--list", "--worst"} { // the name that it had before
		if said := b.must("compare", "closed", "faq", "--only", "better", name, "1").stdout; strings.Count(said, "better  ") != 1 ||
			!strings.Contains(said, " more: "+"workbench "+found[2]) {
			t.Errorf("%s", said)
		}
	}
	if said := b.must("compare", "closed", "faq", "--lang", "ja").stdout; !strings.Contains(said, "改善した回答"+found[1]+"件：") {
		t.Errorf("%s", said)
	}
}

// TestABlankQuestionIsRefused at the command line, in both languages.
func TestABlankQuestionIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	for lang, want := range map[string]string{"en": "the question is blank", "ja": "質問が空です\n"} {
		if o := b.run("ask", "  ", "-e", "closed", "--lang", lang); o.code != 2 || !strings.Contains(o.stderr, want) {
			t.Errorf("%d: %s", o.code, o.stderr)
		}
	}
}

// TestScoresOfOneQuestionStandInColumns: a score and why stand below their heads, and a cell without a score is set as Japanese is.
func TestScoresOfOneQuestionStandInColumns(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	for lang, want := range map[string][]string{"en": {"METRIC  ", "n/a: The question has no marked evidence."}, "ja": {"指標  ", "適用外："}} {
		said := b.must("ask", "Who is the captain of the ship?", "-e", "closed", "--lang", lang).stdout
		at := -1
		for line := range strings.Lines(said[strings.Index(said, want[0]):]) {
			first := regexp.MustCompile(`^\S+( \S+)* {2,}`).FindString(line)
			if column := program.ColumnsOf(first); at >= 0 && column != at {
				t.Errorf("%q begins in column %d, not %d", line, column, at)
			} else {
				at = column
			}
			if strings.HasSuffix(line, " \n") {
				t.Errorf("%q ends in a space", line)
			}
		}
		if !strings.Contains(said, want[1]) || lang == "ja" && strings.Contains(said, "適用外:") || strings.Contains(said, "not_applicable") {
			t.Errorf("%s", said)
		}
	}
}

// TestAFlagForAValueIsRefusedInWords: a number below nothing is a value, and refused as one.
func TestAFlagForAValueIsRefusedInWords(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for flag, want := range map[string]string{
		"--limit":  `--limit の "-3" は1以上の整数ではありません`,
		"--budget": `"-3" は予算として読み取れません`,
	} {
		if o := b.run("run", "closed", flag, "-3", "--lang", "ja"); o.code != 2 || !strings.Contains(o.stderr, want) {
			t.Errorf("%d: %s", o.code, o.stderr)
		}
	}
}

// TestTiesByGradeAreTold: runs that were not scored by what tells answers of one grade apart say so wherever they are compared, in the
// reader's language; runs that were say nothing of the kind.
func TestTiesByGradeAreTold(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	for name, suite := range map[string]string{"narrow": "suite: [correctness, trust]", "wide": ""} {
		for i, size := range []string{"60", "200", "400"} {
			file := fmt.Sprintf("%s-%d", name, i+1)
			b.save(file+".yaml", "name: "+file+"\ncorpus: faq\ndataset: faq\nbase:\n  chunk: {by: chars, size: "+size+", overlap: 0}\n"+
				"  retrieve: {mode: bm25, k: 1}\n"+suite+"\n")
			b.must("run", "{}/"+file+".yaml")
		}
	}
	for lang, want := range map[string][2]string{
		"en": {"counted by the grade alone, because neither run was scored by factual correctness",
			"counted by the grade alone: neither run was scored by factual correctness"},
		"ja": {"問は、評価だけで数えました。", "評価だけで判定しました。回答の記述を正解と突き合わせる指標（"}} {
		for _, door := range [][]string{{"compare"}, {"gate", "--allowance", "1"}} { // said once, beside the counts
			said := b.run(append(door, "narrow-1", "narrow-2", "--lang", lang)...)
			if strings.Count(said.stdout+said.stderr, want[0]) != 1 || strings.Contains(said.stdout+said.stderr, want[1]) {
				t.Errorf("%v: %+v", door, said)
			}
			if said = b.run(append(door, "wide-1", "wide-2", "--lang", lang)...); strings.Contains(said.stdout+said.stderr, want[0]) {
				t.Errorf("%v of runs that were: %+v", door, said)
			}
		}
		if said := b.must("compare", "narrow-1", "narrow-2", "narrow-3", "--lang", lang).stderr; strings.Count(said, want[1]) != 2 {
			t.Errorf("side by side: %s", said)
		}
	}
}

// TestOnlyVerdictsThatThereAreAreNamed: a count of none is not read among those that there are.
func TestOnlyVerdictsThatThereAreAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		counts compare.VerdictCounts
		en, ja string
	}{
		{compare.VerdictCounts{Worse: 2, NoChange: 28}, "2 worse, 28 without change", "悪化 2、変化なし 28"},
		{compare.VerdictCounts{Worse: 1, Mixed: 2, NeedsCheck: 3, NoChange: 4, Better: 5},
			"1 worse, 2 mixed, 3 need a check, 4 without change, 5 better", "悪化 1、一長一短 2、要確認 3、変化なし 4、改善 5"},
		{compare.VerdictCounts{}, "no question has a verdict", "判定のある質問はありません"},
	} {
		for lang, want := range map[program.Language]string{program.English: c.en, program.Japanese: c.ja} {
			if said := printing.VerdictCounts(lang, c.counts); said != want {
				t.Errorf("%s", said)
			}
		}
	}
}

// TestOnlyWithoutAMatchSaysSo: a verdict that no question has is said to have none, beside those that there are, of runs and of files; what
// is written as people write it is taken.
func TestOnlyWithoutAMatchSaysSo(t *testing.T) {
	t.Parallel()
	b := imported(t, 12, func(i int) bool { return i < 3 })
	for _, c := range []struct{ lang, runs, files string }{
		{"en", "no question has the verdict better or mixed: 3 need a check, 9 without change\n",
			"no question has the verdict better or needs check: 3 worse, 9 without change\n"},
		{"ja", "「改善」「一長一短」の質問はありません（要確認 3、変化なし 9）\n",
			"「改善」「要確認」の質問はありません（悪化 3、変化なし 9）\n"},
	} {
		if o := b.must("compare", "old", "new", "--only", "better", "--only", "mixed", "--lang", c.lang); o.stdout != c.runs {
			t.Error(o.stdout)
		}
		o := b.must("compare", "{}/old.csv", "{}/new.csv", "--deterministic", "--metric", "quality", "--only", "better",
			"--only", "needs check", "--lang", c.lang)
		if !strings.HasSuffix(o.stdout, "\n\n"+c.files) {
			t.Error(o.stdout)
		}
	}
	if o := b.must("compare", "old", "new", "--only", "needs check", "--list", "1"); !strings.Contains(o.stdout, "2 more: ") ||
		!strings.Contains(o.stdout, " --only needs_check --list 3") {
		t.Error(o.stdout)
	}
}
