package analysis

// words holds everything that this package says to people: English and Japanese by code. {name} is a parameter, and
// {name?one|many} chooses by a count.
var words = map[string][2]string{
	"title": {"{en}", "{ja}"},

	"label.worse":       {"worse", "悪化"},
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
	"class.reference_or_question_edited": {"the question or its right answer was edited", "質問または正解が編集された"},
	"class.same_answer_judge_moved":      {"same answer, the judge moved", "回答は同じで、評価モデルの判定が変わった"},
	"class.evidence_lost_by_retrieval":   {"evidence lost by retrieval", "検索で根拠が失われた"},
	"class.evidence_cut_by_chunking":     {"evidence cut by chunking", "チャンクの境界で根拠が切れた"},
	"class.same_evidence_answer_changed": {"same evidence, the answer changed", "根拠は同じで、回答が変わった"},
	"class.contexts_changed":             {"the contexts changed; no marked evidence tells whether that mattered", "コンテキストが変わった（根拠の指定がなく影響は不明）"},

	"arm.baseline":  {"baseline", "ベースライン"},
	"arm.candidate": {"candidate", "候補"},

	"excluded.only_baseline":  {"only the baseline has it", "ベースラインにしかありません"},
	"excluded.only_candidate": {"only the candidate has it", "候補にしかありません"},
	"excluded.version": {
		"version {baseline} in the baseline, {candidate} in the candidate",
		"指標の版が異なります（ベースライン {baseline}、候補 {candidate}）",
	},
	"excluded.scale": {"its range or direction differs between the runs", "値の範囲または向きが異なります"},
	"excluded.judge": {
		"judged by {baseline} in the baseline, by {candidate} in the candidate",
		"評価モデルが異なります（ベースライン {baseline}、候補 {candidate}）",
	},
	"excluded.embedder": {
		"embedded by {baseline} in the baseline, by {candidate} in the candidate",
		"埋め込みモデルが異なります（ベースライン {baseline}、候補 {candidate}）",
	},
	"excluded.no_scores": {"no question was scored in both runs", "両方の実行で採点された質問がありません"},

	"warn.coverage": {
		"the {arm} scored {scored} of {applicable} cells; questions without a score are not compared",
		"{arm}で採点できたのは{applicable}件中{scored}件です。採点できなかった質問は比較しません。",
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
	"warn.judge_language": {
		"the judge was prompted to give its reasons in another language; scores should not depend on it, but the prompts differ",
		"評価モデルに指定した説明の言語が異なります。スコアへの影響は想定されませんが、プロンプトは同一ではありません。",
	},
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
		"{metric}は全質問では{raw}、共通の質問では{matched}です。変わったのは回答ではなく質問の構成です。",
	},
	"warn.slice_reversal": {
		"{metric} moved by {slice} on “{tag}” against {all} overall",
		"{metric}は全体では{all}ですが、「{tag}」では{slice}です。",
	},

	"say.both": {
		"Of {matched} questions asked in both runs, {worse} got worse and {better} got better.",
		"両方の実行に共通する{matched}件の質問のうち、{worse}件が悪化し、{better}件が改善しました。",
	},
	"say.both_critical": {
		"Of {matched} questions asked in both runs, {worse} got worse, critical ones among them, and {better} got better.",
		"両方の実行に共通する{matched}件の質問のうち、最重要の質問を含む{worse}件が悪化し、{better}件が改善しました。",
	},
	"say.changes": {
		"Of {matched} questions asked in both runs, {worse} got worse and {check} {check?needs|need} a check.",
		"両方の実行に共通する{matched}件の質問のうち、{worse}件が悪化し、{check}件は確認が必要です。",
	},
	"say.changes_critical": {
		"Of {matched} questions asked in both runs, {worse} got worse, critical ones among them, and {check} {check?needs|need} a check.",
		"両方の実行に共通する{matched}件の質問のうち、最重要の質問を含む{worse}件が悪化し、{check}件は確認が必要です。",
	},
	"say.better": {
		"None of the {matched} questions asked in both runs got worse; {better} got better.",
		"両方の実行に共通する{matched}件の質問に悪化はなく、{better}件が改善しました。",
	},
	"say.calm": {
		"None of the {matched} questions asked in both runs got better or worse.",
		"両方の実行に共通する{matched}件の質問に、悪化も改善もありません。",
	},
	"say.up": {
		"{metric} rose from {before} to {after} on average, more than chance explains.",
		"{metric}の平均は{before}から{after}へ、偶然では説明できない改善です。",
	},
	"say.down": {
		"{metric} went from {before} to {after} on average, a loss that chance does not explain.",
		"{metric}の平均は{before}から{after}へ、偶然では説明できない悪化です。",
	},
	"say.flat": {
		"{metric} went from {before} to {after} on average, which may be chance: changes below {visible} cannot be seen here.",
		"{metric}の平均は{before}から{after}ですが、偶然の可能性があります。この比較では{visible}未満の変化は見分けられません。",
	},
	"say.same":    {"{metric} is {after} on average, as before.", "{metric}の平均は{after}で、変わっていません。"},
	"say.few":     {"{metric} went from {before} to {after} on average; these are too few questions to tell chance apart.", "{metric}の平均は{before}から{after}ですが、質問が少なく偶然かどうか判断できません。"},
	"say.no_gate": {"No metric that decides could be compared.", "判断に使う指標を比較できませんでした。"},
	"say.settled": {
		"Generator and judge are deterministic, so one vote settles every question.",
		"生成も評価も毎回同じ結果になるため、一回の判定で確定します。",
	},
	"say.expected": {
		"On average {wrong} of the questions called worse are false alarms, and {missed} real losses are not called.",
		"悪化と判定した質問のうち平均{wrong}件は誤検出、見逃した悪化は平均{missed}件と見込まれます。",
	},
	"say.verify": {
		"One vote of a judge that is not deterministic proves nothing: verify the {check} open {check?question|questions} before you decide.",
		"判定は毎回同じとは限りません。判断の前に、未確定の{check}件を再検証してください。",
	},
	"say.unverified": {
		"Each answer was judged once, so small changes on single questions stay unseen.",
		"各回答の判定は一回だけのため、個々の質問の小さな変化は見えません。",
	},

	"method.cluster_t": {
		"Intervals are Student's t on mean paired differences, robust to {clusters} groups of questions about the same source document.",
		"区間は対応のある差のt区間で、同じ文書に基づく質問の相関（{clusters}群）を考慮しています。",
	},
	"method.paired_t": {
		"Intervals are Student's t on mean paired differences; questions count as independent.",
		"区間は対応のある差のt区間で、質問は互いに独立とみなします。",
	},
	"method.settled": {
		"Generator and judge of both runs are deterministic: a change of at least the metric's delta on one vote is final.",
		"両方の実行で生成と評価が決定的なため、一回の判定で指標の基準幅以上の変化があれば確定します。",
	},
	"method.guard": {
		"Questions are called worse by a two-group posterior over all votes, at an expected share of false flags of {share} % for each deciding metric.",
		"悪化の判定は全判定に基づく事後確率によるもので、指標ごとの誤検出の割合は平均{share} %以下です。",
	},
	"method.one_vote": {
		"Each question has one vote in each run; a change of at least the metric's delta needs a check.",
		"各質問の判定は実行ごとに一回で、指標の基準幅以上の変化は要確認とします。",
	},
	"method.identical": {
		"{n} {n?question was|questions were} not compared but settled as unchanged: the judge saw the same in both runs.",
		"{n}件の質問は、評価モデルへの入力が両方の実行で同一のため、変化なしとしました。",
	},
}
