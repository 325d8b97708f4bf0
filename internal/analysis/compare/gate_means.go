package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// Threshold is a bound that a metric's mean in the candidate must keep, such as faithfulness >= 0.85.
type Threshold struct {
	Metric string
	Op     string // ">=", ">", "<=" or "<"
	Value  float64
}

// String is the threshold as people write it.
func (t Threshold) String() string { return fmt.Sprintf("%s %s %g", t.Metric, t.Op, t.Value) }

// ParseThreshold reads a threshold as people write it: a metric, one of >=, >, <= and <, and a number.
func ParseThreshold(s string) (Threshold, error) {
	wrong := problem.New(problem.Invalid, "threshold", "%q is no threshold", s).
		WithHint("write for example 'faithfulness >= 0.85' or 'latency <= 3'")
	at := strings.IndexAny(s, "<>")
	if at < 0 {
		return Threshold{}, wrong
	}
	t := Threshold{Metric: strings.TrimSpace(s[:at]), Op: s[at : at+1]}
	rest, equal := strings.CutPrefix(s[at+1:], "=")
	if equal {
		t.Op += "="
	}
	var number bool
	read := text.ReadNumber
	if strings.HasSuffix(strings.TrimSpace(norm.NFKC.String(rest)), "%") {
		read = text.ReadShare
	}
	if t.Value, number = read(rest); !number || t.Metric == "" || strings.Contains(t.Metric, "=") {
		return Threshold{}, wrong
	}
	return t, nil
}

func (t Threshold) holds(v float64) bool {
	const rounding = 1e-9
	switch t.Op {
	case ">=":
		return v >= t.Value-rounding
	case ">":
		return v > t.Value+rounding
	case "<=":
		return v <= t.Value+rounding
	}
	return v < t.Value-rounding
}

// words are the metric and the bound as parameters of a message.
func (t Threshold) words(args ...any) []any {
	return append(args, "metric", metricNote(t.Metric), "bound", newNote("op."+t.Op, "bound", t.written(t.Value, "%g")))
}

// written is a value of the metric in digits, or a share in per cent.
func (t Threshold) written(v float64, digits string) string {
	if t.Metric == experiments.LowScoreShare {
		return Percent(v)
	}
	return fmt.Sprintf(digits, v)
}

// code is that of words about the mean, which a share is not called.
func (t Threshold) code(mean string) string {
	if t.Metric == experiments.LowScoreShare {
		return mean + "_share"
	}
	return mean
}

// beyond reports whether a threshold lies outside of a scale, so that it says nothing of any mean on it.
func (t Threshold) beyond(low, high float64) bool {
	return high > low && (t.Value < low || t.Value > high)
}

// offScale refuses such a threshold.
func (t Threshold) offScale(low, high float64) error {
	return problem.New(problem.Invalid, "threshold_scale", "%s is outside of the scale of %s, which goes from %g to %g", t.String(), t.Metric,
		low, high).With("field", "min").WithHint("set a level within the scale")
}

// OnScale refuses a threshold outside of the scale of its metric, of the metrics that are ours: those of other tools have scales of their
// own.
func (r GateRules) OnScale() error {
	var names []string
	for _, spec := range metrics.Catalogue() {
		names = append(names, spec.ID)
	}
	for _, t := range r.Thresholds {
		name, _ := text.NameAmong(t.Metric, names)
		if spec, known := metrics.Find(name); known && t.beyond(spec.Min, spec.Max) {
			return t.offScale(spec.Min, spec.Max)
		}
	}
	return nil
}

// check holds the candidate's mean against the threshold, also with the worst value in place of every missing score.
func (t Threshold) check(m GateMetric) GateCheck {
	c := GateCheck{Name: "threshold", Metric: t.Metric, Decision: stats.Pass, Bound: &t.Value}
	var there, all []float64
	for _, item := range m.Items {
		if math.IsNaN(item.After) {
			all = append(all, m.worst())
			continue
		}
		there, all = append(there, item.After), append(all, item.After)
	}
	c.N = len(there)
	if len(there) == 0 {
		c.Decision, c.Missing = stats.Inconclusive, true
		c.says(t.code("gate.threshold_none"), t.words()...)
		return c
	}
	mean, worst := stats.Mean(there), stats.Mean(all)
	c.Value = &mean
	c.says(t.code("gate.threshold"), t.words("mean", t.written(mean, "%.4g"), "n", len(there))...)
	switch {
	case !t.holds(mean):
		c.Decision = stats.Fail
	case !t.holds(worst):
		c.Decision, c.Missing, c.Lacking, c.WorstCase = stats.Fail, true, len(all)-len(there), &worst
		c.says("gate.threshold_missing", "n", c.Lacking, "worst", t.written(worst, "%.4g"))
	}
	return c
}

