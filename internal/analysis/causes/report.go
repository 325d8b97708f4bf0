package causes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// CauseReportInput is what a report of causes needs besides the run and its diagnoses.
type CauseReportInput struct {
	DiagnoseID string
	Method     CauseMethod
	Reference  *rag.Model               // the model that the diagnosis was told to compare with; nil where it was told none
	Failed     int                      // questions whose diagnosis failed
	Patterns   map[string]Pattern       // by question id, see [PatternsOf]; those of the diagnoses where there is none
	Risks      map[string]RepairRisk    // by [Recommendation.Key], see [RiskOf]; nil leaves the good answers out
	Outcomes   map[string]RepairOutcome // by [Recommendation.Key], see [TryRepairs] and [MadeIn]; nil where nothing was tried
	Measured   []Recommendation         // configurations of the same sweep that were run whole, see [Measured]
}

// ToTry are the recommendations with every configuration that is worth a trial: what a report of causes asks for, before its outcomes
// are known.
func ToTry(e experiments.Evaluation, diagnoses map[string]Diagnosis, in CauseReportInput) []Recommendation {
	if !in.recommends() {
		return nil
	}
	out, _, _ := recommend(e.Run.Setup.Config, listed(e, diagnoses), in, true)
	return out
}

// recommends reports whether the method tells what to change: only what was tested does.
func (in CauseReportInput) recommends() bool { return in.Method == Tested || in.Method == "" }

// ReportCauses sums up what a diagnosis found about a run: causes and patterns counted, and the changes to make, each with the
// answers that it heals. It buys nothing.
func ReportCauses(e experiments.Evaluation, diagnoses map[string]Diagnosis, in CauseReportInput) CauseReport {
	r := CauseReport{
		RunID: e.Run.ID, Threshold: e.Run.Setup.LowScore,
		DiagnoseID: in.DiagnoseID, Method: in.Method, Offline: e.Run.Setup.ByOffline(), Failed: in.Failed,
		Diagnoses: listed(e, diagnoses), Counts: []CauseCount{}, Patterns: []PatternCount{},
	}
	patterns := maps.Clone(in.Patterns)
	if patterns == nil {
		patterns = map[string]Pattern{}
	}
	standing, _ := experiments.Standing(e.Results)
	low, rule := make(map[string]bool, len(standing)), e.Run.Setup.LowRule()
	for _, result := range standing {
		low[result.QuestionID] = result.Low(rule)
	}
	for _, q := range e.Questions {
		if low[q.ID] {
			r.LowScores++
		}
	}
	for i := range r.Diagnoses {
		d := &r.Diagnoses[i]
		*d = d.renewed()
		if now := patterns[d.QuestionID]; now != "" { // an earlier version may have stored another word for the same answer
			d.Pattern = now
		} else if slices.Contains(Patterns(), d.Pattern) {
			patterns[d.QuestionID] = d.Pattern
		} else {
			d.Pattern = ""
		}
		d.Stands = d.Standing()
		r.Calls += d.Calls
	}
	r.Diagnosed = len(r.Diagnoses)
	r.Patterns = patternTable(e, patterns)
	r.PatternsBy = patternsBy(e.Run.Setup.Suite, r.Patterns)
	var assigned map[string]Repair
	if in.recommends() {
		r.Recommendations, r.Curve, assigned = recommend(e.Run.Setup.Config, r.Diagnoses, in, false)
	}
	r.Counts = countCauses(r.Diagnoses, assigned)
	r.Facts, r.Choice, r.NeedsReference = factsOf(r), r.choice(), needsReference(e, in.Reference, r.Diagnoses)
	if left := untried(e.Run.Setup.Config, in.Method); r.LowScores > 0 && left.EN != "" {
		r.Facts = append(r.Facts, left)
	}
	r.Unlisted, r.Doubt = r.unlisted(), r.doubtBelow()
	r.Summary = told(r.Facts...)
	return r
}

