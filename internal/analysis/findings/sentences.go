package findings

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// mostLevel is of how many metrics, in the order in which they decide, it is said that they did not move: another tool may have many.
const mostLevel = 2

// sentences say the result, at most three numbers in each: a significant fall first, always; then the questions, what rose, the
// low-score answers, and how far to believe it.
func (b *builder) sentences() {
	f := &b.Findings
	if b.in.Comparison == nil {
		b.sentencesAlone()
		return
	}
	if f.Matched == 0 {
		f.Headline = say("head.unmatched")
		f.Sentences = []Text{say("say.unmatched")}
		return
	}
	f.Headline = b.headline()
	if c := b.in.Comparison; c.Candidate.ID != "" && c.Baseline.ID == c.Candidate.ID {
		f.Sentences = append(f.Sentences, say("say.itself", "run", c.Candidate.ID))
	}
	for _, m := range b.moved(Fell) {
		f.Sentences = append(f.Sentences, m.sentence())
	}
	if b.Retrieval {
		f.Sentences = append(f.Sentences, say("say.retrieval"))
	}
	f.Sentences = append(f.Sentences, b.counted()...)
	for _, m := range b.moved(Rose) {
		f.Sentences = append(f.Sentences, m.sentence())
	}
	for _, m := range b.Figures[:min(mostLevel, len(b.Figures))] {
		if m.Direction == Level || m.Direction == Few {
			f.Sentences = append(f.Sentences, m.sentence())
		}
	}
	if f.Low.Of > 0 && b.lowTold() {
		code := "say.low"
		switch {
		case f.Low.Apart:
			code = "say.low_apart"
		case f.Low.Before == f.Low.After:
			code = "say.low_same"
		}
		f.Sentences = append(f.Sentences, say(code, "before", f.Low.Before, "after", f.Low.After, "of", f.Low.Of))
	}
	for _, tell := range []func() (Text, bool){b.belief, b.doubt} {
		if t, ok := tell(); ok {
			f.Sentences = append(f.Sentences, t)
		}
	}
}

func (b *builder) moved(d Direction) []Figure {
	return slices.DeleteFunc(slices.Clone(b.Figures), func(f Figure) bool { return f.Direction != d })
}

// headline is what changed in one sentence, a fall before anything else, and then how good the answers are now.
func (b *builder) headline() Text {
	return spaced(b.changeInOne(), b.level())
}

// changeInOne says what changed in one sentence.
func (b *builder) changeInOne() Text {
	v, fell, rose := b.Verdicts, b.moved(Fell), b.moved(Rose)
	if len(fell) > 0 && b.same() { // then the scores moved, and no answer did
		return say("head.same_fell", "metric", fell[0].Title)
	}
	if len(fell) > 0 {
		code, args := "head.fell", []any{"metric", fell[0].Title}
		if len(rose) > 0 {
			code, args = "head.fell_rose", append(args, "other", rose[0].Title)
		}
		if fell[0].Small {
			code += "_small"
		}
		return say(code, args...)
	}
	if len(rose) > 0 {
		code := "head.rose"
		if v.Worse > 0 {
			code = "head.rose_but"
		}
		if !slices.ContainsFunc(rose, func(f Figure) bool { return !f.Small }) {
			code += "_small"
		}
		return say(code, "metric", rose[0].Title, "worse", v.Worse)
	}
	if v.Worse+v.Better > 0 {
		return say("head.level_moved", "worse", v.Worse, "better", v.Better)
	}
	if v.NeedsCheck > 0 {
		return say("head.level_check")
	}
	return say("head.level")
}

// The shares of low-score answers up to which the answers as a whole are good, fair and weak; beyond, they are poor.
const (
	goodUpTo = .05
	fairUpTo = .20
	weakUpTo = .50
)

// lowTold reports whether low scores say how good the answers are: not where another tool's scores decide and the run says nothing of what
// is low by them.
func (b *builder) lowTold() bool { return !b.Imported || b.rule.Own }

