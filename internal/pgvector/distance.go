package pgvector

import "strconv"

// Distance is how far vectors are from each other. An index serves only the distance it was made for: see [Distance.Class].
type Distance string

// The distances.
const (
	Cosine       Distance = "cosine" // 1 − cosine
	InnerProduct Distance = "ip"     // the inner product, negative
	Euclidean    Distance = "l2"
)

// Operator is the SQL operator between a column and a vector.
func (d Distance) Operator() string {
	switch d {
	case Cosine:
		return "<=>"
	case Euclidean:
		return "<->"
	}
	return "<#>"
}

// Class is the operator class of an index for this distance over a type, "vector" or "halfvec".
func (d Distance) Class(kind string) string {
	switch d {
	case Cosine:
		return kind + "_cosine_ops"
	case Euclidean:
		return kind + "_l2_ops"
	}
	return kind + "_ip_ops"
}

// Score turns what the operator gives into a score, of which more is better: the cosine, the inner product, or minus the distance.
func (d Distance) Score(distance float64) float64 {
	if d == Cosine {
		return 1 - distance
	}
	return -distance
}

// Literal is a vector as text, which SQL casts: $1::text::vector.
func Literal(v []float32) string {
	out := make([]byte, 0, 12*len(v)+2)
	out = append(out, '[')
	for i, f := range v {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(f), 'g', -1, 32)
	}
	return string(append(out, ']'))
}

// Exactly are the settings for [Server.Read] under which a statement compares all rows, whatever indexes there are.
func Exactly() []Setting {
	return []Setting{
		{"enable_indexscan", "off"}, {"enable_indexonlyscan", "off"}, {"enable_bitmapscan", "off"},
		{"plan_cache_mode", "force_custom_plan"},
	}
}

// Approximately are the settings under which a statement goes through its HNSW index with this ef_search, 1–1000. With iterative, which
// is for versions from [Iterative], it reads on until the limit is full; the rows then come in no strict order and have to be sorted.
func Approximately(ef int, iterative bool) []Setting {
	out := []Setting{
		{"enable_seqscan", "off"}, {"enable_sort", "off"}, {"enable_bitmapscan", "off"}, {"plan_cache_mode", "force_custom_plan"},
		{"hnsw.ef_search", strconv.Itoa(ef)},
	}
	if iterative {
		out = append(out, Setting{"hnsw.iterative_scan", "relaxed_order"})
	}
	return out
}
