package intake

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// How columns are called, and what that means. It is the only list of names: sheets of questions, logged answers, results of other tools
// and compared files ask it. A name is first looked for among the exact ones, then among the patterns from above to below; the first
// decides, and says how surely. What a column holds is asked where the name alone may mean two things.

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
	kindScore   = "score"    // how good an answer was
	kindContext = "contexts" // what was retrieved for an answer

	kindUnanswerable = "unanswerable" // of which questions the documents hold no answer
)

// What a name may say beside what [guessName] finds in it, where answers and their scores are read.
const (
	alsoAnswer    = "an answer"       // that of a system, or of one of several
	alsoReplies   = "what came out"   // an answer where it holds texts beside another one, else a judgement
	alsoContexts  = "contexts"        // that were retrieved, instead of where a right answer stands
	alsoJudges    = "a judgement"     // instead of the right answer
	alsoCase      = "a question's id" // and not that of a session, a trace or a document
	alsoScore     = "a score"         // instead of what a right answer is worth
	alsoRowNumber = "a count of rows" // which another file counts otherwise
	alsoSystem    = "whose rows"      // which of several systems, or of their settings, gave an answer
	alsoRun       = "which run"       // the same, where its cells are names; numbers count repetitions of one system
	alsoGrade     = "a school grade"  // of which the best may be 1 or the highest, where its numbers are those of schools
)

// nameRow is one way in which teams name a column.
type nameRow struct {
	means    string // a field of [aliases], fieldTag, or a kind
	strength float64
	pattern  *text.Pattern
	also     bool // the row says what a name means beside what the others say
}

func named(means string, strength float64, pattern string) nameRow {
	return nameRow{means: means, strength: strength, pattern: text.Lazy(pattern)}
}

func also(means, pattern string) nameRow {
	return nameRow{means: means, strength: likely, pattern: text.Lazy(pattern), also: true}
}

// Names of ids and questions, in sheets of questions as in those of answers.
var (
	idAliases       = []string{"question_id", "query_id", "qid", "reference_example_id", "example_id", "id", "_id", "質問id", "番号"}
	questionAliases = []string{
		"question", "user_input", "query", "input", "inputs.question", "inputs.query", "inputs.input", "input.question",
		"input.query", "vars.question", "vars.query", "inputs", "質問", "質問文", "設問", "問い",
	}
)

// aliases are the column names of each field, as [ColumnKey] writes them, the preferred one first. Names of other tools
// follow what those tools export. Other names are guessed, see [guessName].
var aliases = []struct {
	field string
	names []string
}{
	{FieldID, idAliases},
	{FieldQuestion, questionAliases},
	{FieldReference, []string{
		"reference", "reference_answer", "ground_truth", "ground_truths", "gt_answer", "expected_output", "expectedoutput",
		"expected_answer", "expected_response", "expectations.expected_response", "expectations.expected_facts",
		"generation_gt", "expected",
		"__expected", "target", "inputs.ground_truth", "inputs.reference", "inputs.expected_response", "reference_output",
		"reference_outputs", "reference.text", "reference.output", "reference.answer", "reference.response", "reference.expected",
		"reference_outputs.answer", "reference_outputs.output", "expected.text", "正解", "正答", "模範解答",
	}},
	{fieldReferences, []string{"references", "reference_answers", "accepted_answers", "別解"}},
	{fieldLang, []string{"lang", "language", "言語"}},
	{fieldAnswerable, []string{"answerable", "is_answerable", "回答可能", "回答可否", "回答の可否"}},
	{FieldCritical, []string{"critical", "is_critical", "重要"}},
	{fieldEvidence, []string{
		"evidence", "evidence_spans", "evidence_quotes", "evidence_quote", "reference_contexts", "reference_context",
		"gold_contexts", "context", "根拠", "根拠文",
	}},
	{fieldEvidenceDoc, []string{"evidence_doc_id", "evidence_document"}},
	{fieldURLs, []string{"expected_urls", "expected_url", "期待url", "根拠url"}},
	{FieldTags, []string{"tags", "tag", "タグ"}},
	{FieldTheme, []string{"theme", "topic", "metadata.topic", "テーマ"}},
	{FieldCategory, []string{"category", "カテゴリ", "カテゴリー", "分類"}},
}

