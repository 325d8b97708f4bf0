package reports

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// TestDifferencesStandOnce: what a sweep set stands among the parameters, and is no second difference.
func TestDifferencesStandOnce(t *testing.T) {
	t.Parallel()
	r := sample("ja")
	r.Baseline.Run.Params = []experiments.Param{{Name: "retrieve.k", Value: 3}, {Name: "embedding.model", Value: "hash"}}
	r.Candidate.Run.Params = []experiments.Param{{Name: "retrieve.k", Value: 4}, {Name: "embedding.model", Value: "hash-large"}}
	rows := rowsOf(t, open(t, r), wording.Catalogues()["ja"].Say("sheet.config"))
	words := wording.Catalogues()["ja"].Say
	from := slices.IndexFunc(rows, func(row []string) bool { return len(row) > 0 && row[0] == words("config.section.differences") })
	to := slices.IndexFunc(rows, func(row []string) bool { return len(row) > 0 && row[0] == words("config.section.run") })
	if from < 0 || to < from {
		t.Fatalf("no differences: %v", rows)
	}
	n := map[string]int{}
	for _, row := range rows[from:to] {
		n[row[0]]++
	}
	if n["モデルに渡す参照箇所の数（k）（retrieve.k）"] != 1 || n["埋め込みモデル（embedding.model）"] != 1 {
		t.Errorf("named %v times", n)
	}
}

// TestRunsAreNamedAsOnThePages: kinds and states have one word each.
func TestRunsAreNamedAsOnThePages(t *testing.T) {
	t.Parallel()
	for lang, words := range wording.Catalogues() {
		raw, err := os.ReadFile("../../frontend/src/locales/" + lang + ".json")
		if err != nil {
			if lang == wording.Both {
				continue
			}
			t.Fatal(err)
		}
		var page struct {
			Kind  map[string]string `json:"kind"`
			State map[string]string `json:"state"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		for what, list := range map[string]map[string]string{"kind": page.Kind, "state": page.State} {
			for name, want := range list {
				if got := words.Say("config." + what + "." + name); got != want || len(list) < 6 {
					t.Errorf("%s: %s %s is %q in the workbook and %q on the pages", lang, what, name, got, want)
				}
			}
		}
	}
}
