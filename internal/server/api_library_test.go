package server

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestTheRouteOfChunksTakesEveryUnit: a tag cannot name the list, so it is compared with it.
func TestTheRouteOfChunksTakesEveryUnit(t *testing.T) {
	t.Parallel()
	field, _ := reflect.TypeFor[chunksInput]().FieldByName("By")
	if got, want := field.Tag.Get("enum"), strings.Join(rag.ChunkUnits(), ","); got != want {
		t.Errorf("the route takes %s, chunk.by %s", got, want)
	}
}
