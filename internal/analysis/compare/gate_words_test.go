package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rag-workbench/workbench/internal/stats"
)

// english is what a Japanese line must not hold: two words in a row, the name of the product aside.
var english = regexp.MustCompile(`[A-Za-z]{2,} +[A-Za-z]{2,}`)

func inJapanese(t *testing.T, line string) {
	t.Helper()
	if found := english.FindString(strings.ReplaceAll(line, "RAG Workbench", "")); found != "" ||
		!strings.ContainsFunc(line, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
		t.Errorf("%q is not Japanese: %q", line, found)
	}
}

// TestEveryWordOfAGateIsInBothLanguages: the Japanese of each code holds Japanese and no English.
func TestEveryWordOfAGateIsInBothLanguages(t *testing.T) {
	t.Parallel()
	shapes := map[string]bool{"gate.of_metric": true, "gate.by_facts": true, "gate.title.of": true, "gate.doubt.moved": true,
		"gate.doubt.scored": true} // signs alone
	seen := 0
	for code, both := range words {
		kind, _, _ := strings.Cut(code, ".")
		if kind != "gate" && kind != "op" && kind != "decision" || shapes[code] {
			continue
		}
		seen++
		inJapanese(t, placeholder.ReplaceAllString(both[1], ""))
		if strings.ContainsFunc(both[0], func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) }) {
			t.Errorf("%s is not English: %q", code, both[0])
		}
	}
	if seen < 40 {
		t.Errorf("only %d codes were read", seen)
	}
}

// TestGatesSpeakJapanese: whatever a gate finds, no line of its checks is left in English.
func TestGatesSpeakJapanese(t *testing.T) {
	t.Parallel()
	all := func(label Label) func(int, *judgedItem) {
		return func(i int, item *judgedItem) {
			item.Critical, item.Tags = i < 7, []string{"theme"}
			if i < 7 {
				item.Label = label
			}
		}
	}
	cases := map[string]GateArms{
		"pass": gateArms(repeat(200, 0), all(NoChange)), "fail": gateArms(around(200, -2), all(Worse)),
		"open": gateArms(around(30, -.1), all(NeedsCheck)), "mixed": gateArms(around(40, -2), all(Mixed)),
		"missing": gateArms(missing(repeat(200, 0), 30), all(NoChange)), "few": gateArms(repeat(1, 0), all(Mixed)),
		"none": gateArms(missing(repeat(3, 0), 3), nil),
	}
	part := gateArms(repeat(40, 0), nil)
	part.Unasked = []Unasked{{BaselineArm, 9}, {CandidateArm, 1}}
	cases["partial"] = part
	for name, arms := range cases {
		rules := DefaultGateRules()
		for _, op := range []string{">=", ">", "<=", "<"} {
			rules.Thresholds = append(rules.Thresholds, Threshold{"correctness", op, 4})
		}
		r := gated(t, arms, rules)
		r.Said, r.SaidJA = []string{"It is so."}, []string{"そうです。"}
		var page, suite strings.Builder
		if err := r.WriteMarkdown(&page, "ja"); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteJUnit(&suite, "ja", false); err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			inJapanese(t, c.Text("ja"))
			inJapanese(t, c.Title("ja"))
			if !strings.Contains(page.String(), escapeMarkdown(c.MessageJA)) ||
				!strings.Contains(suite.String(), `name="`+c.Title("ja")+`"`) ||
				c.Text("en") != c.Message || c.Message == "" {
				t.Errorf("%s: %+v is not told:\n%s\n%s", name, c, page.String(), suite.String())
			}
		}
		if strings.Contains(page.String()+suite.String(), "It is so.") || strings.Contains(page.String(), string(r.Decision)) {
			t.Errorf("%s:\n%s\n%s", name, page.String(), suite.String())
		}
	}
}

