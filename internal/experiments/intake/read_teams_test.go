package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// teamSheet is a question sheet as a team writes it, with what its author means.
type teamSheet struct {
	name string
	tabs []teamTab // more than one, or one with a name, make a workbook; one without is a .csv
	bare bool      // no documents are given
	want []string  // the questions, as [saidQuestion] writes them
	told []string  // what the notes have to name
}

// teamTab is a tab: its name, and rows of cells with ¦ between.
type teamTab struct {
	name string
	rows []string
}

func ofTab(name string, rows ...string) teamTab { return teamTab{name, rows} }

// teamCorpus are the documents that [teamSheets] speak of. One sentence stands in two documents of each language.
func teamCorpus() *rag.Corpus {
	return rag.NewCorpus("team", []rag.Document{
		{ID: "就業規則.docx", Title: "就業規則", Text: "就業規則\n\n第4条（始業）\n始業時刻は午前9時とする。\n\n" +
			"第5条（休暇）\n年次有給休暇は入社6か月後に10日付与する。\n\n" +
			"第6条（届出）\n届出は所属長の承認を受けるものとする。\n\n第7条（定義）\n" +
			"「会員」とは共済会に加入した者をいう。\n"},
		{ID: "旅費規程.docx", Title: "旅費規程", Text: "旅費規程\n\n第3条\n日当は3,000円とする。\n\n第5条\n" +
			"精算は帰任後10日以内に行う。\n\n" +
			"第6条\n届出は所属長の承認を受けるものとする。\n"},
		{ID: "manual.pdf", Title: "Product manual",
			Text: "Product manual\n\n1 Restart\nHold the power button for five seconds to restart the device.\n\n" +
				"2 Power\nThe battery lasts ten hours.\n\n3 Help\nContact support if the light stays red.\n"},
		{ID: "shipping_faq.md", Title: "Shipping FAQ",
			Text: "Shipping FAQ\n\nOrders ship within two business days.\n\nReturns are free within 30 days.\n\n" +
				"Contact support if the light stays red.\n"},
	})
}

// saidQuestion is "text = right answer ~ other answer « document: evidence #tag", with ∅ where the documents hold no answer.
func saidQuestion(q experiments.Question) string {
	var b strings.Builder
	b.WriteString(q.Text + " = " + strings.ReplaceAll(q.Reference, "\n", "⏎"))
	if !q.Answerable {
		b.WriteString("∅")
	}
	for _, r := range q.References {
		b.WriteString(" ~ " + r)
	}
	for _, e := range q.Evidence {
		fmt.Fprintf(&b, " « %s: %s", e.DocID, e.Quote)
	}
	for _, t := range q.Tags {
		b.WriteString(" #" + t)
	}
	return b.String()
}

const (
	start9   = " « 就業規則.docx: 始業時刻は午前9時とする。"
	leave10  = " « 就業規則.docx: 年次有給休暇は入社6か月後に10日付与する。"
	perDiem  = " « 旅費規程.docx: 日当は3,000円とする。"
	settle   = " « 旅費規程.docx: 精算は帰任後10日以内に行う。"
	approval = "届出は所属長の承認を受けるものとする。"
	restart  = " « manual.pdf: Hold the power button for five seconds to restart the device."
	battery  = " « manual.pdf: The battery lasts ten hours."
	redLight = "Contact support if the light stays red."
	ships    = " « shipping_faq.md: Orders ship within two business days."
)

