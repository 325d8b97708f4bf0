package causes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// mostConfigurations is how many configurations are proposed: each adds to the one before.
const mostConfigurations = 3

// kneeShare is the share of what the largest proposed configuration repairs that the recommended one must repair: what comes after the
// knee of the curve costs more than it brings.
const kneeShare = 0.8

// need is one way to repair an answer: changes that have to be made together.
type need []Repair

// needsOf are the ways in which a diagnosis says its answer can be repaired by a configuration.
func needsOf(d Diagnosis, expensive bool) []need {
	if d.Method != Tested || d.Component == NoFault || d.Component == Unstable || !d.repairsAll() || d.Detail == "reference_or_stale" {
		return nil
	}
	ways := []need{shared(d.Repairs)}
	for _, a := range d.Alternatives {
		way := need{a}
		for _, r := range d.Repairs {
			if r.Retrieves() != a.Retrieves() {
				way = append(way, r)
			}
		}
		ways = append(ways, way)
	}
	return slices.DeleteFunc(ways, func(w need) bool {
		return slices.ContainsFunc(w, func(r Repair) bool { return !r.Applies() || r.Expensive && !expensive })
	})
}

// shared takes what changes that were tried together cost apart, for each was given the length of the contexts that they brought together:
// a larger k what its number says, and the other what is left. So a change costs the same whatever it is put together with.
func shared(tried []Repair) need {
	out := slices.Clone(need(tried))
	var at []int
	for i, r := range out {
		if r.Retrieves() && (len(at) == 0 || r.ContextCost == out[at[0]].ContextCost) {
			at = append(at, i)
		}
	}
	if len(at) < 2 {
		return out
	}
	first := slices.IndexFunc(out, func(r Repair) bool { return r.Param == "retrieve.k" })
	if !slices.Contains(at, first) {
		first = at[0]
	}
	left := out[first].ContextCost
	if deep, ok := depthOf(out[first]); ok && presentDepth(out[first]) > 0 {
		out[first].ContextCost = min(left, deep/presentDepth(out[first]))
	}
	left /= max(out[first].ContextCost, 1e-9)
	for _, i := range at {
		if i == first {
			continue
		}
		out[i].ContextCost, left = left, 1
	}
	return out
}

// joint is a configuration in the making: changes of different parameters.
type joint []Repair

// has reports whether the configuration makes a change, or one that serves as well: a larger k holds what a smaller one holds.
func (j joint) has(r Repair) bool {
	return slices.ContainsFunc(j, func(own Repair) bool {
		deep, ok := depthOf(own)
		shallow, also := depthOf(r)
		return own.Key() == r.Key() || ok && also && deep >= shallow && deep > presentDepth(own)
	})
}

func (j joint) repairs(ways []need) bool {
	return slices.ContainsFunc(ways, func(w need) bool {
		return !slices.ContainsFunc(w, func(r Repair) bool { return !j.has(r) })
	})
}

// with adds changes. It reports false where a parameter would have two values, and where chunks would not be longer than their overlap;
// a larger k takes the place of a smaller one.
func (j joint) with(changes ...Repair) (joint, bool) {
	out := slices.Clone(j)
	for _, r := range changes {
		if out.has(r) {
			continue
		}
		at := slices.IndexFunc(out, func(own Repair) bool { return samePart(own, r) })
		_, deeper := depthOf(r)
		switch {
		case at < 0:
			out = append(out, r)
		case deeper:
			out[at] = r
		default:
			return j, false
		}
	}
	return out, out.chunks()
}

// chunks reports whether the chunks of the configuration stay longer than their overlap.
func (j joint) chunks() bool {
	size, overlap := -1.0, -1.0
	for _, r := range j {
		switch r.Param {
		case "chunk.size":
			size = numberOf(r.To)
		case "chunk.overlap":
			overlap = numberOf(r.To)
		}
	}
	return size < 0 || overlap < size
}

