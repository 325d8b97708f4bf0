package questions

import (
	"strings"
	"sync"
)

// A set of words is made when it is first asked for: most commands need none.
func wordSet(list string) func() map[string]bool {
	return wordsAs(list, func(w string) string { return w })
}

func wordsAs(list string, as func(string) string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			m[as(w)] = true
		}
		return m
	})
}

// grammar is what text.Terms does not call a stop word and names nothing either.
var grammar = wordSet(`near according across ago almost along already although always among another anyone anything around away back become became
	best better beyond called come came comes dear despite e.g else enough etc even ever every everyone everything exactly far first last
	next former formerly get gets getting give given gives go goes going gone good got happen happened happens hello hi however i.e instead
	kind known later latter least less let like likely longer lot lots made make makes making many maybe mean means meant much must
	need needed needs neither never nobody none nothing now often one two three four five six seven eight nine ten ok otherwise per perhaps
	possible quite rather really regarding s said say says second see seem seems several since someone something sometimes somewhere soon
	still t take taken takes tell than thank thanks therefore thing things third though thus today together took toward towards type
	types unless unlike unlikely upon use used uses using usually various versus via vs want wants way ways well went whatever whenever
	wherever whether whoever within without yes yet able due different same sure available related based main major likely north south
	east west
	january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday`)

// verbWords are English verbs that are seldom nouns; verbs are their stems.
var (
	verbs     = stemSet(verbList)
	verbWords = wordSet(verbList)
)

const verbList = `accept accommodate accompany achieve acquire act add adjust admit adopt advise affect afford agree aim allow announce answer
	appear apply appoint approve arise arrange arrive ask assign assist assume attempt attend attract avoid base bear beat become
	befall begin behave believe belong bring build buy calculate call cancel carry cause cease celebrate choose claim clarify classify
	clean collect combine come compare compete complain complete compose comprise conclude conduct confirm connect consider consist
	constitute contain continue contribute convert convince cook correct correspond cover create cut deal decide declare decrease deem
	define deliver demonstrate deny depart depend depict derive describe deserve detect determine develop die differ direct disappear
	discover discuss distinguish distribute do draw drive earn eat elect eliminate embed emerge employ enable enact encounter encourage end
	enforce engage enjoy ensure enter establish evolve examine exceed exclude exist expand expect explain explore express extend face
	fail fall
	feature feed feel fight fill find finish fit fix flee fly follow forbid force forget form found fulfil gain generate get give go
	grant grow
	guarantee handle happen hate have hear help hide hire hold identify ignore imagine implement imply improve include increase indicate
	induce
	infect influence inform inherit inhibit injure insert insist inspire install intend introduce invent invest investigate invite
	involve join
	justify keep kill know lack land last launch lay lead learn leave lend let lie limit listen live locate look lose love maintain make
	manage
	marry matter mean meet mention miss modify motivate move name need negotiate note notice obey observe obtain occur offer open
	operate oppose
	originate own participate pass pay perform permit persuade pick place play point possess postpone prefer prepare present preserve
	prevent proceed
	produce prohibit promote propose protect prove provide publish pull purchase push put raise reach react read realize receive recognize
	recommend reduce refer reflect refuse regain regard reject relate release rely remain remember remove renew repair replace reply
	represent
	request require resolve respond restrict result retain return reveal ride rise run save say see seek seem sell send separate serve set
	settle share show shut sing sit solve speak specify spend split spread stand start state stay steal stop strike struggle submit succeed
	suffer suggest suit support suppose surround survive take talk teach tell tend think throw tie touch transmit transform treat try turn
	undergo understand unite upgrade utilize vary visit vote wait walk want warn wash watch wear win wish wonder write won died wrote
	written sung
	born lies located situated sang played plays holds held shot`

func stemSet(list string) func() map[string]bool { return wordsAs(list, stemOf) }

