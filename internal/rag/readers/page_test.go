package readers

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHTMLText(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, in, want, title string }{
		{"blocks", "<h1>Refunds</h1><p>Within <b>30</b> days.</p><p>Keep the\n receipt.</p>",
			"Refunds\n\nWithin 30 days.\n\nKeep the receipt.", "Refunds"},
		{"dropped",
			"<head><title>T</title><style>p{}</style></head><nav>menu</nav><script>x()</script><template>t</template><noscript>" +
				"n</noscript><p hidden>h</p><!-- c -->Text", "Text", "T"},
		{"heading before title", "<title>T | Site</title><h2>The <i>real</i> one</h2>x", "The real one\n\nx", "The real one"},
		{"list", "<ul><li>one<li>two</ul>after", "- one\n- two\n\nafter", ""},
		{"table", "<table><tr><th>Size</th><th>Price</th></tr><tr><td><p>S</p></td><td>1<br>2</td></tr></table>",
			"Size\tPrice\nS\t1 2", ""},
		{"layout table", "<table><tr><td><p>a</p><p>b</p></td></tr></table>", "a\n\nb", ""},
		{"pre", "<p>see</p><pre>a\n  b\n</pre>", "see\n\na\n  b", ""},
		{"br", "a<br>b<br/>c", "a\nb\nc", ""},
		{"entities", "<p>5 &lt; 6 &amp; caf&eacute;&#12354;</p>", "5 < 6 & caféあ", ""},
		{"wrapped Japanese", "<p>返品は\n  三十日以内に\nSony まで</p>", "返品は三十日以内に Sony まで", ""},
		{"inline stays inline", "<p>a<span>b</span> <em>c</em></p>", "ab c", ""},
		{"exponents", "<p>2<sup>64</sup>, x<sup>n</sup>, 10<sup>-3</sup> m<sup>2</sup>と2<sup>10</sup>個</p>",
			"2^64, x^n, 10^-3 m^2と2^10個", ""},
		{"indices", "<p>H<sub>2</sub>O and log<sub>2</sub>; a<sub>i</sub></p>", "H_2O and log_2; a_i", ""},
		{"raised, but no exponent", "<p>the 21<sup>st</sup>, Pump<sup>TM</sup>, noted<sup><a href=n>3</a></sup><sup></sup></p>",
			"the 21st, PumpTM, noted3", ""},
		{"nothing", "<script>only</script>", "", ""},
		{"unclosed", "<p>a<b>b", "ab", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, title, err := htmlText(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != c.want || title != c.title {
				t.Errorf("text %q title %q, want %q and %q", got, title, c.want, c.title)
			}
		})
	}
}

