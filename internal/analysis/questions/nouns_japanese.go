package questions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	bracketed   = text.Lazy(`[「『【（(]([^「『【（(」』】）)。、\n]{2,15})[」』】）)]`)
	japaneseRun = text.Lazy(`[\p{Han}\p{Katakana}ー々ヶA-Za-z0-9][\p{Han}\p{Katakana}ー々ヶA-Za-z0-9.&・-]*`)
	counted     = text.Lazy(`^[0-9][0-9.,]*(年度|年間|年|月|日|時間|時|分|秒|人|円|個|回|件|歳|才|か月|ヶ月|カ月|世紀|番|号|条|項|割|倍|位|名|本|枚|匹|台|度|階|万|億)*` +
		`(目|前|後|間|以上|以下|以内|以後|以降|以前|未満|分|頃|代|末|初頭|現在)*`)
	afterNoun = text.Lazy(`^(から|まで|より|など|なら|って|では|には|とは|とし|につ|にお|によ|にと|に対|にか|にも|での|への|との|なの|だけ|しか|のみ|ごと|という|といっ|` +
		`である|です|でし|だっ|かど|じゃ|や|は|が|を|に|で|と|の|も|か|へ|だ)`)
	afterDeed = text.Lazy(`^(し|す|さ|せ|でき|いた)`)
	afterNa   = text.Lazy(`^な(の|ど|ら)`)
	anybody   = text.Lazy(`^([A-Za-z甲乙丙丁]|[A-Za-z甲乙丙丁](社|氏|者|国|県)|当社|弊社|同社|本件|[0-9.,]+)$`)
)

// japaneseNouns are the nouns of a Japanese text as far as one comes without a dictionary: runs of kanji, katakana, letters and figures
// without the stem of a verb at their end and without counted things, what stands in brackets, and two such runs that の joins.
func japaneseNouns(s string) []nounPhrase {
	s = norm.NFKC.String(s)
	var out []nounPhrase
	add := func(shown string, named bool) bool {
		p, ok := japanesePhrase(shown, named)
		if ok {
			out = append(out, p)
		}
		return ok
	}
	for _, m := range bracketed.FindAllStringSubmatch(s, -1) {
		if text.Language(m[1]) == "ja" && !unicode.Is(unicode.Hiragana, lastRune(m[1])) {
			add(m[1], true)
		}
	}
	joined, joinedEnd := "", -1 // the run before a の, and where that の ends
	for _, at := range japaneseRun.FindAllStringIndex(s, -1) {
		run, whole := nounOfRun(s[at[0]:at[1]], s[at[1]:])
		before, follows := joined, at[0] == joinedEnd
		joined, joinedEnd = "", -1
		if run == "" {
			continue
		}
		if add(run, false) && whole {
			if strings.HasPrefix(s[at[1]:], "の") {
				joined, joinedEnd = run, at[1]+len("の")
			}
			if follows && before != "" && utf8.RuneCountInString(before+run) <= 11 {
				add(before+"の"+run, false)
			}
		}
	}
	return out
}

// nounOfRun is what of a run is a noun before the text that follows it, and whether that is the whole run. "" is nothing.
func nounOfRun(run, rest string) (noun string, whole bool) {
	noun = run
	for found := counted.FindString(noun); found != ""; found = counted.FindString(noun) {
		noun = noun[len(found):]
	}
	next, _ := utf8.DecodeRuneInString(rest)
	if last := lastRune(noun); unicode.Is(unicode.Hiragana, next) && unicode.Is(unicode.Han, last) {
		deed := afterDeed.MatchString(rest) && utf8.RuneCountInString(noun) > 1
		switch {
		case strings.HasPrefix(rest, "な") && !afterNa.MatchString(rest):
			return "", false // 有名な
		case !deed && !afterNoun.MatchString(rest):
			noun = strings.TrimSuffix(noun, string(last)) // 取 of 取り壊し
		}
	}
	noun = strings.Trim(noun, "・.-&")
	for _, end := range []string{"等", "時", "後", "前", "中", "上", "的", "内"} {
		if short := strings.TrimSuffix(noun, end); short != noun && utf8.RuneCountInString(short) > 1 {
			noun = short
		}
	}
	return noun, noun == run
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func japanesePhrase(shown string, named bool) (nounPhrase, bool) {
	shown = strings.TrimSpace(shown)
	key := text.Fold(shown)
	n := utf8.RuneCountInString(key)
	light := lightJapanese()[shown] || anybody.MatchString(shown) || strings.HasPrefix(shown, "何") ||
		counted.FindString(shown) == shown && shown != ""
	if parts := strings.Split(shown, "の"); len(parts) > 1 {
		light = light || slices.ContainsFunc(parts, func(p string) bool { return lightJapanese()[p] || utf8.RuneCountInString(p) < 2 })
	}
	if light || n < 2 || n > 20 {
		return nounPhrase{}, false
	}
	return nounPhrase{key: key, shown: shown, words: 1, named: named}, true
}
