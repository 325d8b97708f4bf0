package document

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// The types of published values.
const (
	docValue        = "Doc"
	paramsValue     = "Params"
	datasetValue    = "Dataset"
	corpusValue     = "Corpus"
	configValue     = "Config"
	configSetValue  = "ConfigSet"
	runSetValue     = "RunSet"
	comparisonValue = "Comparison"
	failuresValue   = "Failures"
	causeSetValue   = "CauseSet"
	questionValue   = "Question"
	chartValue      = "Chart"
	verdictValue    = "Verdict"
	agreementValue  = "Agreement"
	reportValue     = "Report"
	tableValue      = "Table"
	tabledValue     = "TableView"
)

var schemas = sync.OnceValue(newSchemas)

func field(name string, t FieldType, en, ja string) Field {
	return Field{Name: name, Type: t, Doc: Words{en, ja}}
}

func (f Field) required() Field             { f.Required = true; return f }
func (f Field) def(v any) Field             { f.Default = v; return f }
func (f Field) oneOf(names ...string) Field { f.Choices = names; return f }
func (f Field) named(by map[string]Words) Field {
	f.Named = by
	return f
}
func (f Field) of(types ...string) Field     { f.Of = types; return f }
func (f Field) or(words ...string) Field     { f.Literal = words; return f }
func (f Field) pick(registered string) Field { f.Pick = registered; return f }
func (f Field) from(low float64) Field       { f.Min = &low; return f }
func (f Field) to(high float64) Field        { f.Max = &high; return f }

var titleField = Field{Name: "title", Type: WordsField, Display: true, Doc: Words{"Heading in reading mode.", "閲覧モードでの見出し。"}}

var pinField = Field{Name: "pin", Type: BoolField, Display: true, Default: false, Doc: Words{
	"Keep the result although something it rests on changes.", "前提が変わっても結果を固定する。",
}}

func runField(name, en, ja string) Field {
	f := field(name, RefField, en, ja).of(runSetValue).or("run:…")
	if name == "baseline" {
		f.Literal = append(f.Literal, "pinned")
	}
	return f
}

func newSchemas() []Schema {
	out := append(inputSchemas(), workSchemas()...)
	out = append(out, readSchemas()...)
	for i := range out {
		s := &out[i]
		s.Version = 1
		if s.Type != "params" {
			s.Fields = append(s.Fields, titleField)
		}
		s.Outputs = outputsOf(Published[s.Publishes])
		if s.Type == "compare" || s.Type == "config" { // only apply and repair cells change something
			s.Outputs = slices.DeleteFunc(s.Outputs, func(o Output) bool {
				return strings.HasPrefix(o.Path, "applied.") || strings.HasPrefix(o.Path, "repaired.")
			})
		}
	}
	return out
}

func inputSchemas() []Schema {
	return []Schema{
		{Type: "note", Publishes: docValue, Doc: Words{"Prose in two languages; reading mode picks one.", "二言語の文章。閲覧モードで言語を選ぶ。"},
			Fields: []Field{
				field("en", TextField, "Markdown in English.", "英語の Markdown。"),
				field("ja", TextField, "Markdown in Japanese.", "日本語の Markdown。"),
			}},
		{Type: "params", Publishes: paramsValue, Open: true,
			Doc: Words{"Named inputs, each a default or {type, default, choices, min, max}.",
				"名前付きの入力。既定値、または {type, default, choices, min, max}。"}},
		{Type: "dataset", Publishes: datasetValue, Doc: Words{"Questions, and which of them.", "データセットと、その絞り込み。"}, Fields: []Field{
			field("source", TextField, "Registered name, name@version, or the path of a file.", "登録名、名前@版、またはファイルのパス。").pick("dataset").required(),
			field("corpus", RefField, "Corpus in which quoted evidence is looked for, when the source is a file.", "ファイルの根拠引用を探すコーパス。").
				of(corpusValue),
			field("limit", IntegerField, "Only the first questions.", "先頭の質問だけを使う。").def(0.0).from(0),
			field("filter", ListField, "Tags that a question must have: theme:refunds, critical.", "質問が持つべきタグ。"),
		}},
		{Type: "corpus", Publishes: corpusValue, Doc: Words{"Documents.", "文書の集まり。"}, Fields: []Field{
			field("source", TextField, "Registered name, name@version, or the path of a folder.", "登録名、名前@版、またはフォルダーのパス。").pick("corpus").required(),
		}},
		{Type: "config", Publishes: configValue, Doc: Words{"A configuration of the system under test.", "評価対象システムの設定。"},
			Fields: append([]Field{
				field("extends", RefField, "Configuration that this one changes.", "この設定が変更する元の設定。").of(configValue),
				field("corpus", RefField, "Documents that are searched.", "検索する文書。").of(corpusValue),
				field("endpoint", TextField, "Registered system behind HTTP, in the place of a configuration.",
					"設定の代わりに使う登録済みの HTTP システム。").pick("endpoint"),
				field("answers", TextField, "Imported log of answers, in the place of a configuration.", "設定の代わりに使う取り込み済みの回答ログ。"),
				field("preset", TextField, "Begin with the chunks and hits of another library.",
					"ほかのライブラリのチャンクと参照箇所の数から始める。").
					oneOf(rag.Presets()...),
			}, configFields()...)},
		{Type: "sweep", Publishes: configSetValue, Doc: Words{"Every combination of some parameters.", "パラメーターの全組み合わせ。"}, Fields: []Field{
			field("base", RefField, "Configuration whose parameters vary.", "パラメーターを変える元の設定。").of(configValue).required(),
			field("axes", MapField, "Dotted parameters with their values: chunk.size: [400, 800].", "パラメーターと値の一覧。"),
			field("pairs", ListField, "Lists that move together: [{chunk.size: [400, 800], chunk.overlap: [40, 12%]}].",
				"連動して変わる値の一覧：[{chunk.size: [400, 800], chunk.overlap: [40, 12%]}]。"),
			field("except", ListField, "Combinations that are left out: [{chunk.size: 400, retrieve.k: [5]}].",
				"除外する組み合わせ：[{chunk.size: 400, retrieve.k: [5]}]。"),
		}},
	}
}

