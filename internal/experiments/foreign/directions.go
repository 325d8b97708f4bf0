package foreign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Direction says which way a metric goes.
type Direction int

// The directions. Nothing is decided by a metric of which nobody knows one.
const (
	DirectionUnknown Direction = iota
	MoreIsBetter
	LessIsBetter
)

// lessWords are parts of names of metrics of which less is better: what Ragas, DeepEval, MLflow, Langfuse and RAGChecker call so, and
// the usual measures of errors, time and money.
var lessWords = wordSet(`hallucination hallucinations hallucinated bias biased toxicity toxic harmfulness harmful harm maliciousness stereotyping
	noise latency duration seconds cost price error errors perplexity distance wer cer loss contradiction contradictions
	contradicted violence violent sexual hate unfairness jailbreak defect misinformation frustration failure failures 幻覚
	ハルシネーション 毒性 有害性 偏り バイアス 誤り 誤り率 矛盾 遅延
	halluzination halluzinationen toxizität fehler fehlerquote fehlerrate widerspruch widersprüche voreingenommenheit
	toxicité biais erreur erreurs contradictions alucinación alucinaciones toxicidad sesgo 幻觉 幻覺 毒性 错误 錯誤 오류 환각 유해성`)

// spentWords are parts of names of what an answer took, where the whole name says that it is a figure of operation: コスト意識 is none.
var spentWords = wordSet(`処理時間 応答時間 所要時間 レイテンシ トークン数 費用 コスト
	kosten laufzeit dauer antwortzeit zeit time runtime elapsed costs tokens temps durée délai coût coûts tiempo duración
	coste costes costo costos tempo durata costi duração custo custos 耗时 耗時 响应时间 延迟 延遲 成本 응답시간 시간 비용`)

// moreWords are the same for metrics of which more is better.
var moreWords = wordSet(`correctness correct faithfulness faithful relevance relevancy relevant precision recall similarity accuracy accurate f1 score scores
	pass passed success groundedness grounded grounding rouge rouge1 rouge2 rougel rougelsum bleu chrf meteor bertscore match matched present coverage
	completeness complete coherence coherent conciseness concise fluency helpfulness helpful usefulness useful quality rating points ndcg mrr hit hits
	map utilization sufficiency safety alignment adherence compliance guidelines equivalence summarization trust reliability clarity satisfaction
	instruction factuality factual concision exact sas entailment consistency consistent goal retention overlap grade
	mark marks star stars thumbs 正確性 正解率 正答率 信頼性 忠実性 関連性
	適合率 再現率 点数 スコア 得点 評価 品質
	正誤 合否 判定 採点 正しさ 網羅性 妥当性 適切性 有用性 完全性 自然さ 丁寧さ 具体性 一貫性 満足度 充足度
	正確さ 正答度 適合度 忠実度 関連度 一致度
	ok verdict judgement judgment punkte punktzahl bewertung richtigkeit genauigkeit vollständigkeit relevanz korrektheit korrekt quelltreue
	verständlichkeit präzision exactitude pertinence précision fidélité complétude justesse
	correcto correcta corretto corretta correta exactitud precisión pertinencia relevancia fidelidad puntuación puntaje
	correttezza accuratezza pertinenza completezza punteggio valutazione precisione fedeltà chiarezza
	correção exatidão relevância pontuação avaliação precisão fidelidade clareza
	准确 準確 正确 正確 相关性 相關性 忠实 忠實 完整性 流畅 流暢
	一致性 精确 精確 满意度 滿意度 召回率 得分 分数 分數 评分 評分 打分 总分 總分
	정확도 정확성 관련성 관련도 충실도 충실성 완전성 유용성 일관성 만족도 신뢰도 재현율 정밀도 점수 평점 정답`)

// outOfName is a name that says out of how many points its scores are, so that more of them are better.
var outOfName = text.Lazy(`(?i)(?:\b(?:out of|von|sur|su|sobre) ?|(?:^|[^0-9 ]) ?/ ?)(5|10|20|30|40|50|100)\b|([0-9]{1,3})点満点|` +
	`[(\[【]([0-9]{1,3}) ?(?:点|pts?|points?|punkte|점)[)\]】]`)

