package reports

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/stats"
)

// causeState makes a report whose low-score answers have causes, steps and repairs drawn by chance, and recommendations of which some
// were tried.
func causeState(lang string, random *stats.SplitMix64) Report {
	r := alone(lang)
	method := []causes.CauseMethod{causes.Tested, causes.Tested, causes.Tested, causes.Observed}[random.Uint64()%4]
	steps := []string{"raw_answer", "regenerate", "oracle", "prompt", "model", "both", "deep", "evidence", "facts", "retrieval"}
	found := map[string]causes.Diagnosis{}
	for i := range r.Candidate.Results {
		for j := range r.Candidate.Results[i].Scores {
			if s := &r.Candidate.Results[i].Scores[j]; s.Metric == correctness && random.Uint64()%2 == 0 {
				s.Value = 1
			}
		}
	}
	for _, id := range lowIDs(r.Candidate) {
		d := diagnosis(id, causes.Components()[random.Uint64()%uint64(len(causes.Components()))], causes.PatternWrong)
		d.Method, d.Detail = method, []string{"", "partly_untested", "untested"}[random.Uint64()%3]
		for range random.Uint64() % 4 {
			d.Steps = append(d.Steps, causes.CauseStep{Step: steps[random.Uint64()%uint64(len(steps))], Trials: 2,
				Passes: int(random.Uint64() % 3)})
		}
		if random.Uint64()%3 == 0 {
			d.Lacks = []string{"8"}
		}
		found[id] = d
	}
	in := causes.CauseReportInput{Method: method}
	report := causes.ReportCauses(r.Candidate, found, in)
	if random.Uint64()%2 == 0 && len(report.Recommendations) > 0 {
		first, n := report.Recommendations[0], report.LowScores
		in.Outcomes = map[string]causes.RepairOutcome{first.Key(): {Promised: len(first.Heals), TriedLow: n, Repaired: first.Heals[:1],
			LowBefore: n, LowAfter: float64(n - 1), LowLeast: float64(n - 1), LowMost: float64(n - 1), Cost: 1.5}}
		report = causes.ReportCauses(r.Candidate, found, in)
	}
	report.Examples = causes.ExamplesOf(report, report.Told(), r.Candidate, nil)
	r.Causes = &report
	return r
}

// rendered is a report in every format, as plain text.
func rendered(t *testing.T, r Report) map[string]string {
	t.Helper()
	var markdown bytes.Buffer
	if err := r.WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	book := open(t, r)
	var cells strings.Builder
	for _, sheet := range book.GetSheetList() {
		for _, row := range rowsOf(t, book, sheet) {
			cells.WriteString(strings.Join(row, "\t") + "\n")
		}
	}
	return map[string]string{"markdown": strings.ReplaceAll(markdown.String(), "\\", ""), "page": html.UnescapeString(page(t, r)),
		"workbook": cells.String()}
}

