package library

import (
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// ExperimentCmd is the verb experiment.
type ExperimentCmd struct {
	Add     experimentAddCmd     `cmd:"" help:"Register an experiment file, or a changed one as the next revision."`
	List    experimentListCmd    `cmd:"" help:"List registered experiments."`
	Show    experimentShowCmd    `cmd:"" help:"Show the definition of an experiment."`
	Archive experimentArchiveCmd `cmd:"" help:"Take an experiment out of the list; its runs stay."`
}

type experimentAddCmd struct {
	File string `arg:"" help:"Experiment file (YAML)."`
}

// Help shows a file with every field.
func (experimentAddCmd) Help() string {
	return `An experiment file; everything but name, corpus and dataset may be left out:

  name: faq
  corpus: manual                 # registered name (name@version) or path
  dataset: faq-153               # registered name (name@version) or path
  suite: standard                # compact (fewer calls), iccg, retrieval, text, operations, all, or a list of these and of metric ids
  metrics:                       # of your own: one judge call each for every question; or names of files with some
    - {id: politeness, kind: rubric, instruction: How polite is the answer?, levels: {1: rude, 3: plain, 5: polite}}
    - {id: promises, kind: critic, instruction: The answer promises something., lower_is_better: true, inputs: [question, answer]}
    - more-metrics.yaml          # inputs: question, answer, reference, contexts
  model: openai/gpt-4.1-mini     # judge and generator in one line, where they are not named themselves; default offline
  judge:                         # default {provider: offline}
    provider: openai
    model: gpt-4.1
    explain_lang: ja             # language of reasons, en or ja; default the question's
    embedding: {provider: offline, model: ngram}
    prompts: {verify: verify.md, trust.ja: trust.ja.md}   # in the place of ours, both languages or one; a file or the text itself:
                                 # answer, claims, correctness, entities, parts, relevancy, trust, verify
  low_score: 2                   # correctness or trust at or below this is a low score
  decide_by: [correctness, trust]  # what decides a comparison, the first before its guard; this is the usual choice
  pairwise: on                   # off: answers whose grades and facts tie are never set beside each other, which may cost calls
  base:
    chunk: {by: chars, size: 1000, overlap: 0}   # by: ` + strings.Join(rag.ChunkUnitNames(), " | ") + `
    embedding: {provider: offline, model: hash}  # offline: hash (weak), ngram (better); more: workbench config --help
    rewrite: none                # none | expand | damage | {mode: llm, provider: …, model: …}
    retrieve: {mode: dense, k: 3}                # dense | bm25 | hybrid
    rerank: none                 # none | lexical | {mode: llm, provider: …, model: …}
    generate: {provider: offline, model: extractive, prompt: prompts/answer.md}   # offline: extractive, terse
    post_process: none           # none | truncate | strip_citations, or a list
  sweep:                         # axes may be any field of base, or corpus
    chunk.size: [400, 800, 1000]
    chunk.overlap: [0, 200]      # combinations with overlap ≥ size are skipped and named
    retrieve.k: [3, 4]
  goals: [{theme: refunds, metric: low_score_share, target: 0.05, owner: CS, agreed_on: 2026-11-20}]
  tags: [pilot]
  notes: What this is about.

A system that runs elsewhere stands in the place of base, and its corpus may be left out:

  endpoint: prod                 # added with: workbench endpoint add; sweep may have retrieve.k and generate.prompt
  answers: bot-may               # or answers it logged: workbench import-answers

Example:
  workbench experiment add faq.yaml`
}

// Run registers.
func (c experimentAddCmd) Run(p *program.Program) error {
	if !strings.HasSuffix(c.File, ".yaml") && !strings.HasSuffix(c.File, ".yml") {
		return problem.New(problem.Invalid, "experiment_file", "%s is not an experiment file; its name must end in .yaml", c.File)
	}
	return p.With(func(w *app.Workbench) error {
		e, _, changed, err := w.ExperimentAgain(p.Context, c.File)
		if err != nil {
			return err
		}
		printing.Runs(p).Revised(e, changed)
		printing.Runs(p).Doubts(e.Definition)
		if p.Flags.JSON {
			return p.PrintJSON(e)
		}
		p.Say("registered %s, revision %d (corpus %s, dataset %s)", e.Name, e.Revision, program.OrNone(e.Definition.Corpus), e.Definition.Dataset)
		return nil
	})
}

type experimentListCmd struct {
	All bool `help:"Archived ones too."`
}

// Run lists.
func (c experimentListCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		list, err := w.Store.Experiments(p.Context, c.All)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			if list == nil {
				list = []experiments.Experiment{}
			}
			return p.PrintJSON(list)
		}
		if len(list) == 0 {
			p.Say("none yet; add one with: workbench experiment add FILE")
			return nil
		}
		rows := make([][]string, len(list))
		for i, e := range list {
			state := ""
			if e.Archived {
				state = p.Lang().Format("archived")
			}
			rows[i] = []string{e.Name, strconv.Itoa(e.Revision), e.Definition.Corpus, e.Definition.Dataset,
				strings.Join(e.Definition.SweepNames(), " × "), state}
		}
		p.Table([]string{"EXPERIMENT", "REVISION", "CORPUS", "DATASET", "SWEEP", ""}, rows)
		return nil
	})
}

type experimentShowCmd struct {
	Name string `arg:"" help:"Name of the experiment."`
}

// Run shows the definition as JSON: it is data for the next file, in any case.
func (c experimentShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		e, err := w.Store.Experiment(p.Context, c.Name)
		if err != nil {
			return err
		}
		tools, err := w.ToolsOf(p.Context, e.Definition)
		if err != nil {
			return err
		}
		if by := findings.ScoresOf(tools); by.EN != "" {
			p.Note("%s", by.In(string(p.Lang())))
		}
		return p.PrintJSON(experimentShown{e, tools})
	})
}

// experimentShown is an experiment, with whose scores its runs have where no judge of ours is asked for them.
type experimentShown struct {
	experiments.Experiment
	Tools []string `json:"tools,omitempty"`
}

type experimentArchiveCmd struct {
	Name string `arg:"" help:"Name of the experiment."`
	Undo bool   `help:"Bring it back."`
}

// Run archives.
func (c experimentArchiveCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		if err := w.Store.SetArchived(p.Context, c.Name, !c.Undo); err != nil {
			return err
		}
		if c.Undo {
			p.Say("%s is back in the list", c.Name)
			return nil
		}
		p.Say("archived %s; `workbench experiment archive %s --undo` brings it back", c.Name, c.Name)
		return nil
	})
}