var teamSheets = []teamSheet{
	// Evidence that names its document.
	{name: "file, page and quote in brackets", tabs: []teamTab{ofTab("", "質問¦正解¦根拠",
		"始業は何時？¦9時です¦就業規則.docx p.2「始業時刻は午前9時とする。」",
		"日当は？¦3,000円です¦旅費規程.docx p.1 「日当は3,000円とする。」")},
		want: []string{"始業は何時？ = 9時です" + start9, "日当は？ = 3,000円です" + perDiem}},
	{name: "file, article and a colon", tabs: []teamTab{ofTab("", "質問¦正解¦根拠箇所",
		"休暇は何日？¦10日です¦就業規則.docx 第5条：年次有給休暇は入社6か月後に10日付与する。",
		"精算の期限は？¦10日以内です¦旅費規程.docx　第5条：精算は帰任後10日以内に行う。")},
		want: []string{"休暇は何日？ = 10日です" + leave10, "精算の期限は？ = 10日以内です" + settle}},
	{name: "the named document decides between two places", tabs: []teamTab{ofTab("", "No¦質問¦正解¦根拠（原文）",
		"1¦出張の届出は？¦所属長の承認を受けます¦旅費規程 第6条「"+approval+"」",
		"2¦休暇の届出は？¦所属長の承認を受けます¦『就業規則』第6条："+approval)},
		want: []string{"出張の届出は？ = 所属長の承認を受けます « 旅費規程.docx: " + approval,
			"休暇の届出は？ = 所属長の承認を受けます « 就業規則.docx: " + approval}},
	{name: "English page and quotation marks", tabs: []teamTab{ofTab("", "Question¦Expected answer¦Evidence",
		`How do I restart it?¦Hold power for five seconds¦manual.pdf, p. 1: "Hold the power button for five seconds to restart the device."`,
		"How long does the battery last?¦Ten hours¦manual.pdf (page 2) – “The battery lasts ten hours.”",
		`When do orders ship?¦Within two business days¦See Shipping FAQ: "Orders ship within two business days."`)},
		want: []string{"How do I restart it? = Hold power for five seconds" + restart,
			"How long does the battery last? = Ten hours" + battery,
			"When do orders ship? = Within two business days" + ships}},
	{name: "the source after the quote", tabs: []teamTab{ofTab("", "Question¦Answer¦Supporting text",
		`The light stays red?¦Contact support¦"`+redLight+`" (manual.pdf, section 3)`,
		"Red light after delivery?¦Contact support¦"+redLight+" [shipping_faq.md]",
		"How long does the battery last?¦Ten hours¦The battery lasts ten hours. — manual.pdf p.2")},
		want: []string{"The light stays red? = Contact support « manual.pdf: " + redLight,
			"Red light after delivery? = Contact support « shipping_faq.md: " + redLight,
			"How long does the battery last? = Ten hours" + battery}},
	{name: "the source after a Japanese quote", tabs: []teamTab{ofTab("", "質問¦回答¦根拠",
		"出張の届出は？¦所属長の承認を受けます¦「"+approval+"」（旅費規程 第6条）",
		"始業は？¦9時¦始業時刻は午前9時とする。（就業規則.docx 第4条）")},
		want: []string{"出張の届出は？ = 所属長の承認を受けます « 旅費規程.docx: " + approval, "始業は？ = 9時" + start9}},
	{name: "two sources in one cell", tabs: []teamTab{ofTab("", "質問¦正解¦根拠",
		"始業と日当は？¦9時、3,000円¦・就業規則.docx p.1「始業時刻は午前9時とする。」\n"+
			"・旅費規程.docx p.1「日当は3,000円とする。」",
		"休暇と精算は？¦10日、10日以内¦就業規則.docx「年次有給休暇は入社6か月後に10日付与する。」／"+
			"旅費規程.docx「精算は帰任後10日以内に行う。」")},
		want: []string{"始業と日当は？ = 9時、3,000円" + start9 + perDiem, "休暇と精算は？ = 10日、10日以内" + leave10 + settle}},
	{name: "labelled lines", tabs: []teamTab{ofTab("", "質問¦正解¦根拠",
		"日当は？¦3,000円¦出典：旅費規程.docx 第3条\n引用：日当は3,000円とする。",
		"始業は？¦9時¦【出典】就業規則.docx\n【該当箇所】始業時刻は午前9時とする。")},
		want: []string{"日当は？ = 3,000円" + perDiem, "始業は？ = 9時" + start9}},
	{name: "only a place, no quote", tabs: []teamTab{ofTab("", "質問¦正解¦根拠",
		"日当は？¦3,000円¦旅費規程.docx 第3条", "始業は？¦9時¦就業規則.docx p.2",
		"休暇は？¦10日¦年次有給休暇は入社6か月後に10日付与する。")},
		want: []string{"日当は？ = 3,000円", "始業は？ = 9時", "休暇は？ = 10日" + leave10}, told: []string{"line 2", "line 3"}},
	{name: "a quote that the named document does not hold", tabs: []teamTab{ofTab("", "Question¦Answer¦Evidence",
		`When do orders ship?¦Two days¦manual.pdf p.4: "Orders ship within two business days."`,
		`Battery?¦Ten hours¦manual.pdf p.2: "The battery lasts ten hours."`)},
		want: []string{"When do orders ship? = Two days", "Battery? = Ten hours" + battery}, told: []string{"line 2"}},
	{name: "an unknown document", tabs: []teamTab{ofTab("", "質問¦正解¦根拠",
		"日当は？¦3,000円¦旅費規程_v2.pdf p.1「日当は3,000円とする。」",
		"始業は？¦9時¦就業規則.docx「始業時刻は午前9時とする。」")},
		want: []string{"日当は？ = 3,000円" + perDiem, "始業は？ = 9時" + start9}, told: []string{"旅費規程_v2.pdf", "line 2"}},
	{name: "brackets that are the text's own", tabs: []teamTab{ofTab("", "質問¦正解¦根拠",
		"会員とは？¦共済会に加入した者¦「会員」とは共済会に加入した者をいう。",
		"会員の定義は？¦共済会に加入した者¦就業規則 第7条：「会員」とは共済会に加入した者をいう。")},
		want: []string{"会員とは？ = 共済会に加入した者 « 就業規則.docx: 「会員」とは共済会に加入した者をいう。",
			"会員の定義は？ = 共済会に加入した者 « 就業規則.docx: 「会員」とは共済会に加入した者をいう。"}},
	{name: "mixed evidence without documents", bare: true, tabs: []teamTab{ofTab("", "質問¦正解¦根拠",
		"日当は？¦3,000円¦旅費規程.docx p.1「日当は3,000円とする。」")}, want: []string{"日当は？ = 3,000円"},
		told: []string{"no documents were given"}},

	// Several tabs.
	{name: "a tab for each department", tabs: []teamTab{
		ofTab("人事部", "No¦質問¦正解", "1¦始業は？¦9時", "2¦休暇は？¦10日"), ofTab("経理部", "No¦質問¦正解",
			"1¦日当は？¦3,000円", "2¦精算は？¦10日以内"),
		ofTab("総務部", "No¦質問¦正解", "1¦窓口は？¦1階")},
		want: []string{"始業は？ = 9時 #theme:人事部", "休暇は？ = 10日 #theme:人事部", "日当は？ = 3,000円 #theme:経理部",
			"精算は？ = 10日以内 #theme:経理部",
			"窓口は？ = 1階 #theme:総務部"}, told: []string{"人事部", "経理部", "総務部"}},
	{name: "a tab for each month, with a cover", tabs: []teamTab{ofTab("表紙", "FAQ評価シート", "作成：総務部"),
		ofTab("4月", "質問¦正解¦カテゴリ", "始業は？¦9時¦勤怠"), ofTab("5月", "質問¦正解¦カテゴリ",
			"日当は？¦3,000円¦旅費", "精算は？¦10日以内¦旅費")},
		want: []string{"始業は？ = 9時 #category:勤怠", "日当は？ = 3,000円 #category:旅費", "精算は？ = 10日以内 #category:旅費"},
		told: []string{"4月", "5月"}},
	{name: "English teams, columns in another order", tabs: []teamTab{
		ofTab("Support", "ID¦Question¦Expected answer¦Owner", "S1¦Battery?¦Ten hours¦CS"),
		ofTab("Logistics", "ID¦Owner¦Question¦Expected answer¦Comment", "L1¦Ops¦When do orders ship?¦Two days¦check")},
		want: []string{"Battery? = Ten hours #theme:Support", "When do orders ship? = Two days #theme:Logistics"},
		told: []string{"Support", "Logistics"}},
	{name: "an example tab and a tab of results beside", tabs: []teamTab{
		ofTab("記入例", "質問¦正解", "（例）会議室は？¦3階"), ofTab("営業", "質問¦正解", "日当は？¦3,000円",
			"精算は？¦10日以内"), ofTab("開発", "質問¦正解", "始業は？¦9時"),
		ofTab("結果", "質問¦正解¦システム回答¦判定", "日当は？¦3,000円¦3,000円です¦○")},
		want: []string{"日当は？ = 3,000円 #theme:営業", "精算は？ = 10日以内 #theme:営業", "始業は？ = 9時 #theme:開発"},
		told: []string{"記入例", "結果"}},
	{name: "a copy of an older version", tabs: []teamTab{
		ofTab("v2", "質問¦正解", "日当は？¦3,000円", "精算は？¦10日以内", "始業は？¦9時"), ofTab("v1", "質問¦正解",
			"日当は？¦2,500円", "精算は？¦10日以内")},
		want: []string{"日当は？ = 3,000円", "精算は？ = 10日以内", "始業は？ = 9時"}, told: []string{"v1"}},
	{name: "heads that do not agree", tabs: []teamTab{
		ofTab("FAQ", "質問¦正解", "日当は？¦3,000円", "精算は？¦10日以内"), ofTab("問い合わせ",
			"受付日¦お客様の声¦対応", "2026/4/1¦届かないのですが？¦再送した")},
		want: []string{"日当は？ = 3,000円", "精算は？ = 10日以内"}, told: []string{"問い合わせ"}},
	{name: "tabs with a theme of their own", tabs: []teamTab{
		ofTab("Q1", "Topic¦Question¦Answer", "Power¦Battery?¦Ten hours"), ofTab("Q2", "Topic¦Question¦Answer",
			"Orders¦When do orders ship?¦Two days")},
		want: []string{"Battery? = Ten hours #theme:Power", "When do orders ship? = Two days #theme:Orders"}, told: []string{"Q1", "Q2"}},
	{name: "a title above each head", tabs: []teamTab{
		ofTab("東京", "東京支店 質問一覧¦¦", "", "番号¦質問¦模範解答", "1¦日当は？¦3,000円"), ofTab("大阪",
			"大阪支店 質問一覧¦¦", "", "番号¦質問¦模範解答", "1¦始業は？¦9時",
			"2¦休暇は？¦10日")},
		want: []string{"日当は？ = 3,000円 #theme:東京", "始業は？ = 9時 #theme:大阪", "休暇は？ = 10日 #theme:大阪"},
		told: []string{"東京", "大阪"}},
	{name: "a tab hidden among its like", tabs: []teamTab{ofTab("営業", "質問¦正解", "日当は？¦3,000円"), ofTab("製造", "質問¦正解",
		"始業は？¦9時"),
		ofTab("#廃止", "質問¦正解", "社宅は？¦10年まで")},
		want: []string{"日当は？ = 3,000円 #theme:営業", "始業は？ = 9時 #theme:製造"}, told: []string{"廃止"}},

	// Out of scope.
	{name: "対象外 as right answer", tabs: []teamTab{ofTab("", "質問¦正解", "日当は？¦3,000円", "株価は？¦対象外",
		"天気は？¦対象外（資料に記載なし）", "為替は？¦回答対象外")},
		want: []string{"日当は？ = 3,000円", "株価は？ = ∅", "天気は？ = ∅", "為替は？ = ∅"}, told: []string{"line 3", "line 4", "line 5"}},
	{name: "out of scope as right answer", tabs: []teamTab{ofTab("", "Question¦Expected answer", "Battery?¦Ten hours",
		"Who won the match?¦Out of scope", "Share price?¦N/A - not covered by the documents", "Weather?¦OOS")},
		want: []string{"Battery? = Ten hours", "Who won the match? = ∅", "Share price? = ∅", "Weather? = ∅"}, told: []string{"line 3",
			"line 4", "line 5"}},
	{name: "a column says which rows are tested", tabs: []teamTab{ofTab("", "質問¦正解¦評価対象", "日当は？¦3,000円¦○",
		"精算は？¦10日以内¦対象外",
		"始業は？¦9時¦○")},
		want: []string{"日当は？ = 3,000円", "始業は？ = 9時"}, told: []string{"line 3"}},
	{name: "include in test", tabs: []teamTab{ofTab("", "Question¦Answer¦Include in test?", "Battery?¦Ten hours¦Yes",
		"Ships?¦Two days¦No", "Restart?¦Hold power¦yes")},
		want: []string{"Battery? = Ten hours", "Restart? = Hold power"}, told: []string{"line 3"}},
	{name: "a status column", tabs: []teamTab{ofTab("", "No¦質問¦正解¦ステータス", "1¦日当は？¦3,000円¦確定",
		"2¦精算は？¦10日以内¦対象外", "3¦株価は？¦¦回答不可",
		"4¦始業は？¦9時¦確認中")},
		want: []string{"日当は？ = 3,000円", "株価は？ = ∅", "始業は？ = 9時"}, told: []string{"line 3", "line 4"}},
	{name: "English status", tabs: []teamTab{ofTab("", "Question¦Answer¦Status", "Battery?¦Ten hours¦Ready",
		"Ships?¦Two days¦Out of scope", "Old price?¦10 EUR¦Excluded", "Restart?¦Hold power¦Ready")},
		want: []string{"Battery? = Ten hours", "Restart? = Hold power"}, told: []string{"line 3", "line 4"}},
	{name: "answerable column with words", tabs: []teamTab{ofTab("", "質問¦正解¦回答可否", "日当は？¦3,000円¦可",
		"株価は？¦担当部署へ案内¦対象外", "始業は？¦9時¦可")},
		want: []string{"日当は？ = 3,000円", "株価は？ = 担当部署へ案内∅", "始業は？ = 9時"}, told: []string{}},
	{name: "the kind of question", tabs: []teamTab{ofTab("", "質問¦期待回答¦質問種別", "日当は？¦3,000円¦事実確認",
		"株価は？¦分かりかねる旨を回答¦回答不可", "始業は？¦9時¦事実確認",
		"天気は？¦分かりかねる旨を回答¦範囲外")},
		want: []string{"日当は？ = 3,000円 #", "株価は？ = 分かりかねる旨を回答∅ #", "始業は？ = 9時 #",
			"天気は？ = 分かりかねる旨を回答∅ #"}, told: []string{"line 3",
			"line 5"}},
	{name: "N/A is only a remark", tabs: []teamTab{ofTab("", "Question¦Answer¦Comment¦Page", "Battery?¦Ten hours¦N/A¦2",
		"Ships?¦Two days¦¦N/A")},
		want: []string{"Battery? = Ten hours", "Ships? = Two days"}},

	// Several right answers.
	{name: "a column of accepted answers", tabs: []teamTab{ofTab("", "質問¦正解（いずれか）", "日当は？¦3,000円／三千円",
		"始業は？¦9時\n午前9時\n9:00")},
		want: []string{"日当は？ = 3,000円 ~ 三千円", "始業は？ = 9時 ~ 午前9時 ~ 9:00"}},
	{name: "accepted answers in English", tabs: []teamTab{ofTab("", "Question¦Accepted answers", "Battery?¦Ten hours; 10 h; 10 hours",
		"Ships?¦1) Two business days\n2) Within 2 days")},
		want: []string{"Battery? = Ten hours ~ 10 h ~ 10 hours", "Ships? = Two business days ~ Within 2 days"}},
	{name: "別解 in the cell", tabs: []teamTab{ofTab("", "質問¦正解", "日当は？¦3,000円（「三千円」も可）",
		"始業は？¦午前9時\n別解：9:00", "休暇は？¦10日です")},
		want: []string{"日当は？ = 3,000円 ~ 三千円", "始業は？ = 午前9時 ~ 9:00", "休暇は？ = 10日です"}},
	{name: "or in doubt", tabs: []teamTab{ofTab("", "質問¦正解", "申請方法は？¦郵送または窓口",
		"日当は？¦3,000円 または 三千円", "休暇は？¦10日です")},
		want: []string{"申請方法は？ = 郵送または窓口", "日当は？ = 3,000円 または 三千円", "休暇は？ = 10日です"},
		told: []string{"line 2", "line 3"}},
	{name: "slash in doubt", tabs: []teamTab{ofTab("", "Question¦Answer", "Who helps?¦Support / your dealer",
		"Battery?¦Ten hours / 10 h", "Ships?¦and/or within 24/7")},
		want: []string{"Who helps? = Support / your dealer", "Battery? = Ten hours / 10 h", "Ships? = and/or within 24/7"},
		told: []string{"line 2", "line 3"}},
	{name: "required points", tabs: []teamTab{ofTab("", "質問¦正解（必須ポイント）",
		"手順は？¦①申請書を書く\n②所属長の承認を受ける\n③総務へ出す", "日当は？¦・3,000円\n・実費は別")},
		want: []string{"手順は？ = ①申請書を書く⏎②所属長の承認を受ける⏎③総務へ出す",
			"日当は？ = ・3,000円⏎・実費は別"}},
	{name: "numbered steps are no alternatives", tabs: []teamTab{ofTab("", "Question¦Answer",
		"How do I restart it?¦1. Hold the power button\n2. Wait for five seconds", "Battery?¦Ten hours")},
		want: []string{"How do I restart it? = 1. Hold the power button⏎2. Wait for five seconds", "Battery? = Ten hours"}},
	{name: "one of the following", tabs: []teamTab{ofTab("", "質問¦正解",
		"連絡先は？¦次のいずれかで正解：\n①総務部\n②総務部庶務係",
		"必要な物は？¦次のすべて：\n①申請書\n②領収書")},
		want: []string{"連絡先は？ = 総務部 ~ 総務部庶務係", "必要な物は？ = 次のすべて：⏎①申請書⏎②領収書"}},
}

