package progress

import (
	"cmp"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// The figures of reviews.
const (
	// answers that people call incorrect; the judge's side of it is correctness at or below the threshold
	IncorrectShare = "incorrect_share"

	fewestForInterval = 10   // answers below which an agreement has no interval
	agreementDraws    = 2000 // bootstrap resamples of an agreement
	agreementSeed     = 20_230_901
	labelsForStratum  = 10 // labels, or the whole stratum, below which nothing is estimated from it
)

// FiguresOf sets what people say of a run's answers beside what its judge says. reviews hold the newest of each reviewer; those that
// were made of another state of an answer are counted as stale and left out.
//
// The corrected means take people's labels for the truth: PPI++ within the answers that the judge calls low and within the others,
// put together by their numbers. Labels need not be a random choice of all answers, then, as the low ones are read first; within
// each of the two groups they must be.
func FiguresOf(e experiments.Evaluation, reviews []experiments.Review) ReviewFigures {
	f := ReviewFigures{RunID: e.Run.ID, Threshold: e.Run.Setup.LowScore, Reviewers: []string{}, Labels: []HumanLabel{}}
	rule := e.Run.Setup.LowRule()
	byQuestion := map[string][]experiments.Review{}
	for _, r := range reviews {
		byQuestion[r.QuestionID] = append(byQuestion[r.QuestionID], r)
	}
	questions := make(map[string]experiments.Question, len(e.Questions))
	for _, q := range e.Questions {
		questions[q.ID] = q
	}
	var all []HumanLabel
	seen := map[string]bool{}
	for _, r := range e.Results {
		if seen[r.QuestionID] {
			continue // a further vote: the first one stands for the question
		}
		seen[r.QuestionID] = true
		l := HumanLabel{QuestionID: r.QuestionID, Judge: judgeOf(r, rule)}
		shown := experiments.ShownDigest(questions[r.QuestionID], r)
		for _, review := range byQuestion[r.QuestionID] {
			if review.Shown == shown {
				l.Reviews = append(l.Reviews, review)
			}
		}
		l.settle(f.Threshold)
		all = append(all, l)
		if len(l.Reviews) > 0 {
			f.Labels = append(f.Labels, l)
		}
	}
	f.Answers = len(all)
	for _, l := range f.Labels {
		f.Reviews += len(l.Reviews)
		for _, r := range l.Reviews {
			f.Reviewers = append(f.Reviewers, r.Reviewer)
		}
	}
	f.Stale = len(reviews) - f.Reviews
	slices.Sort(f.Reviewers)
	f.Reviewers = slices.Compact(f.Reviewers)
	f.agreements()
	f.Errors = errorsOfJudge(f.Labels, f.Threshold)
	for _, m := range reviewMetrics(f.Threshold) {
		f.Corrected = append(f.Corrected, correctedMean(m, all))
	}
	return f
}

func judgeOf(r experiments.Result, rule experiments.LowRule) JudgedAnswer {
	var j JudgedAnswer
	if v, ok := r.Value("correctness"); ok {
		j.Correctness = &v
	}
	if v, ok := r.Value("trust"); ok {
		j.Trust = &v
	}
	j.Low = r.Low(rule)
	return j
}

// settle makes one label of the reviews of an answer.
func (l *HumanLabel) settle(threshold float64) {
	slices.SortStableFunc(l.Reviews, func(a, b experiments.Review) int { return cmp.Compare(a.Reviewer, b.Reviewer) })
	good, bad := 0, 0
	var correctness, trust []float64
	for _, r := range l.Reviews {
		switch r.Verdict {
		case experiments.CorrectAnswer:
			good++
		case experiments.IncorrectAnswer:
			bad++
		case experiments.UnsureVerdict: // speaks for neither
		}
		if r.Correctness != nil {
			correctness = append(correctness, float64(*r.Correctness))
		}
		if r.Trust != nil {
			trust = append(trust, float64(*r.Trust))
		}
	}
	switch {
	case good > bad:
		l.Verdict = experiments.CorrectAnswer
	case bad > good:
		l.Verdict = experiments.IncorrectAnswer
	}
	l.Correctness, l.Trust = labelMean(correctness), labelMean(trust)
	l.Split = good > 0 && bad > 0 || labelSpread(correctness) >= 2 || labelSpread(trust) >= 2
	if said, ok := l.incorrect(); ok && l.Judge.Correctness != nil {
		l.Differs = said != (*l.Judge.Correctness <= threshold)
	}
}

// incorrect is the verdict of people as yes or no.
func (l HumanLabel) incorrect() (yes, known bool) {
	return l.Verdict == experiments.IncorrectAnswer, l.Verdict != ""
}

func labelMean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	m := stats.Mean(values)
	return &m
}

func labelSpread(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values) - slices.Min(values)
}

// reviewRating is one thing that people and judge both say of answers, as a number.
type reviewRating struct {
	of       string
	levels   int
	weighted bool // levels have distances
	judge    func(HumanLabel) (float64, bool)
	person   func(experiments.Review) (float64, bool)
	people   func(HumanLabel) (float64, bool) // of all reviewers together
}

