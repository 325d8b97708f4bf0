package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// refusal is what is said of a file that is refused, in both languages, and what is left to do.
func refusal(t *testing.T, file, body string, read func(path string) error) (en, ja string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	err := read(path)
	if err == nil {
		t.Fatalf("%q was read", body)
	}
	p := problem.From(err)
	said := p.In("ja")
	return p.Message + "\n" + p.Hint, said.Message + "\n" + said.Hint
}

func imported(path string) error {
	_, err := ReadForeign(path, ForeignOptions{})
	return err
}

func comparedAlone(path string) error {
	_, err := ReadScores(path, ForeignOptions{})
	return err
}

// wantSaid checks that each of some parts is said.
func wantSaid(t *testing.T, said string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not said in %q", part, said)
		}
	}
}

// TestPercentagesAmongNumbersAreToldAsThat: a cell with a per cent sign in a column of plain numbers is no word, at either door.
func TestPercentagesAmongNumbersAreToldAsThat(t *testing.T) {
	t.Parallel()
	for _, read := range []func(string) error{imported, comparedAlone} {
		en, ja := refusal(t, "mixed.csv", "id,question,answer,correctness\n1,a?,x,0.76\n2,b?,y,77%\n3,c?,z,0.8\n", read)
		wantSaid(t, en, `"77%" stands among numbers without a per cent sign`)
		wantSaid(t, ja, `"77%" は%のない数値と混ざっています`)
		en, _ = refusal(t, "words.csv", "id,question,answer,correctness\n1,a?,x,0.76\n2,b?,y,fine\n3,c?,z,0.8\n", read)
		wantSaid(t, en, `"fine" is no number`)
	}
}

// TestIDsThatStandForSeveralQuestionsAreNamed: a column of ids that is not read as that is told with the id that is to blame.
func TestIDsThatStandForSeveralQuestionsAreNamed(t *testing.T) {
	t.Parallel()
	for twice, ids := range map[bool][3]string{true: {"Q1", "Q1", "Q2"}, false: {"Q1", "Q2", "Q3"}} {
		path := filepath.Join(t.TempDir(), "ids.csv")
		body := fmt.Sprintf("質問ID,質問,正確性\n%s,a?,1\n%s,b?,2\n%s,c?,3\n", ids[0], ids[1], ids[2])
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadScores(path, ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, s := range got.Sheet {
			said += s.EN + s.JA
		}
		if got.ByID == twice || strings.Contains(said, `"Q1" stands for several questions`) != twice ||
			strings.Contains(said, `列「質問ID」は、"Q1"が複数の質問`) != twice {
			t.Errorf("twice %t: by id %t, %q", twice, got.ByID, said)
		}
	}
}

// TestScoresWithoutAnswersSayWhatLacks: a table that a comparison reads is no file of nobody known where it is imported.
func TestScoresWithoutAnswersSayWhatLacks(t *testing.T) {
	t.Parallel()
	for file, body := range map[string]string{
		"asked.csv":   "question,reference,faithfulness\na?,x,0.5\nb?,y,0.6\n",
		"asked.tsv":   "質問\t正確さ\naとは\t5\nbとは\t4\n",
		"asked.json":  `[{"question":"a?","faithfulness":0.5},{"question":"b?","faithfulness":0.6}]`,
		"asked.jsonl": `{"question":"a?","faithfulness":0.5}`,
	} {
		en, ja := refusal(t, file, body, imported)
		wantSaid(t, en, "no column with the answers", "workbench compare OLD NEW", "COLUMN=answer")
		wantSaid(t, ja, "回答の列がありません", "workbench compare 旧 新")
	}
	en, ja := refusal(t, "ids.csv", "id,faithfulness\nq1,0.5\nq2,0.6\n", imported)
	wantSaid(t, en, "its columns are: id, faithfulness", "workbench compare OLD NEW", "COLUMN=question", "COLUMN=answer")
	wantSaid(t, ja, "列：id、faithfulness", "workbench compare 旧 新", "列名=question")
	en, _ = refusal(t, "words.csv", "question,reference\na?,x\nb?,y\n", imported)
	wantSaid(t, en, "not recognised") // which are no scores that could be compared
}

// TestIDsByTheNamesOfTeams: a column of ids is one under any of its names, with and without the questions beside it.
func TestIDsByTheNamesOfTeams(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"質問ID", "設問ＩＤ", "質問番号", "設問番号", "Question-ID", "QuestionID", "Question No", "question_number",
		"qid", "問ID", "問番号", "設問No.", "example_id", "case_id", "Case No.", "test_case_id", "sample_id", "ケース番号", "想定質問番号", "FAQ番号"} {
		for _, body := range []string{
			name + ",正確さ\nX1,0.5\nX2,0.6\n", name + ",質問,正確さ\nX1,aとは,0.5\nX2,bとは,0.6\n",
			name + ",質問,回答,正確さ\nX1,aとは,a,0.5\nX2,bとは,b,0.6\n",
		} {
			path := filepath.Join(t.TempDir(), "scores.csv")
			if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
			read, err := ReadScores(path, ForeignOptions{})
			if err != nil {
				t.Errorf("%q: %v", body, err)
				continue
			}
			if len(read.Items) != 2 || read.Items[0].ID != "X1" || read.Items[1].ID != "X2" || !read.ByID {
				t.Errorf("%q: %+v", body, read.Items)
			}
		}
	}
}

