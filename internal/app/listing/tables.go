package listing

import (
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// TableOf makes a table of a list.
func TableOf[T any](name string, columns []string, items []T, row func(T) []any) spreadsheet.Table {
	return spreadsheet.Table{Name: name, Columns: columns, Rows: func(yield func([]any) error) error {
		for _, item := range items {
			if err := yield(row(item)); err != nil {
				return err
			}
		}
		return nil
	}}
}
