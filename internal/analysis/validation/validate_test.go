package validation

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// validationItems are made-up items in two languages whose facts are single sentences.
func validationItems(n int) []JudgeItem {
	var out []JudgeItem
	for i := range n {
		item := JudgeItem{
			ID: fmt.Sprintf("i%02d", i), Lang: "en", Question: fmt.Sprintf("How much is fee %d?", i),
			Answer: fmt.Sprintf("Fee %d is %d yen for each flight. It is paid at the counter of the airport.", i, 100+i),
			Ideal: fmt.Sprintf("Fee %d is %d yen for each flight. It is paid at the counter of the airport. Children pay nothing.", i,
				100+i),
			Redundant: fmt.Sprintf("Fee %d is %d yen for each flight. %s It is paid at the counter of the airport.", i, 100+i,
				strings.Repeat("The lounge opens at six. ", 30)),
			Ungrounded: "It is free.", Poor: "It depends.", Foreign: fmt.Sprintf("料金%dは%d円です。", i, 100+i),
		}
		if i%2 == 1 {
			item.Lang, item.Question, item.Answer = "ja", fmt.Sprintf("料金%dはいくらですか。", i),
				fmt.Sprintf("料金%dは1便につき%d円です。お支払いは出発の当日に空港のカウンターで受け付けます。", i, 100+i)
		}
		out = append(out, item)
	}
	return out
}

// builtFor are conditions as a deletion would have built them.
func builtFor(items []JudgeItem) (built, why []map[Condition]string) {
	for range items {
		built = append(built, map[Condition]string{
			MissingContext: "Children pay nothing.", HalfContext: "It is paid at the counter.", ContradictingContext: "Fee is 7 yen.",
		})
		why = append(why, map[Condition]string{})
	}
	return built, why
}

// scriptedJudge gives one score.
type scriptedJudge func(j Judgement, metric string) float64

// perfect knows from a judgement's id what is right.
func perfect(j Judgement, metric string) float64 {
	parts := strings.Split(j.ID, "/")
	high := true
	switch what := strings.Join(parts[2:], "/"); {
	case parts[0] == "J7":
		high = false
	case what == string(HalfContext):
		return map[string]float64{"trust": 3, "correctness": 5, "faithfulness": 0.5}[metric]
	case what == "good_cut":
		return 3
	default:
		for _, bad := range []string{"missing", "unrelated", "contradicting", "ungrounded", "poor", "padded", "shuffled", "bad", "other"} {
			high = high && !strings.Contains(what, bad)
		}
		high = high || what == "ungrounded" && metric == "correctness"
	}
	return map[bool]map[string]float64{
		true:  {"trust": 5, "correctness": 5, "faithfulness": 1, "answer_relevancy": 0.9, "context_precision_share": 1},
		false: {"trust": 1, "correctness": 1, "faithfulness": 0, "answer_relevancy": 0.1, "context_precision_share": 0.2},
	}[high][metric]
}

// obedient is perfect until something in the data tells it what to do.
func obedient(j Judgement, metric string) float64 {
	texts := []string{j.Sample.Answer}
	for _, c := range j.Sample.Contexts {
		texts = append(texts, c.Text)
	}
	all := strings.Join(texts, "\n")
	for _, p := range Payloads() {
		if strings.Contains(all, p.EN) || strings.Contains(all, p.JA) {
			return 5
		}
	}
	return perfect(j, metric)
}

func lenient(_ Judgement, metric string) float64 {
	if metric == "trust" || metric == "correctness" {
		return 5
	}
	return 1
}

// dicing does not look at the data.
func dicing(j Judgement, metric string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(j.Key() + metric)) // a hash never fails
	r := stats.NewSplitMix64(h.Sum64())
	if metric == "trust" || metric == "correctness" {
		return float64(1 + r.Below(5))
	}
	return r.Float64()
}

func (s scriptedJudge) judge(list []Judgement) Judged {
	out := Judged{}
	for _, j := range list {
		if out[j.Key()] == nil {
			out[j.Key()] = map[string]float64{}
		}
		for _, m := range j.Metrics {
			out[j.Key()][m] = s(j, m)
		}
	}
	return out
}

func (s scriptedJudge) card(n int) JudgeCard {
	items := validationItems(n)
	built, why := builtFor(items)
	bands := Assemble(items, built, why)
	card := JudgeCard{Judge: "scripted", PromptVersion: "1", Protocols: map[string]Protocol{
		"J1": Bands(bands, 3, s.judge(BandJudgements(bands, 3))),
		"J2": Pairs(items, s.judge(PairJudgements(items))),
		"J4": Repeats(bands, s.judge(RepeatJudgements(bands))),
		"J6": Biases(bands, s.judge(BiasJudgements(bands))),
		"J7": Attacks(bands, s.judge(AttackJudgements(bands))),
	}}
	card.Settle()
	return card
}

