package intake

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// tradeSheet is a workbook as an office writes it: other sheets, titles and remarks around a table, header cells over two lines, headings
// between the questions.
type tradeSheet struct {
	trade  string     // see [tradeCells]
	sheets []string   // sheets before the one with the questions, each with some lines of prose
	above  [][]string // rows above the column names
	group  []string   // an upper line of column names, merged over the blank cells to its right
	header []string   // "name=field:kind"; "label" is a tag, a theme or a category; the kinds are those of [tradeCells]
	none   string     // what stands for the answer to the last question, which the documents do not answer
	headed bool       // a heading stands alone in a row before the first and the third question
}

var tradeSheets = []tradeSheet{
	{trade: "hr-en", none: "Not covered by the policy",
		above: [][]string{{"HR Policy Chatbot – Test Questions"}, {"Version 2", "owner: People Ops"}, {}},
		header: []string{"Q No.=question_id:N", "Employee question=question:q", "Policy answer=reference:a", "Policy section=metadata:h",
			"Approved by=metadata:w", "Approval date=metadata:t"}},
	{trade: "hospital-en", none: "n/a", header: []string{"Patient asks=question:q", "Staff should answer=reference:a", "Leaflet=metadata:f",
		"Page no.=metadata:g", "Clinically critical (Y/N)=critical:Y"}},
	{trade: "bank-en", none: "N/A", header: []string{"Ref no=question_id:i", "Product line=label:c", "Customer query=question:q",
		"Compliant response=reference:a", "Regulation quote=evidence:e", "Compliance sign-off=metadata:b"}},
	{trade: "factory-en", none: "not in the manual", group: []string{"Identification", "", "Test", "", "Source", ""},
		header: []string{"Line=label|metadata:c", "No.=question_id:n", "Operator question=question:q", "Correct answer=reference:a",
			"Work instruction=metadata:f", "Page=metadata:p"}},
	{trade: "city-en", none: "N/A", above: [][]string{{"How to use this sheet:"}, {"1) One question per line."},
		{"2) Give the answer exactly as the guide words it."}, {"3) Mark questions the guide does not answer."}, {}},
		header: []string{"Resident's question=question:q", "Answer given in the guide=reference:a", "Guide URL=metadata:u",
			"In guide?=answerable:y"}},
	{trade: "hr-en", none: "none", sheets: []string{"Read me", "Change log"}, header: []string{"Question=question:q", "Answer=reference:a",
		"Owner=metadata:w", "Status=metadata:b"}},
	{trade: "hospital-en", none: "N/A", header: []string{"Question (EN)=question:q", "Question (JA)=metadata:Q", "Answer (EN)=reference:a",
		"Answer (JA)=metadata:A", "Ward=label|metadata:c"}},
	{trade: "bank-en", none: "No information in the manual", header: []string{"Intent=label:c", "Sample utterance=question:q",
		"Expected bot reply=reference:a", "Actual bot reply=metadata:s", "Match %=metadata:z"}},
	{trade: "factory-en", none: "-", header: []string{"Alarm code=question_id:i", "Symptom / question=question:q", "Remedy=reference:a",
		"Manual p.=metadata:g", "Machine=label|metadata:c"}},
	{trade: "city-en", none: "Not stated", header: []string{"Topic=label:c", "Sub-topic=label:d", "What citizens ask=question:q",
		"What we tell them=reference:a", "Legal basis=metadata:h", "Last reviewed=metadata:t"}},
	{trade: "hr-en", none: "—", header: []string{"=metadata:x", "#=question_id:n", "Question from staff=question:q",
		"Answer per handbook=reference:a", "Handbook ref=metadata:h"}},
	{trade: "bank-en", none: "N/A", header: []string{"Scenario ID=question_id:i", "Question to assistant=question:q",
		"Ground-truth answer=reference:a", "Must cite=evidence:e", "Reviewer 1=metadata:w", "Reviewer 2=metadata:w",
		"Agreed?=metadata:v"}},
	{trade: "hospital-en", none: "N/A", header: []string{"Number=question_id:n", "Question asked at reception=question:q",
		"Answer from the protocol=reference:a", "Protocol file=metadata:f", "Verified on=metadata:t", "Not covered (x)=metadata:X"}},
	{trade: "factory-en", none: "No answer in the SOP", group: []string{"Question", "", "Answer", ""},
		header: []string{"ID=question_id:i", "Text=question:q", "Text=reference:a", "Page=metadata:p"}},
	{trade: "city-en", none: "not in the guide", headed: true, header: []string{"No=question_id:n", "Question=question:q",
		"Reference answer=reference:a", "Paragraph=metadata:h"}},
	{trade: "hr-en", none: "N.A.", above: [][]string{{"Acceptance test"}, {}, {"Prepared for:", "Works council"}, {"Date:", "2026-09-30"},
		{"Rule:", "An answer is right when it says what the handbook says, no more and no less."}, {}},
		header: []string{"Test question=question:q", "Reference=reference:a", "Difficulty (1-5)=label|metadata:g", "Hit?=metadata:v"}},
	{trade: "bank-en", none: "unknown", header: []string{"Date=metadata:t", "Branch=label|metadata:w", "Customer said=question:q",
		"Advisor replied=reference:a", "Manual reference=metadata:p"}},
	{trade: "hospital-en", none: "not documented", header: []string{"Query=question:q", "Gold=reference:a", "System=metadata:s",
		"Score=metadata:z", "Explanation=metadata:r"}},
	{trade: "factory-en", none: "not specified", header: []string{"Item=question_id:n", "Query text=question:q",
		"Acceptable answer=reference:a", "Quote from SOP=evidence:e", "SOP no.=metadata:f", "Rev.=metadata:z"}},
	{trade: "city-en", none: "no answer", header: []string{"Question / request=question:q", "Reply=reference:a",
		"Department=label|metadata:w", "Form (PDF)=metadata:f", "Web page=metadata:u"}},

	{trade: "hr-ja", none: "規程に定めなし",
		above: [][]string{{"人事規程チャットボット　評価シート"}, {"作成日：2026/10/1", "作成：人事部"}, {}},
		header: []string{"No=question_id:n", "社員からの質問=question:q", "規程に基づく回答=reference:a", "規程名=metadata:f", "条文=metadata:h",
			"承認者=metadata:w", "承認日=metadata:t"}},
	{trade: "hospital-ja", none: "記載がない", header: []string{"患者さんの質問=question:q", "正しい案内=reference:a", "説明書ページ=metadata:g",
		"要注意（○）=critical|metadata:Y"}},
	{trade: "bank-ja", none: "該当なし", header: []string{"管理No=question_id:i", "商品区分=label:c", "顧客質問=question:q", "模範応対=reference:a",
		"規定の該当文=evidence:e", "コンプラ確認=metadata:b"}},
	{trade: "factory-ja", none: "マニュアルに記載なし", group: []string{"識別", "", "テスト", "", "出典", ""},
		header: []string{"ライン=label|metadata:c", "連番=question_id:n", "作業者の質問=question:q", "正解=reference:a", "作業標準書=metadata:f",
			"頁=metadata:p"}},
	{trade: "city-ja", none: "なし", above: [][]string{{"【記入上の注意】"}, {"・1行に1問を記入してください。"}, {"・手引きの文言のまま答えを書いてください。"}, {}},
		header: []string{"住民の質問=question:q", "手引きの答え=reference:a", "掲載URL=metadata:u", "手引きに記載=answerable:y"}},
	{trade: "hr-ja", none: "記載なし", sheets: []string{"表紙", "記入要領"}, header: []string{"問番号=question_id:N", "設問=question:q", "解答=reference:a",
		"確認=metadata:v"}},
	{trade: "hospital-ja", none: "該当無し", header: []string{"質問（日）=question:q", "質問（英）=metadata:Q", "回答（日）=reference:a",
		"回答（英）=metadata:A", "病棟=label|metadata:c"}},
	{trade: "bank-ja", none: "規定なし", header: []string{"意図=label|metadata:c", "発話例=question:q", "期待応答=reference:a", "実応答=metadata:s",
		"一致率=metadata:z"}},
	{trade: "factory-ja", none: "－", header: []string{"アラーム番号=question_id:i", "症状・質問=question:q", "処置=reference:a", "取説頁=metadata:g",
		"機種=label|metadata:c"}},
	{trade: "city-ja", none: "不明", header: []string{"大区分=label:c", "小区分=label:d", "よく聞かれること=question:q", "窓口での説明=reference:a",
		"根拠法令=metadata:h", "最終確認日=metadata:t"}},
	{trade: "hr-ja", none: "就業規則に記載なし", header: []string{"=metadata:x", "＃=question_id:n", "問合せ文=question:q", "就業規則上の回答=reference:a",
		"参照条=metadata:h"}},
	{trade: "bank-ja", none: "N/A", header: []string{"シナリオNo.=question_id:i", "アシスタントへの質問=question:q", "正答（合意済）=reference:a",
		"引用すべき文=evidence:e", "査読者１=metadata:w", "査読者２=metadata:w", "一致=metadata:v"}},
	{trade: "hospital-ja", none: "記述なし", header: []string{"番号=question_id:n", "受付での質問=question:q", "手順書の回答=reference:a",
		"手順書ファイル名=metadata:f", "確認日=metadata:t", "対象外（×）=answerable:X"}},
	{trade: "factory-ja", none: "回答不可", group: []string{"質問", "", "回答", ""},
		header: []string{"ID=question_id:i", "本文=question:q", "本文=reference:a", "頁=metadata:p"}},
	{trade: "city-ja", none: "手引きに記載なし", headed: true, header: []string{"番=question_id:n", "質問=question:q", "答え=reference:a",
		"根拠箇所=metadata:h"}},
	{trade: "hr-ja", none: "該当する記載なし", above: [][]string{{"受入試験"}, {}, {"提出先：", "労使協議会"}, {"日付：", "2026年9月30日"},
		{"判定基準：", "規程の内容と一致していれば正解とする。余計なことを述べた場合は不正解とする。"}, {}},
		header: []string{"テスト質問文=question:q", "期待=reference:a", "難易度（1～5）=label|metadata:g", "正誤=metadata:v"}},
	{trade: "bank-ja", none: "回答できない", header: []string{"受付日=metadata:t", "支店=label|metadata:w", "お客さまのお言葉=question:q",
		"担当の返答=reference:a", "マニュアル該当頁=metadata:p"}},
	{trade: "hospital-ja", none: "情報なし", header: []string{"クエリ=question:q", "正解データ=reference:a", "システム出力=metadata:s", "得点=metadata:z",
		"コメント=metadata:r"}},
	{trade: "factory-ja", none: "規定されていない", header: []string{"項=question_id:n", "質問テキスト=question:q", "許容できる回答=reference:a",
		"SOP引用=evidence:e", "SOP番号=metadata:f", "版=metadata:z"}},
	{trade: "city-ja", none: "対象外", header: []string{"ご質問・ご要望=question:q", "ご案内=reference:a", "担当課=label|metadata:w", "様式=metadata:f",
		"ホームページ=metadata:u"}},
}

