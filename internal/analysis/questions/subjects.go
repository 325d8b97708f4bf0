package questions

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// subject is a theme that questions of any field may have, with the words that tell of it in either language.
type subject struct {
	id     string
	name   experiments.Rationale
	en, ja string
}

// subjects name what neither the titles of the pages nor the questions name in common words.
var subjects = []subject{
	{"film-television", experiments.Rationale{EN: "Films and television", JA: "映画・テレビ"},
		"movie film episode actor actress sitcom cast filmed tv television hollywood cartoon anime oscar character characters",
		"映画 テレビ 俳優 女優 監督 ドラマ アニメ 番組 放送 主演 出演"},
	{"music", experiments.Rationale{EN: "Music", JA: "音楽"},
		"song songs sang sings sing singer album band lyrics music musical guitar piano concert orchestra composer opera rapper",
		"音楽 作曲 歌手 歌詞 アルバム バンド 楽曲 演奏 楽器 ピアノ オペラ 曲 シングル"},
	{"literature", experiments.Rationale{EN: "Books and writing", JA: "文学・本"},
		"book books novel poem poet literature author shakespeare writer fiction essay publication novelist poetry",
		"小説 作家 文学 作者 著者 著書 詩 出版 執筆 物語 文庫 短歌 俳句 漫画"},
	{"art-architecture", experiments.Rationale{EN: "Art and architecture", JA: "美術・建築"},
		"painting sculpture architecture museum painter artist statue architect",
		"美術 絵画 画家 彫刻 建築 建築家 仏像 美術館 博物館 展覧会"},
	{"sport", experiments.Rationale{EN: "Sport", JA: "スポーツ"},
		"football soccer basketball baseball league championship olympics olympic nba nfl nhl fifa tournament playoff playoffs coach " +
			"goal goals team teams super-bowl cricket hockey tennis",
		"サッカー 野球 選手 大会 オリンピック リーグ 試合 優勝 スポーツ 球団 相撲 監督就任 マラソン 競技"},
	{"games", experiments.Rationale{EN: "Games", JA: "ゲーム"}, "game games gameplay player players nintendo playstation xbox chess",
		"ゲーム ゲームソフト プレイヤー 任天堂 将棋 囲碁"},
	{"history-war", experiments.Rationale{EN: "History and wars", JA: "歴史・戦争"},
		"war battle empire revolution king queen emperor ancient medieval dynasty treaty colonial colony century slavery invasion army military",
		"戦争 大戦 合戦 戦い 帝国 皇帝 国王 天皇 将軍 幕府 革命 条約 王朝 武将 大名 時代 江戸 明治 世紀 軍 城"},
	{"politics", experiments.Rationale{EN: "Politics and government", JA: "政治・行政"},
		"president government senate congress parliament election vote minister governor political democracy republic party constitution federal",
		"大統領 首相 政府 内閣 議会 選挙 政治 政党 大臣 議員 知事 市長 行政 国会"},
	{"law", experiments.Rationale{EN: "Law and rights", JA: "法律・権利"},
		"law court judge legal amendment rights crime criminal trial jury lawyer patent copyright contract supreme",
		"法律 裁判 憲法 権利 犯罪 刑 裁判所 弁護士 著作権 契約 禁止"},
	{"money-business", experiments.Rationale{EN: "Money and business", JA: "経済・企業"},
		"money bank market economy economic price tax company business trade industry stock currency investment employment budget",
		"経済 企業 会社 銀行 市場 通貨 株式 産業 貿易 商社 社長 売上 生産 メーカー 工場"},
	{"work-pay", experiments.Rationale{EN: "Work and pay", JA: "雇用・給与"}, "salary wage employee employer employees pension payroll worker workers job jobs",
		"給与 退職金 従業員 使用人 役員 賃金 年金 雇用 勤務 賞与"},
	{"home", experiments.Rationale{EN: "Houses and land", JA: "住宅・土地"}, "house housing apartment mortgage rent tenant landlord property estate",
		"住宅 土地 家屋 建物 マンション 賃貸 家賃 不動産 居住用 敷地"},
	{"insurance", experiments.Rationale{EN: "Insurance", JA: "保険"}, "insurance insured premium policyholder", "保険 保険料 保険金 共済"},
	{"religion", experiments.Rationale{EN: "Religion and belief", JA: "宗教・信仰"},
		"god church bible testament religion religious christian islam muslim buddhism pope jesus temple saint catholic hindu",
		"宗教 教会 聖書 神社 寺 仏教 キリスト イスラム 教皇 神様 神話 信仰 司祭"},
	{"geography", experiments.Rationale{EN: "Places and geography", JA: "地理・地名"},
		"river mountain ocean island lake sea map continent coast border desert located capital city border north south",
		"川 山 島 海 湖 都市 首都 県 面積 標高 半島 平野 大陸 位置 所在地 国境 都道府県"},
	{"transport", experiments.Rationale{EN: "Travel and transport", JA: "交通・旅行"},
		"travel trip flight airline airport passenger passengers train railway road highway bridge car ship travelers traveler cruise",
		"鉄道 駅 線 列車 電車 空港 航空 飛行機 バス 道路 自動車 船 旅行 車両"},
	{"health", experiments.Rationale{EN: "Health and medicine", JA: "健康・医療"},
		"disease symptoms symptom doctor patient patients medical hospital drug medicine treatment vaccine infection cancer virus pregnant",
		"病気 病 症状 治療 医療 病院 医師 薬 患者 感染 ウイルス 手術 ワクチン 健康"},
	{"human-body", experiments.Rationale{EN: "The human body", JA: "人体"},
		"blood muscle bone bones nerve brain heart kidney skin lung stomach hormone hormones cell cells tissue vein artery organ",
		"血液 筋肉 骨 神経 脳 心臓 細胞 皮膚 胃 臓器"},
	{"animals-plants", experiments.Rationale{EN: "Animals and plants", JA: "動物・植物"},
		"animal animals plant plants species tree dog cat bird fish insect pet pets flower dinosaur habitat",
		"動物 植物 魚 鳥 花 木 生物 種 昆虫 犬 猫 栽培 繁殖 生息"},
	{"food", experiments.Rationale{EN: "Food and drink", JA: "食べ物・飲み物"},
		"food eat drink recipe meat cheese wine beer coffee sugar fruit vegetable restaurant chocolate",
		"食べ物 料理 飲み物 酒 ワイン コーヒー 肉 野菜 果物 菓子 食品 調味料 味"},
	{"physics-chemistry", experiments.Rationale{EN: "Physics and chemistry", JA: "物理・化学"},
		"energy atom atoms chemical molecule electron gas temperature acid element elements metal reaction light gravity wave waves physics",
		"元素 原子 分子 電子 温度 気体 液体 物質 化合物 エネルギー 金属 物理 化学 光 摩擦 電気"},
	{"space-earth", experiments.Rationale{EN: "Space and the earth", JA: "宇宙・地球"},
		"planet star moon sun orbit earthquake volcano climate weather atmosphere rocks satellite spacecraft telescope",
		"宇宙 惑星 地球 太陽 月 彗星 星 地震 火山 気候 天気 台風 人工衛星"},
	{"technology", experiments.Rationale{EN: "Technology and computers", JA: "技術・コンピューター"},
		"computer software internet phone iphone android data windows microsoft google network machine engine technology invention robot",
		"コンピュータ パソコン ソフト インターネット 電話 通信 技術 機械 発明 エンジン 設計 装置 発光"},
	{"education", experiments.Rationale{EN: "Schools and learning", JA: "学校・教育"},
		"school schools university student students college teacher education degree exam childcare",
		"学校 大学 教育 学生 生徒 教師 小学校 高校 図書館 卒業 留学 試験"},
	{"family", experiments.Rationale{EN: "Family and children", JA: "家族・子ども"},
		"child children family parent parents mother father wife husband marriage baby divorce",
		"子供 子ども 家族 夫婦 結婚 離婚 親族 配偶者 扶養 妻 出産"},
	{"language", experiments.Rationale{EN: "Words and language", JA: "言葉・名前の由来"},
		"phrase meaning language languages latin pronounce saying spoken slang alphabet grammar etymology",
		"語源 言葉 言語 意味 別名 略称 正式名称 由来 方言 呼び名 ことわざ"},
}

// wordsIn are the words that tell of a subject in a language.
func (s subject) wordsIn(lang string) []string {
	if lang == "ja" {
		return strings.Fields(s.ja)
	}
	words := strings.Fields(s.en)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "-", " ")
	}
	return words
}