// TestANumberOfTheWholeTestIsNoID: without questions beside them, ids that are one in all rows give way to what tells the rows apart; ids
// that come again with each replicate stay.
func TestANumberOfTheWholeTestIsNoID(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		"test_id,case_id,正確さ\nT9,a,1\nT9,b,2\n":                  {"a", "b"},
		"test_id,No.,正確さ\nT9,1,1\nT9,2,2\n":                      {"1", "2"},
		"No.,case_id,replicate,正確さ\n1,a,1,1\n2,a,2,2\n3,b,1,2\n": {"a", "b"},
	} {
		table, err := ReadScores(written(t, "a.csv", body), ForeignOptions{})
		if err != nil || len(table.Items) != len(want) || table.Items[0].ID != want[0] || table.Items[1].ID != want[1] {
			t.Errorf("%q: %+v %v", body, table, err)
		}
	}
}

// TestImportsKeepTheIDsOfTables: an import of a table or of Ragas keeps ids under any of their names, and a number of rows where no
// question is asked twice; what stands for something else is no id.
func TestImportsKeepTheIDsOfTables(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"正確さ", "faithfulness"} {
		for name, want := range map[string][2]string{
			"質問ID": {"1", "1"}, "問ID": {"1", "1"}, "設問番号": {"1", "1"}, "問番号": {"1", "1"}, "qid": {"1", "1"}, "example_id": {"1", "1"},
			"case_id": {"1", "1"}, "id": {"1", "1"}, "No.": {"1", "q-"}, "番号": {"1", "q-"}, "項番": {"1", "q-"}, "#": {"1", "q-"},
			"session_id": {"q-", "q-"}, "trace_id": {"q-", "q-"}, "文書番号": {"q-", "q-"}, "担当者番号": {"q-", "q-"}, "row_no": {"q-", "q-"},
		} {
			for i, second := range []string{"bとは", "aとは"} { // the second asks again under another number
				path := filepath.Join(t.TempDir(), "scores.csv")
				body := name + ",質問,回答," + tool + "\n1,aとは,x,0.5\n2," + second + ",y,0.6\n"
				if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
					t.Fatal(err)
				}
				f, err := ReadForeign(path, ForeignOptions{})
				if err != nil {
					t.Fatalf("%q: %v", body, err)
				}
				questions := 2
				if i == 1 && want[1] == "q-" {
					questions = 1
				}
				if q := f.Questions(); !strings.HasPrefix(q[0].ID, want[i]) || len(q) != questions {
					t.Errorf("%q: %+v", body, q)
				}
			}
		}
	}
}

