package intake

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/readers"
	"github.com/rag-workbench/workbench/internal/text"
)

// sharedDatasets returns the folders of the real datasets with questions, which are not part of the project.
func sharedDatasets(t *testing.T) []string {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(shared, "data", "*", "questions.jsonl"))
	if err != nil || len(files) == 0 {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatalf("the real datasets are required, and %s has none", shared)
		}
		t.Skipf("the real datasets are not here: %s has none", shared)
	}
	folders := make([]string, len(files))
	for i, f := range files {
		folders[i] = filepath.Dir(f)
	}
	return folders
}

// realQuestion is the shape of the real files.
type realQuestion struct {
	ID         string   `json:"question_id"`
	Question   string   `json:"question"`
	Lang       string   `json:"lang"`
	Reference  string   `json:"reference"`
	References []string `json:"references"`
	Answerable bool     `json:"answerable"`
	Topic      string   `json:"topic"`
	Kind       string   `json:"reference_kind"`
	Evidence   []struct {
		DocID string `json:"doc_id"`
		Start int    `json:"start"`
		End   int    `json:"end"`
		Text  string `json:"text"`
	} `json:"evidence"`
}

func TestReadRealDatasets(t *testing.T) {
	t.Parallel()
	for _, folder := range sharedDatasets(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			corpus := realCorpus(t, folder)
			file := filepath.Join(folder, "questions.jsonl")
			d, report, err := ReadDataset(file, "real", corpus, ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
			if len(lines) != len(d.Questions) || report.Rows != len(lines) {
				t.Fatalf("%d questions, report says %d, the file has %d", len(d.Questions), report.Rows, len(lines))
			}
			for i, line := range lines {
				var want realQuestion
				if err := json.Unmarshal([]byte(line), &want); err != nil {
					t.Fatal(err)
				}
				checkReal(t, d.Questions[i], want, corpus)
			}
			if report.Encoding != "UTF-8" || report.Format != "jsonl" {
				t.Errorf("read as %s in %s", report.Format, report.Encoding)
			}
			for _, note := range text.InEnglish(report.Notes) {
				if !strings.Contains(note, "not verified") || corpus != nil {
					t.Errorf("unexpected note: %s", note)
				}
			}
		})
	}
}

// realCorpus is the corpus of a dataset, or nil when it has none.
func realCorpus(t *testing.T, folder string) *rag.Corpus {
	t.Helper()
	corpus, _, err := readers.ReadCorpus(filepath.Join(folder, "corpus.jsonl"), "real")
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return corpus
}

func checkReal(t *testing.T, got experiments.Question, want realQuestion, corpus *rag.Corpus) {
	t.Helper()
	if got.ID != want.ID || got.Text != strings.TrimSpace(want.Question) || got.Lang != want.Lang || got.Answerable != want.Answerable {
		t.Errorf("question %s differs: %+v", want.ID, got)
	}
	if got.Reference != strings.TrimSpace(want.Reference) || got.Metadata["reference_kind"] != want.Kind {
		t.Errorf("%s: reference %q of kind %q", want.ID, got.Reference, got.Metadata["reference_kind"])
	}
	var others []string
	for _, r := range want.References {
		if r != want.Reference {
			others = append(others, r)
		}
	}
	if diff := cmp.Diff(others, got.References); diff != "" {
		t.Errorf("%s: references (-want +got):\n%s", want.ID, diff)
	}
	if want.Topic != "" && !cmp.Equal(got.Tags, []string{"theme:" + want.Topic}) {
		t.Errorf("%s: tags %q for topic %q", want.ID, got.Tags, want.Topic)
	}
	if len(got.Evidence) != len(want.Evidence) {
		t.Fatalf("%s: %d pieces of evidence, want %d", want.ID, len(got.Evidence), len(want.Evidence))
	}
	for i, e := range want.Evidence {
		span := rag.Span{DocID: e.DocID, Start: e.Start, End: e.End}
		if got.Evidence[i].Span != span || got.Evidence[i].Quote != e.Text || corpus.Text(span) != e.Text {
			t.Errorf("%s: evidence %d is %+v, want %v %q", want.ID, i, got.Evidence[i], span, e.Text)
		}
	}
}

// Every piece of real evidence that stands in one place only must be found by its words alone.
func TestFindRealQuotes(t *testing.T) {
	t.Parallel()
	for _, folder := range sharedDatasets(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			corpus := realCorpus(t, folder)
			if corpus == nil {
				t.Skip("this dataset has no corpus")
			}
			d, _, err := ReadDataset(filepath.Join(folder, "questions.jsonl"), "real", corpus, ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			finder := newQuoteFinder(corpus)
			looked := 0
			for _, q := range d.Questions[:min(len(d.Questions), 40)] {
				for _, e := range q.Evidence {
					if len([]rune(e.Quote)) < 12 {
						continue
					}
					looked++
					if places, exact := finder.find(e.Quote, e.DocID); !exact || !contains(places, e.Span) {
						t.Errorf("%s: %v not among %v", q.ID, e.Span, places)
					}
					mangled := "\n " + strings.ReplaceAll(strings.ReplaceAll(e.Quote, " ", "\n"), "。", "。\n ")
					places, _ := finder.find(mangled, e.DocID)
					if !covered(corpus, places, e) {
						t.Errorf("%s: rewrapped %v not among %v", q.ID, e.Span, places)
					}
				}
			}
			if looked == 0 {
				t.Skip("no evidence long enough")
			}
		})
	}
}

func contains(places []rag.Span, s rag.Span) bool {
	for _, p := range places {
		if p == s {
			return true
		}
	}
	return false
}

// covered reports whether a place holds the words of e, whatever the white space at its ends.
func covered(c *rag.Corpus, places []rag.Span, e experiments.Evidence) bool {
	for _, p := range places {
		if loosen(c.Text(p)) == loosen(e.Quote) && p.Overlap(e.Span) > 0 {
			return true
		}
	}
	return false
}
