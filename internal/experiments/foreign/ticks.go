package foreign

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// tick is what people put into the column that says how good an answer was: one of several that are called right, partly and wrong. The
// other columns are left empty there: where they hold 0 or no, each is a score by itself.
var tick = wordSet("x ✓ ✔ ☑ ✅ ○ ◯ 〇 ⭕ ● ◎ レ 1 true yes はい ja oui 是")

// tickedColumns are the columns of which a tick in one says how good an answer was; nil where there are none. No column of them is a score
// by itself, since an empty cell of Right is no gap, and none holds right answers, though it may be called 正解.
func tickedColumns(columns []string, rows int, cell func(row, column int) any) []string {
	var judging []int
	for column, name := range columns {
		if judgingName(name) && onlyTicks(rows, func(row int) any { return cell(row, column) }) {
			judging = append(judging, column)
		}
	}
	once, filled := 0, 0
	for row := range rows {
		ticks := 0
		for _, column := range judging {
			if ticked(cell(row, column)) {
				ticks++
			}
		}
		if ticks > 0 {
			filled++
		}
		if ticks == 1 {
			once++
		}
	}
	if len(judging) < 2 || filled == 0 || 10*once < 9*filled {
		return nil
	}
	names := make([]string, len(judging))
	for i, column := range judging {
		names[i] = columns[column]
	}
	return names
}

// judgingName reports whether a column is called as people call right and wrong, or what lies between.
func judgingName(name string) bool {
	s := strings.TrimRight(markText(name), "?？")
	return marks[s] != "" || slices.Contains(between, s) || scaleWords[s]
}

// onlyTicks reports whether a column holds nothing but ticks.
func onlyTicks(rows int, cell func(row int) any) bool {
	for row := range rows {
		if v := cell(row); !ticked(v) && !unticked(v) {
			return false
		}
	}
	return true
}

func ticked(v any) bool { return tick[markText(wordsOf(v))] }

// unticked reports whether a cell says that the tick stands in another column.
func unticked(v any) bool {
	return slices.Contains([]string{"", "-", "–", "—", "ー"}, markText(wordsOf(v)))
}

// ticks says of such columns that they are no scores.
func ticks(columns []string) ColumnForm {
	return ColumnForm{Column: strings.Join(columns, ", "), Form: "ticks", Examples: columns}
}

// takeTicks leaves the columns of ticks out of a table of scores, and says so.
func (b *scoreBuilder) takeTicks() (columns []string) {
	columns = tickedColumns(b.source.Columns, len(b.source.Rows), func(row, column int) any { return b.source.Rows[row].Cell(column) })
	if columns != nil {
		told := ticks(columns)
		b.out.Notes, b.out.Forms = append(b.out.Notes, told.note()), append(b.out.Forms, told)
	}
	return columns
}

// takeTicks is the same of results that a table holds.
func (r *foreignReader) takeTicks() (columns []string) {
	names := r.columns()
	columns = tickedColumns(names, len(r.rows), func(row, column int) any {
		if r.options.Columns[names[column]] != "" {
			return nil
		}
		return r.rows[row][names[column]]
	})
	if columns != nil {
		told := ticks(columns)
		r.out.Notes, r.out.Forms = append(r.out.Notes, told.note()), append(r.out.Forms, told)
	}
	return columns
}

// withoutTicks are the fields of the other columns.
func withoutTicks(fields map[string]string, columns []string) {
	for _, name := range columns {
		if fields[name] != intake.FieldIgnore {
			delete(fields, name)
		}
	}
}