// level says how good the answers are now, whatever they were before; empty where no answer can be a low score.
func (b *builder) level() Text {
	low := b.Low
	if low.Of == 0 || !b.lowTold() {
		return Text{}
	}
	code, share := "level.poor", float64(low.After)/float64(low.Of)
	switch {
	case low.After == 0:
		return say("level.none", "of", low.Of, "line", low.Line)
	case share <= goodUpTo:
		code = "level.good"
	case share <= fairUpTo:
		code = "level.fair"
	case share <= weakUpTo:
		code = "level.weak"
	}
	return say(code, "low", low.After, "of", low.Of, "line", low.Line)
}

// spaced puts a sentence behind another, as each language does.
func spaced(first, second Text) Text {
	if second.EN == "" {
		return first
	}
	return Text{Code: first.Code, EN: first.EN + " " + second.EN, JA: first.JA + second.JA}
}

// sentence says what became of a mean, and where only the groups of questions tell it from chance or leave it to chance, that they do:
// who marks evidence in between would find another word for the same scores.
func (f Figure) sentence() Text {
	if f.Groups == "" {
		return f.became()
	}
	code := "say.groups_level"
	if f.moved() {
		code = "say.groups_moved"
	}
	return spaced(f.became(), say(code, "by", say("groups."+string(f.Groups)), "other", say("groups_else."+string(f.Otherwise))))
}

// became says what became of a mean.
func (f Figure) became() Text {
	before, after := stats.Pair(*f.Before, f.After, 2)
	args := []any{"metric", f.Title, "before", before, "after", after}
	turned := ""
	if f.LowerIsBetter {
		turned = "_lower"
	}
	switch {
	case f.Direction == Fell, f.Direction == Rose:
		if f.Small {
			turned += "_small"
		}
		return say("say."+string(f.Direction)+turned, args...)
	case decimal(*f.Before, 2) == decimal(f.After, 2):
		return say("say.same", args...)
	case f.Direction == Few:
		return say("say.few", args...)
	}
	return say("say.level", args...)
}

// counted say how many questions have which verdict.
func (b *builder) counted() []Text {
	v := b.Verdicts
	out := []Text{say("say.counts", "matched", b.Matched, "worse", v.Worse, "better", v.Better)}
	switch {
	case b.same():
		code := "say.identical"
		if !b.passages() {
			code = "say.identical_answers"
		}
		out[0] = say(code, "matched", b.Matched)
	case v.Worse+v.Better == 0 && v.NeedsCheck > 0:
		out[0] = say("say.calm_check", "matched", b.Matched)
	case v.Worse+v.Better == 0:
		out[0] = say("say.calm", "matched", b.Matched)
	case v.Worse == 0: // nobody says that 0 questions got worse
		out[0] = say("say.counts_better", "matched", b.Matched, "better", v.Better)
	case v.Better == 0:
		out[0] = say("say.counts_worse", "matched", b.Matched, "worse", v.Worse)
	}
	switch {
	case v.Mixed > 0 && v.NeedsCheck > 0:
		out = append(out, say("say.mixed_check", "mixed", v.Mixed, "check", v.NeedsCheck))
	case v.Mixed > 0:
		out = append(out, say("say.mixed", "mixed", v.Mixed))
	case v.NeedsCheck > 0:
		out = append(out, say("say.check", "check", v.NeedsCheck))
	}
	switch better, worse, metric := b.lean(); {
	case better > 0 && worse > 0:
		out = append(out, say("say.check_lean", "metric", metric, "better", better, "worse", worse))
	case worse > 0:
		out = append(out, say("say.check_worse", "metric", metric, "n", worse))
	case better > 0:
		out = append(out, say("say.check_better", "metric", metric, "n", better))
	}
	if r := b.in.Comparison.Replaced; r != nil {
		suite := b.in.Candidate.Run.Setup.Suite
		code, args := "say.replaced_some", []any{"metric", titleOf(suite, r.Metric), "by", titleOf(suite, r.By), "n", r.Questions}
		if r.Why != nil {
			code, args = "say.replaced", append(args, "why", Text{EN: r.Why.Text("en"), JA: r.Why.Text("ja")})
		}
		out = append(out, say(code, args...))
	}
	if v.Undecided > 0 {
		out = append(out, say("say.undecided", "n", v.Undecided))
	}
	if v.Critical > 0 {
		out = append(out, say("say.critical", "n", v.Critical, "worse", v.Worse, "which", some(b.critical(compare.Worse))))
	}
	if mixed := b.critical(compare.Mixed); len(mixed) > 0 {
		out = append(out, say("say.critical_mixed", "n", len(mixed), "mixed", v.Mixed, "which", some(mixed)))
	}
	if said, ok := b.in.Comparison.CountedByGrade(); ok { // runs that were scored by more have another number
		out = append(out, Text{Code: "say.by_grade", EN: said.Text("en"), JA: said.Text("ja")})
	}
	return out
}

