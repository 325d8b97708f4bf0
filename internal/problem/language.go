package problem

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// What is wrong is told in English where it is found, and in Japanese where somebody reads it. The catalogue holds the Japanese of every
// message and hint by its format; this file is the one door to it. A Problem knows what its message was formatted from. A text that came
// by another way, such as the cause below a message, a row of a file or the reply of another process, is looked for among the formats.

//go:embed japanese.json
var japaneseJSON string

var japanese = NewCatalogue(japaneseJSON)

// In returns the Problem as it is said in a language, "en" or "ja". Words of others, such as those of a library, stay as they are.
func (p *Problem) In(lang string) *Problem {
	if lang != "ja" {
		return p
	}
	said := *p
	said.Message, said.Hint = p.message(), p.hint()
	said.Format, said.Args, said.HintFormat, said.HintArgs = "", nil, "", nil
	return &said
}

// message is the message in Japanese; other texts may have been put around what it was formatted from.
func (p *Problem) message() string {
	if ja, ok := filled(p.Format, p.Args); ok {
		if before, after, found := strings.Cut(p.Message, fmt.Sprintf(p.Format, p.Args...)); found {
			return around(before) + ja + around(after)
		}
	}
	ja, _ := Japanese(p.Message)
	return ja
}

func (p *Problem) hint() string {
	if p.Hint == fmt.Sprintf(p.HintFormat, p.HintArgs...) { // else it has no arguments, or was changed since it was set
		if ja, ok := filled(p.HintFormat, p.HintArgs); ok {
			return ja
		}
	}
	ja, _ := Japanese(p.Hint)
	return ja
}

// around is what stands before or behind a message: the places of it, one behind the other.
func around(text string) string {
	if place, ok := strings.CutSuffix(text, ": "); ok {
		if ja, known := Japanese(place); known {
			return ja + "："
		}
	}
	if len(text) > longest {
		return text
	}
	parts := strings.Split(text, ": ")
	for i, part := range parts {
		parts[i], _ = Japanese(part)
	}
	return strings.Join(parts, "：")
}

// both is an argument of a message that knows its own words in both languages.
type both struct{ en, ja string }

// String is what it is in English.
func (b both) String() string { return b.en }

// Both is an argument of a message or a hint whose Japanese is not in the catalogue but known where the problem is found.
func Both(en, ja string) fmt.Stringer { return both{en, ja} }

func isBoth(arg any) bool { _, is := arg.(both); return is }

// filled is the Japanese of a format with its arguments. One that says nothing itself needs none.
func filled(format string, args []any) (string, bool) {
	ja, ok := japanese.Find(format)
	if !ok && slices.ContainsFunc(args, isBoth) {
		ja, ok = format, true
	}
	if !ok || format == "" {
		return "", false
	}
	said := map[int]string{}
	for _, part := range partsOf(format) {
		if part.verb == "" || part.at >= len(args) {
			continue
		}
		text := fmt.Sprintf(part.verb, args[part.at])
		switch arg := args[part.at].(type) {
		case both:
			text = arg.ja
		case error:
			text = quotedUnlessKnown(arg.Error())
		default:
			if part.verb != "%q" {
				text = sentence(text)
			}
		}
		said[part.at] = text
	}
	return fill(ja, said), true
}

// sentence is a part of a message in Japanese, where it is a sentence itself; one word may be the name of something.
func sentence(text string) string {
	if !strings.Contains(text, " ") {
		return text
	}
	if ja, ok := Japanese(text); ok {
		return ja
	}
	if first, last, ok := strings.Cut(text, " or "); ok { // "dense, bm25 or hybrid"
		if words := append(strings.Split(first, ", "), last); !slices.ContainsFunc(words, hasSpace) {
			return strings.Join(words, "、") + "のいずれか"
		}
	}
	return text
}

func hasSpace(s string) bool { return strings.Contains(s, " ") }

// quotedUnlessKnown is a text in Japanese, or in quotation marks where it is somebody else's.
func quotedUnlessKnown(text string) string {
	if ja, ok := Japanese(text); ok {
		return ja
	}
	if strings.Contains(text, " ") && !strings.ContainsFunc(text, isJapanese) {
		return "「" + text + "」"
	}
	return text
}

// longest is the longest text that is looked for among the formats. A stranger may have sent a part of it, and the time grows faster than
// the text does.
const longest = 800

