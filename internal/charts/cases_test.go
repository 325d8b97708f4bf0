package charts

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

type chartCase struct {
	name  string
	table Table
	spec  Spec
}

// plan is the case decided.
func (c chartCase) plan() (*Plan, error) {
	for name, made := range counted() {
		if name == c.name {
			return made, nil
		}
	}
	return New(c.table, c.spec)
}

// counted are the plans of counts, by the names of their cases.
func counted() map[string]*Plan {
	grid := Grid{X: Words{"Correctness", "正確性"}, Y: Words{"Trust", "信頼性"}, Count: Words{"answers", "回答数"},
		Marked: Words{"low score", "低スコア"}, Corner: 2, Rise: 64,
		Summary: Words{"12 of 96 answers are low scores.", "96件の回答のうち12件が低スコアです。"},
		Counts:  [][]int{{1, 0, 0, 2, 0}, {0, 3, 0, 0, 0}, {0, 0, 9, 1200, 0}, {0, 6, 0, 40, 7}, {0, 0, 0, 0, 28}}}
	alone := grid
	alone.Corner, alone.Most, alone.Rise = 0, 2400, 38
	small := grid
	small.Bare, small.Rise = true, 26
	parts := []Part{{"data", Words{"Documents", "文書"}, 12, 9, false, 0}, {"retriever", Words{"Retriever: ranks what was found in the index and " +
		"hands on the first of it", "検索：見つかった文書を順位付けし、上位だけを渡す部品"}, 40, 9, false, 0},
		{"<i>", Words{"<i>", ""}, 1204, 0, false, 0}}
	front, err := New(Table{Columns: columns("config", "correctness", "trust"),
		Rows: [][]any{{"a", 1.0, 3.0}, {"b", 2.5, 1.0}, {"a", 3.0, 4.5}}},
		Spec{Mark: Point, X: on("correctness"), Y: on("trust"), Colour: on("config")})
	if err != nil {
		panic(err)
	}
	front.Path = []int{0, 2}
	return map[string]*Plan{
		"points that are joined": front, "over time": course().Plan(), "over time, a year": year().Plan(),
		"bubbles": Bubbles(grid), "bubbles on a shared scale": Bubbles(alone), "bubbles without numbers": Bubbles(small),
		"differences": differences().Plan(),
		"ranked counts": Ranked(Ranking{Title: Words{"Causes", "原因"}, Name: Words{"cause", "原因"}, Count: Words{"answers", "回答数"},
			Parts: parts}),
		"ranked apart": Ranked(Ranking{Title: Words{"Causes", "原因"}, Name: Words{"cause", "原因"}, Count: Words{"answers", "回答数"},
			Apart: Words{"Dashed: not proven.", "破線：未確定。"},
			Parts: append([]Part{{"generation", Words{"Probably generation", "推定：生成"}, 101, 0, true, 0}}, parts...)}),
		"ranked shares": Ranked(Ranking{Title: Words{"Themes", "テーマ"}, Name: Words{"theme", "テーマ"},
			Count: Words{"questions", "質問数"}, Marked: Words{"low scores", "低スコア"}, Parts: parts, MostByMarking: true}),
		"ranked nothing": Ranked(Ranking{Title: Words{"Themes", "テーマ"}, Name: Words{"theme", "テーマ"}, Count: Words{"questions", "質問数"}}),
	}
}

// differences are clear of zero, or not, or without an interval.
func differences() Differences {
	return Differences{Summary: Words{"Correctness: highest at k 8.", "正確性：最大はk 8です。"}, Name: Words{"value", "値"},
		Value: Words{"mean", "平均"}, Diff: Words{"difference", "差"},
		Title: Words{"Mean (difference)", "平均（差）"},
		Kinds: [2]Words{{"clear of the average", "差が明確"}, {"may be chance", "偶然の範囲"}}, Parts: []Difference{
			{Words{EN: "k 3"}, 3.101, -0.254, []float64{-0.4, -0.1}}, {Words{EN: "k 8"}, 3.6, 0.3, []float64{0.1, 0.5}},
			{Words{EN: "embedding offline/a-model-with-a-name-that-is-rather-long-for-a-label"}, 3.3, -0.001, []float64{-0.2, 0.2}},
			{Words{EN: "k 9"}, 3.2, 0.1, nil}}}
}