// tradeCells holds what the columns of a trade hold in the four rows: "q" questions, "a" right answers (the last is that there is
// none), "e" quotes, "c" labels.
var tradeCells = map[string]map[string][]string{
	"hr-en": {"q": {"How many days of annual leave do I get?", "Until when must I hand in a sick note?", "can I work from home on Fridays",
		"Is there a gym subsidy?"},
		"a": {"28 days a year.", "By the third day of absence.", "Yes, after six months and with the manager's consent."},
		"e": {"Full-time staff are entitled to 28 days of annual leave.", "A sick note is due by the third day of absence.",
			"Home office is possible after six months."},
		"c": {"Leave", "Absence", "Home office", "Benefits"}},
	"hospital-en": {"q": {"When are visiting hours?", "May I eat before the blood test?", "Where do I collect my results",
		"Can I bring my dog?"},
		"a": {"Daily from 2 pm to 7 pm.", "No. Please do not eat for eight hours before it.", "At the desk on level 1."},
		"e": {"Visitors are welcome daily from 2 pm to 7 pm.", "Do not eat for eight hours before a blood test.",
			"Results are handed out at the desk on level 1."},
		"c": {"Ward 1", "Ward 2", "Ward 2", "Ward 1"}},
	"bank-en": {"q": {"What does an overdraft cost?", "How do I block my card?", "Is there a fee for a transfer to Norway?",
		"Which shares should I buy?"},
		"a": {"9.5% interest a year.", "Call the hotline at any hour and give the card's number.", "Yes, 12 euros."},
		"e": {"An arranged overdraft bears 9.5% interest a year.", "A card is blocked by a call to the hotline.",
			"Transfers outside the euro area cost 12 euros."},
		"c": {"Accounts", "Cards", "Payments", "Accounts"}},
	"factory-en": {"q": {"Which torque do the flange bolts need?", "How often is the filter changed?", "Machine stops with alarm 42",
		"Who supplies the gloves?"},
		"a": {"85 Nm, crosswise.", "Every 500 hours of operation.", "Check the door switch and acknowledge the alarm."},
		"e": {"Tighten the flange bolts crosswise to 85 Nm.", "Change the filter every 500 hours of operation.",
			"Alarm 42: the door switch is open."},
		"c": {"Line 1", "Line 1", "Line 2", "Line 2"}},
	"city-en": {"q": {"Where can I register my new address?", "What does a passport cost?", "When is paper collected in my street?",
		"Who won the football match?"},
		"a": {"At the citizens' office, within two weeks after moving.", "60 euros for adults.", "Every second Tuesday."},
		"e": {"Register a new address within two weeks.", "A passport costs 60 euros.", "Paper is collected every second Tuesday."},
		"c": {"Moving", "Papers", "Waste", "Other"}},
	"hr-ja": {"q": {"年次有給休暇は何日ですか。", "診断書はいつまでに提出しますか。", "金曜日の在宅勤務は可能か", "ジムの補助はありますか。"},
		"a": {"年に20日です。", "欠勤3日目までに提出します。", "入社6か月以後、上長の許可があれば可能です。"},
		"e": {"年次有給休暇は年20日とする。", "診断書は欠勤3日目までに提出する。", "在宅勤務は入社6か月以後に認める。"},
		"c": {"休暇", "欠勤", "在宅勤務", "福利厚生"}},
	"hospital-ja": {"q": {"面会時間は何時からですか？", "採血の前に食事をしてもよいですか？", "検査結果の受け取り場所", "犬を連れて行けますか？"},
		"a": {"毎日14時から19時までです。", "いいえ。8時間前から食べないでください。", "1階の窓口です。"},
		"e": {"面会は毎日14時から19時まで。", "採血の8時間前から食事をしないこと。", "検査結果は1階の窓口で渡す。"},
		"c": {"一病棟", "二病棟", "二病棟", "一病棟"}},
	"bank-ja": {"q": {"当座貸越の金利はいくらですか。", "カードを止めるにはどうすればよいですか。", "海外送金に手数料はかかるか。", "どの株を買うべきですか。"},
		"a": {"年9.5%です。", "専用電話に連絡し、カード番号を伝えます。", "はい、1件につき2,500円です。"},
		"e": {"当座貸越の金利は年9.5%とする。", "カードの停止は専用電話で受け付ける。", "海外送金の手数料は1件2,500円とする。"},
		"c": {"口座", "カード", "送金", "口座"}},
	"factory-ja": {"q": {"フランジボルトの締付トルクはいくつですか。", "フィルターはどのくらいの頻度で交換しますか。", "アラーム42で機械が停止した", "手袋の仕入先はどこですか。"},
		"a": {"対角に85 Nmで締め付けます。", "運転500時間ごとに交換します。", "扉スイッチを確認し、アラームを解除します。"},
		"e": {"フランジボルトは対角に85 Nmで締め付ける。", "フィルターは運転500時間ごとに交換する。", "アラーム42は扉スイッチの開放を示す。"},
		"c": {"第1ライン", "第1ライン", "第2ライン", "第2ライン"}},
	"city-ja": {"q": {"転入届はどこに出せばよいですか。", "パスポートの費用はいくらですか。", "古紙の収集日を知りたい", "サッカーの試合はどちらが勝ちましたか。"},
		"a": {"市民課に、転入から14日以内に届け出ます。", "大人は16,000円です。", "第2・第4火曜日です。"},
		"e": {"転入届は14日以内に市民課に提出する。", "旅券の手数料は16,000円である。", "古紙は第2・第4火曜日に収集する。"},
		"c": {"転入", "旅券", "ごみ", "その他"}},
}

