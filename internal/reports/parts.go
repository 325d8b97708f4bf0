package reports

// The parts of a report that have words or a form of their own. Each works on the content of the one report.
type (
	// causeText is what is said of causes, and of what to do about them.
	causeText struct{ *content }
	// overviewText is the first page in words, which workbook, page and summary share.
	overviewText struct{ *content }
	// htmlPage is the report as one page that prints.
	htmlPage struct{ *content }
	// markdownPage is the report as a short summary in Markdown.
	markdownPage struct{ *content }
	// summarySheet is the first sheet of the workbook.
	summarySheet struct{ *canvas }
)

func (f *content) causeText() causeText       { return causeText{f} }
func (f *content) overviewText() overviewText { return overviewText{f} }
func (f *content) htmlPage() htmlPage         { return htmlPage{f} }
func (f *content) markdownPage() markdownPage { return markdownPage{f} }
func (c *canvas) summarySheet() summarySheet  { return summarySheet{c} }
