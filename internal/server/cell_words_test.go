package server

import (
	"errors"
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
)

// manyWords are codes with words for each kind of mistake and none besides.
var manyWords = map[string]bool{"cell_field": true, "chart_value": true}

// Whatever a notebook refuses has words in the pages' catalogue, from which the command line speaks too: every code, and every kind of
// mistake that a code has.
func TestNotebookMistakesHaveWordsInBothLanguages(t *testing.T) {
	t.Parallel()
	codes, kinds := map[string]string{}, map[string]string{}
	for _, dir := range []string{"../notebooks", "../notebooks/document", "../notebooks/templates", "../notebooks/sqlbox", "../charts",
		"../app/studies"} {
		inspect(t, dir, func(n ast.Node, note func(ast.Expr, string, map[string]string)) {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := calleeOf(n)
				if s, is := n.Fun.(*ast.SelectorExpr); is {
					name = s.Sel.Name
				}
				switch {
				case calleeOf(n) == "problem.New":
					note(n.Args[1], "", codes)
				case strings.HasPrefix(dir, "../notebooks") && name == "Wrong" && len(n.Args) > 2:
					note(n.Args[2], "", codes)
				case dir == "../notebooks/document" && name == "mistake" && len(n.Args) > 1,
					name == "WrongField" && len(n.Args) > 1:
					note(n.Args[1], "cell_field_", codes)
				case dir == "../charts" && name == "wrong":
					note(n.Args[0], "chart_value_", codes)
				case name == "With" && len(n.Args) == 2 && literal(n.Args[0]) == "mistake":
					note(n.Args[1], "_", kinds)
				}
			case *ast.ValueSpec:
				if dir == "../notebooks/sqlbox" && strings.HasPrefix(n.Names[0].Name, "Code") {
					note(n.Values[0], "", codes)
				}
			}
		})
	}
	for _, known := range []string{"cell_open", "cell_yaml", "cell_field_missing", "cell_field_column", "ref_cycle", "chart_value_wilson",
		"sql_syntax", "comment_empty"} {
		if codes[known] == "" {
			t.Errorf("the code %s was not found: does this test still see how mistakes are made?", known)
		}
	}
	all := slices.Sorted(maps.Keys(catalogue(t, "ja")))
	for _, lang := range []string{"en", "ja"} {
		words := catalogue(t, lang)
		for code, place := range codes {
			if w := words[code]; !manyWords[code] && (w.Title == "" || w.Hint == "") {
				t.Errorf("%s.json has no problem.%s.title and .hint (%s)", lang, code, place)
			}
		}
	}
	for kind, place := range kinds {
		if !slices.ContainsFunc(all, func(code string) bool { return strings.HasSuffix(code, kind) }) {
			t.Errorf("no code has words for the kind of mistake %s (%s)", strings.TrimPrefix(kind, "_"), place)
		}
	}
}

func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok {
		return strings.Trim(lit.Value, `"`)
	}
	return ""
}

