package integrity

import (
	"cmp"
	"slices"
)

// Leaf is one row under a run.
type Leaf struct {
	Key    string
	Digest Digest
}

// Branch is all rows of one kind under a run.
type Branch struct {
	Name   string
	Digest Digest
}

// NewBranch closes a branch over its leaves, whatever their order. Equal leaves count once.
func NewBranch(name string, leaves []Leaf) Branch {
	sorted := slices.Clone(leaves)
	slices.SortFunc(sorted, func(a, b Leaf) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), slices.Compare(a.Digest[:], b.Digest[:]))
	})
	h := NewHasher()
	h.Add("branch 1")
	h.Add(name)
	for _, l := range slices.Compact(sorted) {
		h.Add(l.Key)
		h.Add(l.Digest[:])
	}
	return Branch{Name: name, Digest: h.Sum()}
}

// Root closes the tree of a run over its branches, whatever their order.
// It is the root of this one run, with its id, times and bills: that two runs of equal work gave the same results is what their chains say.
func Root(run string, branches []Branch) Digest {
	sorted := slices.SortedFunc(slices.Values(branches), func(a, b Branch) int { return cmp.Compare(a.Name, b.Name) })
	h := NewHasher()
	h.Add("tree 1")
	h.Add(run)
	for _, b := range sorted {
		h.Add(b.Name)
		h.Add(b.Digest[:])
	}
	return h.Sum()
}