// conversationNames are columns with the turns of a conversation, which a question cannot have.
var conversationNames = []string{"messages", "conversation", "conversations", "conversation_history", "chat_history", "turns",
	"dialogue", "会話履歴"}

// answerAliases are the same of logged answers.
var answerAliases = []struct {
	field string
	names []string
}{
	{FieldID, idAliases},
	{FieldQuestion, questionAliases},
	{FieldAnswer, []string{
		"answer", "response", "actual_output", "output", "outputs", "outputs.answer", "outputs.output", "outputs.response", "prediction",
		"predicted_answer",
		"generated_answer", "model_answer", "generated_text", "generation", "generation.text", "回答", "回答文", "生成回答",
	}},
	{FieldContexts, []string{
		"contexts", "retrieved_contexts", "retrieval_context", "retrieved_context", "retrieved_contents", "retrieved_documents",
		"source_documents", "context", "sources", "passages", "コンテキスト", "検索結果", "参照文書",
	}},
	{fieldContextIDs, []string{"context_ids", "retrieved_context_ids", "retrieved_ids", "doc_ids"}},
	{fieldLatencyMS, []string{"latency_ms", "latencyms", "response_time_ms", "duration_ms", "elapsed_ms"}},
	{fieldLatencyS, []string{"latency_s", "latency_seconds", "latency_sec", "response_time_s", "duration_s", "elapsed_s"}},
	{fieldPromptTokens, []string{"prompt_tokens", "input_tokens"}},
	{fieldCompletionTokens, []string{"completion_tokens", "output_tokens"}},
}

// eitherNames are those names of answers that may as well be called so in a sheet of right ones.
var eitherNames = []string{"answer", "model_answer", "回答", "回答文"}

// textNames are names of what is no score, even where it looks like a number: the answer "42".
var textNames = strings.Fields(`question query input user_input text prompt answer response output actual_output prediction reference ground_truth
	expected expected_output correct_answer contexts context retrieved_contexts reference_contexts retrieval_context evidence reason reasons
	explanation comment comments note notes lang language category theme topic model judge generator config experiment run run_id seed index row number
	timestamp date created_at trace_id session_id url urls source
	備考 コメント メモ 所感 理由 採点理由 担当 担当者 採点者 評価者 日付 採点日 bemerkung bemerkungen kommentar`)

// IsText reports whether a column is called as what is no score, whatever it holds.
func IsText(name string) bool { return slices.Contains(textNames, ColumnKey(name)) }

// unclearNames are columns whose unit or meaning is not in their name; a guess would be worse than nothing.
var unclearNames = []string{"latency", "duration", "elapsed", "response_time", "tokens", "total_tokens", "応答時間"}

