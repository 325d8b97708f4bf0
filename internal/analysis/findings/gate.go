package findings

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// Release answers "may we release this?". It is never a yes from the offline judge.
type Release struct {
	Answer string `json:"answer"` // "yes", "not_yet" or "unknown"
	Reason Text   `json:"reason"` // of a gate, up to three checks and how many more
	Limits Text   `json:"limits"` // what was asked of the release check in place of its usual limits; empty without
	Text   Text   `json:"text"`   // all of it in sentences
}

// The answers of a [Release].
const (
	MayRelease = "yes"
	NotYet     = "not_yet"
	CannotSay  = "unknown"
)

// release follows from the agreed targets and the release check. A failure counts whoever judged; a yes needs a
// real judge, something that was agreed, and a check that passes.
func (b *builder) release() Release {
	met, missed, unmeasured, agreed := 0, 0, 0, false
	if b.in.Agreement != nil {
		agreed = b.in.Agreement.Agreed()
		met, missed, unmeasured = b.in.Agreement.Met()
	}
	answer := func(what string, reason Text) Release {
		code := "release." + what
		if what == NotYet && strings.HasPrefix(b.Headline.Code, "head.rose") {
			code += "_rose" // the headline above it calls the run better
		}
		said, limits := limited(say(code, "reason", reason), b.in.Gate)
		return Release{Answer: what, Reason: reason, Limits: limits, Text: said}
	}
	gate := b.in.Gate
	switch {
	case b.Offline && !b.Imported:
		return answer(CannotSay, say("reason.offline"))
	case gate != nil && gate.Decision == stats.Fail:
		return answer(NotYet, GateReason(*gate))
	case missed > 0 && !agreed:
		return answer(NotYet, besides(say("reason.missed_proposed", "missed", missed, "n", met+missed+unmeasured), gate))
	case missed > 0:
		return answer(NotYet, besides(say("reason.missed", "missed", missed, "n", met+missed+unmeasured), gate))
	case gate != nil && gate.Decision == stats.Inconclusive:
		return answer(CannotSay, GateReason(*gate))
	case (met == 0 || !agreed) && gate != nil:
		return answer(CannotSay, say("reason.nothing_agreed_passed"))
	case met == 0 || !agreed:
		return answer(CannotSay, say("reason.nothing_agreed"))
	case unmeasured > 0:
		return answer(CannotSay, say("reason.unmeasured", "n", unmeasured))
	case gate == nil:
		return answer(CannotSay, say("reason.no_baseline"))
	}
	return answer(MayRelease, say("reason.passes", "n", met))
}

// besides adds to a reason what the gate, which has not decided, cannot rule out of critical questions and of groups of questions.
func besides(reason Text, gate *compare.GateResult) Text {
	reasons := []Text{reason}
	if gate != nil {
		reasons = append(reasons, about(reasonsBy(*gate, stats.Inconclusive), critical, groups)...)
	}
	return allOf(reasons)
}

// GateDecided is the decision of a gate with its reason. A pass says what it leaves to the agreed targets, which [builder.release] asks.
func GateDecided(g compare.GateResult) Text {
	code := map[stats.Decision]string{stats.Fail: "gate.failed", stats.Inconclusive: "gate.inconclusive"}[g.Decision]
	text := say("gate.passed")
	if code != "" {
		text = say(code, "reason", GateReason(g))
	}
	text, _ = limited(text, &g)
	return text
}

// GateOpening is the decision of a gate above the list of its checks: it names those that decided, and leaves to the list what each of them
// found. Where no such list follows, [GateDecided] has the reasons.
func GateOpening(g compare.GateResult) Text {
	code := map[stats.Decision]string{stats.Fail: "gate.failed_on", stats.Inconclusive: "gate.inconclusive_on"}[g.Decision]
	if code == "" {
		return GateDecided(g)
	}
	k, which := titled(g, g.Decision)
	open := Text{}
	if u, undecided := titled(g, stats.Inconclusive); u > 0 {
		open = say("gate.failed_open", "u", u, "which", undecided)
	}
	text := say(code, "k", k, "n", len(g.Checks), "open", open, "which", which)
	text, _ = limited(text, &g)
	return text
}

// titled are the titles of the checks with one decision, and how many these are.
func titled(g compare.GateResult, decision stats.Decision) (n int, titles Text) {
	var en, ja []string
	for _, c := range g.Checks {
		if c.Decision == decision {
			en, ja = append(en, c.Title("en")), append(ja, c.Title("ja"))
		}
	}
	return len(en), Text{EN: strings.Join(en, "; "), JA: strings.Join(ja, "、")}
}

