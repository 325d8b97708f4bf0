package reports

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

//go:embed page/page.html page/page.css page/tables.html
var pageFiles embed.FS

var (
	pageTemplate = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("page.html").ParseFS(pageFiles, "page/page.html"))
	})
	pageStyle = pageFile("page/page.css")
)

func pageFile(name string) string {
	body, err := pageFiles.ReadFile(name)
	if err != nil {
		panic(err) // embedded at build time: cannot be missing in a program that starts
	}
	return string(body)
}

// Most answers that a page shows as evidence, and how much of each; the workbook has them all.
const (
	mostWorsePage = 30
	mostLowPage   = 40
	answerPage    = 480 // code points of an answer
)

// WriteHTML writes the report as one page that needs nothing else: styles and drawings are in it, it runs no script, asks for no
// address, and prints on A4. It returns a Problem of kind Invalid for an unknown language, and otherwise only errors of w.
func (r Report) WriteHTML(w io.Writer) error {
	f, err := r.content()
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(pageStyle))
	page := struct {
		Lang, Title, Policy string
		Style               template.CSS
		Frame               *Frame
		Articles            []article
	}{
		Lang: wording.Single(f.Lang)[0], Title: spreadsheet.Clean(f.reportTitle()), Style: template.CSS(pageStyle), Frame: r.Frame,
		//nolint:gosec // our own file, see the embedding
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'",
	}
	for _, lang := range wording.Single(f.Lang) {
		page.Articles = append(page.Articles, f.in(lang).htmlPage().article())
	}
	return pageTemplate().Execute(w, page)
}

// article is the page in one language, as the template reads it.
type article struct {
	Lang, Title, Subtitle string
	Headline, Release     string
	Badges, Sentences     []string
	Changed               string
	Words                 wording.Catalogue
	Counts, Figures       pageTable
	Graded                bool // some answer has a grade from 1 to 5
	Bubbles               []bubbleSVG
	Legend                string
	Worst, Best           []pageCard
	Fails, Why            pagePoints
	WhyHow, Theme         string
	WorstHead, BestHead   string
	Changes, Steps        []string
	Choice                string
	Running               []string
	Agreed                []pageCommitment
	Agreement             string
	Overdue               []string
	Doubts                []string
	Parts                 []chapter
}

type pagePoints struct {
	Points []pagePoint
	Empty  string
}

type pagePoint struct {
	N          int
	Name, Text string
}

type pageCommitment struct{ What, State, Who, Class string }

// pageTable is a table; Empty stands in its place when it has no rows.
type pageTable struct {
	Class string
	Head  []string
	Rows  [][]pageCell
	Empty string
}

type pageCell struct{ Text, Class string }

// chapter is a section behind the first page.
type chapter struct {
	Title  string
	Notes  []string
	Bars   []barSVG
	Tables []pageTable
	Cards  []pageCard
	// above the cards; "" where the title says what they are
	CardsHead string
	Empty     string // in the place of cards
	More      string
}

// pageCard is one answer with everything that is said of it.
type pageCard struct {
	Head []pageCell
	Rows [][2]string // name and text; those without text are left out
}

func (f htmlPage) article() article {
	o := f.overviewText().overview(findings.HTML)
	a := article{
		Lang: f.Lang, Title: spreadsheet.Clean(f.reportTitle()), Subtitle: spreadsheet.Clean(f.about()),
		Headline: o.Headline, Release: o.Release,
		Badges:    f.badges(),
		Sentences: o.Sentences, Changed: o.changed, Words: f.words, Figures: f.pageFigures(), Graded: f.graded(),
		Legend: f.words.Say("counts.legend", "line", f.lowLine()),
		Fails:  f.pagePoints(o.fails, f.noLow()), Theme: o.theme,
		Changes: o.changes, Choice: o.choice, Steps: o.steps, Running: o.running,
		Agreement: o.agreement, Overdue: o.overdue, Doubts: append(o.figures, o.doubts...), WorstHead: f.words.Say(o.worstHead()),
		BestHead: f.words.Say(o.bestHead()), Worst: f.pageExamples(o.worst), Best: f.pageExamples(o.best),
	}
	if a.WhyHow = o.whyHow; len(o.why) == 0 { // it is all that there is to say of causes, and stands in their place
		a.WhyHow = ""
	}
	a.Why = f.pagePoints(o.why, o.whyHow)
	if len(o.counts) > 0 {
		a.Counts.Class, a.Counts.Rows = "verdicts", [][]pageCell{{}}
		for _, c := range o.counts {
			a.Counts.Head = append(a.Counts.Head, c.word)
			a.Counts.Rows[0] = append(a.Counts.Rows[0], whole(c.n))
		}
	}
	for _, c := range o.agreed {
		class := "check"
		if c.good {
			class = "good"
		} else if c.bad {
			class = "bad"
		}
		a.Agreed = append(a.Agreed, pageCommitment{c.what, c.state, c.who, class})
	}
	a.Bubbles = f.pageBubbles()
	a.Parts = f.pageParts()
	return a
}

