package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// sheetCase is a question sheet as a team would write it. A header is "name=field:kind", where kind says what its cells hold: see
// [cellsOf]. Above it may stand titles and remarks.
type sheetCase struct {
	lang   string
	above  []string
	header []string
	kept   bool // kept back: not looked at while the reader was written
}

var sheetCases = []sheetCase{
	{lang: "en", header: []string{"No.=question_id:n", "Question=question:q", "Expected Answer=reference:a", "Category=category:c",
		"Difficulty=tag:d", "Notes=metadata:r"}},
	{lang: "en", header: []string{"Q=question:q", "A=reference:a"}},
	{lang: "en", above: []string{"Support FAQ, spring edition", ""},
		header: []string{"FAQ=question:q", "Answer=reference:a", "Link=metadata:u"}},
	{lang: "en", header: []string{"ID=question_id:i", "User question=question:q", "Gold answer=reference:a", "Source document=metadata:f",
		"Page=metadata:p"}},
	{lang: "en", header: []string{"Test Case=question_id:i", "Prompt=question:q", "Actual Response=metadata:s",
		"Expected Response=reference:a", "Pass/Fail=metadata:v"}},
	{lang: "en", header: []string{"question=question:q", "answer=metadata:s", "correct answer=reference:a", "score=metadata:n"}},
	{lang: "en", header: []string{"Ticket #=question_id:n", "Customer message=question:q", "Agent reply=reference:a", "Created=metadata:t",
		"Agent=metadata:w"}},
	{lang: "en", header: []string{"#=question_id:n", "Query=question:q", "Ideal answer=reference:a", "Evidence=evidence:e",
		"Doc=metadata:f"}},
	{lang: "en", header: []string{"Section=metadata:p", "Question text=question:q", "Model answer=reference:a", "Marks=metadata:n"}},
	{lang: "en", header: []string{"Topic=theme:c", "Question (required)=question:q", "Correct response=reference:a",
		"Reference=metadata:f"}},
	{lang: "en", above: []string{"QA test sheet", "Please fill in one line for each question.", ""},
		header: []string{"S/N=question_id:n", "Test question=question:q", "Expected result=reference:a", "Priority=tag:d",
			"Tester=metadata:w", "Remarks=metadata:r"}},
	{lang: "en", header: []string{"Customer inquiry=question:q", "Approved answer=reference:a", "Product=tag:c", "Owner=metadata:w",
		"Last updated=metadata:t"}},
	{lang: "en", header: []string{"Question EN=question:q", "Question JA=metadata:Q", "Answer EN=reference:a", "Answer JA=metadata:A"}},
	{lang: "en", header: []string{"Input=question:q", "Ground Truth=reference:a", "Output=metadata:s", "Judge comment=metadata:r"}},
	{lang: "en", header: []string{"Utterance=question:q", "Should say=reference:a", "Intent=tag:c"}},
	{lang: "ja", header: []string{"No.=question_id:n", "質問=question:q", "想定回答=reference:a", "カテゴリ=category:c", "難易度=tag:d",
		"備考=metadata:r"}},
	{lang: "ja", above: []string{"製品サポート 評価用質問一覧", "※記入例に従ってください", ""},
		header: []string{"番号=question_id:n", "質問内容=question:q", "模範解答=reference:a", "根拠=evidence:e"}},
	{lang: "ja", header: []string{"項番=question_id:n", "大分類=category:c", "中分類=tag:d", "質問文=question:q", "正解=reference:a", "出典=metadata:f",
		"ページ=metadata:p"}},
	{lang: "ja", header: []string{"問い合わせ内容=question:q", "回答内容=reference:a", "対応者=metadata:w", "対応日=metadata:t"}},
	{lang: "ja", header: []string{"Q=question:q", "A=reference:a", "参照URL=metadata:u"}},
	{lang: "ja", header: []string{"問題番号=question_id:n", "問題文=question:q", "解答=reference:a", "解説=metadata:r", "配点=metadata:n"}},
	{lang: "ja", header: []string{"ID=question_id:i", "質問（必須）=question:q", "期待する回答=reference:a", "根拠資料=metadata:f", "重要度=tag:d"}},
	{lang: "ja", header: []string{"テストケースID=question_id:i", "入力=question:q", "期待値=reference:a", "実際の回答=metadata:s", "判定=metadata:v"}},
	{lang: "ja", header: []string{"カテゴリ=category:c", "よくある質問=question:q", "回答=reference:a", "更新日=metadata:t"}},
	{lang: "ja", header: []string{"質問者=metadata:w", "質問日=metadata:t", "質問=question:q", "回答者=metadata:w", "回答=reference:a"}},
	{lang: "ja", above: []string{"社内ヘルプデスク　問答集", ""},
		header: []string{"通番=question_id:n", "分野=tag:c", "想定質問=question:q", "標準回答=reference:a", "該当箇所=evidence:e", "備考=metadata:r"}},
	{lang: "ja", header: []string{"設問=question:q", "AI回答=metadata:s", "正しい回答=reference:a", "評価=metadata:v", "コメント=metadata:r"}},
	{lang: "ja", header: []string{"質問(日本語)=question:q", "質問(英語)=metadata:Q", "回答(日本語)=reference:a", "回答(英語)=metadata:A"}},
	{lang: "ja", header: []string{"発話=question:q", "正答例=reference:a", "回答可否=answerable:y"}},
	{lang: "ja", header: []string{"管理番号=question_id:i", "照会内容=question:q", "回答例=reference:a", "根拠規程=metadata:f", "条番号=metadata:p",
		"担当部署=metadata:w"}},

	{kept: true, lang: "en", header: []string{"Item=question_id:n", "What users ask=question:q", "Right answer=reference:a",
		"Where found=metadata:p"}},
	{kept: true, lang: "en", header: []string{"Exam question=question:q", "Answer key=reference:a", "Chapter=metadata:p",
		"Points=metadata:n"}},
	{kept: true, lang: "en", above: []string{"Evaluation set v3 (draft)"},
		header: []string{"Case ID=question_id:i", "User query=question:q", "Reference answer=reference:a", "Supporting passage=evidence:e",
			"Answerable?=answerable:y"}},
	{kept: true, lang: "en", header: []string{"Timestamp=metadata:t", "User message=question:q", "Bot answer=metadata:s",
		"Corrected answer=reference:a"}},
	{kept: true, lang: "en", header: []string{"Subject=theme:c", "Question asked by customer=question:q", "Final answer=reference:a",
		"Channel=metadata:c", "Status=metadata:v"}},
	{kept: true, lang: "en", header: []string{"question_text=question:q", "golden_answer=reference:a", "doc_name=metadata:f",
		"page_number=metadata:p"}},
	{kept: true, lang: "en", header: []string{"Frequently Asked Question=question:q", "Standard reply=reference:a", "Department=tag:c"}},
	{kept: true, lang: "en", header: []string{"Q#=question_id:n", "Query text=question:q", "Target response=reference:a",
		"RAG response=metadata:s", "Human rating=metadata:n"}},
	{kept: true, lang: "en", header: []string{"Question=question:q", "Suggested answer=reference:a", "Alternative question=metadata:Q",
		"Manual page=metadata:p"}},
	{kept: true, lang: "en", header: []string{"Scenario=question:q", "Desired outcome answer=reference:a", "Severity=tag:d",
		"Reviewer=metadata:w"}},
	{kept: true, lang: "en", header: []string{"Request=question:q", "Resolution=reference:a", "Date closed=metadata:t"}},
	{kept: true, lang: "en", header: []string{"Area=theme:c", "Sub-area=tag:d", "Question=question:q", "Answer=reference:a",
		"Answer source=metadata:f"}},
	{kept: true, lang: "en", header: []string{"Ref=question_id:i", "Enquiry=question:q", "Official response=reference:a",
		"Comment=metadata:r"}},
	{kept: true, lang: "en", above: []string{"", "Acme helpdesk", "Exported 2026-11-01", ""},
		header: []string{"Conversation ID=question_id:i", "Customer text=question:q", "Expected=reference:a", "Tags=tags:c"}},
	{kept: true, lang: "en", header: []string{"Golden question=question:q", "Golden answer=reference:a", "Golden context=evidence:e"}},
	{kept: true, lang: "ja", header: []string{"№=question_id:n", "ユーザー質問=question:q", "理想的な回答=reference:a", "参照ページ=metadata:p"}},
	{lang: "ja", above: []string{"社内規程チャットボット 評価用質問一覧（2026年度版）", ""},
		header: []string{"No.=question_id:n", "分類=category:c", "重要度=tag:d", "質問=question:q", "模範解答=reference:a", "参照文書=metadata:f",
			"根拠となる記載=evidence:e", "備考=metadata:r"}},
	{lang: "ja", header: []string{"質問=question:q", "正解=reference:a", "根拠の記載内容=evidence:e"}},
	{lang: "ja", header: []string{"質問=question:q", "正解=reference:a", "該当する記載=evidence:e"}},
	{lang: "ja", header: []string{"質問=question:q", "正解=reference:a", "マニュアルの記載内容=evidence:e"}},
	{lang: "ja", header: []string{"質問=question:q", "正解=reference:a", "根拠となる条文=evidence:e", "マニュアル記載=answerable:y"}},

	{kept: true, lang: "ja", header: []string{"ケース番号=question_id:n", "ユーザーの発話=question:q", "ボット回答=metadata:s", "望ましい回答=reference:a",
		"合否=metadata:v"}},
	{kept: true, lang: "ja", above: []string{"FAQ一覧（2026年度版）"},
		header: []string{"区分=tag:c", "ご質問=question:q", "ご回答=reference:a", "関連資料=metadata:f"}},
	{kept: true, lang: "ja", header: []string{"問=question:q", "答=reference:a"}},
	{kept: true, lang: "ja", header: []string{"整理番号=question_id:i", "相談内容=question:q", "対応内容=reference:a", "受付日時=metadata:t",
		"担当者=metadata:w"}},
	{kept: true, lang: "ja", header: []string{"大項目=category:c", "小項目=tag:d", "検証用質問=question:q", "正答=reference:a", "根拠文書=metadata:f",
		"根拠記述=evidence:e"}},
	{kept: true, lang: "ja", header: []string{"テスト質問=question:q", "期待回答=reference:a", "優先度=tag:d", "実施者=metadata:w", "結果=metadata:v"}},
	{kept: true, lang: "ja", header: []string{"質問ID=question_id:i", "質問種別=tag:c", "質問文=question:q", "正解文=reference:a", "出典URL=metadata:u"}},
	{kept: true, lang: "ja", header: []string{"試験問題=question:q", "模範回答=reference:a", "出題範囲=tag:c", "採点基準=metadata:r"}},
	{kept: true, lang: "ja", header: []string{"お客様の声=question:q", "公式回答=reference:a", "製品名=tag:c"}},
	{kept: true, lang: "ja", header: []string{"検索クエリ=question:q", "ゴールド回答=reference:a", "ゴールド文書=metadata:f"}},
	{kept: true, lang: "ja", header: []string{"件名=theme:c", "問合せ本文=question:q", "返信内容=reference:a", "ステータス=metadata:v"}},
	{kept: true, lang: "ja", header: []string{"章=metadata:p", "確認したいこと=question:q", "マニュアル上の答え=reference:a"}},
	{kept: true, lang: "ja", header: []string{"シナリオ=question:q", "正解回答=reference:a", "現行回答=metadata:s", "改善点=metadata:r"}},
	{kept: true, lang: "ja", above: []string{"【社外秘】評価データ", "作成：品質保証課", ""},
		header: []string{"連番=question_id:n", "分類=category:c", "質問事項=question:q", "回答案=reference:a", "記載有無=answerable:y",
			"特記事項=metadata:r"}},
}

