package reports

import (
	"encoding/xml"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// node is an XML element with its children in order.
type node struct {
	XMLName  xml.Name
	Val      string `xml:"val,attr"`
	Text     string `xml:",chardata"`
	Children []node `xml:",any"`
}

func (n node) find(name string) []node {
	var out []node
	for _, c := range n.Children {
		if c.XMLName.Local == name {
			out = append(out, c)
		}
		out = append(out, c.find(name)...)
	}
	return out
}

// text is all that is written in an element.
func (n node) text() string {
	out := n.Text
	for _, c := range n.Children {
		out += c.text()
	}
	return out
}

func chartParts(t *testing.T, r Report) []node {
	t.Helper()
	files := parts(t, write(t, r))
	var out []node
	for i := 1; ; i++ {
		body, ok := files["xl/charts/chart"+strconv.Itoa(i)+".xml"]
		if !ok {
			return out
		}
		var n node
		if err := xml.Unmarshal([]byte(body), &n); err != nil {
			t.Fatal(err)
		}
		out = append(out, n)
	}
}

// The order of elements in CT_BubbleChart, CT_BarChart, CT_BubbleSer, CT_BarSer, CT_ValAx, CT_CatAx, CT_Legend and CT_Title of the
// chart schema.
var (
	bubbleSeries = []string{"idx", "order", "tx", "spPr", "invertIfNegative", "dPt", "dLbls", "trendline", "errBars", "xVal", "yVal",
		"bubbleSize", "bubble3D"}
	barSeries = []string{"idx", "order", "tx", "spPr", "invertIfNegative", "pictureOptions", "dPt", "dLbls", "trendline", "errBars",
		"cat", "val", "shape"}
	schema = map[string][]string{
		"bubbleChart": {"varyColors", "ser", "dLbls", "bubble3D", "bubbleScale", "showNegBubbles", "sizeRepresents", "axId"},
		"barChart":    {"barDir", "grouping", "varyColors", "ser", "dLbls", "gapWidth", "overlap", "serLines", "axId"},
		"valAx": {
			"axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines", "title", "numFmt", "majorTickMark", "minorTickMark",
			"tickLblPos", "spPr", "txPr", "crossAx", "crosses", "crossesAt", "crossBetween", "majorUnit", "minorUnit", "dispUnits",
		},
		"catAx": {
			"axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines", "title", "numFmt", "majorTickMark", "minorTickMark",
			"tickLblPos", "spPr", "txPr", "crossAx", "crosses", "crossesAt", "auto", "lblAlgn", "lblOffset", "tickLblSkip", "tickMarkSkip",
			"noMultiLvlLbl",
		},
		"legend": {"legendPos", "legendEntry", "layout", "overlay", "spPr", "txPr"},
		"title":  {"tx", "layout", "overlay", "spPr", "txPr"},
	}
)

func TestChartsFollowTheSchema(t *testing.T) {
	t.Parallel()
	for _, r := range []Report{analysed(sample("en")), alone("ja")} {
		for i, chart := range chartParts(t, r) {
			orders := map[string][]string{"ser": bubbleSeries}
			if len(chart.find("barChart")) > 0 {
				orders["ser"] = barSeries
			}
			for name, order := range schema {
				orders[name] = order
			}
			for name, order := range orders {
				for _, n := range chart.find(name) {
					inOrder(t, i, n, order)
				}
			}
			for _, name := range []string{"ser", "title", "valAx"} {
				if len(chart.find(name)) == 0 {
					t.Errorf("chart %d has no %s", i, name)
				}
			}
		}
	}
}

func inOrder(t *testing.T, chart int, n node, order []string) {
	t.Helper()
	last := -1
	for _, c := range n.Children {
		at := slices.Index(order, c.XMLName.Local)
		if at < last {
			t.Errorf("chart %d: %s holds %s out of place", chart, n.XMLName.Local, c.XMLName.Local)
		}
		last = at
	}
}

// bubbleCharts leaves out the bars.
func bubbleCharts(t *testing.T, r Report) []node {
	t.Helper()
	return slices.DeleteFunc(chartParts(t, r), func(n node) bool { return len(n.find("bubbleChart")) == 0 })
}

func TestBarsStandInTheOrderOfTheirTable(t *testing.T) {
	t.Parallel()
	bars := slices.DeleteFunc(chartParts(t, analysed(sample("en"))), func(n node) bool { return len(n.find("barChart")) == 0 })
	if len(bars) != 6 { // two of causes, four of questions
		t.Fatalf("%d bar charts, want 6", len(bars))
	}
	for i, chart := range bars {
		if got := chart.find("catAx")[0].find("orientation")[0].Val; got != "maxMin" {
			t.Errorf("chart %d begins at the bottom: %s", i, got)
		}
		if got := chart.find("barDir")[0].Val; got != "bar" {
			t.Errorf("chart %d has bars of direction %s", i, got)
		}
	}
}

// TestBarsShowTheirWholeNames: no name of a bar is cut, however long, in the workbook and on the page.
func TestBarsShowTheirWholeNames(t *testing.T) {
	t.Parallel()
	for lang, name := range map[string]string{"en": causes.GenerationUnsure.Word("en"), "ja": causes.GenerationUnsure.Word("ja")} {
		r := analysed(sample(lang))
		r.Causes.Counts = append(r.Causes.Counts, causes.CauseCount{Component: causes.GenerationUnsure, Data: causes.GenerationData,
			Count: 101, Questions: []string{"q01"}, Stands: map[causes.Standing]int{causes.StandsUnknown: 101}})
		squeezed := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
		var names strings.Builder
		for _, m := range regexp.MustCompile(`<text class="name"[^>]*>([^<]*)</text>`).FindAllStringSubmatch(page(t, r), -1) {
			names.WriteString(html.UnescapeString(m[1]))
		}
		book := open(t, r)
		var cells strings.Builder
		for _, row := range rowsOf(t, book, wording.Catalogues()[lang].Say("sheet.causes")) {
			if len(row) > dataColumn-1 {
				cells.WriteString(row[dataColumn-1])
			}
		}
		for where, text := range map[string]string{"page": names.String(), "workbook": cells.String()} {
			if !strings.Contains(strings.ToLower(squeezed(text)), strings.ToLower(squeezed(name))) || strings.Contains(text, "…") {
				t.Errorf("%s, %s: %q is cut: %q", lang, where, name, text)
			}
		}
	}
}

// TestCaveatsStandAboveWhatTheyQualify on the sheets of causes and of questions.
func TestCaveatsStandAboveWhatTheyQualify(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		r := analysed(sample(lang))
		r.Candidate.Run.Setup.Offline, r.Causes.Offline, r.Questions.Offline = true, true, true
		words := wording.Catalogues()[lang]
		book := open(t, r)
		for sheet, want := range map[string][2]string{
			"sheet.causes": {findings.OfflineJudge(lang), r.Causes.Summary.In(lang)},
			"sheet.labels": {words.Say("badge.offline_labels"), words.Say("labels.note", "n", len(r.Questions.Questions))},
		} {
			caveat, result := -1, -1
			for i, row := range rowsOf(t, book, words.Say(sheet)) {
				if text := strings.Join(row, ""); strings.Contains(text, want[0]) {
					caveat = i
				} else if strings.Contains(text, want[1]) && result < 0 {
					result = i
				}
			}
			if caveat < 0 || result < caveat {
				t.Errorf("%s, %s: the caveat in row %d, the result in row %d", lang, sheet, caveat, result)
			}
		}
	}
}