// commonCells hold what a kind of column holds in every trade, by language.
var commonCells = map[string]map[string][]string{
	"en": {
		"N": {"Q1", "Q2", "Q3", "Q4"}, "h": {"§ 4.1", "§ 7.2 (a)", "§ 9", ""}, "w": {"North", "South", "North", "West"},
		"s": {"That depends on the case and on your manager.", "Please ask at the desk.", "Yes, that is always possible.",
			"I would say so."},
		"b": {"approved", "approved", "open", "approved"}, "d": {"easy", "hard", "easy", "easy"}, "r": {"", "asked often", "", ""},
		"p": {"p. 12", "p. 13", "p. 40", ""}, "v": {"yes", "no", "yes", "yes"}, "Y": {"Y", "N", "N", "N"}, "y": {"yes", "yes", "yes", "no"},
		"Q": {"面会時間は何時からですか？", "採血の前に食事をしてもよいですか？", "検査結果の受け取り場所", "犬を連れて行けますか？"},
		"A": {"毎日14時から19時までです。", "いいえ。8時間前から食べないでください。", "1階の窓口です。", ""},
	},
	"ja": {
		"N": {"問1", "問2", "問3", "問4"}, "h": {"第4条第1項", "第7条", "第9条", ""}, "w": {"東", "南", "東", "西"},
		"s": {"場合によって異なりますので上長に確認してください。", "窓口でお尋ねください。", "はい、いつでも可能です。", "可能と思われます。"},
		"b": {"承認済", "承認済", "未", "承認済"}, "d": {"易", "難", "易", "易"}, "r": {"", "問い合わせが多い", "", ""},
		"p": {"12ページ", "13ページ", "40ページ", ""}, "v": {"○", "×", "○", "○"}, "Y": {"○", "", "", ""}, "y": {"○", "○", "○", "×"},
		"Q": {"When are visiting hours?", "May I eat before the blood test?", "Where do I collect my results", "Can I bring my dog?"},
		"A": {"Daily from 2 pm to 7 pm.", "No. Do not eat for eight hours.", "At the desk on level 1.", ""},
	},
	"": {
		"n": {"1", "2", "3", "4"}, "i": {"K-101", "K-102", "K-103", "K-104"}, "g": {"12", "13", "40", ""},
		"t": {"2026-09-01", "2026-09-02", "2026-09-02", "2026-09-05"},
		"u": {"https://example.org/guide/1", "https://example.org/guide/2", "", "https://example.org/guide/4"},
		"f": {"rules-2026.pdf", "rules-2026.pdf", "forms.docx", ""}, "z": {"0.8", "0.4", "0.9", "0.1"}, "X": {"", "", "", "x"},
		"x": {"", "", "", ""},
	},
}

