package program

import (
	"slices"
	"strings"
	"testing"
)

func TestJapaneseIsWrappedByItsColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"回答を採点します。", 10, []string{"回答を採点", "します。"}},
		{"回答を採点。次", 10, []string{"回答を採", "点。次"}},              // a full stop does not begin a line
		{"回答を採（点）", 10, []string{"回答を採", "（点）"}},              // a bracket does not end one
		{"設定は --filter で", 12, []string{"設定は", "--filter で"}}, // flags stay whole
		{"参照 https://example.com/a/b を見る", 10, []string{"参照", "https://example.com/a/b", "を見る"}},
		{"採点 95 % 未満", 6, []string{"採点", "95 %", "未満"}},
		{"一行\n二行", 80, []string{"一行 二行"}},
		{"", 10, []string{""}},
	} {
		if got := Wrap(c.text, c.columns); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.columns, got, c.want)
		}
	}
	long := strings.Repeat("検索インデックスが使えるメモリー（例：500MB）。", 9)
	for _, line := range Wrap(long, 41) {
		if ColumnsOf(line) > 41 {
			t.Errorf("%q takes %d columns", line, ColumnsOf(line))
		}
	}
}
