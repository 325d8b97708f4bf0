package notebooks

// The parts of a notebook that work on one cell, or for one statement.
type (
	// refreshing says how a cell stands: what it rests on, what is locked, what has changed since.
	refreshing struct{ *Notebook }
	// cellPages shows cells to those who read.
	cellPages struct{ *Notebook }
	// asking fills the tables that a statement reads.
	asking struct{ *Notebook }
)

func (n *Notebook) refreshing() refreshing { return refreshing{n} }
func (n *Notebook) cellPages() cellPages   { return cellPages{n} }
func (n *Notebook) asking() asking         { return asking{n} }
