package library

import (
	"maps"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

func TestOneColumnForEachField(t *testing.T) {
	t.Parallel()
	m := newMapping(intake.ReadReport{Columns: []intake.ColumnUse{{Source: "a", Field: "question"}, {Source: "b", Field: "reference"},
		{Source: "c", Field: "metadata"}}})
	m.press("right") // the field after question is reference
	if want := []string{"reference", "metadata", "metadata"}; !slices.Equal(m.fields, want) {
		t.Errorf("fields %v, want %v", m.fields, want)
	}
	if want := map[string]string{"a": "reference", "b": "metadata"}; !maps.Equal(m.changes(), want) {
		t.Errorf("changes %v, want %v", m.changes(), want)
	}
	m.press("left")
	m.press("up")
	if m.at != 0 || m.fields[0] != "question" || !m.press("enter") {
		t.Errorf("column %d is %s", m.at, m.fields[0])
	}
}
