package reports

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]Report{
		"compared_en": sample("en"), "compared_ja": sample("ja"), "alone_en": alone("en"), "alone_ja": alone("ja"),
		"hostile_en":  attacked(),
		"analysed_en": analysed(sample("en")), "analysed_both": analysed(sample(wording.Both)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var buf bytes.Buffer
			if err := r.WriteMarkdown(&buf); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".md")
			if *update {
				if err := os.WriteFile(golden, buf.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), buf.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", golden, diff)
			}
		})
	}
}

// attacked is the sample with hostile text wherever data can reach the summary.
func attacked() Report {
	r := sample("en")
	r.Title = "# <b>Title</b>\n\n## injected | [x](http://evil.example)"
	r.Comparison.Warnings = []analysiscompare.Note{{Code: "**bold** `code` $x$ ~~gone~~ <img src=x onerror=alert(1)>"}}
	r.Comparison.Questions = append(r.Comparison.Questions,
		analysiscompare.QuestionChange{QuestionID: "q-015", Metric: "trust|x", Baseline: 5, Candidate: 1, Label: analysiscompare.Worse},
		analysiscompare.QuestionChange{QuestionID: "q|\\|016", Metric: trust, Baseline: 5, Candidate: 1, Label: analysiscompare.Worse})
	judge(r.Comparison)
	return r
}

func TestMarkdownListsTenAnswersAndCountsTheRest(t *testing.T) {
	t.Parallel()
	r := sample("en")
	r.Comparison.Questions = nil
	for _, m := range sheet[:12] {
		for _, metric := range []string{correctness, trust} {
			r.Comparison.Questions = append(r.Comparison.Questions,
				analysiscompare.QuestionChange{QuestionID: m.id, Metric: metric, Baseline: 5, Candidate: 3, Label: analysiscompare.Worse})
		}
	}
	judge(r.Comparison)
	var buf bytes.Buffer
	if err := r.WriteMarkdown(&buf); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(buf.String(), "| worse | – | q-"); n != 10 {
		t.Errorf("%d answers listed, want 10", n)
	}
	if !strings.Contains(buf.String(), "Further answers in the workbook: 2.") {
		t.Error("the remaining two answers are not mentioned")
	}
}

func TestEscape(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"<script>&":              "&lt;script&gt;&amp;",
		"![x](y) [a]":            `!\[x\](y) \[a\]`,
		"a | b\n\n# c":           `a \| b \# c`,
		"`*_~$\\":                "\\`\\*\\_\\~\\$\\\\",
		"https://www.example":    `https\://www\.example`,
		"at 06:00, 3.50. Then: ": "at 06:00, 3.50. Then:",
		"@someone":               "@\u2060someone",
		":tada:":                 `\:tada:`,
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
}
