package intake

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

func drafted() (*rag.Corpus, []Draft) {
	corpus := rag.NewCorpus("c", []rag.Document{{ID: "d1", Text: "手数料は2,000円です。\n手数料は2,000円です。"},
		{ID: "d2", Text: "=1+1 is what a formula looks like."}})
	question := func(id, text, reference string, e ...experiments.Evidence) experiments.Question {
		return experiments.Question{ID: id, Text: text, Reference: reference, Answerable: true, Lang: "en", Evidence: e}
	}
	// The quote stands twice in its document: only the place says which is meant.
	second := experiments.Evidence{Span: rag.Span{DocID: "d1", Start: 13, End: 25},
		Quote: corpus.Text(rag.Span{DocID: "d1", Start: 13, End: 25})}
	formula := experiments.Evidence{Span: rag.Span{DocID: "d2", Start: 0, End: 4}, Quote: "=1+1"}
	return corpus, []Draft{
		{Category: "single_hop_specific", Question: question("d001", "How much is the fee <now>?", "2,000円", second)},
		{Category: "multi_hop_abstract", Question: question("d002", "=HYPERLINK(\"x\")", "=1+1", second, formula),
			Note: "read this one twice"},
		{Category: "single_hop_abstract", Question: question("d003", "Never accepted?", "No.", formula)},
	}
}

