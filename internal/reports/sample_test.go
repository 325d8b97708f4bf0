package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// suite is what the sample measures.
func suite() []metrics.Spec {
	return []metrics.Spec{
		{
			ID: "faithfulness", Version: "2", Max: 1, Delta: 0.2, TitleEN: "Faithfulness", TitleJA: "忠実性",
			MeaningEN: "Share of the answer's claims that the contexts support.", MeaningJA: "回答の主張のうち、参照箇所で裏付けられる割合。",
		},
		{
			ID: correctness, Version: "3", Min: 1, Max: 5, Delta: 1, NeedsJudge: true, TitleEN: "Correctness", TitleJA: "正確性",
			MeaningEN: "Agreement of the answer with the reference.", MeaningJA: "回答と正解の一致度。",
		},
		{
			ID: trust, Version: "3", Min: 1, Max: 5, Delta: 1, NeedsJudge: true, TitleEN: "Trust", TitleJA: "信頼性",
			MeaningEN: "How far the answer rests on the contexts.", MeaningJA: "回答が参照箇所に基づく度合い。",
		},
		{
			ID: "context_recall", Version: "1", Max: 1, Delta: 0.2, TitleEN: "Context recall", TitleJA: "コンテキスト再現率",
			MeaningEN: "Share of the reference that the contexts support.", MeaningJA: "正解のうち、参照箇所で裏付けられる割合。",
		},
		{
			ID: spanCoverage, Version: "1", Max: 1, Delta: 0.2, TitleEN: "Evidence found", TitleJA: "根拠の取得率",
			MeaningEN: "Share of the marked evidence that was retrieved.", MeaningJA: "根拠のうち取得できた割合。",
		},
		{
			ID: "noise_sensitivity", Version: "1", Max: 1, Delta: 0.2, LowerIsBetter: true, TitleEN: "Noise sensitivity", TitleJA: "ノイズ感度",
			MeaningEN: "Share of wrong claims that come from the contexts.", MeaningJA: "参照箇所に由来する誤った主張の割合。",
		},
	}
}

// marks are the scores of one question: correctness and trust before and after, and evidence found before and after.
type marks struct {
	id, theme string
	critical  bool
	c, t, e   [2]float64
}

var sheet = []marks{
	{"q-001", "refunds", true, [2]float64{5, 5}, [2]float64{5, 5}, [2]float64{1, 1}},
	{"q-002", "refunds", true, [2]float64{4, 2}, [2]float64{4, 2}, [2]float64{0.8, 0.3}},
	{"q-003", "baggage", false, [2]float64{2, 5}, [2]float64{5, 5}, [2]float64{0, 1}},
	{"q-004", "baggage", false, [2]float64{1, 4}, [2]float64{1, 4}, [2]float64{0, 0.7}},
	{"q-005", "baggage", false, [2]float64{5, 5}, [2]float64{4, 5}, [2]float64{1, 1}},
	{"q-006", "children", false, [2]float64{2, 2}, [2]float64{1, 4}, [2]float64{0, 0}},
	{"q-007", "children", false, [2]float64{5, 3}, [2]float64{5, 5}, [2]float64{1, 1}},
	{"q-008", "check-in", false, [2]float64{4, 4}, [2]float64{4, 4}, [2]float64{1, 1}},
	{"q-009", "check-in", false, [2]float64{5, 5}, [2]float64{2, 5}, [2]float64{0.4, 1}},
	{"q-010", "check-in", false, [2]float64{4, 5}, [2]float64{5, 5}, [2]float64{1, 1}},
	{"q-011", "seats", false, [2]float64{3, 4}, [2]float64{4, 4}, [2]float64{0.5, 0.8}},
	{"q-012", "seats", false, [2]float64{5, 5}, [2]float64{5, 5}, [2]float64{1, 1}},
	{"q-013", "meals", false, [2]float64{4, 3.5}, [2]float64{4, 4}, [2]float64{1, 0.9}},
	{"q-014", "meals", false, [2]float64{0, 0}, [2]float64{5, 5}, [2]float64{0, 0}}, // no reference
	{"q-015", "loyalty", false, [2]float64{5, 5}, [2]float64{5, 5}, [2]float64{1, 1}},
	{"q-016", "loyalty", false, [2]float64{4, 0}, [2]float64{4, 0}, [2]float64{1, 0}}, // fails in the candidate
}

