package findings

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// Count is how many answers something is true of.
type Count struct {
	Code string `json:"code"`
	Name Text   `json:"name"`
	Text Text   `json:"text"` // what it means
	N    int    `json:"n"`
}

// Certainty says how a cause is known.
type Certainty string

// How a cause is known, the surest first.
const (
	ByTest        = Certainty(causes.StandsTested)   // a part was replaced and the answer became good
	ByJudgement   = Certainty(causes.StandsProbable) // judged good, from guessed evidence that lacks a figure of the reference
	BySearch      = Certainty(causes.StandsSearched) // the documents were searched, or texts were compared; nothing was replaced
	ByObservation = Certainty(causes.StandsObserved) // read from a log; nothing was tried
	NotKnown      = Certainty(causes.StandsUnknown)  // nothing that was tried fixed the answer, or nothing could be tried
)

// Certainties lists them, the surest first.
func Certainties() []Certainty {
	return []Certainty{ByTest, ByJudgement, BySearch, ByObservation, NotKnown}
}

// CertaintyMeans says of each word of certainty what it means, the surest first.
func CertaintyMeans() Text {
	var out Text
	for i, c := range Certainties() {
		means := say("certainty.means." + string(c))
		if i > 0 {
			out.EN += " "
		}
		out.EN, out.JA = out.EN+means.EN, out.JA+means.JA
	}
	return out
}

// Word is the certainty as people read it.
func (c Certainty) Word(lang string) string { return Word(lang, "certainty."+string(c)) }

// Cause is a part to change, with the low-score answers that are its doing, for one certainty.
type Cause struct {
	Count
	Certainty Certainty `json:"certainty"`
	Way       string    `json:"way,omitempty"` // of a tested retriever, which remedy it asks for: see [causes.Diagnosis.Way]
	How       Text      `json:"how"`           // the certainty in words
	Questions []string  `json:"questions"`
}

// Causes are why answers are low.
type Causes struct {
	Known bool `json:"known"` // they were looked for
	Text  Text `json:"text"`  // how they were found, or what to do
	Low   int  `json:"low"`   // low-score answers
	// how they were found; "" where nobody looked for them
	Method causes.CauseMethod `json:"-"`
	List   []Cause            `json:"list"` // most first; the unknown ones last
	Counts map[Certainty]int  `json:"counts"`
}

// causes are the parts to change and how answers fail.
func (b *builder) causes() {
	b.Fails = b.fails()
	out := Causes{List: []Cause{}, Counts: map[Certainty]int{}, Low: b.lowNow()}
	report := b.in.Causes
	if report == nil {
		out.Text = say("causes.missing")
		switch {
		case b.Low.Untold.EN != "":
			out.Text = say("causes.untold")
		case b.rule.Own && out.Low > 0:
			out.Text = say("causes.own")
		case out.Low == 0:
			out.Known, out.Text = true, say("causes.none")
		}
		b.Causes = out
		return
	}
	out.Known, out.Low, out.Method = true, report.LowScores, cmp.Or(report.Method, causes.Tested)
	type key struct {
		component causes.Component
		certainty Certainty
		way       string
	}
	at := map[key]int{}
	for _, d := range report.Diagnoses {
		k := key{d.Component, Certainty(d.Standing()), d.Way()}
		out.Counts[k.certainty]++
		i, known := at[k]
		if !known {
			i = len(out.List)
			at[k] = i
			out.List = append(out.List, Cause{
				Count: Count{Code: string(d.Component),
					Name: Text{Code: "component." + string(d.Component), EN: d.Component.Word("en"), JA: d.Component.Word("ja")},
					Text: whyText(d.Component, k.certainty, k.way)}, Certainty: k.certainty, Way: k.way,
				How: say("certainty." + string(k.certainty)),
			})
		}
		out.List[i].N++
		out.List[i].Questions = append(out.List[i].Questions, d.QuestionID)
	}
	if left := report.LowScores - len(report.Diagnoses); left > 0 {
		out.Counts[NotKnown] += left
		out.List = append(out.List, Cause{Count: Count{Code: "not_analysed", Name: say("cause.not_analysed"), Text: say("why.not_analysed"),
			N: left}, Certainty: NotKnown, Questions: []string{}})
	}
	order := causes.Components()
	slices.SortStableFunc(out.List, func(x, y Cause) int {
		return cmp.Or(
			cmp.Compare(last(x), last(y)), cmp.Compare(y.N, x.N),
			cmp.Compare(slices.Index(order, causes.Component(x.Code)), slices.Index(order, causes.Component(y.Code))),
			cmp.Compare(slices.Index(Certainties(), x.Certainty), slices.Index(Certainties(), y.Certainty)), cmp.Compare(x.Way, y.Way),
		)
	})
	out.Text = out.explained(b.in.Candidate.Run.Setup)
	b.Causes = out
}