// namePatterns are tried in order; the first that matches decides. A name is matched as [plainName] writes it. What stands first is
// what would be mistaken for a question or an answer further below: their numbers, dates, people and kinds.
var namePatterns = []nameRow{
	// Beside everything else.
	also(alsoAnswer, `(?:answers?|responses?|reply|replies|outputs?|antwort(?:en)?|ausgabe|réponses?|respuestas?|`+
		`回答|応答|返答|出力|答案|输出|輸出|回复|回覆|答复|답변|응답|대답|출력)(?:文|内容|結果|结果)?`+
		`[ _]?(?:[a-d]|(?:v|ver\.?)?[1-9]|[①-④])?$|`+
		`^(?:answers?|réponse|respuesta) (?:of|from|given|by|du|de|del)\b|^antwort (?:des|der|vom|von|bot|ki|system)\b|`+
		`^(?:réponse|respuesta) (?:générée|obtenue|fournie|donnée|generada|obtenida|dada)(?: |$)|`+
		`^actual(?: (?:results?|outcomes?))?$|^ist$`),
	also(alsoAnswer, `^(?:bot|chat ?bot|assistant|ai|llm|gpt) ?(?:message|msg|text|utterance|said)$|`+
		`^(?:answers?|responses?|outputs?) (?:before|after)\b|^(?:rispost[ae]|respostas?)(?: ?[a-d1-9])?$|`+
		`^(?:risposta|resposta) (?:del|della|dell|do|da|generata|ottenuta|fornita|data|gerada|obtida|dada)(?: |$)`),
	also(alsoReplies, `^(?:results?|completion|generated)$`),
	also(alsoContexts, `^source (?:contexts?|contents?|chunks?|docs?|documents?|passages?|nodes?|texts?|snippets?)$`),
	also(alsoJudges, `^(?:is )?(?:correct|right)$|^正解$|^正答$`),
	also(alsoCase, `^(?:q|question|query|item|case|test|test ?case|eval(?:uation)?|(?:reference ?)?example|sample|data ?set ?item|faq|prompt|`+
		`(?:想定)?質問|設問|問い?|問題|(?:テスト|評価)?ケース|テスト|テスト項目|サンプル|例題|事例|評価項目|frage|pregunta)`+
		`[ の]*(?:id|no|nr|num|number|nummer|key|code|番号|no\.|コード|キー)\.?$`),
	also(alsoScore, `marks?$`),
	also(alsoRowNumber, `^(?:row|line|行)`),
	also(alsoSystem, `^(?:(?:rag|ai|llm|chat|base|generator|answer(?:ing)?|eval(?:uated)?|tested|target) ?)?`+
		`(?:app(?:lication)?|system|model|bot|chatbot|assistant|agent|pipeline|engine|provider|vendor|generator|candidate|variant|`+
		`config(?:uration)?|setup|settings?|approach|strategy|retriever|reranker|embeddings?(?: ?model)?|experiment|arm|release|build|`+
		`(?:system|model|bot|app|prompt|pipeline|config) ?version|version)(?: ?(?:name|id|label|version))?$|`+
		`^(?:top ?k|temperature|chunk ?(?:size|overlap)|prompt ?(?:version|template|name|id))$|`+
		`^(?:ai|対象|評価対象|生成|回答)?の?(?:システム|モデル|ボット|エンジン|アプリ|バージョン|版|`+
		`構成|設定|手法|方式|条件|実験|環境|世代)(?:名|id|番号)?$|`+
		`^(?:bot|ki|sprach)?-?(?:modell?|system|variante|version|konfiguration|verfahren|anbieter|einstellung)(?:name)?$|`+
		`^(?:modèle|système|variante|configuration|modelo|sistema|versión|configuración)$|`+
		`^(?:模型|系统|系統|版本|方案|配置|实验|實驗|机器人|機器人)(?:名称|名稱|名)?$|`+
		`^(?:모델|시스템|버전|실험|설정|챗봇)(?:명|이름)?$`),
	also(alsoRun, `^(?:(?:eval(?:uation)?|test|experiment|dataset|data ?set) ?)?run(?: ?(?:name|id|label|no|number|date))?$|`+
		`^(?:ラン|実行)(?:名|id|番号|日)?$|^(?:test|prüf)?(?:lauf|durchlauf)$|^(?:exécution|ejecución)$|^(?:运行|運行|批次)$|^실행$`),
	also(alsoGrade, `^(?:schul|gesamt|teil|einzel|end|durchschnitts)? ?-?noten?\b|\bschulnoten?\b|^zensur(?:en)?\b|^benotung\b|`+
		`^(?:gesamt)?(?:bewertung|beurteilung|urteil)(?:en)?\b|^notas?\b|^voto\b`),

	// What is no question and no answer, though it may be called after one.
	named(kindUnanswerable, likely, `^(?:is )?(?:un|not |non )answerable$|^is impossible$|^(?:has )?no answer$|^(?:is )?out of (?:scope|domain)$|`+
		`^(?:is )?not (?:in|covered by|found in|answered by|part of) (?:the |our )?(?:manual|docs?|documents?|documentation|handbook|guide|faq|text|source|`+
		`knowledge base|kb|scope)$|`+
		`^(?:回答|解答|応答)(?:が)?(?:不可能?|不能|できない)(?:質問)?$|^(?:回答|解答|答え|正解)(?:が)?(?:なし|無し|ない|無い)$|`+
		`^(?:文書|資料|マニュアル|ドキュメント)(?:に|には)(?:記載|答え|回答)?(?:が|は)?(?:ない|無い|なし|無し)(?:質問)?$|`+
		`^(?:記載|該当)(?:なし|無し)$|^(?:回答|解答)?(?:対象|範囲)外$`),
	named(fieldAnswerable, likely, `^(?:(?:文書|資料|マニュアル|ドキュメント)[でに])?(?:回答|解答|お答え|答え)(?:が|を)?(?:可能|可|(?:を)?できる)(?:か(?:どうか)?)?$|`+
		`^(?:回答|解答)(?:の)?可否$|^答えられるか(?:どうか)?$`),
	named(kindRemark, likely, `(?:date|time|日時?|日付|時刻|timestamp|created|updated|modified|時間)$|^(?:date|time|timestamp|created|updated)\b`),
	named(kindRemark, likely,
		`(?:回答|質問|作成|登録|記入|更新|確認|担当|対応|報告)者|担当(?:者|課|部署?|部門|係|名)?$|氏名|部署名$|^(?:owner|author|assignee|tester|agent|user ?name|customer `+
			`?name|reviewer|created by|asked by|answered by|name|email|who)$|(?:\bby|owner|author|reviewer|agent name|tester)$`),
	named(kindContext, likely, `^(?:(?:retrieved|retrieval|search|found|rag|llm|input|inputs)[. ])+`+
		`(?:contexts?|contents?|chunks?|docs?|documents?|passages?|nodes?|texts?|snippets?|results?)(?: texts?| contents?)?$|`+
		`^(?:(?:検索|取得|抽出)(?:された|した)?|参照(?:された|した))(?:文書|文章|文脈|チャンク|コンテキスト|テキスト|`+
		`ドキュメント|内容|結果)$|^コンテクスト$|^chunks?$`),

	// Whether an answer was right, which is called after it.
	named(kindScore, likely, `^(?:in|(?:partially|partly|mostly|fully|not) )correct$|`+
		`^(?:(?:partially|partly|mostly) right|partly|partial(?:ly)?)$|`+
		`^wrong$|`+
		`^(?:teilweise|teils|halb)(?: (?:richtig|korrekt))?$|^falsch$|^partiel(?:lement)?(?: (?:correcte?|juste))?$|^faux$|`+
		`^(?:一部|部分|半)(?:正解|的中)$|^(?:不正解|誤答)$|`+
		`^(?:is |was )?(?:the )?(?:bot |system )?(?:answer|response) (?:is |was )?(?:correct|right|wrong|ok|acceptable|helpful|complete)$|`+
		`^(?:die )?antwort (?:ist |war )?(?:richtig|korrekt|falsch|hilfreich|vollständig)$|`+
		`^(?:回答|答え)(?:は|が)?(?:正しい|正解|合っている|適切)(?:か|かどうか)?$`),

	// Right answers and those of systems, where the name leaves no doubt.
	named(FieldReference, likely,
		`^(?:expected|correct|right|ideal|desired|approved|target|gold(?:en)?|reference|compliant|proper|agreed) (?:.+ )?(?:answer|repl(?:y|ie)|response|output)s?$|`+
			`^(?:期待|想定|正しい|理想|望ましい|あるべき|模範).*(?:回答|解答|応答|応対|返答|答え|出力)$|^(?:reference|desired|correct|ideal) output$`),
	named(FieldReference, likely,
		`^(?:answer|response|reply)s? (?:that )?(?:the )?(?:\S+ )?(?:bot|chatbot|system|assistant|ai|agent|model) (?:should|must|has to|needs to|ought to)\b`),
	named(kindSystem, likely,
		`\bactual|bot|agent answer|^(?:assistant|ai|llm|gpt) ?(?:message|msg|text|utterance|said)$|`+
			`(?:ai|llm|system|generated|current|previous|predicted|candidate|rag) ?(?:answer|response|output|reply|result)|`+
			`model ?(?:response|output|reply|result)|`+
			`^(?:outputs?|prediction|generated|completion|result)$|(?:(?:ai|ボット|システム|モデル|生成)の?|実際の?|現状の?|現在の|旧|出力された)(?:回答|答え|解答|応答|出力)|^出力(?:結果)?$|実測|実績`),

	// What an answer took, which is called after it and holds numbers; whose trace it was; and which of two answers is the better one.
	named(kindRemark, likely, `^(?:\S+ )?(?:(?:answer|response|generation|processing|execution|llm) ?)?`+
		`(?:latency|duration|elapsed|time|runtime) ?(?:m?s|sec(?:onds)?|millis(?:econds)?)$|`+
		`^(?:\S+ )?(?:(?:prompt|completion|input|output|total|answer|response) )?(?:tokens|cost|length)$|`+
		`^(?:trace|session|thread|user|span) ?(?:id|hash|key)$`),
	named(kindScore, likely, `^(?:winner|preferred|preference|better)(?: (?:answer|response|system|model|one))?$|^stars?$|^(?:勝者|優劣|優れた回答)$`),

	// German.
	named(kindRemark, likely, `^(?:datum|uhrzeit|erstellt|geändert|bearbeiter(?:in)?|autor(?:in)?|notiz(?:en)?|bemerkung(?:en)?|kommentare?|anmerkung(?:en)?|`+
		`begründung|ergebnis|status)\b|\b(?:von|am)$`),
	named(kindScore, likely, `^(?:schul|gesamt|teil|einzel|end|durchschnitts)-?noten?\b|\bschulnoten?\b|^zensur(?:en)?\b|^benotung\b`),
	named(kindScore, likely, `^(?:gesamt)?(?:bewertung|beurteilung|punkte|punktzahl|urteil|korrekt|richtig|richtigkeit|genauigkeit|`+
		`präzision|korrektheit|vollständigkeit|relevanz|verständlichkeit|treue|quelltreue)(?: v?[1-9]| [a-d])?$`),
	named(kindSystem, likely, `^antwort (?:des|der|vom|von|bot|ki|system)\b`),
	named(kindSystem, likely, `^(?:ist|bot|ki|system|aktuelle|bisherige|generierte) ?-?(?:antwort|ausgabe)$|^ist$|^ausgabe$`),
	named(FieldReference, likely,
		`^(?:muster|soll|referenz|standard|beispiel|ideal)[ -]?(?:lösung|loesung|antwort|wert)(?:en)?$|^soll$|`+
			`^(?:erwartete|richtige|korrekte|ideale|gewünschte|offizielle|freigegebene) (?:antwort|lösung|loesung|ausgabe)$|^erwartet$`),
	named(FieldReference, perhaps, `^(?:antwort(?:en|text)?|lösung|loesung)$`),
	named(FieldQuestion, likely, `^(?:\S+[ -]?)?(?:frage|fragen|fragetext|fragestellung|anfrage|kundenanfrage|anliegen)$`),
	named(fieldAnswerable, likely, `^beantwortbar$`),
	named(FieldCritical, likely, `^(?:最)?重要(?:な)?(?:質問|設問|項目|問題?|フラグ)?$|^critical(?: questions?)?$|^must ?(?:have|pass)$`),
	named(FieldCritical, perhaps, `^kritisch$`),
	named(fieldLang, likely, `^sprache$`),
	named(fieldTag, likely, `^(?:schwierigkeit(?:sgrad)?|priorität|prioritaet|abteilung|produkt|bereich|art)$`),
	named(FieldCategory, likely, `kategorie$`),
	named(FieldTheme, likely, `^(?:ober|unter)?thema$|^themen$|^betreff$`),
	named(FieldID, likely, `^(?:lfd\.? ?nr|laufende nummer|fragen? ?nr|nº|n°|numéro|número)\.?$`),
	named(kindSource, likely, `^(?:quelle|fundstelle|dokument|datei|seite|kapitel|abschnitt|handbuch)$`),
	named(fieldEvidence, likely, `^(?:beleg(?:stelle)?|zitat|textstelle)$`),

	// French and Spanish.
	named(kindScore, likely, `^(?:exactitude|pertinence|fidélité|complétude|justesse|notation|évaluation|score|précision|`+
		`exactitud|precisión|pertinencia|relevancia|fidelidad|puntuación|puntos|puntaje|valoración|corrección)$`),
	named(FieldReference, likely, `^(?:réponse|solution) (?:attendue|correcte|de référence|idéale|souhaitée|officielle)$|`+
		`^respuesta (?:esperada|correcta|de referencia|ideal|oficial)$`),
	named(kindSystem, likely, `^réponse (?:du|de l|de la|générée|obtenue|fournie|donnée)(?: |$)|`+
		`^respuesta (?:del|de la|generada|obtenida|dada)(?: |$)`),
	named(FieldReference, perhaps, `^(?:réponses?|respuestas?)$`),
	named(FieldQuestion, likely, `^(?:pregunta|consulta|demande|question posée)s?$`),
	named(kindRemark, likely, `^(?:commentaires?|remarques?|comentarios?|observaciones|fecha|evaluador|évaluateur)$`),

	// Italian and Portuguese.
	named(kindScore, likely, `^(?:correttezza|accuratezza|pertinenza|completezza|punteggio|valutazione|precisione|fedeltà|chiarezza|`+
		`correção|exatidão|relevância|pontuação|avaliação|precisão|fidelidade|clareza)$`),
	named(FieldReference, likely, `^(?:risposta|soluzione) (?:attesa|corretta|di riferimento|ideale|ufficiale|modello)$|`+
		`^(?:resposta|solução) (?:esperada|correta|de referência|ideal|oficial|modelo)$`),
	named(kindSystem, likely, `^(?:risposta|resposta) (?:del|della|dell|do|da|generata|ottenuta|fornita|data|gerada|obtida|dada)(?: |$)`),
	named(FieldReference, perhaps, `^(?:rispost[ae]|respostas?)$`),
	named(FieldQuestion, likely, `^(?:domand[ae]|quesiti?o?|perguntas?|questão|consulta)(?: (?:dell utente|do usuário|posta))?$`),
	named(kindRemark, likely, `^(?:commenti?o?|osservazioni|comentários?|observações|valutatore|avaliador)$`),

	// Chinese, in both ways of writing, and Korean. What Japanese writes alike stands below.
	named(FieldID, likely, `^(?:序号|序號|编号|編號|题号|題號|(?:问题|問題|题目)(?:id|序号|编号|編號)|`+
		`번호|순번|일련 ?번호|(?:질문|문항) ?(?:id|번호))$`),
	named(kindRemark, likely, `^(?:备注|備註|评论|評論|评语|評語|点评|(?:评分|打分|评价|評分)?(?:理由|原因|说明|說明)|`+
		`(?:评估|评审|评分|标注|測試|测试)(?:人|员|者)|日期|时间|時間|`+
		`비고|코멘트|메모|의견|사유|(?:평가|채점) ?(?:이유|사유|의견|일|자)|작성자|담당자|날짜|일자)$`),
	named(FieldReference, likely, `^(?:标准|標準|参考|參考|正确|正確|预期|預期|期望|理想|真实|人工|黄金)(?:的)?`+
		`(?:答案|回答|答复|答覆|回复|输出|輸出|结果)$|`+
		`^(?:모범 ?답안|정답|(?:기대|예상|참조|참고|표준|기준|모범|올바른) ?(?:답변|답|답안|응답|출력)|정답 ?답변)$`),
	named(kindSystem, likely, `^(?:(?:大)?模型|系统|系統|机器人|機器人|智能体|助手|ai|bot|rag|llm|实际|實際|生成) ?(?:的)?`+
		`(?:回答|答案|答复|答覆|回复|回覆|输出|輸出|结果)$|`+
		`^(?:모델|시스템|챗봇|봇|ai|bot|rag|llm|생성(?:된)?|실제) ?(?:의 ?)?(?:답변|답|응답|대답|출력)$`),
	named(kindContext, likely, `^(?:检索|檢索|召回|搜索)(?:到)?(?:的)?`+
		`(?:结果|結果|内容|內容|文档|文檔|文本|片段|上下文|段落)$|^上下文$|`+
		`^(?:知识|文档)片段$|`+
		`^(?:검색(?:된)? ?(?:문서|결과|내용|컨텍스트|문맥)|컨텍스트|문맥)$`),
	named(kindScore, likely, `^(?:回答|答案)?(?:准确|準確|正确|正確|相关|相關|忠实|忠實|`+
		`完整|流畅|流暢|有用|一致|可信|精确|精確|满意|滿意)`+
		`(?:性|率|度)(?:评分|得分|分数|評分)?$|^召回率$|^(?:总|總)?(?:得分|分数|分數|评分|評分|打分|总分|總分|评价|評價)$|`+
		`^是否(?:正确|正確|准确|準確|相关|通过|合格)$|`+
		`^(?:정확도|정확성|관련성|관련도|충실도|충실성|완전성|유용성|`+
		`일관성|만족도|신뢰도|재현율|정밀도|(?:총|평가)? ?점수|평점|평가|정답 ?여부|정오)$`),
	named(kindWording, likely, `^(?:相似|类似|類似|扩展|擴展)(?:的)?(?:问题?|問題?|问法|問法|提问|提問)$`),
	named(FieldQuestion, likely, `^(?:标准|標準)(?:问题?|問題?|问法|問法|提问|提問)$`),
	named(FieldQuestion, likely, `^(?:用户|用戶|客户|客戶|测试|測試)?(?:的)?(?:问题|提问|提問|问句|查询|查詢)(?:内容|文本|描述)?$|`+
		`^(?:사용자|고객|테스트|평가)? ?(?:질문|질의|문의)(?: ?(?:내용|문))?$`),
	named(FieldReference, perhaps, `^(?:答案|答复|答覆|回复|回覆|답변|답|응답|대답)$`),
	named(fieldTag, likely, `^(?:难度|難度|优先级|重要性|난이도|우선순위|중요도)$`),
	named(FieldCategory, likely, `^(?:类别|類別|分类|分類|问题类型|카테고리|분류|유형)$`),
	named(kindSource, likely, `^(?:来源|來源|出处|出處|文档|文檔|页码|출처|문서|페이지)$`),

	// English and Japanese.
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
	named(fieldTag, likely, `^(?:difficulty|priority|severity|importance|complexity|risk) (?:scores?|ratings?|points?)$`),
	named(kindRemark, likely, `(?:評価|採点|判定)(?:の)?(?:観点|項目|対象.?|基準|方法|日時?|区分|種別|理由|根拠|要否|有無|可否)$|配点`),
	named(kindScore, likely,
		`^(?:\S+ )?(?:faithfulness|groundedness|relevanc[ey]|hallucination|correctness|accuracy|precision|recall)(?: v?[1-9]| [a-d])?$|`+
			`score|rating|judg|verdict|\bpass(?:ed)?\b|\bfail(?:ed)?\b|result$|^grades?$|points?$|`+
			`^(?:回答の?)?(?:忠実性|関連性|正確性|網羅性|評点|得点|ハルシネーション)$|評価|採点|判定|点数|スコア|結果$|合否`),
	named(kindRemark, likely,
		`status|state$|ステータス|状態|状況|対応状況|進捗|完了|`+
			`未了|\bcalls$|marks?$|votes?$|count$|件数|回数|閲覧数|^year$|^年度?$|views?$|channel|チャネル|経路|選択肢|choices?$|options?$|有効期限|version|版数?$|バージョン`),
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
	named(FieldCritical, perhaps, `critical|must ?have|must ?pass|重要$|必須$|最重要|クリティカル`),
	named(fieldTag, likely,
		`difficulty|level|priority|severity|importance|type|kind|intent|audience|persona|product|module|component|department|team|`+
			`region|\bgrade\b|難易度|難度|レベル|優先度?|重要度|区分|種別|種類|タイプ|対象者?|部署|部門|製品|機種|商品|サービス名|分野|領域|中分類|小分類|細目|サブカテゴリ|subcategory|sub ?categor|`+
			`subtopic|頻度|フェーズ|phase|範囲$|scope$|属性|質問者|利用者|ペルソナ`),
	named(FieldCategory, likely, `categor|カテゴリ|大分類|分類|ジャンル|classification|大項目|中項目|小項目|グループ|^group$|^class$`),
	named(FieldTheme, likely, `theme|topic|テーマ|トピック|\bsubject\b|\barea\b|\bdomain\b|話題|項目$|単元|科目|件名|タイトル|title`),
	named(FieldTags, likely, `^tags?$|labels?$|タグ|ラベル`),
	named(kindRemark, likely,
		`備考|メモ|注記|補足|コメント|所感|解説|説明|理由|注意|注釈|経緯|背景|意図|狙い|ねらい|観点|目的|notes?$|comments?|remarks?|memo|explanation|rationale|reason|`+
			`background|description|details?$|feedback|why\b|purpose|history|context`),
	named(FieldReference, likely,
		`expected|gold|ground ?truth|\b(?:correct|right|ideal|reference|desired|target) ?(?:answer|response|reply|output|solution)?s?$|`+
			`(?:model|approved|official|sample|suggested|final|best|acceptable|true|verified|canonical|agreed|standard|perfect|should) ?`+
			`(?:say|answer|response|reply|output|solution)s?$|answer key|should (?:say|answer|be)|`+
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

// voteNames are how columns are called that hold one vote of several. What stands first has a word that only a repetition has, before or
// behind the name of the metric; the rest may as well name a rater, a round or a system.
var voteNames = []voteRow{
	{certain: true, metric: 1, number: 2, pattern: text.Lazy(`(?i)^(.*?)[ _\-(:]*(?:(?:^|[ _\-(:])(?:run|trial|vote|attempt|rep|replicate|repetition|` +
		`repeat|iteration)|試行|投票|実行|反復)[ _#\-]*([0-9]{1,2})(?:回目?)?\)?$`)},
	{certain: true, metric: 1, number: 2, pattern: text.Lazy(`^(.*?)[ _\-(:]*([0-9]{1,2})回目\)?$`)},
	{certain: true, metric: 2, number: 1, pattern: text.Lazy(`(?i)^(?:run|trial|vote|attempt|rep|replicate|repetition|repeat|iteration|試行|投票|反復)` +
		`[ _#\-]*([0-9]{1,2})[ _\-:)]+(.*[^0-9].*)$`)},
	{certain: true, metric: 2, number: 1, pattern: text.Lazy(`^([0-9]{1,2})回目[ _\-:の]*(.+)$`)},
	{metric: 1, number: 2, pattern: text.Lazy(`(?i)^(.*?)[ _\-(:]*(?:(?:^|[ _\-(:])(?:r|round|rater|judge|annotator|reviewer)|評価者|採点者|判定者|` +
		`ラウンド|第)[ _#]?([0-9]{1,2})回?\)?$`)},
	{metric: 1, number: 2, pattern: text.Lazy(`(?i)^(.*?)[ _\-(:]*(?:(?:^|[ _\-(:])(?:rater|judge|annotator|reviewer)[ _#]|評価者|採点者|判定者)` +
		`([a-h])\)?$`)},
	{certain: true, measure: true, metric: 1, number: 2, pattern: text.Lazy(`^(.*?[^0-9 _\-(#])[ _\-(#]*([0-9]{1,2})\)?$`)},
}

// measures are names that a bare number behind them makes several votes of. Names that a number makes another metric are none: hit 1 and
// hit 3, rouge 1 and rouge 2, 評価項目1 and 評価項目2.
var measures = strings.Fields(`score scores rating ratings grade correctness faithfulness groundedness relevance relevancy helpfulness accuracy quality
	coherence fluency completeness conciseness similarity trust clarity usefulness satisfaction consistency judgement judgment verdict bewertung
	スコア 評価 採点 得点 点数 評点 評価点 評価値 判定 正確性 正しさ 正確さ 信頼性 忠実性 関連性
	妥当性 適切性 有用性 完全性 網羅性 一貫性 自然さ 品質 満足度`)

// besideMeasures are words that may stand beside one of measures in a name.
var besideMeasures = strings.Fields("answer response overall total llm context")

// says reports whether a row of [namePatterns] that stands beside the others says this of a name.
func says(means, name string) bool {
	plain := plainName(name)
	return len(name) <= longestSample && slices.ContainsFunc(namePatterns, func(row nameRow) bool {
		return row.also && row.means == means && row.pattern.MatchString(plain)
	})
}

// unansweredName reports whether a column says of which questions the documents hold no answer.
func unansweredName(name string) bool {
	field, _ := guessPlain(plainName(name))
	return field == kindUnanswerable
}

// isKind reports whether a column's name says by itself that the column is of a kind or a field.
func isKind(kind, name string) bool {
	field, strength := guessName(name)
	return field == kind && strength >= likely
}

// NamesSystems reports whether a column's name says that its cells tell which of several systems, settings or runs gave an answer.
func NamesSystems(name string) bool { return says(alsoSystem, name) || NamesRuns(name) }

// NamesRuns reports whether a column is called as those that tell runs apart: where its cells are numbers, they count repetitions of one
// system.
func NamesRuns(name string) bool { return says(alsoRun, name) }

// IsGrade reports whether a column is called as grades are, of which the best may be 1 or the highest: Note, Schulnote, Bewertung.
func IsGrade(name string) bool { return says(alsoGrade, name) }

// NoScore reports whether a column's name says for certain that its numbers sort or count the questions, tell where something stands, or
// with which setting it was answered: difficulty, page, 閲覧数, top_k.
func NoScore(name string) bool {
	field, strength := guessName(name)
	return NamesSystems(name) || strength >= likely && !says(alsoScore, name) && !IsGrade(name) &&
		slices.Contains([]string{fieldTag, FieldCategory, FieldTheme, fieldLang, kindSource, kindRemark}, field)
}
