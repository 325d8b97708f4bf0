package compare

import "math"

// Square is the step from 1 to 5 at which a score is drawn. Means of votes lie between steps: they go to the nearer one, unless that would
// turn a low score into another or the reverse.
func Square(score, threshold float64) int {
	n := math.Round(score)
	if score > threshold && n <= threshold {
		n = math.Ceil(score)
	} else if score <= threshold && n > threshold {
		n = math.Floor(score)
	}
	return int(min(max(n, 1), 5))
}