// samePart reports whether two changes set the same part of a configuration.
func samePart(a, b Repair) bool {
	part := func(r Repair) string {
		switch r.Param {
		case "embedding.model":
			return "embedding"
		case "generate.model":
			return "generate"
		case "chunk.parent", "chunk.by": // a larger piece, and a way of cutting, fit one size
			return "chunk.size"
		}
		return r.Param
	}
	return part(a) == part(b)
}

// cost is how much longer the contexts become by all changes together.
func (j joint) cost() float64 {
	cost := 1.0
	for _, r := range j {
		if r.ContextCost > 0 {
			cost *= r.ContextCost
		}
	}
	return cost
}

func (j joint) key() string {
	keys := make([]string, len(j))
	for i, r := range j {
		keys[i] = r.Key()
	}
	slices.Sort(keys)
	return strings.Join(keys, " + ")
}

// pooled are the changes that any diagnosis names, each once, at the mean of its context costs.
func pooled(all [][]need) []Repair {
	var out []Repair
	at, sum, n := map[string]int{}, map[string]float64{}, map[string]float64{}
	for _, ways := range all {
		for _, w := range ways {
			for _, r := range w {
				key := r.Key()
				if _, ok := at[key]; !ok {
					at[key] = len(out)
					out = append(out, r)
				}
				sum[key] += r.ContextCost
				n[key]++
			}
		}
	}
	for i := range out {
		key := out[i].Key()
		out[i].ContextCost, out[i].Passes, out[i].Trials = sum[key]/n[key], 0, 0
	}
	slices.SortFunc(out, func(a, b Repair) int { return cmp.Compare(a.Key(), b.Key()) })
	return out
}

// configurations builds up to three configurations, each the one before with the change that repairs most of what is left. A pair of
// changes is taken where each of the two brings more in it than any change alone: two faults of one answer need both.
func configurations(all [][]need) (out []joint, repaired [][]int) {
	pool := pooled(all)
	served := func(j joint) (n []int) {
		for i, ways := range all {
			if j.repairs(ways) {
				n = append(n, i)
			}
		}
		return n
	}
	var current joint
	best := []int{}
	for len(out) < mostConfigurations {
		var next joint
		found, rate := best, 0.0
		consider := func(changes ...Repair) {
			j, ok := current.with(changes...)
			if !ok {
				return
			}
			n := served(j)
			gain := float64(len(n)-len(best)) / float64(len(changes))
			if gain > rate || gain == rate && gain > 0 && better(j, next) {
				next, found, rate = j, n, gain
			}
		}
		for i, a := range pool {
			consider(a)
			for _, b := range pool[i+1:] {
				consider(a, b)
			}
		}
		if len(found) == len(best) {
			break
		}
		current, best = next, found
		out, repaired = append(out, next), append(repaired, found)
	}
	return out, repaired
}

// better reports whether one of two configurations that repair as much is to be preferred: fewer changes, then shorter contexts.
func better(a, b joint) bool {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a.cost(), b.cost())) < 0
}

func depthOf(r Repair) (float64, bool) {
	if r.Param != "retrieve.k" {
		return 0, false
	}
	return numberOf(r.To), true
}

func presentDepth(r Repair) float64 { return numberOf(r.From) }

