package document

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
)

// ColumnTitle is the name of a column as people read it; the name itself where nothing is known about it.
func ColumnTitle(name string) Words {
	if setting, ok := columnSettings[name]; ok {
		name = setting
	}
	if title := findings.ParamText(name); title.Code != "" {
		return Words{title.EN, title.JA}
	}
	if w, ok := columnWords[name]; ok {
		return w
	}
	if m, ok := metrics.Find(name); ok {
		return Words{m.TitleEN, m.TitleJA}
	}
	return Words{EN: name}
}

// filled leaves out the columns that have no value in any row.
func filled(t sqlbox.Table, rows [][]any) (sqlbox.Table, [][]any) {
	var keep []int
	out := sqlbox.Table{Name: t.Name}
	for i, c := range t.Columns {
		if len(rows) == 0 || slices.ContainsFunc(rows, func(row []any) bool { return row[i] != nil }) {
			keep, out.Columns = append(keep, i), append(out.Columns, c)
		}
	}
	kept := make([][]any, len(rows))
	for k, row := range rows {
		for _, i := range keep {
			kept[k] = append(kept[k], row[i])
		}
	}
	return out, kept
}

// columnWords are the columns of tables as people read them. Metrics have the catalogue's titles, and settings its words.
var columnWords = map[string]Words{
	"run": {"run", "実行"}, "cell": {"cell", "セル"}, "config": {"configuration", "設定"}, "dataset": {"dataset", "データセット"},
	"state": {"state", "状態"}, "votes": {"votes", "試行回数"}, "questions": {"questions", "質問数"}, "created": {"created", "作成日時"},
	"chunk_by": {"chunked by", "分割の単位"}, "question": {"question", "質問"}, "theme": {"theme", "テーマ"}, "type": {"type", "種別"},
	"temperature": {"temperature", "温度"}, "text": {"text", "本文"}, "reference": {"right answer", "正解"}, "critical": {"critical", "重要"},
	"metric": {"metric", "指標"}, "value": {"value", "値"}, "document": {"document", "文書"}, "rank": {"rank", "順位"},
	"low": {"low score", "低スコア"}, "low_scores": {"low scores", "低スコア数"},
	"low_score_share": {"share of low scores", "低スコアの割合"}, "coverage": {"scored", "採点済み"}, "verdict": {"verdict", "判定"},
	"before": {"before", "変更前"}, "after": {"after", "変更後"}, "diff": {"difference", "差"}, "cause": {"cause", "原因"},
	"component": {"component", "部品"}, "method": {"method", "方法"}, "certainty": {"certainty", "確度"}, "effect": {"effect", "効果"},
	"answers": {"answers", "回答数"}, "target": {"target", "目標値"}, "measured": {"measured", "実測値"}, "met": {"met", "達成"},
	"latency_ms": {"latency (ms)", "応答時間（ms）"}, "cost_micros": {"cost (millionths)", "費用（100万分の1）"}, "n": {"number", "件数"},
	"mean": {"mean", "平均"}, "reason": {"reason", "理由"}, "vote": {"vote", "試行"}, "model": {"model", "モデル"}, "stage": {"stage", "段階"},
	"calls": {"calls", "呼び出し数"}, "currency": {"currency", "通貨"}, "prompt_digest": {"digest of the instructions", "指示文のダイジェスト"},
	"title": {"title", "題名"}, "relevant": {"relevant", "根拠を含む"}, "unit": {"unit", "単位"}, "ms": {"time (ms)", "時間（ms）"},
	"cached_tokens": {"cached tokens", "キャッシュ済みトークン数"}, "by": {"by", "記入者"}, "at": {"at", "日時"}, "tag": {"tag", "タグ"},
	"interval_low": {"interval from", "区間の下限"}, "interval_high": {"interval to", "区間の上限"}, "noise": {"noise", "ばらつき"},
	"tested": {"tested", "検証済み"}, "confidence": {"confidence", "確度"}, "position": {"position", "位置"}, "tags": {"tags", "タグ"},
}

// columnSettings are the columns that are settings, by the names under which the catalogue has them.
var columnSettings = map[string]string{
	"chunk_size": "chunk.size", "chunk_overlap": "chunk.overlap", "embedding_model": "embedding.model", "retrieve_mode": "retrieve.mode",
	"rerank": "rerank", "generator": "generate.model",
}
