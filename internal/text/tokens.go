package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// codec is the o200k vocabulary of current OpenAI models. It ships inside the library; loading takes some ten
// milliseconds, so only programs that count tokens pay.
var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Tokens cuts s into byte-pair tokens of the o200k vocabulary. Where a token ends inside a character the character goes
// to the token that begins it, and a token left without a character is dropped, so the spans cover s without gaps.
func Tokens(s string) ([]Span, error) {
	c, err := codec()
	if err != nil {
		return nil, err
	}
	// The codec's pattern matches every character but U+007F, which would vanish; another control character stands in.
	_, pieces, err := c.Encode(strings.ReplaceAll(s, "\x7f", "\x01"))
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
