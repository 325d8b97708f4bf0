package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// cutAt returns the texts of the spans.
func cutAt(s string, spans []Span) []string {
	x := NewIndex(s)
	out := make([]string, len(spans))
	for i, span := range spans {
		out[i] = x.Slice(span.Start, span.End)
	}
	return out
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":             {"", nil},
		"white space":         {" \n\u3000\t", nil},
		"no mark at all":      {"just words", []string{"just words"}},
		"ja":                  {"医療費控除です。次の年に申告します。", []string{"医療費控除です。", "次の年に申告します。"}},
		"ja without end":      {"一つ目。二つ目", []string{"一つ目。", "二つ目"}},
		"ja brackets":         {"これは（例。別の例。）です。次です。", []string{"これは（例。別の例。）です。", "次です。"}},
		"ja quote inside":     {"彼は「はい。」と言った。終わり。", []string{"彼は「はい。」と言った。", "終わり。"}},
		"ja quote at the end": {"「本当ですか？」\n『はい。』\n【注。】", []string{"「本当ですか？」", "『はい。』", "【注。】"}},
		"ja closing only":     {"そうです。」次です。", []string{"そうです。」", "次です。"}},
		"ja open bracket":     {"括弧（閉じない。\n次の行です。", []string{"括弧（閉じない。", "次の行です。"}},
		"ja full-width marks": {"何ですか？はい！これは？！終わり。", []string{"何ですか？", "はい！", "これは？！", "終わり。"}},
		"ja list":             {"次のとおりです。\n① 一つ目\n② 二つ目です。\n・三つ目", []string{"次のとおりです。", "① 一つ目", "② 二つ目です。", "・三つ目"}},
		"ja numbered list":    {"1. 届出書を出します。\n２．納付します。\n3. 保存します。", []string{"1. 届出書を出します。", "２．納付します。", "3. 保存します。"}},
		"ja line ends":        {"見出し\n本文です\r\n終わり", []string{"見出し", "本文です", "終わり"}},
		"ja decimals":         {"税率は3.5パーセントです。U.S.での例です。", []string{"税率は3.5パーセントです。", "U.S.での例です。"}},
		"en": {"It rose. Then it fell! Why? Nobody knows.",
			[]string{"It rose.", "Then it fell!", "Why?", "Nobody knows."}},
		"en decimals": {"The rate was 3.5 percent. It rose to v1.2.3 of it.",
			[]string{"The rate was 3.5 percent.", "It rose to v1.2.3 of it."}},
		"en year":         {"It began in 1999. It ended in 2001.", []string{"It began in 1999.", "It ended in 2001."}},
		"en small number": {"They found 12. Then they left.", []string{"They found 12.", "Then they left."}},
		"en abbreviations": {"Dr. Smith, e.g. Prof. Jones vs. Mrs. Brown, met. See Fig. 3 there.",
			[]string{"Dr. Smith, e.g. Prof. Jones vs. Mrs. Brown, met.", "See Fig. 3 there."}},
		"en initials": {"J. R. Smith wrote it. The U.S. Senate met.", []string{"J. R. Smith wrote it.", "The U.S. Senate met."}},
		"en et al.": {"Smith et al. Found it first. Others et al. agreed.",
			[]string{"Smith et al. Found it first.", "Others et al. agreed."}},
		"en lower case follows": {"The co. that left came back. End.", []string{"The co. that left came back.", "End."}},
		"en quotes": {`He said "Stop." Then he left. “No.” She stayed.`,
			[]string{`He said "Stop."`, "Then he left.", "“No.”", "She stayed."}},
		"en quoted title": {`"Dr. Smith left." “J. Jones stayed.” Both [Mr. X too] know.`,
			[]string{`"Dr. Smith left."`, "“J. Jones stayed.”", "Both [Mr. X too] know."}},
		"en brackets": {"It fell (see e.g. there. Or here.) again. Next.",
			[]string{"It fell (see e.g. there. Or here.) again.", "Next."}},
		"en file names": {"Open report.md at example.com. Read it.", []string{"Open report.md at example.com.", "Read it."}},
		"en wrapped lines": {"A wrapped\nline goes on. New\nsentence here.",
			[]string{"A wrapped\nline goes on.", "New\nsentence here."}},
		"en heading": {"Heading\n\nBody text", []string{"Heading", "Body text"}},
		"en bullets": {"You need:\n- a form\n- a stamp\n\nDone", []string{"You need:", "- a form", "- a stamp", "Done"}},
		"en numbered list": {"Steps\n1. Open the box\n2) Close it\n10. Leave.",
			[]string{"Steps", "1. Open the box", "2) Close it", "10. Leave."}},
		"en numbers in a line": {"1. Open the box. 2. Close it.", []string{"1. Open the box.", "2. Close it."}},
		"en no": {"She said no. Then she saw No. 5 and Nos. 6 to 8.",
			[]string{"She said no.", "Then she saw No. 5 and Nos. 6 to 8."}},
		"en marks together":      {"Really?! Yes...", []string{"Really?!", "Yes..."}},
		"beyond the first plane": {"𠮷野家です。😀です。", []string{"𠮷野家です。", "😀です。"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, cutAt(c.text, Sentences(c.text)), equalEmpty); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// equalEmpty lets nil equal an empty list.
var equalEmpty = cmp.Transformer("none", func(s []string) []string { return append([]string{}, s...) })

func TestParagraphs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \n \n", nil},
		{"one", []string{"one"}},
		{"one\ntwo", []string{"one\ntwo"}},
		{"one\n\ntwo", []string{"one", "two"}},
		{"\n\n  one \n \t\u3000\n\n\n二つ目\nの段落\n", []string{"one", "二つ目\nの段落"}},
		{"one\r\n\r\ntwo", []string{"one", "two"}},
	} {
		if diff := cmp.Diff(c.want, cutAt(c.text, Paragraphs(c.text)), equalEmpty); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

// checkPartition reports what breaks the promise that every character but white space lies in exactly one piece.
func checkPartition(t *testing.T, s string, spans []Span) {
	t.Helper()
	runes := []rune(s)
	owners := make([]int, len(runes))
	last := 0
	for _, span := range spans {
		if span.Start < last || span.End <= span.Start || span.End > len(runes) {
			t.Fatalf("%q: piece %v after %d", s, span, last)
		}
		if unicode.IsSpace(runes[span.Start]) || unicode.IsSpace(runes[span.End-1]) {
			t.Fatalf("%q: piece %v is not trimmed", s, span)
		}
		for i := span.Start; i < span.End; i++ {
			owners[i]++
		}
		last = span.End
	}
	for i, r := range runes {
		if !unicode.IsSpace(r) && owners[i] != 1 {
			t.Fatalf("%q: %q at %d belongs to %d pieces", s, r, i, owners[i])
		}
	}
}

// alphabet holds what segmentation looks at, in both languages.
var alphabet = []rune("aB1. .,!?:;()[]\"'“”’-*•・#|\n\n \t\u3000。、！？「」『』（）【】①あア漢𠮷é\u0301\u3099😀１．")

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(60) {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func TestEveryCharacterBelongsToOnePiece(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := randomText(r)
		checkPartition(t, s, Sentences(s))
		checkPartition(t, s, Paragraphs(s))
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"これは（例。）です。", "Dr. A. et al. left.\n1. x", "。」\n\n「", "a\xffb. \xe3\x81", "\u2028.\u0085"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkPartition(t, s, Sentences(s))
		checkPartition(t, s, Paragraphs(s))
	})
}
