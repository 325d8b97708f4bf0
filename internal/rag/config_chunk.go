package rag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// Chunking says how documents are cut. Size and Overlap are counted in By; recursive counts in Count. What is left out is as it was
// before there was a choice.
type Chunking struct {
	By      string `json:"by" yaml:"by"`           // chars | tokens | sentences | paragraphs | recursive
	Size    int    `json:"size" yaml:"size"`       // length of a chunk, > 0
	Overlap int    `json:"overlap" yaml:"overlap"` // shared by neighbouring chunks, 0 ≤ overlap < size

	// percent of Size, in the place of Overlap; only where a configuration is written, see [Config.Frozen]
	OverlapShare float64 `json:"overlap_share,omitempty" yaml:"overlap_share"`

	Count      string     `json:"count,omitempty" yaml:"count"`       // of recursive: chars (default) | tokens
	Encoding   string     `json:"encoding,omitempty" yaml:"encoding"` // of tokens: o200k_base (default) | cl100k_base
	Separators Separators `json:"separators,omitempty" yaml:"separators"`
	// of recursive: a separator closes a piece (end, default) or begins one (start)
	Keep    string `json:"keep,omitempty" yaml:"keep"`
	Tables  string `json:"tables,omitempty" yaml:"tables"`   // of recursive: keep (default of auto) | split
	Lists   string `json:"lists,omitempty" yaml:"lists"`     // of recursive: keep (default of auto) | split
	Heading string `json:"heading,omitempty" yaml:"heading"` // none (default) | path: no chunk crosses a heading
	Min     int    `json:"min,omitempty" yaml:"min"`         // sections with fewer characters are joined to the next
	Parent  Parent `json:"parent,omitzero" yaml:"parent"`

	// what is put before the text that is searched: none (default) | title | path
	Header         string `json:"header,omitempty" yaml:"header"`
	HeaderInPrompt *bool  `json:"header_in_prompt,omitempty" yaml:"header_in_prompt"` // the generator sees it too; nil is true
}

// Parent says which larger piece is handed on in the place of a small one that was found. Several small ones of one piece give one hit.
type Parent struct {
	Mode  string  `json:"mode" yaml:"mode"`             // none | window | section | size | merge
	N     int     `json:"n,omitempty" yaml:"n"`         // of window: sentences before and after; 3 when 0
	Size  int     `json:"size,omitempty" yaml:"size"`   // of section, size and merge: most length of the larger piece; 2000 when 0
	Ratio float64 `json:"ratio,omitempty" yaml:"ratio"` // of merge: more than this share of a piece's small ones must be found; 0.5 when 0
}

// Words of a chunking.
const (
	ByRecursive = "recursive"
	CountTokens = "tokens"
	KeepStart   = "start"
	HeadingPath = "path"

	ParentWindow  = "window"
	ParentSection = "section"
	ParentSize    = "size"
	ParentMerge   = "merge"

	HeaderTitle = "title"
	HeaderPath  = "path"
)

// Separators are what a recursive splitter cuts at, the coarsest first; or the name of a list.
type Separators []string

var separatorLists = map[string]Separators{
	"auto": {"\n\n", "\n", "。", "．", "！", "？", ". ", "! ", "? ", "、", "，", ", ", " ", "\u200b", ""},
	// those of LangChain: its default, and what its documentation gives for languages without spaces
	"langchain":     {"\n\n", "\n", " ", ""},
	"langchain_cjk": {"\n\n", "\n", " ", ".", ",", "\u200b", "，", "、", "．", "。", ""},
}

func (s Separators) auto() bool { return len(s) == 0 || len(s) == 1 && s[0] == "auto" }

func (s Separators) list() []string {
	if s.auto() {
		return separatorLists["auto"]
	}
	if list, ok := separatorLists[s[0]]; ok && len(s) == 1 {
		return list
	}
	return s
}

var nameOfList = text.Lazy(`^[A-Za-z_]+$`)

func (s Separators) known() bool {
	if len(s) == 1 && nameOfList.MatchString(s[0]) {
		_, ok := separatorLists[s[0]]
		return ok
	}
	return len(s) <= 100
}

