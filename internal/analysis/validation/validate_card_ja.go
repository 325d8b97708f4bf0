package validation

import (
	"cmp"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// A card keeps why it is not green, and what it lost, as English texts: these are the forms they have.
var (
	reasonGoal     = text.Lazy(`^(J\d) (\w+) ([\d.]+)( \(\d+/\d+\))?, (?:goal|target) at (least|most) ([\d.]+)$`)
	reasonUnknown  = text.Lazy(`^(J\d) (?:was |(\w+) )not measured$`)
	reasonVerdicts = text.Lazy(`^worse was right (\d+) of (\d+) times; the (?:goal|target) is to be sure of at least ([\d.]+)$`)
)

// lostJapanese are the reasons why an item could not be made or scored.
var lostJapanese = map[string]string{
	"the item has no such pair": "組がない", "not scored": "採点できない", "not scored in every replicate": "採点できない回がある",
	"no such context": "参照箇所を作れない", "the judge finds no claim in the answer": "評価モデルが回答に主張を見つけない",
	"no sentence was found to hold a key claim":        "主要な主張を述べる文が見つからない",
	"nothing is left after the deletion":               "除くと何も残らない",
	"what is left still holds a key claim":             "除いても主要な主張が残る",
	"the key claims cannot be halved":                  "主要な主張を半分にできない",
	"a sentence could not be turned into its contrary": "逆の内容の文を作れない",
	alreadyHigh: "誤答が攻撃前から2を超える",
}

// LostReasons are these reasons, English by Japanese, for the pages.
func LostReasons() map[string]string { return maps.Clone(lostJapanese) }

// alreadyHigh is why an attack on a wrong answer cannot be counted: without it the answer is not scored as wrong.
const alreadyHigh = "a wrong answer is above 2 without an attack"

// figureJapanese are the parts of the names of figures beside the checks; the metric or the check stands before its measure.
var figureJapanese = map[string]string{
	"correctness": "正確性", "trust": "信頼性", "faithfulness": "忠実性", "grounded": "根拠のある回答", "relevant": "適切な回答",
	"focused": "焦点の合った参照箇所", "language_foreign_kappa": "他言語でのκ", "language_native_kappa": "同じ言語でのκ",
	"plain_form": "常体", "style": "書式", "verbosity": "冗長さ",
	"contradicting": "矛盾", "half": "情報の半分が欠落",
	"alpha": "α", "flip_rate": "反転率", "icc": "ICC", "smallest_change": "見分けられる最小の差", "split_half": "折半信頼性",
	"variance": "分散",
	"ragas":    "Ragasの採点", "ties": "同点の数", "shift": "平均のずれ",
}

// reason is why a card is not green, in the language of the page.
func (w *cardWriter) reason(said string) string {
	m := reasonGoal.FindStringSubmatch(said)
	if m != nil && reached(m[3], m[6], m[5] == "most") {
		said += "; it is reached, but too many items were lost"
	}
	if w.lang != "ja" {
		return said
	}
	if m != nil {
		out := fmt.Sprintf("%s %s：%s（目標 %s %s）", m[1], w.title(m[2]), m[3]+m[4], m[6], map[string]string{"least": "以上", "most": "以下"}[m[5]])
		if reached(m[3], m[6], m[5] == "most") {
			out += "。目標に達していますが、除外された項目が多すぎます"
		}
		return out
	}
	if m := reasonUnknown.FindStringSubmatch(said); m != nil {
		return strings.TrimSpace(m[1]+" "+w.title(m[2])) + "：未測定"
	}
	if m := reasonVerdicts.FindStringSubmatch(said); m != nil {
		return fmt.Sprintf("「悪化」の判定は%s回中%s回が正しい（正しい割合が %s 以上と確かめられることが目標）", m[2],
			m[1], m[3])
	}
	return said
}

// reached reports whether a figure that keeps a card from being green has its goal all the same.
func reached(value, goal string, atMost bool) bool {
	v, err := strconv.ParseFloat(value, 64)
	g, wrong := strconv.ParseFloat(goal, 64)
	return err == nil && wrong == nil && (v >= g && !atMost || v <= g && atMost)
}

// lost is why an item was left out: the check, context or metric that it belongs to, where one is named, and what was wrong.
func (w *cardWriter) lost(said string) string {
	if w.lang != "ja" {
		return said
	}
	of, why, found := strings.Cut(said, ": ")
	if metric, high := strings.CutSuffix(said, " of "+alreadyHigh); high {
		of, why, found = metric, alreadyHigh, true
	}
	if !found {
		return cmp.Or(lostJapanese[said], said)
	}
	name, _, _ := strings.Cut(w.title(of), " → ")
	if name == of { // no check or context
		name = w.figure(of)
	}
	return name + "：" + cmp.Or(lostJapanese[why], why)
}

// figure is the name of a figure beside the checks: "trust_flip_rate" is the flip rate of trust.
func (w *cardWriter) figure(name string) string {
	if w.lang != "ja" {
		return name
	}
	if ja := figureJapanese[name]; ja != "" {
		return ja
	}
	for at := range name {
		if of, measure := figureJapanese[name[:at]], ""; name[at] == '_' && of != "" {
			if measure = figureJapanese[name[at+1:]]; measure != "" {
				return of + "の" + measure
			}
		}
	}
	return name
}

// colon and comma stand between the parts of a line.
func (w *cardWriter) colon() string { return w.of(": ", "：") }
func (w *cardWriter) comma() string { return w.of(", ", "、") }
