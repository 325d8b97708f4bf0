package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	// anyName matches, in the whole name of a column, that each of several answers in a cell is right.
	anyName = text.Lazy(`いずれか|どれか|複数可|別解|許容|正解(?:候補|パターン)|any of|(?:accepted|acceptable|alternative|alternate` +
		`|correct) (?:answers|responses|` +
		`variants|wordings|values)|either`)
	// allName matches that an answer has to hold all of what a cell lists.
	allName = text.Lazy(`必須|ポイント|要点|要素|すべて|全て|\bpoints?\b|\bfacts?\b|\belements?\b|checklist|must (?:contain|include` +
		`|mention|have)|all of|\bsteps?\b|手順`)

	// anyLine is the line above a list of which each item is a right answer; without a word for right it may belong to the answer.
	anyLine = text.Lazy(`(?i)^(?:(?:以下|次|下記)の(?:うち)?(?:いずれか|どれか)(?:一つ|1つ|ひとつ)?(?:で|が|なら|を` +
		`|であれば)?\s*(?:正解|可|ok|よい|良い)(?:とする|です)?|` +
		`(?:any|one|either)(?: one)? of (?:these|the following|the below)(?: answers)? (?:is|are|counts as) (?:correct|accepted|acceptable|right|ok|fine)|` +
		`(?:accepted|acceptable|correct|allowed) (?:answers|variants)(?: \(any\))?)\s*[:。.]?$`)
	// eitherLine is the line above a list of which one item may be enough, for the answer or for what it is about.
	eitherLine = text.Lazy(`(?i)いずれか|どれか|\b(?:any|one|either) of\b`)
	// anotherLine begins a further right answer.
	anotherLine = text.Lazy(`(?im)^[ \t　]*[（(【\[]?(?:別解|許容(?:解|回答|表現)?|(?:他|別)の正解|alt(?:ernative)?(?: answer)?s?` +
		`|also (?:accepted|acceptable|correct|ok|fine))` +
		`[ 　]*[0-9０-９①-⑳]*(?:[）)】\]][ 　]*[:：]?|[ 　]*[:：])[ \t　]*`)
	// alsoRight is a further right answer in brackets at the end.
	alsoRight = text.Lazy(`(?is)^(.+?)\s*[（(\[【](?:別解\s*[:：]?\s*([^（）()]+?)|also (?:accepted|acceptable|correct|ok|fine)\s*:?\s*([^()]+?)|` +
		`((?:[「“"'][^」”"']+[」”"'][、,・/／]?\s*)+)(?:も|でも)(?:可|正解|ok|よい|良い)(?:とする)?` +
		`|([^「」（）()]{1,30})も正解(?:とする)?|` +
		`["“']?([^()"”']+?)["”']? (?:is|are) (?:also )?(?:accepted|acceptable|fine|ok|correct))[）)\]】][。.]?$`)
	// alsoFine may name a further right answer, or say of what it answers what else is allowed: by post (e-mail is fine too).
	alsoFine = text.Lazy(`(?:も|でも)(?:可|ok|よい|良い)(?:とする)?[）)\]】][。.]?$`)
	inQuotes = text.Lazy(`[「“"']([^」”"']+)[」”"']`)

	// betweenAnswers parts answers where it is known that each is right.
	betweenAnswers = text.Lazy(`\s*(?:[;；|｜]|[ 　]/[ 　]?|／|、?(?:または|又は|もしくは|若しくは|あるいは)、?|,?[ 　]or[ 　])\s*`)
	// perhapsOr parts what may be several answers, or one.
	perhapsOr = text.Lazy(`(?i)[ 　]/[ 　]|／|または|又は|もしくは|若しくは|あるいは|[ 　]or[ 　]|[ 　][|｜][ 　]`)
)

const (
	longestAlternative = 30 // code points of an answer that stands with others on one line
	longestInDoubt     = 60 // code points of a cell that may hold several
)