// explained says how causes were found, by whom and whether on recorded replies, and what each word of certainty means that stands beside
// one of them.
func (c Causes) explained(setup experiments.Setup) Text {
	out := say("causes." + string(c.Method))
	if c.Method == causes.Observed && setup.Offline { // whoever scored, the run's judge looks for causes
		return say("causes.observed_offline")
	}
	if c.Method != causes.Tested {
		return out
	}
	if setup.Recorded != nil {
		out = say("causes.tested_recorded")
	}
	for _, certainty := range Certainties() {
		if slices.ContainsFunc(c.List, func(x Cause) bool { return x.Certainty == certainty && x.Code != "not_analysed" }) {
			means := say("certainty.means." + string(certainty))
			out.EN, out.JA = out.EN+" "+means.EN, out.JA+means.JA
		}
	}
	return out
}

// whyText says what is wrong with a part: what the replacement showed where it was tested, else what was found.
func whyText(c causes.Component, how Certainty, way string) Text {
	if way != "" {
		return say("why." + string(c) + "_" + way)
	}
	if code := "why." + string(c) + "_" + string(how); Word("en", code) != code {
		return say(code)
	}
	return say("why." + string(c))
}

func last(c Cause) int {
	if c.Certainty == NotKnown {
		return 1
	}
	return 0
}

// lowNow counts the low-score answers of the candidate, those included that the comparison left out.
func (b *builder) lowNow() int {
	n := 0
	for _, r := range b.after {
		if r.Low(b.rule) {
			n++
		}
	}
	return n
}

// mostLowest is how many of the lowest answers are named.
const mostLowest = 3

// untold says that low scores cannot be told where no answer has a score that can be low, and which answers are the lowest by the
// measure that decides first; empty where some answer has one.
func (b *builder) untold() Text {
	list := make([]string, 0, len(b.after))
	for id, r := range b.after {
		if r.Rated(b.rule) {
			return Text{}
		}
		list = append(list, id)
	}
	if len(list) == 0 || b.Retrieval {
		return Text{}
	}
	if b.rule.Own {
		return say("low.untold_own", "line", b.Low.Line)
	}
	if len(b.Figures) == 0 {
		return say("low.untold")
	}
	f := b.Figures[0]
	list = slices.DeleteFunc(list, func(id string) bool {
		_, has := b.after[id].Value(f.Metric)
		return !has
	})
	share := func(id string) float64 {
		v, _ := b.after[id].Value(f.Metric)
		return f.share(v)
	}
	slices.SortFunc(list, func(x, y string) int { return cmp.Or(cmp.Compare(share(x), share(y)), cmp.Compare(x, y)) })
	if len(list) == 0 {
		return say("low.untold")
	}
	lowest := make([]Text, min(mostLowest, len(list)))
	for i := range lowest {
		v, _ := b.after[list[i]].Value(f.Metric)
		lowest[i] = say("low.one", "id", text.Cut(list[i], 60), "score", decimal(v, 2))
	}
	return say("low.untold_lowest", "metric", f.Title, "which", lowest)
}

