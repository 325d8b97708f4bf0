package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

// worldText is a text of the table, and how it is labelled and judged.
type worldText struct {
	set     string
	labels  bool
	lenient bool
	noise   float64
}

// worldTexts are the texts that the procedure was made on.
var worldTexts = []worldText{
	{set: "clapnq", labels: true, noise: .05}, {set: "clapnq", noise: .05},
	{set: "nta_tax_qa", labels: true, noise: .05}, {set: "nta_tax_qa", noise: .05},
	{set: "covid_qa", labels: true, noise: .05}, {set: "covid_qa", noise: .05},
	{set: "jaquad", labels: true}, {set: "wikieval"},
	{set: "hotpotqa_100", labels: true}, {set: "hotpotqa_100"}, {set: "hotpotqa_100", lenient: true},
}

// otherTexts are texts that the procedure was not made on.
var otherTexts = []worldText{
	{set: "chroma_chunking", labels: true, noise: .05}, {set: "chroma_chunking", noise: .05},
	{set: "cdc_covid_faq", noise: .05},
	{set: "niilc", labels: true}, {set: "niilc"},
	{set: "mof_invoice_faq", labels: true}, {set: "mof_invoice_faq", noise: .05},
}

// worlds prints the table of whole systems.
func (b bench) worlds(ctx context.Context, w *app.Workbench, conditions []string, hear bool) error {
	var all []validation.WorldRow
	texts := worldTexts
	if b.other {
		texts = otherTexts
	}
	for _, t := range texts {
		if len(b.sets) > 0 && !strings.Contains(","+strings.Join(b.sets, ",")+",", ","+t.set+",") {
			continue
		}
		m, err := validations.CauseMaterial(ctx, w, validations.CauseValidation{Items: filepath.Join(b.data, t.set)})
		if err != nil {
			return err
		}
		worlds := validation.CauseWorlds{Material: m, Labels: t.labels, Lenient: t.lenient, Noise: t.noise, Items: b.items, Seed: b.seed,
			Conditions: conditions, Apply: true, Other: b.other}
		if hear {
			worlds.Hear = tellMiss
		}
		rows, err := worlds.Run(ctx, tell)
		if err != nil {
			return fmt.Errorf("%s: %w", t.set, err)
		}
		fmt.Print(validation.CauseWorldTable(rows, "en"))
		all = append(all, rows...)
	}
	fmt.Print("\n", validation.CauseWorldSummary(all, "en"))
	return nil
}

// tellMiss prints a cause that was missed, with what was tried.
func tellMiss(f validation.WorldFinding) {
	if f.Right {
		return
	}
	d := f.Diagnosis
	fmt.Fprintf(os.Stderr, "MISS %s %s: %v, named %s %s %s %.2f further %v\n  q: %s\n  ref: %.200s\n", f.Condition, f.Case.Question.ID,
		f.Expected, d.Component, d.Detail, d.Certainty, d.Confidence, d.Further, f.Case.Question.Text, f.Case.Question.Reference)
	for _, s := range d.Steps {
		fmt.Fprintf(os.Stderr, "    %s %.100s: %d of %d, %d calls\n", s.Step, s.Change, s.Passes, s.Trials, s.Calls)
	}
}