// keeps is whether tables, or lists, are kept whole: unless something else is said, where the separators are ours.
func (c Chunking) keeps(said string) bool {
	return said == "keep" || said == "" && c.Separators.auto()
}

// plain reports whether only what files could say before is said.
func (c Chunking) plain() bool {
	return c.By != ByRecursive && c.same(Chunking{By: c.By, Size: c.Size, Overlap: c.Overlap})
}

func (c Chunking) same(other Chunking) bool {
	return fmt.Sprintf("%#v", c.described()) == fmt.Sprintf("%#v", other.described())
}

// described is the chunking with its one pointer followed.
func (c Chunking) described() any {
	shown := c.HeaderInPrompt == nil || *c.HeaderInPrompt
	c.HeaderInPrompt = nil
	return struct {
		Chunking
		Shown bool
	}{c, shown}
}

// WithShares is the configuration with the overlap that its share of the size makes, in whole units, rounded down.
func (c Config) WithShares() Config {
	if share := c.Chunk.OverlapShare; share > 0 && share < 100 {
		c.Chunk.Overlap = int(float64(c.Chunk.Size) * share / 100)
	}
	return c
}

// Frozen is the configuration as a run keeps it: with numbers in the place of shares, so that its keys are those of the numbers.
func (c Config) Frozen() Config {
	c = c.WithShares()
	c.Chunk.OverlapShare = 0
	return c
}

// length is how the size of a recursive chunk is counted.
func (c Chunking) length() func([]rune) int {
	if c.Count != CountTokens && c.By != "tokens" {
		return func(r []rune) int { return len(r) }
	}
	return text.TokenCounter(c.Encoding)
}

func (p Parent) size() int {
	if p.Size == 0 {
		return 2000
	}
	return p.Size
}

// showsHeader reports whether the generator sees the header.
func (c Chunking) showsHeader() bool { return c.HeaderInPrompt == nil || *c.HeaderInPrompt }

// cutting is the part of the chunking that decides where documents are cut.
func (c Chunking) cutting() Chunking {
	c.Header, c.HeaderInPrompt = "", nil
	return c
}

// effective is the chunking without what has no effect in it.
func (c Chunking) effective() Chunking {
	clear := func(field *string, usual ...string) {
		if slices.Contains(usual, *field) {
			*field = ""
		}
	}
	clear(&c.Count, "chars")
	clear(&c.Encoding, "o200k_base")
	clear(&c.Keep, "end")
	clear(&c.Heading, "none")
	clear(&c.Header, "none")
	if c.Separators.auto() {
		c.Separators = nil
		clear(&c.Tables, "keep")
		clear(&c.Lists, "keep")
	} else {
		clear(&c.Tables, "split")
		clear(&c.Lists, "split")
	}
	if c.By != ByRecursive {
		c.Count = ""
		if larger := c.Parent.Mode; larger == "" || larger == "none" || larger == ParentWindow {
			c.Separators, c.Keep, c.Tables, c.Lists = nil, "", "", ""
		}
	}
	if c.Count != CountTokens && c.By != "tokens" {
		c.Encoding = ""
	}
	if c.Header == "" || c.showsHeader() {
		c.HeaderInPrompt = nil
	}
	c.Parent = c.Parent.effective()
	if c.Heading == "" && c.Parent.Mode != ParentSection {
		c.Min = 0
	}
	return c
}

func (p Parent) effective() Parent {
	switch p.Mode {
	case ParentWindow:
		if p.N == 0 {
			p.N = 3
		}
		return Parent{Mode: p.Mode, N: p.N}
	case ParentSection, ParentSize:
		return Parent{Mode: p.Mode, Size: p.size()}
	case ParentMerge:
		if p.Ratio == 0 {
			p.Ratio = 0.5
		}
		return Parent{Mode: p.Mode, Size: p.size(), Ratio: p.Ratio}
	}
	return Parent{}
}

// ChunkUnit is one thing that chunk.by can be: what a size counts, or recursive, which cuts at separators.
type ChunkUnit struct {
	Code   string // as configurations write it
	EN, JA string // its name
	Usual  int    // a size that a first try begins with
}