// numberOf reads a number that may have been stored as JSON.
func numberOf(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// recommend proposes configurations, the knee of their curve first, and then what is for people to do: documents, questions and
// references. Expensive changes are looked at only where no other repairs anything. assigned names the change for each question. A
// configuration that did net harm when it was tried is left out, and stands on the curve only. toTry names every configuration that is
// worth a trial.
func recommend(config rag.Config, diagnoses []Diagnosis, in CauseReportInput, toTry bool) (out []Recommendation, points []RepairPoint,
	assigned map[string]Repair) {
	assigned = map[string]Repair{}
	all := make([][]need, len(diagnoses))
	var proposed []Recommendation
	for _, expensive := range []bool{false, true} {
		for i, d := range diagnoses {
			all[i] = needsOf(d, expensive)
		}
		chosen, repaired := configurations(all)
		for n, j := range chosen {
			for _, i := range repaired[n] {
				if _, done := assigned[diagnoses[i].QuestionID]; !done {
					assigned[diagnoses[i].QuestionID] = answering(j, all[i])
				}
			}
			proposed = append(proposed, in.recommendation(j, diagnoses, repaired[n]))
		}
		if len(chosen) > 0 {
			break
		}
	}
	whole := wholes(config, diagnoses)
	for _, j := range whole {
		r := in.recommendation(j, diagnoses, nil)
		known := slices.ContainsFunc(proposed, func(p Recommendation) bool { return p.Key() == r.Key() })
		if !known && (toTry || r.Outcome != nil) { // what nobody tried is no promise
			proposed = append(proposed, r)
		}
	}
	if !toTry {
		for _, m := range in.Measured {
			if !slices.ContainsFunc(proposed, func(p Recommendation) bool { return p.MadeIn() == m.MadeIn() }) {
				proposed = append(proposed, m)
			}
		}
	}
	slices.SortStableFunc(proposed, func(a, b Recommendation) int {
		return cmp.Or(cmp.Compare(a.ContextCost(), b.ContextCost()), cmp.Compare(len(a.With), len(b.With)))
	})
	if out = proposed; !toTry {
		out = oneOfNeighbours(worthwhile(proposed))
	}
	kneeFirst(out)
	measuredFirst(out)
	best := ""
	if len(out) > 0 {
		best = out[0].Key()
	}
	points = curve(proposed, best)
	out = append(out, forPeople(diagnoses)...)
	for i := range out {
		out[i].Rationale = recommendationWords(out[i])
	}
	return out, points, assigned
}

// recommendation is a configuration with what is known of it.
func (in CauseReportInput) recommendation(j joint, diagnoses []Diagnosis, healed []int) Recommendation {
	r := Recommendation{Repair: j[0], With: j[1:], Heals: []string{}, LowScores: len(diagnoses), AtRisk: []string{}, Applies: true}
	for _, i := range healed {
		r.Heals = append(r.Heals, diagnoses[i].QuestionID)
	}
	if risk, ok := in.Risks[j.key()]; ok {
		r.AtRisk, r.Changed, r.Good, r.Unmeasured = risk.AtRisk, risk.Changed, risk.Good, risk.Unmeasured
	}
	if o, ok := in.Outcomes[j.key()]; ok {
		r.Outcome = &o
	}
	return r
}

// Key names a recommended configuration, whatever run it was found for.
func (r Recommendation) Key() string { return joint(r.Changes()).key() }

// answering is the change of a configuration that repairs what a diagnosis names first.
func answering(j joint, ways []need) Repair {
	for _, w := range ways {
		if !j.repairs([]need{w}) {
			continue
		}
		if i := slices.IndexFunc(j, func(own Repair) bool { return joint{own}.has(w[0]) }); i >= 0 {
			return j[i]
		}
	}
	return j[0]
}

// gain is how many low-score answers a recommendation takes away: as it happened where it was tried, else as it is promised.
func (r Recommendation) gain() float64 {
	if r.Outcome != nil {
		return float64(r.Outcome.LowBefore) - r.Outcome.LowAfter
	}
	return float64(len(r.Heals))
}

// kneeFirst puts the smallest configuration first that gains nearly as much as the best one.
func kneeFirst(all []Recommendation) {
	most := 0.0
	for _, r := range all {
		most = max(most, r.gain())
	}
	for i, r := range all {
		if r.gain() >= kneeShare*most {
			copy(all[1:i+1], all[:i])
			all[0] = r
			return
		}
	}
}

// forPeople are the repairs that no configuration expresses, most answers first.
func forPeople(diagnoses []Diagnosis) []Recommendation {
	var out []Recommendation
	at := map[string]int{}
	for _, d := range diagnoses {
		if d.Method != Tested || len(d.Repairs) == 0 || d.Repairs[0].Applies() {
			continue
		}
		key := string(d.Repairs[0].Component) + d.Repairs[0].Key()
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Recommendation{Repair: d.Repairs[0], LowScores: len(diagnoses), AtRisk: []string{}})
		}
		out[i].Heals = append(out[i].Heals, d.QuestionID)
	}
	slices.SortStableFunc(out, func(a, b Recommendation) int { return cmp.Compare(len(b.Heals), len(a.Heals)) })
	return out
}

