package textual

import "strings"

// porterStem is Porter's stemmer (1980) with the changes that NLTK makes to it, which the public ROUGE scorer uses. The word is
// lower case. It differs from Snowball's English stemmer, which matching elsewhere uses.
func porterStem(word string) string {
	if stem, ok := porterIrregular[word]; ok {
		return stem
	}
	if len(word) <= 2 {
		return word
	}
	word = porterPlural(word)
	word = porterPast(word)
	word = porterY(word)
	word = porterDouble(word)
	word = porterApply(word, porterStep3)
	word = porterApply(word, porterStep4)
	return porterLastE(word)
}

var porterIrregular = map[string]string{
	"skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
	"innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning", "canning": "canning",
	"howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}

// porterRule replaces an ending when what stands before it qualifies. Only the first rule whose ending fits is looked at.
type porterRule struct {
	ending, replacement string
	when                func(stem string) bool // nil: always
}

func porterApply(word string, rules []porterRule) string {
	for _, rule := range rules {
		if stem, ok := strings.CutSuffix(word, rule.ending); ok {
			if rule.when == nil || rule.when(stem) {
				return stem + rule.replacement
			}
			return word
		}
	}
	return word
}

// porterConsonant: a y after a consonant is a vowel.
func porterConsonant(word string, i int) bool {
	switch word[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !porterConsonant(word, i-1)
	default:
		return true
	}
}

// porterMeasure counts the changes from vowels to consonants.
func porterMeasure(stem string) int {
	m, vowel := 0, false
	for i := range len(stem) {
		consonant := stem[i] != 'y' && !strings.ContainsRune("aeiou", rune(stem[i])) || stem[i] == 'y' && (i == 0 || vowel)
		if consonant && vowel {
			m++
		}
		vowel = !consonant
	}
	return m
}

func porterHasVowel(stem string) bool {
	for i := range len(stem) {
		if !porterConsonant(stem, i) {
			return true
		}
	}
	return false
}

func porterPositive(stem string) bool { return porterMeasure(stem) > 0 }
func porterLong(stem string) bool     { return porterMeasure(stem) > 1 }

// porterShort: consonant, vowel, consonant other than w, x, y at the end; of two letters, vowel and consonant.
func porterShort(w string) bool {
	n := len(w)
	if n == 2 {
		return !porterConsonant(w, 0) && porterConsonant(w, 1)
	}
	return n >= 3 && porterConsonant(w, n-3) && !porterConsonant(w, n-2) && porterConsonant(w, n-1) &&
		!strings.ContainsRune("wxy", rune(w[n-1]))
}

func porterPlural(word string) string {
	if strings.HasSuffix(word, "ies") && len(word) == 4 {
		return strings.TrimSuffix(word, "s")
	}
	return porterApply(word, []porterRule{{"sses", "ss", nil}, {"ies", "i", nil}, {"ss", "ss", nil}, {"s", "", nil}})
}

func porterPast(word string) string {
	if stem, ok := strings.CutSuffix(word, "ied"); ok {
		if len(word) == 4 {
			return stem + "ie"
		}
		return stem + "i"
	}
	if stem, ok := strings.CutSuffix(word, "eed"); ok {
		if porterPositive(stem) {
			return stem + "ee"
		}
		return word
	}
	for _, ending := range []string{"ed", "ing"} {
		stem, ok := strings.CutSuffix(word, ending)
		if !ok || !porterHasVowel(stem) {
			continue
		}
		return porterRestore(stem)
	}
	return word
}

// porterRestore mends a stem that lost ed or ing: conflat(e), hop(p), fil(e).
func porterRestore(stem string) string {
	for _, ending := range []string{"at", "bl", "iz"} {
		if strings.HasSuffix(stem, ending) {
			return stem + "e"
		}
	}
	n := len(stem)
	if n >= 2 && stem[n-1] == stem[n-2] && porterConsonant(stem, n-1) {
		if strings.ContainsRune("lsz", rune(stem[n-1])) {
			return stem
		}
		return stem[:n-1]
	}
	if porterMeasure(stem) == 1 && porterShort(stem) {
		return stem + "e"
	}
	return stem
}

func porterY(word string) string {
	return porterApply(word, []porterRule{{"y", "i",
		func(stem string) bool { return len(stem) > 1 && porterConsonant(stem, len(stem)-1) }}})
}

func porterDouble(word string) string {
	if stem, ok := strings.CutSuffix(word, "alli"); ok && porterPositive(stem) {
		return porterDouble(stem + "al")
	}
	return porterApply(word, porterStep2)
}

var porterStep2 = []porterRule{
	{"ational", "ate", porterPositive},
	{"tional", "tion", porterPositive},
	{"enci", "ence", porterPositive},
	{"anci", "ance", porterPositive},
	{"izer", "ize", porterPositive},
	{"bli", "ble", porterPositive},
	{"alli", "al", porterPositive},
	{"entli", "ent", porterPositive},
	{"eli", "e", porterPositive},
	{"ousli", "ous", porterPositive},
	{"ization", "ize", porterPositive},
	{"ation", "ate", porterPositive},
	{"ator", "ate", porterPositive},
	{"alism", "al", porterPositive},
	{"iveness", "ive", porterPositive},
	{"fulness", "ful", porterPositive},
	{"ousness", "ous", porterPositive},
	{"aliti", "al", porterPositive},
	{"iviti", "ive", porterPositive},
	{"biliti", "ble", porterPositive},
	{"fulli", "ful", porterPositive},
	{"logi", "log", func(stem string) bool { return porterPositive(stem + "l") }},
}

var porterStep3 = []porterRule{
	{"icate", "ic", porterPositive},
	{"ative", "", porterPositive},
	{"alize", "al", porterPositive},
	{"iciti", "ic", porterPositive},
	{"ical", "ic", porterPositive},
	{"ful", "", porterPositive},
	{"ness", "", porterPositive},
}

var porterStep4 = []porterRule{
	{"al", "", porterLong},
	{"ance", "", porterLong},
	{"ence", "", porterLong},
	{"er", "", porterLong},
	{"ic", "", porterLong},
	{"able", "", porterLong},
	{"ible", "", porterLong},
	{"ant", "", porterLong},
	{"ement", "", porterLong},
	{"ment", "", porterLong},
	{"ent", "", porterLong},
	{"ion", "", func(stem string) bool {
		return porterLong(stem) && (strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "t"))
	}},
	{"ou", "", porterLong},
	{"ism", "", porterLong},
	{"ate", "", porterLong},
	{"iti", "", porterLong},
	{"ous", "", porterLong},
	{"ive", "", porterLong},
	{"ize", "", porterLong},
}

func porterLastE(word string) string {
	if stem, ok := strings.CutSuffix(word, "e"); ok {
		if m := porterMeasure(stem); m > 1 || m == 1 && !porterShort(stem) {
			word = stem
		}
	}
	if strings.HasSuffix(word, "ll") && porterLong(word[:len(word)-1]) {
		return word[:len(word)-1]
	}
	return word
}