// prose is the text of a question: question, reference, answer before, answer after, context.
type prose [5]string

var hostile = prose{
	`=HYPERLINK("http://evil.example","Click me")`,
	"\t=1+1 is what the reference says\x00\x08, with a <b>bold</b> claim & more",
	"<script>alert('before')</script> ![x](http://evil.example/x.png) | a table cell",
	"+SUM(A1:A9) @someone ✈️🧳 髙﨑①㈱ http://evil.example [link](javascript:alert(1)) `code` *bold* _x0041_",
	"-2+3 lines\r\nof a <context> ＝全角",
}

var english = []prose{
	{"Can I get my money back when the airline cancels my flight?", "Yes. A cancelled flight is refunded in full, without a fee.",
		"Yes, we refund a cancelled flight in full.", "Yes. You get the full fare back and pay no fee.",
		"If we cancel a flight, the fare is refunded in full. No fee is charged."},
	{"Is a ticket refundable when a typhoon grounds the plane?",
		"Yes. Weather cancellations are refunded or rebooked free of charge within 30 days.",
		"Yes, you may choose a refund or another flight within 30 days.", "No. Promotional fares are not refundable, whatever the reason.",
		"Promotional fares are not refundable. Exceptions are listed under irregular operations."},
	{"How much may my cabin bag weigh?", "10 kg, including the small personal item.",
		"The contexts do not say how heavy a cabin bag may be.", "Cabin baggage may weigh 10 kg, personal item included.",
		"Cabin baggage: one bag and one personal item, 10 kg together."},
	{"Can I take a surfboard?", "Yes, up to 203 cm, as checked baggage.", "Sports equipment is never accepted.",
		"Yes. Boards up to 203 cm travel as checked baggage.", "Surfboards are accepted as checked baggage up to 203 cm in length."},
	{"What happens when my suitcase arrives damaged?", "Report it at the arrival desk within seven days.",
		"Report the damage at the arrival desk within seven days.", "Report the damage at the arrival desk within seven days.",
		"Damage must be reported within seven days at the arrival desk."},
	{"May I use a bassinet for my baby?", "Yes, on request 48 hours before departure; the baby must weigh less than 10 kg.",
		"I could not find anything about bassinets.", "We are sorry, the documents do not mention bassinets.",
		"Children under two travel on the lap of an adult."},
	{"From which age may a child fly alone?", "From six years, with the escort service.",
		"Children of six and older may fly alone with our escort service.", "From the age of six.",
		"Unaccompanied children: six to eleven years, escort service required."},
	{"When does online check-in open?", "24 hours before departure.", "It opens 24 hours before departure.",
		"It opens 24 hours before departure.", "Online check-in opens 24 hours before departure and closes at 60 minutes."},
	{"By when must I be at the gate?", "Ten minutes before departure.", "Ten minutes before departure, as a rule.",
		"At the latest ten minutes before departure.", "Passengers must be at the gate ten minutes before departure."},
	{"Can I change my name on the booking?", "Spelling mistakes yes, another person no.", "Only spelling mistakes can be corrected.",
		"Spelling mistakes can be corrected, but a ticket cannot pass to another person.",
		"Tickets are not transferable. Spelling mistakes are corrected on request."},
	{"Do seats with more legroom cost extra?", "Yes, from 20 euros; free for gold members.", "They cost extra.", "They cost from 20 euros.",
		"Legroom seats: from 20 euros, free of charge for gold members."},
	{"Can I choose my seat for free?", "Yes, from check-in on.", "Yes, once check-in has opened.", "Yes, once check-in has opened.",
		"Seat choice is free of charge from check-in on."},
	{"Are there vegan meals?", "Yes, ordered 24 hours ahead.", "Yes, please order 24 hours ahead.", "Vegan meals can be ordered.",
		"Special meals, such as vegan ones, are ordered 24 hours ahead."},
	{"Which wines do you serve in March?", "", "The list changes each month.", "The list changes each month.",
		"The wine list changes each month."},
	hostile,
	{"When do my points expire?", "36 months after the flight.", "After 36 months.", "", "Points expire 36 months after the flight."},
}