// listed are diagnoses in the order of the questions.
func listed(e experiments.Evaluation, diagnoses map[string]Diagnosis) []Diagnosis {
	out := make([]Diagnosis, 0, len(diagnoses))
	for _, q := range e.Questions {
		if d, found := diagnoses[q.ID]; found {
			out = append(out, d)
		}
	}
	return out
}

// Unknown is how many diagnosed answers have no known cause: no replacement healed them, or nothing could be replaced.
func (r CauseReport) Unknown() int {
	n := 0
	for _, c := range r.Counts {
		if !c.Known() {
			n += c.Count
		}
	}
	return n
}

// likely says of answers without a known cause what the bars say of them, and nothing else: that it is not proven, and which part is left
// when no other is shown to be the cause.
func (r CauseReport) likely(unknown int) experiments.Rationale {
	i := slices.IndexFunc(r.Counts, func(c CauseCount) bool { return c.Component == GenerationUnsure && !c.Known() })
	switch {
	case i < 0:
		return experiments.Rationale{EN: " is not proven", JA: "は未確定です"}
	case r.Counts[i].Count == unknown:
		return experiments.Rationale{
			EN: " is not proven: it is " + GenerationUnsure.Word("en"),
			JA: "は未確定で、「" + GenerationUnsure.Word("ja") + "」としています",
		}
	}
	n := r.Counts[i].Count
	return experiments.Rationale{
		EN: fmt.Sprintf(" is not proven: for %d of these it is %s", n, GenerationUnsure.Word("en")),
		JA: fmt.Sprintf("は未確定で、うち%d件は「%s」としています", n, GenerationUnsure.Word("ja")),
	}
}

// needsReference counts the answers that stay open only because no other model was named to compare with, or the run's own. The model of an
// endpoint cannot be replaced, whatever is named: nothing waits for one there, nor where another one was named.
func needsReference(e experiments.Evaluation, named *rag.Model, diagnoses []Diagnosis) *ReferenceNeed {
	n := 0
	for _, d := range diagnoses {
		n += counted(d.Detail == "partly_untested")
	}
	own := e.Run.Setup.Config.Generate.Model
	if n == 0 || e.Run.Setup.Config.Endpoint != nil || named != nil && *named != own {
		return nil
	}
	why := experiments.Rationale{EN: "no other model was named to compare with", JA: "比較用のモデルの指定がないため"}
	if named != nil {
		why = experiments.Rationale{EN: "the model to compare with, " + named.String() + ", is that of the run",
			JA: "比較に使うモデル " + named.String() + " が実行のモデルと同じため"}
	}
	answers := "The causes of %d low-score answers are"
	if n == 1 {
		answers = "The cause of %d low-score answer is"
	}
	return &ReferenceNeed{Answers: n, Text: experiments.Rationale{
		EN: fmt.Sprintf(answers+" not proven because %s. A diagnosis with another model to compare with decides: where that model "+
			"answers well, the model is the cause; where it does not, something else is.", n, why.EN),
		JA: fmt.Sprintf("%s、低スコア回答%d件の原因は未確定です。別のモデルを比較に使って原因をもう一度分析すると、"+
			"そのモデルで良い回答になればモデルが原因、ならなければ原因は別にあると分かります。", why.JA, n),
	}, Command: "workbench diagnose " + e.Run.ID + " --reference PROVIDER/MODEL"}
}

// countCauses makes the bars, most first; causes that are not known come last.
func countCauses(diagnoses []Diagnosis, assigned map[string]Repair) []CauseCount {
	at := map[Component]int{}
	out := []CauseCount{}
	params := map[Component]map[string]bool{}
	for _, d := range diagnoses {
		i, ok := at[d.Component]
		if !ok {
			i = len(out)
			at[d.Component] = i
			out = append(out, CauseCount{Data: d.Data, Component: d.Component, Stands: map[Standing]int{}})
			params[d.Component] = map[string]bool{}
		}
		out[i].Count++
		out[i].Stands[d.Standing()]++
		out[i].Questions = append(out[i].Questions, d.QuestionID)
		param := d.Parameter()
		if repair, ok := assigned[d.QuestionID]; ok && repair.Component == d.Component {
			param = repair.Param
		}
		params[d.Component][param] = true
	}
	for i := range out {
		if p := params[out[i].Component]; len(p) == 1 {
			for name := range p {
				out[i].Param = name
			}
		}
	}
	order := Components()
	slices.SortStableFunc(out, func(a, b CauseCount) int {
		return cmp.Or(cmp.Compare(rankOf(!a.Known()), rankOf(!b.Known())), cmp.Compare(b.Count, a.Count),
			cmp.Compare(slices.Index(order, a.Component), slices.Index(order, b.Component)))
	})
	return out
}

