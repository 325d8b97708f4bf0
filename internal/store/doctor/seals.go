package doctor

import (
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
)

// mostNamed bounds the rows of one kind that are named one by one.
const mostNamed = 20

// seals compares every row that must not change with its seal, kind by kind. Sums tell whether all is well; only where they differ are
// the rows looked at one by one.
func (c *checking) seals() error {
	for _, rule := range integrity.Rules {
		table, err := c.table(rule)
		if err != nil {
			return err
		}
		var rows, seals integrity.Tally
		hasher := integrity.NewHasher()
		err = c.sealed(rule, table, func(key string, d integrity.Digest) { rows.Add(pairOf(hasher, key, d)) })
		if err != nil {
			c.add("seal", rule.Table, "its rows are not readable: %v", err)
			continue
		}
		odd := 0
		err = c.stored(rule.Kind, func(key string, d integrity.Digest, whole bool) {
			seals.Add(pairOf(hasher, key, d))
			if !whole {
				odd++
			}
		})
		if err != nil {
			return err
		}
		if odd > 0 || rows.Rows != seals.Rows || !slices.Equal(rows.Sum(), seals.Sum()) {
			if err := c.unequal(rule, table); err != nil {
				return err
			}
		}
	}
	return c.foreignSeals()
}

// foreignSeals finds seals of kinds that no row has.
func (c *checking) foreignSeals() error {
	kinds := []string{integrity.Tree, integrity.Gone, integrity.Tail}
	for _, rule := range integrity.Rules {
		kinds = append(kinds, rule.Kind)
	}
	var strange []seals.Row
	if err := c.tx.Where("kind NOT IN ?", kinds).Order("kind, key").Limit(mostNamed).Find(&strange).Error; err != nil {
		return err
	}
	for _, s := range strange {
		c.add("seal", integrity.Name(s.Kind, s.Key), "there is a seal for it, but rows of this kind have none")
	}
	return nil
}

// table is the table of a rule with the columns that it covers, in its order.
func (c *checking) table(rule integrity.Rule) (contents.Table, error) {
	i := slices.IndexFunc(c.schema, func(t contents.Table) bool { return t.Name == rule.Table })
	if i < 0 {
		return contents.Table{}, fmt.Errorf("there is no table %s", rule.Table)
	}
	t := contents.Table{Name: rule.Table}
	columns := rule.Covers
	if len(rule.Open) > 0 && !slices.Contains(columns, "state") {
		columns = append(slices.Clone(columns), "state")
	}
	for _, name := range columns {
		k := slices.IndexFunc(c.schema[i].Columns, func(col contents.Column) bool { return col.Name == name })
		if k < 0 {
			return t, fmt.Errorf("table %s has no column %s", rule.Table, name)
		}
		t.Columns = append(t.Columns, c.schema[i].Columns[k])
	}
	return t, nil
}

// sealed computes the seal of every row that must have one.
func (c *checking) sealed(rule integrity.Rule, t contents.Table, do func(key string, d integrity.Digest)) error {
	at := map[string]int{}
	for i, col := range t.Columns {
		at[col.Name] = i
	}
	hasher := integrity.NewHasher()
	return contents.EachRow(c.tx.Statement.Context, c.tx.Statement.ConnPool, t, func(values []any) error {
		if len(rule.Open) > 0 && !rule.Settled(values[at["state"]]) {
			return nil
		}
		do(rule.Seal(hasher, func(column string) any { return values[at[column]] }))
		return nil
	})
}

// stored reads the seals of a kind; whole says whether each has the length of a digest.
func (c *checking) stored(kind string, do func(key string, d integrity.Digest, whole bool)) error {
	query, places := "SELECT key, digest FROM seals WHERE kind = ?", 2
	if c.marks != nil { // without, the column may not be there yet: tables are brought up to date so
		query, places = "SELECT key, digest, mark FROM seals WHERE kind = ?", 3
	}
	rows, err := c.tx.Raw(query, kind).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var digest, mark []byte
		if err := rows.Scan([]any{&key, &digest, &mark}[:places]...); err != nil {
			return err
		}
		c.marked(kind, key, digest, mark)
		d, whole := integrity.DigestOf(digest)
		do(key, d, whole)
	}
	return rows.Err()
}

// pairOf is the digest of a key with its digest.
func pairOf(h *integrity.Hasher, key string, d integrity.Digest) integrity.Digest {
	h.Reset()
	h.Add(key)
	h.Add(d[:])
	return h.Sum()
}

// unequal names the rows of a kind that are not what was sealed, that nobody sealed, and that are gone.
func (c *checking) unequal(rule integrity.Rule, t contents.Table) error {
	seals := map[string]integrity.Digest{}
	err := c.stored(rule.Kind, func(key string, d integrity.Digest, whole bool) {
		if whole {
			seals[key] = d
		} else {
			seals[key] = integrity.Digest{}
		}
	})
	if err != nil {
		return err
	}
	told := 0
	other, unsealed, lost := saidOf(rule.Kind)
	tell := func(key, message string) {
		if told++; told <= mostNamed {
			c.add("seal", integrity.Name(rule.Kind, key), "%s", message)
		}
	}
	err = c.sealed(rule, t, func(key string, d integrity.Digest) {
		was, known := seals[key]
		switch {
		case !known:
			tell(key, unsealed)
		case was != d:
			tell(key, other)
		}
		delete(seals, key)
	})
	if err != nil {
		return err
	}
	gone := make([]string, 0, len(seals))
	for key := range seals {
		gone = append(gone, key)
	}
	slices.Sort(gone)
	for _, key := range gone {
		tell(key, lost)
	}
	if told > mostNamed {
		c.add("seal", rule.Table, "%d more rows of this kind are not what was sealed", told-mostNamed)
	}
	return nil
}

// trees computes the root of every finished run again.
func (c *checking) trees() error {
	roots := map[string]integrity.Digest{}
	err := c.stored(integrity.Tree, func(key string, d integrity.Digest, _ bool) { roots[key] = d })
	if err != nil {
		return err
	}
	trees := records.NewTrees(c.tx)
	for _, row := range c.runs {
		root, known := roots[row.ID]
		delete(roots, row.ID)
		if row.State != string(experiments.Finished) {
			if known {
				c.add("tree", "run "+row.ID, "it is %s, but a tree was closed over it when it finished", row.State)
			}
			continue
		}
		now, err := trees.Root(row)
		switch {
		case err != nil:
			c.add("tree", "run "+row.ID, "what it rests on is not readable: %v", err)
		case !known:
			c.add("tree", "run "+row.ID, "it is finished, but no tree was closed over what it rests on")
		case now != root:
			c.add("tree", "run "+row.ID, "what it rests on is not what it was when it finished")
		}
	}
	for id := range roots {
		c.add("tree", "run "+id, "a tree was closed over it, but the run is gone")
	}
	return nil
}