func TestMarkdownText(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, in, want, title string }{
		{"headings", "# One *two*\n\ntext\n\nThree\n-----\nmore", "One two\n\ntext\n\nThree\n\nmore", "One two"},
		{"emphasis and links", "A **bold** [link](http://x.example/y \"t\") ![picture](p.png) `co  de` <http://e.example>",
			"A bold link picture co de http://e.example", ""},
		{"tight list", "intro\n\n- one\n- two\n  - deep\n- three\n\nafter", "intro\n\n- one\n- two\n- deep\n- three\n\nafter", ""},
		{"loose list", "1. one\n\n2. two", "1. one\n\n2. two", ""},
		{"ordered from 3", "3. c\n4. d", "3. c\n4. d", ""},
		{"tasks", "- [x] done\n- [ ] open", "- [x] done\n- [ ] open", ""},
		{"empty item", "- \n- b", "- b", ""},
		{"table", "| Size | Price |\n|---|---|\n| S | **1** |\n| M |   |", "Size\tPrice\nS\t1\nM", ""},
		{"code", "```go\nfunc f() {\n\tx\n}\n```\n\n    indented", "func f() {\n\tx\n}\n\nindented", ""},
		{"quote", "> a\n> b\n\nc", "a b\n\nc", ""},
		{"escapes", `5 \* 6 &amp; &copy; \&amp; \\`, `5 * 6 & © &amp; \`, ""},
		{"hard break", "a  \nb\\\nc\nd", "a\nb\nc d", ""},
		{"wrapped Japanese", "返品は\n三十日以内です。\nSee\nthis", "返品は三十日以内です。 See this", ""},
		{"raw HTML", "a\n\n<div>\n<p>in <b>html</b></p>\n<script>x</script>\n</div>\n\nb<br>c <span>d</span>",
			"a\n\nin html\n\nb\nc d", ""},
		{"html comment", "a\n\n<!-- hidden\n-->\n\nb", "a\n\nb", ""},
		{"html closure", "<pre>\nx\n</pre>\n\nb", "x\n\nb", ""},
		{"strikethrough", "~~old~~ new", "old new", ""},
		{"link reference", "[a][1] b\n\n[1]: http://e.example", "a b", ""},
		{"rule", "a\n\n---\n\nb", "a\n\nb", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, title, ok := markdownText(c.in)
			if got.String() != c.want || title != c.title || !ok {
				t.Errorf("text %q title %q, want %q and %q", got, title, c.want, c.title)
			}
		})
	}
}

func TestLongListsOfLinksAreOrdinary(t *testing.T) {
	t.Parallel()
	if what := hostileMarkdown(strings.Repeat("- [a](b)\n", 20000)); what != "" {
		t.Errorf("refused: %s", what)
	}
}

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in, body string
		fields         int
	}{
		{"fields", "---\ntitle: \"A\"\ntags:\n  - x\ndate: 2024-01-01\n---\nbody", "body", 2},
		{"a rule and a heading", "---\nSome words here\n---\nbody", "---\nSome words here\n---\nbody", 0},
		{"never closed", "---\ntitle: a\n", "---\ntitle: a\n", 0},
		{"none", "# a", "# a", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fields, body := frontMatter(c.in)
			if body != c.body || len(fields) != c.fields {
				t.Errorf("%v, %q", fields, body)
			}
		})
	}
	root := folder(t, map[string]string{"a.md": "---\ntitle: From the front\nowner: CS\n---\ntext"})
	corpus, _, err := ReadCorpus(root, "c")
	if err != nil {
		t.Fatal(err)
	}
	if d := corpus.Documents[0]; d.Title != "From the front" || d.Text != "text" || d.Metadata["owner"] != "CS" {
		t.Errorf("document %+v", d)
	}
}

func FuzzReadCorpusHTML(f *testing.F) {
	for _, s := range []string{"<h1>a</h1><p>b", "<table><tr><td>a<td>b", "<pre> a\n b</pre>", "日本\n語", "<svg><title>x</title></svg>",
		"<ul><li><ul><li>a", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		body, title, err := htmlText(s)
		if err != nil {
			return
		}
		checkPage(t, s, body.String())
		checkPage(t, s, title)
	})
}

func FuzzReadCorpusMarkdown(f *testing.F) {
	for _, s := range []string{"# a\n\n- b\n  1. c", "|a|b|\n|-|-|\n|c|d|", "```\nx", "> > a", "<div>\n*a*\n</div>", "[a]: b\n[a]",
		"---\na: b\n---\nc", "![a](b)", "a\\\nb  \nc", "&amp;\\&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, s = frontMatter(s)
		if hostileMarkdown(s) != "" {
			return
		}
		body, title, ok := markdownText(s)
		if !ok {
			return
		}
		checkPage(t, s, body.String())
		checkPage(t, s, title)
	})
}

// checkPage holds what is true of every page: tidy ends, and valid text from valid text.
func checkPage(t *testing.T, source, out string) {
	t.Helper()
	if utf8.ValidString(source) && !utf8.ValidString(out) {
		t.Errorf("invalid UTF-8: %q", out)
	}
	if strings.HasPrefix(out, "\n") || strings.HasSuffix(out, "\n") {
		t.Errorf("blank lines at an end: %q", out)
	}
	for line := range strings.SplitSeq(out, "\n") {
		if strings.TrimRight(line, " \t") != line {
			t.Errorf("white space at a line end: %q", line)
		}
	}
}
