// This file has procedures that no program runs. They are here because the documents are checked with.

package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func (w docWords) metric(b *strings.Builder, lang string, s Spec) {
	d, _ := DocOf(s.ID)
	direction := w.up
	if s.LowerIsBetter {
		direction = w.down
	}
	rng := fmt.Sprintf("%g – %g", s.Min, s.Max)
	if s.Group == "operations" && s.ID != "truncated" {
		rng = "≥ 0"
	}
	calls := w.none
	if d.Calls+d.Once > 0 {
		calls = strconv.Itoa(d.Calls)
	}
	if d.Once > 0 {
		calls += " " + fmt.Sprintf(w.once, d.Once)
	}
	if d.Embeds > 0 {
		calls += "; " + fmt.Sprintf(w.embeds, d.Embeds)
	}
	fmt.Fprintf(b, "\n## %s · `%s`\n\n%s\n\n", s.Title(lang), s.ID, s.Meaning(lang))
	rows := [][2]string{
		{w.formula, d.Formula},
		{w.inputs, d.inputs(lang)},
		{w.rng, rng + ", " + direction},
		{w.calls, calls},
		{w.source, d.Source + " · v" + s.Version},
		{w.drop, say(lang, d.DropEN, d.DropJA)},
		{w.ragas, say(lang, d.RagasEN, d.RagasJA)},
	}
	for _, row := range slices.DeleteFunc(rows, func(r [2]string) bool { return r[1] == "" }) {
		fmt.Fprintf(b, "- **%s**: %s\n", row[0], row[1])
	}
}

func (d Doc) inputs(lang string) string {
	if lang == "ja" {
		return inputWords.Replace(d.Inputs)
	}
	return d.Inputs
}

// Documentation is docs/metrics.md: every metric of the catalogue in English and in Japanese.
func Documentation() string {
	var b strings.Builder
	b.WriteString("<!-- Written by `go test ./internal/metrics -run TestDocumentation -update` from the catalogue. Do not edit. -->\n")
	for _, lang := range []string{"en", "ja"} {
		w := docLangs[lang]
		fmt.Fprintf(&b, "\n# %s\n\n%s\n\n%s\n\n## %s\n\n%s\n\n", w.title, w.intro, w.signs, w.suites, w.suiteIntro)
		for _, name := range []string{"standard", "compact", "iccg", "retrieval", "text", "operations", "all"} {
			note := suiteNotes[name]
			list := "`" + strings.Join(idsOf(name), "`, `") + "`"
			switch name {
			case "compact":
				list = "`standard`"
			case "all":
				list = strconv.Itoa(len(idsOf(name)))
			}
			fmt.Fprintf(&b, "- **%s** (%s): %s. %s\n", name, note[0], say(lang, note[1], note[2]), list)
		}
		for _, s := range catalogue {
			w.metric(&b, lang, s.Spec)
		}
	}
	return b.String()
}

// docWords are the fixed words of the page in a language.
type docWords struct {
	title, intro, signs, suites, suiteIntro, group, formula, inputs, rng, calls, source, drop, ragas, up, down, once, none, embeds string
}

var docLangs = map[string]docWords{
	"en": {
		title: "Metrics",
		intro: "Each metric gives a value, “not applicable” with a reason, or an error with a cause; never a silent zero. A judge gives verdicts, " +
			"our code computes the value. The claims of answer and reference are listed once and checked against contexts, reference and answer; " +
			"every verdict needs a quote that our code finds again in the passage, and what is missing is asked for again, at most twice. " +
			"Scores of different versions of a metric are never compared.",
		signs: "Signs: *a* is a claim of the answer (there are *p*), *r* a claim of the reference (*q*), *c* a context (*k*). " +
			"*a ⊂ C* says that some context supports *a*, *a ⊂ R* that the reference does, *r ⊂ A* that the answer supports *r*. " +
			"*useful(c)* says that *c* supports some *r*.",
		suites:     "Suites",
		suiteIntro: "The judge calls are those for one question with up to ten claims in all and eight contexts, once the reference's claims are known.",
		group:      "Metric", formula: "Formula", inputs: "Looks at", rng: "Range", calls: "Judge calls alone", source: "Source",
		drop: "When it gets worse", ragas: "Different from Ragas", up: "higher is better", down: "lower is better",
		once: "+ %d once per dataset version", none: "none", embeds: "%d texts embedded",
	},
	"ja": {
		title: "指標",
		intro: "どの指標も、値、理由つきの「適用外」、原因つきのエラーのいずれかを返し、" +
			"黙って0にすることはありません。評価モデルは判定だけを行い、値は本ソフトウェアが計算します。" +
			"回答と正解の主張を一度だけ列挙し、参照箇所・正解・回答と照らし合わせます。判定には必ず引用が伴い、" +
			"引用が文章中に実在するかを確認します。" +
			"欠けた判定だけを最大二回まで問い直します。版の異なる指標どうしの値は比較しません。",
		signs: "記号：*a* は回答の主張（*p* 件）、*r* は正解の主張（*q* 件）、*c* は参照箇所（*k* 件）。" +
			"*a ⊂ C* はいずれかの参照箇所が *a* を裏付けること、*a ⊂ R* は正解が *a* を裏付けること、" +
			"*r ⊂ A* は回答が *r* を裏付けること、" +
			"*useful(c)* は *c* がいずれかの *r* を裏付けることを表します。",
		suites: "指標セット", suiteIntro: "評価モデルの呼び出し回数は、" +
			"主張が合わせて10件・参照箇所8件までの質問一問あたりで、正解の主張が既知の場合です。",
		group: "指標", formula: "計算式", inputs: "参照するもの", rng: "範囲", calls: "単独での呼び出し回数", source: "出典",
		drop: "悪化したときに疑うこと", ragas: "Ragasとの違い", up: "高いほど良い", down: "低いほど良い",
		once: "＋データセットの版ごとに%d回", none: "なし", embeds: "埋め込み%d件",
	},
}

// suiteNotes are the judge calls and the purpose of each suite.
var suiteNotes = map[string][3]string{
	"standard":   {"5", "the usual run", "通常の評価"},
	"compact":    {"5", "the same as standard, for files that name it", "standard と同じ。この名前を使っているファイルのために残してある"},
	"iccg":       {"3", "light yes/no evaluation against an expected answer", "想定回答に対する軽量な二値評価"},
	"retrieval":  {"0", "retrieval alone, from the labelled evidence", "根拠のラベルによる検索だけの評価"},
	"text":       {"0", "characters and words compared, without a model", "モデルを使わない文字列・単語の比較"},
	"operations": {"0", "time, tokens, money; values differ from run to run", "時間・トークン・費用。値は実行ごとに変わる"},
	"all":        {"5", "everything there is", "すべての指標"},
}

var inputWords = strings.NewReplacer("question", "質問", "answer", "回答", "references", "正解（別表現を含む）", "reference", "正解",
	"contexts", "参照箇所",
	"evidence", "根拠", "expected URLs", "案内すべきURL", "measurement", "計測値", ", ", "、")