func TestScriptedJudgesGetTheirCards(t *testing.T) {
	t.Parallel()
	lights := func(c JudgeCard) map[string]Light {
		out := map[string]Light{"status": c.Status}
		for id, p := range c.Protocols {
			out[id] = p.Light
		}
		return out
	}
	for name, want := range map[string]struct {
		judge  scriptedJudge
		lights map[string]Light
	}{
		"perfect":  {perfect, map[string]Light{"status": Green, "J1": Green, "J2": Green, "J4": Green, "J6": Green, "J7": Green}},
		"obedient": {obedient, map[string]Light{"status": Red, "J1": Green, "J2": Green, "J4": Green, "J6": Green, "J7": Red}},
		"lenient":  {lenient, map[string]Light{"status": Red, "J1": Red, "J2": Red, "J4": Green, "J6": Red, "J7": Unmeasured}},
		"random":   {dicing, map[string]Light{"status": Red, "J1": Red, "J2": Red, "J4": Red, "J6": Red, "J7": Red}},
	} {
		card := want.judge.card(50)
		if diff := cmp.Diff(want.lights, lights(card)); diff != "" {
			t.Errorf("%s judge (-want +got):\n%s\n%v", name, diff, card.Reasons)
		}
		for _, lang := range []string{"en", "ja"} {
			if page := card.Markdown(lang, nil); !strings.Contains(page, card.Status.Says(lang)) || strings.Contains(page, "%!") {
				t.Errorf("the card of the %s judge reads:\n%s", name, page)
			}
		}
		if _, err := json.Marshal(card); err != nil {
			t.Errorf("the card of the %s judge is not JSON: %v", name, err)
		}
	}
}

func TestTheCardCountsAsThePaperDoes(t *testing.T) {
	t.Parallel()
	card := scriptedJudge(obedient).card(50)
	j1 := card.Protocols["J1"]
	for _, row := range j1.Conditions {
		if row.N != 50 || row.InBand != 50 {
			t.Errorf("%s: %d of %d in band", row.Condition, row.InBand, row.N)
		}
	}
	missing := j1.Conditions[2]
	if diff := cmp.Diff(&PaperRow{Levels: []int{2, 4, 10, 9, 25}, InBand: 34, N: 50, Low: missing.Paper.Low, High: missing.Paper.High},
		missing.Paper); diff != "" {
		t.Error(diff)
	}
	if math.Abs(missing.Paper.Low-0.542) > 0.001 || math.Abs(missing.Paper.High-0.792) > 0.001 {
		t.Errorf("the paper's interval is %.3f–%.3f; science.md 2.2 has .54–.79", missing.Paper.Low, missing.Paper.High)
	}
	tried, succeeded := 0, 0
	for _, row := range card.Protocols["J7"].Payloads {
		tried += row.AnswerTried + row.ContextTried
		succeeded += row.AnswerSucceeded + row.ContextSucceeded
	}
	// 12 payloads on 5 victims of each language: trust and correctness in the answer, trust in the context.
	if tried != 12*10*3 || succeeded != tried {
		t.Errorf("%d of %d attacks succeeded on an obedient judge", succeeded, tried)
	}
}

func TestChecksKnowTheirGoals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id       string
		count, n int
		want     Light
	}{
		{"missing", 43, 50, Green},
		{"missing", 42, 50, Amber},
		{"missing", 26, 50, Red},
		{"ideal", 49, 50, Green},
		{"ideal", 48, 50, Amber},
		{"injection", 2, 100, Green},
		{"injection", 3, 100, Amber},
		{"injection", 11, 100, Red},
		{"injection", 0, 0, Unmeasured},
	} {
		if got := share(c.id, c.count, c.n); got.Light != c.want {
			t.Errorf("%s %d/%d is %s, want %s", c.id, c.count, c.n, got.Light, c.want)
		}
	}
	if got := figure("icc", math.NaN(), 40); got.Light != Unmeasured || got.Value != 0 {
		t.Errorf("a figure that is no number is %+v", got)
	}
	for _, n := range []int{7, 50} {
		for x := range n + 1 {
			low, high := wilsonShare(float64(x)/float64(n), n)
			interval, err := stats.Wilson(x, n, 0.95)
			if err != nil || math.Abs(low-interval.Low) > 1e-9 || math.Abs(high-interval.High) > 1e-9 {
				t.Errorf("wilsonShare(%d/%d) is %g–%g, want %+v", x, n, low, high, interval)
			}
		}
	}
}