// file is the sheet as bytes. A tab whose name begins with # is hidden.
func (s teamSheet) file(t *testing.T) (string, []byte) {
	t.Helper()
	if len(s.tabs) == 1 && s.tabs[0].name == "" {
		var b strings.Builder
		for _, row := range s.tabs[0].rows {
			for i, cell := range strings.Split(row, "¦") {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
			}
			b.WriteByte('\n')
		}
		return "q.csv", []byte(b.String())
	}
	var sheets [][][]any
	for _, tab := range s.tabs {
		var rows [][]any
		for _, row := range tab.rows {
			var cells []any
			for cell := range strings.SplitSeq(row, "¦") {
				if cell == "" {
					cells = append(cells, nil)
				} else {
					cells = append(cells, cell)
				}
			}
			rows = append(rows, cells)
		}
		sheets = append(sheets, rows)
	}
	return "q.xlsx", []byte(edited(t, workbook(t, sheets...), func(f *excelize.File) error {
		for i, tab := range s.tabs {
			name := strings.TrimPrefix(tab.name, "#")
			if err := f.SetSheetName(f.GetSheetName(i), name); err != nil {
				return err
			}
			if name != tab.name {
				if err := f.SetSheetVisible(name, false); err != nil {
					return err
				}
			}
		}
		return nil
	}))
}