// TestOpenCausesAreDrawnPale: in the workbook they are a series of their own, in the page their bars are pale; both come last.
func TestOpenCausesAreDrawnPale(t *testing.T) {
	t.Parallel()
	r := analysed(sample("en"))
	r.Causes.Counts = append(r.Causes.Counts, causes.CauseCount{Component: causes.GenerationUnsure, Data: causes.GenerationData, Count: 101,
		Questions: []string{"q01"}, Stands: map[causes.Standing]int{causes.StandsUnknown: 101}})
	looked := 0
	for i, chart := range chartParts(t, r) {
		series := chart.find("ser")
		if len(chart.find("barChart")) == 0 {
			continue
		}
		if title := chart.find("title")[0].text(); strings.Contains(title, "part to change") || strings.Contains(title, "the step that") {
			looked++
			if len(series) != 2 || series[1].find("alpha")[0].Val >= series[0].find("alpha")[0].Val {
				t.Errorf("chart %d, %q: %d series", i, title, len(series))
			}
		}
	}
	if looked != 2 {
		t.Errorf("%d charts of causes, want 2", looked)
	}
	bars := regexp.MustCompile(`<rect class="(low[ a-z]*)"`).FindAllStringSubmatch(page(t, r), -1)
	n := len(r.Causes.Counts)
	for i, b := range bars[:n] {
		if (b[1] == "low open") != (i == n-1) {
			t.Errorf("bar %d of %d is %q", i, n, b[1])
		}
	}
}

