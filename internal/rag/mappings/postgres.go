package mappings

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// postgres reads a table with a column of pgvector's, in transactions that can change nothing.
type postgres struct {
	mapping rag.IndexMapping
	address string

	mu     sync.Mutex
	theirs *pgvector.Theirs // once it is connected
}

// table connects, once.
func (p *postgres) table(ctx context.Context) (*pgvector.Theirs, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.theirs != nil {
		return p.theirs, nil
	}
	server, err := pgvector.Connect(ctx, p.mapping.Table, p.address, false)
	if err != nil {
		return nil, err
	}
	f := p.mapping.Fields
	theirs, err := server.Theirs(ctx, pgvector.Columns{Table: p.mapping.Table, ID: f.ID, Document: f.DocID, Text: f.Text, Start: f.Start,
		End: f.End, Title: f.Title, Vector: f.Vector})
	if err != nil {
		server.Close()
		return nil, p.failed(err)
	}
	p.theirs = theirs
	return theirs, nil
}

func (p *postgres) failed(err error) error {
	_, told := errors.AsType[*problem.Problem](err)
	if err == nil || told || errors.Is(err, context.Canceled) {
		return err
	}
	return problem.New(problem.Unavailable, "index_refused", "PostgreSQL refused to read %s: %v", p.mapping.Table, err).
		With("name", p.mapping.Table).With("engine", p.mapping.Engine).Because(err).
		WithHint("check table and fields, and what the user of the connection may read")
}

// Facts implements [rag.MappedIndex].
func (p *postgres) Facts(ctx context.Context) (rag.MappedFacts, error) {
	t, err := p.table(ctx)
	if err != nil {
		return rag.MappedFacts{}, err
	}
	rows, dimensions, err := t.Size(ctx)
	return rag.MappedFacts{Server: t.Version().String(), Rows: rows, Dimensions: dimensions}, p.failed(err)
}

// Scan implements [rag.MappedIndex].
func (p *postgres) Scan(ctx context.Context, visit func(rag.MappedRow) error) error {
	t, err := p.table(ctx)
	if err != nil {
		return err
	}
	return p.failed(t.All(ctx, func(r pgvector.TheirRow) error { return visit(rowOf(r)) }))
}

func rowOf(r pgvector.TheirRow) rag.MappedRow {
	return rag.MappedRow{ID: r.ID, DocID: r.Document, Text: r.Text, Title: r.Title, Start: r.Start, End: r.End, Score: r.Score}
}

// pgDistances are pgvector's names of distances.
var pgDistances = map[string]pgvector.Distance{rag.DistanceCosine: pgvector.Cosine, rag.DistanceDot: pgvector.InnerProduct,
	rag.DistanceL2: pgvector.Euclidean}

// Nearest implements [rag.MappedIndex]. Without parameters the database's own settings and its planner decide.
func (p *postgres) Nearest(ctx context.Context, vector []float32, n int, params map[string]any) ([]rag.MappedRow, error) {
	t, err := p.table(ctx)
	if err != nil {
		return nil, err
	}
	var settings []pgvector.Setting
	if params["exact"] == true {
		settings = pgvector.Exactly()
	}
	for name, setting := range map[string]string{"ef_search": "hnsw.ef_search", "probes": "ivfflat.probes"} {
		if v, given := params[name]; given {
			settings = append(settings, pgvector.Setting{Name: setting, Value: fmt.Sprint(v)})
		}
	}
	found, err := t.Nearest(ctx, pgDistances[p.mapping.Distance], vector, n, settings)
	rows := make([]rag.MappedRow, len(found))
	for i, r := range found {
		rows[i] = rowOf(r)
	}
	return rows, p.failed(err)
}

// Words implements [rag.MappedIndex]: a mapping of PostgreSQL does not rank by words.
func (p *postgres) Words(context.Context, string, int, map[string]any) ([]rag.MappedRow, error) {
	return nil, problem.New(problem.Invalid, "index_reply", "pgvector of index %s: it does not rank by words", p.mapping.Table).
		With("name", p.mapping.Table).With("engine", "pgvector").With("what", "it does not rank by words").
		WithHint("use retrieve.mode dense")
}