const sheetManual = "The warranty lasts 24 months from delivery. Opened items can be returned within 14 days. Express shipping costs 9 euros.\n" +
	"保証期間はお届けから2年間です。開封後も14日以内であれば返品できます。送料は全国一律で660円です。"

// cellOf is what a column of this kind holds in row i of 4.
func cellOf(lang, kind string, i int) string {
	en := map[string][]string{
		"q": {"How long is the warranty?", "Can I return an opened item?", "what does express shipping cost", "Do you ship to Iceland?"},
		"a": {"24 months from delivery.", "Yes, within 14 days after it arrived.", "It costs 9 euros for each parcel.", "N/A"},
		"s": {"The warranty is two years long.", "No, that is not possible.", "Shipping is always free here.", "Yes we do, for a fee."},
		"e": {"The warranty lasts 24 months from delivery.", "Opened items can be returned within 14 days.",
			"Express shipping costs 9 euros.", ""},
		"Q": {"保証期間は何年ですか。", "開封後の返品はできますか？", "送料を教えてください。", "海外に送れますか。"},
		"A": {"2年間です。", "はい、14日以内なら返品できます。", "660円です。", "記載なし"},
		"c": {"Returns", "Returns", "Shipping", "Shipping"}, "d": {"high", "low", "low", "medium"},
		"r": {"", "asked often in spring", "", "check again"},
		"w": {"J. D.", "M. K.", "J. D.", "M. K."},
	}
	ja := map[string][]string{
		"q": en["Q"], "a": en["A"], "Q": en["q"], "A": en["a"],
		"s": {"保証は1年間となっています。", "返品はできません。", "送料は無料です。", "海外にも発送しています。"},
		"e": {"保証期間はお届けから2年間です。", "開封後も14日以内であれば返品できます。", "送料は全国一律で660円です。", ""},
		"c": {"返品", "返品", "配送", "配送"}, "d": {"高", "低", "低", "中"}, "r": {"", "春に多い問い合わせ", "", "再確認"},
		"w": {"品質課", "業務課", "品質課", "業務課"},
	}
	both := map[string][]string{
		"n": {"1", "2", "3", "4"}, "i": {"T-001", "T-002", "T-003", "T-004"},
		"u": {"https://example.org/a", "https://example.org/b", "", "https://example.org/c"},
		"f": {"manual.pdf", "manual.pdf", "shipping.docx", ""}, "p": {"p. 12", "p. 13", "p. 2", ""},
		"t": {"2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"},
		"v": {"OK", "NG", "OK", "OK"}, "y": {"○", "○", "○", "×"},
	}
	if v, ok := both[kind]; ok {
		return v[i]
	}
	if lang == "ja" {
		return ja[kind][i]
	}
	return en[kind][i]
}