// same reports whether every question asked in both runs has the same answer from the same contexts in both.
func (b *builder) same() bool {
	c := b.in.Comparison
	return c != nil && b.Matched > 0 && c.Method.Identical == b.Matched
}

// passages reports whether it is known of every answer which passages it rests on.
func (b *builder) passages() bool {
	return !slices.ContainsFunc(b.in.Candidate.Results, func(r experiments.Result) bool {
		return r.Answer == nil || len(r.Answer.Hits) == 0
	})
}

// critical are the critical questions with a verdict, severest first.
func (b *builder) critical(verdict compare.Label) (ids []string) {
	for _, q := range b.in.Comparison.With(verdict) {
		if q.Critical {
			ids = append(ids, q.QuestionID)
		}
	}
	return ids
}

// mostNamed is how many questions a sentence names.
const mostNamed = 5

// some names questions, and says how many more there are.
func some(ids []string) Text {
	names := make([]Text, len(ids))
	for i, id := range ids {
		names[i] = plain(text.Cut(id, 60))
	}
	return someTexts(names)
}

// someTexts are the first of some names, and how many more there are.
func someTexts(names []Text) Text {
	if more := len(names) - mostNamed; more > 0 {
		return say("say.some", "which", named(names[:mostNamed]), "n", more)
	}
	return named(names)
}

// named puts names one after another.
func named(names []Text) Text {
	return Text{EN: strings.Join(Texts(names, "en"), ", "), JA: strings.Join(Texts(names, "ja"), "、")}
}

// lean counts the questions that need a check and whose score by the metric that decides first is better than before, and worse: much of
// a change of the mean can lie in them.
func (b *builder) lean() (better, worse int, metric Text) {
	for _, v := range b.in.Comparison.With(compare.NeedsCheck) {
		if i := slices.IndexFunc(b.Figures, func(f Figure) bool { return f.Metric == v.First.Metric }); i >= 0 {
			better, worse = compare.Leaning(b.in.Comparison.Verdicts)
			return better, worse, b.Figures[i].Title
		}
	}
	return 0, 0, metric
}

