package reports

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// Colours of the workbook. The red is dark and the green bluish, so that colour-blind readers can tell them apart.
const (
	ink        = "1F2937"
	faded      = "6B7280"
	navy       = "1F3864"
	rule       = "BFC7D5"
	panel      = "F3F6FB"
	white      = "FFFFFF"
	amber      = "FFF2CC"
	entry      = "FFFDF2" // cells that people fill in
	amberInk   = "5C4400"
	lowFill    = "FBE0D6"
	lowInk     = "8A2B06"
	goodFill   = "DCF1EA"
	goodInk    = "0B5341"
	bubbleLow  = "C0190F"
	bubbleRest = "14A37F"
)

// look is how a cell looks. Equal looks are one style of the workbook.
type look struct {
	bold, italic, link bool
	size               float64 // points; 0 is 10
	color, fill        string
	format             string // custom number format
	wrap, middle       bool   // middle: vertically centred; otherwise at the top
	align              string // "", "center", "right"
	box, under         bool   // thin border all round; thick line below
	guard              bool   // text that would be a formula if typed: keep it text when edited
}

// book builds a workbook in the language of its content. Its first error is kept and everything after it does nothing, so that
// layout code stays legible.
type book struct {
	*content
	*workbook
}

// workbook is what the pages of all languages share.
type workbook struct {
	file   *excelize.File
	styles map[look]int
	rules  map[string]int // conditional styles by colour
	font   string
	spools []*spool
	drawn  int // charts so far
	most   int // rows of a sheet; 0 is what spreadsheets hold
	err    error
}

// writeWorkbook writes a report; most is how many rows a sheet may have, 0 for what spreadsheets hold.
func writeWorkbook(w io.Writer, f *content, most int) (err error) {
	b := &book{f, &workbook{file: excelize.NewFile(), styles: map[look]int{}, rules: map[string]int{}, font: f.words.say("font"),
		most: most}}
	defer func() {
		if e := b.file.Close(); err == nil {
			err = e
		}
	}()
	b.file.SetZipWriter(func(w io.Writer) excelize.ZipWriter { return &archive{out: w, spools: b.spools} })
	b.keep(b.file.SetDefaultFont(b.font))
	b.properties()
	var pages []func()
	for _, lang := range single(b.Lang) {
		own := &book{b.in(lang), b.workbook}
		b.add(own.sheetName("sheet.summary"), own.summary, &pages)
	}
	b.add(b.sheetName("sheet.chart"), b.distribution, &pages)
	low := b.lowRows()
	rowOf, lowOf := placesOf(b.after.rows), placesOf(low)
	b.addParts("sheet.low", len(low), func(p sheetPart) { b.lowSheet(p, low, rowOf) }, &pages)
	b.addParts("sheet.worse", len(b.worseChanges()), func(p sheetPart) { b.worseSheet(p, rowOf) }, &pages)
	b.add(b.sheetName("sheet.causes"), b.causeSheet, &pages)
	b.add(b.sheetName("sheet.labels"), b.labelSheet, &pages)
	b.addParts("sheet.questions", len(b.after.rows), func(p sheetPart) { b.questionSheet(p, lowOf) }, &pages)
	b.add(b.sheetName("sheet.metrics"), b.metricSheet, &pages)
	if b.Sweep != nil {
		b.add(b.sheetName("sheet.sweep"), b.sweepSheet, &pages)
	}
	b.add(b.sheetName("sheet.agreement"), b.agreementSheet, &pages)
	b.add(b.sheetName("sheet.config"), b.configSheet, &pages)
	b.add(b.sheetName("sheet.method"), b.methodSheet, &pages)
	for _, s := range planSheets(b.Charts, b.Lang) {
		b.add(s.sheet, func() { b.keep(s.write(b.file)) }, &pages)
	}
	b.add(b.sheetName("sheet.lists"), b.listSheet, &pages)
	for _, page := range pages {
		page()
	}
	if b.err != nil {
		return fmt.Errorf("build workbook: %w", b.err)
	}
	b.sortContentTypes()
	return b.file.Write(w)
}

// add makes a sheet and remembers how it is filled. Sheets are all there before the first is filled: they link to each other.
func (b *book) add(sheet string, fill func(), pages *[]func()) {
	if len(*pages) == 0 {
		b.keep(b.file.SetSheetName("Sheet1", sheet)) // the file starts with it
	} else {
		_, err := b.file.NewSheet(sheet)
		b.keep(err)
	}
	*pages = append(*pages, fill)
}

// sortContentTypes puts the list of file endings in order. The workbook writer adds those of images with the first chart, in
// random order.
func (b *book) sortContentTypes() {
	if b.file.ContentTypes == nil {
		return
	}
	list := b.file.ContentTypes.Defaults
	sort.Slice(list, func(i, j int) bool { return list[i].Extension < list[j].Extension })
}

func (b *workbook) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *book) properties() {
	p := &excelize.DocProperties{Creator: "RAG Workbench", LastModifiedBy: "RAG Workbench", Title: clean(b.reportTitle()),
		Language: single(b.Lang)[0]}
	if !b.GeneratedAt.IsZero() {
		p.Created = b.GeneratedAt.UTC().Format(time.RFC3339)
		p.Modified = p.Created
	}
	b.keep(b.file.SetDocProps(p))
}

