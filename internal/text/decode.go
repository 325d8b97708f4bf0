package text

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/rag-workbench/workbench/internal/problem"
)

// The names [Decode] gives to encodings.
const (
	UTF8      = "UTF-8"
	UTF16LE   = "UTF-16LE"
	UTF16BE   = "UTF-16BE"
	ISO2022JP = "ISO-2022-JP"
	CP932     = "CP932" // Shift_JIS with the Windows characters: ㈱ 髙 﨑 ①
	EUCJP     = "EUC-JP"

	Windows1252 = "Windows-1252" // of Western Europe and America, with ISO-8859-1 in it
	Windows1250 = "Windows-1250" // of Central Europe: Polish, Czech, Hungarian
	Windows1251 = "Windows-1251" // Cyrillic
	EUCKR       = "EUC-KR"       // Korean, with the characters of Windows (CP949)
	GB18030     = "GB18030"      // Chinese, with GBK and GB2312 in it
	Big5        = "Big5"         // Chinese of Taiwan and Hong Kong
	MacRoman    = "MacRoman"     // what programs of the old Mac OS wrote
)

// named are the encodings that people can name, beside those of UTF-16, which a mark says.
var named = []struct {
	name    string
	aliases string // as people and programs write it, without signs
	table   encoding.Encoding
}{
	{UTF8, "utf8 utf8sig", nil}, {CP932, "cp932 shiftjis sjis windows31j ms932", japanese.ShiftJIS}, {EUCJP, "eucjp ujis", japanese.EUCJP},
	{ISO2022JP, "iso2022jp jis", japanese.ISO2022JP}, {Windows1252, "windows1252 cp1252 latin1 iso88591 ansi", charmap.Windows1252},
	{Windows1250, "windows1250 cp1250", charmap.Windows1250}, {Windows1251, "windows1251 cp1251", charmap.Windows1251},
	{EUCKR, "euckr cp949 ms949 uhc windows949", korean.EUCKR}, {GB18030, "gb18030 gbk gb2312 cp936", simplifiedchinese.GB18030},
	{Big5, "big5 cp950", traditionalchinese.Big5},
	{MacRoman, "macroman macintosh mac", charmap.Macintosh},
}

// Encodings are the names that [DecodeAs] takes.
func Encodings() []string {
	names := make([]string, len(named))
	for i, e := range named {
		names[i] = e.name
	}
	return names
}

// DecodeAs is [Decode] of a text whose encoding people named; "" and "auto" leave it to the text. What is valid UTF-8 is read so whatever
// they named, for no other text is. Bytes that have no meaning in the named one are a Problem: the text is in another one.
func DecodeAs(raw []byte, encodingName string) (s, name string, err error) {
	key := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(encodingName))
	if key == "" || key == "auto" {
		return Decode(raw)
	}
	for _, e := range named {
		if !slices.Contains(strings.Fields(e.aliases), key) {
			continue
		}
		if hasMark(raw) || utf8.Valid(raw) {
			return Decode(raw)
		}
		s, ok := "", false
		if e.table != nil {
			s, ok = decodeCleanly(e.table, raw)
		}
		if !ok {
			return "", "", problem.New(problem.Invalid, "text_encoding_other", "its bytes are not valid %s", e.name).
				With("encoding", e.name).WithHint("name another encoding (--encoding): %s; or leave it out", strings.Join(Encodings(), ", "))
		}
		return normalizeLineEnds(s), e.name, nil
	}
	return "", "", problem.New(problem.Invalid, "text_encoding_name", "%q is no encoding that is read", encodingName).
		With("encoding", encodingName).WithHint("name one of (--encoding): %s, or auto", strings.Join(Encodings(), ", "))
}

// hasMark reports whether the first bytes of a text name its encoding, or say that it is none.
func hasMark(raw []byte) bool {
	return signedKind(raw) != "" || slices.ContainsFunc([]string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}, func(mark string) bool {
		return bytes.HasPrefix(raw, []byte(mark))
	})
}

