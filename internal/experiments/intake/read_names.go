package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// How sure the name of a column makes what it is.
const (
	unsaid  = 0.0
	perhaps = 1.0 // many sheets use the name for something else too: the contents decide
	likely  = 2.0
	exactly = 3.0 // a name of [aliases]
)

// Kinds of columns that are no field.
const (
	kindSystem  = "system" // what a system answered: never the right answer
	kindSource  = "source"
	kindRemark  = "remark"
	kindWording = "wording"

	kindUnanswerable = "unanswerable" // of which questions the documents hold no answer
)

// namePattern is one way in which teams name a column.
type namePattern struct {
	pattern  *text.Pattern
	field    string // a field of [aliases], fieldTag, or a kind
	strength float64
}

func named(field string, strength float64, pattern string) namePattern {
	return namePattern{text.Lazy(pattern), field, strength}
}

// namePatterns are tried in order; the first that matches decides. A name is matched as [plainName] writes it. What stands first is
// what would be mistaken for a question or an answer further below: their numbers, dates, people and kinds.
var namePatterns = []namePattern{
	named(kindUnanswerable, likely, unanswerableNames),
	named(fieldAnswerable, likely, `^(?:(?:文書|資料|マニュアル|ドキュメント)[でに])?(?:回答|解答|お答え|答え)(?:が|を)?(?:可能|可|(?:を)?できる)(?:か(?:どうか)?)?$|`+
		`^(?:回答|解答)(?:の)?可否$|^答えられるか(?:どうか)?$`),
	named(kindRemark, likely, `(?:date|time|日時?|日付|時刻|timestamp|created|updated|modified|時間)$|^(?:date|time|timestamp|created|updated)\b`),
	named(kindRemark, likely,
		`(?:回答|質問|作成|登録|記入|更新|確認|担当|対応|報告)者|担当(?:者|課|部署?|部門|係|名)?$|氏名|部署名$|^(?:owner|author|assignee|tester|agent|user ?name|customer `+
			`?name|reviewer|created by|asked by|answered by|name|email|who)$|(?:\bby|owner|author|reviewer|agent name|tester)$`),
	named(FieldReference, likely,
		`^(?:expected|correct|right|ideal|desired|approved|target|gold(?:en)?|reference|compliant|proper|agreed) (?:.+ )?(?:answer|repl(?:y|ie)|response|output)s?$|`+
			`^(?:期待|想定|正しい|理想|望ましい|あるべき|模範).*(?:回答|解答|応答|応対|返答|答え|出力)$|^(?:reference|desired|correct|ideal) output$`),
	named(FieldReference, likely,
		`^(?:answer|response|reply)s? (?:that )?(?:the )?(?:\S+ )?(?:bot|chatbot|system|assistant|ai|agent|model) (?:should|must|has to|needs to|ought to)\b`),
	named(kindSystem, likely,
		`actual|bot|(?:ai|llm|system|generated|current|previous|predicted|candidate|rag) ?(?:answer|response|output|reply|result)|`+
			`model ?(?:response|output|reply|result)|`+
			`^(?:outputs?|prediction|generated|completion|result)$|(?:(?:ai|ボット|システム|モデル|生成)の?|実際の?|現状の?|現在の|旧|出力された)(?:回答|答え|解答|応答|出力)|^出力(?:結果)?$|実測|実績`),
	named(kindRemark, likely, `^(?:datum|uhrzeit|erstellt|geändert|bearbeiter(?:in)?|autor(?:in)?|notiz(?:en)?|bemerkung(?:en)?|kommentare?|anmerkung(?:en)?|`+
		`begründung|ergebnis|bewertung|punkte|status)\b|\b(?:von|am)$`),
	named(kindSystem, likely, `^(?:ist|bot|ki|system|aktuelle|bisherige|generierte) ?-?(?:antwort|ausgabe)$|^ist$`),
	named(FieldReference, likely,
		`^(?:muster|soll|referenz|standard|beispiel|ideal)[ -]?(?:lösung|loesung|antwort|wert)(?:en)?$|^soll$|`+
			`^(?:erwartete|richtige|korrekte|ideale|gewünschte|offizielle|freigegebene) (?:antwort|lösung|loesung|ausgabe)$|^erwartet$`),
	named(FieldReference, perhaps, `^(?:antwort(?:en|text)?|lösung|loesung)$`),
	named(FieldQuestion, likely, `^(?:\S+[ -]?)?(?:frage|fragen|fragetext|fragestellung|anfrage|kundenanfrage|anliegen)$`),
	named(fieldAnswerable, likely, `^beantwortbar$`),
	named(fieldCritical, perhaps, `^kritisch$`),
	named(fieldLang, likely, `^sprache$`),
	named(fieldTag, likely, `^(?:schwierigkeit(?:sgrad)?|priorität|prioritaet|abteilung|produkt|bereich|art)$`),
	named(fieldCategory, likely, `kategorie$`),
	named(fieldTheme, likely, `^(?:ober|unter)?thema$|^themen$|^betreff$`),
	named(kindSource, likely, `^(?:quelle|fundstelle|dokument|datei|seite|kapitel|abschnitt|handbuch)$`),
	named(fieldEvidence, likely, `^(?:beleg(?:stelle)?|zitat|textstelle)$`),
	named(fieldReferences, likely,
		`^(?:(?:expected|correct|accepted|acceptable|right|model|reference)(?: answer)? )?(?:alternative|variant)(?: answer)?s?$`),
	named(FieldReference, likely,
		`^expected (?:answer|result|response|output|outcome|reply|value)s?$|^期待(?:値|結果|出力|(?:される|する)?(?:回答|解答|応答))$|answer key`),
	named(FieldReference, perhaps,
		`(?:の|による|に基づく|に沿った|どおりの|通りの|への)(?:答え|回答|解答|応答|応対|返答|案内)$|での(?:説明|案内|回答|応対|対応)$|^model answer$|`+
			`^(?:answer|repl(?:y|ie)|response)s? (?:per|in|from|by|of|under|as|given|according|based)\b`),
	named(kindWording, likely,
		`(?:alternat|similar|related|other|variant|paraphras|follow).*(?:question|quer|wording|phras|up)|paraphrase|synonym|類似|言い換え|`+
			`別表現|言いまわし|関連質問|派生|表記ゆれ|キーワード|keywords?$`),
	named(FieldQuestion, likely, `(?:question|query|質問|設問|問題文)(?: text)?$|^(?:question|query)\b(?:.*\b)?(?:en|ja|jp|english|japanese)$`),
	named(kindRemark, likely,
		`score|rating|judg|verdict|\bpass(?:ed)?\b|\bfail(?:ed)?\b|result$|status|state$|評価|採点|判定|点数|スコア|結果$|合否|ステータス|状態|状況|対応状況|進捗|完了|`+
			`未了|points?$|marks?$|配点|votes?$|count$|件数|回数|views?$|channel|チャネル|経路|選択肢|choices?$|options?$|有効期限|version|版数?$|バージョン`),
	named(kindRemark, likely, `^(?:not|no|out of) [a-z]|(?:対象|範囲)外$|(?:記載|該当|回答|規定)(?:なし|無し|不可|不能)$`),
	named(fieldEvidence, likely, `^where (?:is it |does it (?:stand|say so) )?in (?:the |our )?(?:manual|docs?|documents?|handbook|guide|text)$`),
	named(fieldEvidence, likely, // before what ends in 記載 alone, which asks whether the documents say it
		`(?:根拠|典拠|出典)(?:となる|になる|とする|とした|の)?(?:記載|記述|文章|文言)(?:内容|文|箇所|部分)?$|`+
			`(?:根拠|典拠)(?:となる|になる|とする|とした)(?:文|条文|箇所|部分|本文|原文|テキスト)$|`+
			`該当(?:する|の)?(?:記載|文章|文言)(?:内容|箇所|部分)?$|`+
			`(?:規程|規定|文書|資料|マニュアル|ドキュメント)(?:中|内|上)?の?記載(?:内容|文)$`),
	named(fieldAnswerable, likely,
		`answerable|回答(?:の)?可否|回答可能|回答(?:の)?有無|記載(?:の)?有無|in (?:the )?(?:manual|docs|documents|handbook)|in scope|対象内外|can be answered|has answer|`+
			`\b(?:in|covered by|found in|answered by|part of) (?:the |our )?(?:manual|docs?|documents?|documentation|handbook|guide|`+
			`guidelines?|polic(?:y|ies)|rules?|sop|faq|text|source|knowledge base|kb)$|`+
			`記載(?:の?有無|あり|済み?)?$|[にで](?:記載|掲載|回答)(?:あり|され.*|でき.*)?$`),
	named(fieldEvidence, likely,
		`evidence|supporting (?:text|passage|quote)|quote|citation|\bcited?\b|excerpt|passage|gold(?:en)? ?context|reference context|`+
			`根拠(?:文|箇所|の?記述|テキスト)?$|引用(?:.*文|箇所)?$|該当(?:箇所|文|記述|部分)|抜粋|参照箇所|原文|本文抜粋|出典(?:の)?(?:文|箇所|記述)`),
	named(fieldURLs, likely, `\burls?\b|url|\blinks?\b|リンク|hyperlink|アドレス$`),
	named(FieldID, perhaps, `^ref\.?$`),
	named(kindSource, likely,
		`source|出典|典拠|根拠|参照|参考|資料|文書|文献|マニュアル|ドキュメント|規程|規定|ファイル|\bdocs?\b|\bdocuments?\b|\bfiles?\b|filename|\bpages?\b|\bp\.?$|ページ|頁|`+
			`\bsections?\b|章|節|条|\bmanual\b|\bhandbook\b|location|where found|see also|\brefs\.?$|citation|該当ページ|掲載|article`),
	named(FieldID, likely, // what counts rows and does nothing else
		`^(?:(?:row|item|case|question|query|test ?case|質問|設問) ?)?(?:id|no|nr|number|番号)\.?$|^#$|^№$|^(?:項番|連番|通番|通し番号|管理番号|整理番号)$`),
	named(FieldID, perhaps,
		`(?:^|[^a-z])ids?$|(?:^|[^a-z])(?:no|nr|num|number|key)\.?$|#$|^№$|^ref\.?$|番号$|^(?:項|番)$|^項番|^連番|^通番|^通し番号|^管理番号|^整理番号|コード$|`+
			`\bcode$|^s n$|^sl\.? ?no|^(?:row|item|case|ticket|test ?case|serial|index|seq)\.?$|id$|no\.?$`),
	named(fieldLang, likely, `^(?:lang|language|locale|言語|言語コード)$`),
	named(fieldReferences, likely, `(?:other|alternative|also|acceptable|accepted).*answers?|別解|許容(?:回答|解)|その他の正解`),
	named(fieldCritical, perhaps, `critical|must ?have|must ?pass|重要$|必須$|最重要|クリティカル`),
	named(fieldTag, likely,
		`difficulty|level|priority|severity|importance|type|kind|intent|audience|persona|product|module|component|department|team|`+
			`region|grade|難易度|難度|レベル|優先度?|重要度|区分|種別|種類|タイプ|対象者?|部署|部門|製品|機種|商品|サービス名|分野|領域|中分類|小分類|細目|サブカテゴリ|subcategory|sub ?categor|`+
			`subtopic|頻度|フェーズ|phase|範囲$|scope$|属性|質問者|利用者|ペルソナ`),
	named(fieldCategory, likely, `categor|カテゴリ|大分類|分類|ジャンル|classification|大項目|中項目|小項目|グループ|^group$|^class$`),
	named(fieldTheme, likely, `theme|topic|テーマ|トピック|\bsubject\b|\barea\b|\bdomain\b|話題|項目$|単元|科目|件名|タイトル|title`),
	named(fieldTags, likely, `^tags?$|labels?$|タグ|ラベル`),
	named(kindRemark, likely,
		`備考|メモ|注記|補足|コメント|所感|解説|説明|理由|注意|注釈|経緯|背景|意図|狙い|ねらい|観点|目的|notes?$|comments?|remarks?|memo|explanation|rationale|reason|`+
			`background|description|details?$|feedback|why\b|purpose|history|context`),
	named(FieldReference, likely,
		`expected|gold|ground ?truth|(?:correct|right|model|ideal|reference|approved|official|sample|suggested|desired|target|final|`+
			`best|acceptable|true|verified|canonical|agreed|standard|perfect|should) ?(?:say|answer|response|reply|output|`+
			`solution)?s?$|answer key|should (?:say|answer|be)|`+
			`正解|正答|模範|想定(?:される)?(?:回答|解答|答え|応答)|期待(?:される)?(?:回答|解答|答え|値|結果|出力|応答)?|回答例|解答例|正しい|標準回答|あるべき|理想|望ましい|公式回答|確定回答|ゴールド`),
	named(FieldQuestion, likely,
		`question|quer(?:y|ies)|prompt|\bask|inquir|enquir|utterance|user ?(?:input|message|says|text)|customer ?(?:message|says|text|`+
			`asks|wrote|request)|質問|設問|問題文?|問い?合わ?せ|問合せ|お問合|発話|照会|相談|クエリ|検索文|プロンプト|想定問|^問い?$|ユーザー?入力|聞かれ`),
	named(FieldReference, perhaps,
		`answer|reply|replies|response|resolution|solution|回答|解答|応答|返答|答え|返信|回答文|^答$|対応内容|対応方法|解決(?:策|方法)|agent ?(?:message|wrote|says)`),
	named(FieldQuestion, perhaps,
		`^(?:q|faq|input|text|message|request|sentence|scenario|test ?case|issue|problem|内容|本文|文章|依頼(?:内容)?|入力(?:文|内容|値)?|要望|ケース|`+
			`テスト(?:ケース|内容|項目)?|メッセージ|シナリオ|検証内容|確認内容|事象|症状|困りごと|件名)$`),
	named(FieldReference, perhaps, `^(?:a|ans|対応|結論|内容)$`),
}