func TestOnlyAcceptedDraftsAreImported(t *testing.T) {
	t.Parallel()
	corpus, drafts := drafted()
	for _, format := range []string{"xlsx", "jsonl"} {
		path := filepath.Join(t.TempDir(), "draft."+format)
		var b bytes.Buffer
		if err := WriteDrafts(&b, format, drafts); err != nil {
			t.Fatal(err)
		}
		save := func() {
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		save()
		if _, _, err := ReadDataset(path, "faq", corpus, ReadOptions{}); problem.CodeOf(err) != "draft_unreviewed" {
			t.Errorf("%s: an unreviewed draft was read: %v", format, err)
		}
		review(t, format, path, &b)
		save()
		dataset, report, err := ReadDataset(path, "faq", corpus, ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		want := []experiments.Question{drafts[0].Question, drafts[1].Question}
		want[0].Tags, want[1].Tags = []string{"category:single_hop_specific"}, []string{"category:multi_hop_abstract"}
		if diff := cmp.Diff(want, dataset.Questions, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", format, diff)
		}
		followed(t, report, reviewColumn, reviewNoteColumn)
		if !strings.Contains(strings.Join(text.InEnglish(report.Notes), "\n"), "2 of 3 rows accepted") {
			t.Errorf("%s: notes %v", format, report.Notes)
		}
	}
}

// TestUndecidedDraftsAreKeptWhereTheyAreReviewed keeps them apart from what was accepted, and drops what was rejected.
func TestUndecidedDraftsAreKeptWhereTheyAreReviewed(t *testing.T) {
	t.Parallel()
	corpus, drafts := drafted()
	var b bytes.Buffer
	if err := WriteDrafts(&b, "jsonl", drafts); err != nil {
		t.Fatal(err)
	}
	sheet := strings.Replace(strings.Replace(b.String(), `"proposed"`, `"accepted"`, 1), `"proposed"`, `"rejected"`, 1)
	path := filepath.Join(t.TempDir(), "draft.jsonl")
	if err := os.WriteFile(path, []byte(sheet), 0o600); err != nil {
		t.Fatal(err)
	}
	dataset, report, err := ReadDataset(path, "faq", corpus, ReadOptions{KeepDrafts: true})
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string][]string{}
	for _, q := range dataset.Questions {
		tags[q.ID] = q.Tags
	}
	if diff := cmp.Diff(map[string][]string{"d001": {"category:single_hop_specific"},
		"d003": {"category:single_hop_abstract", experiments.DraftTag}}, tags); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(strings.Join(text.InEnglish(report.Notes), "\n"), "1 of 3 rows accepted, 1 kept as drafts") {
		t.Errorf("notes %v", report.Notes)
	}
}

// review accepts the first two drafts and spoils the third, which nobody may trip over.
func review(t *testing.T, format, path string, b *bytes.Buffer) {
	t.Helper()
	if format == "jsonl" {
		s := strings.Replace(b.String(), `"proposed"`, `"Accepted "`, 1)
		s = strings.Replace(s, `"proposed"`, `"採用"`, 1)
		s = strings.Replace(s, `"proposed"`, `"rejected"`, 1)
		b.Reset()
		b.WriteString(s)
		return
	}
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for cell, value := range map[string]string{"A2": "accepted", "A3": "採用", "A4": "rejected", "F4": "spoilt", "D4": ""} {
		if err := f.SetCellStr("questions", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	if formula, err := f.GetCellFormula("questions", "D3"); err != nil || formula != "" {
		t.Errorf("a drafted question became the formula %q, %v", formula, err)
	}
	b.Reset()
	if err := f.Write(b); err != nil {
		t.Fatal(err)
	}
}

// TestAReviewOfEvidenceLosesNoQuestion writes questions that stand in a dataset already: they come back whole, and only evidence that
// nobody accepted is left out.
func TestAReviewOfEvidenceLosesNoQuestion(t *testing.T) {
	t.Parallel()
	corpus, drafts := drafted()
	whole, found := drafts[0].Question, drafts[1].Question
	whole.References, whole.ExpectedURLs, whole.Tags = []string{"2000, or so", "two; thousand"},
		[]string{"https://a.example/1", "https://a.example/2"}, []string{"theme:fees", "hard"}
	whole.Critical, whole.Metadata = true, map[string]string{"asked_by": "desk 4"}
	none := experiments.Question{ID: "d009", Text: "What does nobody say?", Lang: "en"}
	rows := []Draft{{Question: whole, Known: true, Settled: true}, {Question: none, Known: true, Settled: true},
		{Question: found, Known: true, Note: "evidence found"}}
	without := found
	without.Evidence = nil
	for _, format := range []string{"xlsx", "jsonl"} {
		for accepted, last := range map[bool]experiments.Question{false: without, true: found} {
			rows[2].Settled = accepted
			var b bytes.Buffer
			if err := WriteDrafts(&b, format, rows); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "sheet."+format)
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if format == "jsonl" {
				checkDecisions(t, b.String(), accepted)
			}
			dataset, report, err := ReadDataset(path, "faq", corpus, ReadOptions{})
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if diff := cmp.Diff([]experiments.Question{whole, none, last}, dataset.Questions, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, accepted %v: %s", format, accepted, diff)
			}
			if want := map[bool]string{false: "1 of 2 rows taken",
				true: "2 of 2 rows taken"}[accepted]; !strings.Contains(strings.Join(text.InEnglish(report.Notes), "\n"), want) {
				t.Errorf("%s: notes %v, want %s", format, report.Notes, want)
			}
			followed(t, report, evidenceColumn, reviewNoteColumn)
		}
	}
}

// followed holds of the columns of a review that they are told as what they are: not as empty ones, and not as kept.
func followed(t *testing.T, report ReadReport, columns ...string) {
	t.Helper()
	for _, column := range columns {
		at := slices.IndexFunc(report.Columns, func(u ColumnUse) bool { return u.Source == column })
		if at < 0 {
			t.Errorf("no column %s", column)
			continue
		}
		said := report.Columns[at].Said()
		if said.EN != column+": not kept (the review of this sheet, which was followed)" || !strings.Contains(said.JA, "確認結果（反映済み）") {
			t.Errorf("%s, %s", said.EN, said.JA)
		}
	}
}

// checkDecisions holds that a sheet nobody reviewed yet says of no row that it is accepted.
func checkDecisions(t *testing.T, sheet string, settled bool) {
	t.Helper()
	want := []string{"kept", "none", "proposed"}
	if settled {
		want[2] = "kept"
	}
	var got []string
	for line := range strings.Lines(sheet) {
		_, rest, _ := strings.Cut(line, `"evidence_status":"`)
		status, _, _ := strings.Cut(rest, `"`)
		got = append(got, status)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}

// TestEvidenceWrittenByHandIsKept: where none was found, somebody may write some.
func TestEvidenceWrittenByHandIsKept(t *testing.T) {
	t.Parallel()
	corpus, drafts := drafted()
	quote := drafts[2].Question.Evidence[0].Quote
	sheet := fmt.Sprintf(`{"evidence_status":"none","id":"a","question":"How long?","evidence":%q}`, quote)
	d, _, err := read("q.jsonl", sheet, corpus, nil)
	if err != nil || len(d.Questions[0].Evidence) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
