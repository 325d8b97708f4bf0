package notebooks

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// Reason says why a cell is not up to date: a code and what it is about, so that it can be said in any language.
type Reason struct {
	Code   string            `json:"code"`
	Params map[string]string `json:"params,omitempty"`
}

// The reasons, each with its sentence, in Japanese that of the pages; {names} are parameters.
var reasonTexts = map[string]document.Words{
	"never_run":   {EN: "it has never been run", JA: "まだ実行されていません"},
	"not_started": {EN: "it was not started", JA: "開始されませんでした"},
	"stopped":     {EN: "it was stopped", JA: "途中で停止されました"},
	"incomplete":  {EN: "{text}", JA: "{text}"},
	"interrupted": {EN: "it was begun and did not come to its end", JA: "途中で終わり、完了していません"},
	"param_changed": {EN: "{param} was {from} and is {to}",
		JA: "{param} が {from} から {to} に変わりました"},
	"edited":          {EN: "{cell} was edited", JA: "{cell} が編集されました"},
	"added":           {EN: "{cell} was added to what it rests on", JA: "前提に {cell} が加わりました"},
	"version_changed": {EN: "{cell} was {from} and is {to}", JA: "{cell} が {from} から {to} に変わりました"},
	"upstream":        {EN: "{cell} is {state}", JA: "{cell} が{state}です"},
	"no_result":       {EN: "{cell} has no result yet", JA: "{cell} の結果がまだありません"},
	"failed":          {EN: "{cell} has an error", JA: "{cell} にエラーがあります"},
	"engine_changed":  {EN: "the program computes it in a newer way", JA: "計算方法が新しくなりました"},
	"result_changed":  {EN: "a result that it rests on changed", JA: "前提となる結果が変わりました"},
	"other_run":       {EN: "its run is of another configuration", JA: "結び付いた実行が別の設定のものです"},
	"runs_absent":     {EN: "its runs are not in this data directory", JA: "実行結果がこのデータフォルダーにありません"},
	"command_line": {EN: "it names a file ({value}): it runs from the command line only",
		JA: "ファイル（{value}）を指定しているため、コマンドラインでのみ実行できます"},
}

// because makes a reason; pairs are names and values of its parameters.
func because(code string, pairs ...string) Reason {
	r := Reason{Code: code}
	for i := 0; i+1 < len(pairs); i += 2 {
		if r.Params == nil {
			r.Params = map[string]string{}
		}
		r.Params[pairs[i]] = pairs[i+1]
	}
	return r
}

// In is the reason in a language.
func (r Reason) In(lang string) string {
	text := reasonTexts[r.Code].In(lang)
	for name, value := range r.Params {
		if name == "state" {
			value = State(value).Words(lang)
		}
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// WhyIn is why the cell is not up to date, in a language.
func (c CellView) WhyIn(lang string) []string {
	var out []string
	for _, r := range c.Reasons {
		out = append(out, r.In(lang))
	}
	return out
}

// Add gives a cell one more reason.
func (c *CellView) Add(reasons ...Reason) {
	for _, r := range reasons {
		c.Why, c.Reasons = append(c.Why, r.In("en")), append(c.Reasons, r)
	}
}

// partialReason says why a cell stopped, as its lock entry has it.
func partialReason(text string) Reason {
	for _, code := range []string{"stopped", "interrupted"} {
		if reasonTexts[code].EN == text {
			return because(code)
		}
	}
	return because("incomplete", "text", text)
}
