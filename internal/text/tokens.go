package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// The vocabularies ship inside the library; loading takes some ten milliseconds, so only programs that count tokens pay. They are taken
// one by one: asked for by name, those of older models would be in the program too.
var (
	o200k  = sync.OnceValue(codec.NewO200kBase)
	cl100k = sync.OnceValue(codec.NewCl100kBase)
)

// vocabulary is that of this name: cl100k_base, or for any other name o200k_base, that of current OpenAI models.
func vocabulary(encoding string) *codec.Codec {
	if encoding == "cl100k_base" {
		return cl100k()
	}
	return o200k()
}

// visible writes a stand-in for U+007F, the one character that the codecs' patterns do not match: it would vanish.
func visible(s string) string { return strings.ReplaceAll(s, "\x7f", "\x01") }

// TokenCounter returns what counts the tokens of a text in a vocabulary: o200k_base, or cl100k_base.
func TokenCounter(encoding string) func([]rune) int {
	c := vocabulary(encoding)
	return func(r []rune) int {
		n, err := c.Count(visible(string(r)))
		if err != nil { // of a library that cannot fail on any text we know; a length in characters is never too short
			return len(r)
		}
		return n
	}
}

// Tokens cuts s into byte-pair tokens of a vocabulary: o200k_base, or cl100k_base. Where a token ends inside a character the character
// goes to the token that begins it, and a token left without a character is dropped, so the spans cover s without gaps.
func Tokens(encoding, s string) ([]Span, error) {
	_, pieces, err := vocabulary(encoding).Encode(visible(s))
	if err != nil {
		return nil, err
	}
	spans := make([]Span, 0, len(pieces))
	start, end, tokenEnd, at := 0, 0, 0, 0 // start, end count code points; tokenEnd, at count bytes
	for _, piece := range pieces {
		tokenEnd += len(piece)
		for at < tokenEnd && at < len(s) {
			_, size := utf8.DecodeRuneInString(s[at:])
			at += size
			end++
		}
		if end > start {
			spans = append(spans, Span{Start: start, End: end})
			start = end
		}
	}
	return spans, nil
}