// configFields are the stages of a configuration, taken from the configuration itself.
func configFields() []Field {
	docs := map[string]Words{
		"chunk":        {"How documents are cut: {by, size, overlap}.", "文書の分割方法。"},
		"embedding":    {"Model of the vectors: {provider, model}.", "埋め込みモデル。"},
		"rewrite":      {"none, or how the question is rewritten.", "質問の書き換え。"},
		"retrieve":     {"Search: {mode: dense | bm25 | hybrid, k}.", "検索方法と件数 k。"},
		"rerank":       {"none, or how hits are sorted again.", "リランク（検索結果の並べ替え）。"},
		"generate":     {"Writer of the answers: {provider, model, prompt, temperature}.", "回答の生成。"},
		"post_process": {"none, or what is done with the answer.", "回答の後処理。"},
	}
	var out []Field
	for _, f := range jsonFields(reflect.TypeFor[rag.Config]()) {
		if doc, ok := docs[f.Name]; ok {
			f.Doc, f.Type = doc, ModeField
			f.Fields = detailed(f.Name, f.Fields)
			out = append(out, f)
		}
	}
	return out
}

func workSchemas() []Schema {
	judge := field("judge", MapField, "Who judges: {provider, model, explain_lang}; default the offline judge.", "評価モデル。既定はオフライン評価。")
	judge.Fields = detailed("judge", jsonFields(reflect.TypeFor[metrics.JudgeConfig]()))
	return []Schema{
		{Type: "run", Publishes: runSetValue, Paid: true,
			Doc: Words{"Answers the questions with each configuration and scores the answers.", "各設定で質問に回答し、採点する。"}, Fields: []Field{
				field("configs", RefsField, "Configurations or a sweep.", "設定またはスイープ。").of(configValue, configSetValue).required(),
				field("dataset", RefField, "Questions.", "データセット。").of(datasetValue).required(),
				field("metrics", ListField, "A suite or metric ids.", "評価スイートまたは指標。").def("standard").pick("metric"), judge,
				field("repeats", IntegerField, "Votes for each question; more are added, none is thrown away.", "質問ごとの試行回数。増やすと追加される。").
					def(1.0).from(1),
				field("low_score", NumberField, "Threshold of a low score, where none was agreed.", "低スコアのしきい値（合意がない場合）。").def(2.0).from(1).to(4.9),
				field("budget", TextField, "What this cell may spend: 2.50 or 500calls.", "このセルの予算。"), pinField,
			}},
		{Type: "cause", Publishes: causeSetValue, Paid: true, Doc: Words{"Looks for the causes of low scores.", "低スコアの原因を調べる。"},
			Fields: []Field{
				runField("of", "Run that is diagnosed.", "分析する実行。").required(),
				field("method", TextField, "How.", "方法。").oneOf("tested", "observed", "paper"),
				field("trials", IntegerField, "Answers generated for each replacement.", "介入ごとの回答数。").from(1),
				field("limit", IntegerField, "Only the first low-score answers.", "先頭の低スコア回答だけを調べる。").from(0),
				field("filter", ListField, "Tags that a question must have.", "質問が持つべきタグ。"),
				field("budget", TextField, "What this cell may spend.", "このセルの予算。"), pinField,
			}},
		{Type: "repair", Publishes: configValue,
			Doc: Words{"The diagnosed configuration with what the diagnosis recommends. A run cell runs it; until then it is free.",
				"原因分析の推奨を反映した設定。run セルで実行するまで費用はかからない。"},
			Fields: []Field{
				field("of", RefField, "Diagnosis whose recommendations are made; of a run, its newest one.",
					"推奨を反映する原因分析。実行を指定すると、その最新の分析。").of(causeSetValue).or("run:…").required(),
				field("take", ListField, "Which: their numbers or names, [1, 2]; auto is the first that can be applied.",
					"反映する推奨の番号または名前（例：[1, 2]）。auto は、適用できる先頭の推奨。").def("auto"),
			}},
		{Type: "apply", Publishes: comparisonValue, Paid: true,
			Doc: Words{"Runs the configuration that a diagnosis recommends, and compares before and after.",
				"原因分析が推奨する設定で実行し、変更の前後を比較する。"},
			Fields: []Field{
				field("of", RefField, "Diagnosis whose recommendation is applied; of a run, its newest one.",
					"推奨を適用する原因分析。実行を指定すると、その最新の分析。").of(causeSetValue).or("run:…").required(),
				field("change", TextField, "Name of the recommendation: retrieve-k-5; default the first that can be applied.",
					"推奨の名前（例：retrieve-k-5）。既定は、適用できる先頭の推奨。"),
				field("budget", TextField, "What this cell may spend.", "このセルの予算。"), pinField,
			}},
	}
}

