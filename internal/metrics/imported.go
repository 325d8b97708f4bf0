package metrics

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/rag"
)

// GroupImported is the group of metrics whose scores another tool computed. They keep the tool's name before theirs, because equal
// names seldom mean equal formulas and never an equal judge; one vote never settles them, whoever judged.
const GroupImported = "imported"

// Why an imported metric has no score.
const (
	ImportNaN     = "import_nan"    // the export holds NaN, null or an empty cell
	ImportError   = "import_error"  // the tool says that it failed
	ImportAbsent  = "import_absent" // the tool did not score this answer
	importOneVote = rag.MissingVote // the file holds no further vote
)

// ImportLacks reports whether a score is missing because an imported file has none: nothing ran here, and nothing can be tried again.
func ImportLacks(reason string) bool { return strings.HasPrefix(reason, "import_") }

// Imported are the metrics that the scores of a log belong to, in the order in which they first appear.
func Imported(answers []rag.LoggedAnswer) []Spec {
	var specs []Spec
	known := map[string]bool{}
	take := func(scores []rag.LoggedScore) {
		for _, s := range scores {
			if !known[s.Metric] {
				known[s.Metric] = true
				specs = append(specs, importedSpec(s))
			}
		}
	}
	for _, a := range answers {
		take(a.Scores)
	}
	for _, a := range answers {
		for _, v := range a.Votes {
			take(v.Scores)
		}
	}
	return specs
}

// PlainTable begins the ids of metrics that stand in a table which shows no tool's marks: whoever wrote the file computed them.
const PlainTable = "table"

// toolNames are the tools as they write themselves, by the beginning of a metric's id.
var toolNames = map[string]string{
	"ragas": "Ragas", "deepeval": "DeepEval", "promptfoo": "promptfoo", "ragchecker": "RAGChecker", "mlflow": "MLflow",
	"langfuse": "Langfuse", "langsmith": "LangSmith", "phoenix": "Phoenix",
}

// operationWords end the names of what an answer took and not how good it is, as operationEndings do, before which no space stands;
// operationUnits may follow them, in whatever brackets.
var (
	operationWords = map[string]bool{
		"latency": true, "duration": true, "cost": true, "costs": true, "price": true, "runtime": true, "elapsed": true, "time": true,
		"tokens": true, "throughput": true, "kosten": true, "laufzeit": true, "dauer": true, "antwortzeit": true, "zeit": true,
		"시간": true,
	}
	operationUnits = map[string]bool{
		"ms": true, "s": true, "sec": true, "secs": true, "seconds": true, "usd": true, "eur": true, "jpy": true, "micros": true,
		"mean": true, "avg": true, "average": true, "median": true, "total": true, "sum": true, "max": true, "min": true,
		"in": true, "p50": true, "p90": true, "p95": true, "p99": true, "millis": true, "milliseconds": true, "minutes": true, "yen": true,
		"秒": true, "ミリ秒": true, "分": true, "円": true, "ドル": true, "個": true, "トークン": true,
		"平均": true, "平均値": true, "中央値": true, "合計": true, "最大": true, "最小": true,
		"毫秒": true, "元": true, "초": true, "밀리초": true, "원": true, "개": true,
	}
	operationStarts = map[string]bool{ // French, Spanish, Italian and Portuguese say first what it is: temps de réponse
		"temps": true, "durée": true, "délai": true, "coût": true, "coûts": true, "tiempo": true, "duración": true, "coste": true,
		"costes": true, "costo": true, "costos": true, "tempo": true, "durata": true, "costi": true, "duração": true, "custo": true,
		"custos": true,
	}
	operationEndings = []string{"遅延", "レイテンシ", "レイテンシー", "所要時間", "応答時間", "処理時間", "トークン数",
		"費用", "コスト",
		"文字数", "耗时", "耗時", "响应时间", "延迟", "延遲", "成本", "费用", "응답시간", "지연시간", "비용", "토큰"}
)

