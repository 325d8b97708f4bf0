package notebooks

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// Reading is a notebook without its cells, in one language: what reading mode shows, as data.
type Reading struct {
	Name    string         `json:"name"`
	Lang    string         `json:"lang"`
	Title   string         `json:"title"`
	Offline bool           `json:"offline"` // some result was judged by the built-in judge
	Verdict string         `json:"verdict"` // of the gates; "" without any
	Blocks  []ReadingBlock `json:"blocks"`
	// what people say about the cells, where somebody asked for it
	Comments []ReadingRemark `json:"comments,omitempty"`
}

// ReadingBlock is prose, or what a cell shows of its value. Everything in it is data: texts hold no markup, but for
// Markdown and the HTML that was made of it.
type ReadingBlock struct {
	Kind     string            `json:"kind" enum:"prose,cell"`
	Markdown string            `json:"markdown,omitempty"` // of prose, with {{ references }} in it
	Values   map[string]string `json:"values,omitempty"`   // reference → its value as text
	HTML     string            `json:"html,omitempty"`     // of prose, with its values
	Cell     string            `json:"cell,omitempty"`
	Type     string            `json:"type,omitempty"`
	Title    string            `json:"title,omitempty"`
	State    State             `json:"state,omitempty"`
	Why      []string          `json:"why,omitempty"`
	Error    string            `json:"error,omitempty"`
	Headline string            `json:"headline,omitempty"` // of a comparison, in one line
	Text     string            `json:"text,omitempty"`
	Tone     string            `json:"tone,omitempty"`    // of the text: PASS, FAIL, INCONCLUSIVE
	Caution  string            `json:"caution,omitempty"` // what that is worth
	Figures  []Figure          `json:"figures,omitempty"`
	Table    *Table            `json:"table,omitempty"`
	Plan     *charts.Plan      `json:"plan,omitempty"` // of a chart
	Runs     []BoughtRun       `json:"runs,omitempty"`
	Found    []FoundRead       `json:"found,omitempty"` // parts of the findings
}

// FoundRead is a part of the findings in one language.
type FoundRead struct {
	Name  string   `json:"name"`
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// Figure is one number with its name.
type Figure struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Table is a table of texts.
type Table struct {
	Head []string   `json:"head"`
	Rows [][]string `json:"rows"`
}

// Reading is what reading mode shows in "en" or "ja".
func (n *Notebook) Reading(v *View, lang string) Reading {
	out := Reading{Name: n.Name(), Lang: lang, Title: n.Document.Front.Title.In(lang), Offline: v.Offline(), Verdict: v.Verdict(),
		Blocks: []ReadingBlock{}, Comments: n.remarks()}
	if out.Title == "" {
		out.Title = n.Name()
	}
	prose := func(s string) {
		if strings.TrimSpace(s) != "" {
			out.Blocks = append(out.Blocks, ReadingBlock{Kind: "prose", Markdown: s, Values: n.cellPages().values(v, s, lang),
				HTML: n.cellPages().proseHTML(v, s, lang)})
		}
	}
	shown := n.cellPages().shown()
	for _, b := range n.Document.Blocks {
		switch {
		case b.Kind == document.ProseBlock:
			prose(n.Document.Text(b))
		case b.Cell != nil && b.Cell.Type == "note":
			prose(noteWords(b.Cell).In(lang))
		case b.Cell != nil && (shown == nil || shown[b.Cell.Name]):
			if block, ok := n.cellPages().shownCell(v, b.Cell, lang); ok {
				out.Blocks = append(out.Blocks, block)
			}
		}
	}
	return out
}

// values are the values that a text embeds.
func (n cellPages) values(v *View, s, lang string) map[string]string {
	var out map[string]string
	for _, m := range document.Embedded.FindAllStringSubmatch(s, -1) {
		if out == nil {
			out = map[string]string{}
		}
		out[m[1]] = n.Embed(v, m[1], lang)
	}
	return out
}

// Values are the values that a block embeds, in both languages, by their references; nil where it embeds none.
func (n *Notebook) Values(v *View, b document.Block) map[string]document.Words {
	if b.Kind != document.ProseBlock && (b.Cell == nil || b.Cell.Type != "note") {
		return nil
	}
	text := n.Document.Text(b)
	ja := n.cellPages().values(v, text, "ja")
	var out map[string]document.Words
	for ref, en := range n.cellPages().values(v, text, "en") {
		if out == nil {
			out = map[string]document.Words{}
		}
		out[ref] = document.Words{EN: en, JA: ja[ref]}
	}
	return out
}

// shown are the cells that the report cells include; nil is all.
func (n cellPages) shown() map[string]bool {
	var out map[string]bool
	for _, c := range n.Document.Cells() {
		if c.Type != "report" {
			continue
		}
		for _, s := range document.TextsOf(c.Values["include"]) {
			if out == nil {
				out = map[string]bool{}
			}
			name, _, _ := strings.Cut(s, ".")
			out[name] = true
		}
	}
	return out
}

// Offline reports whether some result was judged by the built-in judge.
func (v *View) Offline() bool {
	for _, c := range v.Cells {
		if set, ok := c.Value.(document.RunSet); ok {
			for _, r := range set.Runs {
				if r.Offline {
					return true
				}
			}
		}
	}
	return false
}
