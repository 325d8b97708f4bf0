package intake

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/text"
)

// writtenSheet is a workbook with what a grid of texts does not say: merged cells, formats, hidden columns.
type writtenSheet struct {
	teamSheet
	do   func(f *excelize.File, sheet string) error
	kept []string // a word for each question that its tags or metadata hold
}

func merged(areas ...string) func(f *excelize.File, sheet string) error {
	return func(f *excelize.File, sheet string) error {
		for _, area := range areas {
			from, to, _ := strings.Cut(area, ":")
			if err := f.MergeCell(sheet, from, to); err != nil {
				return err
			}
		}
		return nil
	}
}

// formatted writes numbers with the format that people see them in.
func formatted(cells map[string]float64, format string) func(f *excelize.File, sheet string) error {
	return func(f *excelize.File, sheet string) error {
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
		if err != nil {
			return err
		}
		for cell, value := range cells {
			if err := f.SetCellValue(sheet, cell, value); err != nil {
				return err
			}
			if err := f.SetCellStyle(sheet, cell, cell, style); err != nil {
				return err
			}
		}
		return nil
	}
}

func one(name string, rows ...string) teamSheet {
	return teamSheet{name: name, tabs: []teamTab{ofTab("評価", rows...)}}
}

func (s teamSheet) means(want ...string) teamSheet { s.want = want; return s }
func (s teamSheet) says(told ...string) teamSheet  { s.told = told; return s }