var japanese = []prose{
	{"航空会社の都合で欠航になった場合、運賃は戻りますか？", "はい。手数料なしで全額払い戻します。", "はい、欠航便の運賃は全額払い戻します。", "はい。手数料なしで全額を払い戻します。",
		"当社の都合で欠航となった場合、運賃は全額払い戻します。手数料はかかりません。"},
	{"台風で飛行機が飛ばないとき、航空券は払い戻せますか？", "はい。悪天候による欠航は、30日以内の振替または払い戻しが無料です。", "はい、払い戻しか30日以内の別の便を選べます。", "いいえ。特別運賃は理由を問わず払い戻しできません。",
		"特別運賃は払い戻しできません。例外は「運航不規則時の取り扱い」に記載しています。"},
	{"機内持ち込み手荷物は何キロまでですか？", "身の回り品を含めて10kgまでです。", "申し訳ありませんが、重さに関する情報は含まれていません。", "身の回り品と合わせて10kgまでです。", "機内持ち込みは手荷物1個と身の回り品1個、合計10kgまで。"},
	{"サーフボードは預けられますか？", "長さ203cmまで、受託手荷物として預けられます。", "スポーツ用品は一切お預かりしません。", "はい。長さ203cmまでお預かりします。", "サーフボードは長さ203cmまで受託手荷物としてお預かりします。"},
	{"スーツケースが破損していたらどうすればよいですか？", "7日以内に到着カウンターへ申し出てください。", "7日以内に到着カウンターへお申し出ください。", "7日以内に到着カウンターへお申し出ください。",
		"破損は7日以内に到着カウンターへお申し出ください。"},
	{"赤ちゃん用の簡易ベッドは使えますか？", "はい。出発の48時間前までに申し込みが必要で、体重10kg未満に限ります。", "簡易ベッドに関する情報は見つかりませんでした。", "申し訳ありませんが、簡易ベッドに関する記載はありません。",
		"2歳未満のお子さまは大人の膝の上でご搭乗いただけます。"},
	{"子どもは何歳から一人で乗れますか？", "付き添いサービスを使えば6歳からです。", "6歳から、付き添いサービスを利用して一人で搭乗できます。", "6歳からです。", "お子さまの一人旅は6歳から11歳まで。付き添いサービスが必要です。"},
	{"オンラインチェックインはいつから始まりますか？", "出発の24時間前からです。", "出発の24時間前からです。", "出発の24時間前に始まります。", "オンラインチェックインは出発の24時間前から60分前まで。"},
	{"搭乗口には何分前までに行けばよいですか？", "出発の10分前までです。", "通常は出発の10分前です。", "遅くとも出発の10分前までにお越しください。", "搭乗口には出発の10分前までにお越しください。"},
	{"予約の名前は変更できますか？", "つづりの訂正はできますが、別人への変更はできません。", "つづりの訂正のみできます。", "つづりは訂正できますが、他の方へは譲れません。", "航空券は譲渡できません。つづりの誤りはお申し出により訂正します。"},
	{"足元の広い座席は有料ですか？", "20ユーロからです。ゴールド会員は無料です。", "有料です。", "20ユーロからです。", "足元の広い座席は20ユーロから。ゴールド会員は無料です。"},
	{"座席は無料で選べますか？", "チェックイン開始後は無料です。", "はい、チェックイン開始後に選べます。", "はい、チェックイン開始後は無料です。", "座席の指定はチェックイン開始後、無料です。"},
	{"ビーガン向けの機内食はありますか？", "はい。24時間前までに注文が必要です。", "はい、24時間前までにご注文ください。", "ビーガン食を注文できます。", "ビーガンなどの特別食は24時間前までにご注文ください。"},
	{"3月のワインは何ですか？", "", "毎月変わります。", "毎月変わります。", "ワインリストは毎月変わります。"},
	hostile,
	{"ポイントの有効期限はいつですか？", "搭乗から36か月後です。", "36か月です。", "", "ポイントは搭乗の36か月後に失効します。"},
}