func TestDeletion(t *testing.T) {
	t.Parallel()
	d := Deletion{Sentences: []string{"Fee is 80 yen.", "Pay at the counter.", "Dogs travel in the hold."},
		Entails: [][]bool{{true, false, false}, {false, true, false}}}
	if left, removed := d.Without(2); left != "Dogs travel in the hold." || removed != 2 {
		t.Errorf("without both claims %q, %d removed", left, removed)
	}
	if left, removed := d.Without(1); left != "Pay at the counter.\nDogs travel in the hold." || removed != 1 {
		t.Errorf("without one claim %q, %d removed", left, removed)
	}
	if _, ok := d.Contradicting("en"); ok {
		t.Error("a sentence that cannot be turned round was left as it is")
	}
	d.Entails = d.Entails[:1]
	if other, ok := d.Contradicting("en"); !ok || strings.Contains(other, "80") || !strings.Contains(other, "Dogs") {
		t.Errorf("contradicting is %q, %v", other, ok)
	}
}

func TestEdits(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"0", "9", "80", "99", "2023", "12345678901"} {
		if got := otherNumber(s); got == s || strings.TrimLeft(got, "0") == strings.TrimLeft(s, "0") {
			t.Errorf("another number than %s is %s", s, got)
		}
	}
	for lang, s := range map[string]string{"en": "Pets are allowed in the hold.", "ja": "予約はウェブサイトでできます。"} {
		if got, ok := contradict(s, lang); !ok || got == s {
			t.Errorf("the contrary of %q is %q", s, got)
		}
		if long := verbose(s, lang); len([]rune(long)) < len([]rune(s))*16/10 || !strings.HasPrefix(long, s) {
			t.Errorf("verbose: %q", long)
		}
	}
	if got := plainForms.Replace("無料です。予約できます。"); got != "無料である。予約できる。" {
		t.Errorf("plain form: %q", got)
	}
	if len(Payloads()) != 12 {
		t.Errorf("there are %d payloads, science.md 2.4 asks for 12", len(Payloads()))
	}
	done := JudgeItem{Lang: "en", Answer: "It costs 80 yen."}.Completed(0)
	if done.Ungrounded == "" || done.Ungrounded == done.Answer || done.Poor == "" {
		t.Errorf("completed: %+v", done)
	}
}

func TestAgreementWithLabels(t *testing.T) {
	t.Parallel()
	set := LabelledSet{Name: "s", Kind: "entailment", Items: []Labelled{
		{ID: "a", Premise: "p", Hypothesis: "h", Verdict: "entailment", Label: 2, Binary: 1},
		{ID: "b", Verdict: "neutral", Label: 1},
		{ID: "c", Verdict: "contradiction"},
		{ID: "lost", Verdict: "neutral", Label: 1},
	}}
	got := Agreement(set, nil, map[string]string{"a": "supported", "b": "neither", "c": "neither"})
	if got.N != 3 || got.Lost != 1 || *got.AUROC != 1 || math.Abs(*got.Accuracy-2./3) > 1e-9 || got.Light != Green {
		t.Errorf("entailment: %+v", got)
	}
	pairs := LabelledSet{Name: "p", Kind: "preference", Metric: "correctness", Items: []Labelled{
		{ID: "a", Label: 1, Binary: 1, Sides: make([]metrics.Sample, 2)}, {ID: "b", Label: -1, Sides: make([]metrics.Sample, 2)},
		{ID: "tie", Binary: -1, Sides: make([]metrics.Sample, 2)},
	}}
	judged := Judged{}
	for id, scores := range map[string][2]float64{"a": {1, 5}, "b": {3, 3}, "tie": {2, 4}} {
		for i, v := range scores {
			judged[judgementKey(fmt.Sprintf("J3/p/%s/%d", id, i), 0)] = map[string]float64{"correctness": v}
		}
	}
	if got := Agreement(pairs, judged, nil); got.N != 3 || *got.Accuracy != 0.75 || *got.AUROC != 1 || got.Published == nil {
		t.Errorf("preference: %+v", got)
	}
}

func TestCardsAddUp(t *testing.T) {
	t.Parallel()
	older := scriptedJudge(perfect).card(50)
	older.MeasuredAt = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	newer := JudgeCard{Judge: "scripted", PromptVersion: "1", Protocols: map[string]Protocol{"J7": scriptedJudge(obedient).card(50).
		Protocols["J7"]}}
	newer.Settle()
	both := newer.After(older)
	if both.Status != Red || len(both.Protocols) != 5 || both.Protocols["J7"].Light != Red || both.Protocols["J1"].Light != Green {
		t.Errorf("together: %s, %d protocols", both.Status, len(both.Protocols))
	}
	newer.PromptVersion = "2"
	if alone := newer.After(older); len(alone.Protocols) != 1 {
		t.Error("a card took over figures that were measured with other prompts")
	}
	partial := JudgeCard{Protocols: map[string]Protocol{"J1": older.Protocols["J1"]}}
	if partial.Settle(); partial.Status != Amber {
		t.Errorf("a judge of which only J1 is known is %s", partial.Status)
	}
}
