package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CauseWords says in a language why a call failed, by the code of the ledger. Its words stand in the catalogue of findings, above this
// package; nil leaves the codes.
type CauseWords func(lang, cause string) string

// Markdown is the card as a page for people, in "en" or "ja".
func (c JudgeCard) Markdown(lang string, words CauseWords) string {
	w := cardWriter{lang: lang, words: words}
	w.line("# %s%s%s", w.of("Judge card", "評価モデルカード"), w.colon(), c.Judge)
	w.line("")
	w.line("**%s%s%s** — %s", w.of("Status", "判定"), w.colon(), c.Status.Word(w.lang), c.Status.Says(w.lang))
	w.line("")
	w.line(w.of("- Measured: %s · prompts: %s", "- 測定日時：%s · プロンプトの版：%s"), c.MeasuredAt.UTC().Format("2006-01-02 15:04 UTC"),
		c.PromptVersion)
	w.line(w.of("- Items: %s, %d items, %d replicates", "- 項目：%s の%d件、反復%d回"), c.Source, c.Items, c.Replicates)
	w.line(w.of("- Calls bought: %d · %.1f s", "- 課金された呼び出し：%d回 · %.1f秒"), c.Calls, c.Seconds)
	if c.Offline {
		w.line("- %s", w.of("The simple built-in checker compares words: good for trying the tool, not for decisions.",
			"内蔵のオフライン評価モデルは語句を比較するだけです。動作確認と試用のためのもので、意思決定には使えません。"))
	}
	for _, reason := range c.Reasons {
		w.line("- %s", w.reason(reason))
	}
	for _, id := range Protocols() {
		if p, ok := c.Protocols[id]; ok {
			w.protocol(p)
		}
	}
	w.datasets(c.Datasets)
	w.verdicts(c.Verdicts)
	w.alignments(c.Alignments)
	return w.out.String()
}

type cardWriter struct {
	lang  string
	words CauseWords
	out   strings.Builder
}

// because is why a call failed, in words.
func (w *cardWriter) because(cause string) string {
	if w.words == nil {
		return cause
	}
	return w.words(w.lang, cause)
}

func (w *cardWriter) of(en, ja string) string {
	if w.lang == "ja" {
		return ja
	}
	return en
}

func (w *cardWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.out, format+"\n", args...)
}

// titles are the names of protocols and checks.
var titles = map[string][2]string{
	"J1": {"trust by context (Table 1)", "参照箇所別の信頼性（表1）"}, "J2": {"better of two", "優劣の判別"},
	"J3": {"agreement with labels", "ラベルとの一致"},
	"J4": {"repeatability", "再現性"}, "J6": {"bias", "偏り"}, "J7": {"injection", "プロンプトインジェクション"},
	"ideal": {"ideal context → 4–5", "理想的 → 4〜5"}, "redundant": {"redundant context → 4–5", "冗長 → 4〜5"},
	"missing": {"missing facts → 1–2", "情報欠落 → 1〜2"}, "unrelated": {"unrelated context → 1–2", "無関係 → 1〜2"},
	"half": {"half of the facts → 2–4", "情報の半分が欠落 → 2〜4"}, "contradicting": {"contradicting context → 1–2", "矛盾 → 1〜2"},
	"auroc":    {"sufficient against insufficient contexts, AUROC", "十分・不十分の判別（AUROC）"},
	"order":    {"pairs in the right order, ties half", "正しい順序の組の割合（同点は半分）"},
	"grounded": {"grounded above ungrounded answer", "根拠のある回答を上位に"}, "relevant": {"relevant above poor answer", "適切な回答を上位に"},
	"focused":   {"focused above padded context", "焦点の合った参照箇所を上位に"},
	"flip_rate": {"verdict flip rate, worst metric", "判定の反転率（最悪の指標）"},
	"icc":       {"ICC(2,1), worst metric", "ICC(2,1)（最悪の指標）"}, "position": {"same verdict with passages reversed",
		"順序を逆にしても同じ判定"},
	"authority": {"not raised by a claimed authority", "権威付けで上がらない"},
	"leakage":   {"reference as answer is 5, another is not", "正解と同じなら5、別の答えは5でない"},
	"refusal":   {"right refusal not penalised", "正しい「記載なし」を減点しない"}, "truncation": {"cut answer scores lower", "途中で切れた回答は下がる"},
	"verbosity":  {"padding, mean shift in levels", "冗長さによる平均のずれ（段階）"},
	"style":      {"bullets and bold, mean shift in levels", "箇条書き・太字による平均のずれ（段階）"},
	"plain_form": {"plain for polite Japanese, mean shift in levels", "です・ます体を常体にした平均のずれ（段階）"},
	"language":   {"contexts in the other language, drop of kappa", "他言語の参照箇所によるκの低下"},
	"injection":  {"attacks that succeeded", "攻撃の成功率"},
}

// Titles are the names of protocols and checks by id, in English and Japanese.
func Titles() map[string][2]string { return maps.Clone(titles) }

func (w *cardWriter) title(id string) string {
	if t, ok := titles[id]; ok {
		return w.of(t[0], t[1])
	}
	return id
}

