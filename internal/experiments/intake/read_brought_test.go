package intake

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/japanese"

	"github.com/rag-workbench/workbench/internal/text"
)

// broughtSheet is a file as people bring it: a workbook with its looks, or the bytes of a file that some program wrote.
type broughtSheet struct {
	writtenSheet
	file string // the bytes of a file that is no workbook
	raw  string
	sums map[string]string // values of formulas
}

func (s broughtSheet) wrongly(t *testing.T) string {
	t.Helper()
	name, raw := s.file, []byte(s.raw)
	if name == "" {
		name, raw = s.teamSheet.file(t)
		if s.do != nil {
			raw = []byte(edited(t, raw, func(f *excelize.File) error { return s.do(f, f.GetSheetName(0)) }))
		}
	}
	if s.sums != nil {
		raw = kept(t, raw, s.sums)
	}
	d, report, err := readDataset(raw, name, "team", teamCorpus(), ReadOptions{})
	if err != nil {
		said := fmt.Sprint("refused: ", err)
		for _, told := range s.told {
			if !strings.Contains(said, told) {
				return said
			}
		}
		if len(s.want) == 0 && len(s.told) > 0 {
			return ""
		}
		return said
	}
	notes := strings.Join(text.InEnglish(report.Notes), "\n")
	differs := s.differs(d.Questions, notes)
	for i := range min(len(s.kept), len(d.Questions)) {
		if q := d.Questions[i]; !strings.Contains(fmt.Sprint(q.Tags, q.Metadata, q.ID, q.Critical), s.kept[i]) {
			differs += "\nquestion " + q.Text + " does not keep " + s.kept[i] + fmt.Sprint(": ", q.Tags, q.Metadata, q.ID)
		}
	}
	if testing.Verbose() {
		t.Logf("%s:\n%s", s.name, notes)
	}
	return differs
}

func written(s teamSheet, do func(f *excelize.File, sheet string) error, kept ...string) broughtSheet {
	return broughtSheet{writtenSheet: writtenSheet{s, do, kept}}
}

func brought(name, file, raw string, want ...string) broughtSheet {
	return broughtSheet{writtenSheet: writtenSheet{teamSheet: teamSheet{name: name, want: want}}, file: file, raw: raw}
}

func (s broughtSheet) telling(told ...string) broughtSheet           { s.told = told; return s }
func (s broughtSheet) computing(sums map[string]string) broughtSheet { s.sums = sums; return s }
func (s broughtSheet) keeping(kept ...string) broughtSheet           { s.kept = kept; return s }

// unicodeText is what Excel calls so: UTF-16 with a mark at its beginning.
func unicodeText(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func shiftJIS(s string) string {
	out, err := japanese.ShiftJIS.NewEncoder().String(s)
	if err != nil {
		panic(err)
	}
	return out
}

func all(do ...func(f *excelize.File, sheet string) error) func(f *excelize.File, sheet string) error {
	return func(f *excelize.File, sheet string) error {
		for _, d := range do {
			if err := d(f, sheet); err != nil {
				return err
			}
		}
		return nil
	}
}

func struck(cells ...string) func(f *excelize.File, sheet string) error {
	return func(f *excelize.File, sheet string) error {
		style, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Strike: true}})
		if err != nil {
			return err
		}
		for _, c := range cells {
			from, to, _ := strings.Cut(c, ":")
			if err := f.SetCellStyle(sheet, from, to, style); err != nil {
				return err
			}
		}
		return nil
	}
}

// computed writes formulas.
func computed(cells ...[2]string) func(f *excelize.File, sheet string) error {
	return func(f *excelize.File, sheet string) error {
		for _, c := range cells {
			if err := f.SetCellFormula(sheet, c[0], c[1]); err != nil {
				return err
			}
		}
		return nil
	}
}

// kept writes the values of formulas beside them, as spreadsheet programs do.
func kept(t *testing.T, raw []byte, values map[string]string) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for cell, value := range values {
			kind := "str"
			if strings.HasPrefix(value, "#") {
				kind = "e"
			}
			body = regexp.MustCompile(`<c r="`+cell+`"([^>]*?)( t="\w+")?>(<f>.*?</f>)(<v>.*?</v>)?</c>`).
				ReplaceAll(body, []byte(`<c r="`+cell+`"$1 t="`+kind+`">$3<v>`+value+`</v></c>`))
		}
		part, err := w.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func commented(cell, said string) func(f *excelize.File, sheet string) error {
	return func(f *excelize.File, sheet string) error {
		return f.AddComment(sheet, excelize.Comment{Cell: cell, Author: "QA", Text: said})
	}
}