// Decode returns raw as UTF-8 text and the name of the encoding it was in. There is no guesser, because guessers fail
// on short Japanese files; the rule is fixed, and the first line that applies decides:
//
//  1. A byte order mark names UTF-8, UTF-16LE or UTF-16BE. It is removed.
//  2. Seven-bit bytes with the escape sequences of Japanese mail are ISO-2022-JP.
//  3. Valid UTF-8 is UTF-8.
//  4. Bytes that decode cleanly as Shift_JIS and stand as Japanese does are CP932. Cleanly: every byte has a meaning, and the bytes do not
//     read as full-width kana in EUC-JP. The second half is needed because short EUC-JP texts are also valid Shift_JIS, where
//     they read as half-width katakana; Shift_JIS text with full-width kana is never valid EUC-JP.
//  5. Bytes that decode as EUC-JP and stand as Japanese does are EUC-JP, unless they read as Korean in EUC-KR.
//  6. Bytes that read as a language of Western Europe beyond doubt are Windows-1252.
//
// Line ends CRLF and CR become LF; nothing else is changed. Bytes that fit no line or the last and another one, or that are no text at all
// (NUL bytes, the signatures of PDF, ZIP and others, many control characters), are a Problem of kind Invalid: [DecodeAs] reads them once
// people say what they are. Show people the encoding.
func Decode(raw []byte) (s, encodingName string, err error) {
	if kind := signedKind(raw); kind != "" {
		return "", "", binaryProblem(kind)
	}
	s, encodingName, ok := decode(raw)
	if !ok {
		if kind := controlKind(string(raw)); kind != "" && encodingName == "" {
			return "", "", binaryProblem(kind)
		}
		return "", "", unknownEncoding(raw, encodingName)
	}
	if kind := controlKind(s); kind != "" {
		return "", "", binaryProblem(kind)
	}
	return normalizeLineEnds(s), encodingName, nil
}

// decode applies the rule. When ok is false, name is the encoding that was promised by a mark and not kept, or "".
func decode(raw []byte) (s, name string, ok bool) {
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return string(raw[3:]), UTF8, utf8.Valid(raw[3:])
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		s, ok = decodeUTF16(raw[2:], 0)
		return s, UTF16LE, ok
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		s, ok = decodeUTF16(raw[2:], 1)
		return s, UTF16BE, ok
	case hasMailEscapes(raw):
		s, ok = decodeCleanly(japanese.ISO2022JP, raw)
		return s, ISO2022JP, ok
	case utf8.Valid(raw):
		return string(raw), UTF8, true
	}
	sjis, isSJIS := decodeCleanly(japanese.ShiftJIS, raw)
	euc, isEUC := decodeCleanly(japanese.EUCJP, raw)
	western, isWestern := decodeCleanly(charmap.Windows1252, raw)
	isWestern = isWestern && readsAsWestern(western)
	isSJIS = isSJIS && !(isEUC && readsAsKana(euc))
	isEUC = isEUC && !readsAsKorean(raw)
	switch japanese := isSJIS && readsAsJapanese(sjis) || isEUC && readsAsJapanese(euc); {
	case japanese && isWestern:
		return "", "", false
	case isSJIS && japanese:
		return sjis, CP932, true
	case isEUC && japanese:
		return euc, EUCJP, true
	case isWestern:
		return western, Windows1252, true
	}
	return "", "", false
}

// decodeUTF16 decodes code units whose first byte has weight 256 when highFirst is 1.
func decodeUTF16(raw []byte, highFirst int) (string, bool) {
	if len(raw)%2 != 0 {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i += 2 {
		r := rune(raw[i+1-highFirst])<<8 | rune(raw[i+highFirst])
		if utf16.IsSurrogate(r) {
			if i+3 >= len(raw) {
				return "", false
			}
			low := rune(raw[i+3-highFirst])<<8 | rune(raw[i+2+highFirst])
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				return "", false
			}
			i += 2
		}
		b.WriteRune(r)
	}
	return b.String(), true
}

