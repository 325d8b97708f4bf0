package validation

import (
	"math"

	"github.com/rag-workbench/workbench/internal/stats"
)

// passageSize is about how many characters a passage has where a context is shown cut up.
const passageSize = 400

// pairing is one comparison of J2: the better and the worse sample of an item, told apart by a metric.
type pairing struct {
	check  string // of the card
	metric string
	beside string // another metric of the same samples, printed beside; "" when there is none
	ragas  float64
	sides  func(JudgeItem) (better, worse Judgement, ok bool)
}

// pairings are those of the Ragas paper with its accuracies (Es et al. 2023: 0.95, 0.78, 0.70).
var pairings = []pairing{
	{"grounded", "faithfulness", "trust", 0.95, func(i JudgeItem) (Judgement, Judgement, bool) {
		wanted := []string{"faithfulness", "trust"}
		return Judgement{"J2/" + i.ID + "/grounded", sampleOf(i, i.Answer, i.Ideal), wanted, 0},
			Judgement{"J2/" + i.ID + "/ungrounded", sampleOf(i, i.Ungrounded, i.Ideal), wanted, 0}, i.Ungrounded != ""
	}},
	{"relevant", "answer_relevancy", "correctness", 0.78, func(i JudgeItem) (Judgement, Judgement, bool) {
		wanted := []string{"answer_relevancy", "correctness"}
		return Judgement{"J2/" + i.ID + "/relevant", sampleOf(i, i.Answer, i.Ideal), wanted, 0},
			Judgement{"J2/" + i.ID + "/poor", sampleOf(i, i.Poor, i.Ideal), wanted, 0}, i.Poor != ""
	}},
	{"focused", "context_precision_share", "", 0.70, func(i JudgeItem) (Judgement, Judgement, bool) {
		wanted := []string{"context_precision_share"}
		return Judgement{"J2/" + i.ID + "/focused", sampleOf(i, i.Answer, passagesOf(i.Ideal, passageSize)...), wanted, 0},
			Judgement{"J2/" + i.ID + "/padded", sampleOf(i, i.Answer, passagesOf(i.Redundant, passageSize)...), wanted, 0},
			i.Redundant != ""
	}},
}

// PairJudgements are what J2 asks.
func PairJudgements(items []JudgeItem) []Judgement {
	var out []Judgement
	for _, p := range pairings {
		for _, item := range items {
			if better, worse, ok := p.sides(item); ok {
				out = append(out, better, worse)
			}
		}
	}
	return out
}

// Pairs is J2: how often the better of two texts gets the higher score, ties half, as in the Ragas paper.
func Pairs(items []JudgeItem, judged Judged) Protocol {
	p := newProtocol("J2", len(items))
	for _, pair := range pairings {
		var won, beside []float64
		ties := 0
		for _, item := range items {
			better, worse, ok := pair.sides(item)
			if !ok {
				p.lose(pair.check + ": the item has no such pair")
				continue
			}
			a, scored := judged.of(better.ID, 0, pair.metric)
			b, too := judged.of(worse.ID, 0, pair.metric)
			if !scored || !too {
				p.lose(pair.check + ": not scored")
				continue
			}
			won = append(won, wins(a, b))
			if a == b {
				ties++
			}
			c, scored := judged.of(better.ID, 0, pair.beside)
			d, too := judged.of(worse.ID, 0, pair.beside)
			if scored && too {
				beside = append(beside, wins(c, d))
			}
		}
		check := figure(pair.check, average(won), len(won))
		if len(won) > 0 {
			low, high := wilsonShare(stats.Mean(won), len(won))
			check.Low, check.High = &low, &high
		}
		p.add(check)
		p.note(pair.check+"_ties", float64(ties), len(won))
		p.note(pair.check+"_ragas", pair.ragas, 50)
		if len(beside) > 0 {
			p.note(pair.check+"_"+pair.beside, stats.Mean(beside), len(beside))
		}
	}
	return p
}

// wilsonShare is the Wilson 95% interval of a share that may count halves (Wilson 1927, with x = share × n).
func wilsonShare(share float64, n int) (low, high float64) {
	z, nf := stats.NormalQuantile(0.975), float64(n)
	centre := (share + z*z/(2*nf)) / (1 + z*z/nf)
	half := z / (1 + z*z/nf) * math.Sqrt(share*(1-share)/nf+z*z/(4*nf*nf))
	return max(0, centre-half), min(1, centre+half)
}

// repeats is how many replicates J4 asks for, and mostRepeated on how many items (science.md 2.1).
const (
	repeats      = 5
	mostRepeated = 40
)

