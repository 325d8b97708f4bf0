package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	nameMarks = text.Lazy(`[（(【\[［<＜][^）)】\]］>＞]*[）)】\]］>＞]|[*＊※●■◆:：?？!！"“”'’]|必須$`)
	nameGaps  = text.Lazy(`[\s_\-/／・|]+`)
)

// plainName is a column's name as patterns read it: NFKC, lower case, words apart, without marks and what stands in brackets.
func plainName(name string) string {
	s := norm.NFKC.String(strings.TrimSpace(name))
	if bare := strings.TrimSpace(nameMarks.ReplaceAllString(s, " ")); bare != "" {
		s = bare
	}
	return strings.TrimSpace(nameGaps.ReplaceAllString(strings.ToLower(CamelApart(s)), " "))
}

// CamelApart puts a space between the words of ExpectedAnswer and QuestionID.
func CamelApart(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && 'A' <= r && r <= 'Z' && 'a' <= runes[i-1] && runes[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// An output is what the system gave, unless brackets behind the name say that it is the one expected.
var (
	bareOutput = text.Lazy(`^(?:a|answers?|antwort|outputs?|results?|responses?|completions?|回答|解答|出力(?:結果|内容|文|値)?|結果|応答)$`)
	// formerly says behind a name that a column holds what is not so any more.
	formerly = text.Lazy(`(?i)[(\[【<](?:旧|変更前|修正前|改[訂定]前|old|previous|before|former|obsolete)[)\]】>]$`)
	// saysGiven says behind a name that a system gave it.
	saysGiven    = text.Lazy(`[(\[【<](?:bot|chatbot|ki|ai|llm|system|model|rag|actual|generated|ist|ボット|システム|モデル|実際|生成|実績)[)\]】>]$`)
	saysExpected = text.Lazy(`[(\[【<](?:期待(?:値|結果|出力|回答)?|期待され?る.{0,6}|正解|想定|模範|expected|desired|ideal|correct|reference|` +
		`gold(?:en)?|ground truth|target)[)\]】>]$`)
)

// guessName says which field or kind a column's name speaks of, and how surely.
func guessName(name string) (field string, strength float64) {
	if len(name) > longestSample {
		return "", unsaid
	}
	key := ColumnKey(name)
	for _, a := range aliases {
		if slices.Contains(a.names, key) {
			return a.field, exactly
		}
	}
	if halves := inTwoLanguages(name); halves != nil {
		if field, strength := guessBoth(halves); strength > unsaid {
			return field, strength
		}
	}
	if formerly.MatchString(norm.NFKC.String(name)) {
		return kindRemark, likely
	}
	if first, _, both := strings.Cut(norm.NFKC.String(name), "/"); both { // Answer / Notes
		if field, strength := guessName(first); strength > unsaid && (field == FieldQuestion || field == FieldReference) &&
			remarksOn(name) {
			return field, strength
		}
	}
	plain := plainName(name)
	if bareOutput.MatchString(plain) && saysExpected.MatchString(strings.ToLower(norm.NFKC.String(name))) {
		return FieldReference, likely
	}
	if answersGiven(name) {
		return kindSystem, likely
	}
	return guessPlain(plain)
}

// answersGiven reports whether brackets behind a name of answers say that a system gave them: A (bot).
func answersGiven(name string) bool {
	return bareOutput.MatchString(plainName(name)) && saysGiven.MatchString(strings.ToLower(norm.NFKC.String(strings.TrimSpace(name))))
}

// remarksOn reports whether the second of two names of a column only says that remarks stand there too.
func remarksOn(name string) bool {
	_, second, _ := strings.Cut(norm.NFKC.String(name), "/")
	field, strength := guessPlain(plainName(second))
	return field == kindRemark && strength > unsaid
}

// guessPlain is what the patterns say of a name that [plainName] wrote.
func guessPlain(plain string) (field string, strength float64) {
	if row := firstThatFits.Of(plain); row != nil {
		return row.means, row.strength
	}
	return "", unsaid
}

// firstThatFits remembers which row of [namePatterns] speaks of a name: a table is asked for its names from every side.
var firstThatFits = text.NewMemo(1<<12, func(plain string) *nameRow {
	at := slices.IndexFunc(namePatterns, func(row nameRow) bool { return !row.also && row.pattern.MatchString(plain) })
	if at < 0 {
		return nil
	}
	return &namePatterns[at]
})
