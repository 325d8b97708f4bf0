package text

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// functionWords are frequent words of languages that share the Latin alphabet, by which short questions tell them apart. English stands
// among them: a text is in another language only where that one's words outnumber the English ones.
var functionWords = map[string]string{
	"English": "the of and is to how what when where can do does a in for my i are which with on not it be should if you your who why that this " +
		"at by from an or as will have has was were must there we our any much many long get",
	"German": "der die das und ist nicht ich wie was wann wo ein eine einen einem einer mein meine meinen für mit von zu auf im den dem des kann " +
		"kein keine bei nach es wird werden sich welche welcher welches gibt wer warum habe hat muss darf sind ab bis aus zum zur über man wir",
	"French": "le la les des est une un du et je comment quel quelle quels quelles que pour dans avec sur mon ma mes puis où qui ne pas au aux il y " +
		"en ce sont peut combien quand faire on nous vous votre notre ou de l d qu",
	"Spanish": "el la los las de que cómo como qué cuál cuáles cuándo cuánto cuánta cuántos una un para con por mi mis puedo es se en está dónde del al " +
		"tengo hay quién son si su y o no debo puede",
	"Italian": "il lo la gli le di che come quale quali posso per con una un è del della dei delle mio mia dove quando quanto quanti si non in sono " +
		"al alla nel nella ho devo può e chi",
	"Portuguese": "o a os as de que como qual quais posso para com por uma um meu minha não onde quando quanto é do da dos das se em no na são eu " +
		"há quem pode ao e",
	"Dutch": "de het een en van is niet ik hoe wat wanneer waar mijn voor met op kan welke zijn bij naar wordt er wie waarom te in heb moet mag " +
		"dit die ze we om aan uit",
}

var japaneseNames = map[string]string{
	"German": "ドイツ語", "French": "フランス語", "Spanish": "スペイン語", "Italian": "イタリア語", "Portuguese": "ポルトガル語", "Dutch": "オランダ語",
	"Chinese": "中国語", "Korean": "韓国語", "": "英語でも日本語でもない言語",
}

// OtherLanguage is a language that is neither English nor Japanese.
type OtherLanguage string

// Name is the language in words; "" is one that is known to be another, but not which.
func (l OtherLanguage) Name() Said {
	if l == "" {
		return Said{EN: "to be in another language than English or Japanese", JA: japaneseNames[""]}
	}
	return Said{EN: string(l), JA: japaneseNames[string(l)]}
}

// wordsOf are the function words as sets.
var wordsOf = sync.OnceValue(func() map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	for language, list := range functionWords {
		sets[language] = map[string]bool{}
		for _, w := range strings.Fields(list) {
			sets[language][w] = true
		}
	}
	return sets
})

// chineseSigns stand in nearly every Chinese sentence and in no Japanese one.
const chineseSigns = "吗么们这哪您你怎呢嗎麼們這个为时问题请让没还说谁什"

// Otherwise tells whether a text is in a language that is neither English nor Japanese, and in which. What may be English or Japanese, as
// a name or a single word may, is no other.
func Otherwise(s string) (OtherLanguage, bool) {
	letters, hangul, han, kana, ascii, accents, scripts := 0, 0, 0, 0, 0, 0, 0
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		switch {
		case r < unicode.MaxASCII:
			ascii++
		case unicode.Is(unicode.Latin, r):
			accents++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Han, r):
			han++
		case 0x3041 <= r && r <= 0x30ff, 0xff66 <= r && r <= 0xff9f:
			kana++
		default:
			scripts++ // Greek, Cyrillic, Arabic, Thai and the others
		}
	}
	switch {
	case 2*hangul > letters:
		return "Korean", true
	case 2*scripts > letters:
		return "", true
	case kana == 0 && 2*han > letters && strings.ContainsAny(s, chineseSigns):
		return "Chinese", true
	case kana+han > 0 || ascii+accents == 0:
		return "", false
	}
	return byFunctionWords(s, accents)
}

// byFunctionWords tells apart what is written in the Latin alphabet.
func byFunctionWords(s string, accents int) (OtherLanguage, bool) {
	hits, sets := map[string]int{}, wordsOf()
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for language, words := range sets {
			if words[w] {
				hits[language]++
			}
		}
	}
	best, most, second := "", 0, 0
	for language, n := range hits {
		switch {
		case language == "English":
		case n > most || n == most && language < best:
			best, most, second = language, n, most
		case n > second:
			second = n
		}
	}
	if most < 2 && (most == 0 || accents == 0) || most <= hits["English"] {
		return "", false
	}
	if most == second {
		best = "" // "la" and "de" are words of several
	}
	return OtherLanguage(best), true
}

// OtherLanguages counts the texts in languages that are neither English nor Japanese, and names the one of most of them.
func OtherLanguages(texts []string) (most OtherLanguage, count int) {
	by := map[OtherLanguage]int{}
	for _, s := range texts {
		if language, other := Otherwise(s); other {
			by[language]++
			count++
		}
	}
	var names []OtherLanguage
	for language := range by {
		names = append(names, language)
	}
	slices.SortFunc(names, func(a, b OtherLanguage) int {
		if by[a] != by[b] {
			return by[b] - by[a]
		}
		return strings.Compare(string(b), string(a)) // a name before none
	})
	if len(names) == 0 {
		return "", 0
	}
	return names[0], count
}