func reviewRatings(threshold float64) []reviewRating {
	return []reviewRating{
		{
			of: "verdict", levels: 2,
			judge: func(l HumanLabel) (float64, bool) {
				if l.Judge.Correctness == nil {
					return 0, false
				}
				return asBit(*l.Judge.Correctness <= threshold), true
			},
			person: func(r experiments.Review) (float64, bool) {
				return asBit(r.Verdict == experiments.IncorrectAnswer), r.Verdict == experiments.IncorrectAnswer ||
					r.Verdict == experiments.CorrectAnswer
			},
			people: func(l HumanLabel) (float64, bool) {
				yes, known := l.incorrect()
				return asBit(yes), known
			},
		},
		levelRating("correctness", func(j JudgedAnswer) *float64 { return j.Correctness },
			func(r experiments.Review) *int { return r.Correctness },
			func(l HumanLabel) *float64 { return l.Correctness }),
		levelRating("trust", func(j JudgedAnswer) *float64 { return j.Trust }, func(r experiments.Review) *int { return r.Trust },
			func(l HumanLabel) *float64 { return l.Trust }),
	}
}

func levelRating(of string, judge func(JudgedAnswer) *float64, person func(experiments.Review) *int,
	people func(HumanLabel) *float64) reviewRating {
	return reviewRating{
		of: of, levels: 5, weighted: true,
		judge: func(l HumanLabel) (float64, bool) { return ratedAs(judge(l.Judge)) },
		person: func(r experiments.Review) (float64, bool) {
			if v := person(r); v != nil {
				return float64(*v), true
			}
			return 0, false
		},
		people: func(l HumanLabel) (float64, bool) { return ratedAs(people(l)) },
	}
}

func ratedAs(v *float64) (float64, bool) {
	if v == nil {
		return 0, false
	}
	return *v, true
}

func asBit(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// agreements computes how far people agree with the judge and with each other.
func (f *ReviewFigures) agreements() {
	for _, r := range reviewRatings(f.Threshold) {
		var pairs, own [][2]float64 // people and judge; the two reviewers, where there are no more
		var withJudge, among [][]float64
		reviewers := map[string]bool{}
		for _, l := range f.Labels {
			row := make([]float64, 0, len(l.Reviews)+1)
			for _, review := range l.Reviews {
				if v, ok := r.person(review); ok {
					row = append(row, v)
					reviewers[review.Reviewer] = true
				}
			}
			if len(row) >= 2 {
				among = append(among, row)
				own = append(own, [2]float64{row[0], row[1]})
			}
			judge, ok := r.judge(l)
			if !ok || len(row) == 0 {
				continue
			}
			withJudge = append(withJudge, append(slices.Clone(row), judge))
			if people, ok := r.people(l); ok {
				pairs = append(pairs, [2]float64{people, judge})
			}
		}
		if len(pairs) > 0 {
			f.Judge = append(f.Judge, r.figures(pairs, withJudge, true))
		}
		if len(among) > 0 {
			people := r.figures(own, among, len(reviewers) == 2)
			people.Percent = r.equalAmong(among)
			f.People = append(f.People, people)
		}
	}
}

// equalAmong is the share of equal ones among the pairs of ratings of an answer, the mean over answers: each counts once, however many
// people rated it and whatever they are called.
func (r reviewRating) equalAmong(answers [][]float64) float64 {
	shares := make([]float64, len(answers))
	for i, ratings := range answers {
		pairs := 0
		for k, a := range ratings {
			for _, b := range ratings[k+1:] {
				if pairs++; r.level(a) == r.level(b) {
					shares[i]++
				}
			}
		}
		shares[i] /= float64(pairs)
	}
	return stats.Mean(shares)
}

// figures are those of pairs of ratings, and of all raters. Kappa is of two raters only: of more, alpha has the interval.
func (r reviewRating) figures(pairs [][2]float64, all [][]float64, two bool) RaterFigures {
	f := RaterFigures{Of: r.of, N: len(pairs)}
	equal := 0
	for _, p := range pairs {
		if r.level(p[0]) == r.level(p[1]) {
			equal++
		}
	}
	f.Percent = float64(equal) / float64(len(pairs))
	f.Alpha = finiteFigure(r.alpha(all))
	if two {
		f.Kappa = finiteFigure(r.kappa(pairs))
	}
	if len(pairs) < fewestForInterval || f.Kappa == nil && f.Alpha == nil {
		return f
	}
	random := stats.NewSplitMix64(agreementSeed)
	var drawn []float64
	for range agreementDraws {
		var value float64
		if f.Kappa != nil {
			value = r.kappa(redrawn(pairs, random))
		} else {
			value = r.alpha(redrawn(all, random))
		}
		if !math.IsNaN(value) {
			drawn = append(drawn, value)
		}
	}
	if len(drawn) > agreementDraws/2 { // else most resamples know one level only
		f.CI95 = new(stats.PercentileInterval(drawn, .95))
	}
	return f
}

func redrawn[T any](values []T, random *stats.SplitMix64) []T {
	out := make([]T, len(values))
	for i := range out {
		out[i] = values[random.Below(len(values))]
	}
	return out
}

func (r reviewRating) level(v float64) int { return int(math.Round(v)) }

func (r reviewRating) kappa(pairs [][2]float64) float64 {
	a, b := make([]int, len(pairs)), make([]int, len(pairs))
	for i, p := range pairs {
		a[i], b[i] = r.level(p[0]), r.level(p[1])
	}
	agreement, err := stats.TwoRaters(a, b, r.levels)
	switch {
	case err != nil:
		return math.NaN() // only without pairs
	case r.weighted:
		return agreement.Quadratic
	}
	return agreement.Kappa
}

func (r reviewRating) alpha(all [][]float64) float64 {
	distance := stats.Nominal
	if r.weighted {
		distance = stats.Ordinal
	}
	alpha, err := stats.KrippendorffAlpha(all, distance)
	if err != nil {
		return math.NaN() // only on infinite ratings
	}
	return alpha
}

func finiteFigure(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
