package intake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// tabStride parts the rows of several sheets that are read as one table: row 3 of the second is 2*tabStride+3. No sheet has as many rows.
const tabStride = 10_000_000

var (
	// exampleTabs are names of sheets that show how another one is filled in, or keep what it held before.
	exampleTabs = text.Lazy(`記入例|入力例|記載例|サンプル|見本|[雛ひ][形な]|テンプレ|コピー|バックアップ|廃止|^旧` +
		`|[_（( -]旧[)）]?$|` +
		`(?i:\btemplate\b|\bexamples?\b|\bsample\b|\bcopy\b|\bbackup\b|\barchived?\b|\bold\b|\bdeprecated\b)|[^0-9]\([0-9]+\)$`)
	// noSubject is all that is left of the name of a sheet that says when or in which turn, not about what.
	noSubject = text.Lazy(`(?i)[0-9\s._/\-–~〜()（）年月日週回期度分第上下前後半四]+|sheet|シート|questions?|round|week|month|day` +
		`|part|set|batch|phase|ver(?:sion)?|` +
		`rev|tab|page|fy|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|` +
		`nov(?:ember)?|dec(?:ember)?|令和|平成|版|質問|\b[qhvr]\b`)
)

// alike are the places of the sheets that are read together with the chosen one, itself included: visible ones of questions and right
// answers under the same column names. Examples, older states and results of runs are none, and neither are the others of a workbook in
// which a sheet is called "questions".
func alike(tabs []tab, chosen int) []int {
	c := tabs[chosen]
	list := []int{chosen}
	if c.hidden || !c.asks || !c.solves || strings.EqualFold(c.name, questionSheet) || isAside(c) {
		return list
	}
	for i, s := range tabs {
		if i != chosen && !s.hidden && s.asks && s.solves && !isAside(s) && sameHeads(c.header.cells, s.header.cells) {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return list
}

// isAside reports whether a sheet is by its name no further set of questions.
func isAside(s tab) bool { return resultTabs.MatchString(s.name) || exampleTabs.MatchString(s.name) }

// sameHeads reports whether two rows of column names agree: those of questions and right answers, and most others, in whatever order. A
// column with what a system answered belongs to both or to none.
func sameHeads(a, b []string) bool {
	keys := func(cells []string) (all []string, systems bool) {
		for _, c := range cells {
			if strings.TrimSpace(c) == "" {
				continue
			}
			all = append(all, ColumnKey(c))
			field, _ := guessName(c)
			systems = systems || field == kindSystem
		}
		return all, systems
	}
	left, leftSystems := keys(a)
	right, rightSystems := keys(b)
	if leftSystems != rightSystems {
		return false
	}
	shared := 0
	for _, key := range left {
		if slices.Contains(right, key) {
			shared++
			continue
		}
		if field, _ := guessName(key); field == FieldQuestion || field == FieldReference {
			return false
		}
	}
	return shared > 1 && 2*shared >= min(len(left), len(right))
}

// several reads sheets as one table, and says so. Of sheets that nobody named it leaves out what asks again what is read already, as copies
// do, and reads nothing where one is left.
func (t *Table) several(f *excelize.File, faults *RowFaults, size int, choice *sheetChoice) error {
	tabs, together := choice.tabs, choice.together
	names := make([]string, len(together))
	for i, at := range together {
		names[i] = tabs[at].name
	}
	parts, wrong := make([]*Table, len(together)), make([]*RowFaults, len(together))
	for i, name := range names {
		tabs[together[i]].read = true
		wrong[i] = &RowFaults{File: faults.File, Unit: t.Unit, tabs: names}
		parts[i] = &Table{format: t.format, Unit: t.Unit, locate: t.locate, sheet: name, tabs: names, offset: (i + 1) * tabStride}
		if err := parts[i].sheetRows(f, faults.File, wrong[i], size); err != nil {
			return err
		}
	}
	kept := t.withoutCopies(parts, choice)
	if len(kept) == 1 {
		return nil
	}
	t.tabs, t.tabColumn = names, -1
	read := make([]text.Said, len(kept))
	for n, i := range kept {
		t.join(parts[i], n == 0)
		faults.join(wrong[i])
		tabs[together[i]].rows = len(parts[i].Rows)
		read[n] = text.Say("%s (%s)", "%s（%s）", names[i], text.Count(len(parts[i].Rows), "row", "行"))
		t.together = append(t.together, names[i])
	}
	faults.tabs = names
	t.sheet = strings.Join(t.together, ", ")
	t.tabColumn = len(t.Columns)
	t.Columns = append(t.Columns, t.called(map[bool]string{true: "シート", false: "Sheet"}[text.Language(strings.Join(t.Columns,
		" ")) == "ja"]))
	for i, r := range t.Rows {
		t.Rows[i].tab, t.Rows[i].tabColumn = names[r.Number/tabStride-1], t.tabColumn
	}
	why := text.Say("because their column names agree", "列名が一致する")
	if choice.named {
		why = text.Say("as they were chosen", "選ばれた")
	}
	said := []text.Said{text.Say("%d of %d sheets were read as one, %s: %s; the name of its sheet stays with each question, in column %s; "+
		"to read one alone, choose it (--sheet NAME)",
		"%[2]d枚のシートのうち、%[3]s%[1]d枚をまとめて読み取りました：%[4]s。"+
			"シート名は列「%[5]s」として各質問に残しました。1枚だけを読み取る場合は選んでください（--sheet シート名）",
		len(kept), len(tabs), why, joinedWith(read), t.Columns[t.tabColumn])}
	t.Notes = append(said, t.Notes...)
	return nil
}

// withoutCopies are the sheets that ask something new, in their order: all where people named them. The others are named.
func (t *Table) withoutCopies(parts []*Table, choice *sheetChoice) (kept []int) {
	if choice.named {
		for i := range parts {
			kept = append(kept, i)
		}
		return kept
	}
	first := slices.Index(choice.together, choice.chosen)
	asked := parts[first].asked()
	kept = []int{first}
	var copies []tab
	for i, part := range parts {
		if i == first {
			continue
		}
		again, theirs := 0, part.asked()
		for q := range theirs {
			if asked[q] {
				again++
			}
		}
		if s := &choice.tabs[choice.together[i]]; len(theirs) > 0 && 2*again >= len(theirs) {
			s.copied, s.read = true, false
			copies = append(copies, *s)
			continue
		}
		kept = append(kept, i)
		for q := range theirs {
			asked[q] = true
		}
	}
	t.sayCopies(copies)
	slices.Sort(kept)
	return kept
}

// asked are the questions of one of several sheets, folded.
func (t *Table) asked() map[string]bool {
	column, best := -1, unsaid
	for i, name := range t.Columns {
		if field, strength := guessName(name); field == FieldQuestion && strength > best {
			column, best = i, strength
		}
	}
	list := map[string]bool{}
	for _, r := range t.Rows {
		if s, err := CellText(r.Cell(column)); err == nil && s != "" {
			list[text.Fold(s)] = true
		}
	}
	return list
}

// sayCopies names the sheets that ask again what is read already.
func (t *Table) sayCopies(copies []tab) {
	if len(copies) == 0 {
		return
	}
	names := make([]text.Said, len(copies))
	for i, c := range copies {
		names[i] = text.Said{EN: c.name, JA: c.name}
	}
	t.Notes = append(t.Notes,
		text.Say("at least half of the questions of these sheets stand in a sheet that is read, as in a copy or an older version, so they "+
			"were left out: %s; to read one of them all the same, choose it (--sheet NAME)",
			"次のシートは質問の半分以上が読み取ったシートと同じで、コピーや旧版と考えられるため除きました：%s。"+
				"そのシートを読み取る場合は選んでください（--sheet シート名）", joinedWith(names)))
}

// join adds the rows of one of several sheets, each cell under the column of its name. Questions and right answers stand under one name
// each, whatever a sheet that people named calls them.
func (t *Table) join(part *Table, first bool) {
	order := make([]int, len(part.Columns))
	for i, name := range part.Columns {
		order[i] = slices.IndexFunc(t.Columns, func(c string) bool { return ColumnKey(c) == ColumnKey(name) })
		if field, _ := guessName(name); order[i] < 0 && (field == FieldQuestion || field == FieldReference) {
			order[i] = slices.IndexFunc(t.Columns, func(c string) bool {
				other, _ := guessName(c)
				return other == field && !slices.ContainsFunc(part.Columns, func(own string) bool { return ColumnKey(own) == ColumnKey(c) })
			})
			if slices.Contains(order[:i], order[i]) {
				order[i] = -1
			}
		}
		if order[i] < 0 {
			order[i] = len(t.Columns)
			t.Columns = append(t.Columns, name)
		}
		if first && part.hidden[i] {
			if t.hidden == nil {
				t.hidden = map[int]bool{}
			}
			t.hidden[order[i]] = true
		}
	}
	if first {
		t.headerRow = part.headerRow
	}
	for _, r := range part.Rows {
		cells := make([]any, len(t.Columns))
		for i, v := range r.cells {
			cells[order[i]] = v
		}
		t.Rows = append(t.Rows, TableRow{Number: r.Number, cells: cells, figures: moved(r.figures, func(i int) int { return order[i] })})
	}
	t.Notes, t.trifles = append(t.Notes, part.Notes...), append(t.trifles, part.trifles...)
	t.asides = append(t.asides, part.asides...)
}

// nameTabs says what the column with the names of the sheets is: the theme where those are subjects and no other column is.
func (m *ColumnMap) nameTabs(t *Table) {
	if len(t.together) == 0 || m.fields[t.tabColumn] != fieldMetadata {
		return
	}
	subjects := !slices.ContainsFunc(t.together, func(name string) bool {
		return noSubject.ReplaceAllString(norm.NFKC.String(name), "") == ""
	})
	if subjects && m.at(FieldTheme) < 0 {
		m.set(t.tabColumn, FieldTheme)
		return
	}
	m.why[t.tabColumn] = text.Say("the name of the sheet", "シートの名前")
}

// tellTabsApart gives ids that several sheets use the name of their sheet, where people number each sheet from 1.
func (b *questionBuilder) tellTabsApart(questions []experiments.Question) {
	if len(b.table.together) == 0 {
		return
	}
	tabs, twice := map[string]int{}, false
	for i, q := range questions {
		at := b.table.Rows[i].Number / tabStride
		if other, found := tabs[q.ID]; q.ID != "" && found && other != at {
			twice = true
		}
		tabs[q.ID] = at
	}
	if !twice {
		return
	}
	b.tabbed = true
	for i := range questions {
		if questions[i].ID != "" {
			questions[i].ID = fmt.Sprintf("%s-%s", b.table.tabs[b.table.Rows[i].Number/tabStride-1], questions[i].ID)
		}
	}
}

// byTab cuts rows at the edges of their sheets.
func byTab(rows []TableRow) (parts [][]TableRow) {
	start := 0
	for i := range rows {
		if i+1 == len(rows) || rows[i+1].Number/tabStride != rows[i].Number/tabStride {
			parts = append(parts, rows[start:i+1])
			start = i + 1
		}
	}
	return parts
}
