package program

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ThresholdOf says where the low-score threshold of an experiment's runs comes from, when it is not the experiment's own.
func (p *Program) ThresholdOf(w *app.Workbench, e experiments.Experiment) error {
	note, err := reviews.ThresholdNote(p.Context, w, e)
	if note != "" {
		p.Note("%s", note)
	}
	return err
}

// ParamFlags are the inputs of a notebook.
type ParamFlags struct {
	Param []string `help:"Parameter: -p k=6, or -p p.k=6 with its cell. Repeatable." short:"p" placeholder:"NAME=VALUE"`
}

// Open opens a notebook with its parameters.
func (f ParamFlags) Open(p *Program, w *app.Workbench, path string) (*notebooks.Notebook, error) {
	n, err := studies.OpenNotebook(w, path, p.Version)
	if err != nil {
		return nil, err
	}
	for _, s := range f.Param {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, problem.New(problem.Invalid, "param_shape", "%q gives no parameter a value", s).WithHint("-p name=value")
		}
		if err := n.Set(strings.TrimSpace(name), value); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// WithRemarks puts what people say about a notebook's cells into it, to be read with it.
func WithRemarks(ctx context.Context, w *app.Workbench, path string, n *notebooks.Notebook) error {
	c, err := studies.CommentsOf(w, path)
	if err != nil {
		return err
	}
	return c.Into(ctx, n)
}

// Buying are the flags of every verb that buys calls.
type Buying struct {
	Plan   bool     `help:"Show what would be asked and what it costs, and stop. Makes no call."`
	Budget string   `help:"What may be spent: an amount in the price file's currency (2.50) or a number of calls (500calls). It stops before." placeholder:"AMOUNT"`
	Limit  int      `help:"Only the first N questions." type:"count" placeholder:"N"`
	Filter []string `help:"Only questions with this tag, or critical. Repeatable: all must fit." placeholder:"TAG"`
}

// Selection is the part of the questions that the flags leave.
func (b Buying) Selection() app.Select { return app.Select{Limit: b.Limit, Filter: b.Filter} }