// TestToldBoundsArePossible: a line tells no change that the scale does not have, and what is decided is decided by the bounds themselves.
func TestToldBoundsArePossible(t *testing.T) {
	t.Parallel()
	m := GateMetric{ID: "correctness", Min: 1, Max: 5}
	b := Bounded{n: 3, mean: -1, se: 2, lower: -4.6, upper: 4.2}
	margin := -0.2
	c := GateCheck{Decision: stats.Inconclusive, Bound: &margin}
	m.Items = []GateItem{{Paired: true, Before: 3, After: 3}}
	m.tell(&c, b, m.limit(-margin, newNote("gate.limit_asked")), DefaultGateRules())
	if !strings.Contains(c.Message, "changed by anything from a fall of 4 to a rise of 4 (true in 90 of") ||
		!strings.Contains(c.MessageJA, "4の低下から4の上昇までの範囲") {
		t.Errorf("%s\n%s", c.Message, c.MessageJA)
	}
	r := gated(t, gateArms([]float64{-3, 0, -3}, nil), DefaultGateRules())
	if c := checkOf(t, r, "not_worse"); *c.Lower > -4 || !strings.Contains(c.Message, "from a fall of 4 to a rise of") ||
		math.IsNaN(*c.Upper) {
		t.Errorf("lower %v: %s", *c.Lower, c.Message)
	}
}

// TestNoWorseAnswerNamesThoseThatScoredLower: whoever reads that no answer is confirmed as worse reads beside it how many scored lower.
func TestNoWorseAnswerNamesThoseThatScoredLower(t *testing.T) {
	t.Parallel()
	for lower := range 4 {
		arms := gateArms(around(20, 0), nil)
		for i := range arms.Questions {
			q := &arms.Questions[i]
			q.Verdict, q.gain = NoChange, 0
			if i < lower {
				q.Verdict, q.gain = NeedsCheck, -1
			} else if i < lower+2 {
				q.Verdict, q.gain = NeedsCheck, 1
			}
		}
		c := checkOf(t, gated(t, arms, DefaultGateRules()), "share_worse")
		en, ja := fmt.Sprintf(" %d answers that only scored lower", lower), fmt.Sprintf("。スコアは下がったものの悪化と確定していない%d件", lower)
		if lower == 1 {
			en = " 1 answer that only scored lower"
		}
		if strings.Contains(c.Message, en) != (lower > 0) || strings.Contains(c.MessageJA, ja) != (lower > 0) || c.Decision != stats.Pass {
			t.Errorf("%d scored lower: %s\n%s", lower, c.Message, c.MessageJA)
		}
	}
}

// TestMixedQuestionsLoseByOneMetric: the guard where it became low, else the first.
func TestMixedQuestionsLoseByOneMetric(t *testing.T) {
	t.Parallel()
	guard := func(m Movement, at Crossing) *Deciding { return &Deciding{Metric: "trust", Movement: m, Crossing: at} }
	for want, v := range map[string]QuestionVerdict{
		"trust":       {Verdict: Mixed, First: Deciding{Metric: "correctness", Movement: Rose}, Guard: guard(Fell, BecameLow)},
		"correctness": {Verdict: Mixed, First: Deciding{Metric: "correctness", Movement: Fell}, Guard: guard(Rose, LeftLow)},
		"":            {Verdict: Worse, First: Deciding{Metric: "correctness", Movement: Fell}, Guard: guard(Fell, BecameLow)},
	} {
		if got := v.Lost(); got != want {
			t.Errorf("lost by %q, want %q", got, want)
		}
	}
}

// TestAMarginSaysWhereItComesFrom: asked for, the usual one, what so many questions can show, or the largest allowed; of the scores that
// must be there it is said how many that are.
func TestAMarginSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	noisy := func(size float64) []float64 {
		gains := make([]float64, 40)
		for i := range gains {
			gains[i] = size * float64(1-2*(i%2))
		}
		return gains
	}
	for _, c := range []struct {
		size, margin float64
		want         string
	}{
		{1, 0.2, "0.8 (20% of the scale from 1 to 5, set for this check)"},
		{0.1, 0, "0.2 (5% of the scale from 1 to 5, preset by RAG Workbench)"},
		{0.75, 0, "0.299 (7.47% of the scale from 1 to 5, raised by RAG Workbench from 0.2)"},
		{0.75, 0, "By the usual limit of 0.2 it would not pass; RAG Workbench raised that, because changes that vary this much would often fail " +
			"even a candidate as good as the baseline. To decide by 0.2, set the margin to 5% (--margin 5%)"},
		{3, 0, "0.4 (10% of the scale from 1 to 5, raised by RAG Workbench from 0.2)"},
	} {
		rules := DefaultGateRules()
		rules.Margin = c.margin
		r := gated(t, gateArms(noisy(c.size), nil), rules)
		if said := checkOf(t, r, "not_worse").Message; !strings.Contains(said, c.want) || strings.Contains(said, "surely") {
			t.Errorf("%q is not in %q", c.want, said)
		}
	}
	for n := 1; n < 400; n++ { // counted by trying all
		least := 0
		for float64(least)/float64(n) < 0.98 {
			least++
		}
		if got := leastScored(n, 0.98); got != least {
			t.Errorf("%d of %d, want %d", got, n, least)
		}
	}
}

