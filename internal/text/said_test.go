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

// TestWhatPagesChooseByFields: a note tells no flag of the command line where a field of a page does what it does.
func TestWhatPagesChooseByFields(t *testing.T) {
	t.Parallel()
	for note, want := range map[string]string{
		"read as 2 votes; where each is a metric of its own, say so: --vote-columns apart (a.csv)": "read as 2 votes; where each is a metric of " +
			"its own, choose that for *Columns of votes* (a.csv)",
		"それぞれが別の指標であれば --vote-columns apart と指定してください":                  "それぞれが別の指標であれば「採点の列」で選んでください",
		`"May" was read (--sheet NAME chooses another), and not: April`: `"May" was read, and not: April`,
		"nothing to choose": "nothing to choose",
	} {
		if got := ChosenByField(note); got != want {
			t.Errorf("%s: %s, want %s", note, got, want)
		}
	}
}
