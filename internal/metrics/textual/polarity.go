package textual

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// A coordinated denial (not refunded, and neither is the surcharge) is two clauses, each denied once.
var negations = text.Lazy(`\b(?:not|no longer|no|never|none|cannot|neither|nor|without|hardly)\b|n't\b|` +
	`ません|ない(?:。|$|と|た|も|もの|こと|場合|ため|ので|人|方|、)|なかった|できず|ておらず|非該当|対象外`)

// noDenials hold a negation but deny nothing: without them 〜しなければなりません would count as a denial.
var noDenials = text.Lazy(`(?:なければ|なくては|ねば|ないと)(?:なり|いけ)ません|(?:なければ|なくては|ねば|ないと)(?:なら|いけ)(?:ない|なかった|ず)|` +
	`ざるを(?:得|え)(?:ません|ない)|ないわけではありません|差し支えありません|問題ありません|` +
	`かまいません|構いません|かもしれません|かもしれない|(?:に|は)?(?:過ぎ|すぎ)ません|(?:だけ|のみ)ではありません|` +
	`not only|whether or not|\bno (?:more|less|fewer|later|earlier) than`)

// noDenialParts are short texts of which each of noDenials has one: most sentences have none, which is seen much faster.
var noDenialParts = []string{"no", "ません", "ない", "なければ", "なくては", "ねば"}

// withoutNoDenials takes noDenials out of a folded text.
func withoutNoDenials(s string) string {
	if !slices.ContainsFunc(noDenialParts, func(part string) bool { return strings.Contains(s, part) }) {
		return s
	}
	return noDenials.ReplaceAllString(s, "")
}

// Negates reports whether some clause of a sentence denies something. A "no" that opens it is not counted: it repeats the
// denial that follows.
func Negates(s string) bool {
	lang := text.Language(s)
	s = noOpening.ReplaceAllString(text.Fold(straight(s)), "")
	return slices.ContainsFunc(clausesOf(withoutNoDenials(s), lang), deniedClause)
}

// deniedClause reports whether a clause is denied: by an odd number of marks.
func deniedClause(s string) bool {
	s = withoutNoDenials(text.Fold(s))
	return len(denialsIn(s))%2 == 1
}

// denialsIn finds the marks of denial in a folded text. One within a code word, such as kern.none, proxy=no or no-show, denies nothing.
func denialsIn(s string) [][]int {
	return slices.DeleteFunc(negations.FindAllStringIndex(s, -1), func(at []int) bool {
		return joined(s[:at[0]], s[at[1]:])
	})
}

// joins are the signs that join letters and digits to one code word.
const joins = "./_=@-"

// joined reports whether what stands between two texts is a part of a code word.
func joined(before, after string) bool {
	opens, _ := utf8.DecodeLastRuneInString(before)
	closes, size := utf8.DecodeRuneInString(after)
	next, _ := utf8.DecodeRuneInString(after[size:])
	return strings.ContainsRune(joins, opens) || strings.ContainsRune(joins, closes) && (unicode.IsLetter(next) || unicode.IsNumber(next))
}

// refusals are phrases by which an answer says that the documents do not hold it.
var refusals = []string{
	"documents do not say", "documents don't say", "contexts do not", "context does not", "not in the documents", "not mentioned in",
	"no information", "cannot be found in", "could not find", "unable to find", "don't know", "do not know",
	"記載がありません", "記載がない", "記載はありません", "記載されていません", "見つかりません", "情報がありません", "情報はありません",
	"分かりません", "わかりません", "お答えできません", "回答できません",
}

// lacks are refusals only where they speak of the documents: a meal that does not contain nuts is an answer.
var (
	lacks   = []string{"do not contain", "does not contain", "don't contain", "doesn't contain", "含まれていません", "含まれておりません"}
	sources = []string{"document", "context", "passage", "source", "provided", "文書", "文章", "資料", "コンテキスト", "情報", "検索結果"}
)

// lacking says in the first person that the answerer does not know.
var lacking = text.Lazy(`\bi(?:'m sorry,? (?:but )?i)? (?:do not|don't|did not|didn't|could not|couldn't|cannot|can't|was unable to|am unable to) ` +
	`(?:have|find|see|locate|provide|answer)\b[^.]{0,40}(?:information|answer|details?|context|question|mention|data)|` +
	`\b(?:there is|there's) (?:no|not any|not enough) (?:\w+ ){0,2}(?:information|mention)|\b(?:isn't|is not|aren't|are not) (?:\w+ )?(?:mentioned|specified|stated) in`)

// Refuses reports whether a sentence says that the documents do not hold the answer.
func Refuses(s string) bool {
	s = text.Fold(straight(s))
	within := func(phrase string) bool { return strings.Contains(s, phrase) }
	denies := within("no") || within("n't") || within("unable") // one of which every part of the pattern has
	return slices.ContainsFunc(refusals, within) || denies && lacking.MatchString(s) || slices.ContainsFunc(lacks, within) &&
		slices.ContainsFunc(sources, within)
}

var (
	yesOpening = text.Lazy(`^(?:yes|はい|ええ)(?:[\s,.!:;、。]+|$)`)
	noOpening  = text.Lazy(`^(?:no|いいえ|いえ)(?:[,.!:;、。]\s*|$)`) // not "no one" or "no later than"
)

// YesOrNo says whether a text opens with yes or no, with which, and whether that is all of it.
func YesOrNo(s string) (yes, bare, ok bool) {
	s = text.Fold(s)
	if m := yesOpening.FindString(s); m != "" {
		return true, m == s, true
	}
	if m := noOpening.FindString(s); m != "" {
		return false, m == s, true
	}
	return false, false, false
}
