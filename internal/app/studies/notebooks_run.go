package studies

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/machine"
)

// NotebookOrder is what somebody wants to have run of a notebook.
type NotebookOrder struct {
	Cells  []string `json:"cells"` // none is everything that is stale
	Only   bool     `json:"only"`  // nothing that the cells need
	Params []string `json:"params"`
	Budget string   `json:"budget"`
	Digest string   `json:"digest"` // of the text whose price was shown; "" takes any
	By     string   `json:"-"`      // name of whoever wants it
}

// NotebookPlan is what running would buy at most.
type NotebookPlan struct {
	Cells      []NotebookPlanned `json:"cells"` // that would be run, in the order of the page
	Calls      int               `json:"calls"`
	Micros     int64             `json:"micros"` // millionths of the currency
	PriceKnown bool              `json:"price_known"`
	Currency   string            `json:"currency"`
	Later      []string          `json:"later"` // cells whose price is known only when what they need has been run
}

// NotebookPlanned is one cell of a plan.
type NotebookPlanned struct {
	Name    string             `json:"name"`
	Type    string             `json:"type"`
	State   notebooks.State    `json:"state"`
	Why     []string           `json:"why"`
	Reasons []notebooks.Reason `json:"reasons"`
	Price   *notebooks.Price   `json:"price,omitempty"`
}

// Plan says what an order would buy. It buys nothing.
func (s *Notebooks) Plan(ctx context.Context, name string, o NotebookOrder) (NotebookPlan, error) {
	n, err := s.ordered(name, o)
	if err != nil {
		return NotebookPlan{}, err
	}
	plan, _, err := s.plan(ctx, n, o)
	return plan, err
}

// ordered opens the notebook of an order. One with mistakes is a Problem.
func (s *Notebooks) ordered(name string, o NotebookOrder) (*notebooks.Notebook, error) {
	f, err := s.unchanged(name, o.Digest)
	if err != nil {
		return nil, err
	}
	n, err := s.draft(name, f.text, o.Params)
	if err == nil && len(n.Wrong) > 0 {
		err = n.Wrong[0]
	}
	return n, err
}

func (s *Notebooks) plan(ctx context.Context, n *notebooks.Notebook, o NotebookOrder) (NotebookPlan, *notebooks.View, error) {
	out := NotebookPlan{Cells: []NotebookPlanned{}, Later: []string{}, PriceKnown: true, Currency: s.w.Config.Currency}
	wanted, err := n.Wanted(notebooks.Options{Cells: o.Cells, Only: o.Only})
	if err != nil {
		return out, nil, problem.From(err).With("field", "cells")
	}
	v, err := n.Evaluate(ctx, true)
	if err != nil {
		return out, nil, err
	}
	for _, c := range v.Cells {
		schema, _ := document.SchemaOf(c.Type)
		if !schema.Paid || wanted != nil && !wanted[c.Name] || c.State == notebooks.Fresh || c.State == notebooks.Pinned ||
			c.State == notebooks.Errored {
			continue
		}
		if c.State == notebooks.Blocked && blockedByError(n, v, c.Name) {
			continue
		}
		out.Cells = append(out.Cells, NotebookPlanned{c.Name, c.Type, c.State, app.NonNil(c.Why), orEmpty(c.Reasons), c.Price})
		if c.Price == nil {
			out.Later = append(out.Later, c.Name)
			continue
		}
		out.Calls += c.Price.Calls
		out.Micros += c.Price.Micros
		out.PriceKnown = out.PriceKnown && c.Price.Priced
	}
	return out, v, nil
}

// blockedByError reports whether a cell cannot be run because something that it needs failed.
func blockedByError(n *notebooks.Notebook, v *notebooks.View, name string) bool {
	above, err := n.Wanted(notebooks.Options{Cells: []string{name}})
	if err != nil {
		return false
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(above)), func(up string) bool { return v.Cell(up).State == notebooks.Errored })
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// sameOrder refuses a key that was used for another order. remember keeps it for this one, once that has begun.
func (s *Notebooks) sameOrder(ctx context.Context, name string, o NotebookOrder, key, id string) (remember func() error, err error) {
	body, err := json.Marshal(o) // without who sends it
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	digest, scope := hex.EncodeToString(sum[:]), "notebook "+name
	made, ok, err := s.w.Whole.Made(ctx, scope, key)
	if err == nil && ok && made.Digest != digest {
		err = jobs.KeyReused()
	}
	return func() error {
		return s.w.Whole.PutMade(ctx, scope, key, machine.Made{Digest: digest, ID: id}, s.w.Options.Now())
	}, err
}