// course is four places with a line, shares, and parts of bars.
func course() Course {
	c := Course{Summary: Words{"Trend of weekly: 4 evaluations.", "weeklyの推移：4回。"}, Parts: Words{"cause", "原因"},
		Heads: []Words{{"when", "日時"}, {"what changed", "変更点"}},
		Names: []Words{{"Retriever", "検索"}, {"System prompt", "システムプロンプト"}, {"<b>", ""}}}
	line := Strand{Title: Words{"Correctness (mean, 1 to 5)", "正確性（平均、1〜5）"}, Name: Words{"Correctness", "正確性"}, Mark: Line,
		Limits: [2]float64{1, 5}}
	low := Strand{Title: Words{"Low scores: % of the answers whose correctness or trust is 2 or less", "低スコア回答：正確性または信頼性が2以下の回答の割合（%）"},
		Name: Words{"low scores (%)", "低スコア回答（%）"}, Beside: Words{"low scores", "低スコア回答"}, Mark: Bar, Limits: [2]float64{0, 100}}
	causes := Strand{Title: Words{"Causes (answers)", "原因（回答数）"}, Mark: Bar}
	none := Strand{Title: Words{"BLEU", "BLEU"}, Name: Words{"BLEU", "BLEU"}, Mark: Line, Nothing: Words{"No value.", "値はありません。"}}
	for i := range 4 {
		n := strconv.Itoa(i)
		place := Place{Key: "r" + n, Brief: Words{"Nov " + n + ", 06:00", "11月" + n + "日 06:00"}, Empty: i == 1,
			Texts: []Words{{"2026-11-0" + n, ""}, {}}}
		if i > 1 {
			place.Flag = Words{"The configuration and the corpus changed", "構成とコーパスの変更"}
			place.Texts[1] = place.Flag
		}
		c.Places = append(c.Places, place)
		at, share := 4.2+float64(i)/10, float64(10*i)
		v := Value{Known: i != 1, Y: at, Span: []float64{at - 0.3, at + 0.55}, Framed: i == 0, Begins: i == 3}
		line.Values = append(line.Values, v)
		low.Values = append(low.Values, Value{Known: i != 1, Y: share, Span: []float64{share / 2, share + 9}, Text: n + " / 40"})
		causes.Values = append(causes.Values, Value{Known: i == 2, Y: 9, Parts: []float64{5, 0, 4}})
		none.Values = append(none.Values, Value{})
	}
	c.Strands = []Strand{line, none, low, causes}
	return c
}

// year is a place a week, some of them without a value or an interval, and more parts than colours.
func year() Course {
	c := course()
	c.Names = nil
	for i := range 10 {
		c.Names = append(c.Names, Words{"cause " + strconv.Itoa(i), "原因" + strconv.Itoa(i)})
	}
	c.Places = nil
	for i := range c.Strands {
		c.Strands[i].Values = nil
	}
	for i := range 52 {
		n := strconv.Itoa(i)
		place := Place{Key: "r" + n, Brief: Words{"week " + n, "第" + n + "週"}, Texts: []Words{{"week " + n, ""}, {}}, Empty: i%20 == 19}
		if i%6 == 0 {
			place.Flag = Words{"Judge changed in week " + n, "評価モデル変更"}
		}
		c.Places = append(c.Places, place)
		known := i%20 != 19
		v := Value{Known: known, Y: 3 + float64(i%5)/7}
		if i%11 > 1 {
			v.Span = []float64{v.Y - 0.2, v.Y + 0.2}
		}
		parts := make([]float64, 10)
		for k := range parts {
			parts[k] = float64((i + k) % 4)
		}
		c.Strands[0].Values = append(c.Strands[0].Values, v)
		c.Strands[1].Values = append(c.Strands[1].Values, Value{})
		c.Strands[2].Values = append(c.Strands[2].Values, Value{Known: known, Y: float64(i), Span: v.Span, Text: n + " / 198"})
		c.Strands[3].Values = append(c.Strands[3].Values, Value{Known: known, Y: 15, Parts: parts})
	}
	return c
}