// TestHeaderRows reads every sheet as a workbook: the header row is found, every column is what it should be, and nothing that a cell
// holds is lost.
func TestHeaderRows(t *testing.T) {
	t.Parallel()
	right, all := map[string]int{}, map[string]int{}
	corpus := rag.NewCorpus("shop", []rag.Document{{ID: "rules.md", Title: "Rules of the shop", Text: sheetManual}})
	for n, c := range sheetCases {
		half := fmt.Sprintf("%s, built on", c.lang)
		if c.kept {
			half = fmt.Sprintf("%s, kept back", c.lang)
		}
		all[half]++
		if diff, lost := readSheetCase(t, c, corpus); diff != "" || lost != "" {
			t.Errorf("sheet %d (%s): %s: %s%s", n+1, half, strings.Join(c.header, " | "), diff, lost)
			continue
		}
		right[half]++
	}
	for half, n := range all {
		t.Logf("%s: %d of %d header rows read right", half, right[half], n)
	}
}

func readSheetCase(t *testing.T, c sheetCase, corpus *rag.Corpus) (diff, lost string) {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	row := 0
	add := func(cells []any) {
		row++
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", row), &cells); err != nil {
			t.Fatal(err)
		}
	}
	for _, title := range c.above {
		add([]any{title})
	}
	var names, fields, kinds []string
	var header []any
	for _, h := range c.header {
		name, rest, _ := strings.Cut(h, "=")
		field, kind, _ := strings.Cut(rest, ":")
		names, fields, kinds, header = append(names, name), append(fields, field), append(kinds, kind), append(header, name)
	}
	add(header)
	for i := range 4 {
		var cells []any
		for _, kind := range kinds {
			cells = append(cells, cellOf(c.lang, kind, i))
		}
		add(cells)
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	d, report, err := readDataset(b.Bytes(), "sheet.xlsx", "sheet", corpus, ReadOptions{})
	if err != nil {
		return err.Error(), ""
	}
	var got, want []string
	for i, use := range report.Columns {
		got = append(got, use.Source+"="+use.Field)
		if i < len(names) {
			want = append(want, names[i]+"="+fields[i])
		}
	}
	return cmp.Diff(want, got), lostCells(d, report, kinds, c.lang)
}

