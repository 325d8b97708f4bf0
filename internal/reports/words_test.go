package reports

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

func TestCataloguesAgree(t *testing.T) {
	t.Parallel()
	en, ja := catalogues()["en"], catalogues()["ja"]
	if diff := cmp.Diff(slices.Sorted(maps.Keys(en)), slices.Sorted(maps.Keys(ja))); diff != "" {
		t.Errorf("keys (-en +ja):\n%s", diff)
	}
	for key := range en {
		if diff := cmp.Diff(placeholders(en[key]), placeholders(ja[key])); diff != "" {
			t.Errorf("%s placeholders (-en +ja):\n%s", key, diff)
		}
		if strings.TrimSpace(en[key]) == "" || strings.TrimSpace(ja[key]) == "" {
			t.Errorf("%s is empty", key)
		}
		if strings.HasPrefix(key, "sheet.") && (utf8.RuneCountInString(en[key]) > 31 || utf8.RuneCountInString(ja[key]) > 31) {
			t.Errorf("%s is longer than a sheet name may be", key)
		}
	}
}

func placeholders(text string) []string {
	names := []string{}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

// Keys that the code puts together from a prefix and a name.
var families = []string{
	"term.", "meaning.", "metric.", "word.", "config.", "config.section.", "category.", "priority.", "of.",
}

func TestCatalogueAndCodeAgree(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	literal := regexp.MustCompile(`"((?:agreed|agreement|badge|bars|best|causes|changed|chart|col|config|counts|doubt|` +
		`example|fails|figure|judge|labels|low|md|meaning|measured|method|metric|metrics|` +
		`move|next|note|people|questions|repair|review|section|shared|sheet|subtitle|sweep|term|title|why|word|worse)\.[a-z_.]*[a-z_])"|say\("([a-z]+)"`)
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
			if _, ok := catalogues()["en"][key]; !ok {
				t.Errorf("%s says %q, which the catalogue lacks", name, key)
			}
		}
	}
	for key := range catalogues()["en"] {
		if !used[key] && !slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(key, f) }) {
			t.Errorf("nothing says %q", key)
		}
	}
}

func TestSay(t *testing.T) {
	t.Parallel()
	c := catalogue{"k": "{n} {n?question|questions} of {m}, {unknown}"}
	for n, want := range map[int]string{1: "1 question of 5, {unknown}", 2: "2 questions of 5, {unknown}",
		0: "0 questions of 5, {unknown}"} {
		if got := c.say("k", "n", n, "m", 5); got != want {
			t.Errorf("say = %q, want %q", got, want)
		}
	}
	if got := c.say("k", "n", "{m}", "m", 5); got != "{m} questions of 5, {unknown}" {
		t.Errorf("a value was taken for a placeholder: %q", got)
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
			if placeholder.MatchString(sentence) {
				t.Errorf("unfilled: %q", sentence)
			}
		}
	}
}

func TestPercentNeverRoundsAMissingPartAway(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{1: "100 %", 0.999: "99 %", 0.925: "93 %", 0: "0 %"} {
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
	list, by := f.overviewText().commitments()
	got := []string{by}
	for _, c := range list {
		got = append(got, c.what+" | "+c.state+" | "+c.who)
	}
	want := []string{
		"Goals of the experiment file. Nothing else has been recorded as agreed.",
		"refunds: Correctness ≥ 4.50 | ✗ not met: 3.50 | Legal",
		"pets: Trust ≥ 4.00 | not measured | ",
		"All questions: Share of low-score answers ≤ 25 % | ✓ met: 13.3 % | Customer service",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("commitments (-want +got):\n%s", diff)
	}
}

func TestRisky(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"=1": true, "+1": true, "-1": true, "@x": true, " =1": true, "＝1": true, "\u3000－1": true,
		"": false, "a=1": false, "–": false, "・": false, "\xff": false,
	} {
		if got := risky(text); got != want {
			t.Errorf("risky(%q) = %t", text, got)
		}
	}
}

func TestShortenAndLines(t *testing.T) {
	t.Parallel()
	if got := shorten("搭乗口には10分前", 5); got != "搭乗口には…" {
		t.Errorf("shorten = %q", got)
	}
	if got := shorten("short", 5); got != "short" {
		t.Errorf("shorten = %q", got)
	}
	for text, want := range map[string]int{"": 1, "abcdefgh": 1, "abcdefghkno": 2, "ill ill ill ill": 1, "open open open": 2,
		"あいうえ": 1, "あいうえお": 2, "a\nb\nc\nd": 3} {
		if got := lines(text, 10, 3); got != want {
			t.Errorf("lines(%q) = %d, want %d", text, got, want)
		}
	}
}