// on is a channel of a column.
func on(field string) Channel { return Channel{Field: field} }

// mean is the mean of a column with an interval.
func mean(field, interval string) Channel {
	return Channel{Field: field, Aggregate: "mean", Interval: interval}
}

func columns(names ...string) []Column {
	words := map[string]Words{"theme": {"theme", "テーマ"}, "correctness": {"correctness", "正確性"}, "trust": {"trust", "信頼性"},
		"config": {"configuration", "設定"}, "low": {"low score", "低スコア"}, "day": {"day", "日"}, "diff": {"difference", "差"}}
	out := make([]Column, len(names))
	for i, n := range names {
		out[i] = Column{n, words[n]}
	}
	return out
}

// scored is answers by theme, k and configuration: scores between 1 and 5, written by a rule.
func scored() Table {
	t := Table{Columns: columns("question", "theme", "k", "config", "correctness", "trust", "low", "diff")}
	themes := []string{"refunds", "baggage", "seats"}
	for i := range 36 {
		c := 1 + float64((i*7)%9)/2
		t.Rows = append(t.Rows, []any{fmt.Sprintf("q-%d", i+1), themes[i%3], int64(3 + i/3%3), "chunk.overlap=0 chunk.size=" +
			[]string{"400", "800"}[i%2],
			c, 1 + float64((i*5)%8)/2, i%4 == 0, c - 3})
	}
	return t
}

// long has names that do not fit.
func long() Table {
	return Table{Columns: columns("theme", "correctness"), Rows: [][]any{
		{"国内線の予約変更・取消と払い戻しに関する手続きについて（悪天候や自然災害による欠航の場合を含む）", 3.25},
		{"Refunds after a cancelled flight because of weather, strikes or anything else that nobody could foresee at all", 4.5},
		{"手荷物", 2.0}, {"<script>alert(1)</script>", 1.5},
	}}
}

// days is a value over time.
func days() Table {
	t := Table{Columns: columns("day", "config", "correctness", "low")}
	for i := range 14 {
		day := fmt.Sprintf("2026-11-%02d", 1+i)
		t.Rows = append(t.Rows, []any{day, "base", 3 + math.Mod(float64(i)*0.37, 1), 5 + i%4},
			[]any{day, "change", 3.4 + math.Mod(float64(i)*0.21, 1), 3 + i%3})
	}
	return t
}

// many has more categories and series than there is room for.
func many() Table {
	t := Table{Columns: columns("theme", "config", "correctness")}
	for i := range 70 {
		t.Rows = append(t.Rows, []any{fmt.Sprintf("theme %d", i), fmt.Sprintf("configuration %d", i%11), 1 + math.Mod(float64(i)*0.77, 4)})
	}
	return t
}

func odd() Table {
	return Table{Columns: columns("theme", "correctness", "diff"), Rows: [][]any{
		{"a", nil, -3.0}, {nil, 2.0, 1200.0}, {"b", 0.004, 120000.0}, {"b", 0.002, nil}, {"c", 0.0, -0.5},
	}}
}

func cloud() Table {
	t := Table{Columns: columns("correctness", "trust")}
	for i := range 5040 {
		t.Rows = append(t.Rows, []any{math.Mod(float64(i%7)*0.618, 4) + 1, float64(i%6)/2 + 1})
	}
	return t
}

