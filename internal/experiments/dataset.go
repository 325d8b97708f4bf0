package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/rag"
)

// Evidence is a place in the corpus that holds what a question needs. Quote is the text at the span.
type Evidence struct {
	rag.Span
	Quote string `json:"quote"`
}

// Question is one row of a dataset.
type Question struct {
	ID           string            `json:"question_id"`
	Text         string            `json:"question"`
	Lang         string            `json:"lang"`                 // "ja" or "en"
	Reference    string            `json:"reference,omitempty"`  // the correct answer 正解; "" when there is none
	References   []string          `json:"references,omitempty"` // other accepted wordings
	Answerable   bool              `json:"answerable"`           // false: the documents do not hold the answer, and saying so is right
	Critical     bool              `json:"critical,omitempty"`   // must never get worse
	Evidence     []Evidence        `json:"evidence,omitempty"`   // 根拠; nil when unknown
	ExpectedURLs []string          `json:"expected_urls,omitempty"`
	Tags         []string          `json:"tags,omitempty"`     // "theme:refunds", "hard"
	Metadata     map[string]string `json:"metadata,omitempty"` // columns we do not know, kept
}

// Theme is the theme that the dataset itself gives the question, by its tag "theme:…".
func (q *Question) Theme() (string, bool) {
	for _, tag := range q.Tags {
		if theme, ok := strings.CutPrefix(tag, "theme:"); ok {
			return theme, true
		}
	}
	return "", false
}

// Dataset is an immutable version of a question set. Import of changed questions makes the next version.
type Dataset struct {
	Name      string     `json:"name"`
	Version   int        `json:"version"` // 1, 2, …; 0 before it is stored
	Digest    string     `json:"digest"`  // SHA-256 over the questions in order
	Questions []Question `json:"questions"`
}

// NewDataset returns the dataset of these questions with its digest.
func NewDataset(name string, questions []Question) *Dataset {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, q := range questions {
		_ = enc.Encode(q)
	}
	return &Dataset{Name: name, Digest: hex.EncodeToString(h.Sum(nil)), Questions: questions}
}

// DraftTag marks a question that nobody has reviewed. No run asks it, unless its filter names the tag.
const DraftTag = "draft"

// Ref names this version of the dataset.
func (d *Dataset) Ref() Ref { return Ref{Name: d.Name, Version: d.Version, Digest: d.Digest} }

// Ref names an immutable version of a corpus or dataset.
type Ref struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Digest  string `json:"digest"`
}

// String is name@version; "" for the zero Ref, which names nothing.
func (r Ref) String() string {
	if r.Name == "" {
		return ""
	}
	return fmt.Sprintf("%s@%d", r.Name, r.Version)
}

// Listing describes a stored corpus or dataset version without its contents.
type Listing struct {
	Ref
	Items     int       `json:"items"` // documents or questions
	Chars     int       `json:"chars"` // code points in documents or questions
	CreatedAt time.Time `json:"created_at"`
}
