package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// questionSheet is the sheet that is read when a workbook has it, whatever its place.
const questionSheet = "questions"

// tab is one sheet of a workbook, as far as it matters for which one is read.
type tab struct {
	name   string
	hidden bool
	header gridRow // the row with its column names; none where it has no name that is known
	score  float64 // how much that row looks like a question sheet's
	asks   bool    // a column is named as questions are
	solves bool    // a column is named as right answers are
}

// resultTabs are names of sheets with what a system answered when the questions were run.
var resultTabs = text.Lazy(`結果|実績|ログ|履歴|(?i:\bresults?\b|\bruns?\b|\bactual\b|\boutputs?\b|\blogs?\b)`)

// chooseSheet takes the sheet that people named or called "questions", else the one whose header looks most like a question sheet's, else
// the first. A hidden sheet is read only where no visible one asks something, and one with results of a run only where no other sheet has
// both questions and right answers.
func (t *Table) chooseSheet(f *excelize.File, sheets []string, wanted, file string) (tabs []tab, chosen int, err error) {
	tabs = make([]tab, len(sheets))
	for i, name := range sheets {
		if tabs[i], err = t.look(f, name, len(sheets) > 1); err != nil {
			return nil, 0, brokenWorkbook(file, err)
		}
	}
	chosen = t.bestTab(tabs)
	if wanted != "" {
		if chosen = slices.IndexFunc(sheets, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(wanted)) }); chosen < 0 {
			return nil, 0, unknownSheet(file, wanted, sheets)
		}
	}
	return tabs, chosen, nil
}

// oneSheet reads a single sheet and names the others.
func (t *Table) oneSheet(f *excelize.File, file string, faults *RowFaults, size int, tabs []tab, chosen int) error {
	t.sheet = tabs[chosen].name
	if tabs[chosen].hidden {
		t.Notes = append(t.Notes, text.Say("the sheet %q is hidden in the workbook and was read all the same; to read another: --sheet NAME",
			"読み取ったシート「%s」はブックで非表示になっています。別のシートを読み取る場合は --sheet シート名", t.sheet))
	}
	if len(tabs) > 1 {
		if err := t.otherTabs(f, file, slices.Delete(slices.Clone(tabs), chosen, chosen+1)); err != nil {
			return err
		}
	}
	return t.sheetRows(f, file, faults, size)
}

// look learns of a sheet what decides whether it is read.
func (t *Table) look(f *excelize.File, name string, header bool) (tab, error) {
	visible, err := f.GetSheetVisible(name)
	found := tab{name: name, hidden: err == nil && !visible} // where that is not known the sheet itself is read all the same
	if !header || t.locate == nil {
		return found, nil
	}
	rows, err := firstRows(f, name)
	if err != nil {
		return found, err
	}
	i := bestHeader(rows)
	if i < 0 {
		return found, nil
	}
	found.header, found.score = rows[i], headerScore(rows, i)
	for _, c := range rows[i].cells {
		field, strength := guessName(c)
		found.asks = found.asks || field == FieldQuestion && strength > unsaid
		found.solves = found.solves || field == FieldReference && strength > unsaid
	}
	return found, nil
}

// bestTab is the place of the sheet that is read where nobody names one.
func (t *Table) bestTab(tabs []tab) int {
	shown := slices.ContainsFunc(tabs, func(s tab) bool { return !s.hidden && (s.asks || t.locate == nil) })
	cases := slices.ContainsFunc(tabs, func(s tab) bool {
		return s.hidden != shown && s.asks && s.solves && !isAside(s)
	})
	best := -1
	for i, s := range tabs {
		switch {
		case shown && s.hidden:
		case strings.EqualFold(s.name, questionSheet):
			return i
		case t.locate == nil:
			if best < 0 {
				best = i
			}
		case cases && isAside(s):
		case s.score > 0 && (best < 0 || s.score > tabs[best].score):
			best = i
		}
	}
	if best < 0 {
		best = max(0, slices.IndexFunc(tabs, func(s tab) bool { return !s.hidden }))
	}
	return best
}

