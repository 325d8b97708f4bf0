package notebooks

import (
	"context"
	"slices"
)

// settle shows the page as it stands after cells were bought in one execution: what was computed above a cell may tell of its run as well,
// such as a comparison of the causes that were found below it, or a diagnosis of what came of the change that it recommends. A bought cell
// is not stale because of what its own run added to what it rests on: its entry in the lock rests on that too. Problems and refusals of
// the execution stay in the view.
func (n *Notebook) settle(ctx context.Context, v *View, bought map[string]bool) (*View, error) {
	var now *View
	for range len(bought) + 1 { // one that was put right may be what the next rests on
		var err error
		if now, err = n.Evaluate(ctx, false); err != nil {
			return v, err
		}
		moved := false
		for _, c := range now.Cells {
			if bought[c.Name] && c.State == Stale && len(c.Reasons) == 1 && c.Reasons[0].Code == "result_changed" {
				e := n.Lock.Cells[c.Name]
				e.Hash, moved = c.Hash, true
				n.Lock.Cells[c.Name] = e
			}
		}
		if !moved {
			break
		}
		if err := n.Lock.write(LockPath(n.Path)); err != nil {
			return v, err
		}
	}
	for i, c := range v.Cells {
		refused := slices.ContainsFunc(c.Reasons, func(r Reason) bool { return r.Code == "not_started" })
		if c.Error != nil || refused {
			now.Cells[i] = c
		}
	}
	return now, nil
}
