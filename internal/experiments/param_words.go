package experiments

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// namedParam is a parameter with its name in words.
type namedParam struct {
	id   string
	said Rationale
}

// paramNames are the parameters of a setup as people read them, by the names that experiment files give them. It is the only list:
// comparisons, causes, recommendations, reports and notebooks read it. What is said of a part as a whole, such as its filter, stands here
// under the name of that part. They are told in this order, that of a file.
var paramNames = []namedParam{
	{"chunk.by", Rationale{"chunks counted in", "チャンクの単位"}},
	{"chunk.size", Rationale{"chunk size", "チャンクサイズ"}},
	{"chunk.overlap", Rationale{"overlap of chunks", "チャンクの重なり"}},
	{"chunk.overlap_share", Rationale{"overlap of chunks (share)", "チャンクの重なり（割合）"}},
	{"chunk.count", Rationale{"unit of the chunk size", "チャンクサイズの単位"}},
	{"chunk.encoding", Rationale{"way of counting tokens", "トークンの数え方"}},
	{"chunk.separators", Rationale{"separators of chunks", "チャンクの区切り"}},
	{"chunk.keep", Rationale{"side of the separators", "区切りを残す側"}},
	{"chunk.tables", Rationale{"cutting of tables", "表の分割"}},
	{"chunk.lists", Rationale{"cutting of lists", "箇条書きの分割"}},
	{"chunk.heading", Rationale{"cutting at headings", "見出しでの分割"}},
	{"chunk.min", Rationale{"shortest section", "節の最小の長さ"}},
	{"chunk.parent", Rationale{"larger piece that is handed on", "渡す範囲の拡大"}},
	{"chunk.header", Rationale{"headings before each chunk", "チャンクに付ける見出し"}},
	{"chunk.header_in_prompt", Rationale{"headings shown to the model", "モデルに見せる見出し"}},
	{"embedding", Rationale{"embedding model", "埋め込みモデル"}},
	{"embedding.provider", Rationale{"provider of the embedding model", "埋め込みモデルのプロバイダー"}},
	{"embedding.model", Rationale{"embedding model", "埋め込みモデル"}},
	{"embedding.dimensions", Rationale{"length of vectors", "ベクトルの次元数"}},
	{"embedding.matryoshka", Rationale{"vectors may be cut", "ベクトルの短縮"}},
	{"embedding.input_type", Rationale{"kind of text told to the embedding model", "埋め込みモデルに伝える文の種類"}},
	{"embedding.query_prefix", Rationale{"text before each question that is embedded", "埋め込む質問の前に付ける文"}},
	{"embedding.passage_prefix", Rationale{"text before each passage that is embedded", "埋め込むチャンクの前に付ける文"}},
	{"embedding.normalize", Rationale{"vectors scaled to length 1", "ベクトルの正規化"}},
	{"embedding.similarity", Rationale{"measure of similarity", "類似度の尺度"}},
	{"rewrite", Rationale{"question rewriting", "質問の書き換え"}},
	{"rewrite.provider", Rationale{"provider of the rewriting model", "書き換えモデルのプロバイダー"}},
	{"rewrite.model", Rationale{"rewriting model", "書き換えモデル"}},
	{"rewrite.n", Rationale{"texts the rewriting model writes", "書き換えで作る文の数"}},
	{"rewrite.include_original", Rationale{"search of the question itself too", "元の質問での検索"}},
	{"retrieve.mode", Rationale{"search", "検索方法"}},
	{"retrieve.k", Rationale{"passages given to the model (k)", "モデルに渡す参照箇所の数（k）"}},
	{"retrieve.engine", Rationale{"place of the vectors", "ベクトルの保存先"}},
	{"retrieve.bm25", Rationale{"weighing of words (BM25)", "語の重み付け（BM25）"}},
	{"retrieve.fusion", Rationale{"joining of the two rankings", "2つの順位の統合"}},
	{"retrieve.rrf_k", Rationale{"constant of the joining by rank", "順位による統合の定数"}},
	{"retrieve.weights", Rationale{"weights of the two rankings", "2つの順位の重み"}},
	{"retrieve.alpha", Rationale{"weight of the search by meaning", "意味での検索の重み"}},
	{"retrieve.norm", Rationale{"scaling of scores before the joining", "統合前のスコアの正規化"}},
	{"retrieve.filter", Rationale{"filter of documents", "文書の絞り込み"}},
	{"retrieve.min_score", Rationale{"least score of a hit", "検索結果の最小スコア"}},
	{"retrieve.per_document", Rationale{"most hits of one document", "1文書からの上限"}},
	{"retrieve.mmr", Rationale{"choice of different hits (MMR)", "重複を避ける選択（MMR）"}},
	{"retrieve.neighbours", Rationale{"neighbours that are handed on", "一緒に渡す前後のチャンク"}},
	{"retrieve.pgvector.connection", Rationale{"connection to the vectors", "ベクトルへの接続"}},
	{"retrieve.pgvector.index", Rationale{"vector index", "ベクトル索引"}},
	{"retrieve.pgvector.m", Rationale{"links of the vector index (m)", "ベクトル索引のリンク数（m）"}},
	{"retrieve.pgvector.ef_construction", Rationale{"care in building the vector index (ef_construction)",
		"ベクトル索引の構築時の候補数（ef_construction）"}},
	{"retrieve.pgvector.ef_search", Rationale{"candidates that the approximate search keeps (ef_search)", "近似検索の候補数（ef_search）"}},
	{"retrieve.pgvector.halfvec", Rationale{"numbers of 16 bits in the vector index", "ベクトル索引の16ビット化"}},
	{"retrieve.params.exact", Rationale{"exact search of the index", "インデックスの厳密な検索"}},
	{"retrieve.params.ef_search", Rationale{"candidates of the search (ef_search)", "検索の候補数（ef_search）"}},
	{"retrieve.params.num_candidates", Rationale{"candidates of the search (num_candidates)", "検索の候補数（num_candidates）"}},
	{"rerank", Rationale{"reranking", "リランク"}},
	{"rerank.depth", Rationale{"candidates of the reranking", "リランクの候補数"}},
	{"rerank.provider", Rationale{"provider of the reranking model", "リランクのモデルのプロバイダー"}},
	{"rerank.model", Rationale{"reranking model", "リランクのモデル"}},
	{"rerank.dialect", Rationale{"form of the calls to the reranking service", "リランクのサービスの呼び出し形式"}},
	{"rerank.batch", Rationale{"documents of one call for reranking", "リランクの1回の呼び出しの文書数"}},
	{"rerank.listwise", Rationale{"reranking in one call", "1回の呼び出しでのリランク"}},
	{"rerank.min_score", Rationale{"least score of the reranking", "リランクの最小スコア"}},
	{"generate", Rationale{"answering model", "生成モデル"}},
	{"generate.provider", Rationale{"provider of the answering model", "生成モデルのプロバイダー"}},
	{"generate.model", Rationale{"answering model", "生成モデル"}},
	{"generate.prompt", Rationale{"instructions to the model", "モデルへの指示文"}},
	{"generate.temperature", Rationale{"temperature", "温度"}},
	{"generate.max_tokens", Rationale{"longest answer (tokens)", "回答の上限（トークン）"}},
	{"post_process", Rationale{"steps after the answer", "回答後の処理"}},
	{"corpus", Rationale{"documents", "文書"}},
}

