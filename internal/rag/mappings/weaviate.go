package mappings

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
)

// weaviate reads a class over REST, and searches it over GraphQL. A mapping's vector field is the name of a named vector.
type weaviate struct{ *caller }

// weaviateDistances are Weaviate's words for distances.
var weaviateDistances = map[string]string{"cosine": rag.DistanceCosine, "dot": rag.DistanceDot, "l2-squared": rag.DistanceL2}

type weaviateIndex struct {
	Distance string `json:"distance"`
}

type weaviateObject struct {
	ID         string         `json:"id"`
	Properties map[string]any `json:"properties"`
	Vector     []json.Number  `json:"vector"`
	// Vectors are the named ones; one of several vectors for an object is a list of lists.
	Vectors map[string]json.RawMessage `json:"vectors"`
}

// dimensions are those of the object's vector of this name, or 0.
func (o weaviateObject) dimensions(name string) int {
	if name == "" {
		return len(o.Vector)
	}
	var vector []json.Number
	if err := json.Unmarshal(o.Vectors[name], &vector); err != nil {
		return 0
	}
	return len(vector)
}

// objects is a page of the class, behind the object with this id.
func (w *weaviate) objects(ctx context.Context, after string, n int, more string) ([]weaviateObject, error) {
	var got struct {
		Objects []weaviateObject `json:"objects"`
	}
	path := "/v1/objects?class=" + url.QueryEscape(w.mapping.Table) + "&limit=" + strconv.Itoa(n) + "&after=" +
		url.QueryEscape(after) + more
	if w.mapping.Space != "" {
		path += "&tenant=" + url.QueryEscape(w.mapping.Space)
	}
	return got.Objects, w.get(ctx, path, &got)
}

// Facts implements [rag.MappedIndex].
func (w *weaviate) Facts(ctx context.Context) (rag.MappedFacts, error) {
	var meta struct {
		Version string `json:"version"`
	}
	if err := w.get(ctx, "/v1/meta", &meta); err != nil {
		return rag.MappedFacts{}, err
	}
	var class struct {
		Index   weaviateIndex `json:"vectorIndexConfig"`
		Vectors map[string]struct {
			Index weaviateIndex `json:"vectorIndexConfig"`
		} `json:"vectorConfig"`
	}
	if err := w.get(ctx, "/v1/schema/"+url.PathEscape(w.mapping.Table), &class); err != nil {
		return rag.MappedFacts{}, err
	}
	facts := rag.MappedFacts{Server: meta.Version, Distance: weaviateDistances[class.Index.Distance]}
	name := w.mapping.Fields.Vector
	if name != "" {
		facts.Distance = weaviateDistances[class.Vectors[name].Index.Distance]
	}
	first, err := w.objects(ctx, "", 1, "&include=vector")
	if err != nil {
		return facts, err
	}
	if len(first) > 0 {
		facts.Dimensions = first[0].dimensions(name)
	}
	facts.Rows, err = w.count(ctx)
	return facts, err
}

func (w *weaviate) count(ctx context.Context) (int, error) {
	var got map[string][]struct {
		Meta struct {
			Count int `json:"count"`
		} `json:"meta"`
	}
	arguments := ""
	if w.mapping.Space != "" {
		arguments = "(tenant: " + quoted(w.mapping.Space) + ")"
	}
	if err := w.ask(ctx, "Aggregate", "{ Aggregate { "+w.mapping.Table+arguments+" { meta { count } } } }", &got); err != nil {
		return 0, err
	}
	if list := got[w.mapping.Table]; len(list) == 1 {
		return list[0].Meta.Count, nil
	}
	return 0, w.odd("not one number of rows")
}

// ask sends a query in GraphQL and reads what stands under data and kind. Mutations are not part of Weaviate's GraphQL.
func (w *weaviate) ask(ctx context.Context, kind, query string, out any) error {
	var got struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if err := w.post(ctx, "/v1/graphql", map[string]string{"query": query}, &got); err != nil {
		return err
	}
	if len(got.Errors) > 0 {
		return w.refused(&statusError{status: 200, said: w.quoted([]byte(got.Errors[0].Message))})
	}
	return w.decode(got.Data[kind], out)
}

// quoted is a text as GraphQL writes it.
func quoted(s string) string {
	raw, _ := json.Marshal(s) // a text
	return string(raw)
}

// Scan implements [rag.MappedIndex].
func (w *weaviate) Scan(ctx context.Context, visit func(rag.MappedRow) error) error {
	for after := ""; ; {
		objects, err := w.objects(ctx, after, page, "")
		if err != nil {
			return err
		}
		for _, o := range objects {
			if err := visit(w.row(o.ID, o.Properties)); err != nil {
				return err
			}
			after = o.ID
		}
		if len(objects) < page {
			return nil
		}
	}
}

// Nearest implements [rag.MappedIndex].
func (w *weaviate) Nearest(ctx context.Context, vector []float32, n int, _ map[string]any) ([]rag.MappedRow, error) {
	raw, err := json.Marshal(vector)
	if err != nil {
		return nil, err
	}
	near := "nearVector: {vector: " + string(raw)
	if name := w.mapping.Fields.Vector; name != "" {
		near += ", targetVectors: [" + quoted(name) + "]"
	}
	return w.search(ctx, near+"}", n, "distance", func(d float64) float64 {
		if w.mapping.Distance == rag.DistanceDot {
			return -d // Weaviate's distance is the negative product
		}
		return score(w.mapping.Distance, d)
	})
}

// Words implements [rag.MappedIndex].
func (w *weaviate) Words(ctx context.Context, query string, n int, _ map[string]any) ([]rag.MappedRow, error) {
	words := "bm25: {query: " + quoted(query) + ", properties: [" + quoted(w.mapping.Fields.Text) + "]}"
	return w.search(ctx, words, n, "score", func(s float64) float64 { return s })
}

// search runs a search and reads its rows; measure is what Weaviate calls their score.
func (w *weaviate) search(ctx context.Context, how string, n int, measure string, score func(float64) float64) ([]rag.MappedRow, error) {
	if w.mapping.Space != "" {
		how += ", tenant: " + quoted(w.mapping.Space)
	}
	query := fmt.Sprintf("{ Get { %s(limit: %d, %s) { %s _additional { id %s } } } }", w.mapping.Table, n, how,
		strings.Join(w.mapping.Fields.Read(), " "), measure)
	var got map[string][]map[string]any
	if err := w.ask(ctx, "Get", query, &got); err != nil {
		return nil, err
	}
	list := got[w.mapping.Table]
	rows := make([]rag.MappedRow, len(list))
	for i, properties := range list {
		about, _ := properties["_additional"].(map[string]any)
		rows[i] = w.row(textOf(about["id"]), properties)
		value, err := strconv.ParseFloat(textOf(about[measure]), 64) // a score is a text, a distance a number
		if err != nil {
			return nil, w.odd("a row without its " + measure)
		}
		rows[i].Score = score(value)
	}
	return rows, nil
}