// outOf is out of how many points the scores of a metric are by its name; 0 where the name does not say.
func outOf(name string) float64 {
	m := outOfName.FindStringSubmatch(norm.NFKC.String(name))
	if m == nil {
		return 0
	}
	most, _ := strconv.ParseFloat(m[1]+m[2]+m[3], 64)
	return most
}

// turning are parts of a name that turn its sense, so that the name alone says nothing.
var turning = wordSet("no non not free without absence anti")

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// DirectionOf tells the direction of a metric from its name, with or without the tool's name before it. Names of the catalogue have
// theirs. promptfoo's scores are shares of passed checks, whatever the check is called.
func DirectionOf(name string) Direction {
	tool, rest, prefixed := strings.Cut(name, ".")
	prefixed = prefixed && slices.Contains(ForeignTools(), tool)
	if spec, known := metrics.Find(name); known && !prefixed {
		return directed(spec.LowerIsBetter)
	}
	if !prefixed {
		rest = name
	} else if tool == ToolPromptfoo {
		return MoreIsBetter
	}
	key := metricKey(intake.CamelApart(rest))
	parts := strings.Split(key, "_")
	has := func(words map[string]bool) bool {
		for word := range words {
			if word[0] > unicode.MaxASCII && strings.Contains(key, word) || slices.Contains(parts, word) {
				return true // Japanese leaves no space between words
			}
		}
		return false
	}
	switch {
	case strings.HasSuffix(key, "grade_level"), strings.Contains(key, "self_knowledge"), strings.HasPrefix(key, "noise_sensitivity"):
		return LessIsBetter
	case has(turning):
		return DirectionUnknown
	case has(lessWords), metrics.OfOperation(rest) && has(spentWords):
		return LessIsBetter
	case has(moreWords), key == "点", outOf(rest) > 0 && !metrics.OfOperation(rest): // 欠点 and 観点 are other things
		return MoreIsBetter
	}
	return DirectionUnknown
}

// The grades of schools: the best is 1 in Germany and Austria, 6 in Switzerland, and the highest where a sheet means stars.
const leastGrade, mostGrade = 1, 6

// DirectionAmong is the direction of a metric with scores from least to most. Under a name of grades numbers as schools give them say
// nothing, while more is better of all others, such as those out of 20; forms are how columns write their scores.
func DirectionAmong(name string, least, most float64, forms []ColumnForm) Direction {
	if tool, rest, prefixed := strings.Cut(name, "."); prefixed && slices.Contains(ForeignTools(), tool) && tool != ToolPromptfoo {
		name = rest
	}
	if !intake.IsGrade(name) {
		direction, at := DirectionOf(name), formAt(name, forms)
		if direction == DirectionUnknown && at >= 0 && forms[at].judges() {
			return MoreIsBetter
		}
		return direction
	}
	at := formAt(name, forms)
	if at >= 0 && forms[at].more() || least < leastGrade || most > mostGrade {
		return MoreIsBetter
	}
	return DirectionUnknown
}

// formAt is the place of what is said of a column's form; -1 where its numbers are plain.
func formAt(name string, forms []ColumnForm) int {
	return slices.IndexFunc(forms, func(f ColumnForm) bool { return f.Column == name })
}

// AskDirections refuses to go on with metrics of which nobody knows whether more or less is better, by asking for each.
func AskDirections(names []string) *problem.Problem {
	of := make([]string, len(names))
	for i, name := range names {
		of[i] = fmt.Sprintf("--higher %q", name)
	}
	return problem.New(problem.Invalid, "direction_unknown", "nobody knows whether more or less is better in %s", columnList(names)).
		With("metrics", names).
		WithHint("say it for each, as here where more is better: %s; where less is, write --lower in the place of --higher", strings.Join(of, " "))
}

func directed(lower bool) Direction {
	if lower {
		return LessIsBetter
	}
	return MoreIsBetter
}