// ChunkUnits lists them, the usual one first. It is the only list: checks, findings, the API's contract and the pages read it.
func ChunkUnits() []ChunkUnit {
	return []ChunkUnit{
		{"chars", "characters", "文字", 1000},
		{"tokens", "tokens", "トークン", 400},
		{"sentences", "sentences", "文", 8},
		{"paragraphs", "paragraphs", "段落", 3},
		{ByRecursive, "characters, cut at separators", "文字（区切りの位置で分割）", 1000},
	}
}

// ChunkUnitNames are the codes of [ChunkUnits].
func ChunkUnitNames() []string {
	var names []string
	for _, u := range ChunkUnits() {
		names = append(names, u.Code)
	}
	return names
}

// SizeUnit is what the size and the overlap count: of chunks that are cut at separators, characters or tokens.
func (c Chunking) SizeUnit() ChunkUnit {
	code := c.By
	switch {
	case c.By == ByRecursive && c.Count == CountTokens:
		code = "tokens"
	case c.By == ByRecursive || c.By == "":
		code = "chars"
	}
	units := ChunkUnits()
	at := slices.IndexFunc(units, func(u ChunkUnit) bool { return u.Code == code })
	return units[max(0, at)] // what is none is refused elsewhere
}

func (c Chunking) checks() []check {
	larger := oneOf(c.Parent.Mode, ParentSection, ParentSize, ParentMerge)
	units := ChunkUnitNames()
	counted := c.By != "sentences" && c.By != "paragraphs"
	return []check{
		{oneOf(c.By, units...), "chunk.by", c.By, strings.Join(units[:len(units)-1], ", ") + " or " + units[len(units)-1]},
		{c.Size >= 1 && c.Size <= 1_000_000, "chunk.size", c.Size, "a number from 1 to 1000000"},
		{c.OverlapShare >= 0 && c.OverlapShare < 100, "chunk.overlap", fmt.Sprint(c.OverlapShare) + "%", "a number, or a share below 100%"},
		{c.Overlap >= 0, "chunk.overlap", c.Overlap, "0 or more"},
		{c.Overlap < c.Size, "chunk.overlap", c.Overlap, fmt.Sprintf("less than chunk.size, which is %d", c.Size)},
		{oneOf(c.Count, "", "chars", CountTokens), "chunk.count", c.Count, "chars or tokens"},
		{oneOf(c.Encoding, "", "o200k_base", "cl100k_base"), "chunk.encoding", c.Encoding, "o200k_base or cl100k_base"},
		{c.Separators.known(), "chunk.separators", c.Separators, "auto, langchain, langchain_cjk, or a list of up to 100 texts"},
		{oneOf(c.Keep, "", "end", KeepStart), "chunk.keep", c.Keep, "end or start"},
		{oneOf(c.Tables, "", "keep", "split"), "chunk.tables", c.Tables, "keep or split"},
		{oneOf(c.Lists, "", "keep", "split"), "chunk.lists", c.Lists, "keep or split"},
		{oneOf(c.Heading, "", "none", HeadingPath), "chunk.heading", c.Heading, "none or path"},
		{c.Min >= 0, "chunk.min", c.Min, "0 or more"},
		{oneOf(c.Header, "", "none", HeaderTitle, HeaderPath), "chunk.header", c.Header, "none, title or path"},
		{oneOf(c.Parent.Mode, "", "none", ParentWindow, ParentSection, ParentSize, ParentMerge), "chunk.parent.mode", c.Parent.Mode,
			"none, window, section, size or merge"},
		{c.Parent.Mode != ParentWindow || c.By == "sentences", "chunk.parent.mode", c.Parent.Mode,
			"used with chunk.by sentences, which is " + c.By},
		{c.Parent.N >= 0 && c.Parent.N <= 50, "chunk.parent.n", c.Parent.N, "a number from 0 to 50"},
		{c.Parent.Ratio >= 0 && c.Parent.Ratio < 1, "chunk.parent.ratio", c.Parent.Ratio, "a number from 0 to below 1"},
		{c.Parent.Size >= 0 && c.Parent.Size <= 1_000_000, "chunk.parent.size", c.Parent.Size, "a number up to 1000000"},
		{!larger || !counted || c.Parent.size() > c.Size, "chunk.parent.size", c.Parent.size(),
			fmt.Sprintf("more than chunk.size, which is %d", c.Size)},
	}
}