// mostOften names, behind the sentence that counts low-score answers, the known cause of most of them: the only one, the first, or all that
// are equal.
func (r CauseReport) mostOften() experiments.Rationale {
	known, most := 0, 0
	for _, c := range r.Counts {
		if n := c.shown(); c.Known() && n > 0 {
			known, most = known+1, max(most, n)
		}
	}
	if known == 0 {
		return experiments.Rationale{}
	}
	var en, ja []string
	for _, c := range r.Counts {
		if c.Known() && c.shown() == most {
			en, ja = append(en, c.Component.Word("en")), append(ja, c.Component.Word("ja"))
		}
	}
	label, lead, each, per := "Most frequent known cause", "判明した原因で最も多いのは", "", ""
	switch {
	case known == 1:
		label, lead = "Known cause", "判明した原因は"
	case len(en) > 1:
		label, each, per = "Most frequent known causes", " each", "それぞれ"
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("%s: %s (%d of %d analysed%s).", label, strings.Join(en, " and "), most, r.Diagnosed, each),
		JA: fmt.Sprintf("%s%sです（分析した%d件中%s%d件）。", lead, strings.Join(ja, "と"), r.Diagnosed, per, most),
	}
}

// shown is how many answers of a bar have a cause that is more than probable.
func (c CauseCount) shown() int { return c.Count - c.Stands[StandsProbable] }

// probable is how many diagnosed answers have a cause that is probable only.
func (r CauseReport) probable() int {
	n := 0
	for _, c := range r.Counts {
		n += c.Stands[StandsProbable]
	}
	return n
}

// inTheWay says of the answers for which a change of the contexts was tested how many had contexts that held what was needed, and what
// else in them stood in the way: only what a trial shows.
func (r CauseReport) inTheWay() (out []experiments.Rationale) {
	ways, there, of := map[string]int{}, 0, 0
	for _, d := range r.Diagnoses {
		if d.Component == Retriever && d.Standing() == StandsTested {
			way := d.Way()
			ways[way]++
			of, there = of+1, there+counted(held(way))
		}
	}
	if there == 0 {
		return out
	}
	out = append(out, experiments.Rationale{
		EN: fmt.Sprintf("Of the %s tested as the retriever's, the contexts of %d held what was needed.", answers(of, "low-score"), there),
		JA: fmt.Sprintf("文書検索が原因と検証された%d件のうち%d件では、必要な箇所は参照箇所に含まれていました。", of, there),
	})
	for _, way := range []string{noiseThere, noiseChunk, noiseRest} {
		if n := ways[way]; n > 0 {
			en, ja := causeWord("en", "way."+way), causeWord("ja", "way."+way)
			out = append(out, experiments.Rationale{EN: fmt.Sprintf(en, n), JA: fmt.Sprintf(ja, n)})
		}
	}
	return out
}