// Japanese is an English text in Japanese, and whether that is known of it or of a part of it; else the text itself.
func Japanese(english string) (string, bool) {
	if english == "" {
		return "", false
	}
	if len(english) > longest {
		if ja, ok := japanese.Find(english); ok {
			return fill(ja, nil), true
		}
		return english, false
	}
	if ja, ok := whole(english); ok {
		return ja, true
	}
	for _, between := range []struct{ en, ja string }{{"; ", "、"}, {": ", "："}} {
		if parts := strings.Split(english, between.en); len(parts) > 1 {
			if said, known := joined(parts, between.en, between.ja); known {
				return said, true
			}
		}
	}
	return english, false
}

// formatFor is the format that a text was made of, with what stands in the place of its verbs: the one of which most stands in the text.
func formatFor(text string) (format, map[int]string, bool) {
	for _, f := range formats() {
		if said, ok := f.match(text); ok {
			return f, said, true
		}
	}
	return format{}, nil, false
}

// joined are the parts of a text in Japanese; those that nobody here wrote stand together in quotation marks.
func joined(parts []string, en, ja string) (text string, known bool) {
	var said, foreign []string
	end := func() {
		if len(foreign) > 0 {
			said, foreign = append(said, quotedUnlessKnown(strings.Join(foreign, en))), nil
		}
	}
	for len(parts) > 0 {
		own, ok, taken := headOf(parts, en)
		if ok {
			end()
			said, known = append(said, own), true
		} else {
			foreign = append(foreign, parts[0])
		}
		parts = parts[taken:]
	}
	if !known {
		return "", false
	}
	end()
	return strings.Join(said, ja), true
}

// mostParts is how many parts are looked for as one: what separates parts may stand in a sentence, too, but not often.
const mostParts = 8

// headOf is the Japanese of the first of the parts, or of the first ones that are one sentence, and how many those are.
func headOf(parts []string, between string) (ja string, ok bool, taken int) {
	if n := len(parts); n > 1 && n <= mostParts {
		if ja, ok := whole(strings.Join(parts, between)); ok {
			return ja, true, n
		}
		if _, ok := whole(strings.Join(parts[1:], between)); !ok {
			if ja, ok := whole(strings.Join(parts[:2], between)); ok {
				return ja, true, 2
			}
		}
	}
	ja, ok = Japanese(parts[0])
	return ja, ok, 1
}

// whole is a text in Japanese that is one of the catalogue as a whole.
func whole(english string) (string, bool) {
	if ja, ok := japanese.Find(english); ok {
		return fill(ja, nil), true
	}
	if f, said, ok := formatFor(english); ok {
		return fill(f.japanese, said), true
	}
	return "", false
}

