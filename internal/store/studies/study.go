// Package studies moves rows from one database into another as files of JSON lines: some runs with all that they rest on, or everything
// that a person would miss. What arrives is held against its seals before it is believed.
package studies

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A study is a set of runs with everything they rest on: corpora, datasets, logs, experiments, answers, scores, stage outputs,
// and the ledger rows with the raw replies. It leaves one database and enters another as JSON lines, one file for each table.

// Table moves the rows of one table.
type Table struct {
	Name  string
	write func(tx *gorm.DB, s *selection, w io.Writer) error
	read  func(tx *gorm.DB, r io.Reader, seals *studySeals) error

	writeAll func(tx *gorm.DB, order string, w io.Writer) error
}

// Tables are the tables as files of rows: of some runs, or of everything.
type Tables struct{ *sqldb.DB }

// studyTables stand in the order in which they must be read back.
var studyTables = []Table{
	tableOf("corpora", versionsIn("corpora"), func(s *selection) [][]any { return s.refs(s.corpora) }, "name = ? AND version = ?"),
	tableOf[library.DocumentRow]("documents", nil, func(s *selection) [][]any { return s.refs(s.corpora) }, "corpus = ? AND version = ?"),
	tableOf("datasets", versionsIn("datasets"), func(s *selection) [][]any { return s.refs(s.datasets) }, "name = ? AND version = ?"),
	tableOf[library.QuestionRow]("questions", nil, func(s *selection) [][]any { return s.refs(s.datasets) }, "dataset = ? AND version = ?"),
	tableOf("agreements", library.CheckAgreement, func(s *selection) [][]any { return ofNames(s.datasets) }, "dataset = ?"),
	tableOf("taxonomies", checkTaxonomy, func(s *selection) [][]any { return ofNames(s.datasets) }, "dataset_name = ?"),
	tableOf("logs", checkLog, func(s *selection) [][]any { return s.refs(s.logs) }, "name = ? AND version = ?"),
	tableOf[library.LoggedAnswerRow]("logged_answers", nil, func(s *selection) [][]any { return s.refs(s.logs) },
		"log = ? AND version = ?"),
	tableOf("experiments", checkExperiment, func(s *selection) [][]any { return ofEach(s.experiments) }, "name = ?"),
	tableOf[library.RevisionRow]("revisions", nil, func(s *selection) [][]any { return ofEach(s.experiments) }, "experiment = ?"),
	tableOf("runs", checkRun, func(s *selection) [][]any { return ofList(s.runs) }, "id = ?"),
	tableOf[records.AnswerRow]("answers", nil, func(s *selection) [][]any { return ofList(s.runs) }, "run_id = ?"),
	tableOf[records.CellRow]("cells", nil, func(s *selection) [][]any { return ofList(s.runs) }, "run_id = ?"),
	tableOf("reviews", records.CheckReview, func(s *selection) [][]any { return ofList(s.runs) }, "run_id = ?"),
	tableOf[records.EventRow]("events", nil, func(s *selection) [][]any { return ofList(s.runs) }, "run_id = ?"),
	tableOf[records.StageRow]("stages", nil, func(s *selection) [][]any { return ofEach(s.stages) }, "key = ?"),
	tableOf[records.CallRow]("calls", nil, func(s *selection) [][]any { return ofEach(s.calls) }, "id = ?"),
	tableOf[records.CacheRow]("cache", nil, func(s *selection) [][]any { return ofEach(s.calls) }, "call_id = ?"),
	tableOf[records.VectorRow]("vectors", nil, func(s *selection) [][]any { return ofEach(s.spaces) }, "space = ?"),
}

// selection names the rows of a study.
type selection struct {
	runs                    []string // in the order they were created
	corpora, datasets, logs map[experiments.Ref]bool
	experiments             map[string]bool
	stages, calls, spaces   map[string]bool
	sealed                  map[string][]string // keys of seals by kind, of the rows written so far
	unmarked                []string            // rows whose seals have not the mark of the key of this place, by their names
}

func (s *selection) refs(refs map[experiments.Ref]bool) [][]any {
	sorted := slices.SortedFunc(maps.Keys(refs), func(a, b experiments.Ref) int { return strings.Compare(a.String(), b.String()) })
	out := make([][]any, len(sorted))
	for i, r := range sorted {
		out[i] = []any{r.Name, r.Version}
	}
	return out
}

// ofNames are the names of references, whatever their version.
func ofNames(refs map[experiments.Ref]bool) [][]any {
	names := map[string]bool{}
	for r := range refs {
		names[r.Name] = true
	}
	return ofEach(names)
}

func ofEach(set map[string]bool) [][]any { return ofList(slices.Sorted(maps.Keys(set))) }

func ofList(list []string) [][]any {
	out := make([][]any, len(list))
	for i, v := range list {
		out[i] = []any{v}
	}
	return out
}

