package causes

import (
	"fmt"
	"sync"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// causeWords are the words for people, by code, in English and Japanese.
var causeWords = map[string][2]string{
	"data.no_fault": {"no fault", "不備なし"}, "data.question": {"question", "質問の内容"},
	"data.retrieval":  {"context retrieval", "参照箇所の取得"},
	"data.generation": {"answer generation", "回答の生成"}, "data.reference": {"reference", "正解の定義"}, "data.undetermined": {"unknown", "原因不明"},

	"level.generation": {"probably answer generation", "推定：回答の生成"},

	"component.search_query": {"search query", "検索クエリ"}, "component.database": {"database", "データベース"},
	"component.retriever":        {"retriever", "文書検索"},
	"component.generation_model": {"generation model", "生成モデル"}, "component.system_prompt": {"system prompt", "システムプロンプト"},
	"component.post_processing": {"post-processing", "後処理"}, "component.reference": {"reference", "正解の定義"},
	"component.question":             {"question", "質問の内容"},
	"component.context_not_obtained": {"context not obtained", "参照箇所を取得できず"},
	"component.generation":           {"probably generation (model or instructions)", "推定：回答の生成（モデルまたは指示）"},
	"component.no_fault":             {"no fault", "不備なし"}, "component.unstable": {"unstable answers", "回答が不安定"},
	"component.undetermined": {"cause unknown", "原因不明"},

	"method.tested": {"by replacing parts", "部品の置き換えによる分析"}, "method.observed": {"observed, not tested", "観察のみ（未検証）"},
	"method.paper":  {"the paper's one call", "論文の方式（1回の判定）"},
	"stands.tested": {"tested", "検証済み"}, "stands.probable": {"probable, not proven", "推定（未確定）"},
	"stands.searched": {"searched, not replaced", "文書の検索のみ（差し替えなし）"},
	"stands.observed": {"observed, not tested", "観察のみ（未検証）"}, "stands.unknown": {"not proven", "未確定"},
	"certainty.high": {"high", "高"}, "certainty.medium": {"medium", "中"}, "certainty.low": {"low", "低"},

	"pattern.wrong": {"false or made up", "矛盾・根拠なし"}, "pattern.could_not_find": {"could not find it", "見つけられなかった"},
	"pattern.not_in_contexts": {"not found in the contexts", "参照箇所で確認できず"}, "pattern.incomplete": {"incomplete", "不足"},
	"pattern.hardly_any": {"hardly anything right found", "正解の内容がほぼ見つからない"}, "pattern.other": {"not known how", "内訳は不明"},
	"patterns.by_reason": {
		"How {n} of {low} low-score answers fail is read from the reason of the grade alone: the run was not scored by {measures}, which sets the " +
			"answer's statements against the right answer. A run that was may count more of them as “{wrong}”.",
		"低スコア回答{low}件のうち{n}件の失敗の内訳は、評価の理由だけから読み取りました。回答の記述を正解と突き合わせる指標（{measures}）をこの実行では採点していないためです。" +
			"採点した実行では、「{wrong}」と数える件数がこれより多くなることがあります。",
	},
	"corner.both_low":        {"correctness and trust low", "正確性・信頼性とも低"},
	"corner.correctness_low": {"correctness low, trust not", "正確性のみ低い"}, "corner.trust_low": {"trust low, correctness not", "信頼性のみ低い"},

	"detail.stale":              {"the documents are out of date", "文書が古い"},
	"detail.removed":            {"the words are no longer in the documents", "記載が文書から失われている"},
	"detail.not_in_corpus":      {"a search did not find it in the documents", "文書を検索しても見つからない"},
	"detail.partly_missing":     {"the documents hold only a part of it", "文書に一部しか記載がない"},
	"detail.reference_or_stale": {"reference and documents disagree", "正解と文書が一致しない"},
	"detail.unclear":            {"unclear", "不明確"},
	"detail.chunk_border":       {"a chunk border cuts the evidence", "チャンクの境界で根拠が分断"},
	"detail.missed_by_search":   {"the approximate search missed it", "近似検索による取りこぼし"},
	"detail.missed_by_search_untested": {"an approximate search missed it, which is not proven to be the cause",
		"近似検索による取りこぼし（原因かどうかは未検証）"},
	"detail.context_noise": {"the contexts hold it, and other contexts stand in the way", "参照箇所には含まれるが、他の参照箇所が妨げ"},
	"detail.chunk_noise": {"the contexts hold it, and the text around it in the same chunk stands in the way",
		"参照箇所には含まれるが、同じチャンク内の周囲の文が妨げ"},
	"detail.chunk_alone": {"the contexts hold it; its own chunk fails even alone, and a passage around it that is cut otherwise does not",
		"参照箇所には含まれるが、そのチャンクだけでは改善せず、切り出す範囲を変えた前後の文なら改善"},
	"detail.passage_alone": {"the contexts hold it; only the passage around it alone made the answer good, and which part of the rest stands in the way was not tested",
		"参照箇所には含まれ、その前後だけを与えると改善（残りのどこが妨げかは未検証）"},
	"detail.noise_besides": {"the contexts lack it at least in part; of what was tried, only the evidence alone made the answer good",
		"参照箇所に全部または一部が欠けており、試した中で改善したのは根拠だけを与えた場合のみ"},
	"detail.no_change_found":    {"no change that was tried brings the evidence", "試した変更では根拠を取得できず"},
	"detail.parameter_untested": {"the retrieval cannot be run again", "検索を再実行できない"},
	"detail.not_regenerated":    {"the answer was not generated again", "回答の再生成は未実施"},
	"detail.sampling":           {"chance", "偶然による揺れ"},
	"detail.either":             {"prompt or model, either suffices", "プロンプトとモデルのどちらでも改善"},
	"detail.both":               {"only prompt and model together", "プロンプトとモデルの両方が必要"},
	"detail.untested":           {"the system cannot be asked again", "システムに再度問い合わせできない"},
	"detail.partly_untested": {"model and instructions could not both be replaced, so they cannot be told apart",
		"モデルと指示の両方は差し替えられず、どちらが原因か区別できない"},
	"detail.nothing_heals": {"none of the replacements tried fixed it; probably the generation",
		"試したどの差し替えでも直らず、回答の生成と推定"},
	"detail.fixed_without": {"what was judged good was written without a figure of the reference that the run's contexts state, so that judgement is doubtful",
		"元の参照箇所にある正解の数値が、良いと判定された回答の参照箇所にはなく、その判定が疑わしい"},
	"detail.not_enough": {"what a search found there is not enough for the answer", "検索で見つかった記載だけでは回答に足りない"},
	"detail.maybe_in_other_words": {"a search by words did not find it; the documents may say it in other words",
		"語による検索では見つからないが、文書に別の表現で記載されている可能性がある"},
	"detail.in_other_words": {"the documents may say it in other words, and not even the reference's own facts made a good answer",
		"文書に別の表現で記載されている可能性があり、正解の内容を与えても良い回答にならない"},
	"detail.stands_there": {"the documents hold the words of the reference, and not even the reference's own facts made a good answer",
		"文書に正解と同じ言葉の記載があり、正解の内容を与えても良い回答にならない"},
	"detail.no_reference": {"there is no reference", "正解がない"},
	"detail.no_corpus":    {"there is no corpus", "コーパスがない"},

	"way.context_noise": {"In %d of these other contexts stood in the way.", "うち%d件では、他の参照箇所が妨げになっていました。"},
	"way.chunk_noise": {"In %d of these the chunk that holds it failed even alone: how the text is cut (chunk size) stood in the way.",
		"うち%d件では、その箇所を含むチャンクだけを与えても改善せず、分割の仕方（チャンクサイズ）が妨げになっていました。"},
	"way.passage_alone": {"In %d of these the passage around it alone made the answer good; which part of the rest stood in the way was not tested.",
		"うち%d件では、その前後だけを与えると改善しましたが、残りのどこが妨げになったかは検証していません。"},

	"advice.question":        {"ask users for what the question leaves out", "質問に足りない情報を利用者に確認する"},
	"advice.reference":       {"correct the reference answers", "正解を見直す"},
	"advice.database":        {"add or update the documents", "文書を追加・更新する"},
	"advice.database.add":    {"add what the documents lack", "文書に足りない内容を追加する"},
	"advice.database.update": {"update documents that say otherwise than the right answer", "正解と異なる記載の文書を更新する"},
	"advice.other":           {"change the %s", "%sを変更する"}, "part.reference": {"reference", "基準"},

	"tried.prompt": {"reference prompt", "標準プロンプト"}, "tried.model": {"reference model", "基準モデル"},
	"tried.both":       {"reference prompt and model together", "標準プロンプトと基準モデルの両方"},
	"tried.oracle":     {"evidence alone as contexts", "根拠だけの参照箇所"},
	"tried.regenerate": {"changed search", "検索の変更"}, "tried.deep": {"deep search of all documents", "全文書の深い検索"},
	"tried.facts": {"the reference as a context", "正解の内容を与えた参照箇所"}, "tried.raw_answer": {"no post-processing", "後処理なし"},

	"on.evidence": {"from the evidence alone", "根拠だけを与えた場合"},
	"on.facts":    {"with the reference's own facts as a context", "正解の内容も与えた場合"},
	"on.changed":  {"from other contexts", "別の参照箇所を与えた場合"},

	"swap.prompt": {"with the reference prompt", "標準プロンプトを使用"}, "swap.model": {"with the reference model", "基準モデルを使用"},
	"swap.both": {"with reference prompt and model", "標準プロンプトと基準モデルを使用"},

	"again": {"again (%d)", "%d回目"},

	"change.labels": {"what the dataset names", "データセットの登録"}, "change.claims": {"statements of the reference", "正解の記述の列挙"},
	"change.disputed contradict": {"whether the labelled evidence contradicts the reference", "登録された根拠が正解と矛盾するか"},
	"change.disputed entail":     {"whether the labelled evidence bears the answer out", "登録された根拠が回答を裏づけるか"},
	"change.again":               {"what was found, judged again", "見つかった箇所の再判定"},
	"change.in other words":      {"in other words", "別の言い回し"}, "change.contexts reversed": {"contexts in reverse order", "参照箇所を逆順"},
	"change.evidence that was found": {"evidence that was found", "見つかった根拠"}, "change.another place": {"another place of it", "根拠の別の箇所"},
	"change.contexts cited": {"the contexts that the answer cites", "回答が引用した参照箇所"},
	"change.one more":       {"the contexts of the run and one more", "元の参照箇所に1件追加"},
	"change.first":          {"the first %s contexts", "先頭から%s件の参照箇所"},
	"change.first_kept":     {"the first %s contexts and a later one", "先頭から%s件と後方の1件の参照箇所"},

	"step.rejudge": {"judged again", "再評価"}, "step.raw_answer": {"judged before post-processing", "後処理前の回答を評価"},
	"step.evidence": {"looked for evidence in all documents", "全文書から根拠を検索"}, "step.question": {"read the question by itself", "質問だけを読んで確認"},
	"step.in_context": {"compared places of evidence and contexts", "根拠と参照箇所の位置を照合"},
	"step.retrieval": {"retrieved with one change each, and more passages where needed",
		"条件を一つずつ変えて検索（必要に応じて渡す参照箇所の数も増加）"},
	"step.regenerate": {"answered from the contexts after the change", "変更後の参照箇所で回答"},
	"step.oracle":     {"answered from the evidence alone", "根拠だけを与えて回答"}, "step.resample": {"asked again as it is", "現在の設定で再回答"},
	"step.prompt": {"answered with the reference prompt", "標準プロンプトで回答"}, "step.model": {"answered with the reference model", "基準モデルで回答"},
	"step.deep":  {"answered from a deep search of all documents", "全文書を深く検索した結果から回答"},
	"step.facts": {"answered from the reference's own facts", "正解の内容を与えて回答"},
	"step.both":  {"answered with reference prompt and model", "標準プロンプトと基準モデルで回答"}, "step.observed": {"read from the log", "ログから判定"},
}

// CauseWords returns the words for every code of the cause analysis in a language, "ja" or else English. Keys are
// "component.retriever", "data.retrieval", "method.tested", "certainty.high", "pattern.wrong", "corner.both_low", "detail.stale",
// "advice.reference" and "step.oracle". It is the same map each time: nobody changes it.
func CauseWords(lang string) map[string]string {
	if lang == "ja" {
		return japaneseWords()
	}
	return englishWords()
}

var (
	englishWords  = sync.OnceValue(func() map[string]string { return wordsIn("en") })
	japaneseWords = sync.OnceValue(func() map[string]string { return wordsIn("ja") })
)

func wordsIn(lang string) map[string]string {
	out := make(map[string]string, len(causeWords))
	for code := range causeWords {
		out[code] = causeWord(lang, code)
	}
	return out
}

// causeWord is the word for one code; the code itself where there is none.
func causeWord(lang, code string) string {
	words, ok := causeWords[code]
	switch {
	case !ok:
		return code
	case lang == "ja":
		return words[1]
	}
	return words[0]
}

// Word is the component's name in a language.
func (c Component) Word(lang string) string { return causeWord(lang, "component."+string(c)) }

// Level is the name of the data-level cause that the component belongs to. Like the component's own it says where that is not proven.
func (c Component) Level(lang string) string {
	if c == GenerationUnsure {
		return causeWord(lang, "level."+string(c))
	}
	return c.Data().Word(lang)
}

// Word is the data-level cause's name in a language.
func (c DataCause) Word(lang string) string { return causeWord(lang, "data."+string(c)) }

// Methods lists how a cause can have been found, the surest first.
func Methods() []CauseMethod { return []CauseMethod{Tested, Observed, PaperWay} }

// Word is the method's name in a language.
func (m CauseMethod) Word(lang string) string { return causeWord(lang, "method."+string(m)) }

// Word is the standing's name in a language.
func (s Standing) Word(lang string) string { return causeWord(lang, "stands."+string(s)) }

// Word is the pattern's name in a language.
func (p Pattern) Word(lang string) string { return causeWord(lang, "pattern."+string(p)) }

// Word is the corner's name in a language.
func (c Corner) Word(lang string) string { return causeWord(lang, "corner."+string(c)) }

// Words is the repair in words, as the difference of the two setups is told: "passages given to the model (k) 3 → 5". What concerns
// documents, questions and references is said as what people do.
func (r Repair) Words(lang string) string {
	switch {
	case !r.Applies():
		if advice, ok := causeWords["advice."+string(r.Component)+"."+fmt.Sprint(r.To)]; ok {
			return advice[rankOf(lang == "ja")]
		}
		if advice, ok := causeWords["advice."+string(r.Component)]; ok {
			return advice[rankOf(lang == "ja")]
		}
		return fmt.Sprintf(causeWord(lang, "advice.other"), r.Component.Word(lang))
	case r.To == ReferencePart:
		return experiments.ParamName(r.Param).In(lang) + " → " + causeWord(lang, "part.reference")
	case r.From == nil: // it is not known what it was
		return experiments.SetText(r.Param, r.To, r.Unit).In(lang)
	}
	return experiments.ChangeText(r.Param, r.From, r.To, r.Unit).In(lang)
}