// worst is the value that a missing score counts as.
func (m GateMetric) worst() float64 {
	if m.LowerIsBetter {
		return m.Max
	}
	return m.Min
}

// gained is by how much the candidate is better on a question, below 0 where it is worse.
func (m GateMetric) gained(before, after float64) float64 {
	if m.LowerIsBetter {
		return before - after
	}
	return after - before
}

// gains returns the differences of the questions that both sides score, with their places; and those in which a score that only the
// candidate lacks counts as the worst one. A question without a score in the baseline shows no fall, whatever the candidate has: it is in
// neither, and counts in the coverage alone (docs/adr/0077).
func (m GateMetric) gains() (scored []float64, places []int, strict []float64, strictPlaces []int) {
	for i, item := range m.Items {
		if !item.Paired || math.IsNaN(item.Before) {
			continue
		}
		if math.IsNaN(item.After) {
			strict, strictPlaces = append(strict, m.gained(item.Before, m.worst())), append(strictPlaces, i)
			continue
		}
		gain := m.gained(item.Before, item.After)
		if item.Mixed {
			gain = max(0, gain)
		}
		scored, places = append(scored, gain), append(places, i)
		strict, strictPlaces = append(strict, gain), append(strictPlaces, i)
	}
	return scored, places, strict, strictPlaces
}

// clusters numbers the clusters of some questions; nil when all stand alone or all share one.
func (m GateMetric) clusters(places []int) []int {
	numbers, out := map[string]int{}, make([]int, len(places))
	shared := false
	for i, place := range places {
		key := "c" + m.Items[place].Cluster
		if key == "c" {
			key = "i" + strconv.Itoa(place)
		}
		n, known := numbers[key]
		if !known {
			n = len(numbers)
			numbers[key] = n
		}
		shared = shared || known
		out[i] = n
	}
	if !shared || len(numbers) < 2 {
		return nil
	}
	return out
}

// forgiven is how many mixed questions lost something that [GateMetric.gains] counts as nothing.
func (m GateMetric) forgiven() int {
	n := 0
	for _, item := range m.Items {
		if item.Paired && item.Mixed && m.gained(item.Before, item.After) < 0 {
			n++
		}
	}
	return n
}

// wholeMean is the mean difference of the questions that both sides score, with what mixed ones lost.
func (m GateMetric) wholeMean() float64 {
	var all []float64
	for _, item := range m.Items {
		if item.Paired && !math.IsNaN(item.Before) && !math.IsNaN(item.After) {
			all = append(all, m.gained(item.Before, item.After))
		}
	}
	return stats.Mean(all)
}

// Bounded is a mean difference with its one-sided bounds.
type Bounded struct {
	n, clusters                  int // clusters is 0 where questions count as independent
	mean, se, free, lower, upper float64
}

// Bounds are cluster-robust where questions share documents.
func (m GateMetric) Bounds(gains []float64, places []int, alpha float64) (Bounded, bool) {
	// Two that happen to fall alike would prove all others.
	if len(gains) < Fewest && slices.ContainsFunc(gains, func(gain float64) bool { return gain != 0 }) {
		return Bounded{}, false
	}
	if clusters := m.clusters(places); clusters != nil {
		c, err := stats.ClusterRobust(gains, clusters, 1-2*alpha)
		return Bounded{len(gains), c.Clusters, c.Mean, c.SE, c.DF, c.Low, c.High}, err == nil
	}
	t, err := stats.NonInferiority(gains, 0, alpha)
	return Bounded{len(gains), 0, t.Mean, t.SE, float64(len(gains) - 1), t.Lower, t.Upper}, err == nil
}

// Decide says what the bounds allow to say of a margin.
func (b Bounded) Decide(margin float64) stats.Decision {
	const rounding = 1e-9 // what binary fractions leave of a bound that is the margin itself, which is neither less nor more
	switch {
	case b.lower > -margin+rounding:
		return stats.Pass
	case b.upper < -margin-rounding:
		return stats.Fail
	}
	return stats.Inconclusive
}

