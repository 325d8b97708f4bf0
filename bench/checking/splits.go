package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// How many pairs are split anew.
const (
	pairsOfReferences = 16
	pairsOfAnswers    = 14
)

// references splits the reference with the question beside it. References that begin with yes or no come first: they are what the
// wording is for.
func (t *trial) references(ctx context.Context) error {
	some := t.told("references 1 ", len(t.pairs))
	slices.SortStableFunc(some, func(a, b validation.ReadersPair) int { return plain(a.Reference) - plain(b.Reference) })
	some = some[:min(pairsOfReferences, len(some))]
	return t.split(ctx, "the reference", some, metrics.PurposeClaims, nil, func(p validation.ReadersPair) func(llm.Request) llm.Request {
		return func(req llm.Request) llm.Request {
			if req.Purpose == metrics.PurposeClaims {
				req.Instruction = withQuestion[p.Lang]
				req.Data = mustJSON(map[string]string{"question": p.Question, "text": p.Reference})
			}
			return req
		}
	})
}

// answers splits answers without what they say of documents.
func (t *trial) answers(ctx context.Context) error {
	return t.split(ctx, "the answer", t.told("answers 1 ", pairsOfAnswers), metrics.PurposeAnswer, withoutDocuments, nil)
}

// told are n pairs of which both answers differ and have a grade.
func (t *trial) told(word string, n int) []validation.ReadersPair {
	of := slices.DeleteFunc(slices.Clone(t.pairs), func(p validation.ReadersPair) bool {
		return p.Before == p.After || p.Reader.Correctness == nil || !p.PairSamples()[0].Answerable
	})
	return recorded.Chosen(of, n, word, func(p validation.ReadersPair) string { return p.ID })
}

// plain is 0 for a text that begins with yes or no, and 1 for any other.
func plain(s string) int {
	for _, word := range []string{"Yes", "No", "はい", "いいえ"} {
		if rest, found := strings.CutPrefix(s, word); found && !strings.HasPrefix(rest, "t") && !strings.HasPrefix(rest, "r") {
			return 0
		}
	}
	return 1
}

// splitting is what came of one wording of a splitting prompt.
type splitting struct {
	waiting, scored  int
	grades           []float64 // factual correctness of an answer that both wordings score
	readers          []float64 // the reader's grade of it
	agree, of        int       // pairs that readers grade differently and the facts order alike
	claims, replies  int
	offTopic         int // of answers
	letters, refuses int
}

func (t *trial) split(ctx context.Context, what string, pairs []validation.ReadersPair, purpose string, prompts map[string]string,
	rewrite func(validation.ReadersPair) func(llm.Request) llm.Request) error {
	fmt.Printf("## Splitting %s: %d pairs\n\n| wording | answers | waiting | Spearman of factual correctness with the reader's grade | pairs ordered "+
		"as readers order them | claims of a text | off topic | refuses | letters of a reply |\n|---|---|---|---|---|---|---|---|---|\n", what, len(pairs))
	both := map[string]bool{} // answers that the shipped wording scores
	for _, tried := range []bool{false, true} {
		name, got := "shipped", splitting{}
		for _, p := range pairs {
			var values [2]float64
			known := true
			for side, s := range p.PairSamples() {
				reader, words := &tap{tried: purpose}, map[string]string(nil)
				if tried {
					name, words = "tried", prompts
					if rewrite != nil {
						reader.rewrite = rewrite(p)
					}
				}
				scores, waits, err := t.score(ctx, s, reader, words, "factual_correctness")
				if err != nil {
					return err
				}
				got.note(reader.replied)
				if waits {
					got.waiting++
				}
				if waits || scores[0].State != metrics.Scored { // a refusal claims nothing
					known = false
					continue
				}
				got.scored++
				at := fmt.Sprint(p.ID, side)
				if both[at] = both[at] || !tried; !both[at] {
					known = false
					continue
				}
				values[side] = scores[0].Value
				got.grades = append(got.grades, scores[0].Value)
				got.readers = append(got.readers, float64(p.Reader.Correctness[side]))
			}
			if c := p.Reader.Correctness; known && c[0] != c[1] {
				got.of++
				if (values[0] < values[1]) == (c[0] < c[1]) && values[0] != values[1] {
					got.agree++
				}
			}
		}
		got.print(name)
	}
	fmt.Println()
	return nil
}

// note counts what the replies to the prompt that is tried hold.
func (s *splitting) note(replies []llm.Reply) {
	for _, r := range replies {
		var read struct {
			Claims  []string `json:"claims"`
			OnTopic *bool    `json:"on_topic"`
			Refuses bool     `json:"refuses"`
		}
		if json.Unmarshal([]byte(r.Text), &read) != nil {
			continue
		}
		s.replies++
		s.claims, s.letters = s.claims+len(read.Claims), s.letters+len([]rune(r.Text))
		if read.OnTopic != nil && !*read.OnTopic {
			s.offTopic++
		}
		if read.Refuses {
			s.refuses++
		}
	}
}

func (s *splitting) print(name string) {
	n := max(s.replies, 1)
	fmt.Printf("| %s | %d | %d | %.3f | %d of %d | %.1f | %d | %d | %d |\n", name, s.scored, s.waiting,
		stats.Spearman(s.grades, s.readers), s.agree, s.of, float64(s.claims)/float64(n), s.offTopic, s.refuses, s.letters/n)
}

func mustJSON(v any) json.RawMessage {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts only
	}
	return body
}
