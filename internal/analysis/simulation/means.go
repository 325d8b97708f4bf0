package simulation

import (
	"math"
	"strconv"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ClusterRow says how often tests of the mean find a difference where there is none, at a nominal 5%, when questions about
// the same document resemble each other.
type ClusterRow struct {
	Clusters int            `json:"clusters"`
	Size     int            `json:"size"`    // questions of each
	Largest  int            `json:"largest"` // questions of the first; 0: as of each
	ICC      float64        `json:"icc"`     // how much they resemble each other
	Runs     int            `json:"runs"`
	Measured ClusterFigures `json:"measured"`
	Design   ClusterFigures `json:"design"`
}

// ClusterFigures are shares of runs in which a difference was found.
type ClusterFigures struct {
	PairedT   Figure `json:"paired_t"`       // questions count as independent
	Robust    Figure `json:"cluster_robust"` // what the workbench uses
	CR1       Figure `json:"cluster_cr1"`    // the same as textbooks have it
	Bootstrap Figure `json:"bootstrap"`      // percentile interval of resampled clusters
	SignFlip  Figure `json:"sign_flip"`      // permutation by cluster
}

// Clusters plays standard normal differences without a mean, in clusters of one size, and in such of which the first is larger.
func Clusters(runs int, seed uint64) ([]ClusterRow, error) {
	no := Figure(math.NaN())
	rows := []ClusterRow{
		{Clusters: 40, Size: 5, ICC: 0, Design: ClusterFigures{.045, .046, .046, .058, .038}},
		{Clusters: 40, Size: 5, ICC: 0.3, Design: ClusterFigures{.179, .045, .045, .058, .045}},
		{Clusters: 20, Size: 10, ICC: 0.3, Design: ClusterFigures{.314, .057, .057, .077, .052}},
		{Clusters: 10, Size: 20, ICC: 0.3, Design: ClusterFigures{.451, .050, .050, .113, .045}},
		{Clusters: 8, Size: 25, ICC: 0.3, Design: ClusterFigures{.520, .050, .050, .132, .051}},
		{Clusters: 21, Size: 1, Largest: 60, ICC: 0.3, Design: ClusterFigures{no, no, no, no, no}},
		{Clusters: 12, Size: 5, Largest: 60, ICC: 0.3, Design: ClusterFigures{no, no, no, no, no}},
		{Clusters: 4, Size: 10, Largest: 60, ICC: 0, Design: ClusterFigures{no, no, no, no, no}},
	}
	for k := range rows {
		row := &rows[k]
		row.Runs = runs
		for run := range runs {
			found, err := row.play(stats.RunStream(seed+uint64(k)<<32, run))
			if err != nil {
				return nil, err
			}
			m := &row.Measured
			for i, f := range []*Figure{&m.PairedT, &m.Robust, &m.CR1, &m.Bootstrap, &m.SignFlip} {
				if found[i] {
					(*f)++
				}
			}
		}
		overRuns(runs, &row.Measured.PairedT, &row.Measured.Robust, &row.Measured.CR1, &row.Measured.Bootstrap, &row.Measured.SignFlip)
	}
	return rows, nil
}

// overRuns turns counts into shares.
func overRuns(runs int, counts ...*Figure) {
	for _, c := range counts {
		*c /= Figure(runs)
	}
}

// play draws one comparison and says which tests find a difference. Resampling is cut to a few hundred draws, which moves the
// shares by less than a simulation of usual length can see.
func (c ClusterRow) play(r *stats.SplitMix64) (found [5]bool, err error) {
	const draws = 399
	var diffs []float64
	var labels []int
	for g := range c.Clusters {
		own := math.Sqrt(c.ICC) * stats.NormalDraw(r)
		size := c.Size
		if g == 0 {
			size = max(size, c.Largest)
		}
		for range size {
			diffs, labels = append(diffs, own+math.Sqrt(1-c.ICC)*stats.NormalDraw(r)), append(labels, g)
		}
	}
	paired, err := stats.PairedT(make([]float64, len(diffs)), diffs)
	if err != nil {
		return found, err
	}
	robust, err := stats.ClusterRobust(diffs, labels, 0.95)
	if err != nil {
		return found, err
	}
	cr1, err := stats.ClusterCR1(diffs, labels, 0.95)
	if err != nil {
		return found, err
	}
	means, err := stats.ClusterBootstrapMeans(diffs, labels, r.Uint64(), draws)
	if err != nil {
		return found, err
	}
	interval := stats.PercentileInterval(means, 0.95)
	flips := stats.FlipsFor(c.Clusters, r.Uint64())
	if flips.Draws > draws {
		flips.Draws = draws
	}
	flipped, err := stats.SignFlip(diffs, labels, flips)
	return [5]bool{paired.P < 0.05, robust.P < 0.05, cr1.P < 0.05, interval.Low > 0 || interval.High < 0, flipped.TwoSided < 0.05}, err
}

// GateRow says how a gate with a margin of 0.05 decides about a candidate whose true mean differs by Effect, and how two
// simpler rules would.
type GateRow struct {
	Questions int         `json:"questions"`
	Effect    float64     `json:"effect"`
	Looks     int         `json:"looks"` // 2: an undecided gate asks the questions twice more and decides again
	Alpha     float64     `json:"alpha"` // one-sided, of each look
	Runs      int         `json:"runs"`
	Measured  GateFigures `json:"measured"`
	Design    GateFigures `json:"design"`
}

// GateFigures are shares of runs.
type GateFigures struct {
	Dropped      Figure `json:"mean_dropped"`     // the mean is lower: blocked by "a lower mean fails"
	Significant  Figure `json:"significant_drop"` // one-sided p < 0.05: blocked by "only a significant drop fails"
	Pass         Figure `json:"pass"`             // by the gate
	Fail         Figure `json:"fail"`
	Inconclusive Figure `json:"inconclusive"`
}

// Gate plays normal differences of standard deviation 0.35, of which 0.27 is noise that asking again averages out.
func Gate(runs int, seed uint64) ([]GateRow, error) {
	no := Figure(math.NaN())
	rows := []GateRow{
		{Questions: 50, Looks: 1, Alpha: 0.05, Design: GateFigures{.50, no, .27, .01, .73}},
		{Questions: 50, Effect: -0.10, Looks: 1, Alpha: 0.05, Design: GateFigures{no, 1 - .37, .01, .26, .74}},
		{Questions: 153, Looks: 1, Alpha: 0.05, Design: GateFigures{.50, no, .54, 0, .46}},
		{Questions: 153, Effect: -0.10, Looks: 1, Alpha: 0.05, Design: GateFigures{no, 1 - .03, 0, .55, .46}},
		{Questions: 200, Looks: 1, Alpha: 0.05, Design: GateFigures{.50, no, .64, 0, .36}},
		{Questions: 200, Effect: -0.10, Looks: 1, Alpha: 0.05, Design: GateFigures{no, 1 - .01, 0, .65, .35}},
		{Questions: 500, Looks: 1, Alpha: 0.05, Design: GateFigures{.50, no, .94, 0, .06}},
		{Questions: 500, Effect: -0.10, Looks: 1, Alpha: 0.05, Design: GateFigures{no, 1, 0, .94, .06}},
		{Questions: 153, Looks: 2, Alpha: 0.05, Design: GateFigures{no, no, .77, no, no}},
		{Questions: 200, Looks: 2, Alpha: 0.05, Design: GateFigures{no, no, .86, no, no}},
		{Questions: 200, Effect: -0.10, Looks: 2, Alpha: 0.05, Design: GateFigures{no, no, no, .86, no}},
		{Questions: 200, Effect: -0.05, Looks: 2, Alpha: 0.05, Design: GateFigures{no, no, .077, no, no}},
		{Questions: 200, Looks: 2, Alpha: compare.SecondLook, Design: GateFigures{no, no, no, no, no}},
		{Questions: 200, Effect: -0.05, Looks: 2, Alpha: compare.SecondLook, Design: GateFigures{no, no, .05, no, no}},
	}
	for k := range rows {
		row := &rows[k]
		row.Runs = runs
		for run := range runs {
			if err := row.play(stats.RunStream(seed+uint64(k)<<32, run)); err != nil {
				return nil, err
			}
		}
		f := &row.Measured
		overRuns(runs, &f.Dropped, &f.Significant, &f.Pass, &f.Fail, &f.Inconclusive)
	}
	return rows, nil
}

// play draws one comparison and lets the gate's own code decide.
func (g *GateRow) play(r *stats.SplitMix64) error {
	const margin, own, noise = 0.05, 0.22, 0.27
	m := compare.GateMetric{Items: make([]compare.GateItem, g.Questions)}
	truth, gains, places := make([]float64, g.Questions), make([]float64, g.Questions), make([]int, g.Questions)
	for i := range gains {
		truth[i] = g.Effect + own*stats.NormalDraw(r)
		gains[i], places[i] = truth[i]+noise*stats.NormalDraw(r), i
		m.Items[i].ID = strconv.Itoa(i)
	}
	test, err := stats.PairedT(make([]float64, g.Questions), gains)
	if err != nil {
		return err
	}
	if test.MeanDiff < 0 {
		g.Measured.Dropped++
		if test.P/2 < 0.05 {
			g.Measured.Significant++
		}
	}
	decision := stats.Inconclusive
	for look := 0; look < g.Looks && decision == stats.Inconclusive; look++ {
		if look > 0 {
			for i := range gains {
				gains[i] = (gains[i] + 2*truth[i] + noise*(stats.NormalDraw(r)+stats.NormalDraw(r))) / 3
			}
		}
		b, ok := m.Bounds(gains, places, g.Alpha)
		if !ok {
			break
		}
		decision = b.Decide(margin)
	}
	switch decision {
	case stats.Pass:
		g.Measured.Pass++
	case stats.Fail:
		g.Measured.Fail++
	case stats.Inconclusive:
		g.Measured.Inconclusive++
	}
	return nil
}
