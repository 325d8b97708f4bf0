package app

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
)

// The experiment files that [Init] writes are read and changed by people: their comments are in the language of the person, what they set
// is the same in both.

// startNames are what differs from one place to another in a file.
type startNames struct{ name, docs, questions, lang, path string }

// startVariants are the two files: what each sets, without the comments.
var startVariants = []struct {
	suffix string
	base   [3]string
}{
	{"baseline", [3]string{
		"chunk: {by: chars, size: 1000, overlap: 0}", "embedding: {provider: offline, model: hash}", "retrieve: {mode: dense, k: 3}",
	}},
	{"candidate", [3]string{
		"chunk: {by: chars, size: 800, overlap: 200}", "embedding: {provider: offline, model: ngram}", "retrieve: {mode: hybrid, k: 4}",
	}},
}

// startText is the file in one language.
type startText struct {
	titles map[string]string // by variant
	beside [3]string         // what stands beside the settings of the baseline
	frame  string
}

// startWords are the texts in English and, under true, in Japanese.
var startWords = map[bool]startText{
	false: {
		titles: map[string]string{
			"baseline":  "The baseline: what the candidate is compared with.",
			"candidate": "The candidate: smaller chunks that overlap, one context more, a better search.",
		},
		beside: [3]string{
			"by: %s; counted in that unit", "offline: hash (weak), ngram (better)", "dense | bm25 | hybrid",
		},
		frame: `# %[3]s
# Run it: workbench run        (every file in this folder, compared with the first)
name: %[1]s-%[2]s
corpus: %[1]s                # imported from %[4]s
dataset: %[1]s               # imported from %[5]s
suite: standard              # or retrieval, or a list of metric ids

# Who writes the answers and who judges them. Without a model both are offline: the writer quotes sentences, the judge compares
# words; that is for trying things out. This one line makes both a real model; OPENAI_API_KEY, and OPENAI_BASE_URL for another
# server, come from the environment or from .env.
# model: openai/gpt-4.1-mini
# judge: {explain_lang: %[6]s}       # language of the judge's reasons; default the question's

base:
%[7]s
# Try every combination of some parameters with: workbench sweep %[8]s
# sweep:
#   chunk.size: [400, 800, 1000]
#   chunk.overlap: [0, 200]
#   retrieve.k: [3, 4]
`,
	},
	true: {
		titles: map[string]string{
			"baseline":  "比較の基準：変更案はこの実験と比較されます。",
			"candidate": "変更案：チャンクを小さくして重ね、参照箇所を1件増やし、検索方法を改善します。",
		},
		beside: [3]string{
			"by: %s。size と overlap はこの単位で数えます", "offline: hash（低精度）、ngram（より高精度）",
			"dense | bm25 | hybrid",
		},
		frame: `# %[3]s
# 実行：workbench run        （このフォルダの全ファイルを実行し、最初のファイルと比較します）
name: %[1]s-%[2]s
corpus: %[1]s                # %[4]s から取り込み
dataset: %[1]s               # %[5]s から取り込み
suite: standard              # または retrieval、または指標 ID の一覧

# 回答と採点に使うモデル。指定がなければ、どちらもオフラインの簡易な規則で行います
# （回答は文書の文の引用、採点は語の比較）。これは試用のためのものです。次の model の行を有効にすると、どちらにも実際のモデルを使います。
# OPENAI_API_KEY と、別のサーバーを使う場合の OPENAI_BASE_URL は、環境変数または .env から読み取ります。
# model: openai/gpt-4.1-mini
# judge: {explain_lang: %[6]s}       # 採点理由の言語。既定は質問と同じ言語

base:
%[7]s
# パラメーターの組み合わせをすべて試すには：workbench sweep %[8]s
# sweep:
#   chunk.size: [400, 800, 1000]
#   chunk.overlap: [0, 200]
#   retrieve.k: [3, 4]
`,
	},
}

// body is one of the files in the language of the text.
func (t startText) body(variant int, n startNames) string {
	v := startVariants[variant]
	var base strings.Builder
	for i, line := range v.base {
		comment := t.beside[i]
		if strings.Contains(comment, "%s") {
			comment = fmt.Sprintf(comment, strings.Join(rag.ChunkUnitNames(), " | "))
		}
		if variant == 0 {
			line = fmt.Sprintf("%-46s # %s", line, comment)
		}
		fmt.Fprintf(&base, "  %s\n", line)
	}
	return fmt.Sprintf(t.frame, n.name, v.suffix, t.titles[v.suffix], n.docs, n.questions, n.lang, base.String(), n.path)
}
