package compare

// gateWords are what a release check says.
var gateWords = map[string][2]string{
	"gate.threshold": {"The mean of {metric} in the candidate is {mean} ({n} {n?answer|answers}). It must be {bound}",
		"候補の{metric}の平均は{mean}です（{n}件）。条件は{bound}です"},
	"gate.threshold_missing": {". With the worst value for {n} missing {n?score|scores} it is {worst}",
		"。採点のない{n}件を最も悪い値とすると{worst}です"},
	"gate.threshold_share": {"The share of low-score answers in the candidate is {mean} ({n} {n?answer|answers}). It must be {bound}",
		"候補の低スコア回答の割合は{mean}です（{n}件）。条件は{bound}です"},
	"gate.threshold_none_share": {"The share of low-score answers must be {bound}, and no answer of the candidate has a score",
		"低スコア回答の割合（条件は{bound}）：候補の回答に採点されたものがありません"},
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
	"gate.why_raised": {". By the usual limit of {usual} it would not pass; RAG Workbench raised that, because changes that vary this much would " +
		"often fail even a candidate as good as the baseline. To decide by {usual}, set the margin to {keep} (--margin {keep})",
		"。通常の許容幅{usual}では合格になりません。変化のばらつきが大きく、比較の基準と同等の候補でも合格できないことが多くなるため、" +
			"RAG Workbenchが広げました。{usual}で判定するには、許容幅に{keep}を指定してください（--margin {keep}）"},
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
	"clustered.need_documents": {"about {needed} documents with questions like these are needed; more questions about the same " +
		"documents may not be enough",
		"同じような質問のある文書が約{needed}個必要です。同じ文書の質問を増やしても足りるとは限りません"},
	"clustered.need_themes": {"about {needed} themes with questions like these are needed; more questions of the same themes may " +
		"not be enough",
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
	"gate.next.low": {"Next: read the candidate's low-score answers: {which}.", "次は、候補の低スコア回答を読んでください：{which}。"},
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
	"gate.unmeasured": {". {n} of the missing {n?score is|scores are} missing in the baseline, so that no fall can be told; " +
		"{n?it counts|they count} in this share alone",
		"。採点のないもののうち{n}件は比較の基準に採点がなく、低下したかどうか分からないため、この割合だけに数えます"},
	"gate.unasked": {". {n} {n?question was|questions were} asked in one run only, because the {arm} ({run}) was over a part of the dataset",
		"。{arm}（{run}）がデータセットの一部だけを対象としたため、{n}問は片方の実行でしか質問していません"},

	"gate.dropped": {"{n} {n?question|questions} of the baseline {n?is|are} no longer in the candidate's dataset and " +
		"{n?was|were} not compared: {which}",
		"比較の基準で質問した{n}問は候補のデータセットにないため、比較していません：{which}"},
	"gate.dropped_changed":      {changedEN, changedJA},
	"gate.dropped_changed_more": {". " + changedEN, "。" + changedJA},
	"gate.dropped_critical": {". Critical among them: {which}. Whether {n?it|they} got worse is not known, so this does not pass. " +
		"Ask {n?it|them} again unchanged or, where this was intended, make a run over the new dataset the baseline",
		"。このうち重要な質問は{n}問（{which}）で、悪化したかどうか分からないため、合格にはできません。" +
			"元の質問に戻してもう一度実行するか、意図した変更であれば、" +
			"新しいデータセットの実行を比較の基準にしてください"},

	"limits.min":       {"a mean of {metric} of {bound}", "{metric}の平均は{bound}"},
	"limits.min_share": {"a share of low-score answers of {bound}", "低スコア回答の割合は{bound}"},
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
		"{metric} moved by {delta} or more (--delta changes this), though nothing was scored again. " +
		"If scoring again could give other numbers, leave --deterministic out.",
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

	"gate.worse_allowed": {"{what}; the release check allows this many", "{what}（許容される件数の範囲内）"},
	"gate.from_to":       {"worse: {before} → {after}", "悪化：{before} → {after}"},

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
