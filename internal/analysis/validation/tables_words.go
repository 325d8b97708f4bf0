package validation

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
)

// tableWords is the language of the tables of causes: "en" or "ja". Conditions stay as they are asked for on the command line.
type tableWords string

// of is an English text of the tables, filled in, in their language.
func (l tableWords) of(english string, args ...any) string {
	if ja, ok := japaneseTables[english]; ok && l == "ja" {
		english = ja
	}
	return fmt.Sprintf(english, args...)
}

// cause is the id of a cause or a standing, which tables in English have, or its name in Japanese; level says of what.
func (l tableWords) cause(level, id string) string {
	if l != "ja" {
		return id
	}
	if name := causes.CauseWords("ja")[level+"."+id]; name != "" {
		return name
	}
	return l.of(id)
}

// expected are the components that a condition breaks, joined by a plus.
func (l tableWords) expected(joined string) string {
	parts := strings.Split(joined, "+")
	for i, id := range parts {
		parts[i] = l.cause("component", id)
	}
	return strings.Join(parts, "+")
}

// ExpectedCause is [CauseFinding.Expected] for people, in "en" or "ja".
func ExpectedCause(joined, lang string) string { return tableWords(lang).expected(joined) }

// named are texts in the language of the tables.
func (l tableWords) named(english ...string) []string {
	out := make([]string, len(english))
	for i, text := range english {
		out[i] = l.of(text)
	}
	return out
}

// japaneseTables are the texts of the tables by the English ones.
var japaneseTables = map[string]string{
	"synthetic": "作成したコーパス", "scripted": "台本どおりの評価モデル",
	"%s, judge %s":                             "%s、評価モデル：%s",
	" with %g%% of its calls wrong":            "（呼び出しの%g%%が誤り）",
	", %g%% of the errors in every vote alike": "、誤りの%g%%はどの判定でも同じ",
	"Data level (the paper's table 2)":         "データの分類（論文の表2）",
	"Component level (the paper's table 3)":    "部品の分類（論文の表3）",
	"What was expected, and the repairs":       "期待した原因と修復",
	"condition":                                "入れた不具合",
	"n":                                        "n",
	"other":                                    "その他",
	"expected":                                 "期待した原因",
	"ours, of 50":                              "本ツール（50件あたり）",
	"one call here":                            "1回の呼び出し（同じ回答）",
	"published":                                "論文の値",
	"really wrong, of 50":                      "実際に誤り（50件あたり）",
	"ours of really wrong":                     "実際に誤りのうち本ツール",
	"one call of really wrong":                 "実際に誤りのうち1回の呼び出し",
	"both faults named":                        "両方の不具合を特定",
	"named repairs that restore the answer":    "回答を直せた修復",
	"calls":                                    "呼び出し",
	"calls per low answer":                     "低スコア回答あたりの呼び出し",
	"%s, of really wrong %s":                   "%s（実際に誤りのうち %s）",
	"%s of %d":                                 "%[2]d件中 %[1]s",
	"world":                                    "作成した環境",
	"fault":                                    "不具合",
	"low":                                      "低スコア",
	"right, of 50":                             "正答（50件あたり）",
	"named":                                    "特定した原因",
	"high":                                     "確度：高",
	"medium":                                   "確度：中",
	"low certainty":                            "確度：低",
	"tested":                                   "検証済み",
	"calls median, p95":                        "呼び出しの中央値、95パーセンタイル",
	"planned ÷ made":                           "見積もり ÷ 実績",
	"low before → promised → happened (best)": "低スコア：前 → 予測 → 結果（最良）",
	"restored":                       "直った割合",
	"broken":                         "悪くなった件数",
	"change":                         "変更",
	"certainty %s: %d of %d right\n": "確度 %s：%[3]d件中%[2]d件が正しい\n",
	"%s: %d of %d right\n":           "%s：%[3]d件中%[2]d件が正しい\n",
	"calls for a low answer: median %d, 95th percentile %d; planned ÷ made %.2f\n": "低スコア回答1件の呼び出し：中央値 %d、" +
		"95パーセンタイル %d。見積もり ÷ 実績 %.2f\n",
	"Counts of %d answers. In brackets: the paper's one call on the same answers with the same judge / the paper's published figure.\n": "" +
		"回答%d件あたりの件数です。括弧内は、同じ回答と評価モデルでの" +
		"論文の方法（1回の呼び出し）/ 論文に載っている値です。\n",
}