// factsOf says what is low, why, and what would help most, one fact at a time: they are read as lines of a list, or behind each other.
func factsOf(r CauseReport) []experiments.Rationale {
	if r.LowScores == 0 {
		return []experiments.Rationale{{EN: "No answer is low.", JA: "低スコア回答はありません。"}}
	}
	have := "answers have"
	if r.LowScores == 1 {
		have = "answer has"
	}
	facts := []experiments.Rationale{{
		EN: fmt.Sprintf("%d %s a low score (correctness or trust of %g or less).", r.LowScores, have, r.Threshold),
		JA: fmt.Sprintf("低スコア回答（正確性または信頼性が%g以下）は%d件です。", r.Threshold, r.LowScores),
	}, r.mostOften()}
	facts = append(facts, r.inTheWay()...)
	if n := r.probable(); n > 0 {
		facts = append(facts, experiments.Rationale{
			EN: fmt.Sprintf("For %d of the %s the cause is probable only: what a search took for the evidence lacks a figure of the reference.", n,
				answers(r.Diagnosed, "analysed")),
			JA: fmt.Sprintf("分析した%d件中%d件の原因は推定です（検索で根拠とみなした箇所に、正解の数値がありません）。",
				r.Diagnosed, n),
		})
	}
	if unknown := r.Unknown(); unknown > 0 {
		likely := r.likely(unknown)
		facts = append(facts, experiments.Rationale{
			EN: fmt.Sprintf("For %d of the %s the cause%s.", unknown, answers(r.Diagnosed, "analysed"), likely.EN),
			JA: fmt.Sprintf("分析した%d件中%d件の原因%s。", r.Diagnosed, unknown, likely.JA),
		})
	}
	facts = append(facts, r.helps()...)
	return slices.DeleteFunc(facts, func(f experiments.Rationale) bool { return f.EN == "" })
}

// helps says what would help most, and what came of it where it was tried.
func (r CauseReport) helps() []experiments.Rationale {
	switch {
	case r.Method == Observed || r.Method == PaperWay:
		return []experiments.Rationale{{EN: "Causes were read from the log and not tested.",
			JA: "原因はログから読み取ったもので、検証されていません。"}}
	case len(r.Recommendations) == 0:
		return []experiments.Rationale{{EN: "No change was found that repairs any of them.",
			JA: "改善が見込まれる変更は見つかりませんでした。"}, r.testedAlone()}
	}
	return append(r.Recommendations[0].inFacts(), r.doubt())
}

// testedAlone says of tested causes that no change of a setting repairs why they are called tested all the same.
func (r CauseReport) testedAlone() experiments.Rationale {
	n := 0
	for _, d := range r.Diagnoses {
		replaced := slices.ContainsFunc(d.Steps, func(s CauseStep) bool { return s.Step == "oracle" && s.healed() })
		n += counted(replaced && d.Component == Retriever && d.Standing() == StandsTested)
	}
	if n == 0 {
		return experiments.Rationale{}
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("The retriever counts as tested for %d of them, because the evidence alone in place of what it found made the answer good; "+
			"no setting that was tried did.", n),
		JA: fmt.Sprintf("このうち%d件で文書検索を検証済みとしているのは、検索結果の代わりに根拠だけを与えると良い回答になったためです。"+
			"同じ効果のある設定は、試した中にはありませんでした。", n),
	}
}

// inFacts says what a recommendation changes and what came of it, as its own text does too.
func (r Recommendation) inFacts() []experiments.Rationale {
	label, o := experiments.Rationale{EN: "Recommended", JA: "推奨する変更"}, r.Outcome
	if o != nil && o.doubted() {
		label = experiments.Rationale{EN: "Next to try on every answer", JA: "次にすべての回答で試す変更"}
	} else if o != nil && o.byChance() {
		label = experiments.Rationale{EN: "Not certain to help", JA: "効果が確実とは言えない変更"}
	}
	change := experiments.Rationale{EN: fmt.Sprintf("%s: %s.", label.EN, r.Words("en")),
		JA: fmt.Sprintf("%sは「%s」です。", label.JA, r.Words("ja"))}
	if o == nil {
		return []experiments.Rationale{change, r.Came()}
	}
	return []experiments.Rationale{change, o.happened(), o.chance()}
}

// unlisted are the facts without what the recommendations, shown below them, tell.
func (r CauseReport) unlisted() []experiments.Rationale {
	if len(r.Recommendations) == 0 {
		return r.Facts
	}
	told := r.helps()
	return slices.DeleteFunc(slices.Clone(r.Facts), func(f experiments.Rationale) bool { return slices.Contains(told, f) })
}

