package records

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Trees computes the roots of runs. It remembers the branches that several runs share.
type Trees struct {
	tx     *gorm.DB
	shared map[string][]integrity.Branch // of versions, by kind and reference
}

// NewTrees starts to compute, within a transaction.
func NewTrees(tx *gorm.DB) *Trees { return &Trees{tx: tx, shared: map[string][]integrity.Branch{}} }

// Root is the digest over everything a run rests on, as the seals say: its own rows, its results, the stage outputs they name, the calls
// behind those, and the corpus, dataset and log down to each document, question and answer.
func (t *Trees) Root(row RunRow) (integrity.Digest, error) {
	var none integrity.Digest
	run, err := FromRunRow(row)
	if err != nil {
		return none, err
	}
	var branches []integrity.Branch
	for _, kind := range []string{"runs", "runs_end", "answers", "cells"} {
		b, err := t.branch(kind, row.ID)
		if err != nil {
			return none, err
		}
		branches = append(branches, b)
	}
	used, err := t.used(row.ID)
	if err != nil {
		return none, err
	}
	branches = append(branches, used...)
	for _, v := range VersionsOf(run.Setup) {
		below, err := t.version(v)
		if err != nil {
			return none, err
		}
		branches = append(branches, below...)
	}
	return integrity.Root(row.ID, branches), nil
}

// NamedVersion is a corpus, dataset or log that a run names.
type NamedVersion struct {
	Table, items string // such as corpora and documents
	Ref          experiments.Ref
}

// VersionsOf are the versions that a setup names.
func VersionsOf(s experiments.Setup) []NamedVersion {
	all := []NamedVersion{{"corpora", "documents", s.Corpus}, {"datasets", "questions", s.Dataset}}
	if l := s.Config.Log; l != nil {
		all = append(all, NamedVersion{"logs", "logged_answers", experiments.Ref{Name: l.Name, Version: l.Version, Digest: l.Digest}})
	}
	return slices.DeleteFunc(all, func(v NamedVersion) bool { return v.Ref.Name == "" })
}

func (t *Trees) version(v NamedVersion) ([]integrity.Branch, error) {
	key := v.Table + " " + v.Ref.String()
	if known, ok := t.shared[key]; ok {
		return known, nil
	}
	var out []integrity.Branch
	for _, kind := range []string{v.Table, v.items} {
		b, err := t.branch(kind, sqldb.CleanText(v.Ref.Name), int64(v.Ref.Version))
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	t.shared[key] = out
	return out, nil
}

// branch reads the seals of a kind whose keys are, or begin with, these parts.
func (t *Trees) branch(kind string, parts ...any) (integrity.Branch, error) {
	from, to := integrity.Under(parts...)
	// Two ranges of the primary key: with OR, SQLite reads every seal of the kind, and a run takes the longer to close the more there were.
	leaves, err := leavesOf(t.tx, nil,
		`SELECT key, digest FROM seals WHERE kind = ? AND key = ?
		UNION ALL SELECT key, digest FROM seals WHERE kind = ? AND key >= ? AND key < ?`,
		kind, integrity.KeyOf(parts...), kind, from, to)
	return integrity.NewBranch(kind, leaves), err
}

// leavesOf adds the seals that a query finds to leaves. A run has thousands, which are read by a plain scan.
func leavesOf(tx *gorm.DB, leaves []integrity.Leaf, query string, args ...any) ([]integrity.Leaf, error) {
	rows, err := tx.Raw(query, args...).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	var digest sql.RawBytes
	for rows.Next() {
		var l integrity.Leaf
		if err := rows.Scan(&l.Key, &digest); err != nil {
			return nil, err
		}
		copy(l.Digest[:], digest)
		leaves = append(leaves, l)
	}
	return leaves, rows.Err()
}

// used are the branches of the stage outputs that a run's answers and cells name, and of the calls behind them.
func (t *Trees) used(run string) ([]integrity.Branch, error) {
	named, err := namedStages(t.tx, run)
	if err != nil {
		return nil, err
	}
	keys := slices.Sorted(maps.Keys(named))
	var found []integrity.Leaf
	for chunk := range slices.Chunk(keys, sqldb.BatchRows) {
		if found, err = leavesOf(t.tx, found, "SELECT key, digest FROM seals WHERE kind = 'stages' AND key IN ?", chunk); err != nil {
			return nil, err
		}
	}
	calls := map[string]bool{}
	if err := EachStageCall(t.tx, keys, func(_, call string) { calls[call] = true }); err != nil {
		return nil, err
	}
	bills, err := t.bills(slices.Sorted(maps.Keys(calls)))
	return []integrity.Branch{integrity.NewBranch("stages", found), bills}, err
}

// bills is the branch of these calls, without what pruning takes away.
func (t *Trees) bills(ids []string) (integrity.Branch, error) {
	var leaves []integrity.Leaf
	hasher := integrity.NewHasher()
	for chunk := range slices.Chunk(ids, sqldb.BatchRows) {
		var rows []CallRow
		if err := t.tx.Select(integrity.Bill.Covers).Where("id IN ?", chunk).Find(&rows).Error; err != nil {
			return integrity.Branch{}, err
		}
		for i := range rows {
			value, err := seals.ColumnsOf(&rows[i])
			if err != nil {
				return integrity.Branch{}, err
			}
			key, digest := integrity.Bill.Seal(hasher, value)
			leaves = append(leaves, integrity.Leaf{Key: key, Digest: digest})
		}
	}
	return integrity.NewBranch(integrity.Bill.Kind, leaves), nil
}

// namedStages are the keys that the answers and cells of a run name.
func namedStages(tx *gorm.DB, run string) (map[string]bool, error) {
	var lists []string
	if err := tx.Raw("SELECT DISTINCT stages FROM cells WHERE run_id = ? AND stages <> 'null'", run).Scan(&lists).Error; err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, list := range lists {
		keys, err := KeyList(list)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			named[key] = true
		}
	}
	var answers []AnswerRow
	if err := tx.Select("retrieval_key", "generation_key").Where("run_id = ?", run).Find(&answers).Error; err != nil {
		return nil, err
	}
	for _, a := range answers {
		named[a.RetrievalKey], named[a.GenerationKey] = true, true
	}
	delete(named, "")
	return named, nil
}

// CloseRun seals how a run ended, and closes the tree of a finished one, whose results are copied. Its row is read again, as it is
// in the database now.
func CloseRun(tx *gorm.DB, id string) error {
	row, err := FindRun(tx, id)
	if err != nil {
		return err
	}
	if err := errors.Join(seals.Write(tx, "runs_end", &row), CloseTail(tx, id)); err != nil || row.State != string(experiments.Finished) {
		return err
	}
	run, err := FromRunRow(row)
	if err != nil {
		return err
	}
	if err := CompactRun(tx, run); err != nil {
		return err
	}
	root, err := NewTrees(tx).Root(row)
	if err != nil {
		return fmt.Errorf("close the tree of run %s: %w", id, err)
	}
	return seals.Put(tx, []seals.Row{{Kind: integrity.Tree, Key: id, Digest: root[:]}}, false)
}
