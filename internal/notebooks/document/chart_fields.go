package document

import "github.com/rag-workbench/workbench/internal/charts"

// markWords are the marks as people call them.
var markWords = map[string]Words{
	charts.Bar: {"Bars", "棒グラフ"}, charts.Line: {"Lines", "折れ線グラフ"}, charts.Area: {"Areas", "面グラフ"},
	charts.Point: {"Points (scatter plot)", "散布図"}, charts.Heat: {"Heat map", "ヒートマップ"}, charts.Box: {"Boxes (box plot)", "箱ひげ図"},
	charts.Hist: {"Histogram", "ヒストグラム"}, charts.Rule: {"Level lines", "水平線"}, charts.Label: {"Texts at places", "文字の配置"},
	charts.Flow: {"Flow", "フロー図"},
}

// aggregateWords are the aggregates as people call them.
var aggregateWords = map[string]Words{
	"mean": {"mean", "平均"}, "median": {"median", "中央値"}, "count": {"number of rows", "件数"}, "sum": {"sum", "合計"},
	"min": {"smallest", "最小"}, "max": {"largest", "最大"}, "p90": {"90th percentile", "90パーセンタイル"},
}

// channelField is a field of a chart that names a column, or says more about it.
func channelField(name, en, ja string) Field {
	f := field(name, ModeField, en, ja)
	f.Fields = []Field{
		field("field", TextField, "Column.", "列名。"),
		field("type", TextField, "How its values are read; default as they are.", "値の扱い。既定は値に従う。").
			oneOf("category", "ordinal", "number", "time"),
		field("aggregate", TextField, "How the rows of one mark become a value; default mean.", "複数行の集計方法。既定は平均。").
			oneOf(charts.Aggregates()...).named(aggregateWords),
		field("interval", TextField, "95% interval of the mean.", "平均の95%区間。").oneOf("wilson", "bootstrap", "none"),
		field("scale", TextField, "Scale.", "尺度。").oneOf("linear", "log", "sequential", "diverging"),
		field("sort", TextField, "Order of the categories.", "カテゴリの並び。").oneOf("x", "-x", "y", "-y"),
		field("title", WordsField, "Title; default the column's.", "見出し。既定は列の名前。"),
		field("bin", IntegerField, "Classes of a histogram.", "ヒストグラムの階級数。"),
		field("domain", ListField, "From and to: [1, 5].", "範囲：[1, 5]。"),
	}
	return f
}

func chartFields() []Field {
	reference := field("reference", ModeField, "A line to hold values against: {y: 4, title: Agreed}, or a list of them.",
		"基準線：{y: 4, title: 合意値}、またはそのリスト。")
	reference.Fields = []Field{
		field("x", NumberField, "Where it stands.", "位置。"), field("y", NumberField, "Where it stands.", "位置。"),
		field("title", WordsField, "What it marks.", "線の意味。"),
	}
	return []Field{
		field("of", RefField, "Cell whose table is drawn.", "描く表を持つセル。").
			of(tableValue, runSetValue, causeSetValue, failuresValue, comparisonValue, agreementValue, configSetValue).required(),
		field("mark", TextField, "How it is drawn.", "描き方。").oneOf(charts.Marks()...).named(markWords),
		channelField("x", "Column across.", "横軸の列。"),
		channelField("y", "Column up; without one, rows are counted.", "縦軸の列。なければ件数。"),
		channelField("colour", "Column that the colours tell apart; of a heat map, its value.", "色で区別する列。ヒートマップではその値。"),
		channelField("size", "Column of the size of points.", "点の大きさの列。"),
		channelField("facet", "Column of which each value has a drawing of its own.", "値ごとに図を分ける列。"),
		channelField("label", "Column of the texts at points.", "点に添える文字の列。"),
		reference,
		field("kind", TextField, "Bars of runs, causes or low scores, or the bubble chart; used where there is no mark.",
			"実行・原因・低スコアの棒、またはバブルチャート。mark がないときに使う。").oneOf("bar", "bubble").def("bar"),
		field("metric", TextField, "Metric of the bars of kind: bar; low_scores counts answers.", "kind: bar の棒の指標。").def("low_scores"),
	}
}

// Drawn reports whether a chart cell says by fields what it draws.
func (c *Cell) Drawn() bool {
	return c.Values["mark"] != nil || c.Values["x"] != nil || c.Values["y"] != nil
}
