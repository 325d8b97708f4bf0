// Package spreadsheet writes files that people open in a spreadsheet, and knows nothing of what stands in them: tables as xlsx, CSV or
// JSONL ([Table]), charts with their rows ([WriteCharts]), and what a workbook of many sheets is made of ([Workbook]): looks, spooled
// rows, addresses, and texts that stay texts. The same content gives the same bytes.
package spreadsheet

import (
	"fmt"
	"io"
	"sort"

	"github.com/xuri/excelize/v2"
)

// Colours of the workbook. The red is dark and the green bluish, so that colour-blind readers can tell them apart.
const (
	Ink        = "1F2937"
	Faded      = "6B7280"
	Navy       = "1F3864"
	rule       = "BFC7D5"
	Panel      = "F3F6FB"
	White      = "FFFFFF"
	Amber      = "FFF2CC"
	Entry      = "FFFDF2" // cells that people fill in
	AmberInk   = "5C4400"
	LowFill    = "FBE0D6"
	LowInk     = "8A2B06"
	GoodFill   = "DCF1EA"
	GoodInk    = "0B5341"
	BubbleLow  = "C0190F"
	BubbleRest = "14A37F"
)

// Look is how a cell looks. Equal looks are one style of the workbook.
type Look struct {
	Bold, Italic, Link bool
	Size               float64 // points; 0 is 10
	Color, Fill        string
	Format             string // custom number format
	Wrap, Middle       bool   // middle: vertically centred; otherwise at the top
	Align              string // "", "center", "right"
	Box, Under         bool   // thin border all round; thick line below
	Guard              bool   // text that would be a formula if typed: keep it text when edited
}

// Workbook is a file while it is made. Its first error is kept.
type Workbook struct {
	File  *excelize.File
	Font  string
	Drawn int // charts so far
	Most  int // rows of a sheet; 0 is what spreadsheets hold
	Err   error

	styles map[Look]int
	rules  map[string]int // conditional styles by colour
	spools []*Spool
}

// NewWorkbook starts a workbook whose texts are in this font; most is how many rows a sheet may have, 0 for what spreadsheets hold.
func NewWorkbook(font string, most int) *Workbook {
	return &Workbook{File: excelize.NewFile(), styles: map[Look]int{}, rules: map[string]int{}, Font: font, Most: most}
}

// Write writes the file, with the rows that are spooled in place of their marks.
func (b *Workbook) Write(w io.Writer) error { return writeFile(b.File, b.spools, w) }

// SortContentTypes puts the list of file endings in order. The workbook writer adds those of images with the first chart, in
// random order.
func (b *Workbook) SortContentTypes() {
	if b.File.ContentTypes == nil {
		return
	}
	list := b.File.ContentTypes.Defaults
	sort.Slice(list, func(i, j int) bool { return list[i].Extension < list[j].Extension })
}

// Keep notes an error, the first one.
func (b *Workbook) Keep(err error) {
	if b.Err == nil {
		b.Err = err
	}
}

// Style returns the id of a look.
func (b *Workbook) Style(l Look) int {
	if id, ok := b.styles[l]; ok || b.Err != nil {
		return id
	}
	s := &excelize.Style{
		Font:      &excelize.Font{Family: b.Font, Size: 10, Color: Ink, Bold: l.Bold, Italic: l.Italic},
		Alignment: &excelize.Alignment{WrapText: l.Wrap, Horizontal: l.Align, Vertical: "top"},
	}
	if l.Size > 0 {
		s.Font.Size = l.Size
	}
	if l.Color != "" {
		s.Font.Color = l.Color
	}
	if l.Link {
		s.Font.Color, s.Font.Underline = "1D4ED8", "single"
	}
	if l.Fill != "" {
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{l.Fill}}
	}
	if l.Box && l.Align == "" {
		s.Alignment.Horizontal, s.Alignment.Indent = "left", 1
	}
	if l.Middle {
		s.Alignment.Vertical = "center"
	}
	if l.Box {
		for _, edge := range []string{"left", "top", "right", "bottom"} {
			s.Border = append(s.Border, excelize.Border{Type: edge, Color: rule, Style: 1})
		}
	}
	if l.Under {
		s.Border = append(s.Border, excelize.Border{Type: "bottom", Color: Navy, Style: 2})
	}
	format := l.Format // not the field: taking its address would put every look on the heap, cached or not
	if l.Guard {
		format = "@"
	}
	if format != "" {
		s.CustomNumFmt = &format
	}
	id, err := b.File.NewStyle(s)
	b.Keep(err)
	if l.Guard && err == nil {
		b.File.Styles.CellXfs.Xf[id].QuotePrefix = new(true)
	}
	b.styles[l] = id
	return id
}

// NewSpool starts the rows of a sheet.
func (b *Workbook) NewSpool() *Spool {
	s := spoolOf(len(b.spools))
	b.spools = append(b.spools, s)
	return s
}

// Emphasis returns the id of the conditional style with these colours.
func (b *Workbook) Emphasis(ink, fill string) int {
	if id, ok := b.rules[ink+fill]; ok || b.Err != nil {
		return id
	}
	id, err := b.File.NewConditionalStyle(&excelize.Style{
		Font: &excelize.Font{Bold: true, Color: ink}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fill}},
	})
	b.Keep(err)
	b.rules[ink+fill] = id
	return id
}

// Mend repairs the XML of the newest chart.
func (b *Workbook) Mend(how func([]byte) ([]byte, error)) {
	if b.Err != nil {
		return
	}
	name := fmt.Sprintf("xl/charts/chart%d.xml", b.Drawn)
	part, _ := b.File.Pkg.Load(name)
	body, _ := part.([]byte)
	body, err := how(body)
	b.Keep(err)
	b.File.Pkg.Store(name, body)
}
