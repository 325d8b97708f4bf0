package compare

import (
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// words holds everything that this package says to people: English and Japanese by code. {name} is a parameter, and
// {name?one|many} chooses by a count.
var words = together(comparisonWords, gateWords)

func together(parts ...map[string][2]string) map[string][2]string {
	all := map[string][2]string{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// comparisonWords are what is said of two runs and of the files of two.
var comparisonWords = map[string][2]string{
	"title": {"{en}", "{ja}"},

	"label.worse":       {"worse", "悪化"},
	"label.mixed":       {"mixed", "一長一短"},
	"label.needs_check": {"needs check", "要確認"},
	"label.no_change":   {"no change", "変化なし"},
	"label.better":      {"better", "改善"},

	"detail.CONFIRMED":           {"confirmed", "確定"},
	"detail.SUSPECTED":           {"suspected", "疑いあり"},
	"detail.UNRESOLVED":          {"not resolved", "未判定"},
	"detail.NO_REGRESSION":       {"no change that matters", "意味のある変化なし"},
	"detail.UNCHANGED_IDENTICAL": {"identical", "同一"},
	"detail.IMPROVED":            {"confirmed improvement", "改善確定"},

	"class.runtime_error":                {"not measured: an error while running", "実行エラーのため未測定"},
	"class.no_answer_in_import":          {"the imported answers have none to this question", "取り込んだ回答に、この質問の回答がない"},
	"class.no_score_in_import":           {"the file has no score here", "取り込んだファイルにスコアがない"},
	"class.reference_or_question_edited": {"the question or its right answer was edited", "質問または正解が編集された"},
	"class.same_answer_judge_moved":      {"same answer, the judge moved", "回答は同じで、評価モデルの判定が変わった"},
	"class.evidence_lost_by_retrieval":   {"evidence lost by retrieval", "検索で根拠が失われた"},
	"class.evidence_gone_from_documents": {"the documents no longer hold the marked evidence", "指定された根拠の文が文書になくなった"},
	"class.evidence_lost_new_documents": {"the documents differ, and the evidence is no longer among the passages",
		"文書が異なり、根拠が参照箇所からなくなった"},
	"class.evidence_cut_by_chunking":     {"evidence cut by chunking", "チャンクの境界で根拠が切れた"},
	"class.yet_better":                   {"{class}, yet the answer got better", "{class}が、回答は改善した"},
	"class.evidence_gained_answer_right": {"evidence gained, the answer is right", "根拠が増え、回答は正しい"},
	"class.evidence_gained_answer_wrong": {"evidence gained, yet the answer is not right", "根拠は増えたが、回答は正しくない"},
	"class.refused_to_answered":          {"refused → answered", "記載なしと回答 → 回答"},
	"class.answered_to_refused":          {"answered → refused", "回答 → 記載なしと回答"},
	"class.same_evidence_answer_changed": {"same evidence, the answer changed", "根拠は同じで、回答が変わった"},
	"class.same_contexts_answer_changed": {"same passages, the answer changed", "参照箇所は同じで、回答が変わった"},
	"class.evidence_in_neither":          {"the marked evidence is in neither, the answer changed", "指定された根拠はどちらにもなく、回答が変わった"},
	"class.evidence_gained":              {"evidence gained", "根拠が増えた"},
	"class.evidence_from_other_places":   {"as much of the evidence, in other passages", "根拠の量は同じで、参照箇所が変わった"},
	"class.contexts_changed_no_evidence": {"the passages changed (the documents hold no answer to this question)",
		"参照箇所が変わった（文書に答えのない質問）"},
	"class.contexts_changed": {"the passages changed (no evidence is marked, so comparing cannot tell the effect)",
		"参照箇所が変わった（根拠の指定がなく、比較だけでは影響は不明）"},
	"class.contexts_unknown": {"where its passages stand is not known here, so nothing says why",
		"参照箇所の位置が記録されておらず、理由は不明"},

	"kind.right":        {"right", "正しい"},
	"kind.partly_right": {"partly right", "一部正しい"},
	"kind.wrong":        {"wrong", "誤り"},
	"kind.refused":      {"refused", "記載なしと回答"},
	"kind.failed":       {"failed", "実行エラー"},

	"remark.mixed_up":    {"more correct, less grounded", "より正しくなったが、根拠が弱くなった"},
	"remark.mixed_down":  {"less correct, better grounded", "正しさは下がったが、根拠は強くなった"},
	"remark.mixed_up_by": {"{first} rose, {guard} became low ({before} → {after})", "{first}は上がったが、{guard}は低スコアになった（{before}→{after}）"},
	"remark.mixed_down_by": {"{first} fell, {guard} is no longer low ({before} → {after})",
		"{first}は下がったが、{guard}は低スコアを脱した（{before}→{after}）"},
	"remark.ungrounded": {"as correct as before, less grounded", "正しさは変わらないが、根拠が弱くなった"},
	"remark.grounded":   {"as correct as before, better grounded", "正しさは変わらず、根拠が強くなった"},
	"remark.ungrounded_by": {"{first} as before, {guard} became low ({before} → {after})",
		"{first}は変わらないが、{guard}は低スコアになった（{before}→{after}）"},
	"remark.grounded_by": {"{first} as before, {guard} is no longer low ({before} → {after})",
		"{first}は変わらず、{guard}は低スコアを脱した（{before}→{after}）"},
	"remark.guard_moved": {"{guard} went from {before} to {after}", "{guard}は{before}から{after}"},
	"remark.guard_level": {"{guard} went from {before} to {after}, on the same side of the low-score line",
		"{guard}は{before}から{after}（低スコアの線はまたいでいない）"},
	"remark.tie_by": {"same grade; decided by: {what}", "評価は同じ。決め手：{what}"},
	"remark.kind_alone": {"same grade, and nothing known of the answers sets one above the other",
		"評価は同じで、判明している内容からは優劣がつかない"},
	"remark.kind_open":   {"same grade; more votes decide what became of it", "評価は同じで、どうなったかは追加の判定で決まる"},
	"remark.key_facts":   {"key facts {before} → {after} of {key}", "要点は{key}件中{before}件→{after}件"},
	"remark.contradicts": {"same grade; statements against the right answer {before} → {after}", "評価は同じ。正解と矛盾する記述は{before}件→{after}件"},
	"remark.facts_of_right": {"one answer refuses; statements that the right answer holds {before} → {after}",
		"一方は回答なし。正解に含まれる記述は{before}件→{after}件"},
	"remark.refusal_share": {"only one of them says that it does not know; by its words the other covers {share} of the right answer, and no " +
		"statement of it was found there", "分からないと述べたのは一方だけ。他方は語句では正解の{share}を含むが、正解の記述としては確認できない"},
	"remark.refusal": {"no fact of the right answer was found in either answer, and only one of them says that it does not know",
		"どちらの回答にも正解の事実は見つからず、分からないと述べたのは一方だけ"},
	"remark.refusal_rose": {"graded higher, but no fact of the right answer was found in either answer, and the new one no longer says that it " +
		"does not know", "評価は上がったが、どちらの回答にも正解の事実は見つからず、変更後は分からないと述べなくなった"},
	"remark.both_orders": {"same grade; the judge set both answers side by side, in both orders", "評価は同じ。両方の回答を順序を入れ替えて直接比べた結果"},

	"arm.baseline":  {"baseline", "比較の基準"},
	"arm.candidate": {"candidate", "候補"},

	"excluded.only_baseline":  {"only the baseline has it", "比較の基準にしかありません"},
	"excluded.only_candidate": {"only the candidate has it", "候補にしかありません"},
	"excluded.version": {
		"version {baseline} in the baseline, {candidate} in the candidate",
		"指標の版が異なります（比較の基準 {baseline}、候補 {candidate}）",
	},
	"excluded.scale": {"its range or direction differs between the runs", "値の範囲または向きが異なります"},
	"excluded.judge": {
		"judged by {baseline} in the baseline, by {candidate} in the candidate",
		"評価モデルが異なります（比較の基準 {baseline}、候補 {candidate}）",
	},
	"excluded.embedder": {
		"embedded by {baseline} in the baseline, by {candidate} in the candidate",
		"埋め込みモデルが異なります（比較の基準 {baseline}、候補 {candidate}）",
	},
	"excluded.no_evidence": {"no question has labelled evidence", "根拠が登録された質問がありません"},
	"excluded.no_scores":   {"no question was scored in both runs", "両方の実行で採点された質問がありません"},

	"warn.coverage": {
		"the {arm} has {scored} of {applicable} scores; by each measure, only questions that both runs scored are compared",
		"{arm}で採点できたのは{applicable}件中{scored}件です。指標ごとに、両方の実行で採点された質問だけを比較します。",
	},
	"warn.part": {
		"the {arm} was over a part of its dataset: {n} {n?question|questions} of the other run {n?was|were} not asked in it and {n?is|are} not " +
			"compared",
		"{arm}はデータセットの一部だけの実行です。もう一方の実行にある{n}件の質問はたずねていないため、比較していません。",
	},
	"warn.dataset": {
		"the runs used different dataset versions ({baseline}, {candidate}); only equal questions are compared",
		"データセットの版が異なります（{baseline}、{candidate}）。同じ質問だけを比較します。",
	},
	"warn.evidence": {
		"the evidence of {n} {n?question|questions} differs; retrieval metrics leave {n?it|them} out",
		"{n}件の質問で根拠の指定が異なるため、検索の指標では除外します。",
	},
	"warn.low_score": {
		"the low-score thresholds differ ({baseline}, {candidate})",
		"低スコアの基準が異なります（{baseline}、{candidate}）。",
	},
	"warn.low_apart": {
		"the runs do not mean the same by a low score (baseline: {baseline}; candidate: {candidate}), so low-score answers are not counted " +
			"against each other; import both with the same meaning of low to count them",
		"低スコアの定義が異なるため（比較の基準：{baseline}、候補：{candidate}）、低スコア回答の数は比較しません。" +
			"比較するには、両方を同じ低スコアの定義で取り込んでください。",
	},
	"warn.offline_version": {
		"the built-in checker that scored has version {baseline} in the baseline and {candidate} in the candidate, and may score the same answer " +
			"differently: run the baseline again before you believe a difference",
		"内蔵の簡易評価のバージョンが異なり（比較の基準 {baseline}、候補 {candidate}）、同じ回答でもスコアが変わることがあります。" +
			"差を判断する前に、比較の基準を実行し直してください。",
	},
	"warn.judge_language": {
		"the judge was prompted to give its reasons in another language; scores should not depend on it, but the prompts differ",
		"評価モデルに指定した説明の言語が異なります。スコアへの影響は想定されませんが、プロンプトは同一ではありません。",
	},
	"warn.by_grade_alone": {
		"{n} {n?question has|questions have} two answers that differ but get the same grade, and {n?was|were} counted by the grade alone: " +
			"{who} scored by {measures}, which would compare the answers' statements with the right answer. {more}",
		"回答が異なるのに評価が同点の質問が{n}問あり、評価だけで判定しました。" +
			"回答の記述を正解と突き合わせる指標（{measures}）を{who}採点していないためです。{more}",
	},
	"lacks.short": {
		"{n} {n?question has|questions have} two answers that differ but get the same grade, and {n?was|were} counted by the grade alone, because " +
			"{who} scored by {measures}: a comparison of runs that both were may have other numbers of worse and better answers.",
		"回答が異なるのに評価が同点の質問{n}問は、評価だけで数えました。{measures}を{who}採点していないためで、" +
			"採点した実行どうしの比較では、悪化・改善の件数が変わることがあります。",
	},
	"lacks.more": {
		"With such scores in both runs, more of these questions might count as worse or better; asking again would not tell, because these " +
			"scores are what is missing.",
		"採点した実行どうしの比較では、同じ変更でも悪化・改善の件数がこれより多くなることがあります" +
			"（不足しているのはこの採点で、再度質問しても分かりません）。",
	},
	"lacks.votes": {
		"With such scores in both runs, more of these questions might count as worse or better; {n} of them would stay as they " +
			"are: repeated votes decide {n?it|them}.",
		"採点した実行どうしの比較では、" +
			"同じ変更でも悪化・改善の件数がこれより多くなることがあります（このうち、" +
			"繰り返しの判定で決まる{n}問を除く）。",
	},
	"lacks.votes_all": {
		"Repeated votes decide here, so with such scores the counts would be the same.",
		"いずれも繰り返しの判定で決まるため、採点した実行どうしの比較でも件数は同じです。",
	},
	"beside.unlike": {
		"Answers of equal grade are not counted alike: those of {facts} by what they state, those of {grade} by the grade alone. The numbers of worse " +
			"and better answers of these runs may differ for that reason alone.",
		"評価が同点の回答の数え方が実行によって異なります。{facts}では回答の記述で、" +
			"{grade}では評価だけで数えました。" +
			"これらの実行の悪化・改善の件数は、それだけで異なることがあります。",
	},
	"beside.run":      {"{run} ({n} {n?question|questions})", "{run}（{n}問）"},
	"lacks.both":      {"neither run was", "どちらの実行でも"},
	"lacks.baseline":  {"the baseline was not", "比較の基準で"},
	"lacks.candidate": {"the candidate was not", "候補で"},
	"warn.judge_drift": {
		"the judge itself moved on {metric}: judge {judge}, system {system}",
		"{metric}では評価モデル自体の判定が動きました（評価モデル {judge}、システム {system}）。",
	},
	"warn.few_replicates": {
		"{metric}: {pairs} repeated {pairs?vote|votes} of the {needed} from which the noise can be told; nothing is settled by replicates",
		"{metric}：繰り返しの判定が{pairs}件しかなく（{needed}件必要）、ばらつきを推定できません。",
	},
	"warn.sign_reversal": {
		"{metric} moved by {raw} over all questions but by {matched} over those asked in both runs: the questions changed, not the answers",
		"{metric}は全質問では{raw}、共通の質問では{matched}です。変わったのは回答ではなく質問の内訳です。",
	},
	"warn.sign_reversal_scored": {
		"{metric} moved by {raw} over all answers that have a score but by {matched} over the questions that have one in both runs: the " +
			"same questions were asked, and some have a score in one run alone",
		"{metric}はスコアのある回答全体では{raw}、両方の実行でスコアのある質問では{matched}です。質問は同じですが、一方にしかスコアのない質問があります。",
	},
	"warn.slice_reversal": {
		"{metric} moved by {slice} on “{tag}” against {all} overall",
		"{metric}は全体では{all}ですが、「{tag}」では{slice}です。",
	},

	"excluded.not_in_both": {"no question is scored in both files", "両方のファイルで採点された質問がありません"},
	"excluded.no_numbers":  {"the column holds no scores in {file}", "{file}の列にスコアがありません"},
	"excluded.no_column":   {"{file} has no such column", "{file}に列がありません"},

	"warn.one_file": {
		"{n} {n?question is|questions are} in {here} and not in {gone} and {n?is|are} not compared: {ids}",
		"{here}の{n}問は{gone}にないため、比較しません：{ids}",
	},
	"warn.reworded_ids": {
		"{n} {n?id names|ids name} another question in each file and {n?is|are} not compared: {ids}",
		"{n}件のIDは、2つのファイルで質問の文が異なるため、比較しません：{ids}",
	},
	"warn.votes": {
		"{n} {n?question stands|questions stand} in several rows, which count as votes: {rows}",
		"{n}問が複数の行にあり、各行を1回の判定として数えます：{rows}",
	},
	"votes.row":  {"{id} (rows {rows})", "{id}（{rows}行目）"},
	"votes.line": {"{id} (lines {rows})", "{id}（{rows}行目）"},
	"votes.item": {"{id} (items {rows})", "{id}（{rows}件目）"},
	"warn.unscored": {
		"{metric}: {n} {n?question lacks|questions lack} a score in one file or both and {n?is|are} not compared: {which}",
		"{metric}：{n}問は一方または両方のファイルで採点がないため、比較しません：{which}",
	},
	"left.question":   {"{id} ({why})", "{id}（{why}）"},
	"left.both":       {"{first}; {second}", "{first}、{second}"},
	"left.row":        {"{file} row {row}: {why}", "{file}の{row}行目：{why}"},
	"left.line":       {"{file} line {row}: {why}", "{file}の{row}行目：{why}"},
	"left.item":       {"{file} item {row}: {why}", "{file}の{row}件目：{why}"},
	"left.nowhere":    {"{file}: {why}", "{file}：{why}"},
	"left.empty":      {"no score", "スコアなし"},
	"left.cell":       {"{cell}", "{cell}"},
	"left.unanswered": {"no answer", "回答なし"},
	"warn.one_vote": {
		"{column} of {file} is compared as its one vote of {metric}, of which the other file holds several",
		"{file}の「{column}」は、もう一方のファイルに複数回の採点がある指標「{metric}」の1回分の採点として比較しました",
	},
	"warn.same_file": {
		"{file} stands on both sides, so nothing can differ; of a workbook with a sheet for each run say --sheet OLD --sheet NEW, and save runs " +
			"that stand side by side in one sheet as two files",
		"両方とも同じ{file}のため、違いは出ません。実行ごとにシートがあるワークブックでは--sheetを2回（旧、新の順に）" +
			"指定し、1枚のシートに並んだ実行は別々のファイルに保存してください",
	},
	"excluded.scales_differ": {
		"{what}; write both on one scale, or say with --delta {metric}=X which difference counts",
		"{what}。同じ尺度で書き直すか、数える差を--delta {metric}=Xで指定してください",
	},
	"scales.differ": {
		"its scores lie between {low} and {high} in {file} and between {other_low} and {other_high} in {other}, which looks like two scales",
		"{file}では{low}〜{high}、{other}では{other_low}〜{other_high}で、尺度が異なるようです",
	},

	"warn.same_answers": {
		"{n} {n?question has|questions have} the same answer in both files, though other scores, and {n?is|are} taken as unchanged",
		"{n}問は両方のファイルで回答が同じで、採点だけが違うため、変化なしとします",
	},
	"warn.undirected": {
		"nobody knows whether more or less is better in {columns}, so it decides nothing: say --higher NAME or --lower NAME",
		"{columns}は大きい方と小さい方のどちらが良いか不明のため、判定に使いません：--higher NAMEまたは--lower NAMEで指定してください",
	},
	"warn.in_files": {"{what} ({files})", "{what}（{files}）"},
	"warn.unread": {
		"columns of numbers that are not read as scores, and decide nothing: {columns}",
		"数値の列ですが、採点として読まないため、判定に使いません：{columns}",
	},
	"warn.sheet": {"{what}", "{what}"},
	"warn.operation": {
		"figures of operation, which are no scores of answers and decide nothing: {columns}",
		"運用の数値で、回答の採点ではないため、判定に使いません：{columns}",
	},
	"warn.operation_beside": {
		"figures of operation, which are no scores of answers and do not decide whether an answer counts as better or worse: {columns}",
		"運用の数値で、回答の採点ではないため、回答の悪化・改善の判定には使いません：{columns}",
	},
	"warn.form_percent": {"{column}: percentages, read as shares of 1 (85% is 0.85)", "{column}：百分率を1に対する割合として読みました（85%は0.85）"},
	"warn.form_comma":   {"{column}: read with a comma before the decimals, as 0,85 is 0.85", "{column}：コンマを小数点として読みました（0,85なら0.85）"},
	"warn.form_points": {"{column}: read with points between thousands and a comma before the decimals (1.234,5 is 1234.5)",
		"{column}：桁区切りをピリオド、小数点をコンマとして読み取りました（1.234,5は1234.5）"},
	"warn.form_thousands": {"{column}: read with a comma between thousands (1,250 is 1250)",
		"{column}：コンマを桁区切りとして読みました（1,250は1250）"},
	"warn.form_marks": {"{column}: marks, read as 1 for right and 0 for wrong", "{column}：○や合格を1、×や不合格を0として読みました"},
	"warn.form_yesno": {"{column}: yes is read as 1, and no as 0", "{column}：「はい」を1、「いいえ」を0として読みました"},
	"warn.form_graded": {"{column}: read as the number that each cell begins with (4/5 is 4)",
		"{column}：各セルの先頭の数値を読みました（4/5は4）"},
	"warn.form_stars": {"{column}: read as the number of filled stars (★★★☆☆ is 3)",
		"{column}：塗りつぶされた星の数を読みました（★★★☆☆は3）"},
	"warn.form_mixed": {
		"{column} is not read as scores and decides nothing: how its numbers are written cannot be told for certain ({cells}); to have it read, " +
			"write plain numbers, for example 1, 0.5 and 0",
		"{column}は数値の書き方を確定できないため、採点として読まず、判定に使いません（{cells}）。" +
			"判定に使うには、1、0.5、0のような数値で書いてください",
	},
	"warn.form_words": {
		"{column} is not read as scores and decides nothing: it holds words ({cells}); to have it read, write numbers, for example 5 to 1",
		"{column}は言葉で書かれているため、採点として読まず、判定に使いません（{cells}）。" +
			"判定に使うには、5〜1のような数値で書いてください",
	},
	"warn.form_between": {
		"{column} is not read as scores and decides nothing: beside right and wrong it holds other marks or words ({cells}); to have it read, " +
			"write numbers, for example 1, 0.5 and 0",
		"{column}には正誤のほかの印や言葉があるため、採点として読まず、判定に使いません（{cells}）。" +
			"判定に使うには、1、0.5、0のような数値で書いてください",
	},
	"warn.form_ticks": {
		"{column} are not read as scores and decide nothing: a tick in one of them says how good an answer was; to have it read, write " +
			"one column of numbers instead, for example 1, 0.5 and 0",
		"{column}は、どれか1列の印で回答の良し悪しを示しているため、採点として読まず、判定に使いません。" +
			"判定に使うには、1、0.5、0のような数値の列を1つ書いてください",
	},
	"warn.form_object": {"{column}: objects, of which each is read as its score",
		"{column}：各セルのオブジェクトから score の値を読みました"},

	"method.cluster_t": {
		"Intervals are Student's t on mean paired differences, robust to {clusters} groups of questions about the same source document.",
		"区間は対応のある差のt区間で、同じ文書に基づく質問の相関（{clusters}群）を考慮しています。",
	},
	"method.cluster_theme": {
		"Intervals are Student's t on mean paired differences, robust to {clusters} groups of questions of the same theme, " +
			"because no question has evidence that names its source document.",
		"区間は対応のある差のt区間で、同じテーマの質問の相関（{clusters}群）を考慮しています。" +
			"根拠が登録された質問がなく、元の文書が分からないためです。",
	},
	"method.paired_t": {
		"Intervals are Student's t on mean paired differences; questions count as independent.",
		"区間は対応のある差のt区間で、質問は互いに独立とみなします。",
	},
	"method.settled": {
		"Generator and judge of both runs are deterministic: a change of at least the metric's delta on one vote is final.",
		"両方の実行で生成と評価が決定的なため、1回の判定で足り、再測定は不要です（指標の基準幅以上の変化を悪化・改善とします）。",
	},
	"method.settled_log": {
		"The judge is deterministic, and the answers are as they were recorded: a change of at least the metric's delta on one vote is final " +
			"for these answers. Whether the system would answer so again is not known.",
		"評価は決定的で、回答は記録されたものです。指標の基準幅以上の変化は、1回の判定で、記録された回答についての悪化・改善とします。" +
			"もう一度質問しても同じ回答になるかは分かりません。",
	},
	"method.guard": {
		"Questions are called worse by a two-group posterior over all votes, at an expected share of false flags of {share}% for each deciding metric.",
		"悪化の判定は全判定に基づく事後確率によるもので、指標ごとの誤検出の割合は平均{share} %以下です。",
	},
	"method.one_vote": {
		"Each question has one vote in each run; a change of at least the metric's delta needs a check.",
		"各質問の判定は実行ごとに一回で、指標の基準幅以上の変化は要確認とします。",
	},
	"method.identical_import": {
		"{n} {n?question was|questions were} taken as unchanged: question and answer are the same in both runs, and so are the passages where the " +
			"files hold them. What the tool's judge was shown is not known.",
		"{n}件の質問は、質問と回答（ファイルにあれば参照箇所も）が両方の実行で同じため、変化なしとしました。元のツールの評価モデルへの入力は不明です。",
	},
	"method.identical": {
		"{n} {n?question was|questions were} not compared but settled as unchanged: the judge saw the same in both runs.",
		"{n}件の質問は、評価モデルへの入力が両方の実行で同一のため、変化なしとしました。",
	},

	"list.comma": {", ", "、"},
	"list.more":  {"{first} and {n} more", "{first}ほか{n}件"},
	"list.name":  {"{name}", "{name}"},

	"decision.PASS":         {"PASS", "合格"},
	"decision.FAIL":         {"FAIL", "不合格"},
	"decision.INCONCLUSIVE": {"INCONCLUSIVE", "判定不能"},

	"op.>=": {"at least {bound}", "{bound}以上"},
	"op.>":  {"more than {bound}", "{bound}超"},
	"op.<=": {"at most {bound}", "{bound}以下"},
	"op.<":  {"less than {bound}", "{bound}未満"},
}

// title is a metric's name for people; its id in words where it has none.
func title(s metrics.Spec, lang string) string {
	if t := s.Title(lang); t != "" {
		return t
	}
	return strings.ReplaceAll(s.ID, "_", " ")
}
