package questions

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/readers"
)

// sharedQuestions reads a real data set, which is not part of the project.
func sharedQuestions(t *testing.T, name string) (*rag.Corpus, []experiments.Question) {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	folder := filepath.Join(shared, "data", name)
	if _, err := os.Stat(folder); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatalf("the real data sets are required, and %s is not there", folder)
		}
		t.Skipf("the real data sets are not here: %s", folder)
	}
	var corpus *rag.Corpus
	if path := filepath.Join(folder, "corpus.jsonl"); exists(path) {
		var err error
		if corpus, _, err = readers.ReadCorpus(path, name); err != nil {
			t.Fatal(err)
		}
	}
	dataset, _, err := intake.ReadDataset(filepath.Join(folder, "questions.jsonl"), name, corpus, intake.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return corpus, dataset.Questions
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestHopsOnRealData prints how often single and multi hop are told apart: by evidence, which must be right, and by the wording
// alone with the offline rules, which must be clearly better than always saying the same.
func TestHopsOnRealData(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	var byText [2]struct{ right, n int } // English, Japanese: the mean over kinds of data must not be bought with one of them
	for _, set := range []struct {
		name string
		want experiments.Hops
		lang int
	}{{"hotpotqa_100", experiments.MultiHop, 0}, {"covid_qa", experiments.SingleHop, 0}, {"jemhopqa_questions", experiments.MultiHop, 1},
		{"jaquad", experiments.SingleHop, 1}} {
		corpus, questions := sharedQuestions(t, set.name)
		evidence, labelled, wording := 0, 0, 0
		for _, q := range questions {
			if hops, known := HopsOf(q, corpus); known {
				labelled++
				if hops == set.want {
					evidence++
				}
			}
			if offlineCategory(categoryData{Question: q.Text}).Hops == set.want {
				wording++
			}
		}
		byText[set.lang].right += wording * 1000 / len(questions)
		byText[set.lang].n++
		t.Logf("%s (%s): by evidence %d of %d, by the wording alone %d of %d (%.2f)", set.name, set.want, evidence, labelled, wording,
			len(questions), float64(wording)/float64(len(questions)))
		if evidence != labelled {
			t.Errorf("%s: evidence gives another number of hops for %d of %d questions", set.name, labelled-evidence, labelled)
		}
	}
	for lang, b := range byText {
		if balanced := float64(b.right) / float64(b.n) / 1000; balanced < .70 {
			t.Errorf("language %d: balanced accuracy by the wording alone %.2f", lang, balanced)
		}
	}
}
