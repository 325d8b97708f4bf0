package questions

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// lexicalVectors are TF-IDF vectors of texts over their content terms and numbers, of length 1; the zero vector where a text has
// none. Terms are numbered in the order in which they appear, so equal texts give equal vectors.
type lexicalVectors struct {
	rows  [][]weighted
	terms int
}

type weighted struct {
	term   int
	weight float64
}

func newLexicalVectors(texts []string) lexicalVectors {
	ids := map[string]int{}
	counts := make([]map[int]float64, len(texts))
	var frequency []float64
	for i, s := range texts {
		counts[i] = map[int]float64{}
		for _, t := range text.Terms(s) {
			if t.Class == text.Function {
				continue
			}
			id, known := ids[t.Text]
			if !known {
				id = len(ids)
				ids[t.Text] = id
				frequency = append(frequency, 0)
			}
			if counts[i][id] == 0 {
				frequency[id]++
			}
			counts[i][id]++
		}
	}
	v := lexicalVectors{rows: make([][]weighted, len(texts)), terms: len(ids)}
	for i, row := range counts {
		norm := 0.0
		for id, n := range row {
			w := (1 + math.Log(n)) * math.Log(float64(1+len(texts))/frequency[id])
			v.rows[i] = append(v.rows[i], weighted{id, w})
		}
		slices.SortFunc(v.rows[i], func(a, b weighted) int { return a.term - b.term })
		for _, w := range v.rows[i] {
			norm += w.weight * w.weight
		}
		for k := range v.rows[i] {
			v.rows[i][k].weight /= math.Sqrt(norm)
		}
	}
	return v
}

func dotDense(row []weighted, center []float64) float64 {
	sum := 0.0
	for _, w := range row {
		sum += w.weight * center[w.term]
	}
	return sum
}

// The bounds of k-means: questions are short, and clusters serve only for sampling and for the offline themes.
const (
	clusterRounds   = 12
	clusterRestarts = 4
)

// clusterTexts puts texts into at most k groups by spherical k-means with D² seeding, the best of a few starts. It returns the group of
// each text, numbered by size, the largest 0. Equal texts and seed give equal groups.
func clusterTexts(texts []string, k int, seed uint64) []int {
	v := newLexicalVectors(texts)
	k = min(k, len(texts))
	if k < 2 {
		return make([]int, len(texts))
	}
	var best []int
	bestFit := math.Inf(-1)
	for restart := range clusterRestarts {
		groups, fit := v.kmeans(k, stats.NewSplitMix64(seed+uint64(restart)))
		if fit > bestFit+1e-9 {
			best, bestFit = groups, fit
		}
	}
	return bySize(best, k)
}

func (v lexicalVectors) kmeans(k int, random *stats.SplitMix64) (groups []int, fit float64) {
	centers := v.seeds(k, random)
	groups = make([]int, len(v.rows))
	for range clusterRounds {
		moved := false
		fit = 0
		for i, row := range v.rows {
			to, closest := 0, math.Inf(-1)
			for c := range centers {
				if d := dotDense(row, centers[c]); d > closest+1e-12 {
					to, closest = c, d
				}
			}
			fit += closest
			moved = moved || groups[i] != to
			groups[i] = to
		}
		if !moved {
			break
		}
		centers = v.means(groups, k)
	}
	return groups, fit
}

// seeds draws the first centers: each next one with a probability that grows with its distance from those before.
func (v lexicalVectors) seeds(k int, random *stats.SplitMix64) [][]float64 {
	centers := make([][]float64, 0, k)
	nearest := make([]float64, len(v.rows))
	next := random.Below(len(v.rows))
	for len(centers) < k {
		center := make([]float64, v.terms)
		for _, w := range v.rows[next] {
			center[w.term] = w.weight
		}
		centers = append(centers, center)
		total := 0.0
		for i, row := range v.rows {
			nearest[i] = max(nearest[i], dotDense(row, center))
			total += (1 - nearest[i]) * (1 - nearest[i])
		}
		at := random.Float64() * total
		for i := range v.rows {
			at -= (1 - nearest[i]) * (1 - nearest[i])
			if at <= 0 {
				next = i
				break
			}
		}
	}
	return centers
}

func (v lexicalVectors) means(groups []int, k int) [][]float64 {
	centers := make([][]float64, k)
	for c := range centers {
		centers[c] = make([]float64, v.terms)
	}
	for i, row := range v.rows {
		for _, w := range row {
			centers[groups[i]][w.term] += w.weight
		}
	}
	for _, c := range centers {
		norm := 0.0
		for _, w := range c {
			norm += w * w
		}
		if norm > 0 {
			for t := range c {
				c[t] /= math.Sqrt(norm)
			}
		}
	}
	return centers
}

// bySize numbers groups by how many members they have, then by their first member.
func bySize(groups []int, k int) []int {
	size, first := make([]int, k), make([]int, k)
	for i := len(groups) - 1; i >= 0; i-- {
		size[groups[i]]++
		first[groups[i]] = i
	}
	order := make([]int, k)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if size[a] != size[b] {
			return size[b] - size[a]
		}
		return first[a] - first[b]
	})
	place := make([]int, k)
	for i, c := range order {
		place[c] = i
	}
	out := make([]int, len(groups))
	for i, g := range groups {
		out[i] = place[g]
	}
	return out
}

// spreadSample picks at most n of the texts, one cluster after the other, so that rare subjects are seen too. Indices come in the
// order of picking: any stretch of them is a mixture.
func spreadSample(texts []string, n, clusters int, seed uint64) []int {
	groups := clusterTexts(texts, clusters, seed)
	members := make([][]int, clusters+1)
	random := stats.NewSplitMix64(seed)
	for _, i := range random.Permutation(len(texts)) {
		members[groups[i]] = append(members[groups[i]], i)
	}
	var out []int
	for depth := 0; len(out) < min(n, len(texts)); depth++ {
		for _, m := range members {
			if depth < len(m) && len(out) < n {
				out = append(out, m[depth])
			}
		}
	}
	return out
}