// OfOperation reports whether a metric is by its name a figure of operation, such as latency, tokens or cost: it says nothing of how good
// an answer is. A tool's name may stand before it.
func OfOperation(id string) bool {
	if spec, known := Find(id); known {
		return spec.Group == GroupOperations
	}
	_, name, prefixed := strings.Cut(strings.ToLower(id), ".")
	if !prefixed {
		name = strings.ToLower(id)
	}
	parts := strings.FieldsFunc(norm.NFKC.String(name), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if len(parts) > 1 && parts[0] == "time" && parts[1] == "to" || len(parts) > 0 && operationStarts[parts[0]] {
		return true
	}
	for len(parts) > 1 && operationUnits[parts[len(parts)-1]] {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	return operationWords[last] || last == "seconds" && len(parts) == 1 || strings.HasSuffix(strings.Join(parts, "_"), "token_count") ||
		slices.ContainsFunc(operationEndings, func(word string) bool { return strings.HasSuffix(last, word) })
}

// ToolOf is the tool that computed an imported metric, as it writes itself.
func ToolOf(id string) string {
	tool, _, _ := strings.Cut(id, ".")
	if full, known := toolNames[tool]; known {
		return full
	}
	return tool
}

// OnlyTools are the tools whose scores are all that metrics say of the answers; nil where a metric of ours says something of them too.
func OnlyTools(suite []Spec) (tools []string) {
	for _, s := range suite {
		switch {
		case s.Group == GroupOperations:
		case s.Group != GroupImported:
			return nil
		case !slices.Contains(tools, ToolOf(s.ID)):
			tools = append(tools, ToolOf(s.ID))
		}
	}
	return tools
}

// OnlyToolsOf are [OnlyTools] of metrics that are known by their ids alone, in the order of their names.
func OnlyToolsOf(ids []string) []string {
	suite := make([]Spec, len(ids))
	for i, id := range ids {
		var ours bool
		if suite[i], ours = Find(id); !ours {
			suite[i] = Spec{ID: id}
			if strings.Contains(id, ".") {
				suite[i].Group = GroupImported
			}
		}
	}
	tools := OnlyTools(suite)
	slices.Sort(tools)
	return tools
}

// ImportedTitle is what people call an imported metric of a tool that is known here, or of a table, in English and in Japanese; ok is false
// for other ids.
func ImportedTitle(id string) (en, ja string, ok bool) {
	tool, name, _ := strings.Cut(id, ".")
	if name == "" || toolNames[tool] == "" && tool != PlainTable {
		return "", "", false
	}
	en, ja = importedTitle(id)
	return en, ja, true
}

func importedTitle(id string) (en, ja string) {
	_, name, _ := strings.Cut(id, ".")
	name = strings.ReplaceAll(name, "_", " ")
	if ToolOf(id) == PlainTable {
		return "imported " + name, "ファイルの" + name
	}
	return ToolOf(id) + ": " + name, ToolOf(id) + ": " + name
}

func importedSpec(s rag.LoggedScore) Spec {
	tool := ToolOf(s.Metric)
	title, titleJA := importedTitle(s.Metric)
	by, byJA := tool+" computed", tool+"が計算した値。"
	if tool == PlainTable {
		by, byJA = "stood in the file", "ファイルにあった値。"
	}
	return Spec{
		ID: s.Metric, Version: "1", Group: GroupImported, Min: s.Min, Max: s.Max, LowerIsBetter: s.Lower, Undirected: s.Undirected,
		Delta:   0.2 * (s.Max - s.Min),
		TitleEN: title, TitleJA: titleJA,
		MeaningEN: "A score that " + by + "; it was imported as it is.",
		MeaningJA: byJA + "取り込んだまま表示している。",
	}
}

// imported is the score that came with the answer.
func (b *evaluation) imported(id string) Score {
	i := slices.IndexFunc(b.sample.Logged, func(s rag.LoggedScore) bool { return s.Metric == id })
	if i < 0 {
		return notApplicable(ImportAbsent)
	}
	s := b.sample.Logged[i]
	switch {
	case s.Value != nil:
		return scored(*s.Value, s.Reason)
	case s.Missing == importOneVote:
		return notApplicable(importOneVote)
	case s.Missing != "":
		return Score{State: Errored, Reason: s.Missing}
	}
	return Score{State: Errored, Reason: ImportNaN}
}