// limited adds to what is said of a gate the limits that it was asked to go by, and returns these too: a decision by other limits than the
// usual ones is another decision.
func limited(said Text, g *compare.GateResult) (all, limits Text) {
	if g == nil || len(g.Limits) == 0 {
		return said, Text{}
	}
	by := compare.Setter{}
	if g.LimitsBy != nil {
		by = *g.LimitsBy
	}
	limits = LimitsText(g.Limits, by)
	said.EN, said.JA = said.EN+" "+limits.EN, said.JA+limits.JA
	return said, limits
}

// LimitsText says by which limits a release check goes that were set in place of the usual ones, and who set them.
func LimitsText(limits []compare.Note, by compare.Setter) Text {
	who := by.Words()
	code := "gate.limits"
	if len(limits) == 1 {
		code = "gate.limits_one"
	}
	return say(code, "by", Text{EN: who.Text("en"), JA: who.Text("ja")}, "list", LimitsList(limits))
}

// LimitsList are limits in one line, or that they are the usual ones.
func LimitsList(limits []compare.Note) Text {
	if len(limits) == 0 {
		return say("limits.usual")
	}
	var en, ja []string
	for _, n := range limits {
		en, ja = append(en, n.Text("en")), append(ja, n.Text("ja"))
	}
	return Text{EN: strings.Join(en, "; "), JA: strings.Join(ja, "、")}
}

// mostReasons is how many reasons stand in one sentence: of more the first are told and the others counted.
const mostReasons = 3

// GateReason is why a gate decided as it did, in words for people: its checks that failed, with critical questions and groups of
// questions in doubt, else those that could not be decided, else that it passes. Nobody reads a dozen reasons in a sentence: of more, it
// counts the rest.
func GateReason(g compare.GateResult) Text {
	failed, open := reasonsBy(g, stats.Fail), reasonsBy(g, stats.Inconclusive)
	switch {
	case len(failed) > 0:
		doubt := about(open, critical, groups)
		return allOf(append(few(failed, mostReasons-min(len(doubt), 1), "gate.more_failed"), doubt...))
	case len(open) > 0:
		return allOf(few(open, mostReasons, "gate.more_open"))
	}
	return say("gate.passes")
}

// What nobody who decides may miss, whatever else decides: reasons about critical questions, and about groups of questions.
const (
	critical = "gate.critical"
	groups   = "gate.slice"
)

// about are those reasons that are about something, by the beginning of their codes.
func about(reasons []Text, what ...string) (out []Text) {
	for _, r := range reasons {
		if slices.ContainsFunc(what, func(w string) bool { return strings.HasPrefix(r.Code, w) }) {
			out = append(out, r)
		}
	}
	return out
}

// few are the first of many reasons, what befell critical questions and then groups of questions before anything else, with how many more
// there are by a code.
func few(reasons []Text, most int, more string) []Text {
	if len(reasons) <= most {
		return reasons
	}
	var first, rest []Text
	for _, what := range []string{critical, groups} {
		first = append(first, about(reasons, what)...)
	}
	for _, r := range reasons {
		if !strings.HasPrefix(r.Code, critical) && !strings.HasPrefix(r.Code, groups) {
			rest = append(rest, r)
		}
	}
	told := max(most-1, len(first))
	first = append(first, rest...)
	return append(first[:told], say(more, "n", len(first)-told))
}

// GateReasons are all checks of a gate that did not pass, in words for people: those that failed, then those that could not be decided.
func GateReasons(g compare.GateResult) []Text {
	return append(reasonsBy(g, stats.Fail), reasonsBy(g, stats.Inconclusive)...)
}

// reasonsBy are the checks of a gate with one decision, in words for people. Those of groups of questions are one reason, in the place of
// the first: a group that fell by two metrics is named once.
func reasonsBy(g compare.GateResult, decision stats.Decision) (out []Text) {
	var fell []compare.GateCheck
	for _, c := range g.Checks {
		if c.Decision == decision && c.Name == "slice" {
			fell = append(fell, c)
		}
	}
	told := false
	for _, c := range g.Checks {
		switch {
		case c.Decision != decision || c.Name == "slice" && told:
		case c.Name == "slice":
			out, told = append(out, groupsText(fell)), true
		default:
			out = append(out, checkText(c))
		}
	}
	return out
}

// groupsText says which groups of questions got worse by checks with one decision, each with the metrics that say so.
func groupsText(checks []compare.GateCheck) Text {
	by, tags := map[string][]Text{}, []string(nil)
	for _, c := range checks {
		for _, tag := range c.Tags {
			if by[tag] == nil {
				tags = append(tags, tag)
			}
			by[tag] = append(by[tag], MetricTitle(c.Metric))
		}
	}
	all := make([]Text, len(tags))
	for i, tag := range tags {
		all[i] = say("gate.group", "tag", tagText(tag), "metrics", named(by[tag]))
	}
	code := "gate.slice"
	if checks[0].Decision != stats.Fail {
		code = "gate.slice_unjudged"
	}
	return say(code, "which", someTexts(all))
}

