package simulation

import (
	"encoding/json"
	"math"

	"github.com/rag-workbench/workbench/internal/stats"
)

// Figure is a number that may be unknown: NaN, which is null in JSON.
type Figure float64

// MarshalJSON writes null for NaN.
func (f Figure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// Known reports whether there is a number.
func (f Figure) Known() bool { return !math.IsNaN(float64(f)) }

// Detector is a way to tell which answers got worse.
type Detector string

// The detectors that a simulation sets side by side.
const (
	AnyDrop       Detector = "any drop"      // one vote in each run; every lower score is called worse
	DropOfDelta   Detector = "drop of delta" // the same, when the score fell by the metric's delta
	MeanOfThree   Detector = "mean of three" // three votes on everything; the mean fell by delta, of yes-no scores by more than half
	GuardDetector Detector = "guard"         // the regression guard with its usual budget
)

// DetectorFigures are what a detector does in a simulated world, on average over runs.
type DetectorFigures struct {
	Power      Figure `json:"power"`       // share of the true regressions that are called worse
	FalseFlags Figure `json:"false_flags"` // answers wrongly called worse, for each comparison that has true regressions
	Precision  Figure `json:"precision"`   // share of those called worse that are
	Alarms     Figure `json:"alarms"`      // answers called worse for each comparison in which nothing changed
	Extra      Figure `json:"extra"`       // further votes that it buys for each comparison
	ExtraAlike Figure `json:"extra_alike"` // and where nothing changed
}

// DetectorRow is one detector in one world: what was measured and what the guard was designed to.
type DetectorRow struct {
	Detector Detector        `json:"detector"`
	Measured DetectorFigures `json:"measured"`
	Design   DetectorFigures `json:"design"`
}

// WorldTable is one world with every detector.
type WorldTable struct {
	World NoiseWorld    `json:"world"`
	Runs  int           `json:"runs"`
	Rows  []DetectorRow `json:"detectors"`
}

// Row returns the row of a detector.
func (t WorldTable) Row(m Detector) (DetectorRow, bool) {
	for _, r := range t.Rows {
		if r.Detector == m {
			return r, true
		}
	}
	return DetectorRow{}, false
}

// tallied sums what one detector did over runs, apart for worlds with regressions (0) and without (1).
type tallied struct{ right, wrong, extra [2]float64 }

func (t *tallied) add(alike int, flagged, worse []bool, extra int) {
	for i, f := range flagged {
		switch {
		case f && worse[i]:
			t.right[alike]++
		case f:
			t.wrong[alike]++
		}
	}
	t.extra[alike] += float64(extra)
}

func (t *tallied) figures(runs, regressions int) DetectorFigures {
	n := float64(runs)
	return DetectorFigures{
		Power: Figure(t.right[0] / (n * float64(regressions))), FalseFlags: Figure(t.wrong[0] / n),
		Precision: Figure(t.right[0] / (t.right[0] + t.wrong[0])),
		Alarms:    Figure(t.wrong[1] / n), Extra: Figure(t.extra[0] / n), ExtraAlike: Figure(t.extra[1] / n),
	}
}

// Guard plays a world and its twin without any change, runs times each, and sets the detectors side by side. It fails
// only where the guard refuses its own world.
func Guard(w NoiseWorld, runs int, seed uint64) (WorldTable, error) {
	detectors := []Detector{AnyDrop, MeanOfThree, GuardDetector}
	if w.Scores == FractionScores {
		detectors = []Detector{AnyDrop, DropOfDelta, MeanOfThree, GuardDetector}
	}
	sums := make([]tallied, len(detectors))
	for alike, world := range []NoiseWorld{w, w.alike()} {
		for run := range runs {
			r := stats.RunStream(seed+uint64(alike)<<32, run)
			d := world.draw(r)
			v := d.vote3(r)
			for k, m := range detectors {
				flagged, extra, err := d.flag(m, v, r, world.Pinned)
				if err != nil {
					return WorldTable{}, err
				}
				sums[k].add(alike, flagged, d.worse, extra)
			}
		}
	}
	t := WorldTable{World: w, Runs: runs}
	for k, m := range detectors {
		t.Rows = append(t.Rows, DetectorRow{Detector: m, Measured: sums[k].figures(runs, w.Regressions), Design: w.design(m)})
	}
	return t, nil
}

// alike is the same world without any change.
func (w NoiseWorld) alike() NoiseWorld {
	w.Regressions, w.Improvements = 0, 0
	return w
}

// vote3 draws three votes on every question in both arms.
func (d simulated) vote3(r *stats.SplitMix64) (votes [2][][]float64) {
	for arm := range votes {
		votes[arm] = make([][]float64, d.questions)
		for i := range votes[arm] {
			votes[arm][i] = []float64{d.vote(r, arm, i), d.vote(r, arm, i), d.vote(r, arm, i)}
		}
	}
	return votes
}

// flag says which questions a detector calls worse, and how many votes it needed beyond one for each question in each arm. The
// guard starts with the first votes and draws its own further ones.
func (d simulated) flag(m Detector, votes [2][][]float64, r *stats.SplitMix64, pinned int) (flagged []bool, extra int, err error) {
	const rounding = 1e-9
	flagged = make([]bool, d.questions)
	switch m {
	case AnyDrop, DropOfDelta:
		least := rounding
		if m == DropOfDelta {
			least = d.delta - rounding
		}
		for i := range flagged {
			flagged[i] = votes[0][i][0]-votes[1][i][0] >= least
		}
	case MeanOfThree:
		for i := range flagged {
			least := d.delta - rounding
			if d.scale.Name == "binary" {
				least = 0.5
			}
			flagged[i] = stats.Mean(votes[0][i])-stats.Mean(votes[1][i]) >= least
		}
		extra = 4 * d.questions
	case GuardDetector:
		start := [2][][]float64{make([][]float64, d.questions), make([][]float64, d.questions)}
		for i := range flagged {
			start[0][i], start[1][i] = votes[0][i][:max(1, min(3, pinned))], votes[1][i][:1]
		}
		return d.guard(start, stats.DefaultGuardRules(d.questions), r)
	}
	return flagged, extra, nil
}

// guard lets the regression guard ask until it is done.
func (d simulated) guard(start [2][][]float64, rules stats.GuardRules, r *stats.SplitMix64) (flagged []bool, extra int, err error) {
	if len(start[0][0]) > 1 {
		rules.Calibration = 0 // the pinned votes show the noise
	}
	g, err := stats.NewGuard(d.scale, rules, r.Uint64(), start[0], start[1])
	if err != nil {
		return nil, 0, err
	}
	for step := g.Next(); !step.Empty(); step = g.Next() {
		var votes [2][]float64
		for arm, items := range [2][]int{step.Baseline, step.Candidate} {
			for _, i := range items {
				votes[arm] = append(votes[arm], d.vote(r, arm, i))
			}
		}
		if err := g.Add(votes[0], votes[1]); err != nil {
			return nil, 0, err
		}
	}
	flagged = make([]bool, d.questions)
	for i, v := range g.Verdicts() {
		flagged[i] = v.Label == stats.Confirmed
	}
	return flagged, g.Summary().Spent, nil
}
