package foreign

import (
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// valued puts the numbers that people say for signs or words, such as ○ and △, in their place, in the columns of which every filled cell is
// one of these or a number, and says in which. How its numbers are written then counts as of any other column.
func (o ForeignOptions) valued(columns []string, rows int, cell func(row, column int) any,
	put func(row, column int, number json.Number)) ([]text.Said, error) {
	if len(o.Values) == 0 {
		return nil, nil
	}
	numbers := map[string]json.Number{}
	for sign, n := range o.Values {
		numbers[markText(sign)] = json.Number(strconv.FormatFloat(n, 'g', -1, 64))
	}
	var read, left []string
	for column, name := range columns {
		signs, others := 0, ""
		for row := range rows {
			v := cell(row, column)
			_, state := cellScore(v)
			s, isText := shownText(v)
			_, named := numbers[markText(s)]
			switch {
			case isText && named:
				signs++
			case state != scoreWrong:
			case others == "":
				others = strings.TrimSpace(wordsOf(v))
			}
		}
		switch {
		case signs == 0 || o.Columns[name] != "":
		case others != "":
			left = append(left, name+": "+text.Cut(others, 40))
		default:
			read = append(read, name)
			for row := range rows {
				if s, isText := shownText(cell(row, column)); isText {
					if n, named := numbers[markText(s)]; named {
						put(row, column, n)
					}
				}
			}
		}
	}
	if len(read) == 0 {
		p := problem.New(problem.Invalid, "results_values", "no column holds only what --value names, and numbers").With("field", "values")
		if len(left) > 0 {
			return nil, p.WithHint("name these too: %s", strings.Join(left, "; "))
		}
		return nil, p.WithHint("write each sign as it stands in the file, and the number that it counts as: --value ○=1 --value △=0.5 --value ×=0")
	}
	return []text.Said{text.Say("read as the numbers that were said for them (%s): %s", "指定された数値（%s）で読み取った列：%s", o.said(),
		text.Said{EN: strings.Join(read, ", "), JA: strings.Join(read, "、")})}, nil
}

// said are the signs with their numbers, the greatest first.
func (o ForeignOptions) said() string {
	var out []string
	for sign := range o.Values {
		out = append(out, sign)
	}
	slices.Sort(out)
	sort.SliceStable(out, func(i, j int) bool { return o.Values[out[i]] > o.Values[out[j]] })
	for i, sign := range out {
		out[i] += "=" + strconv.FormatFloat(o.Values[sign], 'g', -1, 64)
	}
	return strings.Join(out, ", ")
}

// valuedTable does it in a table.
func (o ForeignOptions) valuedTable(t *intake.Table) ([]text.Said, error) {
	return o.valued(t.Columns, len(t.Rows), func(row, column int) any { return t.Rows[row].Figure(column) }, t.Put)
}

// valued does it in an opened file.
func (f *foreignFile) valued(o ForeignOptions) error {
	var said []text.Said
	var err error
	switch {
	case f.table != nil:
		said, err = o.valuedTable(f.table)
	case len(f.rows) > 0:
		columns := f.columns()
		said, err = o.valued(columns, len(f.rows), func(row, column int) any { return f.rows[row][columns[column]] },
			func(row, column int, number json.Number) { f.rows[row][columns[column]] = number })
	}
	f.notes = append(f.notes, text.InEnglish(said)...)
	return err
}
