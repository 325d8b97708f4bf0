package mappings

import (
	"context"
	"net/url"

	"github.com/rag-workbench/workbench/internal/rag"
)

// opensearch reads an index of OpenSearch or Elasticsearch, which differ in how a vector is searched. Scores are the engine's own.
type opensearch struct{ *caller }

// lucene are both engines' words for distances.
var lucene = map[string]string{"cosinesimil": rag.DistanceCosine, "innerproduct": rag.DistanceDot, "l2": rag.DistanceL2,
	"cosine": rag.DistanceCosine, "dot_product": rag.DistanceDot, "max_inner_product": rag.DistanceDot, "l2_norm": rag.DistanceL2}

type luceneField struct {
	Dimension  int    `json:"dimension"` // OpenSearch
	SpaceType  string `json:"space_type"`
	Dims       int    `json:"dims"` // Elasticsearch
	Similarity string `json:"similarity"`
	Method     struct {
		SpaceType string `json:"space_type"`
	} `json:"method"`
	Properties map[string]luceneField `json:"properties"`
}

type luceneReply struct {
	ScrollID string `json:"_scroll_id"`
	TimedOut bool   `json:"timed_out"`
	Shards   struct {
		Failed int `json:"failed"`
	} `json:"_shards"`
	Hits struct {
		Hits []struct {
			ID     string         `json:"_id"`
			Score  *float64       `json:"_score"`
			Source map[string]any `json:"_source"`
		} `json:"hits"`
	} `json:"hits"`
}

func (o *opensearch) path(rest string) string { return "/" + url.PathEscape(o.mapping.Table) + rest }

// Facts implements [rag.MappedIndex].
func (o *opensearch) Facts(ctx context.Context) (rag.MappedFacts, error) {
	var facts rag.MappedFacts
	var root struct {
		Version struct {
			Number string `json:"number"`
		} `json:"version"`
	}
	if err := o.get(ctx, "/", &root); err != nil {
		return facts, err
	}
	facts.Server = root.Version.Number
	var indexes map[string]struct {
		Mappings luceneField `json:"mappings"`
	}
	if err := o.get(ctx, o.path("/_mapping"), &indexes); err != nil {
		return facts, err
	}
	for _, index := range indexes { // several behind one alias are alike in their vectors
		field, known := index.Mappings.field(o.mapping.Fields.Vector)
		if !known {
			return facts, o.odd("it has no field " + o.mapping.Fields.Vector)
		}
		facts.Dimensions = max(field.Dimension, field.Dims)
		for _, word := range []string{field.Method.SpaceType, field.SpaceType, field.Similarity} {
			if d, said := lucene[word]; said {
				facts.Distance = d
				break
			}
		}
	}
	var count struct {
		Count int `json:"count"`
	}
	err := o.get(ctx, o.path("/_count"), &count)
	facts.Rows = count.Count
	return facts, err
}

// field is a field by its name, which may have parts.
func (f luceneField) field(name string) (luceneField, bool) {
	if found, ok := f.Properties[name]; ok {
		return found, true
	}
	for i := range len(name) {
		if name[i] == '.' {
			if below, ok := f.Properties[name[:i]]; ok {
				return below.field(name[i+1:])
			}
		}
	}
	return luceneField{}, false
}

// Scan implements [rag.MappedIndex]. A scroll ends by itself a minute after it was last asked.
func (o *opensearch) Scan(ctx context.Context, visit func(rag.MappedRow) error) error {
	var got luceneReply
	ask := map[string]any{"size": page, "_source": o.mapping.Fields.Read(), "sort": []string{"_doc"}}
	if err := o.post(ctx, o.path("/_search?scroll=1m"), ask, &got); err != nil {
		return err
	}
	for {
		rows, err := o.rows(got)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := visit(r); err != nil {
				return err
			}
		}
		next := map[string]any{"scroll": "1m", "scroll_id": got.ScrollID}
		got = luceneReply{}
		if err := o.post(ctx, "/_search/scroll", next, &got); err != nil {
			return err
		}
	}
}

// rows are the hits of a reply that is whole.
func (o *opensearch) rows(got luceneReply) ([]rag.MappedRow, error) {
	if got.TimedOut || got.Shards.Failed > 0 {
		return nil, o.odd("only a part of the index answered")
	}
	rows := make([]rag.MappedRow, len(got.Hits.Hits))
	for i, h := range got.Hits.Hits {
		rows[i] = o.row(h.ID, h.Source)
		if h.Score != nil {
			rows[i].Score = *h.Score
		}
	}
	return rows, nil
}

func (o *opensearch) search(ctx context.Context, n int, how map[string]any) ([]rag.MappedRow, error) {
	how["size"], how["_source"] = n, o.mapping.Fields.Read()
	var got luceneReply
	if err := o.post(ctx, o.path("/_search"), how, &got); err != nil {
		return nil, err
	}
	return o.rows(got)
}

// Nearest implements [rag.MappedIndex].
func (o *opensearch) Nearest(ctx context.Context, vector []float32, n int, params map[string]any) ([]rag.MappedRow, error) {
	field := o.mapping.Fields.Vector
	if o.mapping.Engine == "elasticsearch" {
		knn := map[string]any{"field": field, "query_vector": vector, "k": n}
		if given, ok := params["num_candidates"]; ok {
			knn["num_candidates"] = given
		}
		return o.search(ctx, n, map[string]any{"knn": knn})
	}
	near := map[string]any{"vector": vector, "k": n}
	if ef, ok := params["ef_search"]; ok {
		near["method_parameters"] = map[string]any{"ef_search": ef}
	}
	return o.search(ctx, n, map[string]any{"query": map[string]any{"knn": map[string]any{field: near}}})
}

// Words implements [rag.MappedIndex] with the engine's BM25 over the field of the text.
func (o *opensearch) Words(ctx context.Context, query string, n int, _ map[string]any) ([]rag.MappedRow, error) {
	match := map[string]any{o.mapping.Fields.Text: map[string]any{"query": query}}
	return o.search(ctx, n, map[string]any{"query": map[string]any{"match": match}})
}