// doubtBelow is the doubt of the first recommendation where it stands below several, and so names which one it is of.
func (r CauseReport) doubtBelow() experiments.Rationale {
	if len(r.Recommendations) == 0 {
		return experiments.Rationale{}
	}
	said := r.doubt()
	if said.EN == "" || len(r.Recommendations) == 1 || allDoubted(r.Recommendations) {
		return said
	}
	return doubtsOf([]experiments.Rationale{asWritten(r.Recommendations[0])})
}

// doubt says after the first recommendation that its gain may be chance, and of all of them where it may be for all.
func (r CauseReport) doubt() experiments.Rationale {
	if allDoubted(r.Recommendations) {
		return Doubts(r.Recommendations, asWritten)
	}
	return Doubts(r.Recommendations[:1], asWritten)
}

// choice is what stands below the recommendations where the summary stands above them: what that has said is not said again.
func (r CauseReport) choice() experiments.Rationale {
	if len(r.Recommendations) < 2 {
		return experiments.Rationale{}
	}
	var others []experiments.Rationale
	for _, x := range r.Recommendations[1:] {
		if x.Outcome != nil && x.Outcome.doubted() && !allDoubted(r.Recommendations) {
			others = append(others, asWritten(x))
		}
	}
	return told(alternatives(), chosenBy(r.Recommendations), doubtsOf(others))
}

// CauseChanges counts low-score answers by cause and question category in two runs: the founding paper's table 5. labels may be nil;
// then there is one row for each cause. Rows stand in the order of the pipeline, then of the categories.
func CauseChanges(before, after CauseReport, labels map[string]experiments.QuestionLabels) []CauseChange {
	type cell struct {
		component Component
		category  string
	}
	count := map[cell][2]int{}
	for arm, r := range []CauseReport{before, after} {
		for _, d := range r.Diagnoses {
			c := cell{d.Component, string(labels[d.QuestionID].Category)}
			n := count[c]
			n[arm]++
			count[c] = n
		}
	}
	categories := []string{""}
	for _, c := range experiments.KnownCategories() {
		categories = append(categories, string(c))
	}
	out := []CauseChange{}
	for _, component := range Components() {
		for _, category := range categories {
			if n, ok := count[cell{component, category}]; ok {
				out = append(out, CauseChange{Data: component.Data(), Component: component, Category: category, Before: n[0], After: n[1]})
			}
		}
	}
	return out
}

// GoodAnswer stands in a [CauseMove] for an answer that is not low, and UnknownCause for a low one without a diagnosis.
const (
	GoodAnswer   = "good"
	UnknownCause = "unknown"
)

// CauseMoves counts how questions went from one cause to another between two runs, most first. Questions that one run lacks, or that
// were good in both, are left out.
func CauseMoves(before, after experiments.Evaluation, causesBefore, causesAfter CauseReport) []CauseMove {
	was, is := causeStates(before, causesBefore), causeStates(after, causesAfter)
	out := []CauseMove{}
	for _, q := range before.Questions {
		from, to := was[q.ID], is[q.ID]
		if from == "" || to == "" || from == GoodAnswer && to == GoodAnswer {
			continue
		}
		i := slices.IndexFunc(out, func(m CauseMove) bool { return m.From == from && m.To == to })
		if i < 0 {
			i = len(out)
			out = append(out, CauseMove{From: from, To: to})
		}
		out[i].Count++
		out[i].Questions = append(out[i].Questions, q.ID)
	}
	slices.SortStableFunc(out, func(a, b CauseMove) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return out
}

// causeStates says of every answered question of a run that its answer is good, or why it is low.
func causeStates(e experiments.Evaluation, r CauseReport) map[string]string {
	causes := make(map[string]string, len(r.Diagnoses))
	for _, d := range r.Diagnoses {
		causes[d.QuestionID] = string(d.Component)
	}
	standing, _ := experiments.Standing(e.Results)
	out, rule := make(map[string]string, len(standing)), e.Run.Setup.LowRule()
	for _, result := range standing {
		if result.Answer == nil {
			continue
		}
		state := GoodAnswer
		if result.Low(rule) {
			state = cmp.Or(causes[result.QuestionID], UnknownCause)
		}
		out[result.QuestionID] = state
	}
	return out
}