// TestASecondLookSaysWhyItIsWrongLessOften: a level that differs from the usual one has its reason beside it, in every outcome and both
// languages, and how often bounds are wrong is never told in percent, as shares of the scale are.
func TestASecondLookSaysWhyItIsWrongLessOften(t *testing.T) {
	t.Parallel()
	outcomes := map[stats.Decision]bool{}
	for _, gains := range [][]float64{around(60, -0.1), around(60, -2), around(60, 2), missing(around(60, 0.4), 30)} {
		for _, looks := range []int{1, 2} {
			rules := DefaultGateRules()
			if looks == 2 {
				rules.Alpha = SecondLook
			}
			c := checkOf(t, gated(t, gateArms(gains, nil), rules), "not_worse")
			outcomes[c.Decision] = true
			right := func(level float64) string { // a bound misses on one side, a range on either
				if c.Decision == stats.Inconclusive || c.Missing {
					level *= 2
				}
				return strconv.Itoa(int(math.Round(100 * (1 - level))))
			}
			for said, want := range map[string][2]string{
				c.Message: {right(0.05) + " of 100 such comparisons)", right(SecondLook) + " of 100 such comparisons: some questions were scored again"},
				c.MessageJA: {"100回中" + right(0.05) + "回は正しい推定です）", "100回中" + right(SecondLook) +
					"回は正しい推定です。一部の質問を採点し直し"},
			} {
				if !strings.Contains(said, want[looks-1]) || strings.Contains(said, want[2-looks]) {
					t.Errorf("%d looks: %q is not in %q", looks, want[looks-1], said)
				}
				told, _, _ := strings.Cut(strings.ReplaceAll(said, "通常の許容幅", "The usual limit"), "The usual limit")
				if strings.Count(told, "%") > 1 {
					t.Errorf("two shares in %q", told)
				}
			}
		}
	}
	if len(outcomes) != 3 {
		t.Errorf("only %v were tried", outcomes)
	}
}

