package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

// peoples are the data sets whose answers people labelled, with how many items of each are judged for J3: the first by digest,
// settled before anything was asked. An item of HaluEval has two answers.
var peoples = []struct {
	name string
	n    int
}{{"judge_begin", 120}, {"judge_halueval_qa", 60}, {"judge_mtrag", 100}}

// people measures trust against people's labels.
func people(ctx context.Context, data string) (err error) {
	dir, err := os.MkdirTemp("", "workbench-card")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var wait error // of every set, so that all are asked
	for _, set := range peoples {
		folder := filepath.Join(dir, set.name)
		if err := os.CopyFS(folder, os.DirFS(filepath.Join(data, set.name))); err != nil {
			return err
		}
		if err := keepChosen(filepath.Join(folder, "items.jsonl"), set.n); err != nil {
			return fmt.Errorf("%s: %w", set.name, err)
		}
		wait = errors.Join(wait, card(ctx, validations.Validation{Items: folder}), offline(ctx, folder))
	}
	return wait
}

// offline prints what the built-in judge says of the same items.
func offline(ctx context.Context, set string) error {
	return recorded.In(ctx, "", nil, func(w *app.Workbench) error {
		card, err := validations.ValidateJudge(ctx, w, validations.Validation{Items: set})
		if err != nil {
			return err
		}
		for _, d := range card.Datasets {
			fmt.Printf("\nThe offline judge: %s, n = %d\n", d, d.N)
		}
		return nil
	})
}

// keepChosen leaves n of a file's items, in their order.
func keepChosen(file string, n int) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	type item struct {
		ID string `json:"item_id"`
	}
	var all []string
	if err := each(raw, func(i item) error { all = append(all, i.ID); return nil }); err != nil {
		return err
	}
	keep := map[string]bool{}
	for _, id := range recorded.Chosen(all, n, "card J3 ", func(id string) string { return id }) {
		keep[id] = true
	}
	var out bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var i item
		if err := json.Unmarshal(lines.Bytes(), &i); err != nil {
			return err
		}
		if keep[i.ID] {
			fmt.Fprintf(&out, "%s\n", lines.Bytes())
		}
	}
	return errors.Join(lines.Err(), os.WriteFile(file, out.Bytes(), 0o600))
}
