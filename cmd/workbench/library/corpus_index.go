package library

import (
	"path/filepath"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

type corpusAddCmd struct {
	Name      string `arg:"" help:"Name of the corpus that stands for the index."`
	Index     string `required:"" help:"YAML file that says which index it is and what its rows mean." placeholder:"FILE"`
	Documents string `required:"" help:"Corpus with the documents that the index was made from, or a path." placeholder:"NAME|PATH"`
}

// Help shows an example with every field.
func (corpusAddCmd) Help() string {
	return `The index is read and never written to: Chroma, Weaviate, Qdrant, OpenSearch, Elasticsearch or pgvector. Keys are never stored:
${NAME} is an environment variable. The embedding of an experiment must be the one that the index was made with.

Example:
  workbench corpus add kb --index kb.yaml --documents manual

The file:
  index:
    engine: chroma                  # chroma weaviate qdrant opensearch elasticsearch pgvector
    connection: ${CHROMA_URL}       # or an address without a key: http://127.0.0.1:8000
    headers: {Authorization: 'Bearer ${CHROMA_TOKEN}'}
    table: handbook                 # collection, class, index or table
    fields: {text: body, doc_id: source_id, start: char_start, end: char_end}
    offsets: fields                 # fields: start and end are right · locate: the text is looked for · none: documents only
    offset_unit: codepoint          # codepoint utf16 byte
    distance: cosine                # cosine dot l2
    params: {}                      # of the search, such as {hnsw_ef: 128}; retrieve.params in an experiment goes before them
    version: "2026-11-20"           # optional: what you call the contents; else all rows are compared

An experiment names it as any corpus, or both to compare: sweep: {corpus: [manual, kb]}`
}

// Run registers.
func (c corpusAddCmd) Run(p *program.Program) error {
	source, err := app.ReadMapping(c.Index)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		added, err := app.AddMapping(p.Context, w, c.Name, c.Documents, filepath.Dir(c.Index), source)
		if err != nil {
			return err
		}
		check := added.Index.Check
		if check.Warns() {
			p.Warn("only %d of %d rows (%s) stand where the mapping says; answers from the others get no scores of evidence", check.Found,
				check.Sample, percent(check.Share))
		}
		if p.Flags.JSON {
			return p.PrintJSON(added)
		}
		p.Say("added %s: index %s of %s, %d rows", added.Ref, added.Index.Table, added.Index.Engine, check.Rows)
		p.Say("of %d rows that were looked at, %d (%s) stand where the mapping says", check.Sample, check.Found, percent(check.Share))
		return nil
	})
}

type corpusDetachCmd struct {
	Name string `arg:"" help:"Name of the corpus."`
}

// Help says what stays.
func (corpusDetachCmd) Help() string {
	return `The documents of the corpus stay, and experiments over it are searched by the workbench itself from then on. What runs found in the index
stays as it is stored. Nothing is written to the index. A run that searches it and is not over has to end first.

Example:
  workbench corpus detach kb`
}

// Run detaches.
func (c corpusDetachCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		was, err := app.DetachMapping(p.Context, w, c.Name)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(was)
		}
		p.Say("detached index %s of %s; the workbench searches the documents of %s itself now, and runs keep what they found", was.Table,
			was.Engine, c.Name)
		return nil
	})
}

func percent(share float64) string {
	return stats.PerCent(share, 1)
}

// indexLine says of a corpus that its chunks are those of an index.
func (p libraryPrinter) indexLine(s rag.IndexSource) {
	p.Say("searched in index %s of %s, which is read only; %d rows, offsets: %s", s.Table, s.Engine, s.Check.Rows, s.Offset)
	p.Say("of %d rows that were looked at, %d (%s) stand where the mapping says", s.Check.Sample, s.Check.Found, percent(s.Check.Share))
}
