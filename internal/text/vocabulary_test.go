package text

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tiktoken-go/tokenizer/codec"
)

var update = flag.Bool("update", false, "write the tables of the vocabularies")

// reference is what the library makes of the same vocabularies.
var reference = map[string]func() *codec.Codec{"o200k_base": codec.NewO200kBase, "cl100k_base": codec.NewCl100kBase}

func TestTablesAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	for name, table := range map[string][]byte{"o200k_base": o200kTable, "cl100k_base": cl100kTable} {
		var lengths, tokens []byte
		want, c := map[string]uint32{}, reference[name]()
		for rank := uint32(0); ; rank++ {
			token, err := c.Decode([]uint{uint(rank)})
			if err != nil {
				break // special tokens are behind a gap
			}
			want[token] = rank
			lengths, tokens = append(lengths, byte(len(token))), append(tokens, token...)
		}
		if *update {
			var packed bytes.Buffer
			w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			if _, err := w.Write(slices.Concat(lengths, []byte{0}, tokens)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name+".gz", packed.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got := unpacked(table); !maps.Equal(got, want) {
			t.Errorf("%s has %d tokens and differs from the library's %d: go test ./internal/text -update writes it", name, len(got), len(want))
		}
	}
}

// checkReference compares the tokens of s with the library's, but for U+007F, which the library does not see.
func checkReference(t *testing.T, c *codec.Codec, s string) {
	t.Helper()
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x7f", "")
	_, want, err := c.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	at := 0
	vocabularyOf(c.GetName()).tokens(s, func(size int) {
		got = append(got, s[at:at+size])
		at += size
	})
	if !slices.Equal(want, got) {
		t.Fatalf("%s %q (-library +ours):\n%s", c.GetName(), s, cmp.Diff(want, got))
	}
}

// TestTokensAreThoseOfTheLibrary is about every character of the first plane beside others, texts of all kinds of characters, and long
// pieces.
func TestTokensAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	kinds := []string{"a", "A", "ǅ", "ʰ", "あ", "\u0301", "7", "Ⅷ", " ", "\u00a0", "\u3000", "\t", "\n", "\r", "/", "'", ".", "s", "S", "ſ",
		"t", "re", "Ve", "m", "LL", "d", "é", "é", "漢字", "👍🏽", "ﬁ", "\x00", "\u200d"}
	for name, open := range reference {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := open()
			for block := rune(0); block < 0x10000; block += 0x100 {
				var s strings.Builder
				for r := block; r < block+0x100; r++ {
					if utf8.ValidRune(r) {
						fmt.Fprintf(&s, "a%c%cB7%c \n", r, r, r)
					}
				}
				checkReference(t, c, s.String())
			}
			r := rand.New(rand.NewPCG(5, 6))
			for range 1000 {
				var s strings.Builder
				for range r.IntN(40) {
					s.WriteString(kinds[r.IntN(len(kinds))])
				}
				checkReference(t, c, s.String())
				checkReference(t, c, randomText(r))
			}
			for _, kind := range kinds {
				checkReference(t, c, strings.Repeat(kind, 3000))
			}
		})
	}
}
