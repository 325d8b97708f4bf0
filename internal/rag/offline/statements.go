package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// statement is what an answer may quote from a context: a whole sentence, an item of a list, or a row of a table said with the
// names of its columns.
type statement struct {
	text    string
	heading string // what it stands under: the heading or the question above it, "" where there is none
	item    bool   // an item or a row, which does not repeat what it is about
	bare    string // of a row that is said with the names of its columns: what it is without them
	opens   bool   // its context begins with it, and nothing in the context says that a sentence begins there
}

// Statements of the same documents come up for every question and configuration.
var contextStatements = text.NewMemo(4096, func(s string) []statement {
	r := statementReader{lang: text.Language(s)}
	r.read(s)
	return r.found
})

// statementsOf lists what a context states, in order. Headings, labels, captions, questions and the halves of sentences at the
// edges of a chunk state nothing.
func statementsOf(context string) []statement { return contextStatements.Of(context) }

var (
	// item matches the marker of a list's item.
	item = text.Lazy(`^(?:[•・●○■◆▪※]\s*|[-*‐–]\s+|\(?\d{1,2}[.)）]\s+|[①-⑳]\s*)`)
	// caption matches the label of a figure or a table.
	caption = text.Lazy(`^(?i:fig(?:ure)?s?|table|photo|plate|chart|図表?|表|写真|グラフ)\s*[.:]?\s*[0-9０-９A-Z][0-9０-９.\-–]*(?:\s*[:：.．]|\s|$)`)
	// labelled matches a name and its value on one line, such as "Opening hours: 9 to 17".
	labelled = text.Lazy(`^[^:：]{2,40}[:：]\s*\S*.*(?:[0-9０-９@]|://)`)
	// heads matches the marks that only headings begin with.
	heads = text.Lazy(`^(?:#{1,6}\s|第[0-9０-９一二三四五六七八九十]+[章節編部条]|【[^】]*】$)`)
	// listing matches how the lines of programs and settings begin, which are no sentences.
	listing = text.Lazy(`^(?:[;{}\\]|\$[A-Za-z{(]|//|/\*|@\s)`)
	// jaRest matches how no line of Japanese begins that is not the rest of one: a particle before a word.
	jaRest = text.Lazy(`^(?:[をへ、。，．]|[がのではにと][\p{Katakana}\p{Han}A-Za-z0-9])`)
	// jaTail matches how no Japanese sentence begins: a particle, an ending, or the middle of a katakana word.
	jaTail = text.Lazy(`^(?:[、。，．）」』】〕・ーァィゥェォッャュョぁぃぅぇぉっゃゅょンんをがねよ]|は[^いじ]|に[^ほわ]|の[^ちみぼど]|で[^はもき]|と[^きくこてもり]|へ|まで|から[^だ]|より|ます|ません|です|でした|った|って|れる|られ|せる)`)
)

// englishOpening matches how an English sentence begins.
var englishOpening = text.Lazy(`^["'“‘(]*(?:\p{Lu}['’]?\p{Ll}|[AI]\s)`)

// maxHeading is the length in code points up to which a line that ends like no sentence is taken for a heading.
var maxHeading = map[string]int{"en": 80, "ja": 40}

// smallContext is the length in code points below which a context is taken for a whole document or paragraph, not for a piece cut
// to a size.
const smallContext = 200

// statementReader reads one context line by line.
type statementReader struct {
	lang    string
	heading string
	columns []string // of the table being read; nil outside tables and where its head was cut off
	inTable bool
	first   bool // nothing but white space came before
	fresh   bool // the context begins with a line
	cut     bool // the row being read stands right below the line with which the context begins
	open    bool // the context may have been cut behind its last line
	width   int  // of its lines, in code points, where they are wrapped
	found   []statement
}

func (r *statementReader) read(s string) {
	lines := strings.Split(strings.TrimRight(s, " \t\n"), "\n")
	r.open = !strings.HasSuffix(s, "\n") && len([]rune(s)) > smallContext
	r.width = widthOf(lines, r.lang)
	r.first, r.fresh = true, strings.Contains(s[:len(s)-len(strings.TrimLeft(s, " \t\n"))], "\n")
	var block []string
	flush := func(last bool) {
		if len(block) > 0 {
			r.paragraph(strings.Join(block, "\n"), last)
			block, r.first = nil, false
		}
	}
	for i, raw := range lines {
		line, last := strings.TrimSpace(raw), i == len(lines)-1
		cells := text.Cells(raw)
		if cells == nil {
			r.inTable, r.columns = false, nil
		}
		switch {
		case line == "", listing.MatchString(line):
			flush(false)
		case cells != nil:
			flush(false)
			r.cut = i == 1 && !r.fresh // the line above may be the end of the head
			r.row(cells, last)
			r.first = false
		case item.MatchString(line) || heads.MatchString(line):
			flush(false)
			block = []string{line}
		case len(block) > 0 && !r.continues(block[len(block)-1], line):
			flush(false)
			block = []string{line}
		default:
			block = append(block, line)
		}
		if last {
			flush(true)
		}
	}
}

// longestWrapped is the length in code points up to which a line may be one of a text that was wrapped.
var longestWrapped = map[string]int{"en": 120, "ja": 60}

// widthOf is the length of the longest line that may be a wrapped one.
func widthOf(lines []string, lang string) int {
	width := 0
	for _, line := range lines {
		if n := len([]rune(strings.TrimSpace(line))); n <= longestWrapped[lang] {
			width = max(width, n)
		}
	}
	return width
}

