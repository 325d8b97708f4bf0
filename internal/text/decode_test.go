package text

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/rag-workbench/workbench/internal/problem"
)

// encoded returns s in the encoding.
func encoded(t *testing.T, e encoding.Encoding, s string) []byte {
	t.Helper()
	raw, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestDecode(t *testing.T) {
	t.Parallel()
	const sentence = "返品は30日以内に限ります。㈱髙﨑①～\n"
	const plain = "返品は30日以内に限ります。送料\n"
	utf16LE := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	utf16BE := unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	cases := []struct {
		name string
		raw  []byte
		want string
		enc  string
	}{
		{"empty", nil, "", UTF8},
		{"ASCII", []byte("id,question\n"), "id,question\n", UTF8},
		{"UTF-8", []byte(sentence), sentence, UTF8},
		{"UTF-8 with mark", []byte("\ufeff" + sentence), sentence, UTF8},
		{"only a mark", []byte("\ufeff"), "", UTF8},
		{"UTF-16LE", encoded(t, utf16LE, sentence+"𠮷😀"), sentence + "𠮷😀", UTF16LE},
		{"UTF-16BE", encoded(t, utf16BE, sentence+"𠮷😀"), sentence + "𠮷😀", UTF16BE},
		{"CP932", encoded(t, japanese.ShiftJIS, sentence), sentence, CP932},
		{"CP932, two characters", encoded(t, japanese.ShiftJIS, "質問"), "質問", CP932},
		{"CP932, half-width katakana", encoded(t, japanese.ShiftJIS, "ｶﾌﾞｼｷｶﾞｲｼｬ"), "ｶﾌﾞｼｷｶﾞｲｼｬ", CP932},
		{"CP932, half-width katakana with dots", encoded(t, japanese.ShiftJIS, "ﾊﾟｰﾄ･ｱﾙﾊﾞｲﾄ"), "ﾊﾟｰﾄ･ｱﾙﾊﾞｲﾄ", CP932},
		{"EUC-JP", encoded(t, japanese.EUCJP, plain), plain, EUCJP},
		{"EUC-JP that is also valid Shift_JIS", encoded(t, japanese.EUCJP, "これはテストです"), "これはテストです", EUCJP},
		{"EUC-JP with ASCII", encoded(t, japanese.EUCJP, "q1,テスト\n"), "q1,テスト\n", EUCJP},
		{"ISO-2022-JP", encoded(t, japanese.ISO2022JP, plain), plain, ISO2022JP},
		{"terminal colours are no ISO-2022-JP", []byte("\x1b[31mred\x1b[0m text, long enough"),
			"\x1b[31mred\x1b[0m text, long enough", UTF8},
		{"CRLF and CR", []byte("a\r\nb\rc\n\r\nd"), "a\nb\nc\n\nd", UTF8},
		{"CRLF in UTF-16", encoded(t, utf16LE, "a\r\nb"), "a\nb", UTF16LE},
		{"replacement character in UTF-8", []byte("a\ufffdb"), "a\ufffdb", UTF8},
		{"Word's NBSP", []byte("a\u00a0b"), "a\u00a0b", UTF8},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, enc, err := Decode(c.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want || enc != c.enc {
				t.Errorf("Decode = %q in %s, want %q in %s", got, enc, c.want, c.enc)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		raw  []byte
		code string
		say  string
	}{
		{"NUL", []byte("a\x00b"), "text_binary", "NUL"},
		{"UTF-16 without mark", []byte("a\x00b\x00"), "text_binary", "NUL"},
		{"UTF-32 mark", []byte("\xff\xfe\x00\x00a\x00\x00\x00"), "text_binary", "NUL"},
		{"PDF", []byte("%PDF-1.4\n"), "text_binary", "a PDF file"},
		{"zip", []byte("PK\x03\x04zzz"), "text_binary", "a ZIP archive"},
		{"PNG", []byte("\x89PNG\r\n\x1a\n"), "text_binary", "a PNG image"},
		{"control characters", bytes.Repeat([]byte{1, 2, 'a'}, 9), "text_binary", "control"},
		{"Windows-1250", append([]byte("one\ntwo\n"), encoded(t, charmap.Windows1250, "odpowiedź prawidłowa")...),
			"text_encoding_unknown", "line 3"},
		{"mark, then broken UTF-8", []byte("\xef\xbb\xbfa\xff"), "text_encoding_broken", UTF8},
		{"odd UTF-16", []byte("\xff\xfea\x00b"), "text_encoding_broken", UTF16LE},
		{"lone high surrogate", []byte("\xff\xfe\x00\xd8a\x00"), "text_encoding_broken", UTF16LE},
		{"high surrogate at the end", []byte("\xfe\xff\xd8\x00"), "text_encoding_broken", UTF16BE},
		{"lone low surrogate", []byte("\xfe\xff\xdc\x00\x00a"), "text_encoding_broken", UTF16BE},
		{"broken ISO-2022-JP", []byte("\x1b$B\x7f\x7f"), "text_encoding_broken", ISO2022JP},
		{"cut off CP932", encoded(t, japanese.ShiftJIS, "返品は")[:5], "text_encoding_unknown", "line 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _, err := Decode(c.raw)
			if got := problem.CodeOf(err); got != c.code {
				t.Fatalf("code = %q (%q, %v), want %q", got, s, err, c.code)
			}
			p := problem.From(err)
			if !strings.Contains(p.Message, c.say) || p.Hint == "" || p.Kind != problem.Invalid {
				t.Errorf("%s problem %q with hint %q does not say %q", p.Kind, p.Message, p.Hint, c.say)
			}
		})
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "a.txt")
	if err := os.WriteFile(file, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	if raw, err := ReadFile(file, 5); err != nil || string(raw) != "12345" {
		t.Errorf("ReadFile = %q, %v", raw, err)
	}
	for _, c := range []struct {
		name, path, code string
		limit            int64
	}{
		{"too large", file, "file_too_large", 4},
		{"missing", file + "x", "file_missing", 5},
		{"folder", folder, "file_not_regular", 5},
		{"device", os.DevNull, "file_not_regular", 5},
		{"name with NUL", "a\x00b", "file_unreadable", 5},
	} {
		if _, err := ReadFile(c.path, c.limit); problem.CodeOf(err) != c.code || problem.From(err).Hint == "" {
			t.Errorf("%s: %v, want code %s and a hint", c.name, err, c.code)
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                  "en",
		"12:30 — 50 %":      "en",
		"What is a refund?": "en",
		"返品はできますか":          "ja",
		"東京":                "ja",
		"ｶﾌﾞｼｷ":             "ja",
		"Pythonのリスト comprehension とは？": "ja",
		"「ー」":                             "ja",
		"Straße nach München":             "en",
		"The word 寿司 is known everywhere": "en",
	} {
		if got := Language(s); got != want {
			t.Errorf("Language(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestLanguageTag(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"ja": "ja", "JA": "ja", "ja-JP": "ja", "ja_JP": "ja", "Japanese": "ja", "日本語": "ja", "jp": "ja",
		"en": "en", "en-GB": "en", " English ": "en", "英語": "en", "": "", "fr": "", "java": "", "enough": "",
	} {
		if got, ok := LanguageTag(tag); got != want || ok != (want != "") {
			t.Errorf("LanguageTag(%q) = %q, %t, want %q", tag, got, ok, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a\r\n", "\ufeffa", "\xff\xfea\x00", "\xfe\xff\x00a", "\x1b$B$\"\x1b(B", "\x82\xa0", "\xa4\xa2",
		"\xe9t\xe9", "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, enc, err := Decode(raw)
		if err != nil {
			if s != "" || enc != "" || problem.From(err).Hint == "" {
				t.Fatalf("error %v comes with %q, %q", err, s, enc)
			}
			return
		}
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\r\x00") {
			t.Fatalf("%s gave %q", enc, s)
		}
		if again, enc2, err := Decode([]byte(s)); err == nil && enc2 == UTF8 && again != s && !strings.HasPrefix(s, "\ufeff") {
			t.Fatalf("decoding twice changed %q to %q", s, again)
		}
	})
}
