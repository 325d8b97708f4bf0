package mappings

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/rag-workbench/workbench/internal/rag"
)

// qdrant reads a collection over REST. A mapping's vector field is the name of a named vector.
type qdrant struct{ *caller }

// qdrantDistances are Qdrant's words for distances.
var qdrantDistances = map[string]string{"Cosine": rag.DistanceCosine, "Dot": rag.DistanceDot, "Euclid": rag.DistanceL2}

type qdrantVectors struct {
	Size     int    `json:"size"`
	Distance string `json:"distance"`
}

type qdrantPoint struct {
	ID      any            `json:"id"` // a text or a whole number
	Payload map[string]any `json:"payload"`
	Score   float64        `json:"score"`
}

func (q *qdrant) path(rest string) string {
	return "/collections/" + url.PathEscape(q.mapping.Table) + rest
}

// Facts implements [rag.MappedIndex].
func (q *qdrant) Facts(ctx context.Context) (rag.MappedFacts, error) {
	var facts rag.MappedFacts
	var root struct {
		Version string `json:"version"`
	}
	if err := q.get(ctx, "/", &root); err != nil {
		return facts, err
	}
	facts.Server = root.Version
	var got struct {
		Result struct {
			Config struct {
				Params struct {
					Vectors json.RawMessage `json:"vectors"`
				} `json:"params"`
			} `json:"config"`
		} `json:"result"`
	}
	if err := q.get(ctx, q.path(""), &got); err != nil {
		return facts, err
	}
	var vectors qdrantVectors
	if name := q.mapping.Fields.Vector; name != "" {
		var named map[string]qdrantVectors
		if err := q.decode(got.Result.Config.Params.Vectors, &named); err != nil {
			return facts, err
		}
		vectors = named[name]
	} else if err := q.decode(got.Result.Config.Params.Vectors, &vectors); err != nil {
		return facts, err
	}
	facts.Dimensions, facts.Distance = vectors.Size, qdrantDistances[vectors.Distance]
	var count struct {
		Result struct {
			Count int `json:"count"`
		} `json:"result"`
	}
	err := q.post(ctx, q.path("/points/count"), map[string]any{"exact": true}, &count)
	facts.Rows = count.Result.Count
	return facts, err
}

// Scan implements [rag.MappedIndex].
func (q *qdrant) Scan(ctx context.Context, visit func(rag.MappedRow) error) error {
	ask := map[string]any{"limit": page, "with_payload": q.mapping.Fields.Read(), "with_vector": false}
	for {
		var got struct {
			Result struct {
				Points []qdrantPoint `json:"points"`
				Next   any           `json:"next_page_offset"`
			} `json:"result"`
		}
		if err := q.post(ctx, q.path("/points/scroll"), ask, &got); err != nil {
			return err
		}
		for _, p := range got.Result.Points {
			if err := visit(q.row(textOf(p.ID), p.Payload)); err != nil {
				return err
			}
		}
		if got.Result.Next == nil {
			return nil
		}
		ask["offset"] = got.Result.Next
	}
}

// Nearest implements [rag.MappedIndex].
func (q *qdrant) Nearest(ctx context.Context, vector []float32, n int, params map[string]any) ([]rag.MappedRow, error) {
	ask := map[string]any{"query": vector, "limit": n, "with_payload": q.mapping.Fields.Read()}
	if q.mapping.Fields.Vector != "" {
		ask["using"] = q.mapping.Fields.Vector
	}
	if len(params) > 0 {
		ask["params"] = params
	}
	var got struct {
		Result struct {
			Points []qdrantPoint `json:"points"`
		} `json:"result"`
	}
	if err := q.post(ctx, q.path("/points/query"), ask, &got); err != nil {
		return nil, err
	}
	rows := make([]rag.MappedRow, len(got.Result.Points))
	for i, p := range got.Result.Points {
		rows[i] = q.row(textOf(p.ID), p.Payload)
		if rows[i].Score = p.Score; q.mapping.Distance == rag.DistanceL2 {
			rows[i].Score = -p.Score
		}
	}
	return rows, nil
}

// Words implements [rag.MappedIndex]: Qdrant filters by words and does not rank by them.
func (q *qdrant) Words(context.Context, string, int, map[string]any) ([]rag.MappedRow, error) {
	return q.wordless()
}
