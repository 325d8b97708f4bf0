package stats

// SplitMix64 is a small random number generator whose stream is the same in every language: Steele, Lea and Flood,
// "Fast Splittable Pseudorandom Number Generators" (2014). It is meant for resampling, not for secrets. The zero value
// is the stream of seed 0. It is not safe for concurrent use.
type SplitMix64 struct{ state uint64 }

// NewSplitMix64 starts the stream of a seed.
func NewSplitMix64(seed uint64) *SplitMix64 { return &SplitMix64{seed} }

// Uint64 is the next number of the stream.
func (r *SplitMix64) Uint64() uint64 {
	r.state += 0x9E3779B97F4A7C15
	z := r.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Float64 is uniform in [0, 1): the upper 53 bits of the next number over 2^53.
func (r *SplitMix64) Float64() float64 { return float64(r.Uint64()>>11) * 0x1p-53 }

// Below is an integer in [0, n), floor(u*n) for the next Float64 u; 0 when n is below 1.
func (r *SplitMix64) Below(n int) int { return max(0, int(r.Float64()*float64(n))) }

// Sign is +1 when the top bit of the next number is set, else -1.
func (r *SplitMix64) Sign() float64 {
	if r.Uint64()>>63 == 1 {
		return 1
	}
	return -1
}

// Permutation is a random order of 0 to n-1, shuffled by Fisher and Yates from the end: for i = n-1 down to 1, element
// i changes places with element Below(i+1).
func (r *SplitMix64) Permutation(n int) []int {
	order := make([]int, max(0, n))
	for i := range order {
		order[i] = i
	}
	for i := len(order) - 1; i > 0; i-- {
		j := r.Below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
