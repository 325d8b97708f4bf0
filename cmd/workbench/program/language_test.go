package program

import (
	"testing"
)

func TestLanguageOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  map[string]string
		want Language
	}{
		{nil, English}, {map[string]string{"LANG": "ja_JP.UTF-8"}, Japanese}, {map[string]string{"LANG": "C"}, English},
		{map[string]string{"LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, English},
		{map[string]string{"LC_MESSAGES": "ja", "LANG": "en_US"}, Japanese},
	} {
		if got := localeOf(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got, c.want)
		}
	}
}

func TestColumnsOfEastAsia(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"abc": 3, "正解": 4, "ｱ": 1, "e\u0301": 1, "": 0} {
		if got := ColumnsOf(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}