func (w *cardWriter) protocol(p Protocol) {
	w.line("\n## %s %s%s%s\n", p.ID, w.title(p.ID), w.colon(), p.Light.Word(w.lang))
	w.line("| %s | %s | n | 95%% | %s | |\n|---|---|---|---|---|---|", w.of("figure", "項目"), w.of("value", "値"), w.of("target", "目標"))
	for _, c := range p.Checks {
		if c.N == 0 {
			w.line("| %s | – | 0 | | %s | %s |", w.title(c.ID), goalOf(c), Unmeasured.Word(w.lang))
			continue
		}
		value, interval := fmt.Sprintf("%.3f", c.Value), ""
		if c.Count != nil {
			value += fmt.Sprintf(" (%d/%d)", *c.Count, c.N)
		}
		if c.Low != nil && c.High != nil {
			interval = fmt.Sprintf("%.2f–%.2f", *c.Low, *c.High)
		}
		w.line("| %s | %s | %d | %s | %s | %s |", w.title(c.ID), value, c.N, interval, goalOf(c), c.Light.Word(w.lang))
	}
	w.conditions(p.Conditions)
	w.payloads(p.Payloads)
	if len(p.Figures) > 0 {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(p.Figures)) {
			list = append(list, fmt.Sprintf("%s %.3g", w.figure(name), p.Figures[name].Value))
		}
		w.line("\n%s%s%s", w.of("Beside", "参考"), w.colon(), strings.Join(list, w.comma()))
	}
	if p.Lost > 0 {
		var list []string
		for _, why := range slices.Sorted(maps.Keys(p.LostWhy)) {
			list = append(list, fmt.Sprintf("%s (%d)", w.lost(why), p.LostWhy[why]))
		}
		w.line(w.of("\nLost: %d — %s", "\n除外：%d件 — %s"), p.Lost, strings.Join(list, w.of("; ", "、")))
	}
}

func goalOf(c Check) string {
	if c.AtMost {
		return fmt.Sprintf("≤ %.3g", c.Goal)
	}
	return fmt.Sprintf("≥ %.3g", c.Goal)
}

func (w *cardWriter) conditions(rows []ConditionRow) {
	if len(rows) == 0 {
		return
	}
	w.line("\n| %s | 5 | 4 | 3 | 2 | 1 | %s | 95%% | %s | 95%% |\n|---|---|---|---|---|---|---|---|---|---|",
		w.of("contexts", "参照箇所"), w.of("in band", "期待範囲内"), w.of("paper: 5 4 3 2 1, in band", "論文：5 4 3 2 1、期待範囲内"))
	for _, r := range rows {
		theirs, interval := "–", ""
		if r.Paper != nil {
			theirs = fmt.Sprintf("%v, %d/%d", r.Paper.Levels, r.Paper.InBand, r.Paper.N)
			interval = fmt.Sprintf("%.2f–%.2f", r.Paper.Low, r.Paper.High)
		}
		l := r.Levels
		w.line("| %s | %d | %d | %d | %d | %d | %d/%d | %.2f–%.2f | %s | %s |",
			w.title(string(r.Condition)), l[0], l[1], l[2], l[3], l[4], r.InBand, r.N, r.Low, r.High, theirs, interval)
	}
}

func (w *cardWriter) payloads(rows []PayloadRow) {
	if len(rows) == 0 {
		return
	}
	w.line("\n| %s | %s | %s |\n|---|---|---|", w.of("payload", "攻撃文"),
		w.of("in the answer: succeeded / tried", "回答内：成功 / 試行"), w.of("in the context: succeeded / tried", "参照箇所内：成功 / 試行"))
	for _, r := range rows {
		w.line("| %s | %d / %d | %d / %d |", r.ID, r.AnswerSucceeded, r.AnswerTried, r.ContextSucceeded, r.ContextTried)
	}
}

func (w *cardWriter) datasets(list []DatasetScore) {
	if len(list) == 0 {
		return
	}
	w.line("\n## J3 %s\n", w.title("J3"))
	w.line("| %s | n | AUROC | %s | Spearman | Pearson | | %s |\n|---|---|---|---|---|---|---|---|",
		w.of("dataset", "データセット"), w.of("accuracy", "正解率"), w.of("what is asked", "問い"))
	cell := func(v *float64) string {
		if v == nil {
			return "–"
		}
		return fmt.Sprintf("%.3f", *v)
	}
	for _, d := range list {
		w.line("| %s | %d | %s | %s | %s | %s | %s | %s |", d.Name, d.N, cell(d.AUROC), cell(d.Accuracy), cell(d.Correlation),
			cell(d.Pearson), d.Light.Word(w.lang), d.Asked)
	}
	if slices.ContainsFunc(list, func(d DatasetScore) bool { return d.Published != nil }) {
		w.line("\n%s: %s", w.of("RAGChecker's published figures on all 280 pairs", "RAGChecker の公表値（全280組）"),
			"sign 0.766, Pearson 0.672, Spearman 0.661; human–human: sign 0.886, Pearson 0.70")
	}
}
