package progress

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/stats"
)

// reviewOf is a person's review of what a run holds now.
func reviewOf(e experiments.Evaluation, question, reviewer string, change func(*experiments.Review)) experiments.Review {
	r := experiments.Review{RunID: e.Run.ID, QuestionID: question, Reviewer: reviewer}
	for i, q := range e.Questions {
		if q.ID == question {
			r.Shown = experiments.ShownDigest(q, e.Results[i])
		}
	}
	change(&r)
	return r
}

func verdictOf(v experiments.Verdict) func(*experiments.Review) {
	return func(r *experiments.Review) { r.Verdict = v }
}

func levelsOf(correctness, trust int) func(*experiments.Review) {
	return func(r *experiments.Review) {
		if correctness > 0 {
			r.Correctness = &correctness
		}
		if trust > 0 {
			r.Trust = &trust
		}
	}
}

func TestFiguresOfLabels(t *testing.T) {
	t.Parallel()
	e := evaltest.Evaluation(t, "run", evaltest.Table{
		"q1": {"correctness": 1, "trust": 5}, "q2": {"correctness": 5, "trust": 5}, "q3": {"correctness": 4, "trust": 2},
		"q4": {"trust": 2}, "q5": {"correctness": 3, "trust": 3},
	})
	stale := reviewOf(e, "q5", "A", verdictOf(experiments.CorrectAnswer))
	stale.Shown = "another"
	f := FiguresOf(e, []experiments.Review{
		reviewOf(e, "q1", "B", verdictOf(experiments.IncorrectAnswer)), reviewOf(e, "q1", "A", verdictOf(experiments.IncorrectAnswer)),
		reviewOf(e, "q1", "C", verdictOf(experiments.CorrectAnswer)),
		reviewOf(e, "q2", "A", verdictOf(experiments.IncorrectAnswer)),
		reviewOf(e, "q3", "A", levelsOf(5, 2)), reviewOf(e, "q3", "B", levelsOf(2, 0)),
		reviewOf(e, "q4", "A", verdictOf(experiments.UnsureVerdict)), stale,
	})
	type label struct {
		ID             string
		N              int
		Verdict        experiments.Verdict
		Correctness    string
		Differs, Split bool
	}
	var got []label
	for _, l := range f.Labels {
		mean := ""
		if l.Correctness != nil {
			mean = fmt.Sprint(*l.Correctness)
		}
		got = append(got, label{l.QuestionID, len(l.Reviews), l.Verdict, mean, l.Differs, l.Split})
	}
	want := []label{
		{"q1", 3, experiments.IncorrectAnswer, "", false, true}, // the majority agrees with the judge
		{"q2", 1, experiments.IncorrectAnswer, "", true, false},
		{"q3", 2, "", "3.5", false, true},
		{"q4", 1, "", "", false, false}, // nobody is sure, and the judge has no correctness
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if f.Reviews != 7 || f.Stale != 1 || f.Answers != 5 || fmt.Sprint(f.Reviewers) != "[A B C]" {
		t.Errorf("%d reviews, %d stale, %d answers, by %v", f.Reviews, f.Stale, f.Answers, f.Reviewers)
	}
	if got := f.Labels[0].Reviews[0].Reviewer; got != "A" {
		t.Errorf("the reviews of an answer begin with %s", got)
	}
}

// TestFiguresOfRaters compares the figures with those of package stats, which has vectors of its own.
func TestFiguresOfRaters(t *testing.T) {
	t.Parallel()
	rows := evaltest.Table{}
	judge := []float64{1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 1, 2}
	first := []int{1, 2, 3, 3, 4, 4, 5, 5, 5, 4, 2, 2}
	second := []int{1, 1, 3, 3, 3, 4, 5, 5, 4, 4, 2, 4}
	for i, v := range judge {
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": v, "trust": 5}
	}
	e := evaltest.Evaluation(t, "run", rows)
	var one, both []experiments.Review
	a, b, j := make([]int, len(judge)), make([]int, len(judge)), make([]int, len(judge))
	ratings := make([][]float64, len(judge))
	for i := range judge {
		q := fmt.Sprint("q", i+1)
		one = append(one, reviewOf(e, q, "A", levelsOf(first[i], 0)))
		both = append(both, one[i], reviewOf(e, q, "B", levelsOf(second[i], 0)))
		a[i], b[i], j[i] = first[i], second[i], int(judge[i])
		ratings[i] = []float64{float64(first[i]), float64(second[i]), judge[i]}
	}
	f := FiguresOf(e, one)
	want, err := stats.TwoRaters(a, j, 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Judge) != 1 || len(f.People) != 0 {
		t.Fatalf("figures of the judge %+v and of people %+v", f.Judge, f.People)
	}
	got := f.Judge[0]
	if got.Of != "correctness" || got.N != 12 || *got.Kappa != want.Quadratic || got.Percent != want.Percent {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.CI95 == nil || !(got.CI95.Low < *got.Kappa && *got.Kappa < got.CI95.High && got.CI95.High <= 1) {
		t.Errorf("kappa %v within %v", *got.Kappa, got.CI95)
	}
	if diff := cmp.Diff(f, FiguresOf(e, one)); diff != "" {
		t.Errorf("the figures change from call to call:\n%s", diff)
	}

	f = FiguresOf(e, both)
	alpha, err := stats.KrippendorffAlpha(ratings, stats.Ordinal)
	if err != nil {
		t.Fatal(err)
	}
	among, err := stats.TwoRaters(a, b, 5)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(*f.Judge[0].Alpha-alpha) > 1e-12 || math.Abs(*f.People[0].Kappa-among.Quadratic) > 1e-12 || f.People[0].N != 12 {
		t.Errorf("alpha %v of all, kappa %v of the two; want %v and %v", *f.Judge[0].Alpha, *f.People[0].Kappa, alpha, among.Quadratic)
	}
	third := append(both, reviewOf(e, "q1", "C", levelsOf(1, 0)))
	if p := FiguresOf(e, third).People[0]; p.Kappa != nil || p.Alpha == nil || p.CI95 == nil {
		t.Errorf("of three people: %+v; kappa is of two only", p)
	}
}

// TestFiguresOfVerdicts counts a verdict against the judge's threshold.
func TestFiguresOfVerdicts(t *testing.T) {
	t.Parallel()
	rows := evaltest.Table{}
	for i := range 4 {
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": []float64{1, 2, 3, 5}[i], "trust": 5}
	}
	e := evaltest.Evaluation(t, "run", rows)
	var reviews []experiments.Review
	for i, v := range []experiments.Verdict{experiments.IncorrectAnswer, experiments.CorrectAnswer, experiments.CorrectAnswer,
		experiments.CorrectAnswer} {
		reviews = append(reviews, reviewOf(e, fmt.Sprint("q", i+1), "A", verdictOf(v)))
	}
	f := FiguresOf(e, reviews).Judge[0]
	if f.Of != "verdict" || f.N != 4 || f.Percent != .75 || math.Abs(*f.Kappa-.5) > 1e-12 || f.CI95 != nil {
		t.Errorf("%+v; want kappa .5 of 4 without an interval", f)
	}
}

// TestCorrectedNeeds asks for labels in the stratum that has none: low scores alone do not tell how good the others are.
func TestCorrectedNeeds(t *testing.T) {
	t.Parallel()
	rows := evaltest.Table{}
	for i := range 40 {
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": []float64{1, 5, 5, 5}[i%4], "trust": 5}
	}
	e := evaltest.Evaluation(t, "run", rows)
	var reviews []experiments.Review
	for i := 0; i < 40; i += 4 {
		reviews = append(reviews, reviewOf(e, fmt.Sprint("q", i+1), "A", verdictOf(experiments.IncorrectAnswer)))
	}
	c := FiguresOf(e, reviews).Corrected
	share := c[2]
	if share.Metric != IncorrectShare || share.Judge != .25 || share.Labels != 10 || share.Estimate != nil {
		t.Errorf("%+v", share)
	}
	if diff := cmp.Diff([]LabelNeed{{Low: false, Have: 0, Want: 10, Of: 30}}, share.Needs); diff != "" {
		t.Error(diff)
	}
	if len(c[0].Needs) != 2 || c[0].Labels != 0 {
		t.Errorf("correctness without labels: %+v", c[0])
	}
	// Ten others, all correct: the estimate is the judge's, and not more certain than ten labels make it.
	for i := 1; i < 40 && len(reviews) < 20; i += 4 {
		reviews = append(reviews, reviewOf(e, fmt.Sprint("q", i+1), "A", verdictOf(experiments.CorrectAnswer)))
	}
	share = FiguresOf(e, reviews).Corrected[2]
	if share.Estimate == nil || math.Abs(*share.Estimate-.25) > 1e-12 || share.CI95.High-share.CI95.Low < .2 || share.CI95.Low < 0 {
		t.Errorf("estimate %v within %v", share.Estimate, share.CI95)
	}
}

// TestCorrectedMeanCovers simulates a lenient judge of 400 answers whose low scores are all read by people, and 40 of the others. The
// judge alone is wrong; the corrected share is right on average and its interval holds the truth about as often as it says.
func TestCorrectedMeanCovers(t *testing.T) {
	t.Parallel()
	const worlds, answers, truth = 1000, 400, .3
	random := stats.NewSplitMix64(7)
	threshold := float64(experiments.DefaultLowScore)
	metric := reviewMetrics(threshold)[2]
	covered, estimates, judged, width := 0, 0.0, 0.0, 0.0
	for range worlds {
		labels := make([]HumanLabel, answers)
		others := 0
		for i := range labels {
			bad := random.Float64() < truth
			low := random.Float64() < map[bool]float64{true: .7, false: .05}[bad] // finds 70% of the bad ones, and 5% of the good
			score := map[bool]float64{true: 1, false: 5}[low]
			labels[i].Judge = JudgedAnswer{Correctness: &score, Low: low}
			if !low {
				others++
			}
			if low || others <= 40 { // the order is random, so the first forty are a random choice
				labels[i].Verdict = map[bool]experiments.Verdict{true: experiments.IncorrectAnswer, false: experiments.CorrectAnswer}[bad]
			}
		}
		c := correctedMean(metric, labels)
		if c.Estimate == nil {
			t.Fatalf("no estimate: %+v", c)
		}
		estimates, judged, width = estimates+*c.Estimate/worlds, judged+c.Judge/worlds, width+(c.CI95.High-c.CI95.Low)/worlds
		if c.CI95.Low <= truth && truth <= c.CI95.High {
			covered++
		}
	}
	t.Logf("judge alone %.3f, corrected %.3f, truth %.3f, coverage %.3f, width %.3f", judged, estimates, truth,
		float64(covered)/worlds, width)
	if math.Abs(judged-truth) < .03 {
		t.Errorf("the judge alone says %.3f: this world does not test anything", judged)
	}
	if math.Abs(estimates-truth) > .01 {
		t.Errorf("the corrected share is %.3f on average, want %.3f", estimates, truth)
	}
	if share := float64(covered) / worlds; share < .92 {
		t.Errorf("the interval holds the truth in %.3f of the worlds", share)
	}
}

// TestCorrectedLevelsCover simulates a judge that gives half a level too much, and people who read 15 low scores and 45 others.
func TestCorrectedLevelsCover(t *testing.T) {
	t.Parallel()
	const worlds, answers, truth = 600, 400, 3.4
	random := stats.NewSplitMix64(3)
	metric := reviewMetrics(float64(experiments.DefaultLowScore))[0]
	covered, estimates, judged, width, alone := 0, 0.0, 0.0, 0.0, 0.0
	for range worlds {
		labels := make([]HumanLabel, answers)
		var read [2]int
		var people []float64
		for i := range labels {
			quality := float64(1 + []int{0, 1, 2, 2, 3, 3, 3, 4, 4, 2}[random.Below(10)]) // 3.4 on average
			score := min(5, quality+float64(random.Below(2)))                             // the same or one too high
			low := score <= experiments.DefaultLowScore
			labels[i].Judge = JudgedAnswer{Correctness: &score, Low: low}
			if n := &read[int(asBit(low))]; *n < map[bool]int{true: 15, false: 45}[low] {
				*n++
				labels[i].Correctness = &quality
				people = append(people, quality)
			}
		}
		c := correctedMean(metric, labels)
		if c.Estimate == nil {
			t.Fatalf("no estimate: %+v", c)
		}
		estimates, judged, width = estimates+*c.Estimate/worlds, judged+c.Judge/worlds, width+(c.CI95.High-c.CI95.Low)/worlds
		alone += 2 * stats.StudentQuantile(.975, float64(len(people)-1)) * math.Sqrt(stats.Variance(people,
			1)/float64(len(people))) / worlds
		if c.CI95.Low <= truth && truth <= c.CI95.High {
			covered++
		}
	}
	t.Logf("judge alone %.3f, corrected %.3f, truth %.3f, coverage %.3f, width %.3f, of the labels alone %.3f", judged, estimates, truth,
		float64(covered)/worlds, width, alone)
	if judged-truth < .3 || math.Abs(estimates-truth) > .02 {
		t.Errorf("judge %.3f, corrected %.3f, truth %.3f", judged, estimates, truth)
	}
	if share := float64(covered) / worlds; share < .92 {
		t.Errorf("the interval holds the truth in %.3f of the worlds", share)
	}
	if width > alone*.8 {
		t.Errorf("the interval is %.3f wide, with the labels alone %.3f: the judge is of no use", width, alone)
	}
}

func TestAcceptsJudge(t *testing.T) {
	t.Parallel()
	of := func(n int, kappa float64) []RaterFigures { return []RaterFigures{{Of: "trust", N: n, Kappa: &kappa}} }
	for _, c := range []struct {
		judge, people []RaterFigures
		ok, known     bool
	}{
		{nil, nil, false, false},
		{of(9, 1), nil, false, false},
		{[]RaterFigures{{Of: "trust", N: 50}}, nil, false, false},
		{of(10, .6), nil, true, true},
		{of(10, .59), nil, false, true},
		{of(10, .7), of(30, .8), true, true},
		{of(10, .7), of(30, .81), false, true},
		{of(10, .7), of(5, .99), true, true}, // too few answers to tell how far people agree
	} {
		f := ReviewFigures{Judge: c.judge, People: c.people}
		if ok, known := f.Accepts("trust"); ok != c.ok || known != c.known {
			t.Errorf("%+v: accepts %v, known %v", c, ok, known)
		}
		if _, known := f.Accepts("correctness"); known {
			t.Error("what nobody rated is known")
		}
	}
}

// TestPeopleAgreeAsTheyDoWhateverTheyAreCalled: among any number of reviewers the share of equal ratings counts every pair of them, each
// answer once, and no name of a reviewer changes it.
func TestPeopleAgreeAsTheyDoWhateverTheyAreCalled(t *testing.T) {
	t.Parallel()
	random := stats.NewSplitMix64(5)
	for range 40 {
		rows, people, ratings := evaltest.Table{}, 2+random.Below(3), [][]int{}
		for i := range 4 {
			rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": 3, "trust": 5}
			ratings = append(ratings, nil)
			for range people {
				ratings[i] = append(ratings[i], random.Below(4)) // 0: did not review
			}
		}
		e := evaltest.Evaluation(t, "run", rows)
		want, answers := 0.0, 0.0
		for _, r := range ratings {
			equal, pairs := 0.0, 0.0
			for i := range r {
				for k := range i {
					if r[i] == 0 || r[k] == 0 {
						continue
					}
					if pairs++; r[i] == r[k] {
						equal++
					}
				}
			}
			if pairs > 0 {
				want, answers = want+equal/pairs, answers+1
			}
		}
		if answers == 0 {
			continue
		}
		for turn := range people {
			var reviews []experiments.Review
			for i, r := range ratings {
				for k, level := range r {
					if level > 0 {
						reviews = append(reviews, reviewOf(e, fmt.Sprint("q", i+1), string(rune('A'+(k+turn)%people)), levelsOf(level, 0)))
					}
				}
			}
			for _, p := range FiguresOf(e, reviews).People {
				if p.Of == "correctness" && math.Abs(p.Percent-want/answers) > 1e-12 {
					t.Errorf("%v, names turned by %d: %v, want %v", ratings, turn, p.Percent, want/answers)
				}
			}
		}
	}
}
