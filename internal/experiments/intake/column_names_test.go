package intake

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestEveryDoorReadsNamesAlike: what a column is called means the same for sheets of questions, logged answers, results and compared files.
// door is what the readers of answers take it for: "answer" of a system, "either" an answer of nobody known, "contexts", "id", "count" of
// rows, "judges", or "" for nothing.
func TestEveryDoorReadsNamesAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ means, door, names string }{
		{FieldQuestion, "", "question|Query|User message|質問|質問内容|問い合わせ内容|Frage|Pregunta"},
		{FieldReference, "", "expected answer|Ground truth|Ideal response|模範解答|想定回答|期待する回答|Soll-Antwort|Réponse attendue|Respuesta esperada"},
		{FieldReference, "judges", "correct|正解|正答"},
		{FieldReference, "either", "answer|Model answer|回答|回答文|Antwort|Réponse|respuesta|Answer given"},
		{FieldReference, "answer", "response"},
		{kindSystem, "answer", "Bot answer|system response|AI回答|システムの回答|実際の回答|Antwort des Bots|Antwort Bot|KI-Antwort|Réponse du modèle|Respuesta del sistema|" +
			"agent_answer|output"},
		{kindContext, "contexts", "retrieved chunks|search results|検索された文書|取得チャンク|chunks"},
		{FieldID, "id", "question_id|Q No.|質問番号|テストケースID|Frage-Nr"},
		{FieldID, "count", "No.|項番|Nr|N°|Nº|#"},
		{kindScore, "", "score|Accuracy|rating v2|faithfulness|Verdict|Grade|Points|評価|採点結果|正確性|得点|Bewertung|Genauigkeit|Punkte|Exactitude|Puntuación|" +
			"Is the answer correct|Die Antwort ist richtig|回答は正しいか"},
		{fieldTag, "", "difficulty|priority score|重要度|部署"},
		{kindRemark, "", "評価観点|採点基準|配点|marks|year|閲覧数|status|更新日|comment|備考|Bemerkung"},
		{fieldEvidence, "", "Supporting quote|根拠箇所|Zitat"},
		{kindSource, "contexts", "source documents"}, {kindSource, "", "出典|Quelle|manual page"},
		{FieldQuestion, "", "问题|用户问题|提问|問題|질문|사용자 질문|문의 내용"},
		{FieldReference, "", "标准答案|参考答案|參考答案|期望输出|모범 답안|기대 답변|정답"},
		{FieldReference, "either", "答案|答复|답변|응답"},
		{kindSystem, "answer", "模型回答|机器人回答|实际输出|AI 回复|챗봇 답변|모델 응답|생성된 답변|" +
			"Respuesta generada|Réponse générée"},
		{kindContext, "contexts", "检索结果|上下文|검색된 문서|문맥"},
		{FieldID, "count", "序号|编号|번호|순번"},
		{kindScore, "", "准确性|相关性评分|得分|是否正确|召回率|정확도|관련성|점수|Précision|Precisión|Präzision|context_precision"},
		{kindRemark, "", "备注|评分理由|비고|평가 의견|Grader Reason"},
		{FieldReference, "", "Answer (expected)|A (expected)|回答（正解）|Verified answer|Ideal"},
		{kindSystem, "answer", "Actual|Actual result|Ist|A (bot)|Answer [AI]|回答（システム）"},
		{kindScore, "", "incorrect|Partially correct|Wrong"},
		{"", "", "vibes|color|model|generator model|approved|verified|copyright"},
	} {
		for name := range strings.SplitSeq(c.names, "|") {
			if got, _ := guessName(name); got != c.means {
				t.Errorf("%s: means %q, want %q", name, got, c.means)
			}
			if got := doorOf(name); got != c.door {
				t.Errorf("%s: the readers of answers take it for %q, want %q", name, got, c.door)
			}
		}
	}
}

// doorOf is what the readers of answers and scores take a column for by its name.
func doorOf(name string) string {
	named, counting := IDColumns([]string{name})
	system := len(SystemAnswers([]string{name})) > 0
	switch {
	case IsContexts(name):
		return "contexts"
	case MayJudge(name):
		return "judges"
	case MayBeRight(name) && (IsAnswer(name) || system):
		return "either"
	case SurelyAnswered(name) && (IsAnswer(name) || system):
		return "answer"
	case len(named) > 0:
		return "id"
	case len(counting) > 0:
		return "count"
	}
	return ""
}