// FallsText says of answers none of which is worse for its correctness whether any scored lower by it all the same, and as what these
// count: it takes the scores themselves, so that nobody reads "none fell" over one that did.
func FallsText(c compare.Comparison, both [2]experiments.Evaluation) Text {
	before, _ := experiments.Standing(both[0].Results)
	was := map[string]float64{}
	for i := range before {
		if v, ok := before[i].Value("correctness"); ok {
			was[before[i].QuestionID] = v
		}
	}
	renamed := map[string]string{}
	for _, r := range c.Renamed {
		renamed[r.After] = r.Before
	}
	verdicts := map[string]compare.Label{} // those without change are not all among them
	for i := range c.Verdicts {
		verdicts[c.Verdicts[i].QuestionID] = c.Verdicts[i].Verdict
	}
	fell := map[compare.Label]int{}
	var which []string
	after, _ := experiments.Standing(both[1].Results)
	for i := range after {
		id := after[i].QuestionID
		if slices.Contains(c.Added, id) || slices.Contains(c.Reworded, id) || slices.Contains(c.ReferenceChanged, id) {
			continue
		}
		is, scored := after[i].Value("correctness")
		if then, had := was[cmp.Or(renamed[id], id)]; scored && had && is < then {
			fell[cmp.Or(verdicts[id], compare.NoChange)]++
			which = append(which, id)
		}
	}
	if len(which) == 0 {
		return say("falls.none")
	}
	var as []Text
	for _, v := range []compare.Label{compare.NeedsCheck, compare.NoChange, compare.Mixed, compare.Worse, compare.Better} {
		if n := fell[v]; n > 0 {
			as = append(as, say("falls.as."+string(v), "n", n))
		}
	}
	said := say("falls.unsettled", "n", len(which), "which", someOf(which), "as", as)
	if fell[compare.NeedsCheck] > 0 && !c.Method.Settled {
		votes := say("falls.votes", "n", fell[compare.NeedsCheck])
		said.EN, said.JA = said.EN+" "+votes.EN, said.JA+votes.JA
	}
	return said
}

// mostFallsNamed is how many questions a sentence names.
const mostFallsNamed = 5

// someOf names questions by their ids, up to a small number, and says how many more there are.
func someOf(ids []string) Text {
	named := ids[:min(mostFallsNamed, len(ids))]
	which := Text{EN: strings.Join(named, ", "), JA: strings.Join(named, "、")}
	if more := len(ids) - len(named); more > 0 {
		return say("say.some", "which", which, "n", more)
	}
	return which
}

// expected says how many questions are expected, as exactly as is worth believing.
func expected(code string, n float64) Text {
	if n < 1 {
		return say(code + "_few")
	}
	return say(code, "n", int(math.Round(n)))
}

// belief says what settles the verdicts, and what is left open.
func (b *builder) belief() (Text, bool) {
	c := b.in.Comparison
	wrong, missed, guarded := 0.0, 0.0, false
	for _, id := range c.Method.Gates {
		if g := c.Metrics[id].Guard; g != nil && g.Decided {
			wrong, missed, guarded = wrong+g.ExpectedFalse, missed+g.ExpectedMiss, true
		}
	}
	switch {
	case c.Method.Settled && !b.Imported && (c.Baseline.Setup.Config.Log != nil || c.Candidate.Setup.Config.Log != nil):
		return say("belief.settled_log"), true
	case c.Method.Settled && !b.Imported:
		return say("belief.settled"), true
	case guarded && b.Verdicts.Worse == 0: // nothing that could be a false alarm
		return say("belief.guarded_calm", "missed", expected("belief.missed", missed)), true
	case guarded:
		return say("belief.guarded", "wrong", expected("belief.alarms", wrong), "missed", expected("belief.missed", missed)), true
	case b.Imported:
		return say("belief.imported"), true
	case b.Verdicts.NeedsCheck > 0:
		return say("belief.check", "check", b.Verdicts.NeedsCheck), true
	}
	return say("belief.once"), true
}

// sentencesAlone tell of a run by itself.
func (b *builder) sentencesAlone() {
	f := &b.Findings
	f.Sentences = []Text{}
	switch {
	case f.Low.Of == 0 && len(f.Figures) == 0:
		f.Headline = say("head.unrated")
	case f.Low.Of == 0:
		f.Headline = say("head.mean", "metric", f.Figures[0].Title, "after", f.Figures[0].After, "n", f.Figures[0].N)
	default:
		f.Headline = b.level()
	}
	for _, m := range f.Figures {
		f.Sentences = append(f.Sentences, say("say.mean", "metric", m.Title, "after", m.After, "max", m.Max))
	}
}