// lostCells names a cell that neither the questions nor the notes hold.
func lostCells(d *experiments.Dataset, report ReadReport, kinds []string, lang string) string {
	for i := range 4 {
		q := d.Questions[i]
		holds := fmt.Sprint(q.ID, q.Text, q.Reference, q.References, q.Tags, q.ExpectedURLs, q.Metadata, report.Notes)
		for _, e := range q.Evidence {
			holds += e.Quote
		}
		for _, kind := range kinds {
			cell := cellOf(lang, kind, i)
			if kind == "y" || cell == "N/A" || cell == "記載なし" { // read as whether it can be answered
				if (i == 3) == q.Answerable {
					return fmt.Sprintf("question %d: answerable %v", i+1, q.Answerable)
				}
				continue
			}
			if !strings.Contains(holds, cell) {
				return fmt.Sprintf("the cell %q of question %d is lost", cell, i+1)
			}
		}
	}
	return ""
}

// TestDocumentsAreNamedAsPeopleNameThem: with or without the number of the chapter, spaces and the beginning of the file name.
func TestDocumentsAreNamedAsPeopleNameThem(t *testing.T) {
	t.Parallel()
	c := rag.NewCorpus("c", []rag.Document{{ID: "book/sect.remote-login.html", Title: "9.2. Remote Login", Text: "a"},
		{ID: "sect.ftp.html", Title: "11.3. FTP ファイルサーバ", Text: "b"}})
	for name, want := range map[string]string{
		"remote-login": "book/sect.remote-login.html", "Remote login": "book/sect.remote-login.html",
		"9.2. Remote Login, page 3": "book/sect.remote-login.html", "FTPファイルサーバ": "sect.ftp.html", "sect.ftp.html": "sect.ftp.html",
		"login": "", "サーバ": "", "": "",
	} {
		if got := documentNamed(c, name); got != want {
			t.Errorf("%q names %q, want %q", name, got, want)
		}
	}
}

// TestHeadersInTwoLinesOfDifferentLength: either line may end before the other.
func TestHeadersInTwoLinesOfDifferentLength(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ above, below, want []string }{
		{[]string{"question", "answer", ""}, []string{"", "text"}, []string{"question", "answer text", "answer"}},
		{[]string{"question"}, []string{"text", "id", ""}, []string{"question text", "question id", "question"}},
		{nil, []string{"question"}, []string{"question"}},
	} {
		if diff := cmp.Diff(c.want, joined(c.above, c.below)); diff != "" {
			t.Errorf("%q over %q (-want +got):\n%s", c.above, c.below, diff)
		}
	}
}