// style returns the id of a look.
func (b *workbook) style(l look) int {
	if id, ok := b.styles[l]; ok || b.err != nil {
		return id
	}
	s := &excelize.Style{
		Font:      &excelize.Font{Family: b.font, Size: 10, Color: ink, Bold: l.bold, Italic: l.italic},
		Alignment: &excelize.Alignment{WrapText: l.wrap, Horizontal: l.align, Vertical: "top"},
	}
	if l.size > 0 {
		s.Font.Size = l.size
	}
	if l.color != "" {
		s.Font.Color = l.color
	}
	if l.link {
		s.Font.Color, s.Font.Underline = "1D4ED8", "single"
	}
	if l.fill != "" {
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{l.fill}}
	}
	if l.box && l.align == "" {
		s.Alignment.Horizontal, s.Alignment.Indent = "left", 1
	}
	if l.middle {
		s.Alignment.Vertical = "center"
	}
	if l.box {
		for _, edge := range []string{"left", "top", "right", "bottom"} {
			s.Border = append(s.Border, excelize.Border{Type: edge, Color: rule, Style: 1})
		}
	}
	if l.under {
		s.Border = append(s.Border, excelize.Border{Type: "bottom", Color: navy, Style: 2})
	}
	format := l.format // not the field: taking its address would put every look on the heap, cached or not
	if l.guard {
		format = "@"
	}
	if format != "" {
		s.CustomNumFmt = &format
	}
	id, err := b.file.NewStyle(s)
	b.keep(err)
	if l.guard && err == nil {
		b.file.Styles.CellXfs.Xf[id].QuotePrefix = new(true)
	}
	b.styles[l] = id
	return id
}

// emphasis returns the id of the conditional style with these colours.
func (b *workbook) emphasis(ink, fill string) int {
	if id, ok := b.rules[ink+fill]; ok || b.err != nil {
		return id
	}
	id, err := b.file.NewConditionalStyle(&excelize.Style{
		Font: &excelize.Font{Bold: true, Color: ink}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fill}},
	})
	b.keep(err)
	b.rules[ink+fill] = id
	return id
}

// value makes data fit for a cell and tells how it must look.
func (b *book) value(v any, l look) (any, look) {
	if n, ok := v.(float64); ok && !finite(n) {
		v, l.format = b.words.say("word.none"), "" // a spreadsheet has no such number
	}
	s, ok := v.(string)
	if !ok {
		return v, l
	}
	s = fit(clean(s), b.words.say("word.cut"))
	if risky(s) {
		l.guard = true
	}
	return s, l
}

// paper is how a sheet is printed.
type paper struct {
	portrait   bool
	whole      bool // the whole sheet on one page
	headerRows int  // repeated on each page
	columns    int  // printed; 0 for all
	rows       int  // printed, with columns
}

// page sets a sheet up for printing: A4, as wide as the paper, header rows on each page, page numbers.
func (b *book) page(sheet string, p paper) {
	layout := &excelize.PageLayoutOptions{Size: new(9), Orientation: new("landscape"), FitToWidth: new(1), FitToHeight: new(0)}
	if p.portrait {
		layout.Orientation = new("portrait")
	}
	if p.whole {
		layout.FitToHeight = new(1)
	}
	b.keep(b.file.SetPageLayout(sheet, layout))
	b.keep(b.file.SetSheetProps(sheet, &excelize.SheetPropsOptions{FitToPage: new(true)}))
	b.keep(b.file.SetPageMargins(sheet, &excelize.PageLayoutMarginsOptions{
		Left: new(0.4), Right: new(0.4), Top: new(0.6), Bottom: new(0.5), Header: new(0.25), Footer: new(0.25), Horizontally: new(p.whole),
	}))
	// An ampersand starts a code in a header, and a header holds 255 characters.
	title := strings.ReplaceAll(shorten(strings.ReplaceAll(clean(b.reportTitle()), "\n", " "), 80), "&", "&&")
	b.keep(b.file.SetHeaderFooter(sheet, &excelize.HeaderFooterOptions{
		OddHeader: "&L" + title + "&R&A", OddFooter: "&C" + b.words.say("footer"),
	}))
	if p.headerRows > 0 {
		b.keep(b.file.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Titles", RefersTo: fmt.Sprintf("'%s'!$1:$%d", sheet, p.headerRows), Scope: sheet,
		}))
	}
	if p.columns > 0 {
		b.keep(b.file.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Area", RefersTo: fmt.Sprintf("'%s'!$A$1:$%s$%d", sheet, columnName(p.columns), p.rows), Scope: sheet,
		}))
	}
	b.keep(b.file.SetSheetView(sheet, 0, &excelize.ViewOptions{ShowGridLines: new(false)}))
}

// lineHeight is the height of one line of text in points. Japanese fonts stand taller.
func (b *book) lineHeight() float64 {
	if b.Lang == "en" {
		return 13.5
	}
	return 16.5
}

func columnName(col int) string {
	name := cellName(col, 1)
	return name[:len(name)-1]
}

// cellName is the address of a cell, columns and rows counted from 1.
func cellName(col, row int) string {
	name, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		panic(err) // our own layout is wrong: never decided by data
	}
	return name
}
