package notebooks

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Options say what is executed, and under which bounds.
type Options struct {
	Cells    []string           // these cells with everything stale that they need; none is the whole notebook
	Only     bool               // of Cells: nothing else is bought
	Budget   experiments.Budget // of all cells together; zero is none
	BudgetOf func(text string) (experiments.Budget, error)
	Approve  func(c CellView) (bool, error) // asked before a cell that costs something starts, with its price; nil refuses
}

// Run executes: cells that cost nothing are refreshed, paid ones that are not fresh are asked for and bought, each in its turn. What
// is done is in the lock file when Run returns, also with an error; running again goes on. A cell that was not approved stays stale,
// and so does what needs it. The error of the first paid cell that stopped is returned; what does not need it is still executed unless
// ctx ended or the budget is spent.
func (n *Notebook) Run(ctx context.Context, o Options) (*View, error) {
	wanted, err := n.Wanted(o)
	if err != nil {
		return nil, err
	}
	var first error
	spent, bought := Spend{}, map[string]bool{}
	v, err := n.walk(ctx, func(ctx context.Context, v *View, c *document.Cell, at *CellView) error {
		if wanted != nil && !wanted[c.Name] || at.Error != nil || at.State != Stale && at.State != Partial ||
			n.refreshing().restsOnStale(c, v) {
			return nil //nolint:nilerr // the error of the cell is in the view
		}
		err := n.buy(ctx, v, c, at, o, &spent)
		if err == nil && at.State == Fresh {
			bought[c.Name] = true
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil || problem.CodeOf(err) == "budget_spent" {
			return err
		}
		return nil
	})
	if first == nil {
		first = err
	}
	if ctx.Err() == nil && err != nil { // the rest is shown as it stands
		if rest, showErr := n.Evaluate(ctx, false); showErr == nil {
			v = rest
		}
	}
	if ctx.Err() == nil && err == nil && len(bought) > 0 {
		settled, settleErr := n.settle(ctx, v, bought)
		if first == nil {
			first = settleErr
		}
		v = settled
	}
	return v, first
}

// Wanted are the cells that an execution may buy, with all that they need; nil is every cell.
func (n *Notebook) Wanted(o Options) (map[string]bool, error) {
	var out map[string]bool
	for _, name := range o.Cells {
		if n.Document.Cell(name) == nil {
			return nil, n.Document.NoCell(name)
		}
		if out == nil {
			out = map[string]bool{}
		}
		if out[name] = true; !o.Only {
			maps.Copy(out, n.Document.Ancestors(name))
		}
	}
	return out, nil
}

// buy runs one paid cell and books it.
func (n *Notebook) buy(ctx context.Context, v *View, c *document.Cell, at *CellView, o Options, spent *Spend) error {
	work, err := n.work(v, c)
	if err != nil {
		return err
	}
	price, err := n.Engine.Price(ctx, work)
	if err != nil {
		at.State, at.Error = Errored, n.refreshing().located(c, err)
		return err
	}
	at.Price = &price
	if !price.Free() {
		ok := false
		if o.Approve != nil {
			if ok, err = o.Approve(*at); err != nil {
				return err
			}
		}
		if !ok {
			at.Add(because("not_started"))
			return nil
		}
	}
	budget, err := n.budget(c, o, *spent)
	if err != nil {
		return err
	}
	at.State = Running
	n.tell(*at)
	unbegin, err := n.begin(v, c)
	if err != nil {
		return err
	}
	bought, err := n.Engine.Buy(ctx, work, budget)
	spent.Calls += bought.Spend.Calls
	spent.Micros += bought.Spend.Micros
	unbegin()
	if bookErr := n.book(v, c, bought, err); bookErr != nil {
		return errors.Join(err, bookErr)
	}
	n.refreshing().refresh(context.WithoutCancel(ctx), v, c, at)
	n.tell(*at)
	return err
}

func (n *Notebook) tell(c CellView) {
	if n.Tell != nil {
		n.Tell(c)
	}
}

// begin notes in the lock file that a cell is being bought, so that a notebook whose process was killed says so when it is opened
// again. What was bought before stays in the entry. The function that is returned takes the note back, in memory.
func (n *Notebook) begin(v *View, c *document.Cell) (func(), error) {
	old, had := n.Lock.Cells[c.Name]
	e := n.refreshing().entry(v, c)
	e.Partial, e.Runs, e.Versions, e.Spend, e.At = reasonTexts["interrupted"].EN, old.Runs, old.Versions, old.Spend, n.Now().UTC().
		Format(time.RFC3339)
	n.Lock.Cells[c.Name] = e
	return func() {
		if n.Lock.Cells[c.Name] = old; !had {
			delete(n.Lock.Cells, c.Name)
		}
	}, n.Lock.write(LockPath(n.Path))
}

// book writes what a cell has bought to the lock file. A cell that stopped before it began anything leaves no trace.
func (n *Notebook) book(v *View, c *document.Cell, b Bought, stopped error) error {
	old := n.Lock.Cells[c.Name]
	if stopped != nil && len(b.Runs) == 0 && b.Spend == (Spend{}) {
		return n.Lock.write(LockPath(n.Path))
	}
	e := n.refreshing().entry(v, c)
	e.Runs, e.Versions, e.At = b.Runs, b.Versions, n.Now().UTC().Format(time.RFC3339)
	e.Spend = Spend{Calls: old.Spend.Calls + b.Spend.Calls, Micros: old.Spend.Micros + b.Spend.Micros, Currency: b.Spend.Currency}
	if stopped != nil {
		e.Partial = problem.From(stopped).Message
		if errors.Is(stopped, context.Canceled) {
			e.Partial = reasonTexts["stopped"].EN
		}
	}
	n.Lock.Cells[c.Name] = e
	for name := range n.Lock.Cells {
		if n.Document.Cell(name) == nil {
			delete(n.Lock.Cells, name)
		}
	}
	return n.Lock.write(LockPath(n.Path))
}

// budget is the smaller of what is left of the whole and what the cell allows itself.
func (n *Notebook) budget(c *document.Cell, o Options, spent Spend) (experiments.Budget, error) {
	b := o.Budget
	if b.Micros > 0 {
		b.Micros -= spent.Micros
	}
	if b.Calls > 0 {
		b.Calls -= spent.Calls
	}
	if o.Budget.Micros > 0 && b.Micros <= 0 || o.Budget.Calls > 0 && b.Calls <= 0 {
		return b, problem.New(problem.Incomplete, "budget_spent", "the budget is spent; cell %s was not started", c.Name).
			With("cell", c.Name).
			WithHint("run the notebook again with another --budget: what is done is not bought a second time")
	}
	if own := document.TextOf(c.Values["budget"]); own != "" && o.BudgetOf != nil {
		limit, err := o.BudgetOf(own)
		if err != nil {
			return b, n.refreshing().located(c, err)
		}
		b.Micros, b.Calls = smaller(b.Micros, limit.Micros), smaller(b.Calls, limit.Calls)
	}
	return b, nil
}

// smaller of two bounds; 0 bounds nothing.
func smaller[T int | int64](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Stale lists the cells that are not up to date, in the order of the page; pinned cells are up to date by decision.
func (v *View) Stale() []CellView {
	var out []CellView
	for _, c := range v.Cells {
		if c.State != Fresh && c.State != Pinned {
			out = append(out, c)
		}
	}
	return out
}

// Waiting lists the paid cells that wait to be run, in the order of the page: what the page of a notebook counts and runs. Free cells
// that rest on them follow by themselves.
func (v *View) Waiting() []CellView {
	var out []CellView
	for _, c := range v.Cells {
		schema, _ := document.SchemaOf(c.Type)
		if schema.Paid && slices.Contains([]State{Stale, Partial, Blocked, Errored}, c.State) {
			out = append(out, c)
		}
	}
	return out
}

// Verdict is the worst decision of the gates that have a value: "PASS", "INCONCLUSIVE" or "FAIL"; "" without gates.
func (v *View) Verdict() string {
	order := map[string]int{"PASS": 1, "INCONCLUSIVE": 2, "FAIL": 3}
	worst := ""
	for _, c := range v.Cells {
		if x, ok := c.Value.(document.Verdict); ok && order[x.Decision] > order[worst] {
			worst = x.Decision
		}
	}
	return worst
}

// RunIDs lists the runs that the notebook's paid cells rest on, each once.
func (n *Notebook) RunIDs() []string {
	seen := map[string]bool{}
	var out []string
	for _, name := range document.SortedKeys(n.Lock.Cells) {
		for _, r := range n.Lock.Cells[name].Runs {
			if !seen[r.ID] {
				seen[r.ID] = true
				out = append(out, r.ID)
			}
		}
	}
	return out
}
