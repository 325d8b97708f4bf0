package text

import (
	"strings"
	"unicode"
)

// Language says whether s is Japanese ("ja") or not ("en", the only other language the workbench has prompts for). It
// is "ja" when kana and kanji are at least 20 % of the letters: a Japanese sentence with many English product names is
// above, an English passage that quotes a Japanese title below. Text without letters is "en".
func Language(s string) string {
	japanese, letters := 0, 0
	for _, r := range s {
		switch {
		case r < 0x80:
			if 'a' <= r|0x20 && r|0x20 <= 'z' {
				letters++
			}
		case 0x3041 <= r && r <= 0x30ff, 0xff66 <= r && r <= 0xff9f, unicode.Is(unicode.Han, r):
			japanese++
			letters++
		case unicode.IsLetter(r):
			letters++
		}
	}
	if japanese > 0 && japanese*100 >= letters*20 {
		return "ja"
	}
	return "en"
}

// LanguageTag reads the language a file names: "ja" for ja, jp, ja-JP, Japanese, 日本語; "en" for en, en-US, English,
// 英語; false for everything else, including "".
func LanguageTag(s string) (lang string, ok bool) {
	tag := strings.ToLower(strings.TrimSpace(s))
	tag, _, _ = strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	switch tag {
	case "ja", "jp", "jpn", "japanese", "日本語":
		return "ja", true
	case "en", "eng", "english", "英語":
		return "en", true
	}
	return "", false
}
