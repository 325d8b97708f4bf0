package stats

import "gonum.org/v1/gonum/stat"

// Mean is the arithmetic mean; NaN without values.
func Mean(values []float64) float64 { return stat.Mean(values, nil) }
