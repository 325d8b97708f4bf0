package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/rag-workbench/workbench/bench/jsonlines"
	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// entailment is a pair of sentences with what people say of it.
type entailment struct {
	ID         string `json:"pair_id"`
	Lang       string `json:"lang"`
	Premise    string `json:"premise"`
	Hypothesis string `json:"hypothesis"`
	Label      string `json:"label"`
}

// verdictOf is a label in the words of a check.
var verdictOf = map[string]string{"entailment": "supported", "contradiction": "contradicted", "neutral": neither}

// Sizes of the requests of which people know a part: gridSize pairs make one request of so many claims and passages.
const (
	gridSize        = 6
	gridsOfLanguage = 8
)

// listing sets a check that lists every pair beside one that lists only pairs that decide.
func (t *trial) listing(ctx context.Context) error {
	reader, err := t.workbench.Providers.Provider("reader")
	if err != nil {
		return err
	}
	var grids [][]entailment
	for _, set := range []string{"nli_en", "nli_ja"} {
		all, err := jsonlines.Read[entailment](filepath.Join(t.shared, "data", set, "pairs.jsonl"))
		if err != nil {
			return err
		}
		some := recorded.Chosen(all, gridSize*gridsOfLanguage, "listing 1 ", func(e entailment) string { return e.ID })
		for i := range gridsOfLanguage {
			grids = append(grids, some[i*gridSize:(i+1)*gridSize])
		}
	}
	fmt.Printf("## Listing: %d requests of %d sentence pairs each\n\n| wording | judged | waiting | labelled pairs right | supported | "+
		"contradicted | neither | other pairs said to be decided | pairs left out | letters of a reply |\n"+
		"|---|---|---|---|---|---|---|---|---|---|\n", len(grids), gridSize)
	for _, wording := range []check{listsAll, listsDecided} {
		var got listed
		for i, grid := range grids {
			if err := got.ask(ctx, reader, wording, fmt.Sprintf("grid %d", i), grid); err != nil {
				return err
			}
		}
		got.print(wording.name, len(grids))
	}
	return nil
}

// listed is what came of one wording.
type listed struct {
	judged, letters, left, others int
	right, of                     map[string]int // by what people say
}

func (l *listed) ask(ctx context.Context, reader llm.Provider, wording check, id string, grid []entailment) error {
	if l.of == nil {
		l.right, l.of = map[string]int{}, map[string]int{}
	}
	var data asked
	for i, e := range grid {
		data.Claims = append(data.Claims, numbered{Number: i + 1, Text: e.Hypothesis})
		// Passages stand in another order than their claims.
		data.Passages = append(data.Passages, numbered{Number: i + 1, Text: grid[(i+2)%len(grid)].Premise})
	}
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	req := llm.Request{Purpose: metrics.PurposeVerify, Model: "llm", Instruction: wording.instruction[grid[0].Lang], Data: body,
		Schema: &replies.Schema{Name: "verdicts", Body: json.RawMessage(wording.schema)}, MaxTokens: 1024 + 60*len(grid)*len(grid)}
	reply, err := reader.Complete(llm.WithScope(ctx, llm.Scope{QuestionID: id, Stage: "judge"}), req)
	if llm.CauseOf(err) == llm.CauseNotRecorded {
		return nil
	}
	if err != nil {
		return err
	}
	l.judged++
	l.letters += len([]rune(reply.Text))
	says := read(body, reply.Text)
	l.left += len(grid)*len(grid) - len(says)
	for _, claim := range grid {
		for _, passage := range grid {
			verdict := says[cell{claim.Hypothesis, passage.Premise}]
			switch {
			case claim.ID == passage.ID:
				l.of[verdictOf[claim.Label]]++
				if verdict == verdictOf[claim.Label] {
					l.right[verdict]++
				}
			case verdict != neither && verdict != "":
				l.others++
			}
		}
	}
	return nil
}

func (l *listed) print(name string, grids int) {
	right, of := 0, 0
	for verdict, n := range l.of {
		right, of = right+l.right[verdict], of+n
	}
	fmt.Printf("| %s | %d | %d | %d of %d | %d of %d | %d of %d | %d of %d | %d | %d | %d |\n", name, l.judged, grids-l.judged, right, of,
		l.right["supported"], l.of["supported"], l.right["contradicted"], l.of["contradicted"], l.right[neither], l.of[neither],
		l.others, l.left, l.letters/max(l.judged, 1))
}
