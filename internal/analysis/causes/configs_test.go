package causes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestConfigsAreWhatTheChangesMake: asked twice, whole models and mappings apart, impossible ones too.
func TestConfigsAreWhatTheChangesMake(t *testing.T) {
	t.Parallel()
	base := scriptConfig()
	base.Embedding.Dimensions = 7
	configs := &Configs{Base: base}
	large := rag.Model{Provider: "elsewhere", Name: "large"}
	for range 2 {
		for _, changes := range [][]Change{
			nil,
			{{Param: "retrieve.k", Value: 30}},
			{{Param: "embedding", Value: large}},
			{{Param: "embedding", Value: map[string]any{"provider": "elsewhere", "model": "large"}}},
			{{Param: "chunk.size", Value: 400}, {Param: "chunk.overlap", Value: 50}},
			{{Param: "chunk.size", Value: 40}, {Param: "chunk.overlap", Value: 50}},
			{{Param: "nowhere", Value: 1}},
		} {
			got, gotErr := configs.Changed(changes)
			want, wantErr := ChangedConfig(base, changes)
			if diff := cmp.Diff(want, got); diff != "" || (gotErr == nil) != (wantErr == nil) {
				t.Errorf("%v: %v, want %v\n%s", changes, gotErr, wantErr, diff)
			}
		}
	}
}