// otherTabs says which sheets were not read, and of those that look like questions or answers how much they hold.
func (t *Table) otherTabs(f *excelize.File, file string, others []tab) error {
	var names, asking, solving []text.Said
	for _, s := range others {
		n, err := rowsBelow(f, s)
		if err != nil {
			return brokenWorkbook(file, err)
		}
		name, rows := text.Said{EN: s.name, JA: s.name}, text.Count(n, "row", "行")
		switch table := n > 0 && (s.asks || s.solves); {
		case s.hidden && table:
			name = text.Say("%s (hidden, %s)", "%s（非表示、%s）", s.name, rows)
		case s.hidden:
			name = text.Say("%s (hidden)", "%s（非表示）", s.name)
		case table:
			name = text.Say("%s (%s)", "%s（%s）", s.name, rows)
		}
		names = append(names, name)
		switch {
		case n == 0, s.hidden, isAside(s):
		case s.asks:
			asking = append(asking, name)
		case s.solves:
			solving = append(solving, name)
		}
	}
	switch {
	case len(names) == 0:
	case len(t.together) > 0:
		t.Notes = append(t.Notes, text.Say("not read of the workbook: %s", "次のシートは読み取っていません：%s", joinedWith(names)))
	default:
		t.Notes = append(t.Notes, text.Say("the workbook has %d sheets; %q was read, and not: %s",
			"シートが%d枚あります。「%s」を読み取り、次は読み取っていません：%s", len(others)+1, t.sheet, joinedWith(names)))
	}
	if len(asking) > 0 {
		t.Notes = append(t.Notes, text.Say("questions seem to stand in other sheets too: %s; to read one of them: --sheet NAME, and to have all in one "+
			"dataset, put their rows into one sheet", "ほかのシートにも質問があるようです：%s。そのシートを読み取る場合は --sheet シート名。1つのデータセットにまとめるには、行を1枚のシートに集めてください",
			joinedWith(asking)))
	}
	if len(solving) > 0 {
		t.Notes = append(t.Notes, text.Say("right answers without questions stand in other sheets: %s; put them beside their questions, in a column of "+
			"the sheet that is read", "質問のない正解がほかのシートにあります：%s。読み取るシートの列に、質問と並べて書いてください", joinedWith(solving)))
	}
	return nil
}

// rowsBelow counts the rows below the column names of a sheet that hold something in the column with its questions, or anywhere where it
// has none. A sheet without names that are known has no such rows.
func rowsBelow(f *excelize.File, s tab) (n int, err error) {
	if !s.asks && !s.solves {
		return 0, nil
	}
	column := slices.IndexFunc(s.header.cells, func(c string) bool {
		field, strength := guessName(c)
		return field == FieldQuestion && strength > unsaid
	})
	rows, err := f.Rows(s.name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for number := 1; rows.Next(); number++ {
		cells, err := rows.Columns()
		if err != nil {
			return 0, err
		}
		if column >= 0 {
			cells = cells[min(column, len(cells)):min(column+1, len(cells))]
		}
		if number > s.header.number && filled(gridRow{number, cells}) > 0 {
			n++
		}
	}
	return n, rows.Error()
}

// firstRows are the first rows of a sheet that are not blank.
func firstRows(f *excelize.File, sheet string) (list []gridRow, err error) {
	rows, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for number := 1; rows.Next() && len(list) < lookAhead; number++ {
		cells, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		if r := (gridRow{number, cells}); filled(r) > 0 {
			list = append(list, r)
		}
	}
	return list, rows.Error()
}

// unknownSheet says which sheets a file has where it lacks the one that people named.
func unknownSheet(file, wanted string, sheets []string) *problem.Problem {
	p := problem.New(problem.Invalid, "dataset_sheet_unknown", "%s has no sheet called %q", file, wanted).With("file", file).
		With("sheet", wanted)
	if len(sheets) == 0 {
		return p.WithHint("only .xlsx files have sheets; leave --sheet out")
	}
	quoted := make([]string, len(sheets))
	for i, s := range sheets {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return p.WithHint("its sheets are: %s", strings.Join(quoted, ", "))
}
