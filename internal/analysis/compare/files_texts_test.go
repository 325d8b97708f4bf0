package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
)

// TestTextsOfComparedFilesAreKept: a comparison carries the words of its questions as the files write them, answers and contexts of both
// sides, severest first, cut where they are long and few where there are many; files without texts carry none.
func TestTextsOfComparedFilesAreKept(t *testing.T) {
	t.Parallel()
	item := func(id string, score float64, texts foreign.ItemTexts) foreign.ScoredItem {
		return foreign.ScoredItem{ID: id, Row: 2, Votes: 1, Scores: [][]float64{{score}}, Texts: texts}
	}
	long := strings.Repeat("長", 3000)
	side := func(down float64, answer string) *foreign.ScoreTable {
		table := &foreign.ScoreTable{File: answer, Unit: "line", Metrics: []string{"correctness"}, ByID: true}
		for i := range MostFileTexts + 20 {
			texts := foreign.ItemTexts{Question: fmt.Sprintf("Why %d?", i), Answer: answer, Reference: long,
				Contexts: []string{"One.", long}}
			table.Items = append(table.Items, item(fmt.Sprintf("q%03d", i), 1, texts))
		}
		table.Items[7].Scores[0][0] -= down
		table.Items[9].Texts = foreign.ItemTexts{}
		return table
	}
	got, err := CompareScores(side(0, "Before."), side(0.9, "After."), FileRules{Deterministic: true})
	if err != nil {
		t.Fatal(err)
	}
	first := got.Texts[0]
	if len(got.Texts) != MostFileTexts || first.ID != "q007" || first.Question != "Why 7?" || first.Baseline.Answer != "Before." ||
		first.Candidate.Answer != "After." || first.Candidate.Contexts[0] != "One." {
		t.Errorf("%d texts, first %+v", len(got.Texts), first)
	}
	if n := len([]rune(first.Reference)); n != longestFileText || len([]rune(first.Baseline.Contexts[1])) != longestFileText {
		t.Errorf("a text of %d code points is kept", n)
	}
	for _, text := range got.Texts {
		if text.ID == "q009" {
			t.Errorf("%+v says nothing and is kept", text)
		}
	}
}
