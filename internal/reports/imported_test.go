package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestReportsOfImportedScoresShowThem: page 1 has the means that were imported, in each format, and neither a chart of grades that nobody
// gave nor an explanation of what they mean.
func TestReportsOfImportedScoresShowThem(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		for _, two := range []bool{true, false} {
			for _, imported := range []bool{true, false} {
				r := sample(lang)
				if imported {
					r = fromFile(r)
				}
				if !two {
					r.Baseline, r.Comparison = nil, nil
				}
				f, err := r.content()
				if err != nil {
					t.Fatal(err)
				}
				said := rendered(t, r)
				heading := f.metricHeading(f.specs[slices.IndexFunc(f.specs, func(s metrics.Spec) bool { return s.ID != trust })])
				for format, all := range said {
					if format != "markdown" && !strings.Contains(all, heading) {
						t.Errorf("%s, two %t, imported %t: the %s does not have the mean of %q", lang, two, imported, format, heading)
					}
					for _, code := range []string{"section.chart", "figure.gloss"} {
						if format != "markdown" && strings.Contains(all, f.words.Say(code)) == imported {
							t.Errorf("%s, two %t, imported %t: the %s has %s: %t", lang, two, imported, format, code, !imported)
						}
					}
				}
			}
		}
	}
}

// fromFile is a report with the grades of correctness as a file had them, and no others.
func fromFile(r Report) Report {
	const id = metrics.PlainTable + "." + correctness
	both := []experiments.Evaluation{*r.Baseline, r.Candidate}
	for i := range both {
		e := &both[i]
		spec := metrics.Spec{ID: id, Version: "1", Group: metrics.GroupImported, Min: 1, Max: 5, Delta: 1}
		spec.TitleEN, spec.TitleJA, _ = metrics.ImportedTitle(id)
		e.Run.Setup.Suite, e.Run.Setup.Goals = []metrics.Spec{spec}, nil
		for at := range e.Results {
			scores := &e.Results[at].Scores
			*scores = slices.DeleteFunc(*scores, func(s metrics.Score) bool { return s.Metric != correctness })
			for k := range *scores {
				(*scores)[k].Metric, (*scores)[k].Version = id, "1"
			}
		}
	}
	c := contrast(both[0], both[1])
	r.Input = findings.Input{Candidate: both[1], Baseline: &both[0], Comparison: &c}
	return r
}

// TestThemesOfImportedScoresHaveTheirQuestions: where nobody can tell which answers are low, the table of themes that the dataset names has
// all of them with their questions, with and without a question analysis, and the HTML page draws them.
func TestThemesOfImportedScoresHaveTheirQuestions(t *testing.T) {
	t.Parallel()
	for _, analysis := range []bool{true, false} {
		r, whole := fromFile(sample("en")), analysed(sample("en"))
		if analysis {
			r.Questions, r.Taxonomies = whole.Questions, whole.Taxonomies
		}
		f, err := r.content()
		if err != nil {
			t.Fatal(err)
		}
		if !f.undefined() {
			t.Fatal("of these scores it is said what is low")
		}
		asked := map[string]int{}
		for i := range r.Candidate.Questions {
			if theme, ok := r.Candidate.Questions[i].Theme(); ok {
				asked[theme]++
			}
		}
		html := rendered(t, r)["page"]
		var lines []string
		for _, row := range rowsOf(t, open(t, r), "Questions") {
			lines = append(lines, strings.Join(row, "|"))
		}
		for theme, n := range asked {
			name := f.causeText().theme(theme)
			if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, fmt.Sprintf("|%s|||–|%d|–", name, n)) }) {
				t.Errorf("analysis %t: %s with its %d questions is not in %q", analysis, name, n, lines)
			}
			if !strings.Contains(html, name) {
				t.Errorf("analysis %t: the page does not draw %s", analysis, name)
			}
		}
		if len(asked) == 0 {
			t.Fatal("no theme is given")
		}
	}
}

// TestNobodyIsToldTwiceWhyNothingIsLow: below *and why* stands why causes were not looked for, in each format, where nothing can be called
// low; what fails is said once.
func TestNobodyIsToldTwiceWhyNothingIsLow(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		r := fromFile(sample(lang))
		f, err := r.content()
		if err != nil {
			t.Fatal(err)
		}
		low, why := f.noLow(), f.overviewText().overview(findings.HTML).whyHow
		if low == "" || why == "" || low == why {
			t.Fatalf("%q, %q", low, why)
		}
		for format, all := range rendered(t, r) {
			if !strings.Contains(all, why) {
				t.Errorf("%s: the %s does not tell why there are no causes", lang, format)
			}
			_, after, _ := strings.Cut(all, ">"+f.words.Say("section.why")+"<")
			section, _, _ := strings.Cut(after, "</section>")
			if format == "page" && (strings.Contains(section, low) || !strings.Contains(section, why)) {
				t.Errorf("%s: below the second heading of the page stands what belongs to the first: %s", lang, section)
			}
		}
	}
}

// TestTheSheetSaysHowSureACauseIsInTheWordsOfTheGlossary: no second scale of certainty stands beside the one that is explained.
func TestTheSheetSaysHowSureACauseIsInTheWordsOfTheGlossary(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		f, err := analysed(sample(lang)).content()
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, c := range findings.Certainties() {
			words = append(words, c.Word(lang))
		}
		seen := 0
		for id := range f.causes {
			if seen++; !slices.Contains(words, f.certainty(id)) {
				t.Errorf("%s: %s is %q, and the glossary has %v", lang, id, f.certainty(id), words)
			}
		}
		if seen == 0 {
			t.Error("nothing was diagnosed")
		}
	}
}
