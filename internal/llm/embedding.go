package llm

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// Embedding says which vectors are wanted. With the model alone they are asked for as they always were.
type Embedding struct {
	Model string
	// Role says what the texts are, RoleQuery or RolePassage, to a service that has a field for it; "" says nothing.
	Role string
	// Dimensions is how many numbers the service is asked for; 0 leaves it to the service. Another number is an error.
	Dimensions int
	Raw        bool // as long as the service made them, not scaled to length 1
}

// What a text is that is embedded.
const (
	RoleQuery   = "query"
	RolePassage = "passage"
)

// variant is what makes these vectors others than those of the model alone; "" for those.
func (e Embedding) variant() string {
	out := ""
	if e.Role != "" {
		out += "|role=" + e.Role
	}
	if e.Dimensions > 0 {
		out += fmt.Sprintf("|dimensions=%d", e.Dimensions)
	}
	if e.Raw {
		out += "|raw"
	}
	return out
}

// request is what a ledger's key holds of a request for these vectors.
func (e Embedding) request(texts []string) any {
	return struct {
		Texts      []string `json:"texts"`
		Role       string   `json:"role,omitempty"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{texts, e.Role, e.Dimensions}
}

// KnownEmbedder is what is known of the embedding models whose name fits.
type KnownEmbedder struct {
	Model           string `json:"model" yaml:"model"`                                 // regular expression
	QueryPrefix     string `json:"query_prefix,omitempty" yaml:"query_prefix"`         // before a text that is searched with
	PassagePrefix   string `json:"passage_prefix,omitempty" yaml:"passage_prefix"`     // before a text that is searched
	RoleField       string `json:"role_field,omitempty" yaml:"role_field"`             // of a request; "" has none
	Query           string `json:"query,omitempty" yaml:"query"`                       // that field for a text that is searched with
	Passage         string `json:"passage,omitempty" yaml:"passage"`                   // that field for a text that is searched
	DimensionsField string `json:"dimensions_field,omitempty" yaml:"dimensions_field"` // of a request; "" is dimensions
	Matryoshka      bool   `json:"matryoshka,omitempty" yaml:"matryoshka"`             // a vector may be cut
	Dimensions      int    `json:"dimensions,omitempty" yaml:"dimensions"`             // of its longest vectors; 0 unknown
	InputTokens     int    `json:"input_tokens,omitempty" yaml:"input_tokens"`         // of one text that it reads; 0 unknown
	pattern         *text.Pattern
}

// KnownEmbedders is the table of embedding models, with where it is from and its day.
type KnownEmbedders struct {
	Source    string          `json:"source" yaml:"source"`
	Date      string          `json:"date" yaml:"date"`
	Embedders []KnownEmbedder `json:"embedders" yaml:"embedders"`
}

//go:embed embedders.yaml
var embeddersFile []byte

// Embedders returns the table that comes with the program. Callers do not change it.
var Embedders = sync.OnceValue(func() KnownEmbedders {
	var t KnownEmbedders
	if err := yaml.ReadStrict(embeddersFile, &t); err != nil {
		panic("embedders.yaml: " + err.Error())
	}
	for i := range t.Embedders {
		t.Embedders[i].pattern = text.Lazy(t.Embedders[i].Model)
	}
	return t
})

// EmbedderOf is what is known of an embedding model; of one that nothing is known of, nothing.
func EmbedderOf(model string) KnownEmbedder {
	name, _, _ := strings.Cut(strings.ToLower(model[strings.LastIndex(model, "/")+1:]), ":")
	for _, e := range Embedders().Embedders {
		if e.pattern.MatchString(name) {
			return e
		}
	}
	return KnownEmbedder{}
}

// role is the word of a request for what a text is.
func (k KnownEmbedder) role(role string) string {
	if role == RoleQuery {
		return k.Query
	}
	return k.Passage
}

// roleOf is what a text is that a request says this word of.
func (k KnownEmbedder) roleOf(word string) string {
	switch {
	case word != "" && word == k.Query:
		return RoleQuery
	case word != "" && word == k.Passage:
		return RolePassage
	}
	return ""
}

// dimensionsField is the field of a request that says how many numbers are wanted.
func (k KnownEmbedder) dimensionsField() string {
	if k.DimensionsField != "" {
		return k.DimensionsField
	}
	return "dimensions"
}