// TestNoFormatClaimsMoreThanWasShown renders states drawn by chance and looks for the words tested, fixed and repaired where the state
// has nothing of the kind, and for a missing word where it has.
func TestNoFormatClaimsMoreThanWasShown(t *testing.T) {
	t.Parallel()
	random := stats.NewSplitMix64(11)
	for state := range 16 {
		lang := wording.Single(wording.Both)[state%2]
		r := causeState(lang, random)
		tested, fixed, tried := map[causes.Component]bool{}, 0, false
		for _, d := range r.Causes.Diagnoses {
			tested[d.Component] = tested[d.Component] || d.Stands == causes.StandsTested
		}
		for _, x := range r.Causes.Examples {
			for _, s := range x.Tried {
				if s.Fixed {
					fixed++
				}
			}
		}
		for _, x := range r.Causes.Recommendations {
			tried = tried || x.Outcome != nil
		}
		for format, text := range rendered(t, r) {
			at := fmt.Sprintf("state %d, %s, %s", state, lang, format)
			for _, c := range causes.Components() {
				name := capital(c.Word(lang)) + map[string]string{"en": " (tested)", "ja": "（検証済み）"}[lang]
				if strings.Contains(text, name) && !tested[c] {
					t.Errorf("%s: %q, and nothing was replaced", at, name)
				}
				code := "why." + string(c) + "_tested"
				if why := findings.Word(lang, code); why != code && strings.Contains(text, why) && !tested[c] {
					t.Errorf("%s: %q, and no replacement fixed such an answer", at, why)
				}
			}
			legend := wording.Catalogues()[lang].Say("example.tried")
			if n := strings.Count(strings.ReplaceAll(text, legend, ""), "✓"); n != fixed {
				t.Errorf("%s: %d steps are marked as a fix, %d fixed an answer", at, n, fixed)
			}
			for _, x := range r.Causes.Recommendations { // a trial's result, and no forecast as if it were still open
				say := wording.Catalogues()[lang].Say
				want := say("repair.expected", "n", len(x.Heals))
				if x.Outcome != nil {
					want = say("repair.tried", "n", len(x.Outcome.Repaired), "of", x.Outcome.TriedLow)
				}
				if format != "markdown" && x.Forecast() && !strings.Contains(text, want) {
					t.Errorf("%s: nothing says %q", at, want)
				}
			}
			for _, happened := range map[string][]string{"en": {"it repaired", "repaired "}, "ja": {"が改善し", "件が改善"}}[lang] {
				if strings.Contains(text, happened) && !tried {
					t.Errorf("%s: says %q, and nothing was tried", at, happened)
				}
			}
			need := ""
			if r.Causes.NeedsReference != nil {
				need = r.Causes.NeedsReference.Text.In(lang)
			}
			if !strings.Contains(text, need) || strings.Contains(text, "--reference PROVIDER/MODEL") {
				t.Errorf("%s: does not say %q, or says a command to people who have no terminal", at, need)
			}
		}
	}
}

// TestReportsPointAtWhatTheyHave: a page and a summary have no sheets, and name the chapter, or tell everything.
func TestReportsPointAtWhatTheyHave(t *testing.T) {
	t.Parallel()
	for _, lang := range wording.Single(wording.Both) {
		for _, r := range []Report{analysed(sample(lang)), analysed(alone(lang))} {
			f, err := r.content()
			if err != nil {
				t.Fatal(err)
			}
			f.words = wording.Catalogues()[lang]
			texts := rendered(t, r)
			for format, channel := range map[string]findings.Channel{"markdown": findings.Markdown, "page": findings.HTML} {
				text := texts[format]
				for _, sheet := range []string{"シート「", "the sheet “"} {
					if strings.Contains(text, sheet) {
						t.Errorf("%s, %s points at a sheet: %q", lang, format, sheet)
					}
				}
				for _, sheet := range []string{"sheet.worse", "sheet.low"} {
					place := f.standsIn(channel, sheet)
					if place != "" && !strings.Contains(text, "## "+place+"\n") && !strings.Contains(text, "<h2>"+place+"</h2>") {
						t.Errorf("%s, %s has no chapter %q", lang, format, place)
					}
				}
				for _, doubt := range f.overviewText().allDoubts() {
					if !strings.Contains(text, doubt) {
						t.Errorf("%s, %s does not say %q", lang, format, doubt)
					}
				}
			}
		}
	}
}

// TestOneSourceSaysThatThereIsNoChange: the overview says of changes that are none what the page of a comparison says.
func TestOneSourceSaysThatThereIsNoChange(t *testing.T) {
	t.Parallel()
	random, said := stats.NewSplitMix64(13), map[string]bool{}
	for state := range 60 {
		lang := wording.Single(wording.Both)[state%2]
		r := causeState(lang, random)
		if state%3 == 0 {
			r.Causes = nil
		}
		f, err := r.content()
		if err != nil {
			t.Fatal(err)
		}
		if len(f.found.Recommendations) > 0 {
			continue
		}
		for _, p := range f.found.Parts() {
			if p.Name != "recommendations" {
				continue
			}
			if got := (overviewText{f}).recommended(); len(got) != 1 || got[0] != p.Lines[0].In(lang) {
				t.Errorf("state %d: the overview says %q, the page %q", state, got, p.Lines)
			}
			said[p.Lines[0].Code] = true
		}
	}
	if !said["recommend.unknown"] || len(said) < 2 {
		t.Errorf("only these were said: %v", said)
	}
}