var inJapanese = regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}]`)

// japaneseOf is what a Japanese page says of a mistake. English sentences have no place in it, but for what another engine said.
func japaneseOf(t *testing.T, p *problem.Problem) string {
	t.Helper()
	title, hint := frontend.ProblemWords("ja", p.Code, p.Params)
	if !inJapanese.MatchString(title) || hint == "" || strings.Contains(title+hint, "<nil>") || strings.Contains(title+hint, "{{") {
		t.Errorf("a Japanese reader sees of %s %v: %q %q", p.Code, p.Params, title, hint)
	}
	words := catalogue(t, "ja")
	raw, known := words[fmt.Sprintf("%s_%v", p.Code, p.Params["mistake"])]
	if !known {
		raw = words[p.Code]
	}
	if strings.Contains(raw.Hint, "{{detail}}") {
		t.Errorf("the Japanese hint of %s ends in the English sentence", p.Code)
	}
	return title
}

const cellHead = "---\nragnb: 1\ntitle: T\n---\n\n"

// brokenCells are documents, each with one mistake, and what a Japanese page says of it.
var brokenCells = map[string]string{
	"no front matter":                                                                 "ノートブックの先頭にフロントマターがありません。",
	"---\nragnb: 7\n---\n":                                                            "ragnb が 7 です。このプログラムで読めるのは1だけです。",
	"---\nragnb: 1\nlang: [fr]\n---\n":                                                "lang に「fr」があります。使える言語は en と ja です。",
	"---\nragnb: 1\ntitel: T\n---\n":                                                  "「titel」という項目はありません。",
	"---\nragnb: 1\nschedules: [weekly]\n---\n":                                       "schedules が「weekly」になっています。name と cron を持つマッピングで指定してください。",
	"---\nragnb: 1\nschedules:\n- {name: w, cron: 0}\n---\n":                          "「0」は、スケジュールの日時として使えません。",
	cellHead + "```rag run\n```\n":                                                    "セルの1行目は「rag 種類 名前」の3語で書きます。",
	cellHead + "```rag corpsu c\n```\n":                                               "「corpsu」という種類のセルはありません。",
	cellHead + "```rag corpus 1\nsource: a\n```\n":                                    "「1」はセルの名前に使えません。",
	cellHead + "```rag corpus c\nsource: a\n":                                         "セルが閉じられていません。",
	cellHead + "```rag corpus c\nsource: a\n```\n```rag corpus c\nsource: a\n```\n":   "6行目に、同じ名前のセル c があります。",
	cellHead + "```rag corpus c\nsource: \"a\n```\n":                                  "YAMLとして読み取れません：「",
	cellHead + "```rag corpus c\nsorce: a\nsource: b\n```\n":                          "「sorce」という項目はありません。",
	cellHead + "```rag corpus c\n```\n":                                               "source がありません。",
	cellHead + "```rag corpus c\nsource: [a]\n```\n":                                  "source が「[a]」になっています。文字列で指定してください。",
	cellHead + "```rag config c\nretrieve: {k: many}\n```\n":                          "retrieve.k が「many」になっています。整数で指定してください。",
	cellHead + "```rag chart c\nof: c\nkind: pie\n```\n":                              "kind に「pie」は指定できません。",
	cellHead + "```rag params p\n1k: 4\n```\n":                                        "「1k」はパラメーターの名前に使えません。",
	cellHead + "```rag params p\nk: [4]\n```\n":                                       "パラメーター k に既定値がありません。",
	cellHead + "```rag params p\nk: {default: 9, max: 4, type: integer}\n```\n":       "k の既定値「9」は、型・選択肢・範囲に合いません。",
	cellHead + "```rag config c\nretrieve: {k: ${p.k}}\n```\n":                        "${p.k} というパラメーターはありません。",
	cellHead + "```rag config c\nretrieve: {k: ${p}}\n```\n":                          "${ の後がパラメーターになっていません。",
	cellHead + "The best is {{ r1.best }}.\n":                                         "本文が参照する r1 という名前のセルはありません。",
	cellHead + "```rag failures f\nof: g\n```\n":                                      "of が参照する g という名前のセルはありません。",
	cellHead + "```rag corpus c\nsource: a\n```\n```rag failures f\nof: c\n```\n":     "of が c を参照していますが、これは corpus のセルです。",
	cellHead + "```rag config c\nextends: d\n```\n```rag config d\nextends: c\n```\n": "セルが自分自身を必要としています：",
	cellHead + "```rag query q\nsql: SELEC 1\n```\n":                                  "クエリでは、読み取りと、常に同じ結果になるものだけを使えます：「",
	cellHead + "```rag query q\nsql: SELECT 1 FROM score\n```\n":                      "表 score はありません。",
	cellHead + "```rag query q\nsql: SELECT colour FROM runs\n```\n":                  "列 colour がないか、2つの表に同じ名前の列があります：「",
}

func TestAMistakeOfACellIsSaidInJapanese(t *testing.T) {
	t.Parallel()
	for text, want := range brokenCells {
		_, wrong := document.Read("x.rag.md", []byte(text))
		if len(wrong) == 0 {
			t.Errorf("nothing is wrong with %q", text)
			continue
		}
		if got := japaneseOf(t, wrong[0]); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s is %q, want %q", text, wrong[0].Code, got, want)
		}
	}
	values := charts.Table{Columns: []charts.Column{{Name: "theme"}, {Name: "value"}}, Rows: [][]any{{"a", 2.5}, {"b", -1.0}}}
	x, y := charts.Channel{Field: "theme"}, charts.Channel{Field: "value"}
	for want, s := range map[string]charts.Spec{
		"mark に「pie」は指定できません。":     {Mark: "pie", X: x, Y: y},
		"point のグラフには y が必要です。":    {Mark: "point", X: x},
		"y が指定する列「tema」は表にありません。":  {Mark: "bar", X: x, Y: charts.Channel{Field: "tema"}},
		"y に「most」は指定できません。":       {Mark: "bar", X: x, Y: charts.Channel{Field: "value", Aggregate: "most"}},
		"y の domain は、小さい順の2つの数値":  {Mark: "bar", X: x, Y: charts.Channel{Field: "value", Domain: [2]float64{5, 1}}},
		"y は数値として描かれますが、theme には":  {Mark: "bar", X: x, Y: x},
		"Wilson区間は割合の区間ですが、y には":   {Mark: "bar", X: x, Y: charts.Channel{Field: "value", Aggregate: "mean", Interval: "wilson"}},
		"flow の量は0以上でなければなりません。":   {Mark: "flow", X: x, Y: x, Size: y},
		"bin が 900 です。見分けられる階級の数は": {Mark: "hist", X: charts.Channel{Field: "value", Bin: 900}},
	} {
		_, err := charts.New(values, s)
		p, is := errors.AsType[*problem.Problem](err)
		if !is {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if got := japaneseOf(t, p); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %q, want %q", p.Code, got, want)
		}
	}
	if err := document.StatementProblem(&sqlbox.Mistake{Code: sqlbox.CodeTime}); problem.CodeOf(err) != "sql_time" {
		t.Error(err)
	} else {
		japaneseOf(t, problem.From(err))
	}
}
