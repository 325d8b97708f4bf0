package rag

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/text"
)

func recursive(size, overlap int) Chunking {
	return Chunking{By: ByRecursive, Size: size, Overlap: overlap}
}

// pieces are the texts of a document's chunks, with what is put before them.
func pieces(t *testing.T, c Chunking, s string) []string {
	t.Helper()
	corpus := NewCorpus("test", []Document{{ID: "d", Text: s}})
	chunks := c.Chunks(corpus)
	out := make([]string, len(chunks))
	for i, x := range chunks {
		out[i] = x.searched(corpus, c)
	}
	return out
}

// digestOf is how recorded chunks are written: their number, and the beginning of the SHA-256 of their texts.
func digestOf(chunks []string) string {
	sum := sha256.Sum256([]byte(strings.Join(chunks, "\x00")))
	return fmt.Sprintf("%d %s", len(chunks), hex.EncodeToString(sum[:])[:16])
}

// splitCases are what langchain-text-splitters 1.1.3 makes of texts.
type splitCases struct {
	Texts []string
	Cases []struct {
		Separators, Keep string
		Size, Overlap    int
		Chunks           []string
	}
}

func (golden splitCases) compare(t *testing.T) {
	t.Helper()
	for _, c := range golden.Cases {
		chunking := Chunking{By: ByRecursive, Size: c.Size, Overlap: c.Overlap, Separators: Separators{c.Separators}, Keep: c.Keep}
		for i, want := range c.Chunks {
			if said := digestOf(pieces(t, chunking, golden.Texts[i])); said != want {
				t.Errorf("%s, keep %s, %d/%d, text %d: %s, LangChain has %s", c.Separators, c.Keep, c.Size, c.Overlap, i, said, want)
			}
		}
	}
}

// With the named lists of separators, every chunk is that of langchain-text-splitters 1.1.3.
func TestRecursiveIsThatOfLangChain(t *testing.T) {
	t.Parallel()
	recorded[splitCases](t, "splits.json").compare(t)
}

func TestAutoSeparators(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size int
		text string
		want []string
	}{
		{12, "経費は月末に締めます。領収書が要ります。", []string{"経費は月末に締めます。", "領収書が要ります。"}},
		{14, "It is due. Pay it now! Why? Because.", []string{"It is due.", "Pay it now!", "Why? Because."}},
		{3, "ab👩\u200d👩\u200d👧cd", []string{"ab", "👩\u200d👩\u200d👧", "cd"}}, // a family is one character, though five code points
		{2, "か\u3099き\u3099", []string{"か\u3099", "き\u3099"}},
		{5, " \n\u3000 ", []string{}},
	} {
		if diff := cmp.Diff(c.want, pieces(t, recursive(c.size, 0), c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// Whatever a chunker is asked to do, a chunk is the text at its place, holds more than white space, and nothing else is left out.
func TestChunksLoseNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(24, 1))
	bys := []string{"chars", "tokens", "sentences", "paragraphs", ByRecursive, ByRecursive, ByRecursive}
	for range 10_000 {
		size := 1 + r.IntN(60)
		c := Chunking{By: bys[r.IntN(len(bys))], Size: size, Overlap: r.IntN(size), Heading: []string{"", HeadingPath}[r.IntN(2)]}
		if c.By == ByRecursive {
			c.Keep, c.Tables = []string{"", KeepStart}[r.IntN(2)], []string{"", "split"}[r.IntN(2)]
			c.Separators = []Separators{nil, {"langchain"}, {"langchain_cjk"}}[r.IntN(3)]
		}
		if mode := []string{"", ParentSize, ParentSection, ParentMerge}[r.IntN(4)]; c.By == ByRecursive && mode != "" {
			c.Parent = Parent{Mode: mode, Size: 2 * size}
		}
		s := randomDocument(r) + randomMarkdown(r) + randomDocument(r)
		corpus := NewCorpus("fuzz", []Document{{ID: "d", Text: s}})
		chunks := c.Chunks(corpus)
		covered := make([]bool, corpus.Chars())
		for i, x := range chunks {
			blank := c.By != "chars" && c.By != "tokens" && strings.TrimSpace(corpus.Text(x.Span)) == ""
			if x.Start >= x.End || x.End > corpus.Chars() || blank {
				t.Fatalf("%+v: chunk %d is %s of %q", c, i, x.Span, s)
			}
			if x.Parent.Len() > 0 && (x.Parent.Start > x.Start || x.Parent.End < x.End) {
				t.Fatalf("%+v: chunk %s is not within %v", c, x.Span, x.Parent)
			}
			for at := x.Start; at < x.End; at++ {
				covered[at] = true
			}
		}
		for i, r := range []rune(s) {
			if !covered[i] && !unicode.IsSpace(r) {
				t.Fatalf("%+v: %q at %d of %q is in no chunk", c, r, i, s)
			}
		}
	}
}

func randomMarkdown(r *rand.Rand) string {
	lines := []string{"# 旅費", "## Abroad", "- 日当", "  続き", "1. First", "| a | b |", "|---|---|", "| 1 | 2 |", "金額は次のとおり：",
		"```", "", "text", "---"}
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(lines[r.IntN(len(lines))] + "\n")
	}
	return b.String()
}

