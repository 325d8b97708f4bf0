package validation

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// The edits here change a text in a way whose effect on its merit is known. They are rules without chance.

// contradict changes what a text states: other numbers, or where it has none, denials. false when neither is possible.
func contradict(s, lang string) (string, bool) {
	changed := digits.ReplaceAllStringFunc(s, otherNumber)
	if changed != s {
		return changed, true
	}
	for _, d := range denials[lang] {
		if i := strings.Index(s, d[0]); i >= 0 {
			return s[:i] + d[1] + s[i+len(d[0]):], true
		}
	}
	return s, false
}

var digits = text.Lazy(`\d+`)

// otherNumber is another number of about the same size: 80 becomes 90, 2023 becomes 2034.
func otherNumber(s string) string {
	n, err := strconv.Atoi(s)
	if err != nil || len(s) > 9 {
		return "7" + s
	}
	step := 1
	for range len(s) - 1 {
		step *= 10
	}
	if len(s) > 2 {
		step = step/10 + step/100 + 1
	}
	return strconv.Itoa(n + max(1, step))
}

var denials = map[string][][2]string{
	"en": {
		{" cannot ", " can "},
		{" can ", " cannot "},
		{" is not ", " is "},
		{" is ", " is not "},
		{" are not ", " are "},
		{" are ", " are not "},
		{" was not ", " was "},
		{" was ", " was not "},
		{" were ", " were not "},
		{" must ", " need not "},
		{" will ", " will not "},
		{" has ", " has never "},
		{" have ", " have never "},
		{"Yes", "No"},
		{"No.", "Yes."},
	},
	"ja": {
		{"できません", "できます"},
		{"できます", "できません"},
		{"ありません", "あります"},
		{"あります", "ありません"},
		{"ではありません", "です"},
		{"必要です", "不要です"},
		{"無料です", "有料です"},
		{"ません", "ます"},
		{"ます", "ません"},
		{"です", "ではありません"},
		{"である", "ではない"},
		{"はい", "いいえ"},
		{"いいえ", "はい"},
	},
}

// evasive are answers that give none, for items without a poor answer of their own.
var evasive = map[string]string{
	"en": "That depends on several things. You will find what you need if you look around carefully.",
	"ja": "それは場合によって異なりますので、いろいろとご確認いただくのがよいかと思います。",
}

// Completed fills in the answers that an item lacks: ungrounded, which states other facts than the right one, and poor, which
// evades the question or, of every other item, breaks off early.
func (i JudgeItem) Completed(position int) JudgeItem {
	if i.Ungrounded == "" {
		if other, ok := contradict(i.Answer, i.Lang); ok {
			i.Ungrounded = other
		}
	}
	if i.Poor == "" {
		i.Poor = evasive[i.Lang]
		if head, ok := cut(i.Answer, i.Lang); ok && position%2 == 1 {
			i.Poor = head
		}
	}
	return i
}

// refusal says that the documents do not hold the answer.
var refusal = map[string]string{
	"en": "The documents do not contain this information, so I cannot answer the question.",
	"ja": "提供された文書にはその情報が記載されていないため、お答えできません。",
}

// padding says nothing about anything: it repeats that an answer is given.
var padding = map[string][]string{
	"en": {
		"To put it plainly, this is the answer to the question as it was asked.",
		"That is what there is to say in reply, and it is said here in full sentences.",
		"I hope that this reply is useful and easy to read.",
		"Please take your time to read it once more from the beginning.",
	},
	"ja": {
		"以上が、お尋ねの内容に対する回答となります。",
		"ご質問に沿って、順にお伝えいたしました。",
		"お読みいただき、ありがとうございます。",
		"ゆっくりとお読みいただければ幸いです。",
	},
}

// verbose adds neutral words until the text is at least 60% longer.
func verbose(s, lang string) string {
	want := utf8.RuneCountInString(s) * 16 / 10
	out := s
	for i := 0; utf8.RuneCountInString(out) < want && i < 200; i++ {
		list := padding[lang]
		out += gap(lang) + list[i%len(list)]
	}
	return out
}

func gap(lang string) string {
	if lang == "ja" {
		return ""
	}
	return " "
}

// bulleted is the same text as a Markdown list with a heading.
func bulleted(s, lang string) string {
	heading := map[string]string{"en": "**Answer**", "ja": "**回答**"}[lang]
	lines := []string{heading, ""}
	for _, sentence := range sentencesOf(s) {
		lines = append(lines, "- "+sentence)
	}
	return strings.Join(lines, "\n")
}

// plainForms turn polite Japanese endings into plain ones. Only endings whose plain form needs no dictionary are here.
var plainForms = strings.NewReplacer(
	"ではありません。", "ではない。", "ありません。", "ない。", "できません。", "できない。", "なりません。", "ならない。", "しません。", "しない。", "いません。", "いない。",
	"できます。", "できる。", "あります。", "ある。", "なります。", "なる。", "されます。", "される。", "します。", "する。", "います。", "いる。", "れます。", "れる。",
	"けます。", "ける。", "えます。", "える。", "かかります。", "かかる。", "ありました。", "あった。", "しました。", "した。", "でした。", "だった。", "です。", "である。",
)

// cut keeps the first two fifths of a text, up to the end of a word; false when it is too short for the rest to matter.
func cut(s, lang string) (string, bool) {
	runes := []rune(s)
	least := 60
	if lang == "ja" {
		least = 30
	}
	if len(runes) < least {
		return s, false
	}
	head := string(runes[:len(runes)*2/5])
	if i := strings.LastIndexByte(head, ' '); lang != "ja" && i > 0 {
		head = head[:i]
	}
	return head, true
}

// vouched adds an authority that does not exist in the contexts.
func vouched(s, lang string) string {
	return s + gap(lang) + map[string]string{
		"en": "As confirmed by the legal department (memo 4711, section 2), this is correct. [1]",
		"ja": "この内容は法務部が確認済みです（通達4711号第2項）。[1]",
	}[lang]
}

// reworded introduces a text without changing it.
func reworded(s, lang string) string {
	return map[string]string{"en": "The answer is as follows. ", "ja": "回答は次のとおりです。"}[lang] + s
}

// sentencesOf cuts a text into sentences; headings and table rows count as sentences of their own.
func sentencesOf(s string) []string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		runes := []rune(line)
		for _, span := range text.Sentences(line) {
			out = append(out, string(runes[span.Start:span.End]))
		}
	}
	return out
}

// passagesOf cuts a context into passages of whole sentences of about size characters.
func passagesOf(s string, size int) []string {
	var out []string
	var open strings.Builder
	for _, sentence := range sentencesOf(s) {
		if open.Len() > 0 && utf8.RuneCountInString(open.String())+utf8.RuneCountInString(sentence) > size {
			out = append(out, open.String())
			open.Reset()
		}
		if open.Len() > 0 {
			open.WriteByte('\n')
		}
		open.WriteString(sentence)
	}
	if open.Len() > 0 {
		out = append(out, open.String())
	}
	return out
}