// broughtSheets were written, with what they mean, before anything was read with them.
var broughtSheets = []broughtSheet{
	written(one("transposed, Japanese", "項目¦Q1¦Q2¦Q3", "質問¦始業は？¦休暇は？¦日当は？", "正解¦9時¦10日¦3,000円",
		"根拠¦始業時刻は午前9時とする。¦年次有給休暇は入社6か月後に10日付与する。¦日当は3,000円とする。").
		means("始業は？ = 9時"+start9, "休暇は？ = 10日"+leave10, "日当は？ = 3,000円"+perDiem), nil),
	written(one("transposed, English, no ids", "Question¦How do I restart it?¦How long does the battery last?¦When do orders ship?¦Who won?",
		"Expected answer¦Hold the power button¦Ten hours¦Two days¦N/A", "Category¦Device¦Device¦Orders¦Other").
		means("How do I restart it? = Hold the power button #", "How long does the battery last? = Ten hours #",
			"When do orders ship? = Two days #", "Who won? = ∅ #"), nil, "Device", "Device", "Orders", "Other"),
	written(one("two systems side by side", "No¦質問¦正解¦システムA¦¦システムB¦", "¦¦¦回答¦判定¦回答¦判定",
		"1¦始業は？¦9時¦9時です¦○¦10時です¦×", "2¦日当は？¦3,000円¦2,500円です¦×¦3,000円です¦○").
		means("始業は？ = 9時", "日当は？ = 3,000円"), merged("A1:A2", "B1:B2", "C1:C2", "D1:E1", "F1:G1")),
	written(one("a conversation", "会話ID¦ターン¦質問¦正解", "C1¦1¦日当はいくらですか？¦3,000円", "C1¦2¦では始業は？¦9時",
		"C2¦1¦休暇は何日ですか？¦10日").means("日当はいくらですか？ = 3,000円 #", "では始業は？ = 9時 #",
		"休暇は何日ですか？ = 10日 #").says("会話ID"), nil),
	written(one("crossed out rows", "No¦質問¦正解", "1¦始業は？¦9時", "2¦社宅は？¦10年まで", "3¦日当は？¦3,000円").
		means("始業は？ = 9時", "社宅は？ = 10年まで", "日当は？ = 3,000円").says("struck", "row 3"), struck("A3:C3")),
	written(one("remarks at cells", "No¦質問¦正解", "1¦始業は？¦9時", "2¦日当は？¦3,000円").
		means("始業は？ = 9時", "日当は？ = 3,000円").says("comment", "C3"), commented("C3", "「三千円」も正解")),
	written(one("formulas with their values", "ID¦質問¦金額¦正解", "¦日当は？¦3000¦", "¦始業は？¦¦9時").
		means("日当は？ = 3000円", "始業は？ = 9時"), computed([2]string{"A2", `="Q"&TEXT(ROW()-1,"000")`},
		[2]string{"A3", `="Q"&TEXT(ROW()-1,"000")`}, [2]string{"D2", `=C2&"円"`}), "Q001", "Q002").
		computing(map[string]string{"A2": "Q001", "A3": "Q002", "D2": "3000円"}),
	written(one("formulas that failed", "ID¦質問¦正解", "1¦日当は？¦", "2¦始業は？¦9時", "3¦休暇は？¦").
		says("row 2", "正解", "the cell shows the error #REF!"), computed([2]string{"C2", "=VLOOKUP(B2,#REF!,2,0)"},
		[2]string{"C4", "=VLOOKUP(B4,F:G,2,0)"})).computing(map[string]string{"C2": "#REF!", "C4": "#N/A"}),
	written(one("dates, shares, hours as answers", "ID¦Question¦Answer", "¦When does the guarantee begin?¦", "¦What share is refunded?¦",
		"¦When does the desk open?¦").means("When does the guarantee begin? = 1 April 2026", "What share is refunded? = 12.5%",
		"When does the desk open? = 9:30"), all(formatted(map[string]float64{"C2": 46113}, "d mmmm yyyy"),
		formatted(map[string]float64{"C3": 0.125}, "0.0%"), formatted(map[string]float64{"C4": 0.395833333333333}, "h:mm"),
		formatted(map[string]float64{"A2": 1, "A3": 2, "A4": 10}, "0000")), "0001", "0002", "0010"),
	written(one("three reviewers and their sum", "No¦質問¦正解¦佐藤¦鈴木¦高橋¦総合判定¦コメント",
		"1¦始業は？¦9時¦○¦○¦△¦○¦言い回し",
		"2¦日当は？¦3,000円¦×¦対象外¦○¦△¦", "3¦休暇は？¦10日¦¦○¦○¦未確認¦", "¦¦○の数¦1¦2¦2¦1¦").
		means("始業は？ = 9時", "日当は？ = 3,000円", "休暇は？ = 10日"), nil),
	brought("Unicode text of Excel", "q.txt.csv", unicodeText(
		"No\t質問\t正解\t備考\r\n1\t始業は？\t\"9時\r\n（シフト勤務は別）\"\t\r\n2\t日当は？\t\"3,000円\"\t髙﨑\r\n"),
		"始業は？ = 9時⏎（シフト勤務は別）", "日当は？ = 3,000円"),
	brought("Shift-JIS with a title", "q.csv",
		shiftJIS("社内ＦＡＱ評価シート,,,\r\n作成日,2026/4/1,,\r\n,,,\r\n№,質問,模範回答,区分\r\n①,始業は？,"+
			"\"9時～\r\n18時\",勤怠\r\n②,日当は？,3000円,旅費\r\n"),
		"始業は？ = 9時～⏎18時 #", "日当は？ = 3000円 #").keeping("勤怠", "旅費"),
	brought("semicolons with sep=", "fragen.csv",
		"\ufeffsep=;\r\nNr.;Frage;Erwartete Antwort;Quelle;Seite;Gewichtung\r\n1;Wie lange hält der Akku?;\"Zehn Stunden; "+
			"bei 20 °C\";manual.pdf;2;0,5\r\n2;Wann wird versandt?;Innerhalb von zwei Werktagen;shipping_faq.md;1;1,5\r\n",
		"Wie lange hält der Akku? = Zehn Stunden; bei 20 °C #", "Wann wird versandt? = Innerhalb von zwei Werktagen #"),
	written(one("points and marks beside the model answer", "問¦質問¦模範解答¦採点ポイント¦配点",
		"1¦休暇の手順は？¦申請書を書いて所属長の承認を受け総務へ出す¦"+
			"①申請書を書く（2点）\n②承認を受ける（2点）\n③総務へ出す（1点）¦5",
		"2¦日当は？¦3,000円です¦①3,000円（5点）¦5").
		means("休暇の手順は？ = 申請書を書いて所属長の承認を受け総務へ出す", "日当は？ = 3,000円です"), nil,
		"①申請書", "①3,000円"),
	written(one("問 numbers what 質問 asks", "問¦質問¦正解", "11¦始業は？¦9時", "12¦日当は？¦3,000円").
		means("始業は？ = 9時", "日当は？ = 3,000円"), nil, "map[]11", "map[]12"),
	brought("ids with zeros, wide digits, answers to come", "q.csv",
		"管理番号,質問,正解\n0012,日当は？,３，０００円\n0013,始業は？,未確認\n0014,休暇は？,TBD\n"+
			"0015,日当は？,３，０００円\n0016,窓口は？,（調整中）\n", "日当は？ = ３，０００円", "始業は？ = ",
		"休暇は？ = ", "日当は？ = ３，０００円",
		"窓口は？ = ").telling("line 3", "line 4", "line 6").keeping("0012", "0013", "0014", "0015", "0016"),
	written(one("evidence by page or heading", "Question¦Answer¦Document¦Section¦Page", "How do I restart it?¦Hold power¦manual.pdf¦1 Restart¦3",
		"How long does the battery last?¦Ten hours¦manual.pdf¦2 Power¦pp. 4-5", "When do orders ship?¦Two days¦shipping_faq.md¦¦1").
		means("How do I restart it? = Hold power #", "How long does the battery last? = Ten hours #", "When do orders ship? = Two days #"),
		nil, "1 Restart", "2 Power", ""),
	written(one("quotes cut short", "質問¦正解¦根拠（抜粋）", "休暇は？¦10日¦年次有給休暇は…10日付与する。",
		"精算は？¦10日以内¦精算は（中略）10日以内に行う。",
		"始業は？¦9時¦始業時刻は～とする。").means("休暇は？ = 10日 « 就業規則.docx: 年次有給休暇は « 就業規則.docx: "+
		"10日付与する。",
		"精算は？ = 10日以内 « 旅費規程.docx: 精算は « 旅費規程.docx: 10日以内に行う。", "始業は？ = 9時").says("row 4"), nil),
	brought("a table of Notion", "FAQ 1a2b3c.csv", "\ufeffName,Expected answer,Tags,Status,Created time,Source\n"+
		"How do I restart it?,Hold the power button,\"Device, Power\",Done,\"November 3, 2026 10:12 AM\",Manual (https://www.notion.so/Manual-1a2b)\n"+
		"How long does the battery last?,Ten hours,Device,Not started,\"November 4, 2026 9:00 AM\",Manual (https://www.notion.so/Manual-1a2b)\n"+
		"When do orders ship?,Within two business days,Orders,Done,\"November 4, 2026 9:05 AM\",\n",
		"How do I restart it? = Hold the power button #", "How long does the battery last? = Ten hours #",
		"When do orders ship? = Within two business days #").keeping("Power", "Device", "Orders"),
	written(one("a table of Confluence", "#\u00a0¦\u200bQuestion\u00a0¦Answer / Notes\u00a0¦Status\u00a0¦Assignee\u00a0",
		"1¦How do I restart it?\u00a0¦Hold the power button\u200b¦DONE¦@QA", "2¦How long does the battery last?¦Ten hours\u00a0¦IN PROGRESS¦@QA",
		"\u00a0¦\u00a0¦\u00a0¦\u00a0¦\u00a0").
		means("How do I restart it? = Hold the power button", "How long does the battery last? = Ten hours"), nil),
	brought("answers of a form", "Responses.csv", "Timestamp,Email Address,What question would a customer ask?,What is the correct answer?,"+
		"\"Where does the manual say so? (copy the sentence, if you can)\",Is this question critical?\n"+
		"2026/11/02 10:11:12 GMT+9,a@example.org,How long does the battery last?,Ten hours,The battery lasts ten hours.,No\n"+
		"2026/11/02 10:15:40 GMT+9,b@example.org,When do orders ship?,Two days,Orders ship within two business days.,Yes\n"+
		"2026/11/02 11:00:02 GMT+9,a@example.org,Who won the match?,The manual does not say,,No\n",
		"How long does the battery last? = Ten hours"+battery, "When do orders ship? = Two days"+ships, "Who won the match? = ∅").
		telling("line 4").keeping("", "true"),
	written(one("two tables side by side", "人事¦¦¦経理¦", "質問¦正解¦¦質問¦正解", "始業は？¦9時¦¦日当は？¦3,000円",
		"休暇は？¦10日¦¦精算は？¦10日以内").
		means("始業は？ = 9時 #", "休暇は？ = 10日 #").says("column"), nil),
	written(one("one of several choices", "No¦問題¦選択肢A¦選択肢B¦選択肢C¦正解",
		"1¦日当はいくらですか。¦2,500円¦3,000円¦3,500円¦B",
		"2¦始業は何時ですか。¦9時¦8時半¦10時¦A").means("日当はいくらですか。 = 3,000円",
		"始業は何時ですか。 = 9時").says("choice in 2 rows"), nil),
	written(one("Q and A below each other", "社内FAQ¦", "Q1¦始業は何時ですか？", "A1¦9時です", "Q2¦日当はいくらですか？",
		"A2¦3,000円です").
		means("始業は何時ですか？ = 9時です", "日当はいくらですか？ = 3,000円です"), nil),
	brought("Q and A in one column", "faq.csv", "FAQ\nQ. How long does the battery last?\nA. Ten hours\nQ. When do orders ship?\nA. Within two business days\n",
		"How long does the battery last? = Ten hours", "When do orders ship? = Within two business days"),
	written(one("numbers of theme rows, subtotals by formula", "No.¦質問¦正解¦配点", "1¦勤怠について¦¦", "1-1¦始業は？¦9時¦10",
		"1-2¦休暇は？¦10日¦10", "¦小計¦¦20",
		"2¦旅費について¦¦", "2-1¦日当は？¦3,000円¦10", "¦小計¦¦10", "¦総計¦¦30").means("始業は？ = 9時 #",
		"休暇は？ = 10日 #", "日当は？ = 3,000円 #"),
		merged("B2:D2", "B6:D6"), "勤怠について", "勤怠について", "旅費について"),
}

// broughtSheetsRight is how many of [broughtSheets] are read as meant.
const broughtSheetsRight = 26

// TestSheetsAsBrought: files with the looks of other programs and habits are read as their authors mean them, or say what they do not tell.
func TestSheetsAsBrought(t *testing.T) {
	t.Parallel()
	var right int
	for _, s := range broughtSheets {
		if wrong := s.wrongly(t); wrong != "" {
			t.Logf("WRONG %s: %s", s.name, wrong)
		} else {
			right++
		}
	}
	if right != broughtSheetsRight {
		t.Errorf("%d of %d sheets are read as meant, want %d", right, len(broughtSheets), broughtSheetsRight)
	}
}