// fails says how answers fail: by pattern where causes were analysed, else by which score is low.
func (b *builder) fails() []Count {
	out := []Count{}
	if b.rule.Own {
		return b.failsByOwn()
	}
	if b.in.Causes != nil && len(b.in.Causes.Patterns) > 0 {
		counts := map[causes.Pattern]int{}
		for _, p := range b.in.Causes.Patterns {
			counts[p.Pattern] += p.Count
		}
		for _, p := range Patterns() {
			if counts[p] > 0 {
				out = append(out, Count{Code: string(p), Name: Text{Code: "pattern." + string(p), EN: p.Word("en"), JA: p.Word("ja")},
					Text: say("means." + string(p)), N: counts[p]})
			}
		}
	} else {
		counts := map[causes.Corner]int{}
		for _, r := range b.after {
			if c, ok := CornerOf(*r, b.Low.Threshold); ok {
				counts[c]++
			}
		}
		for _, c := range Corners() {
			if counts[c] > 0 {
				out = append(out, Count{Code: string(c), Name: Text{Code: "corner." + string(c), EN: c.Word("en"), JA: c.Word("ja")},
					Text: say("means." + string(c)), N: counts[c]})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y Count) int { return y.N - x.N })
	left := b.lowNow()
	for _, c := range out {
		left -= c.N
	}
	if left > 0 { // so that the parts are the whole
		out = append(out, Count{Code: "not_analysed", Name: say("cause.not_analysed"), Text: say("means.not_analysed"), N: left})
	}
	return out
}

// failsByOwn counts the low-score answers of a run with a rule of its own by the scores that are low; those that are low by several stand
// apart, so that the parts are the whole.
func (b *builder) failsByOwn() []Count {
	out, lines := []Count{}, b.rule.Said()
	counts := make([]int, 1<<len(lines))
	for _, r := range b.after {
		by := 0
		for i, line := range lines {
			if v, ok := r.Value(line.Metric); ok && b.rule.By(line.Metric, v) {
				by |= 1 << i
			}
		}
		counts[by]++
	}
	name := func(line experiments.LowLine) Text {
		return LowText(experiments.Setup{Low: []experiments.LowLine{line}}.LowRule())
	}
	for i, line := range lines {
		if n := counts[1<<i]; n > 0 {
			out = append(out, Count{Code: "own_low", Name: name(line), Text: say("means.own_low"), N: n})
		}
	}
	if n := counts[len(counts)-1]; n > 0 && len(lines) > 1 {
		out = append(out, Count{Code: "own_low_both", Name: say("fails.both", "one", name(lines[0]), "other", name(lines[1])),
			Text: say("means.own_low_both"), N: n})
	}
	slices.SortStableFunc(out, func(x, y Count) int { return y.N - x.N })
	return out
}

// Patterns are the ways in which answers fail, in the order of every table.
func Patterns() []causes.Pattern {
	return causes.Patterns()
}

// Corners are the combinations of low scores, in the order of every table.
func Corners() []causes.Corner {
	return []causes.Corner{causes.BothLow, causes.CorrectnessLow, causes.TrustLow}
}

// CornerOf tells which scores of an answer are low. An answer with one score has that one's corner.
func CornerOf(r experiments.Result, threshold float64) (causes.Corner, bool) {
	c, okC := r.Value("correctness")
	t, okT := r.Value("trust")
	lowC, lowT := okC && c <= threshold, okT && t <= threshold
	switch {
	case lowC && lowT:
		return causes.BothLow, true
	case lowC:
		return causes.CorrectnessLow, true
	case lowT:
		return causes.TrustLow, true
	}
	return "", false
}

// Recommendation is a change with what was promised and what happened.
type Recommendation struct {
	Change   Text   `json:"change"`
	Promised int    `json:"promised"` // low-score answers that it may repair
	Low      int    `json:"low"`      // low-score answers that were diagnosed
	Losing   int    `json:"losing"`   // good answers whose evidence would leave what the model reads
	Tried    bool   `json:"tried"`
	Repaired int    `json:"repaired"`               // of the low-score answers; only when Tried
	Broken   int    `json:"newly_broken"`           // good answers that became low; only when Tried
	RunID    string `json:"run_id,omitempty"`       // a run with exactly this configuration: it was made and measured
	Good     int    `json:"good"`                   // good answers that were looked at for Losing
	Text     Text   `json:"text"`                   // promised, then happened or "not tried"
	Length   *Text  `json:"context_cost,omitempty"` // what it does to the length of what the model reads
}

// recommendations are the changes to make, the most promising first; those that were tried and did more harm than good are left out.
func (b *builder) recommendations() []Recommendation {
	out := []Recommendation{}
	if b.in.Causes == nil {
		return out
	}
	for _, r := range b.in.Causes.Recommendations {
		one := Recommendation{Change: ChangesText(r), Promised: len(r.Heals), Low: r.LowScores, Losing: len(r.AtRisk), Good: r.Good}
		if longer := r.Longer(); longer.EN != "" {
			one.Length = &Text{Code: "recommend.length", EN: longer.EN, JA: longer.JA}
		}
		switch o := r.Outcome; {
		case o != nil && o.Harms():
			continue // net harm is never recommended
		case o != nil:
			one.Tried, one.Promised, one.Repaired, one.Broken, one.RunID = true, o.Promised, len(o.Repaired), len(o.Broken), o.RunID
			told := r.ToldPlainly()
			one.Text = say("recommend.tried", "change", one.Change, "told", Text{EN: told.EN, JA: told.JA})
		case one.Losing > 0:
			one.Text = say("recommend.untried_losing", "change", one.Change, "promised", one.Promised, "low", one.Low, "losing", one.Losing)
		default:
			one.Text = say("recommend.untried", "change", one.Change, "promised", one.Promised, "low", one.Low)
		}
		out = append(out, one)
	}
	return out
}

// NoChange says why there is no change to consider where there is none: changes were looked for in vain, or nobody looked for any.
func (f Findings) NoChange() Text {
	switch {
	case f.Low.Untold.EN != "" && f.Imported:
		return say("recommend.untold_import")
	case f.Low.Untold.EN != "":
		return say("recommend.untold")
	case len(f.Low.Own) > 0 && f.Causes.Low > 0:
		return say("recommend.own")
	case f.Causes.Known && f.Causes.Low == 0:
		return say("recommend.good")
	case !f.Causes.Known:
		return say("recommend.unknown")
	case f.Causes.Method != causes.Tested:
		return say("recommend.read")
	}
	return say("recommend.none")
}

// alternatives say what several recommendations are to each other, and once of all which of them may gain nothing.
func (b *builder) alternatives() Text {
	if b.in.Causes == nil {
		return Text{}
	}
	choice := causes.Choice(b.in.Causes.Recommendations, func(r causes.Recommendation) experiments.Rationale {
		t := ChangesText(r)
		return experiments.Rationale{EN: t.EN, JA: t.JA}
	})
	return Text{Code: "recommend.alternatives", EN: choice.EN, JA: choice.JA}
}

// ChangesText is all changes of a recommended configuration, as the beginning of a sentence or of a cell.
func ChangesText(r causes.Recommendation) Text {
	return Text{Code: "changes", EN: opened(r.Words("en")), JA: r.Words("ja")}
}

// ChangeText is a repair, as the beginning of a sentence or of a cell.
func ChangeText(r causes.Repair) Text {
	return Text{Code: "change", EN: opened(r.Words("en")), JA: r.Words("ja")}
}

// ParamText is a parameter of the system in words, as a heading; its own name where it has none.
func ParamText(param string) Text {
	name := experiments.ParamName(param)
	if !experiments.NamesParam(param) {
		return plain(param)
	}
	return Text{Code: "param." + param, EN: opened(name.EN), JA: name.JA}
}

// SetText is a parameter with the value that a sweep gave it, as the beginning of a cell; unit is what it counts, or "".
func SetText(p experiments.Param, unit string) Text {
	said := experiments.SetText(p.Name, p.Value, unit)
	return Text{Code: "set", EN: opened(said.EN), JA: said.JA}
}

// opened is an English text as a sentence begins.
func opened(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
