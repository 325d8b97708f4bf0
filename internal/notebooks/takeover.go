package notebooks

import (
	"context"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TakeOver gives a paid cell that was never run its result when all of its work was done before, as that of a sweep that is finished:
// it books those runs, and buys and computes nothing. It reports whether the cell has its result now.
func (n *Notebook) TakeOver(ctx context.Context, name string) (bool, error) {
	c := n.Document.Cell(name)
	if c == nil {
		return false, n.Document.NoCell(name)
	}
	v, err := n.Evaluate(ctx, false)
	if err != nil {
		return false, err
	}
	at := v.Cell(name)
	if schema, _ := document.SchemaOf(c.Type); !schema.Paid || at.State != Stale || at.Value != nil || n.refreshing().restsOnStale(c, v) {
		return at.State == Fresh, nil
	}
	work, err := n.work(v, c)
	if err != nil {
		return false, err
	}
	price, err := n.Engine.Price(ctx, work)
	if err != nil || !price.Free() || price.RunsDone < price.Runs {
		return false, err
	}
	bought, err := n.Engine.Buy(ctx, work, experiments.Budget{})
	if err == nil {
		err = n.book(v, c, bought, nil)
	}
	return err == nil, err
}
