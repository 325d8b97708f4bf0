package views

import (
	"maps"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
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
		if len(list) < 2 {
			t.Errorf("%s: only %v", name, list)
		}
		for _, w := range list {
			if w.EN == "" || w.JA == "" || w.EN == w.JA || w.EN == w.Code && name == "causes" {
				t.Errorf("%s: %q is %q and %q", name, w.Code, w.EN, w.JA)
			}
		}
	}
}

// TestHome opens on the recorded story in the language of the page while there is nothing but the demo.
func TestHome(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	v := NewViews(w.Workbench)
	opens := func(lang string, want Home) {
		t.Helper()
		if home, err := v.Home(t.Context(), lang); err != nil || home != want {
			t.Errorf("a page in %s opens on %+v (%v), want %+v", lang, home, err, want)
		}
	}
	evaluated := func(name string, questions int) string {
		t.Helper()
		file := w.Write(t, name+".yaml", "name: "+name+"\ncorpus: rules\ndataset: asked\nsuite: [correctness]\n")
		e, _, err := w.Experiment(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		job, err := w.Job(t.Context(), e, app.Select{Limit: questions})
		if err != nil {
			t.Fatal(err)
		}
		run, err := w.Run(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		return run.ID
	}
	opens("en", Home{Kind: "runs"})
	evaluated("airline-ja", 1) // the offline part of the demo is no headline
	opens("ja", Home{Kind: "runs"})
	pair := func(lang string) Home {
		before, after := app.DemoShown(lang)
		return Home{"comparison", evaluated(before, 2), evaluated(after, 2)}
	}
	japanese := pair("ja")
	opens("en", japanese)
	english := pair("en")
	opens("en", english)
	opens("ja", japanese)
	_, after := app.DemoShown("ja")
	evaluated(after, 1) // a trial on fewer questions is not the story
	opens("ja", japanese)
	evaluated("own", 1)
	opens("ja", Home{Kind: "runs"})
}
