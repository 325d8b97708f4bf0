package foreign

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// systemRows are the rows of a table whose column says which of several systems, or of their settings, gave an answer. Rows of two
// systems that ask the same are no votes of one: a mean of both would be the score of neither.
type systemRows struct {
	column string
	names  []string // in the order of the file
	of     []string // by row
}

// countedRun is the cell of a column of runs that counts repetitions: 2, run 2, 2回目.
var countedRun = text.Lazy(`(?i)^(?:run|trial|rep|#|第|lauf)?[ _#-]*[0-9]{1,2}(?:回目?)?$`)

// systemsIn are the rows by the first column that tells systems apart; nil where no question stands under two of its names. question is
// what a row asks, folded; cell is what a column says there.
func systemsIn(columns []string, rows int, question func(row int) string, cell func(row, column int) string) *systemRows {
	for column, name := range columns {
		if !intake.NamesSystems(name) {
			continue
		}
		s := &systemRows{column: name, of: make([]string, rows)}
		counted, last := true, ""
		asked := map[string][]string{}
		for row := range rows {
			if said := cell(row, column); said != "" {
				last = said // a sheet may name a system in the first of its rows alone
			}
			s.of[row] = last
			counted = counted && (last == "" || countedRun.MatchString(last))
			if last != "" && !slices.Contains(s.names, last) {
				s.names = append(s.names, last)
			}
			if key := question(row); key != "" {
				asked[key] = append(asked[key], last)
			}
		}
		if (!counted || !intake.NamesRuns(name)) && s.named() && apart(asked) {
			return s
		}
	}
	return nil
}

// named reports whether the cells may be names: short ones, which come again. A column called Model may as well hold its answers.
func (s *systemRows) named() bool {
	const longestSystem = 80
	return 2*len(s.names) <= len(s.of) &&
		!slices.ContainsFunc(s.names, func(name string) bool { return utf8.RuneCountInString(name) > longestSystem })
}

// apart reports whether at least half of the questions that stand in several rows do so under several names.
func apart(asked map[string][]string) bool {
	repeated, several := 0, 0
	for _, names := range asked {
		if len(names) < 2 {
			continue
		}
		repeated++
		if slices.ContainsFunc(names, func(name string) bool { return name != names[0] }) {
			several++
		}
	}
	return several > 0 && 2*several >= repeated
}

// chosen is the name that --variant means: the one that is called so, else the only one that holds it.
func (s *systemRows) chosen(file, variant string) (string, error) {
	var found []string
	for _, name := range s.names {
		if variant != "" && text.Fold(name) == text.Fold(variant) {
			return name, nil
		}
		if variant != "" && strings.Contains(text.Fold(name), text.Fold(variant)) {
			found = append(found, name)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	list := problem.Both(inShort(s.names))
	first, last := s.names[0], s.names[len(s.names)-1]
	p := problem.New(problem.Invalid, "results_variants", "%s: the column %q tells %d systems or settings apart (%s), and rows of two are "+
		"no votes of one", file, s.column, len(s.names), list).With("file", file).With("column", s.column).With("variants", s.names)
	return "", p.WithHint("choose whose rows are read: --variant %[1]q; two of one file are compared by: workbench compare %[3]s %[3]s "+
		"--variant %[1]q --variant %[2]q; where they only repeat one system: --map %[4]q", first, last, file, s.column+"=ignore")
}

// told says whose rows are read and whose are not.
func (s *systemRows) told(chosen string) text.Said {
	others := slices.DeleteFunc(slices.Clone(s.names), func(name string) bool { return name == chosen })
	en, ja := inShort(others)
	return text.Say("of the column %[1]q the rows of %[2]q are read, and not those of: %[3]s",
		"列「%[1]s」が「%[2]s」の行を読み取りました。読み取らなかった行：%[4]s", s.column, chosen, en, ja)
}

// oneSystem leaves the rows of one system in a table whose rows tell several apart.
func oneSystem(t *intake.Table, file string, o ForeignOptions) (told []text.Said, err error) {
	known := questionColumn(t, o)
	if id := idOf(t, known); id >= 0 {
		known = id
	}
	if known < 0 {
		return nil, nil
	}
	for range t.Columns { // two columns may tell them apart, such as the name of an app and its version
		s := systemsIn(o.unmapped(t.Columns), len(t.Rows),
			func(row int) string { return text.Fold(wordsOf(t.Rows[row].Cell(known))) },
			func(row, column int) string { return Wording(wordsOf(t.Rows[row].Cell(column))) })
		if s == nil {
			break
		}
		chosen, err := s.chosen(file, o.Variant)
		if err != nil {
			return nil, err
		}
		var rows []intake.TableRow
		for i, row := range t.Rows {
			if s.of[i] == chosen {
				rows = append(rows, row)
			}
		}
		t.Rows, told = rows, append(told, s.told(chosen))
	}
	return told, nil
}

// oneSystem is the same of the rows of results that a table holds.
func (r *foreignReader) oneSystem() error {
	columns := r.columns()
	fields, _ := r.options.fieldsOf(columns, func(i int) iter.Seq[any] { return r.column(columns[i]) })
	known := slices.IndexFunc(columns, func(name string) bool { return fields[name] == intake.FieldQuestion })
	if known < 0 {
		return nil
	}
	for range columns {
		said := func(row, column int) string { return Wording(wordsOf(r.rows[row][columns[column]])) }
		s := systemsIn(r.options.unmapped(columns), len(r.rows), func(row int) string { return text.Fold(said(row, known)) }, said)
		if s == nil {
			return nil
		}
		chosen, err := s.chosen(r.file, r.options.Variant)
		if err != nil {
			return err
		}
		rowVariants(s.of).only(chosen, r.foreignFile)
		r.out.tell(s.told(chosen))
	}
	return nil
}

// unmapped are the columns of which nobody said what they are; the others have no name here.
func (o ForeignOptions) unmapped(columns []string) []string {
	free := make([]string, len(columns))
	for i, name := range columns {
		if o.Columns[name] == "" {
			free[i] = name
		}
	}
	return free
}
