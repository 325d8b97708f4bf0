package store

import (
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// trees computes the roots of runs. It remembers the branches that several runs share.
type trees struct {
	tx     *gorm.DB
	shared map[string][]integrity.Branch // of versions, by kind and reference
}

func newTrees(tx *gorm.DB) *trees { return &trees{tx: tx, shared: map[string][]integrity.Branch{}} }

// root is the digest over everything a run rests on, as the seals say: its own rows, its results, the stage outputs they name, the calls
// behind those, and the corpus, dataset and log down to each document, question and answer.
func (t *trees) root(row runRow) (integrity.Digest, error) {
	var none integrity.Digest
	run, err := fromRunRow(row)
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
	for _, v := range versionsOf(run.Setup) {
		below, err := t.version(v)
		if err != nil {
			return none, err
		}
		branches = append(branches, below...)
	}
	return integrity.Root(row.ID, branches), nil
}

// version is a corpus, dataset or log that a run names.
type version struct {
	table, items string // such as corpora and documents
	ref          experiments.Ref
}

// versionsOf are the versions that a setup names.
func versionsOf(s experiments.Setup) []version {
	all := []version{{"corpora", "documents", s.Corpus}, {"datasets", "questions", s.Dataset}}
	if l := s.Config.Log; l != nil {
		all = append(all, version{"logs", "logged_answers", experiments.Ref{Name: l.Name, Version: l.Version, Digest: l.Digest}})
	}
	return slices.DeleteFunc(all, func(v version) bool { return v.ref.Name == "" })
}

func (t *trees) version(v version) ([]integrity.Branch, error) {
	key := v.table + " " + v.ref.String()
	if known, ok := t.shared[key]; ok {
		return known, nil
	}
	var out []integrity.Branch
	for _, kind := range []string{v.table, v.items} {
		b, err := t.branch(kind, sqldb.CleanText(v.ref.Name), int64(v.ref.Version))
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	t.shared[key] = out
	return out, nil
}

// branch reads the seals of a kind whose keys are, or begin with, these parts.
func (t *trees) branch(kind string, parts ...any) (integrity.Branch, error) {
	from, to := integrity.Under(parts...)
	var rows []sealRow
	// Two ranges of the primary key: with OR, SQLite reads every seal of the kind, and a run takes the longer to close the more there were.
	err := t.tx.Raw("SELECT * FROM seals WHERE kind = ? AND key = ? UNION ALL SELECT * FROM seals WHERE kind = ? AND key >= ? AND key < ?",
		kind, integrity.KeyOf(parts...), kind, from, to).Scan(&rows).Error
	return branchOf(kind, rows), err
}

func branchOf(kind string, rows []sealRow) integrity.Branch {
	leaves := make([]integrity.Leaf, len(rows))
	for i, r := range rows {
		leaves[i].Key = r.Key
		copy(leaves[i].Digest[:], r.Digest)
	}
	return integrity.NewBranch(kind, leaves)
}

// used are the branches of the stage outputs that a run's answers and cells name, and of the calls behind them.
func (t *trees) used(run string) ([]integrity.Branch, error) {
	named, err := namedStages(t.tx, run)
	if err != nil {
		return nil, err
	}
	keys := slices.Sorted(maps.Keys(named))
	var seals []sealRow
	for chunk := range slices.Chunk(keys, sqldb.BatchRows) {
		var rows []sealRow
		if err := t.tx.Where("kind = 'stages' AND key IN ?", chunk).Find(&rows).Error; err != nil {
			return nil, err
		}
		seals = append(seals, rows...)
	}
	calls := map[string]bool{}
	if err := eachStageCall(t.tx, keys, func(_, call string) { calls[call] = true }); err != nil {
		return nil, err
	}
	bills, err := t.bills(slices.Sorted(maps.Keys(calls)))
	return []integrity.Branch{branchOf("stages", seals), bills}, err
}

// bills is the branch of these calls, without what pruning takes away.
func (t *trees) bills(ids []string) (integrity.Branch, error) {
	var leaves []integrity.Leaf
	hasher := integrity.NewHasher()
	for chunk := range slices.Chunk(ids, sqldb.BatchRows) {
		var rows []callRow
		if err := t.tx.Select(integrity.Bill.Covers).Where("id IN ?", chunk).Find(&rows).Error; err != nil {
			return integrity.Branch{}, err
		}
		for i := range rows {
			value, err := columnsOf(&rows[i])
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
		keys, err := keyList(list)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			named[key] = true
		}
	}
	var answers []answerRow
	if err := tx.Select("retrieval_key", "generation_key").Where("run_id = ?", run).Find(&answers).Error; err != nil {
		return nil, err
	}
	for _, a := range answers {
		named[a.RetrievalKey], named[a.GenerationKey] = true, true
	}
	delete(named, "")
	return named, nil
}

// closeRun seals how a run ended, and closes the tree of a finished one, whose results are copied. Its row is read again, as it is
// in the database now.
func closeRun(tx *gorm.DB, id string) error {
	row, err := findRun(tx, id)
	if err != nil {
		return err
	}
	if err := sealRowAs(tx, "runs_end", &row); err != nil || row.State != string(experiments.Finished) {
		return err
	}
	run, err := fromRunRow(row)
	if err != nil {
		return err
	}
	if err := compactRun(tx, run); err != nil {
		return err
	}
	root, err := newTrees(tx).root(row)
	if err != nil {
		return fmt.Errorf("close the tree of run %s: %w", id, err)
	}
	return putSeals(tx, []sealRow{{integrity.Tree, id, root[:]}}, false)
}