// ExportRuns writes everything the runs rest on, table by table, into the writers that open gives for the tables' names. Sweeps
// bring their runs, runs bring their sweep, parent and children. It returns the ids of all runs written, in the order they were
// created; Conflict when one of them is still under way, or when rows were sealed without the key of this place.
func (s *Tables) ExportRuns(ctx context.Context, ids []string, open func(table string) (io.Writer, error)) (runs []string, err error) {
	err = s.Snapshot(ctx, "export runs", func(tx *gorm.DB) error {
		chosen, err := selectStudy(tx, ids)
		if err != nil {
			return err
		}
		runs = chosen.runs
		for _, t := range append(slices.Clone(studyTables), sealsTable) {
			w, err := open(t.Name)
			if err != nil {
				return err
			}
			if err := t.write(tx, chosen, w); err != nil {
				return fmt.Errorf("export %s: %w", t.Name, err)
			}
		}
		return chosen.vouched()
	})
	return runs, err
}

// ImportRuns reads the tables of a study in one transaction. What is there already stays as it is; Conflict when a version or a run
// of the same name is there with other content. open returns nil for a table that the study lacks. Invalid with code "study_seal" when
// a row of the study is not what was sealed.
func (s *Tables) ImportRuns(ctx context.Context, open func(table string) (io.ReadCloser, error)) error {
	_, err := s.importRuns(ctx, open, false)
	return err
}

// ImportAsIs is ImportRuns into a scratch copy, where somebody looks for what is wrong with a study: rows that are not what was sealed
// are read all the same, and told. sealed is false for a study that was written before there were seals.
func (s *Tables) ImportAsIs(ctx context.Context, open func(table string) (io.ReadCloser, error)) (found []doctor.Finding, sealed bool,
	err error) {
	seals, err := s.importRuns(ctx, open, true)
	if err != nil {
		return nil, false, err
	}
	return seals.found, seals.carried, nil
}

func (s *Tables) importRuns(ctx context.Context, open func(table string) (io.ReadCloser, error), asIs bool) (seals *studySeals, err error) {
	err = s.Write(ctx, "import a study", func(tx *gorm.DB) error {
		r, err := open(sealsTable.Name)
		if err != nil {
			return err
		}
		if seals, err = readStudySeals(r); err != nil {
			return err
		}
		before, err := doctor.Absent(tx)
		if err != nil {
			return err
		}
		for _, t := range dataTables() {
			if err := importTable(tx, t, open, seals); err != nil {
				return err
			}
		}
		seals.end()
		if err := seals.refuse(); err != nil && !asIs {
			return err
		}
		if err := seals.close(tx, asIs); err != nil {
			return err
		}
		return doctor.KeepAbsent(tx, before) // a study names what it leaves out
	})
	return seals, err
}

func importTable(tx *gorm.DB, t Table, open func(table string) (io.ReadCloser, error), seals *studySeals) error {
	r, err := open(t.Name)
	if err != nil || r == nil {
		return err
	}
	return errors.Join(t.read(tx, r, seals), r.Close())
}

// selectStudy finds everything that the runs rest on.
func selectStudy(tx *gorm.DB, ids []string) (*selection, error) {
	s := &selection{
		corpora: map[experiments.Ref]bool{}, datasets: map[experiments.Ref]bool{}, logs: map[experiments.Ref]bool{},
		experiments: map[string]bool{},
		stages:      map[string]bool{}, calls: map[string]bool{}, spaces: map[string]bool{}, sealed: map[string][]string{},
	}
	rows, err := relatives(tx, ids)
	if err != nil {
		return nil, err
	}
	models := map[string]bool{}
	for _, row := range rows {
		run, err := records.FromRunRow(row)
		if err != nil {
			return nil, err
		}
		if !records.Ended(run.State) {
			return nil, problem.New(problem.Conflict, "run_not_over", "run %s is %s; only runs that are over can be exported",
				run.ID, run.State).
				With("run", run.ID).WithHint("`workbench runs resume %s` finishes it; `workbench runs cancel %s` ends it", run.ID, run.ID)
		}
		s.add(run, models)
		if err := s.addReplies(tx, run.ID); err != nil {
			return nil, err
		}
	}
	return s, errors.Join(s.addTrials(tx), s.addByModel(tx, models))
}

// addTrials notes what recommended changes would do to good answers and what they did when they were tried: reports show it, and the
// keys do not say whose it is.
func (s *selection) addTrials(tx *gorm.DB) error {
	var keys []string
	if err := tx.Model(&records.StageRow{}).Where("kind IN ?", []string{"cause_risk", "cause_tried"}).Pluck("key",
		&keys).Error; err != nil {
		return err
	}
	for _, key := range keys {
		s.stages[key] = true
	}
	return nil
}