func readSchemas() []Schema {
	return []Schema{
		{Type: "compare", Publishes: comparisonValue, Doc: Words{"Sets two runs side by side.", "2つの実行を比較する。"}, Fields: []Field{
			runField("baseline", "Before the change.", "変更前。").required(), runField("candidate", "After the change.", "変更後。").required(),
		}},
		{Type: "failures", Publishes: failuresValue, Doc: Words{"Low-score answers, and the bubble chart.", "低スコア回答とバブルチャート。"},
			Fields: []Field{
				runField("of", "Run.", "実行。").required(), field("limit", IntegerField, "Answers shown.", "表示する回答数。").def(20.0).from(1),
			}},
		{Type: "question", Publishes: questionValue, Doc: Words{"One question with answer, contexts and scores.",
			"一つの質問の回答・参照箇所・スコア。"},
			Fields: []Field{
				runField("of", "Run.", "実行。").required(), field("id", TextField, "Question id.", "質問の id。").required(),
			}},
		{Type: "query", Publishes: tableValue,
			Doc: Words{"SQL over the study: questions, runs, answers, scores, and the tables of other cells.",
				"調査に対する SQL。質問・実行・回答・スコアと、ほかのセルの表を参照する。"}, Fields: []Field{
				field("sql", TextField, "One SELECT; ${p.k} is a value in it.", "SELECT 文ひとつ。${p.k} は値として渡される。").required(),
				field("of", RefsField, "Only these runs; default all of the document.", "対象の実行。既定は文書内のすべて。").
					of(runSetValue, comparisonValue).or("run:…"),
				field("limit", IntegerField, "Most rows.", "行数の上限。").def(float64(UsualRows)).from(1).to(MostRows),
			}},
		{Type: "table", Publishes: tabledValue, Doc: Words{"The table of a cell: columns, order, filter, pivot, totals.",
			"セルの表。列・並べ替え・絞り込み・集計・合計。"}, Fields: tableFields()},
		{Type: "chart", Publishes: chartValue, Doc: Words{"A chart of any table, by its columns.", "表を列で指定して描くグラフ。"},
			Fields: chartFields()},
		{Type: "gate", Publishes: verdictValue, Doc: Words{"PASS, FAIL or INCONCLUSIVE.", "合否の判定。"}, Fields: append([]Field{
			field("of", RefField, "Comparison that decides.", "判定する比較。").of(comparisonValue).required(),
			field("expect", TextField, "The decision that counts as passing: FAIL for a fault put in on purpose.",
				"合格とみなす判定。故意の欠陥には FAIL。").oneOf("PASS", "FAIL").def("PASS"),
		}, limitFields()...)},
		{Type: "agreement", Publishes: agreementValue, Doc: Words{"Agreed targets beside what a run measured.", "合意した目標と実測値。"},
			Fields: []Field{
				runField("of", "Run that is measured.", "測定する実行。").required(),
				field("targets", ListField,
					"Targets proposed here: [{theme, metric, target, owner, due}]; without any, what was registered.",
					"ここで提案する目標。無ければ登録済みの合意。"),
			}},
		{Type: "report", Publishes: reportValue, Doc: Words{"The workbook and page for people who never open a terminal.",
			"管理者向けのワークブックとページ。"}, Fields: append([]Field{
			runField("of", "Run that is reported.", "報告する実行。").required(), runField("baseline", "Run it is compared with.", "比較する実行。"),
			field("include", RefsField, "Cells that the page shows; default all.", "ページに載せるセル。").of(),
		}, limitFields()...)},
	}
}

// limitFields are the limits of a release check, the same of every cell that makes one.
func limitFields() []Field {
	return []Field{
		field("min", ListField, "Thresholds: 'correctness >= 4'.", "しきい値。"),
		field("margin", NumberField, "Share of a metric's scale that the mean may fall; default follows what can be seen.",
			"平均の低下の許容幅。").from(0).to(1),
		field("allowance", NumberField, "Largest share of answers allowed to be worse.", "悪化してよい回答の割合の上限。").def(0.02).from(0).to(1),
	}
}