// Longer says how much more text the model is given, compared with the run that was diagnosed; nothing where it is hardly more.
func (r Recommendation) Longer() experiments.Rationale {
	cost := r.ContextCost()
	if cost <= 1.05 {
		return experiments.Rationale{}
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("It sends about %.1f times as much text to the model as the analysed run.", cost),
		JA: fmt.Sprintf("モデルに送る文章量は、分析した実行の約%.1f倍です。", cost),
	}
}

// recommendationWords says what to change, and what happened when it was tried; where it was not, what is expected.
func recommendationWords(r Recommendation) experiments.Rationale {
	change := experiments.Rationale{EN: "Change: " + r.Words("en") + ".", JA: "変更：" + r.Words("ja") + "。"}
	if !r.Risky() {
		return told(change, r.Came(), r.Longer())
	}
	return told(change, r.Came(), r.Longer(), experiments.Rationale{
		EN: fmt.Sprintf("%d of %d good answers would lose their evidence; others may change too.", len(r.AtRisk), r.Good),
		JA: fmt.Sprintf("良い回答%d件のうち%d件が根拠を失います。ほかの回答も変わることがあります。", r.Good, len(r.AtRisk)),
	})
}

// Told says what the trial of a recommendation found, wherever it is told: what happened, what had been expected, and what that means for
// the whole run; of what was tried on every answer, whether it is more than chance explains. Whether an estimate is certain is said once of
// all recommendations, see [Doubts].
func (r Recommendation) Told() experiments.Rationale {
	o := r.Outcome
	if !r.Forecast() {
		return told(o.happened(), o.InAll(), o.chance())
	}
	return told(o.happened(), o.forecast(), o.InAll(), o.chance())
}

// Came says what came of a recommendation when it was tried; where it was not, what is forecast from the diagnoses one by one: no bound,
// since a trial has repaired more.
func (r Recommendation) Came() experiments.Rationale {
	if r.Outcome != nil {
		return r.Told()
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("Forecast: it repairs %d of %d low-score answers; not tried in this analysis, so it may be more or fewer.", len(r.Heals), r.LowScores),
		JA: fmt.Sprintf("低スコア回答%d件のうち%d件の改善が見込まれます（この分析では試していないため、増減することがあります）。", r.LowScores, len(r.Heals)),
	}
}

// Forecast reports whether it was forecast which answers the configuration repairs: of one that no answer proposed, only what happened
// when it was tried is known.
func (r Recommendation) Forecast() bool { return len(r.Heals) > 0 }

// Risky reports whether good answers may lose their evidence by a configuration of which no better is known: it was not tried.
func (r Recommendation) Risky() bool { return r.Outcome == nil && len(r.AtRisk) > 0 }

// happened says what became of the answers on which a configuration was tried: those that it was to repair, and good ones.
func (o RepairOutcome) happened() experiments.Rationale {
	if o.RunID != "" {
		return o.happenedIn(experiments.Rationale{EN: "run " + o.RunID, JA: "実行 " + o.RunID + " "})
	}
	low := experiments.Rationale{
		EN: fmt.Sprintf("Tried on %s, it repaired %d.", answers(o.TriedLow, "low-score"), len(o.Repaired)),
		JA: fmt.Sprintf("低スコア回答%d件で試した結果、%d件が改善しました。", o.TriedLow, len(o.Repaired)),
	}
	if o.TriedGood == 0 {
		return told(low, experiments.Rationale{EN: "No good answer was tried.", JA: "良い回答では試していません。"})
	}
	return told(low, experiments.Rationale{
		EN: fmt.Sprintf("Of %s tried, %d became low.", answers(o.TriedGood, "good"), len(o.Broken)),
		JA: fmt.Sprintf("試した良い回答%d件のうち%d件が低スコアになりました。", o.TriedGood, len(o.Broken)),
	})
}