var made = time.Date(2026, 11, 23, 6, 0, 0, 0, time.FixedZone("JST", 9*3600))

// sample is an evaluation of an airline's help centre before and after a change of the retriever, with everything that can
// go wrong in a cell.
func sample(lang string) Report {
	texts := english
	title := "Help centre: new chunking"
	if lang == "ja" {
		texts, title = japanese, "ヘルプセンター：チャンク分割の変更"
	}
	before, after := evaluation(lang, texts, 0), evaluation(lang, texts, 1)
	c := contrast(before, after)
	return Report{Input: findings.Input{Candidate: after, Baseline: &before, Comparison: &c}, Lang: lang, Title: title, GeneratedAt: made,
		Version: "0.1.0"}
}

// alone is the sample without a baseline.
func alone(lang string) Report {
	r := sample(lang)
	r.Baseline, r.Comparison, r.Title = nil, nil, ""
	return r
}

func evaluation(lang string, texts []prose, at int) experiments.Evaluation {
	config := rag.DefaultConfig()
	config.Generate.Prompt = "Answer from the contexts alone. Say so when they do not hold the answer."
	run := experiments.Run{
		ID: "1f0c5a7be201", Kind: experiments.KindEvaluate, State: experiments.Finished, SetupDigest: strings.Repeat("a1", 32),
		CreatedAt: made.AddDate(0, 0, -7), FinishedAt: new(made.AddDate(0, 0, -7).Add(4 * time.Minute)),
	}
	if at == 1 {
		config.Chunk.Size, config.Chunk.Overlap, config.Retrieve.K = 800, 200, 4
		config.Embedding.Name = "hash-large"
		run.ID, run.SetupDigest, run.CreatedAt, run.FinishedAt = "9b44d0c3aa17", strings.Repeat("b2", 32), made.Add(-time.Hour),
			new(made.Add(-50*time.Minute))
		run.Params = []experiments.Param{{Name: "chunk.size", Value: 800}, {Name: "chunk.overlap", Value: 200},
			{Name: "retrieve.k", Value: 4}}
	}
	run.Setup = experiments.Setup{
		Experiment: "help-centre", Revision: at + 1, Config: config, LowScore: 2, Offline: true, Settled: true,
		Corpus:  experiments.Ref{Name: "manual", Version: 3, Digest: strings.Repeat("c3", 32)},
		Dataset: experiments.Ref{Name: "faq", Version: 2, Digest: strings.Repeat("d4", 32)},
		Suite:   suite(), Judge: metrics.JudgeConfig{Model: rag.Model{Provider: "offline", Name: "lexical"},
			Embedding: rag.Model{Provider: "offline", Name: "hash"}, ExplainLang: lang},
		Goals: []experiments.Goal{
			{Metric: lowShare, Target: 0.25, Owner: "Customer service", AgreedOn: "2026-10-01"},
			{Theme: "refunds", Metric: correctness, Target: 4.5, Owner: "Legal", AgreedOn: "2026-10-01"},
			{Theme: "pets", Metric: trust, Target: 4},
		},
	}
	e := experiments.Evaluation{Run: run}
	for i, m := range sheet {
		p := texts[i]
		e.Questions = append(e.Questions, experiments.Question{
			ID: m.id, Text: p[0], Lang: lang, Reference: p[1], Answerable: true, Critical: m.critical,
			Tags: []string{"theme:" + m.theme, "easy"},
		})
		e.Results = append(e.Results, result(lang, m, p, at))
	}
	return e
}

