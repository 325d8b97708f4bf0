package progress

import (
	"math"

	"github.com/rag-workbench/workbench/internal/stats"
)

// reviewMetric is a headline that people's labels correct.
type reviewMetric struct {
	id       string
	low, top float64 // range of the values
	reviewRating
}

// reviewMetrics are the headlines: correctness, trust and the share of incorrect answers.
func reviewMetrics(threshold float64) []reviewMetric {
	r := reviewRatings(threshold)
	return []reviewMetric{
		{id: r[1].of, low: 1, top: 5, reviewRating: r[1]}, {id: r[2].of, low: 1, top: 5, reviewRating: r[2]},
		{id: IncorrectShare, low: 0, top: 1, reviewRating: r[0]},
	}
}

// labelStratum is the answers that the judge calls low, or the others.
type labelStratum struct {
	truth, predicted, unlabelled []float64
}

func (s labelStratum) size() int { return len(s.truth) + len(s.unlabelled) }

// stratumMean is a stratum's corrected mean with the variance of it.
type stratumMean struct {
	estimate, variance, lambda float64
}

// correctedMean is the corrected mean of a metric over all answers that the judge scored.
func correctedMean(m reviewMetric, all []HumanLabel) CorrectedMean {
	c := CorrectedMean{Metric: m.id}
	var strata [2]labelStratum // good, low
	sum := 0.0
	for _, l := range all {
		judge, ok := m.judge(l)
		if !ok {
			continue
		}
		c.N++
		sum += judge
		s := &strata[int(asBit(l.Judge.Low))]
		if people, ok := m.people(l); ok {
			c.Labels++
			s.truth, s.predicted = append(s.truth, people), append(s.predicted, judge)
		} else {
			s.unlabelled = append(s.unlabelled, judge)
		}
	}
	if c.N == 0 {
		return c
	}
	c.Judge = sum / float64(c.N)
	for i, s := range strata {
		if want := min(labelsForStratum, s.size()); len(s.truth) < want {
			c.Needs = append(c.Needs, LabelNeed{Low: i == 1, Have: len(s.truth), Want: want, Of: s.size()})
		}
	}
	if len(c.Needs) == 0 {
		m.combine(&c, strata)
	}
	return c
}

// combine puts the strata together by their sizes, which are themselves a matter of chance on questions like these. The degrees of
// freedom are Satterthwaite's.
func (m reviewMetric) combine(c *CorrectedMean, strata [2]labelStratum) {
	estimate, variance, lambda, spent := 0.0, 0.0, 0.0, 0.0
	squares := 0.0
	for _, s := range strata {
		if s.size() == 0 {
			continue
		}
		mean := m.mean(s)
		weight := float64(s.size()) / float64(c.N)
		part := weight * weight * mean.variance
		estimate, lambda = estimate+weight*mean.estimate, lambda+weight*mean.lambda
		squares += weight * mean.estimate * mean.estimate
		variance += part
		spent += part * part / math.Max(1, float64(len(s.truth)-1))
	}
	between := math.Max(0, squares-estimate*estimate) / float64(c.N)
	variance, spent = variance+between, spent+between*between/math.Max(1, float64(c.N-1))
	reach := 0.0
	if variance > 0 {
		reach = stats.StudentQuantile(.975, variance*variance/spent) * math.Sqrt(variance)
	}
	c.Estimate, c.Lambda = &estimate, lambda
	c.CI95 = stats.Interval{Low: math.Max(m.low, estimate-reach), High: math.Min(m.top, estimate+reach)}
}

// mean is the corrected mean of one stratum: cross-fitted PPI++, or the labels alone where too few answers are without one.
func (m reviewMetric) mean(s labelStratum) stratumMean {
	n := float64(len(s.truth))
	out := stratumMean{estimate: stats.Mean(s.truth)}
	if n > 1 {
		out.variance = stats.Variance(s.truth, 1) / n
	}
	if len(s.truth) >= 4 && len(s.unlabelled) >= 2 {
		if p, _, err := stats.CrossFitPPI(s.truth, s.predicted, s.unlabelled, .95); err == nil {
			out = stratumMean{estimate: p.Estimate, variance: p.SE * p.SE, lambda: p.Lambda}
		}
	}
	// Labels that are all alike do not prove that the next one will be, and few labels of a rare thing look too certain: the variance
	// is at least that of a share with two more of each kind (Agresti and Coull 1998), on the scale of the metric.
	if reach := m.top - m.low; out.lambda == 0 && (reach == 1 || stats.Variance(s.truth, 0) == 0) {
		share := ((out.estimate-m.low)/reach*n + 2) / (n + 4)
		out.variance = math.Max(out.variance, reach*reach*share*(1-share)/(n+4))
	}
	return out
}