// Run starts an order in the background. Under a key that was used before it returns the job of then, or goes on with it where the server
// was started anew since. Without a budget only cells are bought whose price is known now; those whose price depends on results that are
// not there yet stop with their price.
func (s *Notebooks) Run(ctx context.Context, name string, o NotebookOrder, key string) (NotebookJob, error) {
	budget, err := experiments.ParseBudget(o.Budget)
	if err != nil {
		return NotebookJob{}, problem.From(err).With("field", "budget")
	}
	feed, remember := s.feed(name), func() error { return nil }
	id := jobs.WorkID("notebook", name, s.w.Options.Now().UTC().Format(time.RFC3339Nano))
	if key != "" {
		id = jobs.WorkID("notebook", name, key)
		if remember, err = s.sameOrder(ctx, name, o, key, id); err != nil {
			return NotebookJob{}, err
		}
		if job, ok := feed.known(id); ok {
			return job, nil
		}
	}
	n, err := s.ordered(name, o)
	if err != nil {
		return NotebookJob{}, err
	}
	plan, v, err := s.plan(ctx, n, o)
	if err != nil {
		return NotebookJob{}, err
	}
	job, stopped, err := feed.start(id, o, plan, v)
	if err != nil {
		return NotebookJob{}, err
	}
	ended, err := s.history().Begun(ctx, n, o.By, o.Params)
	if err == nil {
		err = remember()
	}
	if err != nil {
		feed.end(nil, err, false)
		return NotebookJob{}, err
	}
	n.Engine, n.Tell = &fedEngine{s.engine, feed, n}, feed.tell
	options := notebooks.Options{Cells: o.Cells, Only: o.Only, Budget: budget, BudgetOf: experiments.ParseBudget,
		Approve: plan.approve(o.Budget != "")}
	_, err = s.work.Begin("notebook", id, map[string]any{"notebook": name, "cells": o.Cells, "budget": o.Budget},
		func(ctx context.Context, change func(func(*jobs.Work))) error {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			go func() {
				select {
				case <-stopped:
					cancel()
				case <-ctx.Done():
				}
			}()
			v, err := n.Run(ctx, options)
			if keptErr := ended(context.WithoutCancel(ctx)); err == nil {
				err = keptErr
			}
			feed.end(v, err, isClosed(stopped))
			change(func(w *jobs.Work) { w.Runs = n.RunIDs() })
			if isClosed(stopped) {
				return nil
			}
			return err
		})
	if err != nil {
		feed.end(nil, err, false)
	}
	return job, err
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// approve lets a cell start whose price was shown and is not higher now, or any under a budget.
func (p NotebookPlan) approve(budget bool) func(notebooks.CellView) (bool, error) {
	shown := map[string]notebooks.Price{}
	for _, c := range p.Cells {
		if c.Price != nil {
			shown[c.Name] = *c.Price
		}
	}
	return func(c notebooks.CellView) (bool, error) {
		price, ok := shown[c.Name]
		return budget || ok && c.Price != nil && c.Price.Calls <= price.Calls && c.Price.Micros <= price.Micros, nil
	}
}

// Stop ends what is under way of a notebook. What is done is kept.
func (s *Notebooks) Stop(name string) (NotebookJob, error) {
	if _, err := s.file(name); err != nil {
		return NotebookJob{}, err
	}
	return s.feed(name).stop(name)
}

// fedEngine tells a feed what is being bought, so that it can say how far that is.
type fedEngine struct {
	*sentEngine
	feed     *notebookFeed
	notebook *notebooks.Notebook
}

// Buy implements [notebooks.Engine].
func (e *fedEngine) Buy(ctx context.Context, work notebooks.Work, b experiments.Budget) (notebooks.Bought, error) {
	p, err := e.purchase(ctx, work, e.notebook.Lock.Cells[work.Cell].Spend)
	if err != nil {
		return notebooks.Bought{}, err
	}
	e.feed.buying(p)
	bought, err := e.sentEngine.Buy(ctx, work, b)
	e.feed.buying(nil)
	return bought, err
}

// purchase is a cell that is being bought.
type purchase struct {
	engine *NotebookEngine
	cell   string
	work   notebooks.Work
	jobs   []cellJob
	before notebooks.Spend                 // of the cell
	had    map[string]experiments.Spending // of runs that were there
}

func (n *NotebookEngine) purchase(ctx context.Context, work notebooks.Work, spent notebooks.Spend) (*purchase, error) {
	p := &purchase{engine: n, cell: work.Cell, work: work, before: spent, had: map[string]experiments.Spending{}}
	var err error
	if work.Causes == nil {
		if p.jobs, err = n.cellJobs(ctx, work, false); err != nil {
			return nil, err
		}
	}
	runs, err := p.runs(ctx)
	for _, r := range runs {
		if p.had[r.ID], err = n.W.Store.Spent(ctx, r.ID); err != nil {
			return nil, err
		}
	}
	return p, err
}

// runs are the runs that do the work, each once, with those that add votes.
func (p *purchase) runs(ctx context.Context) ([]experiments.Run, error) {
	store := p.engine.W.Store
	if c := p.work.Causes; c != nil {
		return store.Runs(ctx, experiments.RunFilter{ParentID: c.Run, Kind: experiments.KindDiagnose})
	}
	if len(p.jobs) == 0 {
		return nil, nil
	}
	wanted := map[string]bool{}
	for _, j := range p.jobs {
		wanted[sameWork(j.Setup)] = true
	}
	known, err := store.Runs(ctx, experiments.RunFilter{Dataset: p.jobs[0].Setup.Dataset.Name, Kind: experiments.KindEvaluate})
	if err != nil {
		return nil, err
	}
	var out []experiments.Run
	for i := len(known) - 1; i >= 0; i-- { // the oldest of equal ones is the one that counts
		r := known[i]
		if r.ParentID != "" || r.State == experiments.Cancelled || r.State == experiments.Failed || !wanted[sameWork(r.Setup)] {
			continue
		}
		wanted[sameWork(r.Setup)] = false
		votes, err := p.engine.votes(ctx, r)
		if err != nil {
			return nil, err
		}
		out = append(append(out, r), votes...)
	}
	return out, nil
}

// progress is how many answers are done of how many, and what the cell has cost.
func (p *purchase) progress(ctx context.Context) (done, total int, spent notebooks.Spend, err error) {
	runs, err := p.runs(ctx)
	if err != nil {
		return 0, 0, spent, err
	}
	spent = p.before
	spent.Currency = p.engine.W.Config.Currency
	seen := map[string]bool{}
	for _, j := range p.jobs {
		if key := sameWork(j.Setup); !seen[key] {
			votes := p.work.Votes()
			if j.Setup.Settled {
				votes = 1
			}
			seen[key] = true
			total += votes * len(j.Questions)
		}
	}
	for _, r := range runs {
		left, all, err := app.PricedProgress(ctx, p.engine.W, r)
		if err != nil {
			return 0, 0, spent, err
		}
		done += all - left
		if p.work.Causes != nil {
			total += all
		}
		s, err := p.engine.W.Store.Spent(ctx, r.ID)
		if err != nil {
			return 0, 0, spent, err
		}
		had := p.had[r.ID]
		spent.Calls += s.Calls - had.Calls
		spent.Micros += s.ConfirmedMicros + s.PossibleMicros - had.ConfirmedMicros - had.PossibleMicros
	}
	return min(done, total), total, spent, nil
}

// stoppedOrNil is the problem that a job ended with; a stop that was asked for is none.
func stoppedOrNil(err error, stopped bool) *problem.Problem {
	if err == nil || stopped && (errors.Is(err, context.Canceled) || problem.Is(err, problem.Incomplete)) {
		return nil
	}
	return problem.From(err)
}