func result(lang string, m marks, p prose, at int) experiments.Result {
	r := experiments.Result{QuestionID: m.id}
	if p[2+at] == "" {
		r.Failure = &experiments.Failure{Cause: "provider_timeout", Message: "no reply within 60 s"}
		for _, s := range suite() {
			r.Scores = append(r.Scores, metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Errored, Reason: "provider_timeout"})
		}
		return r
	}
	r.Answer = &rag.Answer{
		Retrieval: rag.Retrieval{Query: p[0], Hits: []rag.Hit{
			{Span: rag.Span{DocID: "handbook-" + m.theme, Start: 1200, End: 2000}, Score: 0.9, Text: strings.Repeat(p[4]+" ", 8)},
			{Span: rag.Span{DocID: "handbook-general", Start: 0, End: 800}, Score: 0.4, Text: p[4]},
		}},
		Generation: rag.Generation{Text: p[2+at]},
	}
	reasons := [2]string{"The answer agrees with the reference in substance.", "The contexts support the answer."}
	if m.c[at] <= 2 {
		reasons = [2]string{"The answer contradicts the reference or leaves the essential out.",
			"The answer rests only in part on the contexts."}
	}
	if lang == "ja" {
		reasons = [2]string{"回答は正解と実質的に一致しています。", "回答は参照箇所に基づいています。"}
		if m.c[at] <= 2 {
			reasons = [2]string{"回答は正解と矛盾しているか、肝心な点が抜けています。",
				"回答の一部しか参照箇所に基づいていません。"}
		}
	}
	values := map[string]float64{
		correctness: m.c[at], trust: m.t[at], spanCoverage: m.e[at], "context_recall": m.e[at],
		"faithfulness": m.t[at] / 5, "noise_sensitivity": 1 - m.t[at]/5,
	}
	for _, s := range suite() {
		score := metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Scored, Value: values[s.ID]}
		switch {
		case p[1] == "" && slices.Contains([]string{correctness, "context_recall", spanCoverage}, s.ID):
			score.State, score.Value, score.Reason = metrics.NotApplicable, 0, "no_reference"
		case s.ID == correctness:
			score.Reason = reasons[0]
		case s.ID == trust:
			score.Reason = reasons[1]
		case s.ID == "faithfulness" && m.id == "q-012":
			score.State, score.Value, score.Reason = metrics.Errored, 0, "judge_reply_malformed"
		}
		r.Scores = append(r.Scores, score)
	}
	return r
}

// contrast is the comparison of the sample, with a metric that could not be compared.
func contrast(before, after experiments.Evaluation) analysiscompare.Comparison {
	c, err := analysiscompare.CompareWith(before, after, analysiscompare.Options{})
	if err != nil {
		panic(err) // the sample is comparable
	}
	c.Excluded = append(c.Excluded, analysiscompare.Exclusion{Metric: "answer_relevancy", Why: "its version differs between the runs"})
	return c
}

