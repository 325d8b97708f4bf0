package notebooks

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// proseIn is a notebook with one stretch of prose and a value that is an attack, and what the prose shows in English.
func proseIn(tb testing.TB, s string) string {
	tb.Helper()
	n := &Notebook{Document: &document.Document{}, Params: map[string]any{}}
	return n.cellPages().proseHTML(&View{}, s, "en")
}

// TestProseIsMarkdown names what prose can hold; the expected HTML is that of the CommonMark examples.
func TestProseIsMarkdown(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"Title\n=====\n":           "<h1>Title</h1>",
		"# One\n\ntext\nmore":      "<h1>One</h1>\n<p>text\nmore</p>",
		"- a\n- b\n  - c":          "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>",
		"3. x":                     "<ol start=\"3\">\n<li>x</li>\n</ol>",
		"> said":                   "<blockquote>\n<p>said</p>\n</blockquote>",
		"```sql\n# no heading\n":   "<pre><code class=\"language-sql\"># no heading\n</code></pre>",
		"|a|b|\n|---|--:|\n|1|2|":  `<th>a</th>` + "\n" + `<th align="right">b</th>`,
		"a *b* `c*d` ~~e~~ s_c_n":  "<p>a <em>b</em> <code>c*d</code> <del>e</del> s_c_n</p>",
		"これは**重要**です":              "<p>これは<strong>重要</strong>です</p>",
		"![a *b*](https://x.y/p)":  "<p>a <em>b</em></p>",
		"<b>x</b> <!-- y -->":      "<p>&lt;b&gt;x&lt;/b&gt; &lt;!-- y --&gt;</p>",
		"[r](/runs/1)":             `<p><a href="/runs/1">r</a></p>`,
		"[x](javascript:alert(1))": `<p><a href="">x</a></p>`,
		"of {{ r.first }} {{}} {x": `<p>of <span class="value" title="r.first">—</span> {{}} {x</p>`,
		"`{{ r.first }}`":          "<p><code>{{ r.first }}</code></p>",
		" \n":                      "",
	} {
		if got := proseIn(t, source); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q\n got %q\nwant %q", source, got, want)
		}
	}
}

// elements may be in prose, each with its attributes; the pages know the same (frontend/src/pages/notebook/prose.tsx).
var elements = map[string][]string{
	"p": nil, "h1": nil, "h2": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil, "blockquote": nil, "pre": nil, "code": {"class"}, "hr": nil,
	"br": nil, "ul": nil, "ol": {"start"}, "li": nil, "table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": {"align"}, "td": {"align"},
	"em": nil, "strong": nil, "del": nil, "a": {"href", "title"}, "span": {"class", "title"},
}

// harmlessProse reports elements, attributes and addresses that prose must not hold.
func harmlessProse(tb testing.TB, source string) {
	tb.Helper()
	tokens := html.NewTokenizer(strings.NewReader(proseIn(tb, source)))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return
		case html.CommentToken, html.DoctypeToken:
			tb.Errorf("%q holds %q", source, tokens.Raw())
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			allowed, known := elements[token.Data]
			if !known {
				tb.Errorf("%q holds <%s>", source, token.Data)
			}
			for _, a := range token.Attr {
				to := strings.ToLower(strings.TrimSpace(a.Val))
				if !slices.Contains(allowed, a.Key) || a.Key == "href" && (strings.HasPrefix(to, "javascript:") ||
					strings.HasPrefix(to, "vbscript:") || strings.HasPrefix(to, "data:text") || strings.HasPrefix(to, "file:")) {
					tb.Errorf("%q holds <%s %s=%q>", source, token.Data, a.Key, a.Val)
				}
			}
		}
	}
}

// attacks are texts that do something where a renderer takes them for markup, and texts that are long to read.
var attacks = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:x)",
	"[x](data:text/html,x)", "[x]( javascript:x)", "[x](java\tscript:x)", "![x](javascript:x)", "![x](https://evil.example/p.png)",
	"<javascript:alert(1)>", "<a href=\"javascript:x\">y</a>", "[x]: javascript:alert(1)\n\n[x]", "[a](/x \"\\\" onclick=alert(1)\")",
	"```\"><script>\nx", "{{ <script> }}", "{{ \" onclick=x }}", "{{\"onclick=x}}", "<!-- x --><b>", "<![CDATA[<script>]]>",
	"&lt;script&gt;",
	"|<b>|`|`|\n|-|-|\n|{{ x|y }}|<i>|", "&#106;avascript:x", "[x](&#106;avascript:alert(1))", "[x](javascript&colon;x)",
	strings.Repeat("*a ", 5000), strings.Repeat("[", 5000), strings.Repeat("> ", 3000), strings.Repeat("`", 9000),
	strings.Repeat("**", 5000), strings.Repeat("- ", 3000), strings.Repeat("{{ ", 5000), strings.Repeat("{", 9000) + "}}",
}

func TestHostileProseIsHarmless(t *testing.T) {
	t.Parallel()
	for _, source := range attacks {
		harmlessProse(t, source)
	}
}

// FuzzProse looks for Markdown that becomes more than the elements of prose.
func FuzzProse(f *testing.F) {
	for _, source := range attacks[:24] {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) { harmlessProse(t, source) })
}

// TestAValueIsNeverMarkup shows values full of Markdown and HTML: they come out letter by letter.
func TestAValueIsNeverMarkup(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(),
		"---\nragnb: 1\ntitle: T\n---\n\n```rag params p\nx: {default: '**a** <b> [c](javascript:d) | `e`'}\n```\n\n"+
			"| h |\n|---|\n| **{{ p.x }}** |\n")
	const shown = `<strong><span class="value" title="p.x">**a** &lt;b&gt; [c](javascript:d) | ` + "`e`</span></strong>"
	if got := n.Prose(&View{}, n.Document.Blocks[len(n.Document.Blocks)-1]); !strings.Contains(got.EN, shown) || got.JA != got.EN {
		t.Errorf("%+v\nwant %s", got, shown)
	}
}

// TestProseBeingWritten renders a stretch by the values that are known: as the evaluated notebook does, and no value is markup.
func TestProseBeingWritten(t *testing.T) {
	t.Parallel()
	const s = "**Of** {{ r.count }} <b>{{ r.new }}</b>"
	got := ProseOf(s, map[string]document.Words{"r.count": {EN: "5 *", JA: "5 件"}})
	const want = `<p><strong>Of</strong> <span class="value" title="r.count">%</span> &lt;b&gt;` +
		`<span class="value" title="r.new">—</span>&lt;/b&gt;</p>` + "\n"
	if got.EN != strings.Replace(want, "%", "5 *", 1) || got.JA != strings.Replace(want, "%", "5 件", 1) || ProseOf(" ", nil).EN != "" {
		t.Errorf("%+v", got)
	}
	for _, source := range attacks[:24] {
		if written, evaluated := ProseOf(source, nil).EN, proseIn(t, source); written != evaluated {
			t.Errorf("%q\n got %q\nwant %q", source, written, evaluated)
		}
	}
}
