package simulation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// DesignWorlds are the worlds for which the guard was designed: 200 questions, of which 10 got worse and 5 better, by kind of
// scores, noise and flip rate, and two with a baseline that was scored three times when it was pinned.
func DesignWorlds() []NoiseWorld {
	var out []NoiseWorld
	for _, w := range []struct {
		scores ScoreKind
		even   bool
		flips  []float64
	}{
		{YesNoScores, false, []float64{0.05, 0.10, 0.20}},
		{YesNoScores, true, []float64{0.05, 0.10, 0.20}},
		{RubricScores, false, []float64{0.05, 0.10, 0.20}},
		{RubricScores, true, []float64{0.10}},
		{FractionScores, false, []float64{0.05, 0.10, 0.20}},
		{FractionScores, true, []float64{0.05}},
	} {
		for _, f := range w.flips {
			out = append(out, NoiseWorld{Scores: w.scores, Even: w.even, Flip: f, Questions: 200, Regressions: 10, Improvements: 5})
		}
	}
	for _, even := range []bool{false, true} {
		out = append(out, NoiseWorld{Scores: YesNoScores, Even: even, Flip: 0.10, Questions: 200, Regressions: 10,
			Improvements: 5, Pinned: 3})
	}
	return out
}

// Name is the world in words: "rubric, uneven noise, flip 10%".
func (w NoiseWorld) Name() string {
	noise := "uneven"
	if w.Even {
		noise = "even"
	}
	name := fmt.Sprintf("%s, %s noise, flip %g%%", w.Scores, noise, 100*w.Flip)
	if w.Pinned > 1 {
		name += fmt.Sprintf(", baseline pinned with %d votes", w.Pinned)
	}
	return name
}

// designed are the figures that independent simulations of the same worlds gave when the guard was designed, 150 to 200 runs
// each: power, false flags, precision, alarms where nothing changed, further votes, further votes where nothing changed.
// Minus: not published.
var designed = map[string]map[Detector]string{
	"binary, uneven noise, flip 5%": {AnyDrop: ".93 7.0 .57 7.4 0 0", MeanOfThree: ".94 2.4 .80 2.4 800 800",
		GuardDetector: ".90 0.3 .97 0.1 201 72"},
	"binary, uneven noise, flip 10%": {AnyDrop: ".88 13.4 .40 14.0 0 0", MeanOfThree: ".90 4.8 .65 5.0 800 800",
		GuardDetector: ".77 0.4 .95 0.02 209 168"},
	"binary, uneven noise, flip 20%": {AnyDrop: ".79 24.9 .24 26.1 0 0", MeanOfThree: ".82 9.6 .46 10.1 800 800",
		GuardDetector: ".44 0.2 .95 0.05 210 -"},
	"binary, even noise, flip 5%": {AnyDrop: ".91 8.7 .51 9.5 0 0", MeanOfThree: ".97 1.1 .90 1.2 800 800",
		GuardDetector: ".89 0.03 1.00 0 203 75"},
	"binary, even noise, flip 10%": {AnyDrop: ".81 16.5 .33 17.9 0 0", MeanOfThree: ".89 3.8 .70 4.1 800 800",
		GuardDetector: ".59 0.07 .99 0 210 -"},
	"binary, even noise, flip 20%": {AnyDrop: ".65 30.0 .18 32.3 0 0", MeanOfThree: ".67 10.7 .39 11.5 800 800",
		GuardDetector: ".12 0.05 .96 0.02 210 -"},

	"rubric, uneven noise, flip 5%": {AnyDrop: ".98 7.3 .57 7.9 0 0", MeanOfThree: ".96 0.5 .95 0.5 800 800",
		GuardDetector: ".88 0.1 .99 0 111 49"},
	"rubric, uneven noise, flip 10%": {AnyDrop: ".95 13.9 .41 15.1 0 0", MeanOfThree: ".93 1.0 .90 1.1 800 800",
		GuardDetector: ".84 0.2 .98 0.01 134 55"},
	"rubric, uneven noise, flip 20%": {AnyDrop: ".91 25.6 .26 27.8 0 0", MeanOfThree: ".87 2.3 .79 2.5 800 800",
		GuardDetector: ".76 0.2 .97 0 183 58"},
	"rubric, even noise, flip 10%": {AnyDrop: ".95 17.2 .35 18.6 0 0", MeanOfThree: ".89 0.2 .98 0.2 800 800",
		GuardDetector: ".81 0.04 1.00 0 136 50"},

	"fraction, uneven noise, flip 5%": {
		AnyDrop: "- - - 37.5 0 0", DropOfDelta: ".93 10.7 .47 11.4 0 0", MeanOfThree: ".94 3.4 .73 3.8 800 800",
		GuardDetector: ".89 0.5 .95 0.07 167 71",
	},
	"fraction, uneven noise, flip 10%": {
		AnyDrop: "- - - 49.6 0 0", DropOfDelta: ".86 18.8 .31 20.4 0 0", MeanOfThree: ".87 6.8 .56 6.9 800 800",
		GuardDetector: ".74 0.6 .92 0.09 209 119",
	},
	"fraction, uneven noise, flip 20%": {
		AnyDrop: "- - - 67.7 0 0", DropOfDelta: ".72 31.6 .19 33.7 0 0", MeanOfThree: ".72 12.5 .36 13.9 800 800",
		GuardDetector: ".46 0.4 .91 0.10 209 -",
	},
	"fraction, even noise, flip 5%": {
		AnyDrop: "- - - 53.7 0 0", DropOfDelta: ".96 17.3 .36 19.0 0 0", MeanOfThree: ".99 2.6 .79 2.6 800 800",
		GuardDetector: ".96 0.2 .98 0.05 201 81",
	},

	"binary, uneven noise, flip 10%, baseline pinned with 3 votes": {GuardDetector: ".83 - - - - -"},
	"binary, even noise, flip 10%, baseline pinned with 3 votes":   {GuardDetector: ".80 - - - - 41"},
}

// design is what a detector was designed to do in this world; unknown figures where that was not simulated for this size.
func (w NoiseWorld) design(m Detector) DetectorFigures {
	parts := strings.Fields(designed[w.Name()][m])
	if w.Questions != 200 || w.Regressions != 10 {
		parts = nil
	}
	at := func(i int) Figure {
		if i >= len(parts) {
			return Figure(math.NaN())
		}
		v, err := strconv.ParseFloat(parts[i], 64)
		if err != nil {
			v = math.NaN()
		}
		return Figure(v)
	}
	return DetectorFigures{Power: at(0), FalseFlags: at(1), Precision: at(2), Alarms: at(3), Extra: at(4), ExtraAlike: at(5)}
}
