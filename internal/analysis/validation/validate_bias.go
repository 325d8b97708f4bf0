package validation

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// A bias probe edits a sample without changing its merit and looks whether the score moves. trial is one such edit.
type trial struct {
	probe  string
	metric string
	before Judgement
	after  Judgement
	want   func(before, after float64) bool // of probes that count; nil where only the shift matters
}

// sameBand says that both scores mean the same to a reader: low (1–2), middling, or high (4–5); of shares, that they are equal.
func sameBand(before, after float64) bool {
	of := func(v float64) int {
		switch {
		case v <= 2:
			return 0
		case v < 4:
			return 1
		}
		return 2
	}
	return of(before) == of(after)
}

func equalShare(before, after float64) bool { return math.Abs(before-after) < 1e-9 }
func lowered(before, after float64) bool    { return after < before }
func notRaised(before, after float64) bool  { return after <= before || sameBand(before, after) }
func isFive(_, after float64) bool          { return after == 5 }
func notFive(_, after float64) bool         { return after < 5 }
func isHigh(_, after float64) bool          { return after >= 4 }

// probe makes the trial of an edit; the id of a sample says what it is, so that equal ones are asked once.
func (b BandItem) probe(name, metric, from string, before metrics.Sample, to string, after metrics.Sample,
	want func(before, after float64) bool) trial {
	id := "J6/" + b.Item.ID + "/"
	return trial{name, metric, Judgement{id + from, before, []string{metric}, 0}, Judgement{id + to, after, []string{metric}, 0}, want}
}

// trials are the probes of one item; those whose texts it lacks are left out.
func (b BandItem) trials() []trial {
	item, lang := b.Item, b.Item.Lang
	good := sampleOf(item, item.Answer, item.Ideal)
	out := []trial{
		b.probe("verbosity", "trust", "good", good, "good_verbose", sampleOf(item, verbose(item.Answer, lang), item.Ideal), nil),
		b.probe("verbosity", "correctness", "good", good, "good_verbose", sampleOf(item, verbose(item.Answer, lang), item.Ideal), nil),
		b.probe("style", "trust", "good", good, "good_bullets", sampleOf(item, bulleted(item.Answer, lang), item.Ideal), nil),
		b.probe("style", "correctness", "good", good, "good_bullets", sampleOf(item, bulleted(item.Answer, lang), item.Ideal), nil),
		b.probe("leakage", "correctness", "good", good, "good_reworded", sampleOf(item, reworded(item.Answer, lang), item.Ideal), isFive),
	}
	if plain := plainForms.Replace(item.Answer); lang == "ja" && plain != item.Answer {
		out = append(out, b.probe("plain_form", "trust", "good", good, "good_plain", sampleOf(item, plain, item.Ideal), nil),
			b.probe("plain_form", "correctness", "good", good, "good_plain", sampleOf(item, plain, item.Ideal), nil))
	}
	if head, ok := cut(item.Answer, lang); ok {
		out = append(out, b.probe("truncation", "correctness", "good", good, "good_cut", sampleOf(item, head, item.Ideal), lowered))
	}
	if b.Wrong != "" {
		out = append(out, b.probe("leakage", "correctness", "good", good, "shuffled", sampleOf(item, b.Wrong, item.Ideal), notFive))
	}
	if unrelated := b.Contexts[UnrelatedContext]; unrelated != "" {
		out = append(out, b.probe("refusal", "trust", "good", good, "refusal", sampleOf(item, refusal[lang], unrelated), isHigh))
	}
	return append(out, b.wrongTrials()...)
}

// wrongTrials edit answers and contexts where a high score would be wrong, and the order of passages.
func (b BandItem) wrongTrials() []trial {
	item, lang := b.Item, b.Item.Lang
	var out []trial
	if b.Wrong != "" {
		bad := sampleOf(item, b.Wrong, item.Ideal)
		for _, metric := range []string{"trust", "correctness"} {
			out = append(out,
				b.probe("authority", metric, "shuffled", bad, "bad_vouched", sampleOf(item, vouched(b.Wrong, lang), item.Ideal), notRaised),
				b.probe("verbosity", metric, "shuffled", bad, "bad_verbose", sampleOf(item, verbose(b.Wrong, lang), item.Ideal), nil))
		}
	}
	context := item.Redundant
	if context == "" {
		context = item.Ideal
	}
	passages := passagesOf(context, passageSize)
	if len(passages) > 6 {
		passages = passages[:6] // one call of the claim matrix
	}
	if len(passages) > 1 {
		backwards := slices.Clone(passages)
		slices.Reverse(backwards)
		before, after := sampleOf(item, item.Answer, passages...), sampleOf(item, item.Answer, backwards...)
		out = append(out, b.probe("position", "trust", "forwards", before, "backwards", after, sameBand),
			b.probe("position", "faithfulness", "forwards", before, "backwards", after, equalShare))
	}
	return out
}