// tagText names a tag in a sentence: a theme or a category by what it is.
func tagText(tag string) Text {
	for _, kind := range []string{"theme", "category"} {
		if name, ok := strings.CutPrefix(tag, kind+":"); ok {
			return say("tag."+kind, "name", text.Cut(name, 60))
		}
	}
	return say("tag.other", "name", text.Cut(tag, 60))
}

// allOf puts reasons into one sentence. Its code is that of the first.
func allOf(reasons []Text) Text {
	out := reasons[0]
	for i, r := range reasons[1:] {
		code := "gate.next"
		if i == len(reasons)-2 {
			code = "gate.last"
		}
		both := say(code, "before", out, "reason", r)
		out.EN, out.JA = both.EN, both.JA
	}
	return out
}

// checkText is one check of a gate that did not pass, in words.
func checkText(c compare.GateCheck) Text {
	failed := c.Decision == stats.Fail
	value, bound := 0.0, 0.0
	if c.Value != nil {
		value = *c.Value
	}
	if c.Bound != nil {
		bound = *c.Bound
	}
	metric := MetricTitle(c.Metric)
	switch c.Name {
	case "share_worse":
		code := "gate.share_worse"
		if !failed {
			code = "gate.share_open"
		}
		if compare.DefaultAllowance(bound) {
			code += "_default"
		}
		worse := int(value*float64(c.N) + .5)
		return say(code, "worse", worse, "share", shareOfCheck(value), "n", c.N, "open", c.Open,
			"others", Text{EN: compare.Others(worse, "en"), JA: compare.Others(worse, "ja")},
			"most", compare.MostWorse(c.N, bound), "allowed", shareOfCheck(bound))
	case "not_worse":
		changed := func(gain float64) Text { // in the words and digits of the check itself
			moved := c.Moved(gain)
			return Text{EN: moved.Text("en"), JA: moved.Text("ja")}
		}
		words := []any{"metric", metric, "change", changed(value), "margin", compare.LimitWords(-bound)}
		switch {
		case c.Missing && c.WorstCase != nil:
			code := map[bool]string{true: "gate.not_worse_missing", false: "gate.not_worse_missing_unknown"}[failed]
			return say(code, "metric", metric, "n", c.Lacking, "change", changed(*c.WorstCase), "margin", compare.LimitWords(-bound))
		case failed && c.Whole != nil:
			return say("gate.not_worse_mixed", append(words, "mixed", c.Mixed, "whole", changed(*c.Whole))...)
		case failed:
			return say("gate.not_worse", words...)
		case c.Upper != nil && *c.Upper < 0: // it surely got worse: more questions would not rule that out
			return say("gate.not_worse_fell", words...)
		case c.Bound == nil:
			return say("gate.not_worse_few", "metric", metric, "n", c.N)
		}
		return say("gate.not_worse_unknown", append(words, "n", c.N)...)
	case "critical":
		if failed {
			return say("gate.critical", "n", len(c.Critical), "of", c.N, "which", some(c.Critical))
		}
		return say("gate.critical_unknown", "n", len(c.Critical), "of", c.N, "which", some(c.Critical))
	case "dropped":
		return say("gate.critical_dropped", "n", len(c.Critical), "which", some(c.Critical))
	case "quality":
		return say("gate.operation", "metric", metric)
	case "threshold":
		if c.Missing && c.WorstCase != nil {
			worst, limit := stats.Pair(*c.WorstCase, bound, 2)
			return say("gate.threshold_missing", "metric", metric, "n", c.Lacking, "value", worst, "bound", limit)
		}
		is, limit := stats.Pair(value, bound, 2)
		return say("gate.threshold", "metric", metric, "value", is, "bound", limit)
	case "slice":
		return groupsText([]compare.GateCheck{c})
	case "coverage":
		if c.Unasked > 0 {
			code := "gate.unasked"
			if len(c.Partial) == 1 {
				code += "_" + string(c.Partial[0])
			}
			return say(code, "n", c.Unasked)
		}
		return say("gate.coverage", "share", shareOfCheck(value), "needed", shareOfCheck(bound))
	}
	return plain(c.Message)
}

// shareOfCheck is a share with the very digits that its check has in the gate's own list.
func shareOfCheck(v float64) Text {
	return plain(compare.Percent(v))
}
