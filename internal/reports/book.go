package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/text"
)

// book builds a workbook in the language of its content. Its first error is kept and everything after it does nothing, so that
// layout code stays legible.
type book struct {
	*content
	*spreadsheet.Workbook
}

// writeWorkbook writes a report; most is how many rows a sheet may have, 0 for what spreadsheets hold.
func writeWorkbook(w io.Writer, f *content, most int) (err error) {
	b := &book{f, spreadsheet.NewWorkbook(f.words.Say("font"), most)}
	defer func() {
		if e := b.File.Close(); err == nil {
			err = e
		}
	}()
	b.Keep(b.File.SetDefaultFont(b.Font))
	b.properties()
	var pages []func()
	for _, lang := range wording.Single(b.Lang) {
		own := &book{b.in(lang), b.Workbook}
		b.add(own.sheetName("sheet.summary"), own.summary, &pages)
	}
	if b.squared() {
		b.add(b.sheetName("sheet.chart"), b.distribution, &pages)
	}
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
	for _, s := range spreadsheet.PlanSheets(b.Charts, b.Lang) {
		b.add(s.Sheet, func() { b.Keep(s.Write(b.File)) }, &pages)
	}
	b.add(b.sheetName("sheet.lists"), b.listSheet, &pages)
	for _, page := range pages {
		page()
	}
	if b.Err != nil {
		return fmt.Errorf("build workbook: %w", b.Err)
	}
	b.SortContentTypes()
	return b.Write(w)
}

// add makes a sheet and remembers how it is filled. Sheets are all there before the first is filled: they link to each other.
func (b *book) add(sheet string, fill func(), pages *[]func()) {
	if len(*pages) == 0 {
		b.Keep(b.File.SetSheetName("Sheet1", sheet)) // the file starts with it
	} else {
		_, err := b.File.NewSheet(sheet)
		b.Keep(err)
	}
	*pages = append(*pages, fill)
}

func (b *book) properties() {
	p := &excelize.DocProperties{Creator: "RAG Workbench", LastModifiedBy: "RAG Workbench", Title: spreadsheet.Clean(b.reportTitle()),
		Language: wording.Single(b.Lang)[0]}
	if !b.GeneratedAt.IsZero() {
		p.Created = b.GeneratedAt.UTC().Format(time.RFC3339)
		p.Modified = p.Created
	}
	b.Keep(b.File.SetDocProps(p))
}

// value makes data fit for a cell and tells how it must look.
func (b *book) value(v any, l spreadsheet.Look) (any, spreadsheet.Look) {
	if n, ok := v.(float64); ok && !finite(n) {
		v, l.Format = b.words.Say("word.none"), "" // a spreadsheet has no such number
	}
	s, ok := v.(string)
	if !ok {
		return v, l
	}
	s = spreadsheet.Fit(spreadsheet.Clean(s), b.words.Say("word.cut"))
	if spreadsheet.Risky(s) {
		l.Guard = true
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
	b.Keep(b.File.SetPageLayout(sheet, layout))
	b.Keep(b.File.SetSheetProps(sheet, &excelize.SheetPropsOptions{FitToPage: new(true)}))
	b.Keep(b.File.SetPageMargins(sheet, &excelize.PageLayoutMarginsOptions{
		Left: new(0.4), Right: new(0.4), Top: new(0.6), Bottom: new(0.5), Header: new(0.25), Footer: new(0.25), Horizontally: new(p.whole),
	}))
	// An ampersand starts a code in a header, and a header holds 255 characters.
	title := strings.ReplaceAll(text.Cut(strings.ReplaceAll(spreadsheet.Clean(b.reportTitle()), "\n", " "), 80), "&", "&&")
	b.Keep(b.File.SetHeaderFooter(sheet, &excelize.HeaderFooterOptions{
		OddHeader: "&L" + title + "&R&A", OddFooter: "&C" + b.words.Say("footer"),
	}))
	if p.headerRows > 0 {
		b.Keep(b.File.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Titles", RefersTo: fmt.Sprintf("'%s'!$1:$%d", sheet, p.headerRows), Scope: sheet,
		}))
	}
	if p.columns > 0 {
		b.Keep(b.File.SetDefinedName(&excelize.DefinedName{
			Name: "_xlnm.Print_Area", RefersTo: fmt.Sprintf("'%s'!$A$1:$%s$%d", sheet, spreadsheet.ColumnName(p.columns),
				p.rows), Scope: sheet,
		}))
	}
	b.Keep(b.File.SetSheetView(sheet, 0, &excelize.ViewOptions{ShowGridLines: new(false)}))
}

// lineHeight is the height of one line of text in points. Japanese fonts stand taller.
func (b *book) lineHeight() float64 {
	if b.Lang == "en" {
		return 13.5
	}
	return 16.5
}
