package studies

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A study carries the seals of its rows as they are stored, and the trees of its runs. Whoever reads it computes them again from the
// rows in it. A study that an older program wrote has none: its rows are believed, as they were then, and sealed where they arrive.

// sealsTable is written last, when it is known which rows are in the study, and read first.
var sealsTable = Table{
	Name: seals.Row{}.TableName(),
	write: func(tx *gorm.DB, s *selection, w io.Writer) error {
		for _, id := range s.runs {
			s.sealed[integrity.Tree] = append(s.sealed[integrity.Tree], id)
		}
		marked, err := markedIn(tx)
		if err != nil {
			return err
		}
		for _, kind := range sealedKinds() {
			keys := s.sealed[kind]
			slices.Sort(keys)
			for chunk := range slices.Chunk(slices.Compact(keys), sqldb.BatchRows) {
				var rows []seals.Row
				if err := tx.Where("kind = ? AND key IN ?", kind, chunk).Find(&rows).Error; err != nil {
					return err
				}
				slices.SortFunc(rows, func(a, b seals.Row) int { return compareText(a.Key, b.Key) })
				if err := errors.Join(marked(s, kind, chunk), writeRows(rows, w)); err != nil {
					return err
				}
			}
		}
		return nil
	},
	writeAll: func(tx *gorm.DB, _ string, w io.Writer) error {
		for _, kind := range sealedKinds() {
			var rows []seals.Row
			if err := tx.Where("kind = ?", kind).Find(&rows).Error; err != nil {
				return err
			}
			slices.SortFunc(rows, func(a, b seals.Row) int { return compareText(a.Key, b.Key) })
			if err := writeRows(rows, w); err != nil {
				return err
			}
		}
		return nil
	},
}

// markedIn is what notes the seals without the mark of the key of this place; it does nothing where there is no key.
func markedIn(tx *gorm.DB) (func(s *selection, kind string, keys []string) error, error) {
	marks, keyed := sqldb.MarkerOf(tx).(*seals.Marks)
	if !keyed {
		return func(*selection, string, []string) error { return nil }, nil
	}
	shared, err := seals.Shared(tx)
	return func(s *selection, kind string, keys []string) error {
		found, err := marks.Unmarked(tx, kind, keys, shared)
		for _, key := range found {
			s.unmarked = append(s.unmarked, integrity.Name(kind, key))
		}
		return err
	}, err
}

