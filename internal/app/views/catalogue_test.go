package views

import (
	"maps"
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
	units := []listing.Word{}
	for _, u := range c.ChunkUnits {
		units = append(units, u.Word)
	}
	lists := map[string][]listing.Word{
		"causes": c.CauseNames, "data causes": c.DataCauses, "categories": c.CategoryNames, "chunk units": units,
		"labels": c.Labels, "details": c.Details, "classes": c.Classes,
	}
	maps.Copy(lists, c.Names)
	for name, list := range lists {
		if len(list) < 3 {
			t.Errorf("%s: only %v", name, list)
		}
		for _, w := range list {
			if w.EN == "" || w.JA == "" || w.EN == w.JA || w.EN == w.Code && name == "causes" {
				t.Errorf("%s: %q is %q and %q", name, w.Code, w.EN, w.JA)
			}
		}
	}
}
