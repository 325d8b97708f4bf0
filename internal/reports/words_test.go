package reports

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// Keys that the code puts together from a prefix and a name.
var families = []string{
	"term.", "meaning.", "metric.", "word.", "config.", "config.section.", "category.", "priority.", "of.", "reason.", "table.",
}

func TestCatalogueAndCodeAgree(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	form, err := filepath.Glob("reviewform/*.go")
	if err != nil || len(form) == 0 {
		t.Fatal(form, err)
	}
	files = append(files, form...)
	used := map[string]bool{}
	literal := regexp.MustCompile(`"((?:agreed|agreement|badge|bars|best|causes|changed|chart|col|config|counts|doubt|` +
		`example|fails|figure|judge|labels|low|md|meaning|measured|method|metric|metrics|` +
		`move|next|note|people|questions|repair|review|section|shared|sheet|subtitle|sweep|term|title|why|word|worse)\.[a-z_.]*[a-z_])"|[sS]ay\("([a-z]+)"`)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(body), -1) {
			key := m[1] + m[2]
			used[key] = true
			if _, ok := wording.Catalogues()["en"][key]; !ok {
				t.Errorf("%s says %q, which the catalogue lacks", name, key)
			}
		}
	}
	for key := range wording.Catalogues()["en"] {
		if !used[key] && !slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(key, f) }) {
			t.Errorf("nothing says %q", key)
		}
	}
}

func TestSentencesHoldAtMostThreeNumbers(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`\d+(\.\d+)?`)
	for _, r := range []Report{sample("en"), sample("ja"), alone("en"), alone("ja")} {
		f, err := r.content()
		if err != nil {
			t.Fatal(err)
		}
		o := f.overviewText().overview(findings.Workbook)
		if len(o.Sentences) == 0 {
			t.Error("nothing is said below the headline")
		}
		said := slices.Concat([]string{o.Headline, o.Release}, o.Sentences, o.changes, o.steps, o.doubts)
		for _, p := range slices.Concat(o.fails, o.why) {
			said = append(said, p.text)
		}
		for _, sentence := range said {
			if n := len(number.FindAllString(sentence, -1)); n > 3 {
				t.Errorf("%d numbers in %q", n, sentence)
			}
			if strings.ContainsAny(sentence, "{}") {
				t.Errorf("unfilled: %q", sentence)
			}
		}
	}
}

func TestPercentNeverRoundsAMissingPartAway(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{1: "100%", 0.999: "99%", 0.925: "93%", 0: "0%"} {
		if got := percent(share); got != want {
			t.Errorf("percent(%v) = %q, want %q", share, got, want)
		}
	}
}

func TestGoalsOfTheFileStandWhereNothingElseWasAgreed(t *testing.T) {
	t.Parallel()
	f, err := alone("en").content()
	if err != nil {
		t.Fatal(err)
	}
	list, by := f.overviewText().commitments(findings.Workbook)
	got := []string{by}
	for _, c := range list {
		got = append(got, c.what+" | "+c.state+" | "+c.who)
	}
	want := []string{
		"Targets of the experiment file. Nothing else has been recorded as agreed.",
		"refunds (by the dataset's tags): Correctness ≥ 4.50 | ✗ not met: 3.50 | Legal",
		"pets: Trust ≥ 4.00 | not measured | ",
		"All questions: Share of low-score answers ≤ 25% | ✓ met: 13.3% | Customer service",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("commitments (-want +got):\n%s", diff)
	}
}