// repeatMetrics are judged again and again: both rubrics, and one metric that rests on single verdicts.
var repeatMetrics = []string{"trust", "correctness", "faithfulness"}

// repeated are the samples of J4: the items in turn over an ideal, half, missing and unrelated context, so that the scores span
// the scale; where a condition could not be built, the poor answer over the ideal context.
func repeated(items []BandItem) []Judgement {
	order := []Condition{IdealContext, MissingContext, HalfContext, UnrelatedContext}
	var out []Judgement
	for n, b := range items[:min(len(items), mostRepeated)] {
		c := order[n/2%len(order)] // items of two languages take turns
		context, ok := b.Contexts[c]
		switch {
		case ok:
			out = append(out, Judgement{bandID(b.Item, c), sampleOf(b.Item, b.Item.Answer, context), repeatMetrics, 0})
		case b.Item.Poor != "":
			out = append(out, Judgement{"J4/" + b.Item.ID + "/poor", sampleOf(b.Item, b.Item.Poor, b.Item.Ideal), repeatMetrics, 0})
		default:
			out = append(out, Judgement{bandID(b.Item, IdealContext), sampleOf(b.Item, b.Item.Answer, b.Item.Ideal), repeatMetrics, 0})
		}
		if n/8%2 == 1 && b.Item.Poor != "" { // correctness would be 5 throughout
			last := &out[len(out)-1]
			*last = Judgement{last.ID + "/poor", sampleOf(b.Item, b.Item.Poor, b.Item.Ideal), repeatMetrics, 0}
		}
	}
	return out
}

// RepeatJudgements are what J4 asks: each sample in five perturbed replicates.
func RepeatJudgements(items []BandItem) []Judgement {
	var out []Judgement
	for _, j := range repeated(items) {
		for r := range repeats {
			j.Replicate = r
			out = append(out, j)
		}
	}
	return out
}

// Repeats is J4: the flip rate of "trust is low" (at most 2), the worst of the rubrics, and ICC(2,1) of their levels; beside
// them, for each metric, the alpha of Krippendorff, the split-half reliability and the smallest change of one question that is
// not noise.
func Repeats(items []BandItem, judged Judged) Protocol {
	samples := repeated(items)
	p := newProtocol("J4", len(samples))
	flip, icc, n := math.NaN(), math.NaN(), 0
	for _, metric := range repeatMetrics {
		var table, low [][]float64
		for _, s := range samples {
			row := make([]float64, 0, repeats)
			for r := range repeats {
				if v, ok := judged.of(s.ID, r, metric); ok {
					row = append(row, v)
				}
			}
			if len(row) < repeats {
				p.lose(metric + ": not scored in every replicate")
				continue
			}
			table, low = append(table, row), append(low, lowVerdicts(row, metric))
		}
		one, steady := p.noise(metric, table, low)
		flip, icc, n = worst(flip, one, math.Max), worst(icc, steady, math.Min), max(n, len(table))
	}
	p.add(figure("flip_rate", flip, n), figure("icc", icc, n))
	return p
}

// worst joins two figures of which one may be missing.
func worst(a, b float64, join func(a, b float64) float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return join(a, b)
}

// lowVerdicts says of each score whether it is a low one: a rubric's level of at most 2, a share of less than half.
func lowVerdicts(row []float64, metric string) []float64 {
	limit := 2.0
	if metric == "faithfulness" {
		limit = 0.499
	}
	out := make([]float64, len(row))
	for i, v := range row {
		if v <= limit {
			out[i] = 1
		}
	}
	return out
}

// noise keeps the figures of one metric and returns its flip rate and its ICC. Scores that are all equal have no ICC.
func (p *Protocol) noise(metric string, table, low [][]float64) (flip, icc float64) {
	flip, icc = stats.Noise(low).FlipRate, math.NaN()
	if v, err := stats.ICC2(table); err == nil {
		icc = v
	}
	p.note(metric+"_flip_rate", flip, len(table))
	p.note(metric+"_icc", icc, len(table))
	p.note(metric+"_smallest_change", stats.Noise(table).Smallest, len(table))
	p.note(metric+"_variance", stats.Noise(table).Within, len(table))
	if alpha, err := stats.KrippendorffAlpha(table, stats.IntervalDist); err == nil {
		p.note(metric+"_alpha", alpha, len(table))
	}
	var odd, even []float64
	for _, row := range table {
		odd, even = append(odd, stats.Mean([]float64{row[0], row[2]})), append(even, stats.Mean([]float64{row[1], row[3]}))
	}
	if len(table) > 2 {
		p.note(metric+"_split_half", stats.SpearmanBrown(stats.Pearson(odd, even), 2), len(table))
	}
	return flip, icc
}