// relatives are the rows of these runs with their sweeps, parents and children, in the order they were created.
func relatives(tx *gorm.DB, ids []string) ([]records.RunRow, error) {
	var all []records.RunRow
	if err := tx.Order("seq").Find(&all).Error; err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(r records.RunRow) bool { return r.ID == id }) {
			return nil, records.NoRun(id)
		}
		wanted[id] = true
	}
	for grown := true; grown; {
		grown = false
		for _, r := range all {
			near := wanted[r.ID] || r.SweepID != "" && wanted[r.SweepID] || r.ParentID != "" && wanted[r.ParentID]
			if !near {
				continue
			}
			for _, id := range []string{r.ID, r.SweepID, r.ParentID} {
				if id != "" && !wanted[id] {
					wanted[id], grown = true, true
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(r records.RunRow) bool { return !wanted[r.ID] }), nil
}

// add notes what a run's setup names.
func (s *selection) add(run experiments.Run, models map[string]bool) {
	s.runs = append(s.runs, run.ID)
	s.experiments[run.Setup.Experiment] = true
	if ref := run.Setup.Corpus; ref.Name != "" {
		s.corpora[experiments.Ref{Name: ref.Name, Version: ref.Version}] = true
	}
	if ref := run.Setup.Dataset; ref.Name != "" {
		s.datasets[experiments.Ref{Name: ref.Name, Version: ref.Version}] = true
	}
	c, j := run.Setup.Config, run.Setup.Judge
	if c.Log != nil {
		s.logs[experiments.Ref{Name: c.Log.Name, Version: c.Log.Version}] = true
	}
	for _, name := range []string{c.Embedding.Name, c.Rewrite.Name, c.Rerank.Name, c.Generate.Model.Name, j.Embedding.Name} {
		if name != "" {
			models[name] = true
		}
	}
}

// addReplies notes the stage outputs of a run and the calls behind them, its own calls included.
func (s *selection) addReplies(tx *gorm.DB, id string) error {
	stages, err := records.UsedStages(tx, id)
	if err != nil {
		return err
	}
	for key := range stages {
		s.stages[key] = true
	}
	used, err := records.UsedCalls(tx, id)
	if err != nil {
		return err
	}
	for call := range used {
		s.calls[call] = true
	}
	var own []string
	if err := tx.Model(&records.CallRow{}).Where(records.OfRun, id, id).Pluck("id", &own).Error; err != nil {
		return err
	}
	for _, call := range own {
		s.calls[call] = true
	}
	return nil
}

// addByModel notes what no run names but may rest on: rewritten queries, orders and vectors that an earlier run had bought.
func (s *selection) addByModel(tx *gorm.DB, models map[string]bool) error {
	var spaces []string
	if err := tx.Model(&records.VectorRow{}).Distinct().Pluck("space", &spaces).Error; err != nil {
		return err
	}
	for model := range models {
		var calls []string
		if err := tx.Model(&records.CallRow{}).Where("model = ? AND state = 'usable' AND stage IN ('rewrite', 'rerank', 'embed')", model).
			Pluck("id", &calls).Error; err != nil {
			return err
		}
		for _, call := range calls {
			s.calls[call] = true
		}
		for _, space := range spaces {
			if llm.SpaceOf(space, model) {
				s.spaces[space] = true
			}
		}
	}
	return nil
}

// Reopen makes a run in a scratch copy queued again, with the answers and scores of these questions forgotten and every stage output of
// the store dropped but those of the run's other answers, so that working it computes them again from the replies in the ledger.
// Never call it on a database that somebody keeps.
func (s *Tables) Reopen(ctx context.Context, id string, questions []string) error {
	return s.Write(ctx, "reopen run "+id, func(tx *gorm.DB) error {
		for chunk := range slices.Chunk(questions, sqldb.BatchRows) {
			err := tx.Exec("UPDATE cells SET state = 'pending', value = NULL, reason = '', stages = 'null', writes = 0 WHERE run_id = ? AND question_id IN ?", id, chunk).Error
			if err == nil {
				err = tx.Exec("DELETE FROM answers WHERE run_id = ? AND question_id IN ?", id, chunk).Error
			}
			if err != nil {
				return err
			}
		}
		if err := records.DropCompact(tx, []string{id}); err != nil {
			return err
		}
		if err := dropStages(tx, id); err != nil {
			return err
		}
		// Nobody looks for forgeries in a scratch copy, and what is computed again gets new seals.
		if err := tx.Exec("DELETE FROM seals").Error; err != nil {
			return err
		}
		return tx.Exec(`UPDATE runs SET state = 'queued', cause = '', totals = 'null', pooled = '', chain = '', finished_at = NULL,
			budget_micros = 0, budget_calls = 0 WHERE id = ?`, id).Error
	})
}

// dropStages drops every stage output that reopening a run leaves nothing to rest on. Only SQLite holds scratch copies.
func dropStages(tx *gorm.DB, id string) error {
	return tx.Exec(`WITH kept (id) AS (
			SELECT id FROM runs WHERE id = ?1
			UNION SELECT other.id FROM runs child JOIN runs other ON other.id = child.parent_id OR other.parent_id = child.parent_id AND other.kind = 'evaluate'
				WHERE child.id = ?1 AND child.kind IN ('diagnose', 'questions'))
		DELETE FROM stages WHERE key NOT IN (
			SELECT retrieval_key FROM answers WHERE run_id IN (SELECT id FROM kept)
			UNION SELECT generation_key FROM answers WHERE run_id IN (SELECT id FROM kept)
			UNION SELECT used.value FROM cells, json_each(cells.stages) used
				WHERE cells.run_id IN (SELECT id FROM kept) AND cells.state <> 'pending' AND used.value IS NOT NULL)`, id).Error
}
