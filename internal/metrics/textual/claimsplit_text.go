package textual

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	listMark   = text.Lazy(`^(?:[-*•・#>]+\s*|\(?\d{1,2}[.)]\s+|[①-⑳]\s*)`)
	emphasis   = strings.NewReplacer("**", "", "__", "", "`", "")
	codeBlock  = text.Lazy("(?s)```.*?(?:```|$)")
	semicolon  = text.Lazy(`;\s+|；`)
	pleasantry = text.Lazy(`^(?:yes|yeah|yep|no|nope|exactly|indeed|correct|right|absolutely|definitely|wow|oh|well|cool|awesome|nice|` +
		`(?:that's|that is|it is|you are|you're) (?:true|right|correct|cool|great|interesting)|i see|i agree|i know|sure|certainly|of course|great|okay|ok|thanks|thank you|you're welcome|hello|hi|i'm sorry[^.]*|` +
		`i hope this helps|承知しました|かしこまりました|ありがとうございます|お問い合わせありがとうございます)[!.。！,、]*$`)
)

// SplitClaims cuts a text into its claims, in order: every sentence or row of a table, and the parts of one that semicolons join,
// without list marks, emphasis and citations. Pleasantries, the line that opens a list, code, and a sentence that only says that the
// documents are silent claim nothing; neither does one of grammar alone.
func SplitClaims(s string) []string { return Splits.Of(s) }

// CutClaims cuts a text into claims without remembering them; Splits remembers.
func CutClaims(s string) []string {
	claims, asked := []string{}, []string{}
	for _, sentence := range plainSentences(codeBlock.ReplaceAllString(s, "\n")) {
		if Refuses(sentence) || OpensList(sentence) || pleasantry.MatchString(text.Fold(straight(sentence))) {
			continue
		}
		for _, part := range parts(sentence) {
			switch {
			case len(DistinctTerms(part).List) == 0:
			case asks(part):
				asked = append(asked, part)
			default:
				claims = append(claims, part)
			}
		}
	}
	if len(claims) == 0 {
		return asked
	}
	return claims
}

// plainSentences are the sentences of a text, each as [bareSentence] gives it.
func plainSentences(s string) []string { return Sentences.Of(s) }

// CutSentences lists the sentences of a text that say something, bare of marks and citations.
func CutSentences(s string) []string {
	var out []string
	for _, part := range claimPieces(s) {
		if sentence := bareSentence(part.said); sentence != "" && !part.head {
			out = append(out, sentence)
		}
	}
	return out
}

// bareSentence is a sentence without citations, emphasis and the mark of a list's item, whose number states nothing.
func bareSentence(s string) string {
	s = strings.TrimSpace(emphasis.Replace(WithoutCitations(s)))
	for s != "" && (s[0] < 'A' || s[0] >= 0x80) { // every list mark begins below the letters or beyond ASCII
		rest := strings.TrimSpace(s[len(listMark.FindString(s)):])
		if rest == s || rest == "" {
			return s
		}
		s = rest
	}
	return s
}

// asks reports whether a sentence is a question, which claims nothing beside sentences that do.
func asks(s string) bool { return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") }

// OpensList reports whether a sentence only says that something follows.
func OpensList(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") }

// parts cuts a sentence at semicolons where each part says enough to stand alone.
func parts(s string) []string {
	cut := semicolon.Split(s, -1)
	for _, part := range cut {
		if len(strings.Fields(part)) < 4 && len([]rune(part)) < 20 {
			return []string{s}
		}
	}
	return cut
}
