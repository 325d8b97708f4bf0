package search

// MMR chooses hits that are close to the question and far from each other (Carbonell, Goldstein 1998): the closest first, then again
// and again the candidate with the largest lambda · similarity to the question − (1 − lambda) · largest similarity to a chosen one.
type MMR struct {
	Lambda float64 `json:"lambda" yaml:"lambda"`   // 0–1: 1 is the plain order, 0 only variety
	FetchK int     `json:"fetch_k" yaml:"fetch_k"` // candidates to choose from, at least retrieve.k; 0: no such choice
}

// DefaultMMR is what LangChain begins with.
func DefaultMMR() MMR { return MMR{Lambda: 0.5, FetchK: 20} }

// Choose returns the numbers of n candidates in the order of choice. Of equals the one of the better rank comes first.
func (m MMR) Choose(query []float32, candidates [][]float32, n int) []int {
	closeness, nearest := make([]float64, len(candidates)), make([]float64, len(candidates))
	for i, c := range candidates {
		closeness[i] = cosine(query, c)
	}
	var chosen []int
	taken := make([]bool, len(candidates))
	for len(chosen) < min(n, len(candidates)) {
		next, most := -1, 0.0
		for i := range candidates {
			worth := closeness[i]
			if len(chosen) > 0 {
				worth = m.Lambda*closeness[i] - (1-m.Lambda)*nearest[i]
			}
			if !taken[i] && (next < 0 || worth > most) {
				next, most = i, worth
			}
		}
		taken[next] = true
		for i, c := range candidates {
			if s := cosine(candidates[next], c); len(chosen) == 0 || s > nearest[i] {
				nearest[i] = s
			}
		}
		chosen = append(chosen, next)
	}
	return chosen
}
