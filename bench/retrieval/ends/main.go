// Ends says where chunks end: at the end of a sentence, of another line (a heading, an item, a row), or inside a sentence.
//
//	go run ./bench/retrieval/ends [-by recursive] [-size 400] [-overlap 80] [-documents 100] [-show 20] FOLDER…
//
// A folder holds corpus.jsonl; its first documents are cut. A line that ends without a mark is no sentence that was cut: the text goes on
// with something else behind it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/rag"
)

func main() {
	c := rag.Chunking{}
	separators := flag.String("separators", "auto", "name of a list")
	flag.StringVar(&c.By, "by", rag.ByRecursive, "chunk.by")
	flag.IntVar(&c.Size, "size", 400, "chunk.size")
	flag.IntVar(&c.Overlap, "overlap", 80, "chunk.overlap")
	flag.StringVar(&c.Keep, "keep", "", "chunk.keep")
	most := flag.Int("documents", 100, "most documents of a folder")
	show := flag.Int("show", 0, "print so many ends inside a sentence")
	flag.Parse()
	if c.By == rag.ByRecursive {
		c.Separators = rag.Separators{*separators}
	}
	for _, folder := range flag.Args() {
		n, err := measure(c, folder, *most, *show)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %s\n", filepath.Base(folder), n)
	}
}

// ends counts chunks.
type ends struct {
	chunks   int
	unmarked int // whose last character is no mark that ends a sentence
	inside   int // of those, followed by more of the same line
	word     int // that end within a word of a script with spaces
	mark     int // that begin with 。 or 、
}

// String is the counts in words, with their shares.
func (n ends) String() string {
	share := func(of int) string { return fmt.Sprintf("%d (%.1f%%)", of, 100*float64(of)/float64(max(1, n.chunks))) }
	return fmt.Sprintf("%d chunks; without a mark at the end %s; inside a sentence %s; inside a word %s; begin with a mark %s", n.chunks,
		share(n.unmarked), share(n.inside), share(n.word), share(n.mark))
}

func measure(c rag.Chunking, folder string, most, show int) (n ends, err error) {
	body, err := os.ReadFile(filepath.Join(folder, "corpus.jsonl"))
	if err != nil {
		return n, err
	}
	var docs []rag.Document
	for line := range strings.Lines(string(body)) {
		var d rag.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			return n, err
		}
		d.Text = norm.NFC.String(d.Text)
		if docs = append(docs, d); len(docs) == most {
			break
		}
	}
	corpus := rag.NewCorpus(filepath.Base(folder), docs)
	spans := c.Cut(corpus)
	for _, s := range spans {
		d, _ := corpus.Document(s.DocID)
		runes := []rune(d.Text)
		n.chunks++
		if strings.ContainsRune("。、", runes[s.Start]) {
			n.mark++
		}
		if s.End < len(runes) && wordRune(runes[s.End-1]) && wordRune(runes[s.End]) {
			n.word++
		}
		if marked(runes[s.Start:s.End]) {
			continue
		}
		n.unmarked++
		if lineEnds(runes[s.End:]) {
			continue
		}
		if n.inside++; n.inside <= show {
			fmt.Printf("  %s …%s | %s…\n", s, string(runes[max(s.Start, s.End-40):s.End]), string(runes[s.End:min(len(runes), s.End+20)]))
		}
	}
	return n, nil
}

// marked reports whether a text ends with the mark that ends a sentence, and what closes brackets behind it.
func marked(runes []rune) bool {
	for i := len(runes) - 1; i >= 0; i-- {
		switch {
		case strings.ContainsRune("。．！？.!?", runes[i]):
			return true
		case !strings.ContainsRune("」』）)】]\"'”’", runes[i]):
			return false
		}
	}
	return false
}

// lineEnds reports whether the line ends here: with the document, or at a line feed.
func lineEnds(rest []rune) bool {
	for _, r := range rest {
		if r == '\n' {
			return true
		}
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// wordRune is a letter or digit of a script that writes spaces between words.
func wordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
