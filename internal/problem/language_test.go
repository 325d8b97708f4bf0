package problem

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestProblemsAreSaidInJapanese(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of            *Problem
		message, hint string
	}{
		{New(Conflict, "run_over", "run %s is %s; nothing of it can be resumed", "3f2a", "finished").
			WithHint("workbench runs resume %s", "3f2a"),
			"実行 3f2a は完了です。再開できるものがありません", "workbench runs resume 3f2a"},
		// a name stays
		{New(NotFound, "dataset_unknown", "there is no %s %q", "dataset", "dataset"), `データセット "dataset" はありません`, ""},
		// nothing is known
		{New(Invalid, "n", "run %s has no answers for %d", "x", 3), "run x has no answers for 3", ""},
		{New(Invalid, "n", "%s is empty", "a file.csv"), "a file.csv が空です", ""},
		// some of many
		{New(Conflict, "r", "%q begins the ids of several runs: %s%s", "4", "43, 4e, 48", " and others"),
			`"4" で始まる実行が複数あります：43, 4e, 48 など`, ""},
		// in another order
		{New(NotFound, "r", "there is no recommendation %q for run %s", "b", "3f2a"), `実行 3f2a に推奨 "b" はありません`, ""},
		{New(Invalid, "p", "%s cannot be read as %s: %v", "a.docx", "Word", errors.New("unsupported compression of it")),
			"a.docx を Word として読み取れません：「unsupported compression of it」", ""}, // words of a library are quoted
		{New(Invalid, "p", "%s: not a JSON object: %v", "a.jsonl", fmt.Errorf("more text follows after its end, at byte %d", 7)),
			"a.jsonl：JSON オブジェクトではありません：終わりの後に文字が続いています（7バイト目）", ""},
	} {
		p := c.of.In("ja")
		if p.Message != c.message || p.Hint != c.hint || p.Code != c.of.Code {
			t.Errorf("%q is %q, hint %q; want %q, %q", c.of.Message, p.Message, p.Hint, c.message, c.hint)
		}
		if c.of.In("en") != c.of {
			t.Error("English is another problem")
		}
	}
	prefixed := New(Invalid, "n", "%s has no value", "k")
	prefixed.Message = "study.rag.md:3: cell a: " + New(Invalid, "n", "the cell is not closed").Message
	prefixed.Hint = "add --yes"
	if p := prefixed.In("ja"); p.Message != "study.rag.md:3：セル a：セルが閉じられていません" || p.Hint != "--yes を付けてください" {
		t.Errorf("a changed problem is %q, %q", p.Message, p.Hint)
	}
	caused := New(Unavailable, "disk_full", "there is no room left on the disk").Because(io.ErrShortWrite)
	if got := Said("ja", caused); got != "ディスクに空きがありません：「short write」" {
		t.Errorf("an error with its cause is %q", got)
	}
	if got := Said("en", caused); got != caused.Error() || Said("ja", nil) != "" {
		t.Errorf("in English it is %q", got)
	}
}

func TestTextsAreFoundAmongTheFormats(t *testing.T) {
	t.Parallel()
	for english, want := range map[string]string{
		`faq.csv row 3 (q2), reference: holds a list where one text is expected (and 2 more problems)`: `faq.csv の3行目（q2）、reference：1つの文字列のところにリストがあります（ほか2件）`,
		`unknown flag --nonsense`:                       `フラグ --nonsense はありません`,
		`unexpected argument lst, did you mean "list"?`: `引数 lst は使えません。"list" ではありませんか`,
		`there is no dataset "faq: old"`:                `データセット "faq: old" はありません`,
		`%d is known to nobody`:                         `%d is known to nobody`,
		`faq`:                                           `faq`,
		``:                                              ``,
	} {
		got, ok := Japanese(english)
		if english == "" {
			got = ""
		}
		if got != want || ok != (want != english) {
			t.Errorf("%q is %q, %v; want %q", english, got, ok, want)
		}
	}
}