// flows is how verdicts changed.
func flows() Table {
	t := Table{Columns: columns("before", "after", "theme", "low"),
		Words: map[string]Words{"worse": {"worse", "悪化"}, "better": {"better", "改善"}, "no_change": {"no change", "変化なし"}}}
	verdicts := []string{"worse", "no_change", "better"}
	for i := range 40 {
		t.Rows = append(t.Rows, []any{verdicts[i%7%3], verdicts[i*i%5%3], []string{"refunds", "seats"}[i%2], 1 + i%4})
	}
	return t
}

// called has texts that people call otherwise.
func called() Table {
	return Table{Columns: columns("theme", "config", "low"), Rows: [][]any{{"worse", "base", 3}, {"better", "base", 5}, {"better", "x", 2}},
		Words: map[string]Words{"worse": {"worse", "悪化"}, "better": {"better", "改善"}}}
}

func cases() []chartCase {
	four := 4.0
	s, l, d, m, o := scored(), long(), days(), many(), odd()
	theme, k, config := on("theme"), on("k"), on("config")
	agreed := []Reference{{Y: &four, Title: Words{"Agreed", "合意値"}}}
	named := Channel{Field: "correctness", Title: Words{"How right", "正しさ"}}
	return append([]chartCase{
		{"bar of means", s, Spec{Mark: Bar, X: theme, Y: mean("correctness", "bootstrap")}},
		{"bars by k with a reference", s, Spec{Mark: Bar, X: theme, Y: on("correctness"), Colour: k, References: agreed}},
		{"bars in facets", s, Spec{Mark: Bar, X: theme, Y: on("correctness"), Facet: k}},
		{"bars sorted by value", s, Spec{Mark: Bar, X: Channel{Field: "theme", Sort: "-y"}, Y: on("correctness"),
			Title: Words{"Themes", "テーマ別"}}},
		{"bars sorted by value upwards", s, Spec{Mark: Bar, X: Channel{Field: "theme", Sort: "y"}, Y: on("trust")}},
		{"bars sorted by name", s, Spec{Mark: Bar, X: Channel{Field: "theme", Sort: "-x"}, Y: on("trust")}},
		{"share with a Wilson interval", s, Spec{Mark: Bar, X: theme, Y: mean("low", "wilson")}},
		{"counts", s, Spec{Mark: Bar, X: theme}},
		{"sum and domain", s, Spec{Mark: Bar, X: k, Y: Channel{Field: "trust", Aggregate: "sum", Domain: [2]float64{20, 60}}}},
		{"below and above zero", s, Spec{Mark: Bar, X: theme, Y: Channel{Field: "diff", Aggregate: "min"}}},
		{"a shared beginning", s, Spec{Mark: Bar, X: config, Y: on("correctness")}},
		{"long names", l, Spec{Mark: Bar, X: theme, Y: on("correctness"), References: agreed}},
		{"long names with intervals", Table{Columns: l.Columns, Rows: append(l.Rows, l.Rows...)},
			Spec{Mark: Bar, X: theme, Y: mean("correctness", "bootstrap")}},
		{"too many categories", m, Spec{Mark: Bar, X: Channel{Field: "theme", Sort: "-y"}, Y: on("correctness")}},
		{"too many colours", m, Spec{Mark: Bar, X: config, Y: on("correctness"), Colour: config}},
		{"values that are missing", o, Spec{Mark: Bar, X: theme, Y: on("correctness")}},
		{"large numbers", o, Spec{Mark: Bar, X: theme, Y: Channel{Field: "diff", Aggregate: "max"}}},
		{"line over days", d, Spec{Mark: Line, X: on("day"), Y: on("correctness"), Colour: config, References: agreed}},
		{"line over numbers", s, Spec{Mark: Line, X: k, Y: mean("correctness", "bootstrap")}},
		{"line over categories", s, Spec{Mark: Line, X: Channel{Field: "k", Type: "ordinal"},
			Y: Channel{Field: "trust", Aggregate: "median"}, Colour: theme}},
		{"lines in facets", s, Spec{Mark: Line, X: k, Y: on("correctness"), Colour: theme, Facet: config}},
		{"area over days", d, Spec{Mark: Area, X: on("day"), Y: Channel{Field: "low", Aggregate: "sum"}, Colour: config}},
		{"area alone", d, Spec{Mark: Area, X: on("day"), Y: Channel{Field: "low", Aggregate: "p90"}}},
		{"points", s, Spec{Mark: Point, X: named, Y: on("trust"), Colour: theme}},
		{"points with size", s, Spec{Mark: Point, X: on("correctness"), Y: on("trust"), Size: k}},
		{"points with names", Table{Columns: s.Columns, Rows: s.Rows[:5]},
			Spec{Mark: Point, X: on("correctness"), Y: on("trust"), Label: on("question"), References: agreed}},
		{"names in a crowd", s, Spec{Mark: Point, X: on("correctness"), Y: on("trust"), Label: on("question")}},
		{"texts in a crowd", s, Spec{Mark: Label, X: on("k"), Y: on("trust"), Label: on("theme"), Colour: theme}},
		{"points in facets", s, Spec{Mark: Point, X: on("correctness"), Y: on("trust"), Facet: theme}},
		{"points on a logarithmic scale", o, Spec{Mark: Point, X: Channel{Field: "diff", Scale: "log", Domain: [2]float64{1, 1e6}},
			Y: on("diff")}},
		{"heat", s, Spec{Mark: Heat, X: k, Y: theme, Colour: mean("correctness", "")}},
		{"heat of differences", s, Spec{Mark: Heat, X: k, Y: theme, Colour: Channel{Field: "diff", Scale: "diverging"}}},
		{"heat of counts", s, Spec{Mark: Heat, X: config, Y: Channel{Field: "theme", Sort: "x"},
			Colour: Channel{Field: "low", Aggregate: "sum"}}},
		{"heat with long names", l, Spec{Mark: Heat, X: on("correctness"), Y: theme,
			Colour: Channel{Field: "correctness", Domain: [2]float64{1, 5}}}},
		{"boxes", s, Spec{Mark: Box, X: theme, Y: on("correctness")}},
		{"one box", s, Spec{Mark: Box, Y: on("diff")}},
		{"boxes by colour", s, Spec{Mark: Box, X: theme, Y: on("trust"), Colour: k}},
		{"boxes with long names", Table{Columns: l.Columns, Rows: append(l.Rows, l.Rows...)},
			Spec{Mark: Box, X: theme, Y: on("correctness")}},
		{"histogram", s, Spec{Mark: Hist, X: on("correctness")}},
		{"histogram by colour", s, Spec{Mark: Hist, X: Channel{Field: "trust", Bin: 4}, Colour: theme}},
		{"histogram of one value", Table{Columns: columns("k"), Rows: [][]any{{3}, {3}}}, Spec{Mark: Hist, X: k}},
		{"rules", Table{Columns: s.Columns, Rows: s.Rows[:2]}, Spec{Mark: Rule, Y: on("correctness"), Label: theme}},
		{"texts", Table{Columns: s.Columns, Rows: s.Rows[:4]},
			Spec{Mark: Label, X: on("correctness"), Y: on("trust"), Label: on("question"),
				Colour: theme}},
		{"flow of counts", flows(), Spec{Mark: Flow, X: on("before"), Y: on("after")}},
		{"flow of amounts in facets", flows(), Spec{Mark: Flow, X: on("before"), Y: on("after"), Size: on("low"), Facet: theme}},
		{"flow with long names", Table{Columns: columns("theme", "correctness"), Rows: append(l.Rows, l.Rows[0])},
			Spec{Mark: Flow, X: theme, Y: on("correctness")}},
		{"texts with names", called(), Spec{Mark: Bar, X: theme, Y: on("low"), Colour: config, Facet: theme}},
	}, append([]chartCase{{"many points", cloud(), Spec{Mark: Point, X: on("correctness"), Y: on("trust")}}}, countedCases()...)...)
}

