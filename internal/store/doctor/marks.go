package doctor

import (
	"bytes"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// tails compares how many events each run that is over has, and what its calls cost, with what was sealed.
func (c *checking) tails() error {
	sealed := map[string]integrity.Digest{}
	if err := c.stored(integrity.Tail, func(key string, d integrity.Digest, _ bool) { sealed[key] = d }); err != nil {
		return err
	}
	now := map[string]integrity.Digest{}
	if err := records.EachTail(c.tx, func(s seals.Row) { now[s.Key], _ = integrity.DigestOf(s.Digest) }); err != nil {
		return err
	}
	for _, row := range c.runs {
		was, known := sealed[row.ID]
		delete(sealed, row.ID)
		switch {
		case !records.Ended(experiments.RunState(row.State)):
			if known {
				c.add("tail", "run "+row.ID, "it is %s, but it was sealed as one that is over", row.State)
			}
		case !known:
			c.add("tail", "run "+row.ID, "it is over, but nothing says how many events it had and what its calls cost")
		case was != now[row.ID]:
			c.add("tail", "run "+row.ID, "it has not as many events as when it ended, or its calls did not cost the same")
		}
	}
	for id := range sealed {
		c.add("tail", "run "+id, "it was sealed as one that is over, but the run is gone")
	}
	return nil
}

// marked looks at the mark of a seal, where this place has a key.
func (c *checking) marked(kind, key string, digest, mark []byte) {
	if c.marks == nil || !c.marks.Knows(kind) || bytes.Equal(c.marks.Mark(kind, key, digest), mark) || len(mark) == 0 && c.shared {
		return
	}
	if c.unmarked == nil {
		c.unmarked = map[string]map[string]bool{}
	}
	if c.unmarked[kind] == nil {
		c.unmarked[kind] = map[string]bool{}
	}
	c.unmarked[kind][key] = true
}

// unmarkedSeals tells of seals without the mark of this place's key, and of kinds of which there are more or fewer than were put in.
func (c *checking) unmarkedSeals() error {
	if c.marks == nil {
		return nil
	}
	kinds := []string{integrity.Tree, integrity.Tail, integrity.Gone}
	for _, rule := range integrity.Rules {
		kinds = append(kinds, rule.Kind)
	}
	for _, kind := range kinds {
		keys := make([]string, 0, len(c.unmarked[kind]))
		for key := range c.unmarked[kind] {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys[:min(len(keys), mostNamed)] {
			c.add("mark", integrity.Name(kind, key),
				"its seal has not the mark of this place's key: somebody wrote it, or a program without the key, such as an older server "+
					"that still ran after an upgrade")
		}
		if more := len(keys) - mostNamed; more > 0 {
			c.add("mark", kind, "%d more seals of this kind have not the mark of this place's key", more)
		}
	}
	if c.shared { // who has no key does not count
		return nil
	}
	return c.numbers()
}

// numbers compares how many rows of a kind there are with how many were put in and not taken away.
func (c *checking) numbers() error {
	for _, kind := range append(slices.Clone(integrity.Counted), seals.Alone) {
		if !c.marks.Knows(kind) {
			continue
		}
		want, whole, err := c.marks.Counted(c.tx, kind)
		if err != nil {
			return err
		}
		have, err := seals.NumberOf(c.tx, kind)
		if err != nil {
			return err
		}
		switch {
		case !whole:
			c.add("mark", kind, "somebody else than this program wrote how many of this kind there are")
		case have != want:
			c.add("mark", kind, "there are %d of this kind, but %d were put in and not taken away by this program; "+
				"an older server that still ran after an upgrade does not count", have, want)
		}
	}
	return nil
}

// findMarks finds by which marks the database is looked at; none where no key has marked it.
func (c *checking) findMarks() (err error) {
	if c.marks, _ = sqldb.MarkerOf(c.tx).(*seals.Marks); c.marks != nil {
		c.shared, err = seals.Shared(c.tx)
	}
	return err
}
