package intake

import (
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// passage is a piece of an evidence cell that says where its quote stands: manual.pdf p.3「…」, or 規程 第5条：….
type passage struct {
	written string // as it stands in the cell
	source  string // what names the document or the place
	doc     string // the document of the corpus that the source names; "" for none
	quote   string // "" where only a place is named
}

const (
	longestSource = 80 // code points of what may name a document and a place
	shortestQuote = 4  // code points; less stands everywhere
)

var (
	// placePart is a place in a document: a page, a chapter, an article with its heading.
	placePart = text.Lazy(`(?i)\bp{1,2}\.?\s*[0-9]+(?:\s*[-–~,、]\s*[0-9]+)*|` +
		`\b(?:pages?|pg\.?|sec(?:tion|\.)?|chapter|ch\.|art(?:icle|\.)?|para(?:graph|\.)?|clause|lines?|slide|table|item)\s*[0-9]+(?:(?:[.\-–~]|,? (?:and` +
		`|to) |, ?)[0-9]+)*|§+\s*[0-9]+(?:\.[0-9]+)*|` +
		`第\s*[0-9一二三四五六七八九十百〇]+\s*[章節条項号編款部](?:の[0-9一二三四五六七八九十]+)?(?:\s*\([^()]{1,20}\))?(?:に(?:は)?$)?|` +
		`[0-9]+(?:\.[0-9]+)*\s*(?:頁目?|ページ目?|章|節|条|項|行目)|#[\p{L}\p{N}_.-]+`)
	// fileNamed is a text that is the name of a file.
	fileNamed = text.Lazy(`(?i)^(?:[^\s:;"“”「」\[\]—。]+ ){0,7}[^\s:;"“”「」\[\]—。]{1,80}\.(?:pdf|docx?|xlsx?|pptx?|md|txt|html?|csv)$`)
	// sourceLabel stands before the name of a source.
	sourceLabel = text.Lazy(`(?i)^(?:[\[【(]?(?:出典|出所|引用元|参照元?|参考(?:資料|文献)?|根拠(?:資料|文書)?|資料名?` +
		`|文書名?|ファイル名?|source|` +
		`ref(?:erence)?|document|doc|file)[\]】)]?\s*[:】\])]|(?:see(?: also)?|from|per|cf\.?|according to)\s)\s*`)
	// sourceEnd stands behind the name of a source.
	sourceEnd = text.Lazy(`(?:より(?:抜粋|引用)?|を?参照|から(?:引用|抜粋)?)$`)
	// quoteEnd stands behind a quote.
	quoteEnd = text.Lazy(`^\s*と(?:ある|あり|の記載|記載|規定|明記|定め)[^「」『』]{0,10}$`)
	// quoteLabel stands before a quote.
	quoteLabel = text.Lazy(`(?i)^(?:[\[【(［（](?:引用文?|該当箇所|該当文|原文|本文|抜粋|根拠文?|quote|excerpt|passage` +
		`|text)[\]】)］）]\s*[:：]?|` +
		`(?:引用文?|該当箇所|該当文|原文|本文|抜粋|根拠文?|quote|excerpt|passage|text)\s*[:：])\s*`)
	// listMark begins an item of a list.
	listMark = text.Lazy(`^(?:[・*●■◆○•‣–-]\s*|[(（]?[0-9]{1,2}[.)）]\s+|[①-⑳]\s*)`)
	// behindQuote is a source in brackets or behind a dash at the end of a text.
	behindQuote = text.Lazy(`(?s)^(.+?)\s*(?:[（(\[【〔［]([^（(\[【〔［）)\]】〕］]+(?:[（(][^（(）)]{1,20}[）)])?)[）)\]】〕］][。.]?|` +
		`(?:—|――?|–|--|\s-|※|→|[/／]?\s*出典[：:])\s*([^—–\n]+))$`)
	// inFront is a source in brackets before a quote.
	inFront = text.Lazy(`(?s)^[（(\[【〔［]([^（(\[【〔［）)\]】〕］]+(?:[（(][^（(）)]{1,20}[）)])?)[）)\]】〕］]\s*(.+)$`)
	// fileInFront is the name of a file, perhaps with a place, before a quote that nothing sets apart.
	fileInFront = text.Lazy(`(?is)^([^\s「」『』"“”:：]{1,80}\.(?:pdf|docx?|xlsx?|pptx?|md|txt|html?|csv)(?:[\s,、　]*(?:` +
		`p{1,2}\.?\s*[0-9]+(?:[-–~][0-9]+)?|第\s*[0-9０-９一二三四五六七八九十百]+\s*[章節条項号]))*)[\s,、　]+(.+)$`)
)

const sourceMarks = " \t\n　,、;；:：-–—~()（）[]［］【】〔〕<>《》『』「」\"“”'・/／|→*●■◆○※•"

// sourceOf reports whether a text does no more than name a document, a place in one or both, and which document of the corpus that is.
func sourceOf(c *rag.Corpus, s string) (doc string, is bool) {
	s = strings.Trim(norm.NFKC.String(s), sourceMarks)
	if s == "" || len([]rune(s)) > longestSource || strings.Contains(s, "。") {
		return "", false
	}
	for label := sourceLabel.FindString(s); label != ""; label = sourceLabel.FindString(s) {
		s = s[len(label):]
	}
	s = strings.Trim(sourceEnd.ReplaceAllString(s, ""), sourceMarks)
	if strings.ContainsAny(s, "「」“”\"") {
		return "", false
	}
	if doc := documentCalled(c, s); doc != "" {
		return doc, true
	}
	name := strings.TrimSuffix(strings.Trim(placePart.ReplaceAllString(s, " "), sourceMarks), "の")
	placed := name != s
	if name == "" {
		return "", placed
	}
	if doc := documentCalled(c, name); doc != "" {
		return doc, true
	}
	if fileNamed.MatchString(name) && !strings.Contains(name, ". ") {
		return "", true
	}
	return "", placed && len([]rune(name)) <= 40 && !strings.ContainsFunc(name,
		func(r rune) bool { return strings.ContainsRune("。、.,?？!！", r) }) &&
		len(strings.Fields(name)) <= 5
}

// nameIn is what a source holds besides places and labels.
func nameIn(s string) string {
	s = strings.Trim(placePart.ReplaceAllString(norm.NFKC.String(s), " "), sourceMarks)
	return strings.Trim(s[len(sourceLabel.FindString(s)):], sourceMarks)
}

// saysMore reports whether a text that names a place in a document that nobody knows has words besides that place and a file's name.
func saysMore(s string) bool {
	s = nameIn(s)
	return s != "" && !fileNamed.MatchString(s)
}

// documentCalled is the document of the corpus that has a name: its id, its file's with or without the ending, its title or its address.
func documentCalled(c *rag.Corpus, s string) string {
	if c == nil || s == "" {
		return ""
	}
	s = nameOf(s)
	if strings.ContainsRune(s, '/') {
		if doc := documentCalled(c, path.Base(s)); doc != "" {
			return doc
		}
	}
	stem := s
	if fileNamed.MatchString(s) {
		stem = strings.TrimSuffix(s, path.Ext(s))
	}
	for _, d := range c.Documents {
		base := path.Base(d.ID)
		for _, name := range []string{d.ID, base, d.Title, d.Source, path.Base(d.Source), chapterNumber.ReplaceAllString(d.Title, "")} {
			if name != "" && s == nameOf(name) {
				return d.ID
			}
		}
	}
	for _, d := range c.Documents { // 規程.pdf may be in the corpus as 規程.md
		base := path.Base(d.ID)
		if stem == nameOf(strings.TrimSuffix(base, path.Ext(base))) || stem != s && d.Title != "" && stem == nameOf(d.Title) {
			return d.ID
		}
	}
	return ""
}

// passages cuts a text into quotes with what says where each stands, or into one place without a quote; nil where it is no such mix.
func passages(c *rag.Corpus, s string) []passage {
	s = strings.TrimSpace(s)
	if doc, is := sourceOf(c, s); is && (doc != "" || !saysMore(s)) {
		return []passage{{s, s, doc, ""}}
	}
	if list := markedPassages(c, s); list != nil {
		return list
	}
	bare := strings.TrimSpace(listMark.ReplaceAllString(s, ""))
	for _, cut := range []func(string) (source, quote string){headedByColon, headedByBrackets, headedByFile, followedBySource,
		followedByQuote} {
		source, quote := cut(bare)
		if doc, is := sourceOf(c, source); is {
			if quote = unmarked(quote); len([]rune(quote)) >= shortestQuote {
				if _, is := sourceOf(c, quote); !is {
					return []passage{{s, strings.Trim(source, " 　\t\n"), doc, quote}}
				}
			}
		}
	}
	return nil
}

func headedByColon(s string) (source, quote string) {
	at, width := -1, 0
	for _, mark := range []string{"：", ":", " – ", " — ", " - ", "―", "→", "\n"} {
		if i := strings.Index(s, mark); i > 0 && (at < 0 || i < at) {
			at, width = i, len(mark)
		}
	}
	if at < 0 {
		return "", ""
	}
	if label := sourceLabel.FindString(norm.NFKC.String(s[:at+width])); label != "" && width > 0 && strings.TrimSpace(label) ==
		strings.TrimSpace(norm.NFKC.String(s[:at+width])) { // the label's own colon: what names the source follows
		source, quote = headedByColon(s[at+width:])
		return source, quote
	}
	return s[:at], s[at+width:]
}

func headedByBrackets(s string) (source, quote string) {
	if m := inFront.FindStringSubmatch(s); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

func headedByFile(s string) (source, quote string) {
	if m := fileInFront.FindStringSubmatch(s); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

func followedBySource(s string) (source, quote string) {
	if m := behindQuote.FindStringSubmatch(s); m != nil {
		return m[2] + m[3], m[1]
	}
	return "", ""
}

func followedByQuote(s string) (source, quote string) {
	if m := behindQuote.FindStringSubmatch(s); m != nil && m[3] == "" {
		return m[1], m[2]
	}
	return "", ""
}

// unmarked is a quote without its label and the marks around it.
func unmarked(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(s[len(quoteLabel.FindString(s)):])
	for _, marks := range [][2]string{{"「", "」"}, {"『", "』"}, {"“", "”"}, {`"`, `"`}, {"‘", "’"}, {"''", "''"}} {
		inside, opens := strings.CutPrefix(s, marks[0])
		inside, closes := strings.CutSuffix(inside, marks[1])
		if opens && closes && !strings.Contains(inside, marks[1]) {
			return strings.TrimSpace(inside)
		}
	}
	return s
}

// markedPassages cuts at quotation marks. Between the quotes may stand nothing but sources, before or behind each.
func markedPassages(c *rag.Corpus, s string) (list []passage) {
	var between, quotes []string
	var out strings.Builder
	for rest := s; ; {
		open := strings.IndexAny(rest, "「『“\"")
		if open < 0 {
			out.WriteString(rest)
			break
		}
		mark := []rune(rest[open:])[0]
		inside, end := insideMarks(rest[open:], mark)
		if end < 0 {
			return nil
		}
		_, names := sourceOf(c, inside)
		switch {
		case names && mark == '『':
			out.WriteString(rest[:open+end])
		case len([]rune(inside)) < shortestQuote:
			return nil
		default:
			out.WriteString(rest[:open])
			between, quotes = append(between, out.String()), append(quotes, strings.TrimSpace(inside))
			out.Reset()
		}
		rest = rest[open+end:]
	}
	if len(quotes) == 0 {
		return nil
	}
	between = append(between, quoteEnd.ReplaceAllString(out.String(), ""))
	first, last := blankMarks(between[0]), blankMarks(between[len(between)-1])
	if first == last {
		return nil // no source, or one on both sides
	}
	source := ""
	for i, quote := range quotes {
		around := between[i]
		if first {
			around = between[i+1]
		}
		if !blankMarks(around) {
			source = around
		}
		doc, is := sourceOf(c, source)
		if !is {
			return nil
		}
		list = append(list, passage{s, strings.Trim(source, sourceMarks), doc, quote})
	}
	return list
}

// insideMarks is what stands in quotation marks at the beginning of a text, and where the text goes on; -1 where they stay open.
func insideMarks(s string, mark rune) (inside string, end int) {
	closing := map[rune]rune{'「': '」', '『': '』', '“': '”', '"': '"'}[mark]
	depth := 0
	for i, r := range s {
		switch {
		case i > 0 && r == closing:
			if depth--; depth == 0 {
				return s[len(string(mark)):i], i + len(string(r))
			}
		case r == mark:
			depth++
		}
	}
	return "", -1
}

// blankMarks reports whether a text between quotes says nothing.
func blankMarks(s string) bool {
	s = omission.ReplaceAllString(quoteLabel.ReplaceAllString(strings.TrimSpace(s), ""), "")
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// holdsQuote reports whether a text that begins or ends as a source does also quotes something.
func holdsQuote(s string) bool {
	for _, p := range passages(nil, s) {
		if p.quote != "" {
			return true
		}
	}
	return false
}
