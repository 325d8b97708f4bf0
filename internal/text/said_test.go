package text

import "testing"

func TestSaidInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said   Said
		en, ja string
	}{
		{Say("%s in sheet %q", "シート%[2]qに%[1]s", Count(1, "row", "行"), "A"), `1 row in sheet "A"`, `シート"A"に1行`},
		{Say("%s", "%s", Count(2, "row", "行")), "2 rows", "2行"},
	} {
		if c.said.In("en") != c.en || c.said.In("ja") != c.ja {
			t.Errorf("%q and %q, want %q and %q", c.said.In("en"), c.said.In("ja"), c.en, c.ja)
		}
	}
}