// vouched is the Problem of a study of which rows were sealed by somebody else than this program; nil where all are marked. Nobody who is
// given the study could see it.
func (s *selection) vouched() error {
	if len(s.unmarked) == 0 {
		return nil
	}
	return problem.New(problem.Conflict, "study_seal", "%d rows that these runs rest on were sealed by somebody else than this program; the "+
		"first: %s", len(s.unmarked), s.unmarked[0]).With("rows", len(s.unmarked)).
		WithHint("`workbench doctor` lists what is wrong; whoever is given the study could not see it")
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// sealedKinds are the kinds of seals of rows that studies hold, sorted.
func sealedKinds() []string {
	kinds := []string{integrity.Tree}
	for _, t := range dataTables() {
		for _, r := range integrity.Carried(t.Name) {
			kinds = append(kinds, r.Kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

func writeRows[R any](rows []R, w io.Writer) error {
	for i := range rows {
		line, err := encodeRow(&rows[i])
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// note remembers which seals belong to the rows that a condition and its values choose: those of rows that are gone too, so that it is seen
// in the study that they are. The columns of the condition are the first of the seals' keys.
func (s *selection) note(tx *gorm.DB, table, where string, values []any) error {
	for _, rule := range integrity.Carried(table) {
		columns := strings.Split(strings.ReplaceAll(where, " = ?", ""), " AND ")
		if len(columns) > len(rule.Key) || !slices.Equal(columns, rule.Key[:len(columns)]) {
			return fmt.Errorf("rows of %s are chosen by %s, and their seals by %v", table, where, rule.Key)
		}
		parts := make([]any, len(values))
		for i, v := range values {
			parts[i] = seals.Canonical(v)
		}
		if len(columns) == len(rule.Key) {
			s.sealed[rule.Kind] = append(s.sealed[rule.Kind], integrity.KeyOf(parts...))
			continue
		}
		from, to := integrity.Under(parts...)
		var keys []string
		if err := tx.Model(&seals.Row{}).Where("kind = ? AND key >= ? AND key < ?", rule.Kind, from, to).Pluck("key", &keys).
			Error; err != nil {
			return err
		}
		s.sealed[rule.Kind] = append(s.sealed[rule.Kind], keys...)
	}
	return nil
}

// studySeals are the seals in a study, and what is wrong with its rows.
type studySeals struct {
	carried bool // the study has seals
	emptied bool // its table of seals is there, without a row
	seals   map[string]map[string]integrity.Digest
	runs    []string // in the study
	older   []string // of these, the ones that a program wrote which kept no totals with the votes of children
	found   []doctor.Finding
	wrong   map[string]int // kind → rows that are not what was sealed, of which found has the first
	hasher  *integrity.Hasher
}

// mostNamed bounds the rows of one kind that are named one by one.
const mostNamed = 20

func readStudySeals(r io.ReadCloser) (*studySeals, error) {
	s := &studySeals{seals: map[string]map[string]integrity.Digest{}, wrong: map[string]int{}, hasher: integrity.NewHasher()}
	if r == nil {
		return s, nil
	}
	s.carried = true
	lines := json.NewDecoder(r)
	for {
		var line json.RawMessage
		var row seals.Row
		err := lines.Decode(&line)
		if err == io.EOF {
			s.emptied = len(s.seals) == 0
			return s, r.Close()
		}
		if err == nil {
			err = decodeRow(line, &row)
		}
		d, whole := integrity.DigestOf(row.Digest)
		_, twice := s.seals[row.Kind][row.Key] // of two, another program would read the other
		if err != nil || !whole || twice {
			_ = r.Close() // the first error is the one to tell
			return nil, problem.New(problem.Invalid, "study_row", "the seals in the study cannot be read").Because(err)
		}
		if s.seals[row.Kind] == nil {
			s.seals[row.Kind] = map[string]integrity.Digest{}
		}
		s.seals[row.Kind][row.Key] = d
	}
}

// look compares a row of the study, a pointer, with its seals.
func (s *studySeals) look(table string, row any) error {
	if r, ok := row.(*records.RunRow); ok {
		s.runs = append(s.runs, r.ID)
	}
	if !s.carried {
		return nil
	}
	for _, rule := range integrity.Carried(table) {
		value, err := seals.ColumnsOf(row)
		if err != nil {
			return err
		}
		if len(rule.Open) > 0 && !rule.Settled(value("state")) {
			continue
		}
		key, digest := rule.Seal(s.hasher, value)
		was, sealed := s.seals[rule.Kind][key]
		switch {
		case !sealed:
			s.add(rule.Kind, key, "it is in the study, but has no seal")
		case was != digest:
			s.add(rule.Kind, key, "it is not what it was when it was sealed")
		}
		delete(s.seals[rule.Kind], key)
	}
	return nil
}

func (s *studySeals) add(kind, key, message string) {
	if s.wrong[kind]++; s.emptied || s.wrong[kind] > mostNamed {
		return
	}
	s.found = append(s.found, doctor.Finding{Invariant: "seal", Subject: integrity.Name(kind, key), Message: message})
}

// rows is how many rows are not what was sealed.
func (s *studySeals) rows() (n int) {
	for _, wrong := range s.wrong {
		n += wrong
	}
	return n
}

// end names the rows that were sealed and are not in the study, and sums up those that were not named.
func (s *studySeals) end() {
	for _, kind := range sealedKinds() {
		if kind == integrity.Tree {
			continue
		}
		var gone []string
		for key := range s.seals[kind] {
			gone = append(gone, key)
		}
		slices.Sort(gone)
		for _, key := range gone {
			s.add(kind, key, "it was sealed and is not in the study")
		}
		if more := s.wrong[kind] - mostNamed; more > 0 && !s.emptied {
			s.found = append(s.found, doctor.Finding{Invariant: "seal", Subject: kind,
				Message: fmt.Sprintf("%d more rows of this kind are not what was sealed", more)})
		}
	}
	if s.emptied && s.rows() > 0 {
		s.found = append(s.found, doctor.Finding{Invariant: "seal", Subject: "the study",
			Message: fmt.Sprintf("its table of seals is empty: nothing says whether its %d rows are what was sealed", s.rows())})
	}
}

// refuse is the Problem of a study whose rows are not what was sealed; nil when all are.
func (s *studySeals) refuse() error {
	if len(s.found) == 0 {
		return nil
	}
	if s.emptied {
		return problem.New(problem.Invalid, "study_seal", "the table of seals in the study is empty: nothing says whether its %d rows are "+
			"what was sealed", s.rows()).With("rows", s.rows()).
			WithHint("somebody changed it, or it is damaged: have it exported again; `workbench verify` lists what is wrong")
	}
	f := s.found[0]
	return problem.New(problem.Invalid, "study_seal", "%d rows of the study are not what was sealed; the first: %s: %s", s.rows(),
		f.Subject, f.Message).
		With("rows", s.rows()).
		WithHint("somebody changed it, or it is damaged: have it exported again; `workbench verify` lists what is wrong")
}

// close stores the trees that the study carries for its finished runs, or makes them where it carries none. Unless forged ones are
// wanted as they are, it refuses a run that does not rest here on what it rested on there.
func (s *studySeals) close(tx *gorm.DB, asIs bool) error {
	trees := records.NewTrees(tx)
	for _, id := range s.runs {
		row, err := records.FindRun(tx, id)
		if err != nil {
			return err
		}
		if err := records.CloseTail(tx, id); err != nil {
			return err
		}
		if row.State != string(experiments.Finished) {
			continue
		}
		carried, sealed := s.seals[integrity.Tree][id]
		if asIs {
			if sealed {
				err = seals.Put(tx, []seals.Row{{Kind: integrity.Tree, Key: id, Digest: carried[:]}}, true)
			}
			if err == nil && (!s.carried || s.emptied) { // that there is no seal at all is told once
				err = records.CloseRun(tx, id)
			}
			if err != nil {
				return err
			}
			continue
		}
		root, err := trees.Root(row)
		if err != nil {
			return err
		}
		if s.carried && carried != root {
			return problem.New(problem.Conflict, "study_conflict",
				"run %s would not rest here on what it rests on in the study: something of it is here already with other content", id).
				With("run", id).WithHint("import the study into a data directory of its own with --data")
		}
		if err := seals.Put(tx, []seals.Row{{Kind: integrity.Tree, Key: id, Digest: root[:]}}, false); err != nil {
			return fmt.Errorf("close the tree of run %s: %w", id, err)
		}
		run, err := records.FromRunRow(row)
		if err != nil {
			return err
		}
		if err := records.CompactRun(tx, run); err != nil {
			return err
		}
	}
	return s.repool(tx, asIs)
}

// repool makes the totals with the votes of children anew: a study may bring votes for a run that was here before, or be older than these.
func (s *studySeals) repool(tx *gorm.DB, asIs bool) error {
	if asIs { // what is there is looked at as it is; where nothing is, nothing can be wrong, and damaged results are told of elsewhere
		for _, id := range s.older {
			_ = records.Repool(tx, id)
		}
		return nil
	}
	for _, id := range s.runs {
		if err := records.Repool(tx, id); err != nil {
			return fmt.Errorf("add up the votes of run %s: %w", id, err)
		}
	}
	return nil
}
