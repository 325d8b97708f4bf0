package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// The vocabularies ship inside the library; loading takes some ten milliseconds, so only programs that count tokens pay.
var (
	o200k  = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })
	cl100k = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.Cl100kBase) })
)

// codec is the vocabulary of this name: cl100k_base, or for any other name o200k_base, that of current OpenAI models.
func codec(encoding string) (tokenizer.Codec, error) {
	if encoding == string(tokenizer.Cl100kBase) {
		return cl100k()
	}
	return o200k()
}

// visible writes a stand-in for U+007F, the one character that the codecs' patterns do not match: it would vanish.
func visible(s string) string { return strings.ReplaceAll(s, "\x7f", "\x01") }

// TokenCounter returns what counts the tokens of a text in a vocabulary: o200k_base, or cl100k_base.
func TokenCounter(encoding string) (func([]rune) int, error) {
	c, err := codec(encoding)
	if err != nil {
		return nil, err
	}
	return func(r []rune) int {
		n, err := c.Count(visible(string(r)))
		if err != nil { // of a library that cannot fail on any text we know; a length in characters is never too short
			return len(r)
		}
		return n
	}, nil
}

// Tokens cuts s into byte-pair tokens of a vocabulary: o200k_base, or cl100k_base. Where a token ends inside a character the character
// goes to the token that begins it, and a token left without a character is dropped, so the spans cover s without gaps.
func Tokens(encoding, s string) ([]Span, error) {
	c, err := codec(encoding)
	if err != nil {
		return nil, err
	}
	_, pieces, err := c.Encode(visible(s))
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
