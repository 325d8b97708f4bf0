package app

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Piece is one chunk of a corpus, as an index would hold it.
type Piece struct {
	Document string `json:"document"`
	Start    int    `json:"start"` // code points of the document's text, the end excluded
	End      int    `json:"end"`
	Text     string `json:"text"`
	Header   string `json:"header"` // what is put before the text when it is embedded and searched

	Path   []string   `json:"path,omitempty"`   // headings that it stands under, the outermost first
	Parent *text.Span `json:"parent,omitempty"` // the larger piece that is handed on in its place
}

// Found is one hit of a search, best first.
type Found struct {
	Piece
	Score   float64    `json:"score"`             // higher is better; comparable only within one search
	Matched []rag.Span `json:"matched,omitempty"` // the chunks that were found, where the hit is a larger piece around them
}

// Pieces cuts a corpus and returns its chunks in order. It buys nothing and stores nothing.
func Pieces(ctx context.Context, w *Workbench, ref string, chunking rag.Chunking) ([]Piece, error) {
	corpus, err := w.Store.Corpus(ctx, ref)
	if err != nil {
		return nil, err
	}
	return PiecesOf(corpus, chunking, chunking.Chunks(corpus)), nil
}

// PiecesOf are chunks as people see them.
func PiecesOf(corpus *rag.Corpus, chunking rag.Chunking, chunks []rag.Chunk) []Piece {
	pieces := make([]Piece, len(chunks))
	for i, c := range chunks {
		pieces[i] = pieceOf(corpus, c.Span, c.Before(corpus, chunking))
		pieces[i].Path = c.Path
		if c.Parent.Len() > 0 {
			pieces[i].Parent = &c.Parent
		}
	}
	return pieces
}

func pieceOf(corpus *rag.Corpus, s rag.Span, header string) Piece {
	return Piece{Document: s.DocID, Start: s.Start, End: s.End, Text: corpus.Text(s), Header: header}
}

// Search returns what a configuration finds for a question, with the scores. Models that cost money are refused: a search is free.
// Nothing is stored.
func Search(ctx context.Context, w *Workbench, ref, question string, c rag.Config) ([]Found, error) {
	if strings.TrimSpace(question) == "" {
		return nil, blank().WithHint("write it in quotation marks: workbench search CORPUS \"QUESTION\"")
	}
	c.Generate = rag.DefaultConfig().Generate // nobody answers
	for _, name := range c.ProviderNames() {
		p, err := w.Providers.Provider(name)
		if err != nil {
			return nil, err
		}
		if !p.Info().Free {
			return nil, problem.New(problem.Invalid, "search_buys", "a search is free, and the models of provider %s cost money", name).
				With("provider", name).WithHint("search with models of the provider offline, or ask with an experiment: workbench ask")
		}
	}
	corpus, err := w.Store.Corpus(ctx, ref)
	if err != nil {
		return nil, err
	}
	if c, err = w.mapped(ctx, corpus, c, indexesOf{}); err != nil {
		return nil, err
	}
	system, err := rag.Open(ctx, c, corpus, w.Providers, w.Indexes, &Memory{})
	if err != nil {
		return nil, err
	}
	defer system.Close()
	found, _, err := system.Retrieve(ctx, question)
	if err != nil {
		return nil, err
	}
	hits := make([]Found, len(found.Hits))
	for i, h := range found.Hits {
		hits[i] = Found{Piece: pieceOf(corpus, h.Span, h.Lead), Score: h.Score, Matched: h.Matched}
		if c.Index != nil {
			hits[i].Text = h.Text // of the row, which need not have a place
		}
	}
	return hits, nil
}