// continues reports whether line goes on with what the line before it began: text that was wrapped. Where its first word had found room in
// the line before, the lines are two things: items of a list, cells, a heading and what follows it, lines of a listing.
func (r *statementReader) continues(before, line string) bool {
	if heads.MatchString(before) || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：") || endsAsked(before) {
		return false
	}
	n := len([]rune(before))
	if r.lang == "ja" {
		return !whole(before) && n >= maxHeading["ja"]*3/4 && 10*n >= 9*r.width
	}
	next, _, _ := strings.Cut(line, " ")
	return (!whole(before) || unicode.IsLower([]rune(line)[0])) && n >= maxHeading["en"]/2 &&
		20*(n+1+len([]rune(next))) > 17*r.width
}

// closers are the marks that may follow the end of a sentence.
const closers = `"'”’」』）)`

// whole reports whether s ends as sentences do.
func whole(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, closers))
	return strings.ContainsRune(".!。！", last)
}

func endsAsked(s string) bool {
	s = strings.TrimRight(s, closers)
	for _, end := range []string{"?", "？", "か。", "か"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// paragraph reads one block of lines that belong together.
func (r *statementReader) paragraph(block string, last bool) {
	marker := item.FindString(block)
	joint := " "
	if r.lang == "ja" {
		joint = ""
	}
	body := strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimPrefix(block, marker), "\n", joint)), " ")
	if r.headed(body, marker != "") {
		r.heading = strings.TrimSpace(strings.TrimLeft(body, "# "))
		return
	}
	x := text.NewIndex(body)
	spans := text.Sentences(body)
	for i, span := range spans {
		s := x.Slice(span.Start, span.End)
		switch {
		case caption.MatchString(s) && len(spans) == 1:
		case endsAsked(s):
			r.heading = s
		case r.first && i == 0 && marker == "" && r.tail(s):
		case i == 0 && marker == "" && r.lang == "ja" && jaRest.MatchString(s): // its beginning stands in the line above
		case !r.complete(s, marker != "", last && i == len(spans)-1):
		default:
			opens := r.first && i == 0 && marker == "" && !r.fresh && r.doubtful(s)
			r.found = append(r.found, statement{text: s, heading: r.heading, item: marker != "", opens: opens})
		}
	}
}

// doubtful reports whether s may have lost its beginning. A capital and a small letter begin an English sentence; a digit or the rest of
// an abbreviation need not, and in Japanese nothing shows.
func (r *statementReader) doubtful(s string) bool {
	return r.lang == "ja" || !englishOpening.MatchString(s)
}

// cutShort reports whether a context ends in the middle of a sentence: then it was cut to a size, and so were those beside it.
func cutShort(context string) bool {
	if strings.HasSuffix(context, "\n") || len([]rune(context)) <= smallContext {
		return false
	}
	last := strings.TrimSpace(context[strings.LastIndex(context, "\n")+1:])
	return !whole(last) && !endsAsked(last) && !item.MatchString(last) && text.Cells(last) == nil
}

// headed reports whether a block is the heading of what follows it.
func (r *statementReader) headed(s string, marked bool) bool {
	n := len([]rune(s))
	switch {
	case heads.MatchString(s), strings.HasSuffix(s, ":"), strings.HasSuffix(s, "："):
		return n <= 2*maxHeading["en"]
	case whole(s), marked, labelled.MatchString(s), caption.MatchString(s), strings.ContainsAny(s, "。！？!?"):
		return false
	}
	return n <= maxHeading[r.lang]
}

// tail reports whether s is the end of a sentence that began before the context does.
func (r *statementReader) tail(s string) bool {
	begin := []rune(s)[0]
	if r.lang == "ja" {
		return jaTail.MatchString(s)
	}
	return unicode.IsLower(begin) || strings.ContainsRune(",;:.)]%’'", begin)
}

// complete reports whether s says something from its beginning to its end. end means that the context ends with it.
func (r *statementReader) complete(s string, marked, end bool) bool {
	n := len([]rune(s))
	words := len(strings.Fields(s))
	switch {
	case strings.HasSuffix(s, ":"), strings.HasSuffix(s, "："), strings.HasSuffix(s, "…"), strings.HasSuffix(s, "..."):
		return false
	case whole(s):
		return r.lang == "ja" && n >= 6 || r.lang != "ja" && words >= 3
	case end && r.open:
		return false // the rest of it stands in the next chunk
	case labelled.MatchString(s):
		return n >= 4
	case marked: // a bare name states nothing
		return strings.ContainsFunc(s, unicode.IsDigit) || r.lang == "ja" && n >= 12 || r.lang != "ja" && words >= 3
	}
	return n > maxHeading[r.lang]
}

// row reads one row of a table. The first row names the columns, unless the head may have been cut off: then rows are quoted as they
// stand, since what another row says names no column. A row in which the context may have been cut is not quoted.
func (r *statementReader) row(cells []string, last bool) {
	if !r.inTable {
		r.inTable = true
		if !r.first && !r.cut {
			r.columns = cells
		}
		return // the head, or what is left of a row
	}
	if text.Rule(cells) || last && r.open {
		return
	}
	if s := text.SayRow(r.columns, cells, r.lang); s != "" {
		found := statement{text: s, heading: r.heading, item: true}
		if bare := text.SayRow(nil, cells, r.lang); bare != s {
			found.bare = bare
		}
		r.found = append(r.found, found)
	}
}
