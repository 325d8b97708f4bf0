package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// What an approximate search misses is said with its mean and its worst question, and otherwise nothing is.
func TestSearchIsMeasuredByItsQuestions(t *testing.T) {
	t.Parallel()
	result := func(id string, replicate int, near *rag.Approximation) experiments.Result {
		found := rag.Retrieval{Approximate: near}
		return experiments.Result{QuestionID: id, Replicate: replicate, Answer: &rag.Answer{Retrieval: found}}
	}
	exact := []experiments.Result{result("q1", 0, nil), {QuestionID: "q2"}}
	if s := SearchOf(exact); s.EN != "" {
		t.Errorf("an exact search reads %q", s.EN)
	}
	good := []experiments.Result{
		result("q1", 0, &rag.Approximation{Depth: 10, Recall: 1}), result("q1", 1, &rag.Approximation{Depth: 10, Recall: 0}),
		result("q2", 0, &rag.Approximation{Depth: 10, Recall: 0.9}), result("q3", 0, nil),
	}
	s := SearchOf(good)
	for _, want := range []string{"95%", "10 nearest", "90%", "q2"} {
		if !strings.Contains(s.EN, want) || s.Code != "search.near" {
			t.Errorf("%s reads %q without %q", s.Code, s.EN, want)
		}
	}
	found := rag.Retrieved{Retrieval: rag.Retrieval{Approximate: &rag.Approximation{Depth: 10, Recall: 0.4, Short: 3}}}
	s = SearchOf(append(good, experiments.Result{QuestionID: "q4", Retrieved: &found}))
	for _, want := range []string{"76.7%", "40%", "q4", "ef_search", "1 question"} {
		if !strings.Contains(s.EN, want) {
			t.Errorf("%s reads %q without %q", s.Code, s.EN, want)
		}
	}
	if !strings.Contains(s.JA, "ef_search") || !strings.Contains(s.JA, "76.7%") {
		t.Errorf("in Japanese %q", s.JA)
	}
}
