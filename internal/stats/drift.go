package stats

// EWMA is the exponentially weighted moving average of a series, starting from 0: each value moves it by the share
// lambda in (0, 1] of the distance. It shows slow drift that single values hide.
func EWMA(series []float64, lambda float64) []float64 {
	averages, average := make([]float64, len(series)), 0.0
	for i, v := range series {
		average = (1-lambda)*average + lambda*v
		averages[i] = average
	}
	return averages
}

// CUSUMDown is the one-sided cumulative sum that watches for a series falling: each value adds how far it lies below
// -slack, and the sum never falls below 0. For a rise pass the negated series.
func CUSUMDown(series []float64, slack float64) []float64 {
	sums, sum := make([]float64, len(series)), 0.0
	for i, v := range series {
		sum = max(0, sum-v-slack)
		sums[i] = sum
	}
	return sums
}