func isJapanese(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// part is a piece of a format: letters as they stand, or a verb with the place of its argument.
type part struct {
	text, verb string
	at         int
}

// partsOf takes a format apart as fmt does.
func partsOf(format string) (parts []part) {
	at := 0
	for format != "" {
		before, rest, found := strings.Cut(format, "%")
		if before != "" {
			parts = append(parts, part{text: before})
		}
		if !found {
			break
		}
		end := 0
		for end < len(rest) && strings.IndexByte("0123456789.+-# []", rest[end]) >= 0 {
			end++
		}
		switch {
		case strings.HasPrefix(rest, "%"):
			parts, format = append(parts, part{text: "%"}), rest[1:]
			continue
		case end == len(rest) || strings.IndexByte("bcdeEfFgGqsTtvxX", rest[end]) < 0: // a percent sign
			parts, format = append(parts, part{text: "%"}), rest
			continue
		}
		verb := "%" + rest[:end+1]
		if _, number, ok := strings.Cut(verb, "["); ok {
			number, kind, _ := strings.Cut(number, "]")
			n, _ := strconv.Atoi(number)
			at, verb = n-1, "%"+kind
		}
		parts, format = append(parts, part{verb: verb, at: at}), rest[end+1:]
		at++
	}
	return parts
}

// andMore is a list that names only its first parts, with its end in Japanese: "a, b, and 3 more".
func andMore(list string) string {
	names, counted := strings.CutSuffix(list, " more")
	at := strings.LastIndex(names, " and ")
	if !counted || at <= 0 {
		return list
	}
	n, err := strconv.Atoi(names[at+len(" and "):])
	if err != nil || n < 1 {
		return list
	}
	return fmt.Sprintf("%s、ほか%d件", strings.TrimRight(names[:at], ",; "), n)
}

// fill puts texts into a format by their places. Between ⟨ and ⟩ stands an English word, which is said in Japanese.
func fill(format string, said map[int]string) string {
	var b strings.Builder
	for _, p := range partsOf(format) {
		if p.verb == "" {
			b.WriteString(p.text)
		} else {
			b.WriteString(andMore(said[p.at]))
		}
	}
	text := b.String()
	for {
		before, rest, open := strings.Cut(text, "⟨")
		word, after, closed := strings.Cut(rest, "⟩")
		if !open || !closed {
			return text
		}
		if ja, ok := japanese.Find(word); ok {
			word = ja
		}
		text = before + word + after
	}
}

// format is one of the catalogue with what stands between its verbs.
type format struct {
	english  string
	parts    []part
	japanese string
	literal  int  // signs that stand in it
	weak     bool // so little stands in it that it takes words alone: a sentence would be somebody else's
}

// formats are those of the catalogue by which a text can be told, the most literal ones first: enough letters stand in them, or a number
// does, which other texts lack.
var formats = sync.OnceValue(func() (list []format) {
	for _, english := range japanese.keys() {
		f := format{english: english, parts: partsOf(english)}
		letters, verbs, sure := 0, 0, strings.Contains(english, "%%")
		for _, p := range f.parts {
			f.literal += len(p.text)
			for _, r := range p.text {
				if unicode.IsLetter(r) {
					letters++
				}
			}
			if p.verb != "" {
				verbs++
				sure = sure || p.verb == "%d" || p.verb == "%q"
			}
		}
		begins := f.parts[0].verb == "" && letters > 3
		if (verbs > 0 || sure) && (begins || letters > 6 || sure && letters > 2) {
			f.weak = !sure && (letters < 9 || !begins && letters < 12) && !strings.Contains(english, ": %")
			f.japanese, _ = japanese.Find(english)
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b format) int {
		return cmp.Or(cmp.Compare(b.literal, a.literal), cmp.Compare(len(a.parts), len(b.parts)))
	})
	return list
})

// match finds what stands in a text in the place of the verbs.
func (f format) match(text string) (map[int]string, bool) {
	if len(text) < f.literal {
		return nil, false
	}
	for _, p := range f.parts { // most texts lack one, and cost nothing more
		if p.verb == "" && !strings.Contains(text, p.text) {
			return nil, false
		}
	}
	said := map[int]string{}
	if !f.matched(f.parts, text, said) {
		return nil, false
	}
	return said, true
}

func (f format) matched(parts []part, text string, said map[int]string) bool {
	if len(parts) == 0 {
		return text == ""
	}
	first := parts[0]
	if first.verb == "" {
		rest, ok := strings.CutPrefix(text, first.text)
		return ok && f.matched(parts[1:], rest, said)
	}
	take := func(n int) bool {
		if !fits(first.verb, text[:n]) || f.weak && !isWord(text[:n], len(parts) == 1) || !f.matched(parts[1:], text[n:], said) {
			return false
		}
		said[first.at] = text[:n]
		if first.verb != "%q" {
			said[first.at] = sentence(text[:n])
		}
		return true
	}
	if len(parts) == 1 {
		return take(len(text))
	}
	if parts[1].verb != "" { // nothing stands between them: the shortest that goes
		for n := range len(text) + 1 {
			if take(n) {
				return true
			}
		}
		return false
	}
	for from := 0; ; {
		n := strings.Index(text[from:], parts[1].text)
		if n < 0 {
			return false
		}
		if take(from + n) {
			return true
		}
		from += n + 1
	}
}

// fits says whether a text may stand in the place of a verb.
func fits(verb, text string) bool {
	switch verb[len(verb)-1] {
	case 'd':
		return text != "" && strings.Trim(text, "-0123456789") == ""
	case 'g', 'f':
		return text != "" && strings.Trim(text, "+-.e0123456789") == ""
	case 'q':
		return len(text) > 1 && strings.ContainsAny(text[:1], "\"`'") && text[0] == text[len(text)-1]
	}
	return true
}

// isWord says whether a text is a name or a list of names, or what is known to stand at the end: no sentence of somebody else.
func isWord(text string, last bool) bool {
	if !hasSpace(text) || !slices.ContainsFunc(strings.Split(strings.ReplaceAll(text, " or ", ", "), ", "), hasSpace) {
		return true
	}
	if !last {
		return false
	}
	_, known := whole(text)
	return known
}

// Said is an error in a language: its Problem as [Problem.In] says it, with the cause.
func Said(lang string, err error) string {
	if err == nil {
		return ""
	}
	if lang != "ja" {
		return err.Error()
	}
	p, ok := errors.AsType[*Problem](err)
	if !ok {
		return quotedUnlessKnown(err.Error())
	}
	if p.Err != nil {
		return p.message() + "：" + quotedUnlessKnown(p.Err.Error())
	}
	return p.message()
}