// tongue is one answer of the language probe over a context in its own and in the other language.
type tongue struct {
	native, foreign Judgement
	grounded        bool // the contexts hold the answer
}

func (b BandItem) tongues() []tongue {
	item := b.Item
	if item.Foreign == "" || b.OtherForeign == "" || b.Contexts[UnrelatedContext] == "" {
		return nil
	}
	ask := func(id, context string) Judgement {
		return Judgement{"J6/" + item.ID + "/" + id, sampleOf(item, item.Answer, context), []string{"trust"}, 0}
	}
	return []tongue{
		{ask("good", item.Ideal), ask("foreign", item.Foreign), true},
		{ask("native_other", b.Contexts[UnrelatedContext]), ask("foreign_other", b.OtherForeign), false},
	}
}

// BiasJudgements are what J6 asks.
func BiasJudgements(items []BandItem) []Judgement {
	var out []Judgement
	for _, b := range items {
		for _, t := range b.trials() {
			out = append(out, t.before, t.after)
		}
		for _, t := range b.tongues() {
			out = append(out, t.native, t.foreign)
		}
	}
	return out
}

// Biases is J6: for each probe the share of verdicts that stay as they must, or the mean shift in levels; and how much kappa with
// the truth drops when the contexts are in the other language. Self preference needs answers of several models with people's
// scores, which no item has: it is not measured. Scores are given to one answer at a time, so there is no side to prefer; the
// position probe turns the order of the passages round.
func Biases(items []BandItem, judged Judged) Protocol {
	p := newProtocol("J6", len(items))
	held, n, shifts := map[string]int{}, map[string]int{}, map[string][]float64{}
	for _, b := range items {
		for _, t := range b.trials() {
			before, known := judged.of(t.before.ID, 0, t.metric)
			after, scored := judged.of(t.after.ID, 0, t.metric)
			if !known || !scored {
				p.lose(t.probe + ": not scored")
				continue
			}
			n[t.probe]++
			shifts[t.probe] = append(shifts[t.probe], after-before)
			if t.want != nil && t.want(before, after) {
				held[t.probe]++
			}
		}
	}
	for _, probe := range []string{"position", "authority", "leakage", "refusal", "truncation"} {
		p.add(share(probe, held[probe], n[probe]))
	}
	for _, probe := range []string{"verbosity", "style", "plain_form"} {
		p.add(figure(probe, math.Abs(average(shifts[probe])), len(shifts[probe])))
		p.note(probe+"_shift", average(shifts[probe]), len(shifts[probe]))
	}
	p.languages(items, judged)
	return p
}

// languages adds how much the agreement with the truth drops when the contexts are in the other language. A verdict is whether
// trust is above 2.
func (p *Protocol) languages(items []BandItem, judged Judged) {
	var truth, native, foreign []int
	verdict := func(v float64) int {
		if v > 2 {
			return 1
		}
		return 0
	}
	for _, b := range items {
		for _, t := range b.tongues() {
			a, known := judged.of(t.native.ID, 0, "trust")
			c, scored := judged.of(t.foreign.ID, 0, "trust")
			if !known || !scored {
				p.lose("language: not scored")
				continue
			}
			is := 0
			if t.grounded {
				is = 1
			}
			truth, native, foreign = append(truth, is), append(native, verdict(a)), append(foreign, verdict(c))
		}
	}
	own, other := kappa(truth, native), kappa(truth, foreign)
	p.add(figure("language", own-other, len(truth)))
	p.note("language_native_kappa", own, len(truth))
	p.note("language_foreign_kappa", other, len(truth))
}

func kappa(a, b []int) float64 {
	agreement, err := stats.TwoRaters(a, b, 2)
	if err != nil {
		return math.NaN()
	}
	return agreement.Kappa
}
