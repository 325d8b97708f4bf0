package rag

import (
	"maps"
	"slices"
	"strings"
)

// presets are what other libraries do where nothing is said, by the name of the library. Their chunks are those of the versions that
// bench/retrieval/requirements.txt names; the test compares them.
var presets = map[string]func(*Config){
	// RecursiveCharacterTextSplitter, and VectorStoreRetriever's k
	"langchain": func(c *Config) {
		c.Chunk = Chunking{By: ByRecursive, Size: 4000, Overlap: 200, Separators: Separators{"langchain"}, Keep: KeepStart}
		c.Retrieve = Retrieve{Mode: "dense", K: 4}
	},
	// the same with the separators that its documentation gives for languages without spaces
	"langchain-cjk": func(c *Config) {
		c.Chunk = Chunking{By: ByRecursive, Size: 4000, Overlap: 200, Separators: Separators{"langchain_cjk"}, Keep: KeepStart}
		c.Retrieve = Retrieve{Mode: "dense", K: 4}
	},
	// ParentDocumentRetriever as its documentation shows it: children of 400 in parents of 2000
	"langchain-parent": func(c *Config) {
		c.Chunk = Chunking{By: ByRecursive, Size: 400, Separators: Separators{"langchain"}, Keep: KeepStart,
			Parent: Parent{Mode: ParentSize, Size: 2000}}
		c.Retrieve = Retrieve{Mode: "dense", K: 4}
	},
}

// Presets are the names of [Preset], sorted.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// Preset is the configuration with which a pipeline of another library begins: [DefaultConfig] with that library's chunks and hits.
// An unknown name is a Problem.
func Preset(name string) (Config, error) {
	c := DefaultConfig()
	set, ok := presets[name]
	if !ok {
		return c, invalidField("preset", name, strings.Join(Presets(), ", "))
	}
	set(&c)
	return c, nil
}