// TestAChangeIsToldAsTheMetricChanged: where less is better, a loss is a rise of the mean that people see elsewhere, in every line that
// tells of it; what is decided stays the same as of the mirrored metric.
func TestAChangeIsToldAsTheMetricChanged(t *testing.T) {
	t.Parallel()
	for name, diffs := range map[string][]float64{
		"unsure": around(60, -0.1), "worse": around(60, -2), "better": around(60, 2), "missing": missing(around(60, 0.4), 30),
	} {
		up := gateArms(diffs, nil)
		down := gateArms(diffs, func(_ int, item *judgedItem) { item.Before, item.After = -item.Before, -item.After })
		m := &down.Metrics[0]
		m.LowerIsBetter, m.Min, m.Max = true, -5, -1
		was, is := checkOf(t, gated(t, up, DefaultGateRules()), "not_worse"), checkOf(t, gated(t, down, DefaultGateRules()), "not_worse")
		if was.Decision != is.Decision || *was.Value != *is.Value || *was.Lower != *is.Lower {
			t.Errorf("%s: %+v, mirrored %+v", name, was, is)
		}
		before, after, n := 0.0, 0.0, 0.0
		for _, item := range m.Items {
			if !math.IsNaN(item.After) {
				before, after, n = before+item.Before, after+item.After, n+1
			}
		}
		change, ja := "rose by ", "上がりました"
		if after < before {
			change, ja = "fell by ", "下がりました"
		}
		by := fmt.Sprintf("%.3g", math.Abs(after/n-before/n))
		if !strings.Contains(is.Message, fmt.Sprintf("he mean of correctness %s%s (%g questions; less is better)", change, by, n)) ||
			!strings.Contains(is.MessageJA, fmt.Sprintf("平均は%s%s（%g問、低いほど良い指標）", by, ja, n)) {
			t.Errorf("%s: the mean %s%s, which is not in %q, %q", name, change, by, is.Message, is.MessageJA)
		}
		if strings.Contains(was.Message, "less is better") {
			t.Error(was.Message)
		}
		if unsure := is.Decision == stats.Inconclusive; strings.Contains(is.Message, "Whether a rise stays below the limit") != unsure ||
			strings.Contains(was.Message, "Whether a fall stays below the limit") != unsure {
			t.Errorf("%s: %s\n%s", name, was.Message, is.Message)
		}
		mirror := strings.NewReplacer("fall", "rise", "rise", "fall", "fell", "rose", "rose", "fell",
			"低下", "上昇", "上昇", "低下", "下が", "上が", "上が", "下が",
			"; less is better", "", "、低いほど良い指標", "", "-5 to -1", "1 to 5", "-5〜-1", "1〜5")
		if either := strings.Contains(is.Message, "a fall of"); !either && mirror.Replace(is.Message) != was.Message ||
			!either && mirror.Replace(is.MessageJA) != was.MessageJA {
			t.Errorf("%s:\n%s\n%s\n%s\n%s", name, was.Message, is.Message, was.MessageJA, is.MessageJA)
		}
	}
}

// TestWhatIsSaidOfAMeanIsSo: over many shapes of changes, either way of better and every outcome, the words beside each bound are those of
// the bound itself, whatever its sign.
func TestWhatIsSaidOfAMeanIsSo(t *testing.T) {
	t.Parallel()
	bounds := regexp.MustCompile(`over all questions like these it (fell|rose|changed) by (at most|at least|anything from a fall of)? ?` +
		`([0-9.e-]+)(, if at all| to a rise of| to)? ?([0-9.e-]+)? \(true in (\d+) of`)
	seen := map[string]int{}
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 77))
		m := GateMetric{ID: "correctness", Min: 1, Max: 5, LowerIsBetter: seed%2 == 1}
		mean, reach := 2*r.Float64()-1, r.Float64()*r.Float64()
		b := Bounded{n: 40, mean: mean, se: reach / 2, lower: mean - reach, upper: mean + reach}
		margin := 0.01 + r.Float64()/2
		c := GateCheck{Decision: b.Decide(margin), Bound: new(-margin), LowerIsBetter: m.LowerIsBetter}
		m.Items = []GateItem{{Paired: true, Before: 3, After: 3}}
		m.tell(&c, b, m.limit(margin, newNote("gate.limit_asked")), DefaultGateRules())
		words := bounds.FindStringSubmatch(c.Message)
		if words == nil {
			t.Fatalf("seed %d: %s", seed, c.Message)
		}
		first, _ := strconv.ParseFloat(words[3], 64)
		second, _ := strconv.ParseFloat(words[5], 64)
		sign := map[string]float64{"fell": -1, "rose": 1}[words[1]]
		if m.LowerIsBetter {
			sign = -sign
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 0.006*max(math.Abs(a), math.Abs(b)) }
		is, right := false, "95"
		switch words[2] + words[4] {
		case "at most":
			is = c.Decision == stats.Pass && near(sign*first, b.lower) && b.lower < 0 && b.upper < 0
		case "at most, if at all":
			is = c.Decision == stats.Pass && near(sign*first, b.lower) && b.lower < 0 && b.upper >= 0
		case "at least":
			is = near(sign*first, b.lower) && b.lower > 0 && c.Decision == stats.Pass ||
				near(sign*first, b.upper) && c.Decision == stats.Fail
		case " to":
			is, right = c.Decision == stats.Inconclusive && near(sign*first, b.upper) && near(sign*second, b.lower), "90"
		case "anything from a fall of to a rise of":
			low, high := -first, second
			if m.LowerIsBetter {
				low, high = -second, first
			}
			is, right = c.Decision == stats.Inconclusive && near(low, b.lower) && near(high, b.upper), "90"
		}
		seen[words[2]+words[4]]++
		if !is || words[6] != right {
			t.Errorf("seed %d: %+v %s: %s", seed, b, c.Decision, c.Message)
		}
	}
	if len(seen) != 5 {
		t.Errorf("only %v were tried", seen)
	}
}