// writtenSheets were written, with what they mean, before anything was read with them.
var writtenSheets = []writtenSheet{
	{one("a framed table below a title, classes merged, a sum", "¦社内FAQチャットボット 評価用質問一覧¦¦¦¦",
		"¦作成日：2026/4/1¦¦¦作成：総務部¦", "",
		"¦No.¦大分類¦小分類¦質問内容¦想定回答¦備考", "¦1¦勤怠¦始業¦始業は何時ですか¦9時です¦",
		"¦2¦¦休暇¦休暇は何日ありますか¦10日です¦要確認",
		"¦3¦旅費¦日当¦日当はいくらですか¦3,000円です¦", "¦合計¦¦¦3問¦¦").
		means("始業は何時ですか = 9時です #", "休暇は何日ありますか = 10日です #", "日当はいくらですか = 3,000円です #"),
		merged("B1:G1", "C5:C6", "B8:D8"), []string{"勤怠", "勤怠", "旅費"}},
	{one("wide instructions and numbered heads",
		"Please enter one question per row. Every question needs the expected answer and the document it comes from. "+
			"Do not change the columns; questions without an answer go to the product team.¦¦¦¦",
		"Deadline: 30 April. Send the sheet back to the QA team.¦¦¦¦", "",
		"1. Question¦2. Expected answer¦3. Source document¦4. Page¦5. Checked by",
		"How do I restart it?¦Hold power for five seconds¦manual.pdf¦1¦QA", "How long does the battery last?¦Ten hours¦manual.pdf¦2¦",
		"When do orders ship?¦Within two business days¦shipping_faq.md¦1¦QA").
		means("How do I restart it? = Hold power for five seconds #", "How long does the battery last? = Ten hours #",
			"When do orders ship? = Within two business days #"), merged("A1:E1", "A2:E2"), nil},
	{one("Japanese heads, English ones below", "番号¦質問¦正解¦根拠", "No.¦Question¦Correct answer¦Evidence",
		"1¦始業は？¦9時¦始業時刻は午前9時とする。", "2¦日当は？¦3,000円¦日当は3,000円とする。").
		means("始業は？ = 9時"+start9, "日当は？ = 3,000円"+perDiem), nil, nil},
	{one("heads in two languages in one cell", "番号 / No.¦質問 / Question¦正解 / Answer¦根拠 / Evidence¦カテゴリ / Category",
		"1¦始業は？¦9時¦始業時刻は午前9時とする。¦勤怠", "2¦日当は？¦3,000円¦日当は3,000円とする。¦旅費").
		means("始業は？ = 9時"+start9+" #", "日当は？ = 3,000円"+perDiem+" #"), nil, []string{"勤怠", "旅費"}},
	{one("a row of units", "ID¦Question¦Expected answer¦Max. response time¦Weight", "¦¦¦[s]¦[%]", "Q-1¦How do I restart it?¦Hold power¦5¦40",
		"Q-2¦How long does the battery last?¦Ten hours¦5¦30", "Q-3¦When do orders ship?¦Two days¦10¦30").
		means("How do I restart it? = Hold power #", "How long does the battery last? = Ten hours #",
			"When do orders ship? = Two days #"), nil, nil},
	{one("ticked rows are tested", "対象¦質問¦正解", "☑¦始業は？¦9時", "☐¦社宅は？¦10年まで", "☑¦日当は？¦3,000円").
		means("始業は？ = 9時", "日当は？ = 3,000円").says("3"), nil, nil},
	{one("ticked rows can be answered", "質問¦正解¦資料に回答あり", "始業は？¦9時¦☑", "株価は？¦¦☐", "日当は？¦3,000円¦☑").
		means("始業は？ = 9時", "株価は？ = ∅", "日当は？ = 3,000円"), nil, nil},
	{one("the old answer is hidden", "No¦質問¦回答（旧）¦回答", "1¦日当は？¦2,500円¦3,000円", "2¦始業は？¦8時半¦9時").
		means("日当は？ = 3,000円", "始業は？ = 9時").says("回答（旧）"),
		func(f *excelize.File, sheet string) error { return f.SetColVisible(sheet, "C", false) }, nil},
	{one("subtotals, and the head once more on the next page", "Topic¦Question¦Expected answer¦Points", "Device¦How do I restart it?¦Hold power¦5",
		"Device¦How long does the battery last?¦Ten hours¦5", "Subtotal¦2 questions¦¦10", "Topic¦Question¦Expected answer¦Points",
		"Orders¦When do orders ship?¦Two days¦5", "Subtotal¦1 question¦¦5", "Total¦3 questions¦¦15").
		means("How do I restart it? = Hold power #", "How long does the battery last? = Ten hours #", "When do orders ship? = Two days #"),
		merged("B4:C4", "B7:C7"), []string{"Device", "Device", "Orders"}},
	{one("answers in two columns", "No¦質問¦正解1¦正解2¦出典", "1¦日当は？¦3,000円¦三千円¦旅費規程",
		"2¦始業は？¦9時¦午前9時¦就業規則",
		"3¦休暇は？¦10日¦¦就業規則").means("日当は？ = 3,000円 ~ 三千円", "始業は？ = 9時 ~ 午前9時", "休暇は？ = 10日"), nil, nil},
	{one("model answer, words it must hold, answers that are wrong", "質問¦模範解答¦必須キーワード¦NG回答例",
		"日当は？¦日当は3,000円です。¦3,000円¦2,500円です。",
		"始業は？¦午前9時に始業します。¦9時¦8時半です。").means("日当は？ = 日当は3,000円です。",
		"始業は？ = 午前9時に始業します。"), nil,
		[]string{"2,500円", "8時半"}},
	{one("groups above the heads", "Question¦¦Expected¦¦Evidence¦", "ID¦Text¦Answer¦Alternative¦Document¦Quote",
		"1¦How long does the battery last?¦Ten hours¦10 h¦manual.pdf¦The battery lasts ten hours.",
		"2¦When do orders ship?¦Within two business days¦¦shipping_faq.md¦Orders ship within two business days.").
		means("How long does the battery last? = Ten hours ~ 10 h"+battery, "When do orders ship? = Within two business days"+ships),
		merged("A1:B1", "C1:D1", "E1:F1"), nil},
	{one("notes below the table", "No¦質問¦正解¦備考", "1¦始業は？¦9時¦注1", "2¦日当は？¦3,000円¦", "",
		"※ 質問は各部署の担当者が作成した。", "注1）シフト勤務者を除く。",
		"凡例：○＝確認済み　×＝未確認").means("始業は？ = 9時", "日当は？ = 3,000円"), nil, nil},
	{one("a question over two rows, with two places", "No¦質問¦正解¦根拠文書¦根拠文",
		"1¦始業と日当は？¦9時、3,000円¦就業規則.docx¦始業時刻は午前9時とする。",
		"¦¦¦旅費規程.docx¦日当は3,000円とする。",
		"2¦休暇は？¦10日¦就業規則.docx¦年次有給休暇は入社6か月後に10日付与する。").
		means("始業と日当は？ = 9時、3,000円"+start9+perDiem, "休暇は？ = 10日"+leave10), merged("A2:A3", "B2:B3", "C2:C3"), nil},
	{one("heads with circled numbers", "①質問¦②正解¦③根拠資料¦④根拠箇所（原文）",
		"出張の届出は？¦所属長の承認¦旅費規程.docx¦"+approval,
		"休暇の届出は？¦所属長の承認¦就業規則.docx¦"+approval).means("出張の届出は？ = 所属長の承認 « 旅費規程.docx: "+approval,
		"休暇の届出は？ = 所属長の承認 « 就業規則.docx: "+approval), nil, nil},
	{one("a banner for each part", "No¦質問¦正解", "【勤怠】", "1¦始業は？¦9時", "2¦休暇は？¦10日", "【旅費】",
		"3¦日当は？¦3,000円").
		means("始業は？ = 9時 #", "休暇は？ = 10日 #", "日当は？ = 3,000円 #"), merged("A2:C2", "A5:C5"), []string{"勤怠", "勤怠", "旅費"}},
	{one("a legend beside the table", "No¦質問¦正解¦重要度¦¦凡例¦意味", "1¦始業は？¦9時¦A¦¦A¦必ず正答すること",
		"2¦日当は？¦3,000円¦B¦¦B¦できれば正答",
		"3¦休暇は？¦10日¦A¦¦C¦参考").means("始業は？ = 9時 #", "日当は？ = 3,000円 #", "休暇は？ = 10日 #"), nil, nil},
	{one("questions and answers in two languages", "No¦質問（日本語）¦Question (English)¦正解（日本語）¦Answer (English)",
		"1¦始業は何時ですか？¦When does work begin?¦9時です¦At nine",
		"2¦日当はいくらですか？¦How much is the per diem?¦3,000円です¦3,000 yen").
		means("始業は何時ですか？ = 9時です", "日当はいくらですか？ = 3,000円です").says("Question (English)", "Answer (English)"),
		nil, nil},
	{one("numbers as people see them", "質問¦正解¦区分", "日当はいくら？¦¦旅費", "市内手当はいくら？¦¦旅費").
		means("日当はいくら？ = 3,000円 #", "市内手当はいくら？ = 1,200円 #"), formatted(map[string]float64{"B2": 3000, "B3": 1200},
		`#,##0"円"`), nil},
	{one("the customer's words, a place to copy from, a tick",
		"Prio (H/M/L)¦Question (as the customer asks)¦Answer the bot should give¦Where in the manual? (copy the sentence)¦Reviewed ✓¦Bot answer¦OK?",
		"H¦It hangs, what now?¦Hold the power button for five seconds¦Hold the power button […] to restart the device.¦✓¦¦",
		"M¦Battery life?¦Ten hours¦The battery lasts ten hours.¦✓¦¦", "L¦The light stays red¦Contact support¦¦¦¦").
		means("It hangs, what now? = Hold the power button for five seconds « manual.pdf: Hold the power button « manual.pdf: to restart the device. #",
			"Battery life? = Ten hours"+battery+" #", "The light stays red = Contact support #"), nil, nil},
}

