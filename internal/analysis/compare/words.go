package compare

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// words holds everything that this package says to people: English and Japanese by code. {name} is a parameter, and
// {name?one|many} chooses by a count.
var words = map[string][2]string{
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
			"against each other; import both with the same --low to count them",
		"低スコアの定義が異なるため（比較の基準：{baseline}、候補：{candidate}）、低スコア回答の数は比較しません。" +
			"比較するには、両方を同じ --low で取り込んでください。",
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

	"gate.threshold": {"The mean of {metric} in the candidate is {mean} ({n} {n?answer|answers}). It must be {bound}",
		"候補の{metric}の平均は{mean}です（{n}件）。条件は{bound}です"},
	"gate.threshold_missing": {". With the worst value for {n} missing {n?score|scores} it is {worst}",
		"。採点のない{n}件を最も悪い値とすると{worst}です"},
	"gate.threshold_beyond": {". That is outside of its scale from {min} to {max}: save the schedule again with a level within it",
		"。この条件は尺度{min}〜{max}の範囲外です。範囲内の値でスケジュールを保存し直してください"},
	"gate.threshold_none": {"The mean of {metric} must be {bound}, and no answer of the candidate has a score",
		"{metric}（条件は{bound}）：候補の回答に採点されたものがありません"},

	"gate.too_few": {"{metric}: {n} {n?question is|questions are} scored in baseline and candidate, too few to judge the mean",
		"{metric}：比較の基準と候補の両方で採点できた質問が{n}問では、平均を判定できません"},
	"gate.all_equal": {"{metric}: all scores are equal", "{metric}：採点がすべて同じ値です"},
	"gate.limit":     {"{margin} ({share} of the scale from {min} to {max}, {origin})", "{margin}（尺度{min}〜{max}の{share}、{origin}）"},
	"gate.risk":      {"{n} of 100 such comparisons", "同様の比較100回中{n}回は正しい推定です"},
	"gate.risk_twice": {"{n} of 100 such comparisons: some questions were scored again, so the mean is looked at twice, and both looks " +
		"together are wrong in {both} of 100 at most",
		"同様の比較100回中{n}回は正しい推定です。一部の質問を採点し直し、平均の判定が2回目にあたるため、" +
			"2回合わせて誤りが100回中{both}回以下になる値です"},
	"gate.limit_asked": {"set for this check", "この判定での指定値"},
	"gate.limit_usual": {"preset by RAG Workbench", "RAG Workbenchの既定値"},
	"gate.limit_seen":  {raisedEN, raisedJA},
	"gate.limit_most":  {raisedEN, raisedJA},
	"gate.why_raised": {". The usual limit is {usual}. RAG Workbench raised it because changes that vary this much would often keep even a candidate " +
		"as good as the baseline from passing. To keep {usual}, set the margin to {keep} (--margin {keep})",
		"。通常の許容幅は{usual}です。変化のばらつきが大きく、比較の基準と同等の候補でも合格できないことが多くなるため、" +
			"RAG Workbenchが広げました。{usual}のままにするには、許容幅に{keep}を指定してください（--margin {keep}）"},
	"gate.passes_never": {". The changes of these {n} {n?question|questions} vary so much that no change of the mean would have passed",
		"。この{n}問の変化のばらつきでは、平均がどう変化しても合格とは判定できません"},

	"mean.same":       {"did not change", "変わりませんでした"},
	"mean.fell":       {"fell by {by}", "{by}下がりました"},
	"mean.rose":       {"rose by {by}", "{by}上がりました"},
	"mean.unchanged":  {"did not change", "変わっていない"},
	"mean.not_fell":   {"did not fall", "下がっていない"},
	"mean.not_rose":   {"did not rise", "上がっていない"},
	"mean.fell_most":  {"fell by at most {by}", "低下は{by}以下"},
	"mean.rose_most":  {"rose by at most {by}", "上昇は{by}以下"},
	"mean.fell_if":    {"fell by at most {by}, if at all", "下がったとしても{by}以下"},
	"mean.rose_if":    {"rose by at most {by}, if at all", "上がったとしても{by}以下"},
	"mean.fell_least": {"fell by at least {by}", "{by}以上下がった"},
	"mean.rose_least": {"rose by at least {by}", "{by}以上上がった"},
	"mean.fell_span":  {"fell by {from} to {to}", "{from}〜{to}下がった"},
	"mean.rose_span":  {"rose by {from} to {to}", "{from}〜{to}上がった"},
	"mean.either": {"changed by anything from a fall of {fall} to a rise of {rise}",
		"{fall}の低下から{rise}の上昇までの範囲"},

	"gate.less":      {"; less is better", "、低いほど良い指標"},
	"gate.loss_fell": {"fall", "低下"},
	"gate.loss_rose": {"rise", "上昇"},
	"gate.moved":     {"The mean of {metric} {moved} ({n} {n?question|questions}{less})", "{metric}の平均は{moved}（{n}問{less}）"},
	"gate.moved_mixed": {"The mean of {metric} {whole} ({n} {n?question|questions}{less}). The release check takes the loss of {mixed} mixed " +
		"{mixed?question|questions} as 0, and by that it {moved}",
		"{metric}の平均は{whole}（{n}問{less}）。リリース判定では、一長一短の{mixed}問の悪化を0とみなします。" +
			"その場合、平均は{moved}"},
	"gate.not_worse_surely": {"{moved}. " + chanceEN, "{moved}。" + chanceJA},
	"gate.not_worse": {"{moved}. " + chanceEN + ". That is less than the limit of {limit}",
		"{moved}。" + chanceJA + "。許容幅{limit}を下回ります"},
	"gate.not_worse_equal": {"The scores of {metric} are the same in baseline and candidate for all {n} {n?question|questions}, so that its mean " +
		"did not change",
		"{metric}：{n}問すべての採点が比較の基準と候補で同じで、平均に変化はありません"},
	"gate.worse": {"{moved}. " + chanceEN + ". That is more than the limit of {limit}",
		"{moved}。" + chanceJA + "。許容幅{limit}を超えています"},
	"gate.unsure": {"{moved}. " + chanceEN + ". Whether a {loss} stays below the limit of {limit} cannot be told",
		"{moved}。" + chanceJA + "。許容幅{limit}以上の{loss}の可能性を排除できないため、判定できません"},
	"gate.need": {". About {n} {n?question|questions} like these would be enough for a candidate as good as the baseline to pass",
		"。同じような質問が約{n}問あれば、比較の基準と同等の候補は合格と判定できます"},
	"gate.need_clusters": {". If nothing changed, {need}", "。変化がない場合でも、合格と判定するには、{need}"},
	"gate.clustered":     {". {by}", "。なお、{by}"},
	"clustered.documents": {"Chance is reckoned over {n} documents, because questions about one document may change together",
		"誤差は{n}個の文書の単位で見積もっています。同じ文書の質問は、連動して変化しうるためです"},
	"clustered.themes": {"Chance is reckoned over {n} themes, because questions of one theme may change together",
		"誤差は{n}個のテーマの単位で見積もっています。同じテーマの質問は、連動して変化しうるためです"},
	"clustered.need_documents": {"about {needed} documents with questions like these are needed; " +
		"more questions about the same documents may not be enough",
		"同じような質問のある文書が約{needed}個必要です。同じ文書の質問を増やしても足りるとは限りません"},
	"clustered.need_themes": {"about {needed} themes with questions like these are needed; " +
		"more questions of the same themes may not be enough",
		"同じような質問のあるテーマが約{needed}個必要です。同じテーマの質問を増やしても足りるとは限りません"},
	"clustered.unknown_documents": {"questions about more documents are needed; how many cannot be said from {n}",
		"ほかの文書についての質問が必要です。必要な数は、今の{n}個の文書からは分かりません"},
	"clustered.unknown_themes": {"questions of more themes are needed; how many cannot be said from {n}",
		"ほかのテーマの質問が必要です。必要な数は、今の{n}個のテーマからは分かりません"},
	"gate.missing_fails": {missingEN + ". That is more than the limit of {limit}. " + missingOwnEN,
		missingJA + "。許容幅{limit}を超えています。" + missingOwnJA},
	"gate.missing_unsure": {missingEN + ". Whether a {loss} stays below the limit of {limit} cannot be told. " + missingOwnEN,
		missingJA + "。許容幅{limit}以上の{loss}の可能性を排除できないため、判定できません。" + missingOwnJA},
	"gate.operation": {
		"only figures of operation decide here ({metrics}): nothing that says how good the answers are was compared; a limit of your own is set " +
			"with --min",
		"{metrics}は運用の数値です。回答の良し悪しを表す採点は比較されていません（限度は--minで指定できます）",
	},

	"gate.tags": {"{metric}: none of {n} tags with {least} questions or more is clearly worse",
		"{metric}：質問が{least}問以上ある{n}個のタグに、明らかに悪化したものはありません"},
	"gate.tags_chance": {"{metric}: none of {n} tags with {least} questions or more is clearly worse; worse by {margin} or more, which may be chance: {which}",
		"{metric}：質問が{least}問以上ある{n}個のタグに、明らかに悪化したものはありません。" +
			"{margin}以上悪化したものの、偶然の可能性があるもの：{which}"},
	"gate.tags_worse": {"{metric} is worse where the tag is {which}", "次のタグの質問で{metric}が悪化しています：{which}"},
	"gate.tags_too": {"; worse by {margin} or more too, which may be chance: {which}",
		"。ほかに{margin}以上悪化したものの、偶然の可能性があるもの：{which}"},
	"gate.tags_unjudged": {"{metric}: whether a tag is worse cannot be told, because the questions of each rest on too few documents or themes " +
		"to tell a fall from chance; worse by {margin} or more: {which}",
		"{metric}：どのタグも質問のもとになる文書やテーマが少なく、悪化か偶然かを判断できません。" +
			"{margin}以上悪化したもの：{which}"},
	"gate.tags_apart": {"; {n} more {n?tag rests|tags rest} on too few documents or themes to tell a fall from chance, and {n?is|are} not counted",
		"。ほかの{n}個のタグは、質問のもとになる文書やテーマが少なく、" +
			"悪化か偶然かを判断できないため数えません"},
	"gate.tags_apart_fell": {" (worse by {margin} or more: {which})", "（{margin}以上悪化したもの：{which}）"},
	"gate.tag":             {"{tag} by {loss} (n = {n})", "{tag}（{loss}の悪化、{n}問）"},

	"gate.share_worse": {"{worse} of {n} answers ({share}) {worse?is|are} confirmed as worse, {better} as better. " +
		"The limit of {allowed} ({by}) allows {most} of {n}",
		"悪化と確定した回答は{n}件中{worse}件（{share}）、改善と確定した回答は{better}件です。上限は{allowed}（{by}）で、{n}件では{most}件までです"},
	"gate.share_worse_exact": {"{worse} of {n} answers ({share}) {worse?counts|count} as worse, {better} as better. " +
		"The limit of {allowed} ({by}) allows {most} of {n}",
		"悪化と数えた回答は{n}件中{worse}件（{share}）、改善と数えた回答は{better}件です。上限は{allowed}（{by}）で、{n}件では{most}件までです"},
	"gate.others": {" other", "ほかに"}, // than those that are confirmed
	"gate.share_lower": {". {n}{others} {n?answer|answers} that only scored lower {n?is|are} not counted",
		"。{others}スコアは下がったものの悪化と確定していない{n}件は、件数に含めません"},
	"gate.share_within": {". Even if the {n}{others} {n?answer|answers} that only scored lower {n?is|are} worse, the limit is kept",
		"。{others}スコアは下がったものの悪化と確定していない{n}件が悪化だとしても、上限の範囲内です"},
	"gate.share_open": {". {n}{others} {n?answer|answers} could be worse but {n?has|have} too few scores to confirm that, which takes {votes} " +
		"scores or more of each question in baseline and candidate, so whether the limit is exceeded cannot be told",
		"。{others}{n}件は悪化の可能性がありますが、採点の回数が足りず、確定できません" +
			"（確定には、比較の基準と候補の両方で質問ごとに{votes}回以上の採点が必要）。" +
			"そのため、悪化した回答が上限を超えたかどうか判定できません"},
	"gate.share_open_once": {". {n}{others} {n?answer|answers} could be worse, so whether the limit is exceeded cannot be told",
		"。{others}{n}件は悪化の可能性があるため、上限を超えたかどうか判定できません"},
	"gate.share_small": {". No answer by itself changed enough to count as worse, though all of them together did",
		"。個々の回答の変化はいずれも悪化と数えるには小さく、全体の平均だけが悪化しています"},
	"gate.share_mixed": {". {n} {n?is|are} mixed and {n?does|do} not count", "。一長一短の{n}件は数えません"},

	"gate.confirmed": {"Scores confirm an answer as worse only where it has {votes} scores or more in baseline and in candidate, and where " +
		"chance is an unlikely reason for its fall: the size of the fall counts, and how much its scores vary.",
		"スコアから悪化と確定するのは、比較の基準と候補の両方で{votes}回以上の採点があり、偶然とは考えにくい場合だけです。" +
			"低下の大きさだけでなく、採点のばらつきも考慮します。"},
	"gate.next.worse": {"Next: read the answers that got worse, and look for what they have in common.",
		"次は、悪化した回答を読み、共通点を探してください。"},
	"gate.next.all": {"Next: look for a change that affects all answers, such as another model, prompt or setting of the search, and read the " +
		"answers whose scores got worse, the most first: {which}.",
		"次は、回答全体を変えた原因（モデル、プロンプト、検索の設定の変更など）を探し、スコアが悪化した回答を、悪化の大きい順に読んでください：{which}。"},
	"gate.next.tag": {"Next: read the answers to questions with the tags that got worse.", "次は、悪化したタグの質問への回答を読んでください。"},
	"gate.next.level": {"Next: read the candidate's answers that score worse than the required mean, the worst first: {which}.",
		"次は、候補の回答のうち、スコアが条件に届かないものを、悪い順に読んでください：{which}。"},
	"gate.next.votes": {"Next: have the answers that could be worse scored more often, then run the release check again.",
		"次は、悪化の可能性がある回答の採点回数を増やし、もう一度リリース判定を実行してください。"},
	"gate.next.documents": {"Next: compare over questions about more documents, so that chance leaves less open.",
		"次は、ほかの文書についての質問も加えて比較してください。誤差が小さくなります。"},
	"gate.next.themes": {"Next: compare over questions of more themes, so that chance leaves less open.",
		"次は、ほかのテーマの質問も加えて比較してください。誤差が小さくなります。"},
	"gate.next.questions": {"Next: compare over more questions of this kind, so that chance leaves less open.",
		"次は、同じような質問を増やして比較してください。誤差が小さくなります。"},

	"gate.critical_none_one": {"the critical question is not worse", "重要な質問（1問）は悪化していません"},
	"gate.critical_none":     {"none of {n} critical questions is worse", "重要な質問{n}問に、悪化したものはありません"},
	"gate.critical_mixed_one": {"the critical question is mixed, better in one respect and worse in the other, which by rule fails no release check: {which}",
		"重要な質問（1問）は一長一短（改善した面と悪化した面がある）で、規則により不合格の理由にはなりません：{which}"},
	"gate.critical_mixed": {
		"none of {n} critical questions is worse; mixed, better in one respect and worse in the other, which by rule fails no release check: {which}",
		"重要な質問{n}問に、悪化したものはありません。一長一短（改善した面と悪化した面がある）の質問は、規則により不合格の理由にはなりません：{which}"},
	"gate.critical_worse": {"critical questions are worse: {which}", "重要な質問が悪化しています：{which}"},
	"gate.critical_check": {"critical questions need a check: {which}", "重要な質問に要確認のものがあります：{which}"},
	"gate.question":       {"question {id}", "質問{id}"},
	"gate.of_metric":      {"{id} ({metric})", "{id}（{metric}）"},
	"gate.by_tie":         {"{metric} ties: {why}", "{metric}は同点：{why}"},
	"gate.by_facts":       {"{metric} {before} → {after}: {why}", "{metric} {before} → {after}：{why}"},
	"gate.worse_in":       {"{id} (worse in {metric})", "{id}（{metric}が悪化）"},

	"gate.coverage": {"{scored} of {n} {n?question has|questions have} a score in baseline and candidate ({share}). " + neededEN,
		"比較の基準と候補の両方で採点できた質問は{n}問中{scored}問（{share}）です。" + neededJA},
	"gate.coverage_many": {"{scored} of {n} scores are there in baseline and candidate ({share}): {each}. " + neededEN,
		"比較の基準と候補の両方で採点できたのは{n}件中{scored}件（{share}）です：{each}。" + neededJA},
	"gate.coverage_all": {"No score is missing: {n} {n?question has|questions have} one in baseline and candidate",
		"採点の不足はありません：比較の基準と候補の両方で{n}問を採点できています"},
	"gate.coverage_all_many": {"No score is missing in baseline or candidate: {each}", "比較の基準にも候補にも、採点の不足はありません：{each}"},
	"gate.coverage_of":       {"{metric} {scored} of {n}", "{metric}は{n}問中{scored}問"},
	"gate.coverage_of_all":   {"{metric} for {n} {n?question|questions}", "{metric}は{n}問"},
	"gate.coverage_applies":  {" (each metric counts the questions that it applies to)", "（指標ごとに、対象となる質問だけを数えます）"},
	"gate.unmeasured": {". {n} {n?score that the baseline lacks shows|scores that the baseline lacks show} no fall, and {n?counts|count} here " +
		"alone, not in the change of the mean",
		"。比較の基準に採点のない{n}件からは低下したといえないため、この割合だけに数え、平均の変化には含めません"},
	"gate.unasked": {". {n} {n?question was|questions were} asked in one run only, because the {arm} ({run}) was over a part of the dataset",
		"。{arm}（{run}）がデータセットの一部だけを対象としたため、{n}問は片方の実行でしか質問していません"},

	"gate.dropped": {"{n} {n?question|questions} of the baseline {n?is|are} no longer in the candidate's dataset and {n?was|were} not compared: {which}",
		"比較の基準で質問した{n}問は候補のデータセットにないため、比較していません：{which}"},
	"gate.dropped_changed":      {changedEN, changedJA},
	"gate.dropped_changed_more": {". " + changedEN, "。" + changedJA},
	"gate.dropped_critical": {". Critical among them: {which}. Whether {n?it|they} got worse is not known, so this does not pass. Ask {n?it|them} " +
		"again unchanged or, where this was intended, make a run over the new dataset the baseline",
		"。このうち重要な質問は{n}問（{which}）で、悪化したかどうか分からないため、合格にはできません。" +
			"元の質問に戻してもう一度実行するか、意図した変更であれば、新しいデータセットの実行を比較の基準にしてください"},

	"limits.min":       {"a mean of {metric} of {bound}", "{metric}の平均は{bound}"},
	"limits.margin":    {"a mean may get worse by less than {share} of its scale", "平均の悪化は尺度の{share}未満"},
	"limits.allowance": {"at most {share} of the answers are allowed to be worse", "悪化した回答は{share}以下"},

	"limits.by_":         {"by whoever asked for it", "この判定で"},
	"limits.by_command":  {"with the command “workbench {name}”", "{name} コマンドの実行時に"},
	"limits.by_page":     {"on the page, or by the request, that asked for it", "判定を求めたページまたはリクエストで"},
	"limits.by_schedule": {"by the schedule “{name}”", "スケジュール「{name}」で"},
	"limits.by_notebook": {"by the notebook “{name}”", "ノートブック「{name}」で"},
	"limits.by_cell":     {"by the notebook's cell “{name}”", "ノートブックのセル「{name}」で"},

	"gate.title.threshold":   {"required mean", "平均の条件"},
	"gate.title.not_worse":   {"change of the mean", "平均の変化"},
	"gate.title.critical":    {"critical questions", "重要な質問"},
	"gate.title.dropped":     {"questions that were dropped or changed", "削除・変更された質問"},
	"gate.title.share_worse": {"share of worse answers", "悪化した回答の割合"},
	"gate.title.slice":       {"tags", "タグ"},
	"gate.title.coverage":    {"coverage", "採点できた割合"},
	"gate.title.quality":     {"scores of answers", "回答の採点"},
	"gate.title.of":          {"{title}: {metric}", "{title}：{metric}"},

	"gate.doubts.scored_lower": {"{n} {n?answer|answers} scored lower without being confirmed as worse: {which}.",
		"スコアは下がったものの、悪化とは確定していない回答が{n}件あります：{which}。"},
	"gate.doubts.scored_higher": {"{n} {n?answer|answers} scored higher without being confirmed as better: {which}.",
		"スコアは上がったものの、改善とは確定していない回答が{n}件あります：{which}。"},
	"gate.doubts.by_statements": {"{n} {n?answer|answers} may differ by what they state, which is not confirmed: {which}.",
		"記述に差がありそうで、確定していない回答が{n}件あります：{which}。"},
	"gate.doubts.votes_unclear": {"{n} {n?answer|answers} scored the same on average, by votes from which a change cannot be told: {which}.",
		"平均は同じでも、判定がばらつき、変化の有無が分からない回答が{n}件あります：{which}。"},
	"gate.doubts.not_scored": {"{n} {n?score that is|scores that are} missing {n?keeps|keep} the release check from passing: {which}.",
		"採点のない{n}件のため、合格にできません：{which}。"},
	"files.one_score": {"With one score for each question, no single answer can be confirmed as better or worse: a judge that is asked again often " +
		"scores the same answer differently. To confirm answers, have each question scored three times or more in both files, each score in a row of " +
		"its own; only where scoring again gives exactly the same numbers, say --deterministic instead.",
		"質問ごとに1回の採点では、個々の回答の悪化も改善も確定できません" +
			"（同じ回答でも、採点し直すと値が変わることがあります）。" +
			"確定するには、両方のファイルで各質問を3回以上採点し、採点1回につき1行で記載してください。" +
			"採点し直しても必ず同じ値になる場合に限り、代わりに--deterministicを指定できます。"},
	"files.exact": {"Every score is taken as exact, because --deterministic was given: an answer counts as worse or better as soon as its " +
		"{metric} moved by {delta} or more (--delta changes this), though nothing was scored again. If scoring again could give other numbers, leave --deterministic out.",
		"--deterministicの指定により、スコアを誤差のない値とみなしています。" +
			"採点し直して確かめたものではなく、{metric}が{delta}以上動いた回答を悪化・改善と数えます（--deltaで変更できます）。" +
			"採点し直すと値が変わりうる場合は、--deterministicを外してください。"},
	"gate.doubt.moved":         {"{metric} {before} → {after}", "{metric} {before} → {after}"},
	"gate.doubt.scored":        {"{metric} {score}", "{metric} {score}"},
	"gate.doubt.scored_lower":  {"scored lower, not confirmed as worse: {of}", "低下したが、悪化とは未確定：{of}"},
	"gate.doubt.scored_higher": {"scored higher, not confirmed as better: {of}", "上昇したが、改善とは未確定：{of}"},
	"gate.doubt.by_statements": {"not confirmed: {of}", "未確定：{of}"},
	"gate.doubt.votes_unclear": {"the same on average, by votes from which a change cannot be told: {of}",
		"平均は同じで、判定のばらつきにより変化の有無が不明：{of}"},
	"gate.doubt.not_scored": {"a score is missing: {of}", "採点なし：{of}"},

	"gate.from_to": {"worse: {before} → {after}", "悪化：{before} → {after}"},

	"gate.md.head":    {"Release check: {decision}", "リリース判定：{decision}"},
	"gate.md.against": {"Candidate {candidate} against baseline {baseline}.", "候補 {candidate} を比較の基準 {baseline} と比較した結果です。"},
	"gate.md.alone": {"Candidate {candidate}; no baseline, so only the required means were checked.",
		"候補 {candidate} の結果です。比較の基準がないため、平均の条件だけを確認しました。"},
	"gate.md.checks":   {"| check | decision | what was found |", "| 項目 | 判定 | 結果 |"},
	"gate.md.worse":    {"Worse answers: {n}", "悪化した回答：{n}件"},
	"gate.md.doubts":   {"Answers that need a check or lack a score: {n}", "確認が必要または採点のない回答：{n}件"},
	"gate.md.doubtful": {"| question | why | |", "| 質問 | 理由 | |"},
	"gate.md.answers":  {"| question | metric | baseline | candidate | |", "| 質問 | 指標 | 比較の基準 | 候補 | |"},
	"gate.md.critical": {"critical", "重要"},
	"gate.md.more":     {"{n} more; `--json` lists them all.", "ほか{n}件（`--json`ですべて表示します）"},
}

// title is a metric's name for people; its id in words where it has none.
func title(s metrics.Spec, lang string) string {
	if t := s.Title(lang); t != "" {
		return t
	}
	return strings.ReplaceAll(s.ID, "_", " ")
}
