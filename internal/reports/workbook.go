package reports

import (
	"fmt"
	"io"
	"sort"

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

// workbook is a file while it is made. Its first error is kept.
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

// newWorkbook starts a workbook whose texts are in this font; most is how many rows a sheet may have, 0 for what spreadsheets hold.
func newWorkbook(font string, most int) *workbook {
	return &workbook{file: excelize.NewFile(), styles: map[look]int{}, rules: map[string]int{}, font: font, most: most}
}

// archive lets the rows that are spooled stand in the file in place of their marks.
func (b *workbook) archive() {
	b.file.SetZipWriter(func(w io.Writer) excelize.ZipWriter { return archiveWith(w, b.spools) })
}

// sortContentTypes puts the list of file endings in order. The workbook writer adds those of images with the first chart, in
// random order.
func (b *workbook) sortContentTypes() {
	if b.file.ContentTypes == nil {
		return
	}
	list := b.file.ContentTypes.Defaults
	sort.Slice(list, func(i, j int) bool { return list[i].Extension < list[j].Extension })
}

// keep notes an error, the first one.
func (b *workbook) keep(err error) {
	if b.err == nil {
		b.err = err
	}
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

// newSpool starts the rows of a sheet.
func (b *workbook) newSpool() *spool {
	s := spoolOf(len(b.spools))
	b.spools = append(b.spools, s)
	return s
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

// mend repairs the XML of the newest chart.
func (b *workbook) mend(how func([]byte) ([]byte, error)) {
	if b.err != nil {
		return
	}
	name := fmt.Sprintf("xl/charts/chart%d.xml", b.drawn)
	part, _ := b.file.Pkg.Load(name)
	body, _ := part.([]byte)
	body, err := how(body)
	b.keep(err)
	b.file.Pkg.Store(name, body)
}