// TestNumbersOfAPartAreNoIDs: numbers that begin again in each part, or that some rows lack, leave the questions to tell rows apart.
func TestNumbersOfAPartAreNoIDs(t *testing.T) {
	t.Parallel()
	for _, second := range []string{"1", ""} {
		path := filepath.Join(t.TempDir(), "scores.csv")
		if err := os.WriteFile(path, []byte("設問番号,質問,正確さ\n1,aとは,0.5\n"+second+",bとは,0.6\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := ReadScores(path, ForeignOptions{})
		if err != nil || read.ByID || len(read.Items) != 2 || read.Items[0].ID != "aとは" {
			t.Errorf("%q: %+v, %v", second, read, err)
		}
	}
}

// TestTurnedAndStackedTablesAreNamed: where it is certain that a sheet is turned or holds several tables, every door says so.
func TestTurnedAndStackedTablesAreNamed(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]string{
		"metric,What is A?,What is B?\nfaithfulness,0.9,0.8\nlatency,1,2\n":   {"looks turned", "転置"},
		"question,What is A?,What is B?\nfaithfulness,0.9,0.8\nother,,2\n":    {"looks turned", "転置"},
		"指標,質問１,質問２\n正確さ,5,4\n":                                               {"looks turned", "転置"},
		"id,faithfulness\nq1,0.9\nq2,0.7\n\nid,correctness\nq1,0.9\nq2,0.7\n": {"lines 1-3 and 5-7", "1〜3行目と5〜7行目"},
		"id,faithfulness\nq1,0.9\n\nid,correctness,tone\nq1,0.9,1\n":          {"lines 1-2 and 4-5", "1〜2行目と4〜5行目"},
		"id,a\nq1,0.9\nTitle,\nid,b\nq1,3\nid,c\nq1,3\n":                      {"lines 1-2, 4-5 and 6-7", "1〜2行目、4〜5行目と6〜7行目"},
		"質問,回答,正確さ\naとは,x,0.9\nbとは,y,0.7\n,,\n質問,回答,丁寧さ\naとは,x,0.9\nbとは,y,0.7\n": {"lines 1-3 and 5-7",
			"1〜3行目と5〜7行目"},
	} {
		for _, read := range []func(string) error{imported, comparedAlone} {
			en, ja := refusal(t, "scores.csv", body, read)
			wantSaid(t, en, want[0])
			wantSaid(t, ja, want[1])
		}
	}
}

// TestTablesThatOnlyLookTurnedOrStacked: answers of people to a form and a question that is called as a column are read or refused as ever.
func TestTablesThatOnlyLookTurnedOrStacked(t *testing.T) {
	t.Parallel()
	en, _ := refusal(t, "form.csv", "name,Was it useful?,Was it clear?\nA,5,4\nB,3,2\n", comparedAlone)
	wantSaid(t, en, "neither ids nor questions")
	for _, body := range []string{"id,faithfulness\nq1,0.9\nid,0.7\nq3,0.5\n", "id,faithfulness,note\nq1,0.9,\nid,,id\nq3,0.5,3\n",
		"id,critical,correctness\nq1,no,5\nq2,no,null\nq3,yes,4\n", "id,critical,correctness\nq1,no,5\nq2,no,NaN\nq3,no,4\n",
		"質問番号,正確さ\n質問1,5\n質問2,対象外\n質問3,4\n"} {
		path := filepath.Join(t.TempDir(), "scores.csv")
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := comparedAlone(path); err != nil {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// TestVariantsAreNamedWithTheirFlag: of a promptfoo file with several variants each is named as it is chosen, and that chooses it.
func TestVariantsAreNamedWithTheirFlag(t *testing.T) {
	t.Parallel()
	table := func(variants ...string) string {
		head, row := "question", "a?"
		for _, v := range variants {
			head, row = head+","+v+",Status,Score,Named Scores", row+",x,PASS,1.00,{}"
		}
		return head + "\n" + row + "\n"
	}
	for want, variants := range map[string][]string{
		`--variant "openai:a", --variant "other:b"`:                         {"[openai:a] p", "[other:b] p"},
		`--variant "[openai:a] p", --variant "[openai:a] q", --variant "b"`: {"[openai:a] p", "[openai:a] q", "[b] r"},
		`--variant "[m] p", --variant "m-mini"`:                             {"[m] p", "[m-mini] p"},
		`--variant "v1", --variant "v2", --variant "v3", --variant "v4", …`: {"[v1] p", "[v2] p", "[v3] p", "[v4] p", "[v5] p"},
	} {
		en, ja := refusal(t, "results.csv", table(variants...), imported)
		wantSaid(t, en, want, variants[0], variants[len(variants)-1])
		wantSaid(t, ja, strings.ReplaceAll(want, ", -", "、-"), "1つずつ読み取ってください")
		path := filepath.Join(t.TempDir(), "results.csv")
		if err := os.WriteFile(path, []byte(table(variants...)), 0o600); err != nil {
			t.Fatal(err)
		}
		for flag := range strings.SplitSeq(strings.TrimSuffix(want, ", …"), ", ") {
			name := strings.Trim(strings.TrimPrefix(flag, "--variant "), `"`)
			if _, err := ReadForeign(path, ForeignOptions{Variant: name}); err != nil {
				t.Errorf("%s: %v", flag, err)
			}
		}
	}
}

// TestFiguresOfOperationOfTeams: what time and money go to is better with less; how long answers are is no metric unless people say so.
func TestFiguresOfOperationOfTeams(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"処理時間", "応答時間（秒）", "トークン数", "費用［円］", "Kosten", "Laufzeit (s)", "Dauer",
		"Antwortzeit"} {
		if DirectionOf(name) != LessIsBetter {
			t.Errorf("%s has no direction", name)
		}
	}
	for _, name := range []string{"応答時間の妥当性", "正確さ（処理時間を除く）の評価"} {
		if DirectionOf(name) != MoreIsBetter {
			t.Errorf("%s is no rating", name)
		}
	}
	path := filepath.Join(t.TempDir(), "scores.csv")
	if err := os.WriteFile(path, []byte("id,正確さ,文字数,処理時間\nq1,0.5,120,1\nq2,0.6,90,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for higher, want := range map[string]string{"": "正確さ 処理時間|文字数", "文字数": "正確さ 文字数 処理時間|"} {
		read, err := ReadScores(path, ForeignOptions{Higher: strings.Fields(higher)})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(read.Metrics, " ") + "|" + strings.Join(read.Operation, " "); got != want {
			t.Errorf("%q: %s, want %s", higher, got, want)
		}
	}
}

// TestManyColumnsAreCountedInJapanese: how many more columns there are is said in the language of the refusal.
func TestManyColumnsAreCountedInJapanese(t *testing.T) {
	t.Parallel()
	names := "a,b,c,d,e,f,g,h,i,j,k,l"
	for _, read := range []func(string) error{imported, comparedAlone} {
		for _, body := range []string{names + "\n" + names + "\n", "question," + names + "\nx?,1,2,3,4,5,6,7,8,9,1,2,x\n"} {
			if body[0] == 'q' {
				read = imported
			}
			en, ja := refusal(t, "wide.csv", body, read)
			wantSaid(t, en, "more")
			wantSaid(t, ja, "、ほか")
			if strings.Contains(ja, "more") {
				t.Errorf("English in %q", ja)
			}
		}
	}
}
