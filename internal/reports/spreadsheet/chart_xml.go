package spreadsheet

import (
	"fmt"
	"regexp"

	"github.com/rag-workbench/workbench/internal/text"
)

// AxisUnit is the distance of the ticks of a bubble chart, one for each score.
const AxisUnit = 1

// repairs put the XML of a bubble chart in the order that its schema asks for. The workbook writer shares one type between
// all kinds of charts: it writes the bubble scale first, takes the horizontal axis for one of categories (without its unit),
// its values for texts, and adds elements that a bubble chart does not have. Spreadsheets differ in what they forgive.
var repairs = []struct {
	what    string
	pattern *text.Pattern
	with    string
}{
	{"bubble scale", text.Lazy(`(?s)(<bubbleChart>)(<bubbleScale val="\d+"></bubbleScale>)(.*?)(<axId )`),
		`$1$3$2<showNegBubbles val="0"></showNegBubbles>$4`},
	{"series labels", text.Lazy(`(?s)<dLbls><spPr>.*?</dLbls>(<invertIfNegative )`), `$1`},
	{"smooth", text.Lazy(`<smooth val="\d"></smooth>`), ``},
	{"values of the horizontal axis", text.Lazy(`<xVal><strRef>(.*?)</strRef></xVal>`), `<xVal><numRef>$1</numRef></xVal>`},
	{
		"horizontal axis", text.Lazy(`<auto val="\d"></auto>.*?</valAx>`),
		fmt.Sprintf(`<crossBetween val="midCat"></crossBetween><majorUnit val="%d"></majorUnit></valAx>`, AxisUnit),
	},
	{"titles", text.Lazy(`<txPr><a:bodyPr [^>]*></a:bodyPr><a:p></a:p></txPr></title>`), `</title>`},
}

// barRepairs do the same for a bar chart: labels come after the sign of negatives, lines alone are smooth, and the categories of
// horizontal bars stand on the left.
var barRepairs = []struct {
	what    string
	pattern *text.Pattern
	with    string
}{
	{"series labels", text.Lazy(`(?s)(<dLbls>(?:<numFmt [^>]*></numFmt>)?<spPr>.*?</dLbls>)(<invertIfNegative val="\d"></invertIfNegative>)`), `$2$1`},
	{"smooth", text.Lazy(`<smooth val="\d"></smooth>`), ``},
	{"titles", text.Lazy(`<txPr><a:bodyPr [^>]*></a:bodyPr><a:p></a:p></txPr></title>`), `</title>`},
	{"category axis", text.Lazy(`(<catAx>.*?<axPos val=")\w(")`), `${1}l$2`},
}

// RepairedBars returns the bar chart with every repair made.
func RepairedBars(chart []byte) ([]byte, error) {
	for _, r := range barRepairs {
		if !r.pattern.Match(chart) {
			return nil, fmt.Errorf("chart has no %s where the workbook writer used to put it", r.what)
		}
		chart = r.pattern.ReplaceAll(chart, []byte(r.with))
	}
	return chart, nil
}

// Repaired returns the chart with every repair made. hide is the series that the legend leaves out; -1 for none.
func Repaired(chart []byte, hide int) ([]byte, error) {
	for _, r := range repairs {
		if !r.pattern.Match(chart) {
			return nil, fmt.Errorf("chart has no %s where the workbook writer used to put it", r.what)
		}
		chart = r.pattern.ReplaceAll(chart, []byte(r.with))
	}
	if hide >= 0 {
		legend := regexp.MustCompile(`(<legendPos [^>]*></legendPos>)`)
		entry := fmt.Sprintf(`$1<legendEntry><idx val="%d"></idx><delete val="1"></delete></legendEntry>`, hide)
		chart = legend.ReplaceAll(chart, []byte(entry))
	}
	return chart, nil
}