// pageExamples are questions in full.
func (f htmlPage) pageExamples(list []exampleText) []pageCard {
	var out []pageCard
	for _, e := range list {
		class := "good"
		if e.bad {
			class = "bad"
		}
		pairs := []string{"col.question", e.question, "col.reference", e.reference}
		for _, a := range e.answers() {
			pairs = append(pairs, a[0], a[1])
		}
		out = append(out, f.card([]pageCell{{e.head, class}}, pairs...))
	}
	return out
}

// pagePoints are points, or what stands in the place of none.
func (f htmlPage) pagePoints(points []point, empty string) pagePoints {
	out := pagePoints{Empty: empty}
	for _, p := range points {
		out.Points = append(out.Points, pagePoint{p.n, p.name, p.text})
	}
	return out
}

func plainCell(s string) pageCell { return pageCell{Text: spreadsheet.Clean(s)} }
func strong(s string) pageCell    { return pageCell{spreadsheet.Clean(s), "strong"} }
func number(s string) pageCell    { return pageCell{s, "num"} }
func whole(n int) pageCell        { return number(strconv.Itoa(n)) }

// pageFigures are the headline numbers.
func (f htmlPage) pageFigures() pageTable {
	low := strong(f.lowHeading())
	v := f.after.totals.Coverage
	coverage := []pageCell{strong(f.words.Say("figure.coverage")), number(percent(v.Share()))}
	scored := plainCell(f.scored())
	c := f.Comparison
	if c == nil {
		t := pageTable{Head: []string{f.words.Say("col.figure"), f.words.Say("col.value"), f.words.Say("col.basis")}}
		count := whole(f.after.low)
		if f.after.rated == 0 {
			count = number(f.words.Say("figure.none"))
		}
		t.Rows = append(t.Rows, []pageCell{low, count, plainCell(f.words.Say("figure.rated", "rated", f.after.rated))})
		for _, s := range f.specs {
			if m, ok := f.after.totals.Scores[s.ID]; ok && f.isHeadline(s.ID) {
				t.Rows = append(t.Rows, []pageCell{strong(f.metricHeading(s)), number(decimal(m.Mean)),
					plainCell(f.words.Say("figure.n", "n", m.N, "total", len(f.after.rows)))})
			}
		}
		t.Rows = append(t.Rows, append(coverage, scored))
		return t
	}
	t := pageTable{Head: []string{f.words.Say("col.figure"), f.words.Say("col.before"), f.words.Say("col.after"),
		f.words.Say("col.reading")}}
	key := f.lowDirection()
	of := func(n int) pageCell { return number(fmt.Sprintf("%d / %d", n, c.RatedAfter)) }
	if f.found.Low.Of == 0 {
		key = f.words.Say("word.none")
		of = func(int) pageCell { return number(f.words.Say("figure.none")) }
	}
	was, is := of(c.LowBefore), of(c.LowAfter)
	if f.found.Low.Apart {
		was, is, key = number(f.words.Say("figure.apart")), of(f.found.Low.After), f.words.Say("word.none")
	}
	t.Rows = append(t.Rows, []pageCell{low, was, is, plainCell(key)})
	for _, figure := range f.comparedFigures() {
		t.Rows = append(t.Rows, []pageCell{
			strong(f.figureName(figure.Metric, figure.N)), number(decimal(*figure.Before)), number(decimal(figure.After)),
			plainCell(f.each(figure.Word)),
		})
	}
	t.Rows = append(t.Rows, append(coverage[:1], number(""), coverage[1], scored))
	return t
}

// moved classes a count of answers by whether it fell.
func moved(m causes.CauseChange) string {
	switch {
	case m.After < m.Before:
		return "good"
	case m.After > m.Before:
		return "bad"
	default:
		return "num"
	}
}
