package views

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// ChangeDetail is one question of a comparison with both answers and what differs between them.
type ChangeDetail struct {
	Row      ChangeRow                `json:"row"`
	Changes  []compare.QuestionChange `json:"changes"`
	Why      *compare.Triage          `json:"why,omitempty"`
	WhyEN    string                   `json:"why_en,omitempty"` // the class in words
	WhyJA    string                   `json:"why_ja,omitempty"`
	Before   *AnswerDetail            `json:"before"` // null: the baseline does not have the question
	After    *AnswerDetail            `json:"after"`  // null: the candidate does not have it
	Answer   []text.Change            `json:"answer"` // word by word, how the baseline's answer became the candidate's
	Contexts compare.ContextDiff      `json:"contexts"`
	Pieces   map[string]string        `json:"pieces"` // the text of each piece of Contexts, by "doc_id[start:end]"
}

// Change returns one question of a comparison.
func (v *compareViews) Change(ctx context.Context, baseline, candidate, question string) (ChangeDetail, error) {
	c, err := v.comparison(ctx, baseline, candidate)
	if err != nil {
		return ChangeDetail{}, err
	}
	at := slices.IndexFunc(c.rows, func(r ChangeRow) bool { return r.QuestionID == question })
	if at < 0 {
		return ChangeDetail{}, noQuestion(question, c.both[1].Run)
	}
	d := ChangeDetail{
		Row: c.rows[at], Changes: []compare.QuestionChange{}, Answer: []text.Change{}, Contexts: compare.DiffContexts(nil, nil),
		Pieces: map[string]string{},
	}
	for _, q := range c.Comparison.Questions {
		if q.QuestionID == question {
			d.Changes = append(d.Changes, q)
		}
	}
	for _, t := range c.Comparison.Triage {
		if t.QuestionID == question {
			d.Why, d.WhyEN, d.WhyJA = &t, t.Word("en"), t.Word("ja")
			break
		}
	}
	if d.Row.Match != matchAdded {
		before, err := v.runs().answer(ctx, c.both[0].Run, d.Row.inBaseline())
		if err != nil {
			return d, err
		}
		before.stand(c.standing[0])
		d.Before = &before
	}
	if d.Row.Match != matchRemoved {
		after, err := v.runs().answer(ctx, c.both[1].Run, question)
		if err != nil {
			return d, err
		}
		after.stand(c.standing[1])
		d.After = &after
	}
	return d, v.diff(ctx, c, &d)
}

// stand gives an answer the scores that stand for its question.
func (d *AnswerDetail) stand(standing []experiments.Result) {
	for _, r := range standing {
		if r.QuestionID == d.Result.QuestionID {
			d.Result.Scores = r.Scores
		}
	}
}

// diff sets answers and contexts side by side, with the words of every piece.
func (v *compareViews) diff(ctx context.Context, c *compared, d *ChangeDetail) error {
	if d.Before == nil || d.After == nil || d.Before.Result.Answer == nil || d.After.Result.Answer == nil {
		return nil
	}
	before, after := d.Before.Result.Answer, d.After.Result.Answer
	d.Answer = compare.DiffAnswers(before.Text, after.Text)
	d.Contexts = compare.DiffContexts(before.Hits, after.Hits)
	for i, setup := range []experiments.Setup{c.both[1].Run.Setup, c.both[0].Run.Setup} {
		corpus, err := v.corpusOf(ctx, setup)
		if err != nil {
			return err
		}
		if corpus == nil {
			continue
		}
		for _, list := range [][]compare.ContextPiece{d.Contexts.Kept, d.Contexts.Moved, d.Contexts.Gained, d.Contexts.Lost} {
			for _, p := range list {
				if p.Placed() && i == 0 == (p.After > 0) { // what only the baseline retrieved is read in its corpus
					d.Pieces[p.String()] = corpus.Text(p.Span)
				}
			}
		}
	}
	return nil
}

// ConfigChange is one field that differs between two setups.
type ConfigChange struct {
	Field  string `json:"field"` // dotted, as in an experiment file
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// configChanges lists what differs between two setups, in the order of the fields' names.
func configChanges(before, after experiments.Setup) []ConfigChange {
	was, is := before.Fields(), after.Fields()
	names := map[string]bool{}
	for name := range was {
		names[name] = true
	}
	for name := range is {
		names[name] = true
	}
	out := []ConfigChange{}
	for name := range names {
		if !reflect.DeepEqual(was[name], is[name]) {
			out = append(out, ConfigChange{Field: name, Before: was[name], After: is[name]})
		}
	}
	slices.SortFunc(out, func(a, b ConfigChange) int { return strings.Compare(a.Field, b.Field) })
	return out
}
