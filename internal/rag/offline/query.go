package offline

import (
	"math"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text"
)

// Expand adds the question's key words once more, so that meaning outweighs grammar in the search.
func Expand(question string) string {
	words := text.Keywords(question)
	if len(words) == 0 {
		return question
	}
	return question + " " + strings.Join(words, " ")
}

// Damage keeps only every second key word: a rewriter that loses half of what was asked, for trying out causes.
func Damage(question string) string {
	words := text.Keywords(question)
	var kept []string
	for i := 0; i < len(words); i += 2 {
		kept = append(kept, words[i])
	}
	if len(kept) == 0 {
		return question
	}
	return strings.Join(kept, " ")
}

// Rank returns the order in which the passages should stand for this query: by the share of the query's term
// weight they cover, rare terms among the passages counting more. Equal scores keep their order.
func Rank(query string, passages []string) []int {
	terms := text.Terms(query)
	sets := make([]map[string]bool, len(passages))
	df := map[string]int{}
	for i, p := range passages {
		sets[i] = map[string]bool{}
		for _, t := range text.Terms(p) {
			if !sets[i][t.Text] {
				sets[i][t.Text] = true
				df[t.Text]++
			}
		}
	}
	all := make([]search.Ranked, len(passages))
	for i := range passages {
		all[i].Chunk = i
		for _, t := range terms {
			if sets[i][t.Text] {
				idf := math.Log(1 + float64(len(passages))/float64(df[t.Text]))
				all[i].Score += classWeight(t.Class) * idf
			}
		}
	}
	order := make([]int, len(all))
	for i, r := range search.Top(all, len(all)) {
		order[i] = r.Chunk
	}
	return order
}
