package intake

import (
	"strings"
	"testing"
)

// asked reads a sheet of questions and gives those of its rows as "id|question|right answer", and what was told.
func asked(t *testing.T, file, body string) (rows []string, notes string) {
	t.Helper()
	d, report, err := readDataset([]byte(body), file, "team", nil, ReadOptions{})
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	for _, q := range d.Questions {
		rows = append(rows, q.ID+"|"+q.Text+"|"+q.Reference)
	}
	for _, n := range report.Notes {
		notes += n.EN + "\n"
	}
	return rows, notes
}

// Right answers are texts: no time, code, duration, mark or answer of a system beside a judgement becomes one because nothing else is
// there.
func TestWhatIsNoRightAnswerIsNotTakenForOne(t *testing.T) {
	for name, sheet := range map[string]string{
		"times":     "question,ts\nHow long is it?,2026-04-01 09:00:00\nWho pays for it?,2026-04-01 09:01:30\n",
		"codes":     "question,commit\nHow long is it?,8b1d0f3c6a2e44f0\nWho pays for it?,77aa0e19cd5b3f42\n",
		"durations": "question,bot_message,response_time_ms\nHow long is it?,Six months.,900\nWho pays for it?,We do.,1200\n",
		"tokens":    "question,answer tokens\nHow long is it?,40\nWho pays for it?,31\n",
		"stars":     "question,answer,Stars\nHow long is it?,Six months.,⭐⭐\nWho pays for it?,We do.,⭐⭐⭐\n",
		"a winner": "question,answer_a,answer_b,winner\nHow long is it?,Six months.,One year.,A\nWho pays for it?,We do.,You do.,B\n" +
			"Why?,So.,No.,A\n",
		"ticks":        "質問,AI回答,正解,一部正解,不正解\n何日ですか？,十日です。,○,,\n誰が払いますか？,会社です。,,,○\n",
		"German ticks": "Frage,Antwort des Bots,richtig,teilweise richtig,falsch\nWie lange?,Ein Jahr.,x,,\nWer zahlt?,Wir zahlen.,,x,\n",
		"an assistant": "User,Assistant,Rating\nHow long is it?,It lasts six months.,4\nWho pays for it?,The company pays.,5\n",
		"pass or fail": "question,result\nHow long is it?,PASS\nWho pays for it?,FAIL\nWhy?,PASS\n",
	} {
		rows, _ := asked(t, "a.csv", sheet)
		for _, row := range rows {
			if !strings.HasSuffix(row, "|") {
				t.Errorf("%s: %s", name, row)
			}
		}
	}
}

// What is one is read as one, under names that tools and people of other languages give.
func TestRightAnswersUnderOtherNames(t *testing.T) {
	for _, sheet := range [][2]string{
		{"a.csv", "Domanda,Risposta attesa,Risposta del bot\nChi?,Io.,Tu.\n"},
		{"a.csv", "Pergunta,Resposta esperada,Resposta do bot\nChi?,Io.,Tu.\n"},
		{"a.csv", "标准问,相似问,答案\nChi?,Chi ora?,Io.\n"},
		{"a.csv", "inputs,outputs,reference_outputs\n" +
			"\"{\"\"question\"\": \"\"Chi?\"\"}\",\"{\"\"answer\"\": \"\"Tu.\"\"}\",\"{\"\"answer\"\": \"\"Io.\"\"}\"\n"},
		{"a.jsonl", `{"inputs.query":"Chi?","outputs.output":"Tu.","reference.output":"Io."}`},
		{"a.csv", "question,正解\nChi?,Io.\n"},
	} {
		if rows, _ := asked(t, sheet[0], sheet[1]); len(rows) != 1 || !strings.HasSuffix(rows[0], "|Chi?|Io.") {
			t.Errorf("%s: %q", sheet[1], rows)
		}
	}
}

// Ids of traces and sessions name no question where another id does.
func TestTracesAreNoQuestions(t *testing.T) {
	rows, _ := asked(t, "a.csv", "traceId,datasetItemId,input,expectedOutput\n"+
		"t-1,item-1,How long is it?,Six months.\nt-2,item-2,Who pays?,We do.\n")
	if rows[0] != "item-1|How long is it?|Six months." {
		t.Errorf("%q", rows)
	}
}

// Cells that a program wrote as JSON texts stand without their quotation marks; a column in which one cell is none stays as it is.
func TestTextsOfJSONLoseTheirQuotationMarks(t *testing.T) {
	rows, notes := asked(t, "a.csv", "input,expected\n"+
		"\"\"\"How long \\\"\"is\\\"\" it?\"\"\",\"\"\"Six months.\"\"\"\n\"\"\"Who pays?\"\"\",\"\"\"We do.\"\"\"\n")
	if rows[0] != `q0001|How long "is" it?|Six months.` || !strings.Contains(notes, "quotation marks") {
		t.Errorf("%q %s", rows, notes)
	}
	rows, notes = asked(t, "a.csv", "input,expected\n\"\"\"Ja\"\" means what?\",\"\"\"Yes.\"\"\"\nWho pays?,We do.\n")
	if rows[0] != `q0001|"Ja" means what?|"Yes."` || strings.Contains(notes, "quotation marks") {
		t.Errorf("%q %s", rows, notes)
	}
}

// Logged answers are found where they, and their questions, stand in objects.
func TestAnswersInsideObjects(t *testing.T) {
	d := faq()
	body := "id,inputs,outputs\n"
	for i, q := range d.Questions[:3] {
		body += "run-" + string(rune('a'+i)) + `,"{""question"": ""` + q.Text + `""}","{""answer"": ""Six months.""}"` + "\n"
	}
	log, _ := readLog(t, "a.csv", body, nil)
	for i, a := range log.Answers {
		if a.QuestionID != d.Questions[i].ID || a.Answer != "Six months." {
			t.Errorf("%+v", a)
		}
	}
}

// Questions side by side above the answers of a system and their scores are questions, and nothing else of the sheet is one.
func TestQuestionsSideBySideAboveAnswers(t *testing.T) {
	rows, notes := asked(t, "a.csv", "Question,Why is it?,Who is it?,How is it?\nBot answer,So.,Me.,Well.\nScore,1,2,3\n")
	if len(rows) != 3 || rows[1] != "q0002|Who is it?|" || !strings.Contains(notes, "side by side") {
		t.Errorf("%q %s", rows, notes)
	}
}

// JSON Lines are read under the name of JSON, too.
func TestLinesCalledJSON(t *testing.T) {
	rows, _ := asked(t, "a.json", "{\"question\":\"Why?\",\"reference\":\"So.\"}\n{\"question\":\"Who?\",\"reference\":\"Me.\"}\n")
	if len(rows) != 2 || rows[1] != "q0002|Who?|Me." {
		t.Errorf("%q", rows)
	}
}
