package views

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/listing"
)

// TestTheCatalogueNamesEverything in both languages: the pages have no names of their own for these codes.
func TestTheCatalogueNamesEverything(t *testing.T) {
	t.Parallel()
	c, err := NewViews(apptest.NewWorld(t, "").Workbench).Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range map[string][]listing.Word{
		"causes": c.CauseNames, "data causes": c.DataCauses, "categories": c.CategoryNames, "chunk units": c.ChunkUnits,
		"labels": c.Labels, "details": c.Details, "classes": c.Classes,
	} {
		if len(list) < 4 {
			t.Errorf("%s: only %v", name, list)
		}
		for _, w := range list {
			if w.EN == "" || w.JA == "" || w.EN == w.JA || w.EN == w.Code && name == "causes" {
				t.Errorf("%s: %q is %q and %q", name, w.Code, w.EN, w.JA)
			}
		}
	}
}
