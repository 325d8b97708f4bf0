package reports

import (
	"fmt"
	"regexp"
)

// repairs put the XML of a bubble chart in the order that its schema asks for. The workbook writer shares one type between
// all kinds of charts: it writes the bubble scale first, takes the horizontal axis for one of categories (without its unit),
// its values for texts, and adds elements that a bubble chart does not have. Spreadsheets differ in what they forgive.
var repairs = []struct {
	what    string
	pattern *regexp.Regexp
	with    string
}{
	{"bubble scale", regexp.MustCompile(`(?s)(<bubbleChart>)(<bubbleScale val="\d+"></bubbleScale>)(.*?)(<axId )`), `$1$3$2<showNegBubbles val="0"></showNegBubbles>$4`},
	{"series labels", regexp.MustCompile(`(?s)<dLbls><spPr>.*?</dLbls>(<invertIfNegative )`), `$1`},
	{"smooth", regexp.MustCompile(`<smooth val="\d"></smooth>`), ``},
	{"values of the horizontal axis", regexp.MustCompile(`<xVal><strRef>(.*?)</strRef></xVal>`), `<xVal><numRef>$1</numRef></xVal>`},
	{
		"horizontal axis", regexp.MustCompile(`<auto val="\d"></auto>.*?</valAx>`),
		fmt.Sprintf(`<crossBetween val="midCat"></crossBetween><majorUnit val="%d"></majorUnit></valAx>`, axisUnit),
	},
	{"titles", regexp.MustCompile(`<txPr><a:bodyPr [^>]*></a:bodyPr><a:p></a:p></txPr></title>`), `</title>`},
}

// repaired returns the chart with every repair made. hide is the series that the legend leaves out; -1 for none.
func repaired(chart []byte, hide int) ([]byte, error) {
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
