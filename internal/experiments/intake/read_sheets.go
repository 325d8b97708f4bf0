package intake

import (
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/text"
)

// SheetUse says of a sheet of a workbook whether it is read, and why. Its rows are those below its column names, or all where it has none
// that are known; of questions where a column holds them.
type SheetUse struct {
	Name   string    `json:"name"`
	Rows   int       `json:"rows"`
	Hidden bool      `json:"hidden,omitempty"`
	Read   bool      `json:"read"`
	Why    text.Said `json:"why"`
}

// tellSheets says what became of each sheet, also where reading stopped.
func (t *Table) tellSheets(f *excelize.File, file string, choice *sheetChoice) error {
	if t.locate == nil {
		return nil
	}
	for _, s := range choice.tabs {
		if s.rows == unknown {
			n, err := rowsBelow(f, s)
			if err != nil {
				return brokenWorkbook(file, err)
			}
			s.rows = n
		}
		t.sheets = append(t.sheets, SheetUse{Name: s.name, Rows: s.rows, Hidden: s.hidden, Read: s.read, Why: choice.why(s)})
	}
	return nil
}

// why is the reason why a sheet is read, or is not.
func (c *sheetChoice) why(s tab) text.Said {
	first := c.tabs[c.chosen]
	switch {
	case c.named && s.read:
		return text.Say("it was chosen", "選ばれたシートです")
	case c.named:
		return text.Say("other sheets were chosen", "ほかのシートが選ばれました")
	case s.read:
		return c.whyRead(s)
	case s.copied:
		return text.Say("at least half of its questions stand in a sheet that is read, as in a copy or an older version",
			"質問の半分以上が読み取るシートにもあり、コピーや旧版と考えられます")
	case s.hidden:
		return text.Say("the workbook hides it", "ワークブックで非表示になっています")
	case s.rows == 0:
		return text.Say("it holds no rows", "行がありません")
	case isAside(s):
		return text.Say("by its name it holds results, examples or an older state", "名前から、結果・例・旧版のシートと考えられます")
	case !s.asks:
		return text.Say("no column name says that it holds questions", "質問の列だと分かる列名がありません")
	case strings.EqualFold(first.name, questionSheet):
		return text.Say("a sheet is called %q", "「%s」という名前のシートがあります", questionSheet)
	case !s.solves:
		return text.Say("no column name says that it holds right answers", "正解の列だと分かる列名がありません")
	case !sameHeads(first.header.cells, s.header.cells):
		return text.Say("its column names differ from those of %q", "列名が「%s」と異なります", first.name)
	}
	return text.Say("%q is read instead", "代わりに「%s」を読み取ります", first.name)
}

// whyRead is the reason why a sheet is read that nobody named.
func (c *sheetChoice) whyRead(s tab) text.Said {
	first := c.tabs[c.chosen]
	switch {
	case len(c.tabs) == 1:
		return text.Say("it is the only one", "シートは1枚だけです")
	case s.name != first.name:
		return text.Say("its column names agree with those of %q", "列名が「%s」と一致します", first.name)
	case strings.EqualFold(s.name, questionSheet):
		return text.Say("it is called %q", "名前が「%s」です", questionSheet)
	case s.asks || s.score > 0:
		return text.Say("its column names look like those of questions", "列名が質問の表に合います")
	}
	return text.Say("no sheet has column names of questions, and this is the first to be seen",
		"質問の列名があるシートはなく、これが表示されている先頭のシートです")
}

// unread is the report of a file that was not read: which sheets it has.
func (t *Table) unread() ReadReport {
	if t == nil {
		return ReadReport{}
	}
	return ReadReport{Format: t.format, Sheets: t.sheets}
}