// valueWords are values that have words of their own, by parameter.
var valueWords = map[string]map[string]Rationale{
	"retrieve.mode": {
		"dense": {"by meaning (dense)", "意味で検索（dense）"}, "bm25": {"by keyword (BM25)", "キーワードで検索（BM25）"},
		"hybrid": {"by meaning and by keyword (hybrid)", "意味とキーワードの併用（hybrid）"},
	},
	"rewrite": {
		"expand": {"key terms added", "重要語を追加"}, "damage": {"key terms dropped", "重要語を削除"},
		"llm": {"by a model", "モデルで書き換え"}, "multi_query": {"several wordings (multi-query)", "複数の言い換え（multi-query）"},
		"hyde":      {"a passage that might answer it (HyDE)", "仮の回答文（HyDE）"},
		"decompose": {"split into parts", "部分質問に分解"},
		"step_back": {"a more general question too (step-back)", "より一般的な質問も検索（step-back）"},
	},
	"rerank": {
		"lexical": {"by shared words", "語の一致でリランク"}, "llm": {"by a model", "モデルでリランク"},
		"api": {"by a scoring service", "採点サービスでリランク"},
	},
	"chunk.parent": {
		"window": {"sentences around it", "前後の文"}, "section": {"its section", "同じ節"}, "size": {"text around it", "周囲の文章"},
		"merge": {"neighbouring pieces together", "隣り合うチャンクの統合"},
	},
	"chunk.header":    {"title": {"title", "題名"}, "path": {"title and headings", "題名と見出し"}},
	"retrieve.fusion": {"rrf": {"by rank", "順位による"}, "convex": {"by score", "スコアによる"}},
	"post_process":    {"truncate": {"shortened", "短縮"}, "strip_citations": {"citation marks taken out", "出典番号を除去"}},
}

// nothing is a value that is not set, in words.
var nothing = Rationale{"none", "なし"}

// ParamName is a parameter of a setup in words; its own name where it has none.
func ParamName(param string) Rationale {
	if at := placeOf(param); at < len(paramNames) {
		return paramNames[at].said
	}
	return Rationale{param, param}
}

// NamesParam reports whether a parameter has a name in words.
func NamesParam(param string) bool { return placeOf(param) < len(paramNames) }

// placeOf is the place of a parameter among those with names; behind them all where it has none.
func placeOf(param string) int {
	for i, named := range paramNames {
		if named.id == param || named.id+".mode" == param {
			return i
		}
	}
	return len(paramNames)
}

// ParamNames are the parameters that have names in words, in the order of a file.
func ParamNames() []string {
	out := make([]string, len(paramNames))
	for i, named := range paramNames {
		out[i] = named.id
	}
	return out
}