// lightNouns are stems of nouns that say nothing of the subject by themselves, and make no name of a theme as the first word either.
var lightNouns = stemSet(`ability advantage aim amount answer aspect basis benefit bit case cause category challenge change character chance choice
	combination common comparison component concept condition consequence context couple date day degree description detail difference
	difficulty disadvantage effect element end event evidence example experience explanation extent fact factor feature finding form
	function
	future goal group guy half history hour idea impact implication importance individual information instance issue item key kind knowledge
	lack length level limitation line list location lot majority man manner meaning means mechanism member men method middle minute moment
	month name nature night number object objective option order origin outcome overview page pair paper part party past people percent
	percentage period person phrase piece place plan plans point position possibility problem procedure process property purpose quality
	quantity question range rate reason relation relationship response rest result role rule scale season section sense sentence series set
	shape side significance similarity situation size sort source stage state statement status step story strategy structure study stuff
	style subject summary system target task team technique term text theme theory thing time title top topic total trend type unit use
	user value version view week while woman women word work world year approach action activity area author article research researcher
	result model new guidance current self actor actress place others impact data analysis use usage two kids song movie film show life power house country son doctor episode member head names mean presence proportion near absence number total`)

// adjectives stand before nouns and name nothing alone.
var adjectives = wordSet(`actual additional ambiguous american ancient annual appropriate average bad basic big british broad central certain cheap
	chemical civil clear clinical close cold common complete complex correct critical crucial cultural current daily dark dead deep
	difficult digital direct domestic double dry early eastern easy economic effective electric elderly empty entire essential exact
	exclusive existing external extra extreme fair false familiar fast federal female final fine foreign formal free french frequent fresh
	full functional fundamental general german global great green hard healthy heavy high historical hot huge human ideal identical
	immediate immune important independent indian indirect individual industrial initial inner intensive internal international
	italian japanese joint key large late legal light limited live local long low male married maximum medical mental mild
	minimum minor mobile modern moral multiple mutual narrow national native natural nearby necessary negative neural neutral new noble
	normal
	northern notable nuclear odd official old only optimal oral ordinary original other outer overall own parallel partial particular
	past perfect permanent personal physical plain political poor popular positive potential powerful practical precise pregnant present
	previous
	primary prime principal prior private professional proper public pure quick random rapid rare raw ready real recent red regional regular
	relative relevant religious remote rich right rough royal rural russian safe scientific secondary secret senior separate severe sexual
	sharp short sick significant silent similar simple single slow small smart social soft solar solid southern spanish special specific
	stable standard statistical steady strange strict strong structural subsequent successful sudden sufficient suitable super technical
	temporary theoretical thick thin tiny tough toxic traditional true typical ultimate unique unknown unlimited unusual upcoming upper
	urban usual vague valid viral visual vital warm weak western white whole wide wild wooden wrong young novel alive asleep aware`)

var (
	nounsLikeAdjectives = wordSet(`animal hospital capital festival journal signal metal material manual terminal arrival approval appeal rival survival
		proposal removal renewal trial burial denial disposal rental professional criminal individual official potential principal proposal
		referral withdrawal cathedral mineral chemical medal canal sandal carnival musical music clinic topic epidemic pandemic public
		traffic logic fabric republic critic graphic mechanic arctic antarctic atlantic pacific antibiotic plastic ceramic mosaic
		statistic picnic cosmetic arithmetic rhetoric magic comic classic metric relic tunic ethic electric archive native detective
		executive incentive initiative alternative perspective relative representative objective adjective motive narrative
		library salary dictionary boundary summary secretary territory anniversary diary glossary itinerary january february
		vocabulary commentary documentary military beneficiary subsidiary judiciary table cable vegetable variable bible fable`)
	nounsInLy  = wordSet("family assembly italy july supply anomaly ally rally jelly belly monopoly poly lily melancholy homily butterfly")
	nounsInEd  = wordSet("speed breed creed greed weed steed moped biped hundred watershed bloodshed")
	nounsInIng = wordSet(`building meeting painting wedding clothing housing training testing funding marketing banking boxing ceiling
		clearing computing dancing distancing drawing engineering evening fishing gathering hearing heating hunting lightning
		manufacturing morning mining offspring parking printing processing programming publishing racing screening sequencing setting
		shipping shopping spring string swimming tracing tracking travelling traveling vaccination wing king ring thing voting writing
		advertising accounting breathing cleaning cooking nursing sampling spelling modeling modelling learning`)
)

