package findings

import (
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// Agreed is what was agreed and what is overdue.
type Agreed struct {
	Known      bool      `json:"known"` // something was agreed
	Text       Text      `json:"text"`
	Met        int       `json:"met"`
	Missed     int       `json:"missed"`
	Unmeasured int       `json:"unmeasured"`
	Overdue    []Overdue `json:"overdue"`
	Line       Text      `json:"line"` // who decided where a low score begins
	Open       Text      `json:"open"` // low-score answers that nobody has to look after; empty for none
}

// Overdue is one target or action whose day has passed.
type Overdue struct {
	Owner string `json:"owner,omitempty"`
	Due   string `json:"due"` // YYYY-MM-DD
	Text  Text   `json:"text"`
}

// undecided says how many low-score answers nobody has decided on; where that is all of them, it says so and not one number twice. At is the
// line that was agreed, where the figures around count by another; else empty.
func undecided(n, low int, at Text) Text {
	if n == low {
		return say("agreed.open_all", "n", n, "at", at)
	}
	return say("agreed.open", "n", n, "low", low, "at", at)
}

// agreed says where the agreement stands.
func (b *builder) agreed() {
	out := Agreed{Text: say("agreed.nothing"), Overdue: []Overdue{}, Line: say("line.default", "line", b.Low.Line)}
	p, at := b.in.Agreement, plain("")
	switch {
	case b.rule.Own && p != nil && p.Agreement.LowScore > 0:
		out.Line = say("line.own_agreed", "line", b.Low.Line, "agreed", p.Agreement.LowScore)
	case b.rule.Own:
		out.Line = say("line.own", "line", b.Low.Line)
	case b.rule.Unsaid:
		out.Line = say("line.none")
	case p != nil && p.LineAgreed() && p.LowScore != p.RunLow:
		out.Line, at = say("line.agreed_other", "line", LowText(p.Rule()), "run", p.RunLow), say("line.at", "line", p.LowScore)
	case p != nil && p.LineAgreed():
		out.Line = say("line.agreed", "line", LowText(p.Rule()))
	}
	if p != nil && p.Agreement.Version > 0 {
		if n := len(p.Open); n > 0 {
			out.Open = undecided(n, p.Low, at)
		}
	} else if low := b.lowNow(); low > 0 {
		out.Open = undecided(low, low, plain(""))
	}
	if p == nil || len(p.Targets)+len(p.Items) == 0 && p.Agreement.Version == 0 {
		b.Agreed = out
		return
	}
	out.Known = true
	out.Met, out.Missed, out.Unmeasured = p.Met()
	out.Text = say("agreed.stands", "met", out.Met, "missed", out.Missed, "unmeasured", out.Unmeasured)
	if !p.Agreed() {
		out.Text = say("agreed.proposed", "met", out.Met, "missed", out.Missed, "unmeasured", out.Unmeasured)
	}
	if out.Met+out.Missed+out.Unmeasured == 0 {
		out.Text = say("agreed.no_target", "n", len(p.Items))
	}
	if b.in.Today.IsZero() {
		b.Agreed = out
		return
	}
	today := b.in.Today.Format(time.DateOnly)
	for _, t := range p.Targets {
		if t.Overdue(today) {
			what := titleOf(b.in.Candidate.Run.Setup.Suite, t.Target.Metric)
			if t.Target.Metric == progress.LowScoreShare {
				what = MetricTitle(t.Target.Metric)
			}
			if t.Target.Theme != "" {
				what = say("overdue.of_theme", "what", what, "theme", b.label("theme", t.Target.Theme))
			}
			out.Overdue = append(out.Overdue, overdue(t.Target.Owner, t.Target.Due, what))
		}
	}
	for _, i := range p.Items {
		if i.Overdue(today) {
			out.Overdue = append(out.Overdue, overdue(i.Item.Owner, i.Item.Due, plain(i.Item.Action)))
		}
	}
	slices.SortStableFunc(out.Overdue, func(x, y Overdue) int { return strings.Compare(x.Due, y.Due) })
	b.Agreed = out
}

func overdue(owner, due string, what Text) Overdue {
	o := Overdue{Owner: owner, Due: due, Text: say("overdue.item", "what", what, "due", due)}
	if owner != "" {
		o.Text = say("overdue.owned", "what", what, "due", due, "owner", owner)
	}
	return o
}

// Corrected is a figure as the judge has it, beside what people's reviews make of it.
type Corrected struct {
	Metric  string      `json:"metric"`
	Raw     float64     `json:"raw"`
	Value   *float64    `json:"corrected,omitempty"` // nil where the reviews are too few
	CI95    *[2]float64 `json:"ci95,omitempty"`
	Reviews int         `json:"reviews"`
	Text    Text        `json:"text"`
}

// people says how far people checked the scores, and what that makes of the figures.
func (b *builder) people() {
	b.Corrected = []Corrected{}
	b.Checked = b.checked()
	r := b.in.Reviews
	if r == nil || r.Reviews == 0 {
		b.People = Answer{false, say("people.unreviewed")}
		return
	}
	b.People = Answer{true, say("people.few", "n", r.Reviews)}
	if !slices.ContainsFunc(r.Corrected, func(c progress.CorrectedMean) bool { return c.N > 0 }) {
		b.People = Answer{true, say("people.unscored", "n", r.Reviews)}
	}
	for _, f := range r.Judge {
		if f.Of == "verdict" && f.N > 0 {
			b.People = Answer{true, say("people.agree", "n", f.N, "share", share(f.Percent))}
		}
	}
	for _, c := range r.Corrected {
		if c.N == 0 || c.Labels == 0 {
			continue
		}
		one := Corrected{Metric: c.Metric, Raw: c.Judge, Value: c.Estimate, Reviews: c.Labels}
		name, wrong := titleOf(b.in.Candidate.Run.Setup.Suite, c.Metric), c.Metric == progress.IncorrectShare
		if wrong {
			name = say("metric.incorrect_share")
		}
		number := func(v float64) any {
			if wrong {
				return share(v)
			}
			return decimal(v, 2)
		}
		if c.Estimate == nil {
			one.Text = say("corrected.few", "metric", name, "raw", number(c.Judge), "n", c.Labels)
		} else {
			one.CI95 = &[2]float64{c.CI95.Low, c.CI95.High}
			one.Text = say("corrected.value", "metric", name, "raw", number(c.Judge), "value", number(*c.Estimate), "n", c.Labels)
		}
		b.Corrected = append(b.Corrected, one)
	}
}

// checked says how the judge did without and with examples of what people say, and how often they contradict it, of all that it calls low
// and of all that it does not.
func (b *builder) checked() []Text {
	var out []Text
	if a := b.in.Alignment; a != nil {
		out = append(out, Text{Code: "checked.alignment", EN: a.Brief("en"), JA: a.Brief("ja")})
	}
	if b.in.Reviews != nil {
		for _, e := range b.in.Reviews.Errors {
			if e.Class == "" && (e.Of == "verdict" || e.Needs == 0) {
				out = append(out, Text{Code: "checked.error", EN: e.Says("en"), JA: e.Says("ja")})
			}
		}
	}
	if n := len(b.in.Candidate.Run.Setup.Judge.Examples); n > 0 {
		out = append(out, say("checked.examples", "n", n))
	}
	return out
}

// judge says whose judge scored, and how far it was validated.
func (b *builder) judge() Answer {
	setup := b.in.Candidate.Run.Setup
	card := b.in.Card
	name := judgeName(setup.Judge.String())
	switch {
	case b.Imported:
		return Answer{false, scoresOf(b.tools())}
	case setup.Offline:
		return Answer{true, say("judge.offline")}
	case card == nil || card.Status == validation.Unmeasured || card.Status == "":
		if setup.Recorded != nil && setup.Recorded.By == byShipped {
			amber := Text{EN: validation.Amber.Word("en"), JA: validation.Amber.Word("ja")}
			return Answer{false, say("judge.shipped", "judge", name, "card", amber)}
		}
		return Answer{false, say("judge.unmeasured", "judge", name)}
	}
	items := card.Items
	if items == 0 && card.Verdicts != nil {
		items = 2 * card.Verdicts.Pairs
	}
	return Answer{true, say("judge."+string(card.Status), "judge", name, "items", items)}
}

// byModel is how replies of a large language model are signed when they are taken in; what else is said of them stays out of sentences.
const byModel = "a large language model"

// byShipped signs the replies that come with the program. docs/evidence.md holds the card of a model of their kind.
const byShipped = byModel + ", one sitting of at most 40 requests"

// Recorded says what recorded replies gave, and whose they are.
type Recorded struct {
	Text
	Badge Text `json:"badge"` // the same in three words and the day
}

// RecordedBy says which part recorded replies have in what a run says; nothing where they did not score.
func RecordedBy(s experiments.Setup) Recorded {
	if s.Recorded == nil {
		return Recorded{}
	}
	by := Text{EN: s.Recorded.By, JA: s.Recorded.By}
	if strings.HasPrefix(s.Recorded.By, byModel) {
		by = say("judge.recorded_model")
	}
	what := "judge.recorded"
	if s.Config.Endpoint == nil && s.Config.Log == nil && s.Config.Generate.Provider == s.Judge.Provider {
		what = "judge.recorded_whole"
	}
	return Recorded{say(what, "by", by, "day", s.Recorded.Day), say("judge.recorded_badge", "day", s.Recorded.Day)}
}

// doubt warns where the judge's "worse" was right too seldom in its stored validation, and there is a "worse" to read.
func (b *builder) doubt() (Text, bool) {
	if b.in.Card == nil || b.Imported || b.Verdicts.Worse == 0 {
		return Text{}, false
	}
	right, called, doubts := b.in.Card.Verdicts.DoubtsWorse()
	return say("say.doubt", "called", called, "right", right), doubts
}

// setups are those of the runs that are told of.
func (b *builder) setups() []experiments.Setup {
	setups := []experiments.Setup{b.in.Candidate.Run.Setup}
	if b.in.Baseline != nil {
		setups = append(setups, b.in.Baseline.Run.Setup)
	}
	return setups
}

// tools are those whose scores decide, as they write themselves.
func (b *builder) tools() (names []string) {
	for _, f := range b.Figures {
		if tool := metrics.ToolOf(f.Metric); groupOf(b.in.Candidate.Run.Setup.Suite, f.Metric) == metrics.GroupImported &&
			!slices.Contains(names, tool) {
			names = append(names, tool)
		}
	}
	return names
}

// ScoredBy says whose scores a run has where no judge of ours scored it; empty where one did.
func ScoredBy(s experiments.Setup) Text {
	return ScoresOf(s.Tools())
}

// ScoresOf says that all scores are those of other tools; empty where there is no such tool.
func ScoresOf(tools []string) Text {
	if len(tools) == 0 {
		return Text{}
	}
	return scoresOf(tools)
}

// ToolNames are tools as one reads them; a plain table is the file that it stood in.
func ToolNames(tools []string) Text {
	if slices.Contains(tools, metrics.PlainTable) {
		return say("judge.of_file")
	}
	return Text{EN: strings.Join(tools, ", "), JA: strings.Join(tools, "、")}
}

// ScoredHere says that no score came with answers that were taken over, so that nobody takes ours for those of the file; empty where one
// did, or all answers were written here.
func ScoredHere(setups ...experiments.Setup) Text {
	foreign := func(s experiments.Setup) bool {
		return slices.ContainsFunc(s.Suite, func(m metrics.Spec) bool { return m.Group == metrics.GroupImported })
	}
	if slices.ContainsFunc(setups, foreign) || !slices.ContainsFunc(setups, experiments.Setup.ScoredHere) {
		return Text{}
	}
	return say("judge.here")
}

func scoresOf(tools []string) Text {
	if slices.Contains(tools, metrics.PlainTable) {
		return say("judge.table")
	}
	return say("judge.imported", "tool", ToolNames(tools))
}

// enough asks whether the questions are enough and answers in one sentence, so that no door shows the answer without its question.
func (b *builder) enough() Answer {
	a := b.enoughAnswer()
	a.Text = say("enough.asked", "text", a.Text)
	return a
}

// enoughAnswer says whether the questions are enough to see a change of the size that the release check asks for: a twentieth of the scale.
func (b *builder) enoughAnswer() Answer {
	if len(b.Figures) == 0 || b.in.Comparison == nil {
		return Answer{false, say("enough.no_baseline")}
	}
	f := b.Figures[0]
	if b.same() {
		return Answer{false, say("enough.same", "n", b.Matched)}
	}
	if f.Visible == nil || f.Max <= f.Min {
		return Answer{false, say("enough.unknown", "n", f.N)}
	}
	margin := compare.UsualMargin * (f.Max - f.Min)
	words := []any{"n", f.N, "metric", f.Title, "visible", decimal(*f.Visible, 2)}
	if *f.Visible <= margin {
		return Answer{true, say("enough.yes", words...)}
	}
	ratio := *f.Visible / margin
	if m := b.in.Comparison.Metrics[f.Metric]; m.Clusters > 0 { // its interval is over these, and so is what is enough
		need := b.in.Comparison.Method.ClustersNeeded(m.Clusters, int(float64(m.Clusters)*ratio*ratio)+1)
		return Answer{true, say("enough.no_clusters", append(words, "margin", decimal(margin, 2),
			"need", Text{EN: need.Text("en"), JA: need.Text("ja")})...)}
	}
	needed := int(float64(f.N)*ratio*ratio) + 1
	return Answer{true, say("enough.no", append(words, "margin", decimal(margin, 2), "needed", needed)...)}
}

// untested is what nobody looked into, and what was left out.
func (b *builder) untested() []Text {
	out := []Text{}
	if near := SearchOf(b.in.Candidate.Results); near.EN != "" {
		out = append(out, near)
	}
	switch {
	case b.in.Comparison != nil:
	case b.in.Pinned:
		out = append(out, say("untested.pinned"))
	default:
		out = append(out, say("untested.baseline"))
	}
	if n := b.without(); n > 0 {
		out = append(out, say("untested.reference", "n", n))
	}
	if c := b.in.Comparison; c != nil {
		if n := len(c.Added) + len(c.Removed) + len(c.Reworded) + len(c.ReferenceChanged); n > 0 {
			out = append(out, say("untested.questions", "added", len(c.Added), "removed", len(c.Removed), "reworded",
				len(c.Reworded), "reference", len(c.ReferenceChanged)))
		}
		if n := len(c.Unscored); n > 0 {
			out = append(out, say("untested.unscored", "n", n))
		}
		out = append(out, b.notCompared()...)
	}
	if n := b.Causes.Counts[NotKnown]; b.Causes.Known && n > 0 {
		out = append(out, say("untested.causes", "n", n, "low", b.Causes.Low))
	}
	if c := b.in.Causes; c != nil && c.PatternsBy.EN != "" {
		out = append(out, Text{Code: "untested.patterns", EN: c.PatternsBy.EN, JA: c.PatternsBy.JA})
	}
	if b.in.Questions == nil {
		return append(out, say("untested.kinds"))
	}
	for _, w := range b.in.Questions.Warnings {
		out = append(out, Text{Code: "untested.warning", EN: w.Text.EN, JA: w.Text.JA})
	}
	return out
}

// notCompared names the metrics that were left out, those with the same reason together.
func (b *builder) notCompared() []Text {
	var reasons []Text
	titles := map[string][]Text{}
	for _, e := range b.in.Comparison.Excluded {
		why := plain(e.Why)
		if e.Note.Code != "" {
			why = Text{EN: e.Note.Text("en"), JA: e.Note.Text("ja")}
		}
		if titles[why.EN] == nil {
			reasons = append(reasons, why)
		}
		titles[why.EN] = append(titles[why.EN], titleOf(b.in.Candidate.Run.Setup.Suite, e.Metric))
	}
	var out []Text
	for _, why := range reasons {
		list := titles[why.EN]
		out = append(out, say("untested.metric", "metric", list, "why", why))
	}
	return out
}

// without counts the questions whose correctness was not measured for want of a right answer to compare with.
func (b *builder) without() int {
	n := 0
	for _, q := range b.asked {
		if q.Reference == "" && q.Answerable { // of the others it is measured whether the answer says that there is none
			n++
		}
	}
	return n
}

// MetricTitle is the name of a metric of the catalogue, or of a share that targets are agreed for, as people read it; its id where neither
// is known.
func MetricTitle(id string) Text {
	if code := "metric." + id; Word("en", code) != code {
		return say(code)
	}
	if s, ok := metrics.Find(id); ok {
		return titleOf([]metrics.Spec{s}, id)
	}
	if en, ja, imported := metrics.ImportedTitle(id); imported {
		return Text{EN: en, JA: ja}
	}
	return plain(id)
}