// notWorse is the test of non-inferiority of the mean (science: three outcomes, never two). It returns the margin in
// units of the metric.
func (m GateMetric) notWorse(rules GateRules) (float64, GateCheck) {
	c := GateCheck{Name: "not_worse", Metric: m.ID, Decision: stats.Inconclusive, LowerIsBetter: m.LowerIsBetter, Mixed: m.forgiven()}
	scored, places, strict, strictPlaces := m.gains()
	width := m.Max - m.Min
	b, ok := m.Bounds(scored, places, rules.Alpha)
	if !ok || width <= 0 {
		margin := max(rules.Margin, UsualMargin) * max(width, 0)
		c.N, c.Missing = len(scored), len(strict) > len(scored)
		if !ok {
			c.says("gate.too_few", "metric", metricNote(m.ID), "n", len(scored))
			return margin, c
		}
		c.Decision = stats.Pass
		c.says("gate.all_equal", "metric", metricNote(m.ID))
		return margin, c
	}
	share, origin := b.margin(rules, width)
	margin := share * width
	limit := m.limit(margin, newNote(origin, "usual", LimitWords(UsualMargin*width)))
	bound := -margin
	c.N, c.Value, c.Bound, c.Lower, c.Upper, c.Decision = b.n, &b.mean, &bound, &b.lower, &b.upper, b.Decide(margin)
	if c.Mixed > 0 {
		whole := m.wholeMean()
		c.Whole = &whole
	}
	if len(strict) > len(scored) {
		s, ok := m.Bounds(strict, strictPlaces, rules.Alpha)
		if decision := s.Decide(margin); ok && stricter(c.Decision, decision) != c.Decision {
			c.Decision, c.Missing, c.Lacking, c.WorstCase = decision, true, len(strict)-len(scored), &s.mean
			code := map[stats.Decision]string{stats.Fail: "gate.missing_fails", stats.Inconclusive: "gate.missing_unsure"}[decision]
			c.says(code, "metric", metricNote(m.ID), "limit", limit, "loss", newNote("gate.loss_"+m.loss()), "n", c.Lacking,
				"moved", movedBy(c.Change(s.mean)), "span", m.between(s), "own", m.told(c, b), "between", m.between(b),
				"risk", risk(rules.Alpha, 2*rules.Alpha))
			m.tellClusters(&c, s)
			return margin, c
		}
	}
	if origin != "gate.limit_asked" && m.decidedAnyway(b, strict, strictPlaces, rules, c.Decision) {
		usual := UsualMargin * width
		bound, origin = -usual, "gate.limit_usual"
		limit = m.limit(usual, newNote(origin))
	}
	m.tell(&c, b, limit, rules)
	if raised := origin == "gate.limit_seen" || origin == "gate.limit_most"; raised && c.Decision == stats.Pass {
		c.says("gate.why_raised", "usual", LimitWords(UsualMargin*width), "keep", Percent(UsualMargin))
	}
	if !m.equal(c, b) {
		m.tellClusters(&c, b)
	}
	return margin, c
}

// decidedAnyway reports whether the preset limit decides as the one in its place did, so that nobody need read of another.
func (m GateMetric) decidedAnyway(b Bounded, strict []float64, places []int, rules GateRules, d stats.Decision) bool {
	usual := UsualMargin * (m.Max - m.Min)
	if d == stats.Inconclusive || b.Decide(usual) != d {
		return false
	}
	if len(strict) == b.n {
		return true
	}
	s, ok := m.Bounds(strict, places, rules.Alpha)
	return !ok || stricter(d, s.Decide(usual)) == d
}

// tell says what the bounds allow to say.
func (m GateMetric) tell(c *GateCheck, b Bounded, limit Note, rules GateRules) {
	words := []any{"moved", m.told(*c, b), "limit", limit, "loss", newNote("gate.loss_" + m.loss())}
	switch c.Decision {
	case stats.Pass:
		if m.equal(*c, b) {
			c.says("gate.not_worse_equal", "metric", metricNote(m.ID), "n", b.n)
			return
		}
		code := "gate.not_worse"
		if b.lower > 0 || sizeOf(b.lower) == "0" { // no limit is near
			code = "gate.not_worse_surely"
		}
		c.says(code, append(words, "bound", m.surely(b), "risk", risk(rules.Alpha, rules.Alpha))...)
	case stats.Fail:
		change := m.possible(b.upper)
		least := newNote("mean."+side(change)+"_least", "by", sizeOf(change))
		c.says("gate.worse", append(words, "bound", least, "risk", risk(rules.Alpha, rules.Alpha))...)
	case stats.Inconclusive:
		c.says("gate.unsure", append(words, "bound", m.between(b), "risk", risk(rules.Alpha, 2*rules.Alpha))...)
		if m.hopeless(c, b) {
			c.says("gate.passes_never", "n", b.n)
		}
		m.tellNeed(c, b, rules)
	}
}