// judge gives the questions of a stand-in their verdicts from the labels of correctness and trust.
func judge(c *analysiscompare.Comparison) {
	c.DecideBy, c.Verdicts, c.VerdictCounts, c.CriticalWorse = []string{correctness, trust}, nil, analysiscompare.VerdictCounts{}, 0
	moved := map[analysiscompare.Label]analysiscompare.Movement{analysiscompare.Worse: analysiscompare.Fell,
		analysiscompare.Better: analysiscompare.Rose, analysiscompare.NeedsCheck: analysiscompare.Unsettled,
		analysiscompare.NoChange: analysiscompare.Level}
	crossed := func(d *analysiscompare.Deciding) analysiscompare.Crossing {
		return map[[2]bool]analysiscompare.Crossing{{false, true}: analysiscompare.BecameLow, {true, false}: analysiscompare.LeftLow,
			{true, true}: analysiscompare.StayedLow, {}: analysiscompare.StayedGood}[[2]bool{d.Baseline <= 2, d.Candidate <= 2}]
	}
	found := map[string]map[string]*analysiscompare.Deciding{}
	critical := map[string]bool{}
	for _, q := range c.Questions {
		if q.Metric != correctness && !strings.HasPrefix(q.Metric, trust) {
			continue
		}
		d := &analysiscompare.Deciding{Metric: q.Metric, Baseline: q.Baseline, Candidate: q.Candidate, Gain: (q.Candidate - q.Baseline) / 4,
			Movement: moved[q.Label]}
		d.Crossing = crossed(d)
		if found[q.QuestionID] == nil {
			found[q.QuestionID] = map[string]*analysiscompare.Deciding{}
		}
		found[q.QuestionID][q.Metric[:min(len(q.Metric), len(correctness))]] = d
		critical[q.QuestionID] = critical[q.QuestionID] || q.Critical
	}
	for id, by := range found {
		v := analysiscompare.QuestionVerdict{QuestionID: id, Critical: critical[id]}
		guard := analysiscompare.Deciding{}
		for name, d := range by {
			if name != correctness {
				v.Guard, guard = d, *d
			}
		}
		if v.First = (analysiscompare.Deciding{Metric: correctness, Movement: analysiscompare.Level}); by[correctness] != nil {
			v.First = *by[correctness]
		}
		v.BecameLow = v.First.BecameLow() || v.Guard.BecameLow()
		v.Verdict = analysiscompare.Settle(v.First.Movement, guard.Movement, guard.Crossing)
		c.VerdictCounts.Add(v.Verdict)
		if v.Critical && v.Verdict == analysiscompare.Worse {
			c.CriticalWorse++
		}
		if v.Verdict != analysiscompare.NoChange {
			c.Verdicts = append(c.Verdicts, v)
		}
	}
	c.VerdictCounts.NoChange = c.Matched - c.VerdictCounts.Compared() + c.VerdictCounts.NoChange
	slices.SortFunc(c.Verdicts, func(a, b analysiscompare.QuestionVerdict) int { return analysiscompare.Severity(&a, &b) })
}

// large is a report on n questions with answers of some hundred characters and five contexts each.
func large(n int) Report {
	base := alone("en")
	e := base.Candidate
	text := strings.Repeat("The fare is refunded in full when the flight is cancelled. ", 8)
	hit := rag.Hit{Span: rag.Span{DocID: "handbook", Start: 0, End: 800}, Text: strings.Repeat("Cancelled flights are refunded. ", 25)}
	e.Questions, e.Results = make([]experiments.Question, n), make([]experiments.Result, n)
	for i := range n {
		id := fmt.Sprintf("q-%05d", i)
		e.Questions[i] = experiments.Question{ID: id, Text: "Is question " + id + " answered from the handbook?", Reference: text,
			Tags: []string{"theme:refunds"}}
		r := experiments.Result{QuestionID: id, Answer: &rag.Answer{Retrieval: rag.Retrieval{Hits: []rag.Hit{hit, hit, hit, hit, hit}},
			Generation: rag.Generation{Text: text}}}
		for _, s := range suite() {
			r.Scores = append(r.Scores, metrics.Score{Metric: s.ID, State: metrics.Scored, Value: float64(1 + (i*7+len(s.ID))%5),
				Reason: "The answer agrees with the reference."})
		}
		e.Results[i] = r
	}
	base.Candidate = e
	return base
}