func countedCases() []chartCase {
	var out []chartCase
	for _, name := range slices.Sorted(maps.Keys(counted())) {
		out = append(out, chartCase{name: name})
	}
	return out
}

// TestCountsAreThoseOfTheGrid: every count stands once, with its place, and the corner is told apart.
func TestCountsAreThoseOfTheGrid(t *testing.T) {
	t.Parallel()
	p := counted()["bubbles"]
	total := 0.0
	for _, m := range p.Marks {
		row := p.Rows[m.Row]
		total += row[2].(float64)
		if marked := row[0].(float64) <= 2 || row[1].(float64) <= 2; marked != (m.Colour == 1) || marked != (row[3] != nil) {
			t.Errorf("%+v %v", m, row)
		}
	}
	if total != 1296 || p.Said(p.Marks[len(p.Marks)-1], "ja") != "正確性: 4, 信頼性: 1, 回答数: 2, 表示: 低スコア" {
		t.Errorf("%g: %s", total, p.Said(p.Marks[len(p.Marks)-1], "ja"))
	}
	late := counted()["ranked apart"]
	if last := late.Marks[len(late.Marks)-1]; last.Key != "generation" || !last.Apart || late.Marks[0].Apart ||
		!strings.HasPrefix(late.Summary.EN, "Causes: most at <i>") || len(late.Notes) != 1 {
		t.Errorf("%+v %+v", late.Marks, late.Summary)
	}
	r := counted()["ranked shares"]
	if r.Marks[0].Key != "retriever" || r.Marks[0].Text != "9 / 40" || r.Marks[2].Part != 0 ||
		r.Summary.JA != "テーマ：最多は検索：見つかった文書を順位付けし、上位だけを渡す部品（9 / 40）です。" {
		t.Errorf("%+v %v", r.Marks, r.Summary)
	}
}

