package rag

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// A preset cuts as the library does whose name it has: parents and all. The digests were recorded from langchain-text-splitters 1.1.3.
func TestPresetsCutAsTheirLibraries(t *testing.T) {
	t.Parallel()
	texts := recorded[struct{ Texts []string }](t, "splits.json").Texts
	golden := recorded[map[string][]string](t, "presets.json")
	if len(golden) != len(Presets()) {
		t.Errorf("recorded are %d presets of %v", len(golden), Presets())
	}
	for _, name := range Presets() {
		c, err := Preset(name)
		if err != nil || c.Validate() != nil {
			t.Fatalf("%s: %v, %v", name, err, c.Validate())
		}
		for i, want := range golden[name] {
			long := ""
			for range 5 {
				long += texts[i] + "\n"
			}
			if said := digestOf(pieces(t, c.Chunk, long)); said != want {
				t.Errorf("%s, text %d: %s, the library has %s", name, i, said, want)
			}
		}
	}
	if _, err := Preset("nobody"); !problem.Is(err, problem.Invalid) {
		t.Errorf("an unknown preset: %v", err)
	}
}
