package charts

import (
	_ "embed"
	"html/template"
	"strings"
	"sync"
)

//go:embed chart.css
var style string

// Style is the style sheet of [SVG]: classes below .chart, in light, dark and print.
func Style() string { return style }

var svgTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("chart").Parse(
		`<svg class="chart" role="img" aria-label="{{.Label}}" viewBox="0 0 {{.S.Width}} {{.S.Height}}">` +
			`{{range .S.Shapes}}{{if .Text}}<text class="{{.Class}}" x="{{.X}}" y="{{.Y}}"{{if .Anchor}} text-anchor="{{.Anchor}}"{{end}}>` +
			`{{.Text}}</text>{{else if .D}}<path class="{{.Class}}" d="{{.D}}"/>{{else}}` +
			`<rect class="{{.Class}}" x="{{.X}}" y="{{.Y}}" width="{{.W}}" height="{{.H}}"/>{{end}}{{end}}</svg>`))
})

// SVG paints a plan in "en" or "ja" for a page without scripts. Texts are escaped; there is no style in it.
func SVG(p *Plan, lang string) (template.HTML, error) {
	var out strings.Builder
	err := svgTemplate().Execute(&out, struct {
		S     Scene
		Label string
	}{Draw(p, lang, usual), p.Summary.In(lang)})
	return template.HTML(out.String()), err //nolint:gosec // the template escapes what it is given
}

// aloneStyle is what a page says for the charts in it: ink, lines and ground, in light and dark.
const aloneStyle = `:root{--ink:#1c2430;--soft:#5c6878;--line:#d6dce5;--bad:#b3402f}` +
	`svg{background:#fff;font-family:"Noto Sans","Noto Sans JP","Hiragino Sans","Yu Gothic",system-ui,sans-serif}` +
	`@media screen and (prefers-color-scheme:dark){:root{--ink:#dfe5ee;--soft:#9aa5b5;--line:#3a465c;--bad:#ff9d86}svg{background:#12161d}}`

// AloneSVG paints a plan in "en" or "ja" as a file of its own, with its style.
func AloneSVG(p *Plan, lang string) (string, error) {
	svg, err := SVG(p, lang)
	open, rest, _ := strings.Cut(string(svg), ">")
	return strings.Replace(open, "<svg ", `<svg xmlns="http://www.w3.org/2000/svg" `, 1) + "><style>" + style + aloneStyle + "</style>" +
		rest, err
}

// Table is what stands behind a plan, as people read it.
func (p *Plan) Table(lang string) (head []string, rows [][]string) {
	head = []string{}
	for _, h := range p.Head {
		head = append(head, h.Title.In(lang))
	}
	for _, row := range p.Rows {
		var out []string
		for i, h := range p.Head {
			out = append(out, p.shown(h, row[i], lang))
		}
		rows = append(rows, out)
	}
	return head, rows
}