// wrong is how the reading differs from what the author means; "" when it does not.
func (s writtenSheet) wrong(t *testing.T) string {
	t.Helper()
	_, raw := s.file(t)
	if s.do != nil {
		raw = []byte(edited(t, raw, func(f *excelize.File) error { return s.do(f, f.GetSheetName(0)) }))
	}
	d, report, err := readDataset(raw, "q.xlsx", "team", teamCorpus(), ReadOptions{})
	if err != nil {
		return err.Error()
	}
	differs := s.differs(d.Questions, strings.Join(text.InEnglish(report.Notes), "\n"))
	for i := range min(len(s.kept), len(d.Questions)) {
		q := d.Questions[i]
		raw, err := json.Marshal([]any{q.Tags, q.Metadata})
		if err != nil {
			return err.Error()
		}
		if !strings.Contains(string(raw), s.kept[i]) {
			differs += "\nquestion " + q.Text + " does not keep " + s.kept[i] + ": " + string(raw)
		}
	}
	return differs
}

// writtenSheetsRight is how many of [writtenSheets] are read as meant.
const writtenSheetsRight = 20

// TestSheetsAsWritten: workbooks with the looks that people give them are read as their authors mean them.
func TestSheetsAsWritten(t *testing.T) {
	t.Parallel()
	var right int
	for _, s := range writtenSheets {
		if wrong := s.wrong(t); wrong != "" {
			t.Logf("%s: %s", s.name, wrong)
		} else {
			right++
		}
	}
	if right != writtenSheetsRight {
		t.Errorf("%d of %d sheets are read as meant, want %d", right, len(writtenSheets), writtenSheetsRight)
	}
}

