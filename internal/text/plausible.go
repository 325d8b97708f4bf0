package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// westernAlphabets are the letters beyond ASCII of the languages that people write in Windows-1252, capitals as small ones. A text is in it
// beyond doubt only where all its letters belong to one of them: Czech or Polish in Windows-1250, Turkish in Windows-1254 and what a Mac
// wrote read as mixtures that no language has.
var westernAlphabets = []string{"äöüßéèà", "àâæçéèêëîïôœùûüÿ", "áéíñóúüç", "áâãàçéêíóôõúü", "àèéìíîòóùú",
	"åäöéü", "æøåéèêóòôü", "éèëêïöüáíóç"}

// westernMarks are the signs beyond ASCII that such texts hold beside letters.
const westernMarks = "€„…‘’“”•–—™\u00a0¡¢£§©ª«®°±²³´µ·º»¼½¾¿×÷\u00ad"

// readsAsWestern reports whether a text that was read as Windows-1252 is one beyond doubt: letters of one language, each within or beside
// others, and signs where they belong. Other encodings, read so, put signs into words, mix alphabets, or hold few letters of ASCII.
func readsAsWestern(s string) bool {
	var letters strings.Builder
	plain, other, run := 0, 0, 0
	before := ' '
	for i, r := range s {
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case r < utf8.RuneSelf:
			if asciiLetter(r) {
				plain++
			}
			run = 0
		case r == 'õ' && after != 'e', r == 'ã' && after != 'o' && after != 'e' && unicode.IsLetter(after):
			return false // as Hungarian and Romanian have them in Windows-1250, and Portuguese never
		case r == 'Ø' && !unicode.IsLetter(before) && !unicode.IsLetter(after): // a diameter, and no letter
			other, run = other+1, run+1
		case unicode.IsLetter(r) && r != 'ª' && r != 'º' && r != 'µ':
			letters.WriteRune(unicode.ToLower(r))
			other, run = other+1, run+1
		case !strings.ContainsRune(westernMarks, r),
			asciiLetter(before) && asciiLetter(after) && !strings.ContainsRune("’‘–—·…\u00ad\u00a0®©™", r),
			(r == '¿' || r == '¡') && !unicode.IsLetter(after), (r == '²' || r == '³') && !asciiLetter(before) && !unicode.IsDigit(before):
			return false
		default:
			other, run = other+1, run+1
		}
		if run > 4 {
			return false
		}
		before = r
	}
	if other == 0 || other > plain {
		return false
	}
	for _, alphabet := range westernAlphabets {
		if strings.Trim(letters.String(), alphabet) == "" {
			return true
		}
	}
	return false
}

func asciiLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// readsAsJapanese reports whether most of what a text has beyond ASCII stands as Japanese does, in signs of everyday. A letter with an
// accent and the letter behind it are often one sign of a Japanese encoding, and mostly a rare one: those that stand alone or in pairs
// within words of small letters are no Japanese, nor are texts of rare signs alone.
func readsAsJapanese(s string) bool {
	runes, native, strange, everyday, rare := []rune(s), 0, 0, 0, 0
	for i := 0; i < len(runes); i++ {
		if runes[i] < utf8.RuneSelf {
			continue
		}
		from, kana := i, false
		for ; i < len(runes) && runes[i] >= utf8.RuneSelf; i++ {
			kana = kana || 0x3001 <= runes[i] && runes[i] <= 0x30ff
			switch {
			case !unicode.Is(unicode.Han, runes[i]) || commonKanji()[runes[i]]:
				everyday++
			default:
				rare++
			}
		}
		small := func(at int) bool { return at >= 0 && at < len(runes) && 'a' <= runes[at] && runes[at] <= 'z' }
		if i-from <= 2 && !kana && (small(from-1) || small(i)) {
			strange += i - from
		} else {
			native += i - from
		}
	}
	return native > strange && everyday >= rare
}

// commonKanji are the kanji of the first level of JIS X 0208, of which Japanese texts mostly consist.
var commonKanji = sync.OnceValue(func() map[rune]bool {
	var raw []byte
	for row := byte(0xb0); row <= 0xcf; row++ {
		for cell := byte(0xa1); cell <= 0xfe; cell++ {
			raw = append(raw, row, cell)
		}
	}
	decoded, _ := japanese.EUCJP.NewDecoder().Bytes(raw) // cells without a kanji become the sign of replacement
	set := map[rune]bool{}
	for _, r := range string(decoded) {
		set[r] = unicode.Is(unicode.Han, r)
	}
	return set
})