// forecast says what was expected of the low-score answers that were tried.
func (o RepairOutcome) forecast() experiments.Rationale {
	return experiments.Rationale{
		EN: fmt.Sprintf("The forecast was that %d of the %d would be repaired.", o.Promised, o.TriedLow),
		JA: fmt.Sprintf("試す前の見込みは%d件中%d件の改善でした。", o.TriedLow, o.Promised),
	}
}

// doubted reports whether the gain may be chance: a part was tried, and the interval holds no gain.
func (o RepairOutcome) doubted() bool { return o.Sampled() && !o.Gains() }

// Doubts says once, of all recommendations, which of them may gain nothing: that it is not certain yet of any, or of which ones. name
// is what a recommendation is called where it is said.
func Doubts(all []Recommendation, name func(r Recommendation) experiments.Rationale) experiments.Rationale {
	var doubted []experiments.Rationale
	for _, r := range all {
		if r.Outcome != nil && r.Outcome.doubted() {
			doubted = append(doubted, name(r))
		}
	}
	switch {
	case len(doubted) == 0:
		return experiments.Rationale{}
	case len(all) == 1:
		return experiments.Rationale{EN: "Whether the whole run gains is not certain yet.", JA: "実行全体で改善するとはまだ言い切れません。"}
	case allDoubted(all):
		return experiments.Rationale{
			EN: "Whether the whole run gains is not certain yet for any of the changes.",
			JA: "どの変更についても、実行全体で改善するとはまだ言い切れません。",
		}
	}
	return doubtsOf(doubted)
}

// doubtsOf says of changes by their names that they may gain nothing.
func doubtsOf(names []experiments.Rationale) experiments.Rationale {
	if len(names) == 0 {
		return experiments.Rationale{}
	}
	var en, ja []string
	for _, n := range names {
		en, ja = append(en, "“"+n.EN+"”"), append(ja, "「"+n.JA+"」")
	}
	return experiments.Rationale{
		EN: "Whether the whole run gains is not certain yet for " + strings.Join(en, " and ") + ".",
		JA: strings.Join(ja, "と") + "については、実行全体で改善するとはまだ言い切れません。",
	}
}

// Choice says what several recommendations are to each other, and which of them may gain nothing; nothing of a single one that gains.
func Choice(all []Recommendation, name func(r Recommendation) experiments.Rationale) experiments.Rationale {
	doubts := Doubts(all, name)
	if len(all) < 2 {
		return doubts
	}
	if apart(all) {
		return told(complements(), doubts)
	}
	return told(alternatives(), chosenBy(all), doubts)
}

// apart reports whether recommendations are about different answers each, and at most one of them is a configuration: then they are no
// alternatives, and whoever makes one leaves what the others repair.
func apart(all []Recommendation) bool {
	seen, configurations := map[string]bool{}, 0
	for _, r := range all {
		if r.Applies {
			configurations++
		}
		if len(r.Heals) == 0 || configurations > 1 {
			return false
		}
		for _, id := range r.Heals {
			if seen[id] {
				return false
			}
			seen[id] = true
		}
	}
	return true
}

func complements() experiments.Rationale {
	return experiments.Rationale{
		EN: "Each of these is about other answers: whoever makes one leaves what the others repair.",
		JA: "それぞれ別の回答についての変更です。1つだけ行っても、ほかの変更で改善する回答は残ります。",
	}
}