// lightJapanese are Japanese nouns that say nothing of the subject by themselves.
var lightJapanese = wordSet(`一部 一般 一定 下記 上記 不明 中心 主人公 主要 事実 事項 事情 事例 人物 人々 人数 今回 今後 他 以外 以降 以内 位置 何 何者 何歳 作品 使用 値 備考
	全て 全体 全部 全員 公開 具体的 内容 初 別 制作 割合 利用 前提 効果 動作 区分 原因 取得 取扱 受領 同様 名称 名前 名字 各 合計 問題 商品 回答 国 地 地域 場所 場合 変更
	大小 契機 存在 実施 実際 対応 対象 導入 局面 届出 平均 年間 年度 年分 当時 当初 形 役割 影響 後述 必要 性質 性格 情報 意味 意義 態度 手段 手続 所在 所属 所有 扱 担当 持 採用
	提出 提供 支払 支給 改正 放送 数 料金 方 方式 方法 方針 施設 日本 日本人 時期 時間 時点 時代 最初 最後 最近 最大 最高 期間 期限 本人 条件 来 構成 次 正式 死 死後 毎年
	決定 法 活動 活躍 流 現在 現代 理由 生 用途 由来 町 発売 発生 発表 目的 直前 直後 相手 相当 知 確認 私 種類 程度 立場 第 算出 範囲 経過 結果 継続 続 総称 署名 職業 背景
	自分 自身 自体 行為 製作 要件 見 観点 規定 規模 解釈 計算 計上 記載 記録 設定 許可 該当 詳細 認定 説明 課税 課税上 課税関係 調整 身 適用 適用対象者 選択 選定 部分 金額 金品 開始 間 関係 関連
	限度 際 非課税 順番 頻度 額 類似 食 高 黒 質問 交付 作成 支出 名義 通常 次第 処理 判定 判断 譲 控除額 都市 人口 面積 建設 設立 創設 完成 登場 出身 出身地 出生地 世界 世紀 国内 国外 海外
	歴史 西暦 数字 単位 単語 言葉 言語 要因 要素 変化 特徴 特色 違 差 例 番 番目 順位 割 親 子 父 母 兄 弟 妻 夫 娘 息子 本名 誕生日 正解 答 代 代表 人間 者 物 為 所 点 手 目 口 足 頭 声 気 心 力 作 業
	日付 月日 年月日 生年月日 何年 何月 何日 何人 何時 何時代 何処 何世紀 何県 何語 何色 何個 何回 何番 何番目 何代目 何部 何位 何度 何分 何メートル 何キロ 何名 何故 何科 何国 何市 何党 何教 何円 幾 誰 アルファベット メートル キロ
	三大 一番 概要 将来 参加 運動 段階 機関 回復 確保 合意 平均的 世界一 日本一 総額 負担 中身 周期 高等教育機関 名産 発祥 発祥地 通称 別称 略称 愛称 正式 フルネーム 氏名 姓名 開催 平成 昭和 大正 令和 明治 紀元前 午前 午後 本年分 本年 前年 翌年 同年 同日 次年 見込 状況下 状況 移行日 キロメートル センチ パーセント ケース タイプ グループ メンバー タイトル ページ データ サイズ シリーズ キャラクター モデル ジャンル テーマ レベル スタイル イメージ ポイント システム トップ メイン`)
