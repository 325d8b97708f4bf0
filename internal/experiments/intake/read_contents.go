package intake

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// contents is what the cells of one column look like, as shares of those that hold something.
type contents struct {
	cells                                             int // that hold something, of the first sampledRows
	asks, numbers, urls, files, pages, yesNo, answers float64
	judged                                            float64 // numbers, marks, grades and words of right and wrong
	distinct                                          float64
	length                                            float64 // mean, in code points
	samples                                           []string
	structured                                        bool    // a cell is a list or an object
	shares                                            bool    // numbers from 0 to 1, of which some lie between
	words                                             bool    // few short words that come again
	marks                                             bool    // no cell is longer than a mark or a day
	prose                                             float64 // words of a language, rather than a time, a code or a number
}

// sampledRows is how many rows are looked at to learn what a column holds.
const sampledRows = 300

// longestSample is how many bytes of a cell are looked at, half of them its first and half its last.
const longestSample = 4096

// maxSamples is how many values of a column people are shown.
const maxSamples = 3

func (t *Table) contents(column int) contents {
	var c contents
	seen := map[string]bool{}
	longest, outside, between := 0, false, false
	for _, row := range t.Rows[:min(sampledRows, len(t.Rows))] {
		v := row.Cell(column)
		switch v.(type) {
		case []any, map[string]any:
			c.structured = true
		}
		s, err := metadataText(v)
		if s = strings.TrimSpace(s); err != nil || s == "" {
			continue
		}
		c.cells++
		c.length += float64(utf8.RuneCountInString(s))
		c.structured = c.structured || looksStructured(s)
		seen[fmt.Sprint(row.Number/tabStride, " ", s)] = true // each of several sheets may number from 1
		if len(s) > longestSample {
			s = strings.ToValidUTF8(s[:longestSample/2], "") + strings.ToValidUTF8(s[len(s)-longestSample/2:], "")
		}
		if len(c.samples) < maxSamples {
			c.samples = append(c.samples, Shortened(s))
		}
		count := func(n *float64, yes bool) {
			if yes {
				*n++
			}
		}
		count(&c.asks, asksSomething(s))
		count(&c.numbers, isNumber(s))
		count(&c.judged, isNumber(s) || isMark(s) || judgedCell.MatchString(norm.NFKC.String(s)))
		n, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
		outside, between = outside || err != nil || n < 0 || n > 1, between || err == nil && n > 0 && n < 1
		longest = max(longest, utf8.RuneCountInString(s))
		count(&c.urls, isURL(s))
		count(&c.files, isFile.MatchString(s) && !holdsQuote(s))
		count(&c.pages, isPage.MatchString(norm.NFKC.String(s)))
		_, err = CellBool(s, true)
		count(&c.yesNo, err == nil)
		count(&c.prose, isProse(s))
		_, err = answers(s, false)
		count(&c.answers, err == nil)
	}
	if c.cells > 0 {
		n := float64(c.cells)
		for _, share := range []*float64{&c.asks, &c.numbers, &c.urls, &c.files, &c.pages, &c.yesNo, &c.answers, &c.length, &c.judged,
			&c.prose} {
			*share /= n
		}
		c.shares = between && !outside
		c.marks = longest <= 8
		c.words = longest <= longestName && 3*len(seen) <= 2*c.cells
		c.distinct = float64(len(seen)) / n
	}
	return c
}

// isProse reports whether a text may be a sentence: most of it are letters, and it has several words or is in a writing that parts none.
func isProse(s string) bool {
	letters, others, wide := 0, 0, false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
			wide = wide || r >= 0x0e00 && r <= 0x0eff || r >= 0x3040
		case !unicode.IsSpace(r):
			others++
		}
	}
	return letters > others && (wide || strings.ContainsAny(strings.TrimSpace(s), " \n\u00a0"))
}

// judgedCell is what people write of an answer in place of a number.
var judgedCell = text.Lazy(`(?i)^(?:pass(?:ed)?|fail(?:ed)?|ok|ng|(?:in|partially |partly )?correct|right|wrong|yes|no|ja|nein|oui|non|sí|si|true|false|` +
	`合格|不合格|正解|不正解|部分正解|[a-f][+-]?|n/?a|[0-9]+(?:[.,][0-9]+)?\s*(?:[%％]|点|/\s*[0-9]+)|[★☆⭐🌟✩\x{fe0f}]+)$`)