// cell is what a column of a kind holds in row i of 4.
func (s tradeSheet) cell(kind string, i int) string {
	_, lang, _ := strings.Cut(s.trade, "-")
	if kind == "a" && i == 3 {
		return s.none
	}
	for _, cells := range []map[string][]string{tradeCells[s.trade], commonCells[lang], commonCells[""]} {
		if c := cells[kind]; i < len(c) {
			return c[i]
		}
	}
	return ""
}

// columns takes the descriptions of the columns apart.
func (s tradeSheet) columns() (names, fields, kinds []string) {
	for _, h := range s.header {
		name, rest, _ := strings.Cut(h, "=")
		field, kind, _ := strings.Cut(rest, ":")
		names, fields, kinds = append(names, name), append(fields, field), append(kinds, kind)
	}
	return names, fields, kinds
}

// workbook writes the sheet as a file.
func (s tradeSheet) workbook(t *testing.T) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	sheet := "Sheet1"
	if len(s.sheets) > 0 {
		sheet = "Q&A"
		if err := f.SetSheetName("Sheet1", s.sheets[0]); err != nil {
			t.Fatal(err)
		}
		for _, name := range append(s.sheets[1:], sheet) {
			if _, err := f.NewSheet(name); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range s.sheets {
			for i, line := range []string{name, "This workbook was made for the acceptance test.", "Please do not change the columns."} {
				if err := f.SetCellStr(name, fmt.Sprintf("A%d", i+1), line); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	row := 0
	add := func(cells []string) {
		row++
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", row), &cells); err != nil {
			t.Fatal(err)
		}
	}
	for _, cells := range s.above {
		add(cells)
	}
	if s.group != nil {
		add(s.group)
		for i, g := range s.group {
			if g != "" && i+1 < len(s.group) && s.group[i+1] == "" {
				from, _ := excelize.CoordinatesToCellName(i+1, row)
				to, _ := excelize.CoordinatesToCellName(i+2, row)
				if err := f.MergeCell(sheet, from, to); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	names, _, kinds := s.columns()
	add(names)
	for i := range 4 {
		if s.headed && i%2 == 0 {
			add([]string{s.cell("c", i)})
		}
		cells := make([]string, len(kinds))
		for n, kind := range kinds {
			cells[n] = s.cell(kind, i)
		}
		add(cells)
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// corpus holds the manual of the trade.
func (s tradeSheet) corpus() *rag.Corpus {
	return rag.NewCorpus("manual", []rag.Document{{ID: "manual.md", Title: "Manual", Text: strings.Join(tradeCells[s.trade]["e"], "\n")}})
}

// read reads the workbook and says what is wrong with it: columns that are taken for something else, and cells that are lost.
func (s tradeSheet) read(t *testing.T) (diff, lost string) {
	t.Helper()
	d, report, err := readDataset(s.workbook(t), "sheet.xlsx", "sheet", s.corpus(), ReadOptions{})
	if err != nil {
		return err.Error(), ""
	}
	_, fields, kinds := s.columns()
	var got, want []string
	for i, use := range report.Columns {
		if i >= len(fields) {
			got = append(got, "column too many: "+use.Source)
			continue
		}
		field := use.Field
		allowed := strings.Split(strings.ReplaceAll(fields[i], "label", "tag|theme|category"), "|")
		if slices.Contains(allowed, field) {
			field = fields[i]
		}
		got, want = append(got, use.Source+"="+field), append(want, use.Source+"="+fields[i])
	}
	return cmp.Diff(want, got), s.lostCells(d, report, kinds)
}

// lostCells names a cell that neither the questions nor the notes hold.
func (s tradeSheet) lostCells(d *experiments.Dataset, report ReadReport, kinds []string) string {
	if len(d.Questions) != 4 {
		return fmt.Sprintf("%d questions instead of 4", len(d.Questions))
	}
	for i, q := range d.Questions {
		if q.Answerable != (i < 3) {
			return fmt.Sprintf("question %d: answerable %v", i+1, q.Answerable)
		}
		holds := fmt.Sprint(q.ID, q.Text, q.Reference, q.References, q.Tags, q.ExpectedURLs, q.Metadata, report.Notes)
		for _, e := range q.Evidence {
			holds += e.Quote
		}
		for n, kind := range kinds {
			cell := s.cell(kind, i)
			yesNo := report.Columns[n].Field == fieldAnswerable || report.Columns[n].Field == FieldCritical
			if !yesNo && !(kind == "a" && i == 3) && !strings.Contains(holds, cell) {
				return fmt.Sprintf("the cell %q of question %d is lost", cell, i+1)
			}
		}
	}
	return ""
}

// TestSheetsOfOtherTrades reads forty workbooks that were written before the reader had seen one of them.
func TestSheetsOfOtherTrades(t *testing.T) {
	t.Parallel()
	right, all := map[string]int{}, map[string]int{}
	for n, s := range tradeSheets {
		_, lang, _ := strings.Cut(s.trade, "-")
		all[lang]++
		if diff, lost := s.read(t); diff != "" || lost != "" {
			t.Errorf("sheet %d: %s: %s%s", n+1, strings.Join(s.header, " | "), diff, lost)
			continue
		}
		right[lang]++
	}
	for lang, n := range all {
		t.Logf("%s: %d of %d sheets read right", lang, right[lang], n)
	}
}