// TestScoresMakeAnswersThoseOfASystem: beside scores, whatever they are called, an answer is what a system said, unless its name or another
// column says whose it is; people are told, and how to say it otherwise. Numbers that only sort questions are no scores.
func TestScoresMakeAnswersThoseOfASystem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		columns, first, second, right string // the column with the right answers; "" where none is taken
	}{
		{"question,answer,vibes", "When?,At noon.,0.8", "Where?,In Rome.,0.5", ""},
		{"question,answer,judge opinion (0-10)", "When?,At noon.,8", "Where?,In Rome.,5", ""},
		{"question,response,accuracy", "When?,At noon.,4/5", "Where?,In Rome.,3/5", ""},
		{"question,answer,grade", "When?,At noon.,A", "Where?,In Rome.,C", ""},
		{"質問,回答,判定", "いつ？,正午です。,○", "どこ？,ローマです。,×", ""},
		{"質問,回答,当社基準(5段階)", "いつ？,正午です。,5", "どこ？,ローマです。,2", ""},
		{"Frage,Antwort,Bewertung", "Wann?,Mittags.,\"0,85\"", "Wo?,In Rom.,\"0,5\"", ""},
		{"question,answer,points", "When?,At noon.,5", "Where?,In Rome.,10", ""},
		{"question,answer,difficulty", "When?,At noon.,1", "Where?,In Rome.,3", "answer"},
		{"question,answer,priority score", "When?,At noon.,1", "Where?,In Rome.,3", "answer"},
		{"question,answer,year", "When?,At noon.,2024", "Where?,In Rome.,2025", "answer"},
		{"question,answer,page", "When?,At noon.,4", "Where?,In Rome.,5", "answer"},
		{"質問,回答,配点", "いつ？,正午です。,5", "どこ？,ローマです。,10", "回答"},
		{"質問,回答,評価観点", "いつ？,正午です。,正確性", "どこ？,ローマです。,正確性", "回答"},
		{"質問,回答,閲覧数", "いつ？,正午です。,120", "どこ？,ローマです。,98", "回答"},
		{"question,answer,bot response,score", "When?,At noon.,At one.,0.2", "Where?,In Rome.,In Rome,1", "answer"},
		{"question,model answer,bot response,score", "When?,At noon.,At one.,0.2", "Where?,In Rome.,In Rome,1", "model answer"},
		{"question,expected,answer,score", "When?,At noon.,At one.,0.2", "Where?,In Rome.,In Rome,1", "expected"},
	} {
		d, report, err := read("q.csv", c.columns+"\n"+c.first+"\n"+c.second+"\n", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.columns, err)
			continue
		}
		right := ""
		for _, u := range report.Columns {
			if u.Field == FieldReference {
				right = u.Source
			}
		}
		if right != c.right {
			t.Errorf("%s: right answers are in %q, want %q", c.columns, right, c.right)
		}
		told := slices.ContainsFunc(report.Notes, func(n text.Said) bool {
			return strings.Contains(n.In("en"), "=reference") && strings.Contains(n.In("ja"), "=reference")
		})
		if asks := c.right == ""; asks != told || asks != (d.Questions[0].Reference == "") {
			t.Errorf("%s: %+v is told with %v", c.columns, d.Questions[0], report.Notes)
		}
	}
}

// TestLettersAloneAreQuestionsAndAnswers: Q and A stand for question and answer where no other column is called so; A beside B is a system.
func TestLettersAloneAreQuestionsAndAnswers(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]struct {
		question int
		answers  string
	}{
		"Q,A,score":          {0, "A"},
		"no,q.,a.,score":     {-1, ""},
		"A:,Q:":              {1, "A:"},
		"Q,A,B":              {0, ""},
		"Q,question,A":       {1, "A"},
		"Q,A,bot answer":     {0, "bot answer"},
		"A,B,score":          {-1, ""},
		"quarter,Q1,A1":      {-1, ""},
		"id,A,score":         {-1, ""},
		"Question,A,comment": {0, ""},
	} {
		columns := strings.Split(names, ",")
		if at, found := QuestionAmong(columns), strings.Join(SystemAnswers(columns), ","); at != want.question || found != want.answers {
			t.Errorf("%s: the questions are in %d and the answers in %q, want %+v", names, at, found, want)
		}
	}
}