// alternatives reads a cell with a right answer: the answer, and others that the cell or its column says are right too. Points that an
// answer has to hold stay one text, and so does what may be either, which is named. A column that is called as we call it is not cut:
// what was exported comes back as it was.
func (r *rowReader) alternatives(s string, column int) []string {
	name := strings.ToLower(norm.NFKC.String(r.b.table.Columns[column]))
	switch {
	case s == "" || allName.MatchString(name):
		return []string{s}
	case anyName.MatchString(name):
		return accepted(s)
	case ColumnKey(name) != FieldReference:
		if list := toldApart(s); list != nil {
			return list
		}
	}
	if r.b.columns.at(fieldReferences) < 0 && mayBeSeveral(s) {
		r.b.several = append(r.b.several, text.Say("%s (%q)", "%s（「%s」）", r.b.table.place(r.row.Number), Shortened(s)))
	}
	return []string{s}
}

// toldApart are several right answers of which the text itself says that each is one; nil where it does not.
func toldApart(s string) []string {
	if first, rest, lines := strings.Cut(s, "\n"); lines && anyLine.MatchString(strings.TrimSpace(norm.NFKC.String(first))) {
		return accepted(rest)
	}
	if at := anotherLine.FindAllStringIndex(s, -1); len(at) > 0 && strings.TrimSpace(s[:at[0][0]]) != "" {
		list := []string{strings.TrimSpace(s[:at[0][0]])}
		for i, cut := range at {
			end := len(s)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			list = append(list, accepted(s[cut[1]:end])...)
		}
		return list
	}
	if m := alsoRight.FindStringSubmatch(s); m != nil && len([]rune(m[1])) <= longestInDoubt {
		list := []string{m[1]}
		for _, quoted := range inQuotes.FindAllStringSubmatch(m[4], -1) {
			list = append(list, quoted[1])
		}
		return append(list, accepted(m[2]+m[3]+m[5]+m[6])...)
	}
	return nil
}

// accepted cuts a cell of which every answer is right: at its lines, else at what parts short ones.
func accepted(s string) []string {
	parts := strings.Split(s, "\n")
	if len(parts) == 1 {
		parts = cutShort(s)
	}
	for i, part := range parts {
		parts[i] = strings.TrimSpace(listMark.ReplaceAllString(strings.TrimSpace(part), ""))
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// cutShort cuts a line into short answers; where a part is none, the line is one answer.
func cutShort(s string) []string {
	var parts []string
	from := 0
	for _, cut := range betweenAnswers.FindAllStringIndex(s, -1) {
		parts, from = append(parts, s[from:cut[0]]), cut[1]
	}
	parts = append(parts, s[from:])
	if slices.ContainsFunc(parts, func(p string) bool {
		p = strings.ToLower(strings.TrimSpace(p))
		return p == "" || len([]rune(p)) > longestAlternative || strings.HasPrefix(p, "then ") || strings.HasPrefix(p, "and ")
	}) {
		return []string{s}
	}
	return parts
}

// mayBeSeveral reports whether a right answer may as well be several: short ones with "or" or a stroke between them or one on
// each line, and no list of points.
func mayBeSeveral(s string) bool {
	s = strings.TrimSpace(s)
	if len([]rune(s)) > longestInDoubt {
		return false
	}
	first, _, lines := strings.Cut(s, "\n")
	if !lines {
		return alsoFine.MatchString(strings.ToLower(norm.NFKC.String(s))) ||
			perhapsOr.MatchString(s) && !strings.ContainsAny(strings.TrimRight(s, "。."), "。") && !isURL(s)
	}
	if eitherLine.MatchString(first) {
		return true
	}
	if goesOn.MatchString(norm.NFKC.String(s)) && !alsoFine.MatchString(strings.ToLower(norm.NFKC.String(s))) {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if listMark.MatchString(line) || len([]rune(line)) > 15 || strings.HasSuffix(line, "。") || strings.HasSuffix(line, ".") ||
			strings.ContainsAny(line, ":：") && !clock.MatchString(line) {
			return false
		}
	}
	return true
}

// goesOn is a text one of whose lines only goes on with the line above: after a dash, or in brackets.
var goesOn = text.Lazy(`[~〜～–—、,-][ \t\r]*\n|\n[ \t]*[~〜～–—]|\n[ \t]*\([^()\n]*\)[ \t]*(?:\n|$)`)

// clock is a time of day, whose colon sets nothing apart.
var clock = text.Lazy(`[0-9][:：][0-9]{2}`)
