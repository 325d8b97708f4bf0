// Command card measures a large language model as a judge: it plays recorded replies through `workbench validate judge`, on items of
// WikiEval (protocols J1, J2, J4, J6 and J7) and on 60 Japanese answers that two readers labelled (J3), and says how often a
// second reader gave the same reply. docs/evidence.md is the protocol.
//
//	go run ./bench/card [-shared ../shared]
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

var (
	//go:embed replies.jsonl
	replies []byte
	//go:embed again.jsonl
	again []byte
	//go:embed japanese.jsonl
	japanese []byte
)

// folder is where requests without a reply are left; empty leaves none.
var folder string

// parts are the protocols with the number of items that each was given before anything was answered.
var parts = []struct {
	n         int
	protocols []string
}{{25, []string{"J1", "J2"}}, {12, []string{"J4"}}, {12, []string{"J6"}}, {4, []string{"J7"}}}

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds data/")
	flag.StringVar(&folder, "folder", "", "folder of a recording, in which requests without a reply wait; none plays what was recorded")
	flag.Parse()
	if err := run(context.Background(), filepath.Join(*shared, "data")); err != nil {
		fmt.Fprintln(os.Stderr, "card:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string) error {
	var wait error // of every part, so that all are asked
	for _, part := range parts {
		asked := validations.Validation{Items: filepath.Join(data, "wikieval"), N: part.n, Protocols: part.protocols}
		wait = errors.Join(wait, card(ctx, asked))
	}
	if err := errors.Join(wait, labelled(ctx, data), people(ctx, data)); err != nil {
		return err
	}
	return repeated()
}

// card validates the recorded model and prints its card.
func card(ctx context.Context, v validations.Validation) error {
	v.Judge = recorded.Judge
	return recorded.In(ctx, folder, replies, func(w *app.Workbench) error {
		card, err := validations.ValidateJudge(ctx, w, v)
		if err == nil {
			fmt.Print(card.Markdown("en", findings.CauseIn))
		}
		return err
	})
}

// answer is a Japanese answer to a question of a data set, with what two readers said of it.
type answer struct {
	Set    string    `json:"set"`
	ID     string    `json:"question_id"`
	Blind  bool      `json:"written_without_contexts"`
	Answer string    `json:"answer"`
	Labels [2]string `json:"labels"` // all, some or none of its statements are in the passage
}

// labelled measures trust on the Japanese answers of which both readers said the same.
func labelled(ctx context.Context, data string) (err error) {
	dir, err := os.MkdirTemp("", "workbench-card")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var items bytes.Buffer
	said := map[[2]string]int{}
	questions := map[string]map[string]question{}
	err = each(japanese, func(a answer) error {
		if questions[a.Set] == nil {
			var err error
			if questions[a.Set], err = read(filepath.Join(data, a.Set, "questions.jsonl")); err != nil {
				return err
			}
		}
		said[a.Labels]++
		q, there := questions[a.Set][a.ID]
		if !there || len(q.Evidence) == 0 {
			return fmt.Errorf("%s has no question %s", a.Set, a.ID)
		}
		attribution := "not_attributable"
		switch {
		case a.Labels[0] != a.Labels[1]:
			attribution = "disputed" // such answers are left out
		case a.Labels[0] == "all":
			attribution = "attributable"
		}
		return json.NewEncoder(&items).Encode(map[string]any{"item_id": a.ID, "lang": "ja", "context": q.Evidence[0].Text,
			"message": q.Question, "response": a.Answer, "human": map[string]string{"attribution": attribution}})
	})
	if err != nil {
		return err
	}
	fmt.Printf("\n## Japanese answers\n\nWhat two readers said: %v\n\n", said)
	set := filepath.Join(dir, "japanese answers")
	if err := os.Mkdir(set, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(set, "items.jsonl"), items.Bytes(), 0o600); err != nil {
		return err
	}
	return card(ctx, validations.Validation{Items: set})
}

// question is what is used of a data set's question.
type question struct {
	ID       string `json:"question_id"`
	Question string `json:"question"`
	Evidence []struct {
		Text string `json:"text"`
	} `json:"evidence"`
}

func read(file string) (map[string]question, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string]question{}
	return out, each(raw, func(q question) error { out[q.ID] = q; return nil })
}

// repeated sets the second reading of some requests beside the first.
func repeated() error {
	first := map[string]string{}
	if err := each(replies, func(r reply) error { first[r.Key] = r.Text; return nil }); err != nil {
		return err
	}
	table := rows()
	if err := each(again, func(r reply) error { return compare(table, first[r.Key], r.Text) }); err != nil {
		return err
	}
	fmt.Print("\n## Read a second time\n\n| what | requests | things said | the same |\n|---|---|---|---|\n")
	for _, r := range table {
		fmt.Printf("| %s | %d | %d | %d (%.3f) |\n", r.what, r.requests, r.things, r.same, float64(r.same)/float64(max(r.things, 1)))
	}
	return nil
}

// each decodes every line.
func each[T any](raw []byte, use func(T) error) error {
	in := bufio.NewScanner(bytes.NewReader(raw))
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var one T
		if err := json.Unmarshal(in.Bytes(), &one); err != nil {
			return err
		}
		if err := use(one); err != nil {
			return err
		}
	}
	return in.Err()
}