func TestBubbleCharts(t *testing.T) {
	t.Parallel()
	if n := len(bubbleCharts(t, alone("en"))); n != 1 {
		t.Errorf("%d charts without a baseline, want 1", n)
	}
	pair := bubbleCharts(t, sample("en"))
	if len(pair) != 2 {
		t.Fatalf("%d charts with a baseline, want 2", len(pair))
	}
	for i, title := range []string{"Before – low score: correctness or trust ≤ 2", "After – low score: correctness or trust ≤ 2"} {
		if got := pair[i].find("title")[0].find("t")[0].Text; got != title {
			t.Errorf("title is %q, want %q", got, title)
		}
		for _, axis := range pair[i].find("valAx") {
			got := []string{axis.find("min")[0].Val, axis.find("max")[0].Val, axis.find("majorUnit")[0].Val}
			if diff := cmp.Diff([]string{"0", "6", "1"}, got); diff != "" {
				t.Errorf("axis (-want +got):\n%s", diff)
			}
			if got := axis.find("txPr")[0].find("srgbClr")[0].Val; got != spreadsheet.Ink {
				t.Errorf("tick labels are %s", got)
			}
		}
		for j, colour := range []string{spreadsheet.BubbleLow, spreadsheet.BubbleRest} {
			fill := pair[i].find("ser")[j].find("srgbClr")[0]
			if fill.Val != colour || fill.find("alpha")[0].Val != "60000" {
				t.Errorf("series %d is filled with %s, alpha %s", j, fill.Val, fill.find("alpha")[0].Val)
			}
		}
	}
	// The largest bubble stands for 4 answers before and 7 after: the first chart holds an unseen one of 7.
	before := pair[0].find("ser")
	if len(before) != 3 || len(before[2].find("noFill")) != 1 || len(pair[0].find("legendEntry")) != 1 || len(pair[1].find("ser")) != 2 {
		t.Errorf("%d series before with %d hidden legend entries, %d after", len(before), len(pair[0].find("legendEntry")),
			len(pair[1].find("ser")))
	}
}

func TestBubblesAndTableCountTheSameAnswers(t *testing.T) {
	t.Parallel()
	f := open(t, alone("en"))
	chart := bubbleCharts(t, alone("en"))[0]
	total := 0
	for _, ser := range chart.find("ser") {
		x, y, n := numbers(t, f, ser, "xVal"), numbers(t, f, ser, "yVal"), numbers(t, f, ser, "bubbleSize")
		name := cellAt(t, f, ser.find("tx")[0].find("f")[0].Text)
		for i := range n {
			if low := x[i] <= 2 || y[i] <= 2; low != (name == "Low-score answers (red)") {
				t.Errorf("bubble at %v, %v is in %q", x[i], y[i], name)
			}
			total += int(n[i])
		}
	}
	if total != 14 {
		t.Errorf("bubbles count %d answers, want 14", total)
	}
	rows := rowsOf(t, f, "Distribution")
	top := slices.IndexFunc(rows, func(r []string) bool { return slices.Contains(r, "Trust ↓\nCorrectness →") })
	first := slices.Index(rows[top], "Trust ↓\nCorrectness →")
	inTable := 0
	for _, row := range rows[top+1 : top+1+steps] {
		for _, s := range row[first+1 : first+1+steps] {
			n, err := strconv.Atoi(s)
			if err != nil {
				t.Fatalf("count %q: %v", s, err)
			}
			inTable += n
		}
	}
	if inTable != total {
		t.Errorf("the table counts %d answers, the bubbles %d", inTable, total)
	}
}

var area = regexp.MustCompile(`^'Distribution'!\$([A-Z]+)\$(\d+)(?::\$[A-Z]+\$(\d+))?$`)

func cellAt(t *testing.T, f *excelize.File, ref string) string {
	t.Helper()
	m := area.FindStringSubmatch(ref)
	v, err := f.GetCellValue("Distribution", m[1]+m[2])
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// numbers reads the numbers that a series refers to.
func numbers(t *testing.T, f *excelize.File, ser node, name string) []float64 {
	t.Helper()
	m := area.FindStringSubmatch(strings.TrimSpace(ser.find(name)[0].find("f")[0].Text))
	from, _ := strconv.Atoi(m[2])
	to, _ := strconv.Atoi(m[3])
	var out []float64
	for row := from; row <= to; row++ {
		s, _ := f.GetCellValue("Distribution", m[1]+strconv.Itoa(row))
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%s%d: %v", m[1], row, err)
		}
		out = append(out, v)
	}
	return out
}