// hasMailEscapes reports whether raw is seven-bit and switches to a Japanese character set.
func hasMailEscapes(raw []byte) bool {
	if bytes.IndexByte(raw, 0x1b) < 0 {
		return false
	}
	for _, b := range raw {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	for _, esc := range []string{"\x1b$B", "\x1b$@", "\x1b(J", "\x1b(I"} {
		if bytes.Contains(raw, []byte(esc)) {
			return true
		}
	}
	return false
}

// decodeCleanly decodes raw, and is false when some byte had no meaning.
func decodeCleanly(e encoding.Encoding, raw []byte) (string, bool) {
	out, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return "", false
	}
	for _, r := range string(out) {
		if r == utf8.RuneError || 0x80 <= r && r < 0xa0 { // C1 controls: a byte that no text file has
			return "", false
		}
	}
	return string(out), true
}

// readsAsKana reports whether at least a fifth of the characters beyond ASCII are full-width kana or Japanese
// punctuation. Half-width katakana that happen to be valid EUC-JP read as rare kanji, far below that share.
func readsAsKana(s string) bool {
	kana, other := 0, 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
		case 0x3001 <= r && r <= 0x30ff:
			kana++
		default:
			other++
		}
	}
	return kana > 0 && kana*5 >= kana+other
}

// surelyHangul is how many syllables are no accident: kanji without kana read as some.
const surelyHangul = 8

// readsAsKorean reports whether nearly all characters beyond ASCII are Hangul where the text is read as EUC-KR. In EUC-JP the same bytes
// are kanji in a row, which hardly any Japanese table holds alone.
func readsAsKorean(raw []byte) bool {
	s, ok := decodeCleanly(korean.EUCKR, raw)
	hangul, other := 0, 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
		case unicode.Is(unicode.Hangul, r):
			hangul++
		default:
			other++
		}
	}
	return ok && hangul >= surelyHangul && other*19 <= hangul
}

// signatures are the first bytes of files that people name .txt by mistake.
var signatures = []struct{ prefix, kind string }{
	{"%PDF-", "a PDF file"},
	{"PK\x03\x04", "a ZIP archive or an Office file"},
	{"\xd0\xcf\x11\xe0", "an old or encrypted Office file"},
	{"\x1f\x8b", "a gzip archive"},
	{"\x89PNG", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"SQLite format 3", "a SQLite database"},
}

// signedKind says what raw is by its first bytes, or "".
func signedKind(raw []byte) string {
	for _, sig := range signatures {
		if bytes.HasPrefix(raw, []byte(sig.prefix)) {
			return sig.kind
		}
	}
	return ""
}

// controlKind says that s is no text when its control characters show it, else "".
func controlKind(s string) string {
	controls := 0
	for _, c := range []byte(s) {
		switch {
		case c == 0:
			return "binary data (it holds NUL bytes)"
		case c < 0x20 && (c < '\t' || c > '\r') && c != 0x1b:
			controls++
		}
	}
	if controls*20 > len(s) {
		return "binary data (it is full of control characters)"
	}
	return ""
}

func binaryProblem(kind string) *problem.Problem {
	return problem.New(problem.Invalid, "text_binary", "this is %s, not a text file", kind).With("kind", kind).
		WithHint("give a text file; UTF-16 text needs its byte order mark, which \"Save as Unicode\" writes")
}

func unknownEncoding(raw []byte, promised string) *problem.Problem {
	if promised != "" {
		return problem.New(problem.Invalid, "text_encoding_broken", "the file is marked as %s, but its bytes are not valid %s",
			promised, promised).
			With("encoding", promised).WithHint("the file is damaged or cut off; save it again as UTF-8")
	}
	line := 1
	for rest := raw; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		rest = rest[size:]
	}
	return problem.New(problem.Invalid, "text_encoding_unknown",
		"the text is not UTF-8 (first wrong byte in line %d), and its encoding cannot be told for sure", line).
		With("line", line).WithHint("of a table, say its encoding (--encoding): %s; or open the file in the program that wrote it and save it as UTF-8",
		strings.Join(Encodings()[1:], ", "))
}

func normalizeLineEnds(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
