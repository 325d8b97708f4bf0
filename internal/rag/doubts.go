package rag

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/llm"
)

// Doubt is a value that is possible and probably not meant: it is said where an experiment is registered, and stops nobody. Each names
// the field, what it says, and what it stands against.
type Doubt struct {
	Field string `json:"field"`
	EN    string `json:"en"`
	JA    string `json:"ja"`
}

// In returns the words of the doubt in a language, "ja" or else English.
func (d Doubt) In(lang string) string {
	if lang == "ja" {
		return d.JA
	}
	return d.EN
}

// Bounds that a doubt stands against.
const (
	readAtOnce   = 128_000 // tokens that models such as gpt-4o read at once
	batchOfTEI   = 32      // texts that Text Embeddings Inference takes in one request unless it was started with another number
	manyOverlaps = 2       // an overlap of more than size ÷ this makes the index that many times as large
)

// Doubts are what is probably not meant in a configuration that is valid.
func (c Config) Doubts() []Doubt {
	if c.IsOutside() {
		return nil
	}
	var out []Doubt
	doubt := func(meant bool, field, en, ja string, values ...any) {
		if !meant {
			out = append(out, Doubt{field, fmt.Sprintf(en, values...), fmt.Sprintf(ja, values...)})
		}
	}
	said := c.Embedding
	c = c.Frozen().Effective()
	k, known := c.Chunk, llm.EmbedderOf(c.Embedding.Name)
	doubt(!c.Retrieve.vectors() || !said.NeedsPrefixes(), "embedding.query_prefix",
		"%[1]s finds less without its prefixes: set embedding.query_prefix and passage_prefix to auto (%[2]q and %[3]q), or none if the server adds them",
		"%[1]sは接頭辞を付けないと検索で見つかる量が減ります。embedding.query_prefixとpassage_prefixをauto（%[2]qと%[3]q）に、サーバーが付ける場合はnoneにしてください",
		c.Embedding.Name, known.QueryPrefix, known.PassagePrefix)
	doubt(manyOverlaps*k.Overlap <= k.Size, "chunk.overlap",
		"chunk.overlap is %[1]d of a chunk.size of %[2]d: more than half, so that the index is %.1[3]f times as large as the documents",
		"chunk.overlapが%[1]dで、chunk.size %[2]dの半分を超えています。索引は文書の%.1[3]f倍の大きさになります",
		k.Overlap, k.Size, float64(k.Size)/float64(max(1, k.Size-k.Overlap)))
	limit := known.InputTokens
	doubt(!c.Retrieve.vectors() || limit == 0 || k.inTokens() || !k.inChars() || k.Size <= limit, "chunk.size",
		"chunk.size is %[1]d characters and %[2]s reads %[3]d tokens: of Japanese, where a character is about one token, it would not see the end",
		"chunk.sizeは%[1]d文字ですが、%[2]sが読み取るのは%[3]dトークンまでです。日本語は1文字が約1トークンのため、末尾が読まれません",
		k.Size, c.Embedding.Name, limit)
	tokens := k.longest() * (1 + 2*c.Retrieve.Neighbours)
	doubt(c.Retrieve.K*tokens <= readAtOnce, "retrieve.k",
		"retrieve.k is %[1]d and a hit has about %[2]d tokens: together %[3]d, more than the %[4]d that models such as gpt-4o read at once",
		"retrieve.kが%[1]dで、検索結果は1件が約%[2]dトークンです。合わせて%[3]dとなり、gpt-4oなどのモデルが一度に読める%[4]dを超えます",
		c.Retrieve.K, tokens, c.Retrieve.K*tokens, readAtOnce)
	doubt(c.Rerank.Dialect != llm.RerankTEI || c.Rerank.Batch <= batchOfTEI, "rerank.batch",
		"rerank.batch is %[1]d and TEI takes %[2]d texts in one request, unless it was started with --max-client-batch-size",
		"rerank.batchは%[1]dですが、TEIが1回に受け付けるのは%[2]d件です（--max-client-batch-sizeで起動した場合を除く）",
		c.Rerank.Batch, batchOfTEI)
	return out
}

// inTokens reports whether a chunk's size counts tokens, inChars whether it counts characters.
func (c Chunking) inTokens() bool {
	return c.By == "tokens" || c.By == ByRecursive && c.Count == CountTokens
}

func (c Chunking) inChars() bool {
	return c.By == "chars" || c.By == ByRecursive && c.Count != CountTokens
}

// longest is the greatest length of a hit that is handed on, in tokens; 0 where sentences or paragraphs are counted.
func (c Chunking) longest() int {
	length := c.Size
	if larger := c.Parent.Mode; larger == ParentSection || larger == ParentSize || larger == ParentMerge {
		length = c.Parent.size()
	}
	switch {
	case c.inTokens():
		return length
	case c.inChars():
		return length / charsOfToken
	}
	return 0
}

// charsOfToken is how many characters of English one token has; of Japanese it is fewer, so that a doubt is the surer.
const charsOfToken = 4
