package mappings

import (
	"context"
	"net/url"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/rag"
)

// chroma reads a collection over the REST interface of version 2.
type chroma struct {
	*caller
	mu    sync.Mutex
	known string // path of the collection, by its id
}

// chromaDistances are Chroma's words for distances.
var chromaDistances = map[string]string{"cosine": rag.DistanceCosine, "ip": rag.DistanceDot, "l2": rag.DistanceL2}

// within is the path of the database.
func (c *chroma) within() string {
	tenant, database, given := strings.Cut(c.mapping.Space, "/")
	if tenant == "" {
		tenant = "default_tenant"
	}
	if !given {
		database = "default_database"
	}
	return "/api/v2/tenants/" + url.PathEscape(tenant) + "/databases/" + url.PathEscape(database) + "/collections/"
}

type chromaCollection struct {
	ID            string `json:"id"`
	Dimension     int    `json:"dimension"`
	Configuration map[string]struct {
		Space string `json:"space"`
	} `json:"configuration_json"`
}

// collection looks the collection up by name.
func (c *chroma) collection(ctx context.Context) (chromaCollection, error) {
	var found chromaCollection
	err := c.get(ctx, c.within()+url.PathEscape(c.mapping.Table), &found)
	if err == nil && found.ID == "" {
		err = c.odd("the collection has no id")
	}
	return found, err
}

// path is that of the collection, by its id.
func (c *chroma) path(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known != "" {
		return c.known, nil
	}
	found, err := c.collection(ctx)
	if err == nil {
		c.known = c.within() + url.PathEscape(found.ID)
	}
	return c.known, err
}

// Facts implements [rag.MappedIndex].
func (c *chroma) Facts(ctx context.Context) (rag.MappedFacts, error) {
	var facts rag.MappedFacts
	if err := c.get(ctx, "/api/v2/version", &facts.Server); err != nil {
		return facts, err
	}
	found, err := c.collection(ctx)
	if err != nil {
		return facts, err
	}
	facts.Dimensions = found.Dimension
	for _, kind := range []string{"hnsw", "spann"} {
		if space, said := chromaDistances[found.Configuration[kind].Space]; said {
			facts.Distance = space
		}
	}
	return facts, c.get(ctx, c.within()+url.PathEscape(found.ID)+"/count", &facts.Rows)
}

// Scan implements [rag.MappedIndex].
func (c *chroma) Scan(ctx context.Context, visit func(rag.MappedRow) error) error {
	path, err := c.path(ctx)
	if err != nil {
		return err
	}
	for offset := 0; ; offset += page {
		var got struct {
			IDs       []string         `json:"ids"`
			Documents []*string        `json:"documents"`
			Metadatas []map[string]any `json:"metadatas"`
		}
		ask := map[string]any{"limit": page, "offset": offset, "include": []string{"documents", "metadatas"}}
		if err := c.post(ctx, path+"/get", ask, &got); err != nil {
			return err
		}
		if len(got.Documents) != len(got.IDs) || len(got.Metadatas) != len(got.IDs) {
			return c.odd("rows without documents or metadata")
		}
		for i, id := range got.IDs {
			if err := visit(c.chromaRow(id, got.Documents[i], got.Metadatas[i])); err != nil {
				return err
			}
		}
		if len(got.IDs) < page {
			return nil
		}
	}
}

// chromaRow is a row whose text is the document, unless the mapping names a field of the metadata.
func (c *chroma) chromaRow(id string, document *string, metadata map[string]any) rag.MappedRow {
	r := c.row(id, metadata)
	if c.mapping.Fields.Text == "" && document != nil {
		r.Text = *document
	}
	return r
}

// Nearest implements [rag.MappedIndex].
func (c *chroma) Nearest(ctx context.Context, vector []float32, n int, _ map[string]any) ([]rag.MappedRow, error) {
	path, err := c.path(ctx)
	if err != nil {
		return nil, err
	}
	var got struct {
		IDs       [][]string         `json:"ids"`
		Documents [][]*string        `json:"documents"`
		Metadatas [][]map[string]any `json:"metadatas"`
		Distances [][]*float64       `json:"distances"`
	}
	ask := map[string]any{"query_embeddings": [][]float32{vector}, "n_results": n,
		"include": []string{"documents", "metadatas", "distances"}}
	if err := c.post(ctx, path+"/query", ask, &got); err != nil {
		return nil, err
	}
	if len(got.IDs) != 1 || len(got.Documents) != 1 || len(got.Metadatas) != 1 || len(got.Distances) != 1 {
		return nil, c.odd("not one ranking for one vector")
	}
	ids := got.IDs[0]
	if len(got.Documents[0]) != len(ids) || len(got.Metadatas[0]) != len(ids) || len(got.Distances[0]) != len(ids) {
		return nil, c.odd("a ranking whose lists differ in length")
	}
	rows := make([]rag.MappedRow, len(ids))
	for i, id := range ids {
		rows[i] = c.chromaRow(id, got.Documents[0][i], got.Metadatas[0][i])
		if d := got.Distances[0][i]; d != nil {
			rows[i].Score = score(c.mapping.Distance, *d)
		}
	}
	return rows, nil
}

// Words implements [rag.MappedIndex]: Chroma filters by words and does not rank by them.
func (c *chroma) Words(context.Context, string, int, map[string]any) ([]rag.MappedRow, error) {
	return c.wordless()
}