// looksStructured reports whether a cell holds a list or an object as text.
func looksStructured(s string) bool { return strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{") }

// sourceLike reports whether most cells name a place instead of saying something.
func (c contents) sourceLike() bool { return c.urls+c.files+c.pages >= 0.5 }

var (
	isFile = text.Lazy(`(?i)^[^\n]{1,120}\.(?:pdf|docx?|xlsx?|pptx?|md|txt|html?|csv)(?:$|[\s#:、,(（].{0,40}$)`)
	isPage = text.Lazy(`(?i)^(?:(?:p{1,2}|pages?|pg|sec|section|§|chapter|ch|第|頁|` +
		`ページ)[.\s]*[0-9]+(?:[-–~〜.、,\s]+[0-9]+)*(?:\s*[頁章節条項]|\s*ページ)?|[0-9]+(?:[-–~〜.][0-9]+)*\s*(?:頁|ページ|章|節|条|p|pages?))\.?$`)
)

func isURL(s string) bool {
	return (strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")) && !strings.ContainsAny(s, " \n")
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(strings.ReplaceAll(norm.NFKC.String(s), ",", "")), 64)
	return err == nil
}

// asksSomething reports whether a text is a question, in either language.
func asksSomething(s string) bool {
	s = strings.TrimRight(strings.TrimSpace(s), `"'”’」』）)`)
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		return true
	}
	s = strings.TrimRight(s, "。.")
	for _, end := range []string{"か", "ください", "下さい", "教えて", "たい", "ですよね"} {
		if strings.HasSuffix(s, end) && len([]rune(s)) > len([]rune(end))+2 {
			return true
		}
	}
	return false
}

// unanswerableWords are what people write in the place of the right answer where the documents do not hold one.
var unanswerableWords = text.Lazy(`(?i)^(?:n\s*/\s*a|na|n\.a\.|none|nil|no answer|not answerable|unanswerable|cannot be ` +
	`answered|can't be answered|out of scope|not applicable|unknown|not known|` +
	`[-–—―ー－‐]+|×|なし|無し|無|該当なし|該当無し|該当せず|記載なし|記載無し|回答なし|回答不可|回答不能` +
	`|(?:回答)?(?:対象|範囲)外|スコープ外|oos|out-of-scope|not in scope|未記載|不明)[.。]?$`)

// noneBecause is such a word with a reason that speaks of the documents: without one, 対象外（学生） may be the answer.
var noneBecause = text.Lazy(`(?i)^(?:n/?a|oos|out of scope|not applicable|unanswerable|(?:回答)?(?:対象|範囲)外|スコープ外|該当なし` +
	`|回答(?:不可|不能|なし))\s*` +
	`(?:[(\[【]|[-–—:：、,;。]|\.\s|\s)\s*.{0,50}(?:資料|文書|文献|マニュアル|規程|規定|記載|回答|ナレッジ|スコープ` +
	`|範囲|faq|\bdoc(?:ument)?s?\b|documentation|manual|` +
	`handbook|guide|policy|covered|scope|corpus|knowledge|\bkb\b|answer).{0,30}$`)

// notInDocuments matches a short sentence that says that the documents hold no answer.
var notInDocuments = text.Lazy(`(?i)^(?:(?:this |it |that |the answer )?(?:is |are )?(?:not|isn't|nowhere) (?:\w+ )?(?:in|` +
	`covered|mentioned|stated|found|documented|described|addressed|specified|defined|regulated|listed|given)\b.{0,40}|` +
	`(?:the )?(?:manual|documents?|docs|handbook|guide|faq) (?:does|do) not (?:say|cover|mention|state|tell).{0,20}|no (?:answer|` +
	`information|mention|entry|rule) .{0,40}|` +
	`.{0,20}(?:記載|該当|情報|記述|規定|説明|定め|回答|答え|掲載)(?:する)?(?:記載|箇所|情報|項目)?(?:が|は)?(?:なし|無し|ない|無い|ありません|ございません|見当たりません|されて(?:いない|いません|おりません)|できない|できません)(?:です)?[。]?)$`)

// refusals match what a system is to say where it has no answer, alone or with the reason in brackets.
var refusals = text.Lazy(`(?i)^(?:(?:回答|解答)(?:は)?(?:不可能?|不能|(?:が)?(?:でき|出来)(?:ない|ません)|しない)|(?:お)?答え(?:られ|(?:は|が)?(?:でき|出来))(?:ない|ません)|` +
	`(?:わか|分か|判)(?:らない|りません)|(?:i )?(?:do not|don't|don’t) know|(?:i )?(?:cannot|can't|can’t|unable to) (?:answer|say))(?:です)?[。.]?\s*` +
	`(?:[(【\[][^)】\]]{0,40}[)】\]][。.]?)?$`)

// inBrackets is a text that stands in brackets as a whole.
var inBrackets = text.Lazy(`^[(【\[「『]([^()【】\[\]「」『』]+)[)】\]」』][。.]?$`)

// onlyNone are the words for no answer that may as well be the answer.
var onlyNone = text.Lazy(`(?i)^(?:なし|無し|無|none|nil|×)[.。]?$`)

// saysUnanswerable reports whether a right answer says that there is none in the documents.
func saysUnanswerable(reference string) bool {
	s := strings.TrimSpace(norm.NFKC.String(reference))
	if inside := inBrackets.FindStringSubmatch(s); inside != nil {
		s = strings.TrimSpace(inside[1])
	}
	return unanswerableWords.MatchString(s) || refusals.MatchString(s) || noneBecause.MatchString(s) ||
		len([]rune(s)) <= 60 && notInDocuments.MatchString(s)
}