// TestMistakesOfASpecification: a mistake names its field.
func TestMistakesOfASpecification(t *testing.T) {
	t.Parallel()
	s := scored()
	for want, spec := range map[string]Spec{
		"chart_value mark":   {Mark: "pie", X: on("theme")},
		"chart_channel y":    {Mark: Line, X: on("k")},
		"chart_column x":     {Mark: Bar, X: on("themes")},
		"chart_value y":      {Mark: Bar, X: on("theme"), Y: on("question")},
		"chart_value colour": {Mark: Heat, X: on("k"), Y: on("theme"), Colour: on("theme")},
		"chart_value x":      {Mark: Hist, X: Channel{Field: "trust", Bin: 900}},
		"chart_channel x":    {Mark: Flow, Y: on("theme")},
		"chart_value size":   {Mark: Point, X: on("trust"), Y: on("trust"), Size: on("theme")},
	} {
		_, err := New(s, spec)
		p := problem.From(err)
		if err == nil || p.Code+" "+fmt.Sprint(p.Params["field"]) != want || p.Hint == "" {
			t.Errorf("%s: %v %+v", want, err, p)
		}
	}
	for _, y := range []Channel{mean("correctness", "wilson"), {Field: "trust", Aggregate: "mode"},
		{Field: "trust", Domain: [2]float64{5, 1}},
		mean("trust", "guess")} {
		if _, err := New(s, Spec{Mark: Bar, X: on("theme"), Y: y}); err == nil || problem.From(err).Params["field"] != "y" {
			t.Errorf("%+v: %v", y, err)
		}
	}
	if _, err := New(Table{Columns: s.Columns}, Spec{Mark: Bar, X: on("theme")}); err == nil || problem.From(err).Code != "chart_empty" {
		t.Errorf("no rows: %v", err)
	}
}