var (
	nameMarks = text.Lazy(`[（(【\[［<＜][^）)】\]］>＞]*[）)】\]］>＞]|[*＊※●■◆:：?？!！"“”'’]|必須$`)
	nameGaps  = text.Lazy(`[\s_\-/／・|]+`)
)

// plainName is a column's name as patterns read it: NFKC, lower case, words apart, without marks and what stands in brackets.
func plainName(name string) string {
	s := norm.NFKC.String(strings.TrimSpace(name))
	if bare := strings.TrimSpace(nameMarks.ReplaceAllString(s, " ")); bare != "" {
		s = bare
	}
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes { // ExpectedAnswer and QuestionID are two words
		if i > 0 && 'A' <= r && r <= 'Z' && 'a' <= runes[i-1] && runes[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(nameGaps.ReplaceAllString(strings.ToLower(b.String()), " "))
}

// An output is what the system gave, unless brackets behind the name say that it is the one expected.
var (
	bareOutput = text.Lazy(`^(?:outputs?|results?|responses?|completions?|出力(?:結果|内容|文|値)?|結果|応答)$`)
	// formerly says behind a name that a column holds what is not so any more.
	formerly     = text.Lazy(`(?i)[(\[【<](?:旧|変更前|修正前|改[訂定]前|old|previous|before|former|obsolete)[)\]】>]$`)
	saysExpected = text.Lazy(`[(\[【<](?:期待(?:値|結果|出力|回答)?|期待され?る.{0,6}|正解|想定|模範|expected|desired|ideal|correct|reference|` +
		`gold(?:en)?|ground truth|target)[)\]】>]$`)
)

// guessName says which field or kind a column's name speaks of, and how surely.
func guessName(name string) (field string, strength float64) {
	if len(name) > longestSample {
		return "", unsaid
	}
	key := ColumnKey(name)
	for _, a := range aliases {
		if slices.Contains(a.names, key) {
			return a.field, exactly
		}
	}
	if halves := inTwoLanguages(name); halves != nil {
		if field, strength := guessBoth(halves); strength > unsaid {
			return field, strength
		}
	}
	if formerly.MatchString(norm.NFKC.String(name)) {
		return kindRemark, likely
	}
	if first, _, both := strings.Cut(norm.NFKC.String(name), "/"); both { // Answer / Notes
		if field, strength := guessName(first); strength > unsaid && (field == FieldQuestion || field == FieldReference) &&
			remarksOn(name) {
			return field, strength
		}
	}
	plain := plainName(name)
	if bareOutput.MatchString(plain) && saysExpected.MatchString(strings.ToLower(norm.NFKC.String(name))) {
		return FieldReference, likely
	}
	return guessPlain(plain)
}

// remarksOn reports whether the second of two names of a column only says that remarks stand there too.
func remarksOn(name string) bool {
	_, second, _ := strings.Cut(norm.NFKC.String(name), "/")
	field, strength := guessPlain(plainName(second))
	return field == kindRemark && strength > unsaid
}

// guessPlain is what the patterns say of a name that [plainName] wrote.
func guessPlain(plain string) (field string, strength float64) {
	for _, p := range namePatterns {
		if p.pattern.MatchString(plain) {
			return p.field, p.strength
		}
	}
	return "", unsaid
}