func TestRepairNeedsAChartItKnows(t *testing.T) {
	t.Parallel()
	if _, err := spreadsheet.Repaired([]byte("<chartSpace></chartSpace>"), -1); err == nil {
		t.Error("an unknown chart was repaired in silence")
	}
}

// TestAReportHasChartsThatWereDrawnBesideIt: a sheet each in both languages, behind all others but the lists, and the report's own
// charts stay whole.
func TestAReportHasChartsThatWereDrawnBesideIt(t *testing.T) {
	t.Parallel()
	plan, err := charts.New(charts.Table{Columns: []charts.Column{{Name: "theme"}, {Name: "n"}}, Rows: [][]any{{"a", 3.0}, {"b", 5.0}}},
		charts.Spec{Mark: charts.Bar, X: charts.Channel{Field: "theme"}, Y: charts.Channel{Field: "n"}})
	if err != nil {
		t.Fatal(err)
	}
	r := sample("both")
	without := open(t, r)
	r.Charts = []spreadsheet.NamedPlan{{Name: "by_theme", Plan: plan}}
	f := open(t, r)
	list := f.GetSheetList()
	if n := len(list); list[n-3] != "Chart by_theme" || list[n-2] != "図 by_theme" || n != len(without.GetSheetList())+2 {
		t.Errorf("%v", list)
	}
	for _, sheet := range []string{"Chart by_theme", "図 by_theme"} {
		if v, err := f.GetCellValue(sheet, "B6"); err != nil || v != "5" {
			t.Errorf("%s: %q %v", sheet, v, err)
		}
	}
	charted := func(f *excelize.File) (n int) {
		f.Pkg.Range(func(name, _ any) bool {
			if strings.HasPrefix(name.(string), "xl/charts/chart") {
				n++
			}
			return true
		})
		return n
	}
	if charted(f) != charted(without)+2 {
		t.Errorf("%d charts, %d without", charted(f), charted(without))
	}
}

// TestBarsOfChangesThatBreakMore stand below zero, as on the page: a change after which three more answers are low was a bar of none.
func TestBarsOfChangesThatBreakMore(t *testing.T) {
	t.Parallel()
	r := analysed(sample("en"))
	change := func(to int) []causes.Repair { return []causes.Repair{{Param: "retrieve.k", From: 4, To: to}} }
	r.Causes.Curve = []causes.RepairPoint{{Cost: 1.5, Repaired: 4, Changes: change(6), Tried: true},
		{Cost: 2, Repaired: -3, Changes: change(8), Tried: true, Harms: true}}
	book, found := open(t, r), false
	for _, row := range rowsOf(t, book, wording.Catalogues()["en"].Say("sheet.causes")) {
		if len(row) > dataColumn && strings.HasPrefix(row[dataColumn-1], "×2.0") {
			found = true
			if row[dataColumn] != "" || row[dataColumn+1] != "-3" {
				t.Errorf("the change that breaks three more has bars of %q and %q", row[dataColumn], row[dataColumn+1])
			}
		}
	}
	if !found {
		t.Error("the chart does not name the change")
	}
}

