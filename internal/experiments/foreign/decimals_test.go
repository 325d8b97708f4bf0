package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

// TestNumbersAreReadAsTheirTableWritesThem: what stands before the decimals is what the column leaves no doubt of, else what other
// columns of the table do, else a comma where semicolons part the columns. What stays in doubt is not read, and named.
func TestNumbersAreReadAsTheirTableWritesThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, table string // of three rows
		want        string // the scores of the last column; "" where it is not read
	}{
		{"both signs", "id;punkte|1;1.234,5|2;987|3;1.010", "1234.5 987 1010"},
		{"thousands beside decimals of another column", "id;f1;punkte|1;0,5;1.250|2;0,7;2.500|3;1;3.125", "1250 2500 3125"},
		{"decimals beside points of another column", "id;f1;punkte|1;0.5;1.250|2;0.7;2.500|3;1;3.125", "1.25 2.5 3.125"},
		{"semicolons", "id;punkte|1;1,250|2;2,500|3;3,125", "1.25 2.5 3.125"},
		{"commas part the columns", "id,points|1,\"1,250\"|2,\"2,500\"|3,\"3,125\"", ""},
		{"a point elsewhere", "id,f1,points|1,0.5,\"1,250\"|2,0.7,\"2,500\"|3,1,\"3,125\"", "1250 2500 3125"},
		{"spaces", "id;punkte|1;1 234,5|2;12 987,25|3;3,5", "1234.5 12987.25 3.5"},
		{"Swiss", "id;punkte|1;1'234.5|2;2'987.25|3;3.5", "1234.5 2987.25 3.5"},
		{"points of programs", "id,points|1,1.250|2,2.500|3,3.125", "1.25 2.5 3.125"},
		{"a point that parts no thousand", "id;punkte|1;1.234,5|2;0.5|3;1", ""},
		{"days beside", "id;tag;score|1;01.02;0,5|2;03.02;0,25|3;04.02;1", "0.5 0.25 1"},
	} {
		file := filepath.Join(t.TempDir(), "scores.csv")
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(c.table, "|", "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadScores(file, ForeignOptions{})
		header, _, _ := strings.Cut(c.table, "|")
		name := header[strings.LastIndexAny(header, ";,")+1:]
		var scores []string
		if err == nil {
			if at := slices.Index(got.Metrics, name); at >= 0 {
				for _, item := range got.Items {
					scores = append(scores, fmt.Sprint(item.Scores[at][0]))
				}
			}
		}
		if strings.Join(scores, " ") != c.want {
			t.Errorf("%s: %v (%v), want %q", c.what, scores, err, c.want)
		}
	}
}

// TestAWordAmongNumbersIsItsOwnFault: what people write where there is no score is none, in several languages; another word among numbers
// with a decimal comma is a fault, and the numbers are not.
func TestAWordAmongNumbersIsItsOwnFault(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"n. a.", "k. A.", "Keine Angabe", "n/a", "entfällt", "s. o.", "該当なし", "hoch"} {
		file := filepath.Join(t.TempDir(), "scores.csv")
		if err := os.WriteFile(file, []byte("id;Korrektheit\n1;3,5\n2;"+word+"\n3;4\n4;2,5\n5;1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadScores(file, ForeignOptions{})
		if word == "hoch" {
			if err == nil || strings.Contains(err.Error(), "3,5") || !strings.Contains(err.Error(), `"hoch" is no number`) {
				t.Errorf("%s: %v", word, err)
			}
			continue
		}
		if err != nil || len(got.Metrics) != 1 || fmt.Sprint(got.Items[0].Scores[0]) != "[3.5]" || len(got.Items[1].Scores[0]) != 0 {
			t.Errorf("%s: %+v, %v", word, got, err)
		}
	}
}

// TestHalfLevelsLieOnTheScaleOfWholeOnes: 3.5 among levels from 1 to 5 makes no scale of 10; thirds say nothing.
func TestHalfLevelsLieOnTheScaleOfWholeOnes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values    []float64
		low, high float64
	}{{[]float64{1, 3.5, 5}, 1, 5}, {[]float64{2, 4}, 1, 5}, {[]float64{1.3, 4}, 0, 10}, {[]float64{0.5, 4}, 0, 10},
		{[]float64{1.5, 7}, 0, 10}} {
		if low, high := rangeOf(c.values); low != c.low || high != c.high {
			t.Errorf("%v: %g to %g", c.values, low, high)
		}
	}
}

// TestFilesInOtherEncodingsAreReadAndSaid: a table in Windows-1252 or CP932 is read at both doors, which say so as a note that warns of
// nothing; one in an encoding that nobody can tell is refused, and read once people name it.
func TestFilesInOtherEncodingsAreReadAndSaid(t *testing.T) {
	t.Parallel()
	german := "Nr;Frage;Antwort des Bots;Genauigkeit\n1;Für wen gilt das?;Für alle Gäste.;0,85\n2;Wie groß?;Größe 5.;0,5\n"
	for _, c := range []struct {
		encode          func(string) (string, error)
		text, name, tag string // of the encoding, where it has to be named
	}{
		{charmap.Windows1252.NewEncoder().String, german, "Windows-1252", ""},
		{japanese.ShiftJIS.NewEncoder().String, "番号,質問,AI回答,正確性\n1,送料は？,無料です。,0.85\n2,返品は？,可能です。,0.5\n", "CP932", ""},
		{charmap.Macintosh.NewEncoder().String, german, "MacRoman", "mac roman"},
		{func(s string) (string, error) { return s, nil }, german, "", "cp932"},
	} {
		raw, err := c.encode(c.text)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "r.csv")
		if err := os.WriteFile(file, []byte(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.tag != "" && c.name != "" {
			if _, err := ReadScores(file, ForeignOptions{}); err == nil || !strings.Contains(err.Error(), "cannot be told for sure") {
				t.Errorf("%s: read without being named: %v", c.name, err)
			}
			if _, err := ReadForeign(file, ForeignOptions{}); err == nil || !strings.Contains(err.Error(), "cannot be told for sure") {
				t.Errorf("%s: imported without being named: %v", c.name, err)
			}
		}
		scores, err := ReadScores(file, ForeignOptions{Encoding: c.tag})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		results, err := ReadForeign(file, ForeignOptions{Encoding: c.tag})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		line := strings.FieldsFunc(strings.Split(c.text, "\n")[1], func(r rune) bool { return r == ';' || r == ',' })
		if q := results.Items[0].Question; q != line[1] || *results.Items[0].Answer != line[2] || scores.Items[0].Scores[0][0] != 0.85 {
			t.Errorf("%s: %+v %+v", c.name, results.Items[0], scores.Items[0])
		}
		said, ja := false, results.InJapanese()
		for _, n := range scores.Told {
			said = said || n.EN == "the file is read as "+c.name && strings.Contains(n.JA, c.name)
		}
		imported := slices.ContainsFunc(results.Notes, func(n string) bool { return n == "the file is read as "+c.name && ja[n] != "" })
		if said != (c.name != "") || imported != said || len(scores.Sheet) > 0 {
			t.Errorf("%q: told %v and %v, warned of %v", c.name, scores.Told, results.Notes, scores.Sheet)
		}
	}
}
