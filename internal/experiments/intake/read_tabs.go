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
	rows   int     // below its column names, where they were counted; else unknown
	read   bool
	copied bool // at least half of its questions stand in a sheet that is read
}

// unknown is the number of rows that nobody counted.
const unknown = -1

// sheetChoice says which sheets of a workbook are read.
type sheetChoice struct {
	tabs     []tab
	chosen   int   // the place of the one that is read first
	together []int // the places of all that are read as one, the chosen one among them
	named    bool  // by people
}

// resultTabs are names of sheets with what a system answered when the questions were run.
var resultTabs = text.Lazy(`結果|実績|ログ|履歴|(?i:\bresults?\b|\bruns?\b|\bactual\b|\boutputs?\b|\blogs?\b)`)

// chooseSheets takes the sheets that people named, or the one called "questions", else the one whose header looks most like a question
// sheet's with those that are alike, else the first. A hidden sheet is read only where no visible one asks something, and one with results
// of a run only where no other sheet has both questions and right answers.
func (t *Table) chooseSheets(f *excelize.File, sheets, wanted []string, file string) (*sheetChoice, error) {
	c := &sheetChoice{tabs: make([]tab, len(sheets)), named: len(wanted) > 0}
	var err error
	for i, name := range sheets {
		if c.tabs[i], err = t.look(f, name, len(sheets) > 1); err != nil {
			return nil, brokenWorkbook(file, err)
		}
	}
	if !c.named {
		c.chosen = t.bestTab(c.tabs)
		if t.locate != nil {
			c.together = alike(c.tabs, c.chosen)
		}
		return c, nil
	}
	for _, name := range wanted {
		at := slices.IndexFunc(sheets, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(name)) })
		if at < 0 {
			return nil, unknownSheet(file, name, sheets)
		}
		c.together = append(c.together, at)
	}
	slices.Sort(c.together)
	c.together = slices.Compact(c.together)
	c.chosen = c.together[0]
	return c, nil
}

// oneSheet reads a single sheet.
func (t *Table) oneSheet(f *excelize.File, faults *RowFaults, size int, choice *sheetChoice) error {
	s := &choice.tabs[choice.chosen]
	s.read = true
	t.sheet, t.among = s.name, len(choice.tabs) > 1
	if err := t.sheetRows(f, faults.File, faults, size); err != nil {
		return err
	}
	s.rows = len(t.Rows)
	return nil
}

// noteHiddenTabs names what is read though the workbook hides it.
func (t *Table) noteHiddenTabs(tabs []tab) {
	for _, s := range tabs {
		if s.read && s.hidden {
			t.Notes = append(t.Notes, text.Say("the sheet %q is hidden in the workbook and was read all the same; to read another, choose it (--sheet NAME)",
				"読み取ったシート「%s」はワークブックで非表示になっています。"+
					"別のシートを読み取る場合は選んでください（--sheet シート名）", s.name))
		}
	}
}

// look learns of a sheet what decides whether it is read.
func (t *Table) look(f *excelize.File, name string, header bool) (tab, error) {
	visible, err := f.GetSheetVisible(name)
	found := tab{name: name, hidden: err == nil && !visible, rows: unknown} // where that is not known the sheet itself is read all the same
	if !header {
		return found, nil
	}
	rows, err := firstRows(f, name)
	if err != nil {
		return found, err
	}
	if t.locate == nil {
		found.lookScored(rows)
		return found, nil
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
	if t.locate == nil {
		return bestScored(tabs)
	}
	shown := slices.ContainsFunc(tabs, func(s tab) bool { return !s.hidden && s.asks })
	cases := slices.ContainsFunc(tabs, func(s tab) bool {
		return s.hidden != shown && s.asks && s.solves && !isAside(s)
	})
	best := -1
	for i, s := range tabs {
		switch {
		case shown && s.hidden:
		case strings.EqualFold(s.name, questionSheet):
			return i
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
func (t *Table) otherTabs(f *excelize.File, file string, choice *sheetChoice) error {
	var names, asking, solving []text.Said
	for i, s := range choice.tabs {
		if s.read {
			continue
		}
		n, err := rowsBelow(f, s)
		if err != nil {
			return brokenWorkbook(file, err)
		}
		choice.tabs[i].rows = n
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
		case n == 0, s.hidden, isAside(s), s.copied:
		case s.asks:
			asking = append(asking, name)
		case s.solves:
			solving = append(solving, name)
		}
	}
	switch {
	case len(names) == 0:
	case t.locate == nil && choice.named: // whoever names one knows of the others
		return nil
	case t.locate == nil:
		t.Notes = append(t.Notes, text.Say("the workbook has %d sheets; %q was read, and not: %s; to read another, choose it (--sheet NAME)",
			"シートが%d枚あります。「%s」を読み取り、次は読み取っていません：%s。"+
				"別のシートを読み取る場合は選んでください（--sheet シート名）", len(choice.tabs), t.sheet, joinedWith(names)))
		return nil
	case len(t.together) > 0:
		t.Notes = append(t.Notes, text.Say("not read of the workbook: %s", "次のシートは読み取っていません：%s", joinedWith(names)))
	default:
		t.Notes = append(t.Notes, text.Say("the workbook has %d sheets; %q was read, and not: %s",
			"シートが%d枚あります。「%s」を読み取り、次は読み取っていません：%s", len(choice.tabs), t.sheet, joinedWith(names)))
	}
	if t.locate == nil {
		return nil
	}
	if len(asking) > 0 {
		t.Notes = append(t.Notes, text.Say("questions seem to stand in other sheets too: %s; to read them too, choose every sheet "+
			"that is to be read (--sheet NAME, once for each)",
			"ほかのシートにも質問があるようです：%s。"+
				"あわせて読み取る場合は、読み取るシートをすべて選んでください（--sheet シート名 をシートごとに指定）",
			joinedWith(asking)))
	}
	if len(solving) > 0 {
		t.Notes = append(t.Notes, text.Say("right answers without questions stand in other sheets: %s; put them beside their questions, in a column of "+
			"the sheet that is read", "質問のない正解がほかのシートにあります：%s。読み取るシートの列に、質問と並べて書いてください", joinedWith(solving)))
	}
	return nil
}

// rowsBelow counts the rows below the column names of a sheet that hold something in the column with its questions, or anywhere where it
// has none.
func rowsBelow(f *excelize.File, s tab) (n int, err error) {
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
		if number > s.header.number && filled(gridRow{number: number, cells: cells}) > 0 {
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
		if r := (gridRow{number: number, cells: cells}); filled(r) > 0 {
			list = append(list, r)
		}
	}
	return list, rows.Error()
}

// NoSheets refuses the choice of a sheet in a file that has none.
func NoSheets(file, wanted string) error { return unknownSheet(file, wanted, nil) }

// unknownSheet says which sheets a file has where it lacks the one that people named.
func unknownSheet(file, wanted string, sheets []string) *problem.Problem {
	p := problem.New(problem.Invalid, "dataset_sheet_unknown", "%s has no sheet called %q", file, wanted).With("file", file).
		With("sheet", wanted)
	if len(sheets) == 0 {
		return p.WithHint("only .xlsx files have sheets; choose none")
	}
	quoted := make([]string, len(sheets))
	for i, s := range sheets {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return p.WithHint("its sheets are: %s", strings.Join(quoted, ", "))
}
