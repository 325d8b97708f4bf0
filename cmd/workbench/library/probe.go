package library

import (
	"strconv"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

type corpusChunksCmd struct {
	Name  string `arg:"" help:"Name, or name@version."`
	Chunk string `help:"How to cut, as an experiment file says it." placeholder:"{by: …, size: …}"`
}

// Help shows examples.
func (corpusChunksCmd) Help() string {
	return `Shows where a corpus would be cut: the document, start and end of every chunk in characters, its text, and the header that is
put before it. Free; nothing is stored.

Examples:
  workbench corpus chunks manual --chunk '{by: recursive, size: 400, overlap: 80}'
  workbench corpus chunks manual --chunk '{by: recursive, size: 800, heading: path, header: path}'
  workbench corpus chunks manual --chunk '{by: sentences, size: 4}' --json`
}

// Run cuts.
func (c corpusChunksCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		config, err := experiments.WithParts(beginning(c.Chunk), experiments.Said{Name: "chunk", Text: c.Chunk})
		if err != nil {
			return err
		}
		pieces, err := app.Pieces(p.Context, w, c.Name, config.Chunk)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(pieces)
		}
		rows := make([][]string, len(pieces))
		for i, x := range pieces {
			rows[i] = []string{x.Document, strconv.Itoa(x.Start), strconv.Itoa(x.End), x.Header + x.Text}
		}
		p.Table([]string{"DOCUMENT", "START", "END", "TEXT"}, rows)
		p.Say("%s", p.Lang().Many(len(pieces), "chunk"))
		return nil
	})
}

// beginning is where a configuration begins. A chunking that is given means what it means in a file.
func beginning(chunk string) rag.Config {
	c := rag.NewConfig()
	if chunk != "" {
		c.Chunk = rag.DefaultConfig().Chunk
	}
	return c
}

// SearchCmd is the verb search.
type SearchCmd struct {
	Name      string `arg:"" help:"Name of a corpus, or name@version."`
	Question  string `arg:"" help:"The question."`
	Retrieve  string `help:"How to search, as an experiment file says it." placeholder:"{mode: …, k: …}"`
	Chunk     string `help:"How to cut, as an experiment file says it." placeholder:"{by: …, size: …}"`
	Embedding string `help:"Which embedder, as an experiment file says it." placeholder:"{provider: …, model: …}"`
	Rewrite   string `help:"What is done to the question first, as an experiment file says it." placeholder:"MODE"`
	Rerank    string `help:"How the hits are put in a new order, as an experiment file says it." placeholder:"MODE"`
}

// Help shows examples.
func (SearchCmd) Help() string {
	return `Searches a corpus and shows the hits with their scores. Free: models that cost money are refused. Nothing is stored.

It finds what a run with the same settings retrieves: what you leave unsaid means what it means in an experiment file, which is
chunk {by: chars, size: 1000}, embedding {provider: offline, model: hash} and retrieve {mode: dense, k: 3}. Words (bm25, hybrid) are scored by
Lucene's formula with bm25: {k1: 1.2, b: 0.75} where you say bm25, or anything else beyond by (but recursive), size, overlap, mode and k; where
you say no more than those, as older files do, they are scored as the library bleve does, which orders hits a little differently.

Examples:
  workbench search manual "Can a Saver ticket be refunded?" --retrieve '{mode: bm25, k: 10}'
  workbench search manual "Which fee is due?" --retrieve '{mode: bm25, k: 5, bm25: {k1: 1.5, b: 0.4}, filter: {year: {gte: 2024}}}'
  workbench search manual "How long is the warranty?" --retrieve '{mode: hybrid, k: 5}' --chunk '{by: sentences, size: 4}' --json`
}

// Run searches.
func (c SearchCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		config, err := experiments.AsInFile(experiments.Said{Name: "chunk", Text: c.Chunk},
			experiments.Said{Name: "embedding", Text: c.Embedding}, experiments.Said{Name: "rewrite", Text: c.Rewrite},
			experiments.Said{Name: "retrieve", Text: c.Retrieve}, experiments.Said{Name: "rerank", Text: c.Rerank})
		if err != nil {
			return err
		}
		hits, err := app.Search(p.Context, w, c.Name, c.Question, config)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(hits)
		}
		if len(hits) == 0 {
			p.Say("nothing found")
			return nil
		}
		rows := make([][]string, len(hits))
		for i, h := range hits {
			rows[i] = []string{strconv.Itoa(i + 1), strconv.FormatFloat(h.Score, 'f', 4, 64), h.Document, strconv.Itoa(h.Start),
				strconv.Itoa(h.End), h.Header + h.Text}
		}
		p.Table([]string{"RANK", "SCORE", "DOCUMENT", "START", "END", "TEXT"}, rows)
		return nil
	})
}