func alternatives() experiments.Rationale {
	return experiments.Rationale{
		EN: "These are alternatives, each looked at by itself: their numbers do not add up.",
		JA: "これらは代替案です。それぞれ単独で調べた件数のため、合計できません。",
	}
}

// asWritten is what a recommendation is called among people who know the parameters.
func asWritten(r Recommendation) experiments.Rationale {
	return experiments.Rationale{EN: r.Words("en"), JA: r.Words("ja")}
}

// allDoubted reports whether it is not certain of any of several recommendations that the whole run gains.
func allDoubted(all []Recommendation) bool {
	return len(all) > 1 && !slices.ContainsFunc(all, func(r Recommendation) bool { return r.Outcome == nil || !r.Outcome.doubted() })
}

func (o RepairOutcome) lowAfter() string {
	return answers(int(math.RoundToEven(o.LowAfter)), "low-score")
}

// answers is a number of answers of a kind.
func answers(n int, kind string) string {
	noun := strings.TrimSpace(kind + " answers")
	if n == 1 {
		noun = strings.TrimSuffix(noun, "s")
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// told are sentences behind each other; those that say nothing are left out.
func told(sentences ...experiments.Rationale) experiments.Rationale {
	var out experiments.Rationale
	for _, s := range sentences {
		if out.EN != "" && s.EN != "" {
			out.EN += " "
		}
		out.EN, out.JA = out.EN+s.EN, out.JA+s.JA
	}
	return out
}

// InAll says what a tried configuration does to the whole run: low-score answers before and after, and how many of those afterwards are
// newly broken; with 95% intervals where only a part of the answers was tried.
func (o RepairOutcome) InAll() experiments.Rationale {
	if o.RunID != "" {
		return experiments.Rationale{
			EN: fmt.Sprintf("In all: %d → %s.", o.LowBefore, o.lowAfter()),
			JA: fmt.Sprintf("全体では低スコア回答が%d件→%.0f件です。", o.LowBefore, o.LowAfter),
		}
	}
	if !o.Sampled() {
		return experiments.Rationale{
			EN: fmt.Sprintf("In all: %d → %s, %.0f of them newly broken; every answer was tried.", o.LowBefore, o.lowAfter(),
				o.BrokenInAll),
			JA: fmt.Sprintf("全体では低スコア回答が%d件→%.0f件、うち新たな悪化が%.0f件です（全件を試行）。", o.LowBefore, o.LowAfter, o.BrokenInAll),
		}
	}
	anew := answers(int(math.RoundToEven(o.BrokenInAll)), "newly broken")
	broken := experiments.Rationale{EN: anew, JA: fmt.Sprintf("%.0f件", o.BrokenInAll)}
	if o.TriedGood < o.Good { // else nothing of it is estimated
		broken.EN = fmt.Sprintf("about %s (%.0f to %.0f)", anew, o.BrokenLeast, o.BrokenMost)
		broken.JA = fmt.Sprintf("約%s（同%.0f〜%.0f件）", broken.JA, o.BrokenLeast, o.BrokenMost)
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("In all: %d → about %s (%.0f to %.0f with 95%% confidence), "+
			"judged from a sample of %d of %d low-score and %d of %d good answers. The %.0f include %s.",
			o.LowBefore, o.lowAfter(), o.LowLeast, o.LowMost, o.TriedLow, o.LowBefore, o.TriedGood, o.Good, o.LowAfter, broken.EN),
		JA: fmt.Sprintf("全体では低スコア回答が%d件→約%.0f件（95%%信頼区間%.0f〜%.0f件）、うち新たな悪化が%sの見込みです"+
			"（低スコア回答%d件中%d件、良い回答%d件中%d件で試した結果からの推定）。",
			o.LowBefore, o.LowAfter, o.LowLeast, o.LowMost, broken.JA, o.LowBefore, o.TriedLow, o.Good, o.TriedGood),
	}
}
