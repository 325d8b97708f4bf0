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
	`ません|ない(?:。|$|と|た|も|もの|こと|場合|ため|ので|人|方|、)|なかった|できず|られず|ておらず|かねます|かねる|非該当|対象外`)

// noDenials hold a negation but deny nothing: without them 〜しなければなりません would count as a denial.
var noDenials = text.Lazy(`(?:なければ|なくては|ねば|ないと)(?:なり|いけ)ません|(?:なければ|なくては|ねば|ないと)(?:なら|いけ)(?:ない|なかった|ず)|` +
	`ざるを(?:得|え)(?:ません|ない)|ないわけではありません|差し支えありません|問題ありません|` +
	`かまいません|構いません|かもしれません|かもしれない|(?:に|は)?(?:過ぎ|すぎ)ません|(?:だけ|のみ)ではありません|` +
	`not only|whether or not|\bno (?:more|less|fewer|\w+er) than|\bnot even (?:with|if|when|on|in|for|at|as)\b`)

// orNot is one of noDenials, apart from the others since it is tried at every word.
var orNot = text.Lazy(`\w+,? or not\b(?:[,.;]|$)`)

// noDenialParts are short texts of which each of noDenials has one: most sentences have none, which is seen much faster.
var noDenialParts = []string{"no", "ません", "ない", "なければ", "なくては", "ねば"}

// withoutNoDenials takes noDenials out of a folded text.
func withoutNoDenials(s string) string {
	if !slices.ContainsFunc(noDenialParts, func(part string) bool { return strings.Contains(s, part) }) {
		return s
	}
	if s = noDenials.ReplaceAllString(s, ""); strings.Contains(s, " or not") {
		return orNot.ReplaceAllString(s, "")
	}
	return s
}

// Negates reports whether some clause of a sentence denies something. A "no" that opens it is not counted: it repeats the
// denial that follows.
func Negates(s string) bool {
	lang := text.Language(s)
	s = noOpening.ReplaceAllString(text.Fold(straight(s)), "")
	return slices.ContainsFunc(clausesOf(withoutNoDenials(s), lang), deniedClause)
}

// deniedClause reports whether a clause is denied: by an odd number of marks that stand close together. Far apart they deny two things
// and take nothing back: if you do not pay the fee is not refunded.
func deniedClause(s string) bool {
	s = withoutNoDenials(text.Fold(s))
	marks := denialsIn(s)
	for i := 0; i < len(marks); {
		from := i
		for i++; i < len(marks) && marks[i][0]-marks[i-1][1] <= nearDenials; i++ {
			continue
		}
		if (i-from)%2 == 1 {
			return true
		}
	}
	return false
}

// nearDenials is how far apart, in bytes, two marks of denial may stand of which the second takes the first back.
const nearDenials = 24

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
	"分かりません", "わかりません", "お答えできません", "回答できません", "お答えできかね", "お答えいたしかね", "判断できません",
}

// lacks are refusals only where they speak of the documents: a meal that does not contain nuts is an answer.
var (
	lacks = []string{"do not contain", "does not contain", "don't contain", "doesn't contain", "含まれていません", "含まれておりません",
		"書かれていません", "示されていません", "明記されていません", "説明はありません", "触れられていません", "言及がありません", "見当たりません"}
	sources = []string{"document", "context", "passage", "source", "provided", "文書", "文章", "資料", "コンテキスト", "情報", "検索結果"}
)

// lacking says in the first person that the answerer does not know.
var lacking = text.Lazy(`\bi(?:'m sorry,? (?:but )?i)? (?:do not|don't|did not|didn't|could not|couldn't|cannot|can't|was unable to|am unable to) ` +
	`(?:have|find|see|locate|provide|answer)\b[^.]{0,40}(?:information|answer|details?|context|question|mention|data)|` +
	`\b(?:we|i) (?:cannot|can't|could not|couldn't|are unable to|am unable to) (?:tell|say|confirm|advise)\b[^.]{0,24}` +
	`\b(?:whether|if|what|which|when|how|who|where|why)\b|` +
	`\b(?:there is|there's) (?:no|not any|not enough) (?:\w+ ){0,2}(?:information|mention)|\b(?:isn't|is not|aren't|are not) (?:\w+ )?(?:mentioned|specified|stated) in`)

// lackingParts are short texts of which each match of lacking has one.
var lackingParts = []string{"information", "answer", "detail", "context", "question", "mention", "data", "tell", "say", "confirm", "advise",
	"specified", "stated"}

// Refuses reports whether a sentence says that the documents do not hold the answer.
func Refuses(s string) bool {
	s = text.Fold(straight(s))
	within := func(phrase string) bool { return strings.Contains(s, phrase) }
	denies := within("no") || within("n't") || within("unable") // one of which every part of the pattern has
	return slices.ContainsFunc(refusals, within) ||
		denies && slices.ContainsFunc(lackingParts, within) && lacking.MatchString(s) ||
		slices.ContainsFunc(lacks, within) && slices.ContainsFunc(sources, within)
}

// WithoutRefusals is an answer without what it says that the documents do not say: such words repeat the question, and tell nothing.
func WithoutRefusals(s string) string {
	if !Refuses(s) {
		return s
	}
	var kept []string
	for _, piece := range claimPieces(s) {
		if !Refuses(piece.text) {
			kept = append(kept, piece.text)
			continue
		}
		if rest := beforeRefusal(piece.text); rest != "" {
			kept = append(kept, rest)
		}
	}
	return strings.Join(kept, "\n")
}

// beforeRefusal is what a sentence says beside its refusal. What is not said follows that in English, and stands before it in Japanese.
func beforeRefusal(s string) string {
	end, joint := ".", ""
	if text.Language(s) == "ja" {
		end, joint = "。", "、"
	}
	var parts []string
	for _, part := range clausesOf(s, text.Language(s)) {
		if !Refuses(part) {
			parts = append(parts, part)
		} else if joint == "" {
			break
		}
	}
	rest := strings.Join(parts, joint)
	if joint == "" && len(rest) <= len(s) && strings.EqualFold(rest, s[:len(rest)]) { // as it was written
		rest = s[:len(rest)]
	}
	if rest = strings.Trim(rest, " ,.、。"); rest == "" {
		return ""
	}
	return rest + end
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