// wrong is how the reading differs from what the author means; "" when it does not.
func (s teamSheet) wrong(t *testing.T) string {
	t.Helper()
	corpus := teamCorpus()
	if s.bare {
		corpus = nil
	}
	file, raw := s.file(t)
	d, report, err := readDataset(raw, file, "team", corpus, ReadOptions{})
	if err != nil {
		return err.Error()
	}
	return s.differs(d.Questions, strings.Join(text.InEnglish(report.Notes), "\n"))
}

// differs is how questions and notes differ from what the author means.
func (s teamSheet) differs(read []experiments.Question, notes string) string {
	var got []string
	for _, q := range read {
		got = append(got, saidQuestion(q))
	}
	var b strings.Builder
	if len(got) != len(s.want) {
		fmt.Fprintf(&b, "%d questions, want %d: %q\n", len(got), len(s.want), got)
	}
	for i := range min(len(got), len(s.want)) {
		g, w := got[i], s.want[i]
		if w, any := strings.CutSuffix(w, " #"); any { // whatever tags there are
			if g, _, _ = strings.Cut(g, " #"); g == w {
				continue
			}
		}
		if g != w {
			fmt.Fprintf(&b, "read  %s\nmeant %s\n", g, w)
		}
	}
	for _, told := range s.told {
		if !strings.Contains(notes, told) {
			fmt.Fprintf(&b, "no note says %q\n", told)
		}
	}
	if b.Len() > 0 {
		b.WriteString("notes: " + notes)
	}
	return b.String()
}

// teamSheetsRight is how many of [teamSheets] are read as meant.
const teamSheetsRight = 39

// TestSheetsOfTeams: what their authors mean is what is read, and what was left out or cannot be told apart is named.
func TestSheetsOfTeams(t *testing.T) {
	t.Parallel()
	var right int
	for _, s := range teamSheets {
		if wrong := s.wrong(t); wrong != "" {
			t.Logf("%s: %s", s.name, wrong)
		} else {
			right++
		}
	}
	if right != teamSheetsRight {
		t.Errorf("%d of %d sheets are read as meant, want %d", right, len(teamSheets), teamSheetsRight)
	}
}
