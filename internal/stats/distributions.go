package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NormalCDF is the probability that a standard normal variable is at most x.
func NormalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// NormalQuantile is the x at which [NormalCDF] is p: -Inf at 0, +Inf at 1, NaN outside [0, 1].
func NormalQuantile(p float64) float64 {
	switch {
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case !(p > 0 && p < 1):
		return math.NaN()
	}
	return mathext.NormalQuantile(p)
}

// StudentCDF is the probability that Student's t with df > 0 degrees of freedom is at most t; NaN for other df.
func StudentCDF(t, df float64) float64 {
	tail := StudentTwoSided(t, df) / 2
	if t > 0 {
		return 1 - tail
	}
	return tail
}

// StudentTwoSided is the probability that |T| exceeds |t| for Student's t with df > 0 degrees of freedom; NaN for other
// df. Of the two equal forms of the incomplete beta function it takes the one whose argument is not close to 1, where
// digits would be lost.
func StudentTwoSided(t, df float64) float64 {
	t2 := t * t
	switch {
	case math.IsNaN(t) || !(df > 0) || math.IsInf(df, 1):
		return math.NaN()
	case math.IsInf(t2, 1):
		return 0
	case df > 1e6: // where the incomplete beta function loses digits this is right to 1/df^2
		return 2 * NormalCDF(-math.Abs(t)*(1-1/(4*df))/math.Sqrt(1+t2/(2*df)))
	case t2 < df:
		return 1 - mathext.RegIncBeta(0.5, df/2, t2/(df+t2))
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t2))
}

// StudentQuantile is the t at which [StudentCDF] is p. The root is found by bisection until no number lies between the
// bounds, because the quantile function of the library is wrong in the ninth digit.
func StudentQuantile(p, df float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(df > 0) || math.IsInf(df, 1):
		return math.NaN()
	case p == 0.5:
		return 0
	case p == 0 || p == 1:
		return math.Inf(int(p*2 - 1))
	case p < 0.5:
		return -studentExceeded(2*p, df)
	}
	return studentExceeded(2*(1-p), df)
}

// studentExceeded is the t >= 0 that |T| exceeds with probability alpha.
func studentExceeded(alpha, df float64) float64 {
	high := 1.0
	for StudentTwoSided(high, df) > alpha {
		high *= 2
	}
	if math.IsInf(high, 1) {
		return high
	}
	return bisect(0, high, func(t float64) bool { return StudentTwoSided(t, df) <= alpha })
}

// bisect returns the place between low and high from which on reached is true, to the last bit.
func bisect(low, high float64, reached func(float64) bool) float64 {
	for {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return mid
		}
		if reached(mid) {
			high = mid
		} else {
			low = mid
		}
	}
}

// ChiSquareTail is the probability that a chi-square variable with df > 0 degrees of freedom exceeds x; NaN for other
// df.
func ChiSquareTail(x, df float64) float64 {
	switch {
	case math.IsNaN(x) || !(df > 0):
		return math.NaN()
	case x <= 0:
		return 1
	case math.IsInf(x, 1):
		return 0
	}
	return mathext.GammaIncRegComp(df/2, x/2)
}

// BetaCDF is the probability that a beta variable with a, b > 0 is at most x, which is the regularised incomplete beta
// function I_x(a, b); NaN for other a and b.
func BetaCDF(x, a, b float64) float64 {
	switch {
	case math.IsNaN(x) || !(a > 0) || !(b > 0):
		return math.NaN()
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	return mathext.RegIncBeta(a, b, x)
}

// logChoose is the logarithm of the number of ways to take k of n.
func logChoose(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	in, _ := math.Lgamma(float64(k + 1))
	out, _ := math.Lgamma(float64(n - k + 1))
	return all - in - out
}