// equal reports whether no score differs, so that there is nothing to say of limits.
func (m GateMetric) equal(c GateCheck, b Bounded) bool {
	return b.mean == 0 && b.lower == 0 && b.upper == 0 && c.Mixed == 0
}

// hopeless reports whether no change of the mean could have passed, had the changes varied as much as they did: what lies between the mean
// and its bound follows from how they vary alone.
func (m GateMetric) hopeless(c *GateCheck, b Bounded) bool {
	return *c.Bound+b.mean-b.lower >= m.headroom()
}

// headroom is by how much the mean could have gained at most.
func (m GateMetric) headroom() float64 {
	best := m.Max
	if m.LowerIsBetter {
		best = m.Min
	}
	var most []float64
	for _, item := range m.Items {
		if item.Paired && !math.IsNaN(item.Before) && !math.IsNaN(item.After) {
			most = append(most, m.gained(item.Before, best))
		}
	}
	return stats.Mean(most)
}

// tellNeed says how many questions would do if nothing changed, or how many documents or themes where the bounds are over these: not
// where it surely changed, and not of a limit that follows from the number of questions, which so many are enough for already.
func (m GateMetric) tellNeed(c *GateCheck, b Bounded, rules GateRules) {
	if _, origin := b.margin(rules, m.Max-m.Min); b.upper < 0 || origin == "gate.limit_seen" {
		return
	}
	plan := stats.Plan{Alpha: rules.Alpha, Power: gatePower}
	if b.clusters > 0 {
		if need, err := plan.ClustersForNonInferiority(-*c.Bound, b.se, b.free, b.clusters); err == nil && need > b.clusters {
			c.says("gate.need_clusters", "need", clustersNeeded(m.Themed, b.clusters, need))
		}
		return
	}
	if need, err := plan.ItemsForNonInferiority(-*c.Bound, 0, b.se*math.Sqrt(float64(b.n))); err == nil && need > b.n {
		c.says("gate.need", "n", need)
	}
}

// tellClusters says by what the bounds are, where it is not by questions.
func (m GateMetric) tellClusters(c *GateCheck, b Bounded) {
	if b.clusters > 0 {
		c.says("gate.clustered", "by", clusteredBy(m.Themed, b.clusters))
	}
}

// Change is a gain or loss of this check, below 0 where it is for the worse, as the change of the metric that people see elsewhere: where
// less is better, a loss is a rise.
func (c GateCheck) Change(gain float64) float64 {
	if c.LowerIsBetter {
		return -gain
	}
	return gain
}

// margin is the share of the scale that the mean may fall, and the code of the words for where it comes from.
func (b Bounded) margin(rules GateRules, width float64) (share float64, origin string) {
	if rules.Margin != 0 {
		return rules.Margin, "gate.limit_asked"
	}
	see := (stats.NormalQuantile(1-rules.Alpha) + stats.NormalQuantile(gatePower)) * b.se / width
	switch {
	case see <= UsualMargin:
		return UsualMargin, "gate.limit_usual"
	case see >= largestMargin:
		return largestMargin, "gate.limit_most"
	}
	return see, "gate.limit_seen"
}

func (m GateMetric) limit(margin float64, origin Note) Note {
	return newNote("gate.limit", "margin", LimitWords(margin), "share", Percent(margin/(m.Max-m.Min)),
		"min", fmt.Sprintf("%.4g", m.Min), "max", fmt.Sprintf("%.4g", m.Max), "origin", origin)
}

// LimitWords is a limit of a mean in the three digits in which every door tells it.
func LimitWords(limit float64) string { return stats.Significant(limit, 3) }

// risk says how often bounds of a one-sided level are right that miss with this chance, and why more often than usual where it is a second
// look.
func risk(alpha, miss float64) Note {
	hundred := func(level float64) string { return stats.Significant(level*100, 3) }
	if alpha == SecondLook {
		return newNote("gate.risk_twice", "n", hundred(1-miss), "both", hundred(DefaultGateRules().Alpha))
	}
	return newNote("gate.risk", "n", hundred(1-miss))
}

// Difference is a difference of means in three digits with its sign: what only rounding left is none, and none has no sign.
func Difference(v float64) string {
	const rounding = 1e-9
	if math.Abs(v) < rounding {
		return "0"
	}
	if v > 0 {
		return "+" + stats.Significant(v, 3)
	}
	return stats.Significant(v, 3)
}