// TestBarsAndTableOfChangesHaveOneOrder: the bars say by how many answers fewer, in green; what the table tells comes first and in its
// order, with the same net number; and what only one of the two shows is said.
func TestBarsAndTableOfChangesHaveOneOrder(t *testing.T) {
	t.Parallel()
	r := analysed(sample("en"))
	k := func(to int) causes.Repair {
		return causes.Repair{Component: causes.Retriever, Param: "retrieve.k", From: 4, To: to}
	}
	o := causes.RepairOutcome{TriedLow: 10, LowBefore: 10, Repaired: make([]string, 5), Broken: make([]string, 2), LowAfter: 7, Cost: 2}
	first := causes.Recommendation{Repair: k(8), LowScores: 10, Outcome: &o}
	r.Causes.Recommendations = append([]causes.Recommendation{first}, r.Causes.Recommendations[1:]...)
	r.Causes.Curve = []causes.RepairPoint{{Cost: 1.5, Repaired: 1, Changes: []causes.Repair{k(6)}, Tried: true},
		{Cost: 2, Repaired: 3, Changes: []causes.Repair{k(8)}, Tried: true, Recommended: true}}
	file := open(t, r)
	rows := rowsOf(t, file, "Causes")
	var bars []string
	for _, row := range rows {
		if len(row) > dataColumn && strings.Contains(row[dataColumn-1], "×") {
			bars = append(bars, strings.Fields(row[dataColumn-1])[0]+" "+row[dataColumn])
		}
	}
	if want := []string{"★ 3", "×1.5 1"}; !slices.Equal(bars, want) {
		t.Errorf("bars %q, not %q", bars, want)
	}
	for _, text := range []string{"Changes to consider, the first choice first", "5 of 10 tried\nin all 3 fewer", "Fewer low-score answers",
		"Of the 2 configurations in the chart, the last 1 is not in this table: it is not recommended. " +
			"Work by people, such as on the documents, has no bar."} {
		if !holds(rows, text) {
			t.Errorf("the sheet lacks %q", text)
		}
	}
	green := 0
	for _, part := range chartParts(t, r) {
		if strings.Contains(part.text(), "How many low-score answers fewer in all") {
			for _, fill := range part.find("srgbClr") {
				switch fill.Val {
				case spreadsheet.BubbleLow:
					t.Error("what improves is drawn as bad")
				case spreadsheet.BubbleRest:
					green++
				}
			}
		}
	}
	if green == 0 {
		t.Error("no bar is green")
	}
}

// TestNoNumberStandsOnAName: the parts of a stacked bar that are not there have no number, which would cover the bar's name.
func TestNoNumberStandsOnAName(t *testing.T) {
	t.Parallel()
	files, stacked := parts(t, write(t, analysed(sample("en")))), 0
	for name, body := range files {
		if !strings.HasPrefix(name, "xl/charts/chart") || !strings.Contains(body, `<barDir val="bar"`) {
			continue
		}
		if strings.Contains(body, `<grouping val="stacked"`) {
			stacked++
			if !strings.Contains(body, `formatCode="`+stackedLabels+`"`) {
				t.Errorf("%s shows numbers of nothing", name)
			}
		}
	}
	if stacked == 0 {
		t.Fatal("no stacked bars")
	}
}

// TestWhatIsSaidOfCausesStandsUnderWhy: where there is no cause to list, what stands under its heading is why, and not what is said of low
// scores; in the workbook, too, and once.
func TestWhatIsSaidOfCausesStandsUnderWhy(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		r := fromFile(sample(lang))
		f, err := r.content()
		if err != nil {
			t.Fatal(err)
		}
		o := f.overviewText().overview(findings.HTML)
		if len(o.why) > 0 || o.whyHow == "" || o.whyHow == f.noLow() {
			t.Fatalf("%s: %+v, %q", lang, o.why, o.whyHow)
		}
		all := html.UnescapeString(page(t, r))
		_, under, found := strings.Cut(all, "<h2>"+f.words.Say("section.why")+"</h2>")
		if !found || !strings.HasPrefix(under, "<p>"+o.whyHow+"</p></section>\n</div>\n<section") {
			t.Errorf("%s: the page says %.300q", lang, under)
		}
		book := open(t, r)
		rows, told := rowsOf(t, book, book.GetSheetName(0)), 0
		for i, row := range rows {
			if at := slices.Index(row, f.words.Say("section.why")); at >= 0 && i+1 < len(rows) {
				if next := rows[i+1]; at >= len(next) || next[at] != notRunMark+o.whyHow || next[0] != f.noLow() {
					t.Errorf("%s: below the headings stands %q", lang, next)
				}
			}
			told += strings.Count(strings.Join(row, " "), o.whyHow)
		}
		if told != 1 {
			t.Errorf("%s: the workbook says %q %d times", lang, o.whyHow, told)
		}
	}
}

// TestHowSureIsInWordsThatAreExplained: the column of the low-score answers says it in words that the page of terms explains, and in no
// others.
func TestHowSureIsInWordsThatAreExplained(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		r := analysed(sample(lang))
		f, err := r.content()
		if err != nil {
			t.Fatal(err)
		}
		for id, d := range f.causes {
			word := f.certainty(id)
			if want := findings.Certainty(d.Standing()).Word(lang); word != want || !strings.Contains(f.words.Say("term.certainty"), word) {
				t.Errorf("%s, %s: %q, want %q", lang, id, word, want)
			}
		}
		if len(f.causes) == 0 {
			t.Fatal("no causes")
		}
	}
}
