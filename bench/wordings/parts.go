package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/bench/jsonlines"
	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// word goes into the digests by which items were chosen.
const word = "wordings 1 "

// part is one prompt with the labels that it is held against.
type part struct {
	metric        string
	before, tried map[string]string // instructions, by name and language
	figure        string            // what measure says
	items         func(shared string) ([]item, error)
	known         func(shared string, items []item) ([]graded, error) // grades of the wording before, recorded earlier; nil asks for them
	measure       func([]graded) string
}

var parts = []part{
	{"trust", nil, tried.trust, "AUROC against people · right when 4 and 5 count as attributable", trusted, knownTrust, attribution},
	{"response_relevancy", before.relevancy, tried.relevancy,
		"full answer above poor one · mean of full · of poor", relevant, nil, above},
	{"correctness", before.correctness, tried.correctness,
		"Spearman with the reader's grade · mean distance · same side of low (2) · worse: precision, recall · better",
		correct, nil, grades},
}

// knownTrust are the grades that were recorded with the wording before, for the same items.
func knownTrust(shared string, items []item) ([]graded, error) {
	rows, err := jsonlines.Read[recordedTrust](shared, "cases", "recorded_trust.jsonl")
	if err != nil {
		return nil, err
	}
	grades := map[[2]any]float64{}
	for _, r := range rows {
		grades[[2]any{r.ID, r.side()}] = r.Score
	}
	var got []graded
	for _, one := range items {
		if grade, there := grades[[2]any{one.id, one.side}]; there {
			got = append(got, graded{one, grade})
		}
	}
	return got, nil
}

type recordedTrust struct {
	ID     string  `json:"item_id"`
	Answer string  `json:"answer"` // of HaluEval: "right" or "hallucinated"
	Score  float64 `json:"score"`
}

func (r recordedTrust) side() int {
	if r.Answer == "hallucinated" {
		return 1
	}
	return 0
}

// trusted are 118 replies of BEGIN, and the two answers to 30 questions of HaluEval; those of which there is a grade from before.
func trusted(shared string) ([]item, error) {
	type begin struct {
		ID       string `json:"item_id"`
		Context  string `json:"context"`
		Message  string `json:"message"`
		Response string `json:"response"`
		Human    struct {
			Attribution string `json:"attribution"`
		} `json:"human"`
	}
	type halu struct {
		ID           string `json:"item_id"`
		Context      string `json:"context"`
		Question     string `json:"question"`
		Right        string `json:"right_answer"`
		Hallucinated string `json:"hallucinated_answer"`
	}
	replies, err := jsonlines.Read[begin](shared, "data", "judge_begin", "items.jsonl")
	if err != nil {
		return nil, err
	}
	questions, err := jsonlines.Read[halu](shared, "data", "judge_halueval_qa", "items.jsonl")
	if err != nil {
		return nil, err
	}
	known, err := jsonlines.Read[recordedTrust](shared, "cases", "recorded_trust.jsonl")
	if err != nil {
		return nil, err
	}
	graded := map[string]bool{}
	for _, r := range known {
		graded[r.ID] = true
	}
	replies = slices.DeleteFunc(replies, func(b begin) bool { return !graded[b.ID] })
	questions = slices.DeleteFunc(questions, func(h halu) bool { return !graded[h.ID] })
	var items []item
	for _, b := range recorded.Chosen(replies, 118, word, func(b begin) string { return b.ID }) {
		label := 0.0
		if b.Human.Attribution == "attributable" {
			label = 1
		}
		items = append(items, item{b.ID, 0, sampleOf(b.Message, b.Response, b.Context), label})
	}
	for _, h := range recorded.Chosen(questions, 30, word, func(h halu) string { return h.ID }) {
		items = append(items, item{h.ID, 0, sampleOf(h.Question, h.Right, h.Context), 1},
			item{h.ID, 1, sampleOf(h.Question, h.Hallucinated, h.Context), 0})
	}
	return items, nil
}

func sampleOf(question, answer, context string) metrics.Sample {
	return metrics.Sample{Question: question, Lang: "en", Answer: answer, Answerable: true,
		Contexts: []rag.Hit{{Span: rag.Span{DocID: "context", End: len([]rune(context))}, Score: 1, Text: context}}}
}

