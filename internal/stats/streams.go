package stats

import "math"

// NormalDraw draws from the standard normal distribution.
func NormalDraw(r *SplitMix64) float64 {
	return NormalQuantile((math.Floor(r.Float64()*(1<<52)) + 0.5) / (1 << 52))
}

// RunStream is the stream of one simulated run: run by run independent, and equal for equal seeds.
func RunStream(seed uint64, run int) *SplitMix64 {
	return NewSplitMix64(NewSplitMix64(seed + uint64(run)).Uint64())
}