// TestMoreQuestionsAreAskedForOnlyWhereTheyWouldHelp: not where the mean surely fell, nor to meet a limit that the number of questions set.
func TestMoreQuestionsAreAskedForOnlyWhereTheyWouldHelp(t *testing.T) {
	t.Parallel()
	margins := map[float64][]bool{}
	for _, margin := range []float64{0, 0.05} {
		for mean := -0.8; mean < 0.3; mean += 0.1 {
			rules := DefaultGateRules()
			rules.Margin = margin
			c := checkOf(t, gated(t, gateArms(around(60, mean), nil), rules), "not_worse")
			said := strings.Contains(c.Message, "would be enough")
			if said && (c.Decision != stats.Inconclusive || *c.Upper < 0 || strings.Contains(c.Message, "cannot show a smaller loss")) {
				t.Errorf("a mean of %+.1f: %s", mean, c.Message)
			}
			margins[margin] = append(margins[margin], said)
		}
	}
	if !slices.Contains(margins[0.05], true) {
		t.Error("a limit that was asked for never says how many questions meet it")
	}
}

// Lists of what differs are joined by semicolons: none stands within a reason.
func TestAReasonOfAChangeHasNoSemicolon(t *testing.T) {
	t.Parallel()
	for code, said := range words {
		if strings.HasPrefix(code, "class.") && strings.ContainsAny(said[0]+said[1], ";；") {
			t.Errorf("%s: %q", code, said)
		}
	}
}

// TestNoChangeHasNoSign: a mean that did not change, and a bound that is none, are 0 and not +0 in either language.
func TestNoChangeHasNoSign(t *testing.T) {
	t.Parallel()
	c := checkOf(t, gated(t, gateArms(repeat(200, 0), nil), DefaultGateRules()), "not_worse")
	for _, said := range []string{c.Message, c.MessageJA} {
		if strings.Contains(said, "+0 ") || strings.Contains(said, "+0、") || strings.Contains(said, "+0で") {
			t.Errorf("%s", said)
		}
	}
	if !strings.Contains(c.MessageJA, "200問すべての採点が比較の基準と候補で同じで、平均に変化はありません") {
		t.Errorf("%s", c.MessageJA)
	}
}

// TestChecksKeepTheirNamesInCI: CI systems keep the history of a check by the name of its test case (docs/adr/0073). Whoever changes a name
// says so in the changelog.
func TestChecksKeepTheirNamesInCI(t *testing.T) {
	t.Parallel()
	names := map[string][2]string{
		"threshold": {"required mean: correctness", "平均の条件：正確性"}, "not_worse": {"change of the mean: correctness", "平均の変化：正確性"},
		"slice": {"tags: correctness", "タグ：正確性"}, "quality": {"scores of answers: correctness", "回答の採点：正確性"},
		"share_worse": {"share of worse answers", "悪化した回答の割合"}, "critical": {"critical questions", "重要な質問"},
		"dropped":  {"questions that were dropped or changed", "削除・変更された質問"},
		"coverage": {"coverage", "採点できた割合"},
	}
	for name, want := range names {
		c := GateCheck{Name: name, Metric: "correctness"}
		if !strings.Contains(want[0], ": ") {
			c.Metric = ""
		}
		if got := [2]string{c.Title("en"), c.Title("ja")}; got != want {
			t.Errorf("%s is called %q in CI, and was %q", name, got, want)
		}
	}
	for code := range words {
		if name, is := strings.CutPrefix(code, "gate.title."); is && name != "of" && names[name] == [2]string{} {
			t.Errorf("%s has a name that nothing holds", name)
		}
	}
}