// relevant are the full and the poor answers of WikiEval.
func relevant(shared string) ([]item, error) {
	type wiki struct {
		ID        string `json:"question_id"`
		Question  string `json:"question"`
		Reference string `json:"reference"`
		Poor      string `json:"answer_poor"`
	}
	rows, err := jsonlines.Read[wiki](shared, "data", "wikieval", "questions.jsonl")
	if err != nil {
		return nil, err
	}
	var items []item
	for _, r := range rows {
		items = append(items, item{r.ID, 0, sampleOf(r.Question, r.Reference, ""), 1}, item{r.ID, 1, sampleOf(r.Question, r.Poor, ""), 0})
	}
	return items, nil
}

// correct are both answers of 40 pairs with a reader's grades.
func correct(shared string) ([]item, error) {
	type pair struct {
		ID         string `json:"id"`
		Lang       string `json:"lang"`
		Question   string `json:"question"`
		Reference  string `json:"reference"`
		Answerable *bool  `json:"answerable"`
		Before     string `json:"before"`
		After      string `json:"after"`
		Reader     struct {
			Correctness [2]float64 `json:"correctness"`
		} `json:"reader"`
	}
	rows, err := jsonlines.Read[pair](shared, "cases", "verdict_pairs.jsonl")
	if err != nil {
		return nil, err
	}
	var items []item
	for _, r := range recorded.Chosen(rows, 40, word, func(p pair) string { return p.ID }) {
		for side, answer := range []string{r.Before, r.After} {
			items = append(items, item{r.ID, side,
				metrics.Sample{Question: r.Question, Lang: r.Lang, Reference: r.Reference, Answer: answer,
					Answerable: r.Answerable == nil || *r.Answerable}, r.Reader.Correctness[side]})
		}
	}
	return items, nil
}

// attribution is how well trust tells what the context holds from what it does not.
func attribution(got []graded) string {
	var positive []bool
	var scores []float64
	right := 0
	for _, g := range got {
		positive, scores = append(positive, g.label == 1), append(scores, g.value)
		if (g.value >= 4) == (g.label == 1) {
			right++
		}
	}
	auroc, err := stats.AUROC(positive, scores)
	if err != nil || len(got) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f · %.3f", auroc, float64(right)/float64(len(got)))
}

// above is how often the full answer has a higher value than the poor one; equal values count half.
func above(got []graded) string {
	full, poor := sides(got)
	if len(full) == 0 {
		return "–"
	}
	wins, sums := 0.0, [2]float64{}
	for id, f := range full {
		p := poor[id]
		sums[0] += f.value
		sums[1] += p.value
		switch {
		case f.value > p.value:
			wins++
		case f.value == p.value:
			wins += 0.5
		}
	}
	n := float64(len(full))
	return fmt.Sprintf("%.2f (n = %d) · %.2f · %.2f", wins/n, len(full), sums[0]/n, sums[1]/n)
}

// sides are the items judged on both sides, by id.
func sides(got []graded) (first, second map[string]graded) {
	first, second = map[string]graded{}, map[string]graded{}
	for _, g := range got {
		if g.side == 0 {
			first[g.id] = g
		} else {
			second[g.id] = g
		}
	}
	for id := range first {
		if _, both := second[id]; !both {
			delete(first, id)
		}
	}
	return first, second
}

// grades is how far correctness agrees with a reader, answer by answer and pair by pair.
func grades(got []graded) string {
	if len(got) < 2 {
		return "–"
	}
	var ours, readers []float64
	distance, low := 0.0, 0
	for _, g := range got {
		ours, readers = append(ours, g.value), append(readers, g.label)
		distance += math.Abs(g.value - g.label)
		if (g.value <= 2) == (g.label <= 2) {
			low++
		}
	}
	n := float64(len(got))
	said, right, there := [2]int{}, [2]int{}, [2]int{}
	before, after := sides(got)
	for id, b := range before {
		judge, reader := sign(after[id].value-b.value), sign(after[id].label-b.label)
		for i, s := range []int{-1, 1} {
			if judge == s {
				said[i]++
			}
			if reader == s {
				there[i]++
			}
			if judge == s && reader == s {
				right[i]++
			}
		}
	}
	return fmt.Sprintf("%.3f · %.2f · %.3f · %d/%d, %d/%d · %d/%d, %d/%d", stats.Spearman(ours, readers), distance/n, float64(low)/n,
		right[0], said[0], right[0], there[0], right[1], said[1], right[1], there[1])
}

func sign(x float64) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}