// ValueNames are the values of a parameter that have words, in alphabetical order; of one that has such values "none" is among them.
func ValueNames(param string) []string {
	out := slices.Collect(maps.Keys(valueWords[param]))
	if len(out) > 0 && param != "retrieve.mode" && param != "retrieve.fusion" {
		out = append(out, "none")
	}
	slices.Sort(out)
	return out
}

// ValueText is a value of a parameter in words, whether it stands in a file, in a configuration or in what was stored.
func ValueText(param string, value any) Rationale {
	if param != "retrieve.mode" { // the others are named by their part
		param = strings.TrimSuffix(param, ".mode")
	}
	switch v := plainValue(value).(type) {
	case nil:
		return nothing
	case bool:
		return map[bool]Rationale{true: {"yes", "はい"}, false: {"no", "いいえ"}}[v]
	case string:
		return wordOf(param, v)
	case []any:
		return valuesText(param, v)
	case map[string]any:
		return partText(param, v)
	default:
		return plainText(fmt.Sprint(v))
	}
}

// UnitOf is what a parameter of these chunks counts, as the code of chunk.by: of a size and an overlap; "" of anything else.
func UnitOf(param string, c rag.Chunking) string {
	if param == "chunk.size" || param == "chunk.overlap" {
		return c.SizeUnit().Code
	}
	return ""
}

// ChangeText is one change of a setup in words: its parameter, what it was and what it becomes, with what both count, a code of chunk.by;
// "" where that is not known, or nothing. It is the only place that says so.
func ChangeText(param string, from, to any, unit string) Rationale {
	name, was, is := ParamName(param), ValueText(param, from), counted(param, to, unit)
	return Rationale{EN: name.EN + " " + was.EN + " → " + is.EN, JA: name.JA + " " + was.JA + " → " + is.JA}
}

// SetText is a parameter with the value that it has, in words, with what it counts, a code of chunk.by or "".
func SetText(param string, value any, unit string) Rationale {
	name, is := ParamName(param), counted(param, value, unit)
	return Rationale{EN: name.EN + ": " + is.EN, JA: name.JA + "：" + is.JA}
}

// SetsText is what a sweep set in a run, in words, where a sentence has room for them. Narrow tables and labels have the ids, see
// [Describe].
func SetsText(params []Param) Rationale { return setsText(params, nil) }

// SetsTextIn is [SetsText] where it is known how the run cuts chunks: sizes have their unit.
func SetsTextIn(params []Param, c rag.Chunking) Rationale { return setsText(params, &c) }

func setsText(params []Param, c *rag.Chunking) Rationale {
	en, ja := make([]string, len(params)), make([]string, len(params))
	for i, p := range params {
		unit := ""
		if c != nil {
			unit = UnitOf(p.Name, *c)
		}
		said := SetText(p.Name, p.Value, unit)
		en[i], ja[i] = said.EN, said.JA
	}
	return Rationale{EN: strings.Join(en, ", "), JA: strings.Join(ja, "、")}
}

// plainValue is a value as JSON has it, so that a number, a model or a list says the same wherever it comes from.
func plainValue(value any) any {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber()
	var out any
	if dec.Decode(&out) != nil {
		return fmt.Sprint(value)
	}
	return out
}

func wordOf(param, value string) Rationale {
	if value == "" || value == "none" {
		return nothing
	}
	if param == "chunk.by" {
		for _, u := range rag.ChunkUnits() {
			if u.Code == value {
				return Rationale{u.EN, u.JA}
			}
		}
	}
	if said, ok := valueWords[param][value]; ok {
		return said
	}
	return plainText(strings.TrimPrefix(value, "offline/")) // a built-in model
}

func valuesText(param string, values []any) Rationale {
	if len(values) == 0 {
		return nothing
	}
	out := ValueText(param, values[0])
	for _, v := range values[1:] {
		said := ValueText(param, v)
		out = Rationale{EN: out.EN + ", " + said.EN, JA: out.JA + "、" + said.JA}
	}
	return out
}

// partText is a part of a setup that is told as a whole: a model by its name, any other by its mode and then what else it says.
func partText(param string, fields map[string]any) Rationale {
	if name, ok := fields["model"].(string); ok && fields["mode"] == nil && name != "" {
		if provider, _ := fields["provider"].(string); provider != "" && provider != "offline" {
			name = provider + "/" + name
		}
		return plainText(name)
	}
	out := nothing
	said := 0
	add := func(r Rationale) {
		if said++; said == 1 {
			out = r
			return
		}
		out = Rationale{EN: out.EN + ", " + r.EN, JA: out.JA + "、" + r.JA}
	}
	if mode, ok := fields["mode"].(string); ok {
		add(wordOf(param, mode))
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if v := fields[name]; name != "mode" && v != nil && v != "" {
			value := ValueText(param+"."+name, v)
			add(Rationale{EN: name + " " + value.EN, JA: name + " " + value.JA})
		}
	}
	return out
}

// longestValue is how much of a value that somebody wrote is shown: a prompt has pages.
const longestValue = 60

// plainText is a name or a number that is the same in both languages.
func plainText(s string) Rationale {
	s = text.Brief(s, longestValue)
	return Rationale{s, s}
}
