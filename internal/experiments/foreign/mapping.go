package foreign

import (
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// checkFields refuses a mapping to a field that there is not.
func (o ForeignOptions) checkFields() error {
	for _, name := range slices.Sorted(maps.Keys(o.Columns)) {
		if field := o.Columns[name]; !slices.Contains(foreignFields, field) {
			return problem.New(problem.Invalid, "results_field_unknown", "%s cannot be mapped to %q", name, field).With("field", field).
				WithHint("the fields are %s", strings.Join(foreignFields, ", "))
		}
	}
	return nil
}

// missingIn are the mapped columns that a file with these has not, in order.
func (o ForeignOptions) missingIn(columns []string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(o.Columns)), func(name string) bool { return slices.Contains(columns, name) })
}

// noColumn refuses a mapping of a column that a file has not.
func (o ForeignOptions) noColumn(file, column string) error {
	const code = "results_column_unknown"
	why := problem.New(problem.Invalid, code, "it has no column or variable %q to map to %s", column, o.Columns[column])
	return problem.New(problem.Invalid, code, "%s: %s", file, problem.Both(why.Message, why.In("ja").Message)).
		With("file", file).With("column", column).
		WithHint("names are written as in the file; only columns of tables and variables of promptfoo can be mapped")
}

// CheckMapped refuses a mapping of a column that none of the tables has, which were read under these options: of two files that are
// compared, one alone may have it. The problem has the code "results_column_unknown".
func (o ForeignOptions) CheckMapped(tables ...*ScoreTable) error {
	for _, name := range tables[0].Unmapped {
		if !slices.ContainsFunc(tables, func(t *ScoreTable) bool { return !slices.Contains(t.Unmapped, name) }) {
			return o.noColumn(tables[0].File, name)
		}
	}
	if !slices.ContainsFunc(tables, func(t *ScoreTable) bool { return t.Unvalued == nil }) {
		return tables[0].Unvalued
	}
	return nil
}