func TestHeadingsAreThoseOfLangChain(t *testing.T) {
	t.Parallel()
	for i, c := range recorded[[]struct {
		Text  string
		Paths [][]string
	}](t, "headings.json") {
		var got [][]string
		for _, s := range text.Sections(c.Text, text.Headings(c.Text)) {
			body := string([]rune(c.Text)[s.Start:s.End])
			if last := body[strings.LastIndex(body, "\n")+1:]; !strings.HasPrefix(last, "#") {
				got = append(got, s.Path) // a heading without a text at the end is a section of ours only
			}
		}
		if diff := cmp.Diff(c.Paths, got); diff != "" {
			t.Errorf("file %d (-LangChain +ours):\n%s\n%s", i, diff, c.Text)
		}
	}
}

const guide = "# Travel\n\n## Abroad\nThe per diem is 60 euros.\n\n#### Hotels\nUp to 120 euros.\n\n```\n# no heading\n```\n\n## " +
	"Trains\n\nAll classes\n---\nSecond class only.\n"

func TestHeadings(t *testing.T) {
	t.Parallel()
	c := recursive(500, 0)
	c.Heading, c.Header = HeadingPath, HeaderPath
	corpus := NewCorpus("test", []Document{{ID: "d", Title: "Rules", Text: guide}})
	chunks := c.Chunks(corpus)
	var paths []string
	for _, x := range chunks {
		paths = append(paths, strings.Join(x.Path, " > "))
	}
	want := []string{"Travel > Abroad", "Travel > Abroad > Hotels", "Travel > All classes"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	if got := chunks[0].Before(corpus, c); got != "Rules\nTravel > Abroad\n\n" {
		t.Errorf("header %q", got)
	}
	if got := corpus.Text(chunks[2].Span); got != "## Trains\n\nAll classes\n---\nSecond class only." {
		t.Errorf("a heading without a text belongs to the next section: %q", got)
	}
	c.Min = 100
	if joined := c.Chunks(corpus); len(joined) >= len(chunks)+1 {
		t.Errorf("%d chunks with short sections joined, %d without", len(joined), len(chunks))
	}
}

// A header changes what is searched and shown, but neither where chunks lie nor how they are cut.
func TestHeader(t *testing.T) {
	t.Parallel()
	r := newRig(Document{ID: "d", Title: "Expense rules", Text: guide})
	plain := recursive(60, 0)
	header, hidden := plain, plain
	no := false
	header.Header, hidden.Header, hidden.HeaderInPrompt = HeaderTitle, HeaderTitle, &no
	answers := map[string]Answer{}
	for name, c := range map[string]Chunking{"plain": plain, "header": header, "hidden": hidden} {
		answers[name] = r.answer(t, "expense rules hotels", func(config *Config) { config.Chunk, config.Retrieve.K = c, 20 })
	}
	spans := func(name string) (out []string) {
		for _, h := range answers[name].Hits {
			out = append(out, h.Span.String())
		}
		slices.Sort(out)
		return out
	}
	if diff := cmp.Diff(spans("plain"), spans("header")); diff != "" {
		t.Errorf("a header moves chunks:\n%s", diff)
	}
	if got := answers["header"].Hits[0].Text; !strings.HasPrefix(got, "Expense rules\n\n") {
		t.Errorf("shown %q", got)
	}
	if got := answers["hidden"].Hits[0].Text; strings.HasPrefix(got, "Expense rules") {
		t.Errorf("hidden, but shown %q", got)
	}
	if answers["plain"].Hits[0].Score == answers["hidden"].Hits[0].Score {
		t.Error("a header changes no score")
	}
}

func TestParents(t *testing.T) {
	t.Parallel()
	docs := manual()
	r := newRig(docs...)
	window := Chunking{By: "sentences", Size: 1, Parent: Parent{Mode: ParentWindow, N: 1}}
	a := r.answer(t, "領収書は何年間保存しますか", func(c *Config) { c.Chunk, c.Retrieve.K = window, 2 })
	if a.Hits[0].DocID != "ja-medical" || a.Hits[0].Text != docs[0].Text || len(a.Hits[0].Matched) == 0 {
		t.Errorf("a window in Japanese is %+v", a.Hits[0])
	}
	for _, mode := range []string{ParentSize, ParentSection, ParentMerge} {
		c := recursive(20, 0)
		c.Parent = Parent{Mode: mode, Size: 200, Ratio: 0.4}
		a := r.answer(t, "領収書は何年間保存しますか", func(config *Config) { config.Chunk, config.Retrieve.K = c, 5 })
		seen := map[string]bool{}
		for _, h := range a.Hits {
			if seen[h.Span.String()] {
				t.Errorf("%s: %s is found twice", mode, h.Span)
			}
			seen[h.Span.String()] = true
		}
		if len(a.Hits) != 5 {
			t.Errorf("%s: %d hits, though the corpus has more pieces", mode, len(a.Hits))
		}
		if mode != ParentMerge && a.Hits[0].Text != docs[0].Text {
			t.Errorf("%s: the first hit is %q", mode, a.Hits[0].Text)
		}
	}
}

const priceList = "Prices\n\nThe prices are:\n| item | price |\n|---|---|\n| small tent | 10 |\n| large tent | 20 |\n| very large tent " +
	"| 30 |\n\nAll with tax.\n"

func TestTablesAndLists(t *testing.T) {
	t.Parallel()
	whole := pieces(t, recursive(120, 0), priceList)
	if !slices.ContainsFunc(whole, func(s string) bool {
		return strings.Contains(s, "The prices are:\n| item") && strings.Contains(s, "| 30 |")
	}) {
		t.Errorf("a table that fits is cut, or parted from the line that announces it: %q", whole)
	}
	parts := pieces(t, recursive(60, 0), priceList)
	rows := 0
	for _, p := range parts {
		if strings.Contains(p, "tent") {
			rows++
			if !strings.Contains(p, "| item | price |\n|---|---|\n") {
				t.Errorf("a part of the table without its head: %q", p)
			}
		}
	}
	if rows < 2 {
		t.Errorf("the table is not cut: %q", parts)
	}
	list := pieces(t, recursive(26, 0), "- the first item\n  goes on\n- the second\n- x")
	if diff := cmp.Diff([]string{"- the first item\n  goes on", "- the second\n- x"}, list); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	split := recursive(26, 0)
	split.Lists = "split"
	if got := pieces(t, split, "- the first item\n  goes on\n- the second"); len(got) == 0 || got[0] == list[0] {
		t.Errorf("with lists split: %q", got)
	}
}

func TestRecursiveTokens(t *testing.T) {
	t.Parallel()
	c := recursive(5, 0)
	c.Count = CountTokens
	count := text.TokenCounter("")
	got := pieces(t, c, "The claim is paid within ten days after receipt. 経費は月末に締めます。")
	for _, p := range got {
		if n := count([]rune(p)); n > 5 || strings.ContainsRune(p, '\ufffd') {
			t.Errorf("%q has %d tokens", p, n)
		}
	}
	if len(got) < 3 {
		t.Errorf("chunks %q", got)
	}
}