// TestFiguresAreThoseOfTheRows: what marks say is what a person would work out from the table.
func TestFiguresAreThoseOfTheRows(t *testing.T) {
	t.Parallel()
	table := Table{Columns: columns("theme", "correctness"), Rows: [][]any{{"a", 1.0}, {"a", 2.0}, {"a", 6.0}, {"b", 4.0}}}
	for how, want := range map[string][2]float64{"mean": {3, 4}, "median": {2, 4}, "count": {3, 1}, "sum": {9, 4}, "min": {1, 4},
		"max": {6, 4}, "p90": {5.2, 4}} {
		p, err := New(table, Spec{Mark: Bar, X: on("theme"), Y: Channel{Field: "correctness", Aggregate: how}})
		if err != nil || len(p.Marks) != 2 || math.Abs(p.Marks[0].Y-want[0]) > 1e-9 || p.Marks[1].Y != want[1] {
			t.Errorf("%s: %+v %v", how, p, err)
		}
	}
	p, err := New(table, Spec{Mark: Bar, X: on("theme"), Y: on("correctness")})
	if err != nil || p.Summary.EN != "Mean correctness by theme: highest 4 (b), lowest 3 (a)." ||
		p.Summary.JA != "テーマ別の正確性の平均：最大は4（b）、最小は3（a）です。" {
		t.Errorf("%+v %v", p, err)
	}
}

// TestBubblesAreRound: the two halves of a bubble stand over its diameter as it is written, whatever its size is rounded to.
func TestBubblesAreRound(t *testing.T) {
	t.Parallel()
	halves := regexp.MustCompile(`a([\d.]+) ([\d.]+) 0 1 0 ([\d.]+) 0a`)
	for n := 1; n <= 200; n++ {
		p := Bubbles(Grid{Counts: [][]int{{n, 200}, {0, 0}}, Rise: 38})
		for _, path := range Draw(p, "en", 401).Shapes {
			for _, m := range halves.FindAllStringSubmatch(path.D, -1) {
				r, err := strconv.ParseFloat(m[1], 64)
				across, errAcross := strconv.ParseFloat(m[3], 64)
				if err != nil || errAcross != nil || m[1] != m[2] || math.Abs(2*r-across) > 1e-9 {
					t.Fatalf("%d of 200: half circles of radius %s over %s", n, m[1], m[3])
				}
			}
		}
	}
}

// TestExtremesAreNotThoseOfRoundedValues: the sentence names the row that is the lowest, with as many places as tell it from one that is
// shown alike, and says how many rows are equal.
func TestExtremesAreNotThoseOfRoundedValues(t *testing.T) {
	t.Parallel()
	table := Table{Columns: []Column{{Name: "theme"}, {Name: "k"}, {Name: "mean"}}, Rows: [][]any{
		{"partners", 3.0, 1.2222}, {"pets", 3.0, 1.21875}, {"seats", 4.0, 2.5}, {"fares", 4.0, 2.5}}}
	heat := Spec{Mark: Heat, X: Channel{Field: "k"}, Y: Channel{Field: "theme"}, Colour: Channel{Field: "mean"}}
	bars := Spec{Mark: Bar, X: Channel{Field: "theme"}, Y: Channel{Field: "mean"}, Colour: Channel{Field: "k"}}
	for _, s := range []Spec{heat, bars} {
		p, err := New(table, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"lowest 1.219 (", "pets)", "k = 3", "highest 2.50 (", "seats; and 1 more)"} {
			if s.Mark == Bar {
				want = strings.NewReplacer("pets)", "pets,", "seats; and", "4; and").Replace(want)
			}
			if !strings.Contains(p.Summary.EN, want) {
				t.Errorf("%s: %q lacks %q", s.Mark, p.Summary.EN, want)
			}
		}
		if !strings.Contains(p.Summary.JA, "最小は1.219（") || !strings.Contains(p.Summary.JA, "、ほか1件）") {
			t.Errorf("%s: %q", s.Mark, p.Summary.JA)
		}
	}
}
