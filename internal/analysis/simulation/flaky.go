package simulation

import "github.com/rag-workbench/workbench/internal/stats"

// FlakyRow is a world in which the generator answers a share of the questions right only sometimes, whatever the
// configuration, and the guard confirms in one of two ways.
type FlakyRow struct {
	Share      float64      `json:"flaky_share"`
	Regenerate bool         `json:"regenerate"` // a further vote is a new answer; else the stored answer is only judged again
	Runs       int          `json:"runs"`
	Measured   FlakyFigures `json:"measured"`
	Design     FlakyFigures `json:"design"`
}

// FlakyFigures are what the guard does in such a world, on average over runs.
type FlakyFigures struct {
	Alarms Figure `json:"alarms"` // answers called worse where nothing changed
	Power  Figure `json:"power"`  // share of 10 true regressions that are found
	FDR    Figure `json:"fdr"`    // share of those called worse that are none
}

// flakyDesign are the figures of the design, by share: judged again only, then answered again.
var flakyDesign = map[float64][2]FlakyFigures{
	0.05: {{7.6, 0.80, 0.46}, {0.04, 0.67, 0.02}},
	0.15: {{10.8, 0.74, 0.56}, {0.02, 0.59, 0.02}},
	0.30: {{15.2, 0.65, 0.67}, {0.05, 0.50, 0.04}},
}

// Flaky plays worlds of 200 yes-no questions and a judge that errs in 5%: the reason why a confirmation answers
// again instead of judging the stored answer again.
func Flaky(runs int, seed uint64) ([]FlakyRow, error) {
	const questions, regressions = 200, 10
	var rows []FlakyRow
	for _, share := range []float64{0.05, 0.15, 0.30} {
		for way, regenerate := range []bool{false, true} {
			var sum tallied
			for alike, down := range []int{regressions, 0} {
				for run := range runs {
					r := stats.RunStream(seed+uint64(alike)<<32, run)
					d := drawFlaky(r, questions, down, share, regenerate)
					start := [2][][]float64{make([][]float64, questions), make([][]float64, questions)}
					for i := range questions {
						start[0][i], start[1][i] = []float64{d.vote(r, 0, i)}, []float64{d.vote(r, 1, i)}
					}
					flagged, extra, err := d.guard(start, stats.DefaultGuardRules(questions), r)
					if err != nil {
						return nil, err
					}
					sum.add(alike, flagged, d.worse, extra)
				}
			}
			f := sum.figures(runs, regressions)
			rows = append(rows, FlakyRow{
				Share: share, Regenerate: regenerate, Runs: runs, Design: flakyDesign[share][way],
				Measured: FlakyFigures{Alarms: f.Alarms, Power: f.Power, FDR: 1 - f.Precision},
			})
		}
	}
	return rows, nil
}

// drawFlaky draws the chance of a right answer: 0.97 or 0.05, and between 0.3 and 0.8 in both arms where the generator is
// unsure.
func drawFlaky(r *stats.SplitMix64, questions, regressions int, share float64, regenerate bool) simulated {
	const judge, right, wrong = 0.05, 0.97, 0.05
	chance, stored := [2][]float64{}, [2][]bool{}
	unsure := make([]bool, questions)
	for i := range questions {
		p := wrong
		if r.Float64() < 0.8 {
			p = right
		}
		if unsure[i] = r.Float64() < share; unsure[i] {
			p = 0.3 + 0.5*r.Float64()
		}
		chance[0], chance[1] = append(chance[0], p), append(chance[1], p)
	}
	w := NoiseWorld{Questions: questions, Regressions: regressions}
	worse := w.change(r, func(i int) bool { return !unsure[i] && chance[0][i] == right }, nil, func(i int) { chance[1][i] = wrong }, nil)
	for arm := range stored {
		for i := range questions {
			stored[arm] = append(stored[arm], r.Float64() < chance[arm][i])
		}
	}
	return simulated{scale: stats.BinaryScale(), delta: 0.30, worse: worse, questions: questions,
		vote: func(r *stats.SplitMix64, arm, i int) float64 {
			good := stored[arm][i]
			if regenerate {
				good = r.Float64() < chance[arm][i]
			}
			if (r.Float64() < judge) != good {
				return 1
			}
			return 0
		}}
}