// TestWhatLooksAlikeIsTold: what is told apart by a small sign is told apart, named, and can be had otherwise.
func TestWhatLooksAlikeIsTold(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, file, want, note string
		columns                map[string]string
	}{
		{"further answers", "No,質問,正解1,正解2\n1,日当は？,3000円です,三千円です\n2,始業は？,9時です,\n",
			"日当は？ = 3000円です ~ 三千円です; 始業は？ = 9時です",
			`column 正解2: each is one more right answer beside column 正解1; if a right answer needs both: --map "正解2=metadata"`, nil},
		{"no further answers", "No,質問,正解1,正解2\n1,日当は？,3000円です,三千円です\n", "日当は？ = 3000円です", "",
			map[string]string{"正解2": "metadata"}},
		{"sums stay apart from answers", "質問,正解\n日当は？,3000円です\n合計,3\n始業は？,9時です\n",
			"日当は？ = 3000円です; 合計 = 3; 始業は？ = 9時です", "", nil},
		{"a heading", "No,質問,正解\n■ 旅費,,\n1,日当は？,3000円です\n2,始業は？,9時です\n",
			"日当は？ = 3000円です #theme:旅費; 始業は？ = 9時です #theme:旅費",
			`headings between the questions are the theme of those below them: line 2 ("旅費")`, nil},
		{"themes of their own", "No,質問,正解,テーマ\n【旅費】,,,\n1,日当は？,3000円です,金額\n", "日当は？ = 3000円です #theme:金額",
			`not read, because nothing is asked there: line 2 ("【旅費】")`, nil},
	}
	for _, c := range cases {
		d, report, err := read("q.csv", c.file, nil, c.columns)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, q := range d.Questions {
			got = append(got, saidQuestion(q))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
		if notes := strings.Join(text.InEnglish(report.Notes), "\n"); !strings.Contains(notes, c.note) {
			t.Errorf("%s: notes %s", c.name, notes)
		}
	}
	tabs := teamSheet{tabs: []teamTab{ofTab("4月", "No¦質問¦正解", "【旅費】", "1¦日当は？¦3,000円"), ofTab("5月",
		"No¦質問¦正解", "2¦始業は？¦9時")}}
	_, raw := tabs.file(t)
	d, _, err := readDataset(raw, "q.xlsx", "team", nil, ReadOptions{})
	if err != nil || len(d.Questions) != 2 || len(d.Questions[0].Tags) != 1 || len(d.Questions[1].Tags) != 0 {
		t.Errorf("the heading of another sheet: %+v %v", d, err)
	}
}
