package app_test

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/japanese"
)

// sheetOf is a question sheet as a workbook.
func sheetOf(rows ...string) []byte {
	return officeOf(".xlsx", words(sheetStart+strings.Join(rows, "")+sheetEnd), nil)
}

// rowOf is a row of a sheet with these texts.
func rowOf(cells ...string) string {
	return `<row><c t="inlineStr"><is><t>` + strings.Join(cells, `</t></is></c><c t="inlineStr"><is><t>`) + `</t></is></c></row>`
}

// asDataset fills in what the inputs of a list have in common.
func asDataset(list []hostileInput) []hostileInput {
	for i := range list {
		if list[i].as == "" {
			list[i].as = "dataset"
		}
	}
	return list
}

// refusedFile and takenFile are inputs of one file, made when needed.
func refusedFile(name, file, code, says string, raw func() []byte) hostileInput {
	return hostileInput{name: name, file: file, files: big(file, raw), code: code, says: says}
}

func takenFile(name, file string, items int, says, holds string, raw func() []byte) hostileInput {
	return hostileInput{name: name, file: file, files: big(file, raw), items: items, says: says, holds: holds}
}

func plain(s string) func() []byte { return func() []byte { return []byte(s) } }

// hostileSheets are CSV files and workbooks as question sheets.
func hostileSheets() []hostileInput {
	list := asDataset([]hostileInput{
		refusedFile("empty file", "q.csv", "dataset_empty", "empty", plain("")),
		refusedFile("only a header", "q.csv", "dataset_empty", "no question", plain("id,question\n")),
		refusedFile("no question column", "q.csv", "dataset_column_missing", "id, text", plain("id,text\na,b\n")),
		refusedFile("ragged rows", "q.csv", "dataset_rows", "q.csv line 3: has 3 fields", plain("id,question\na,b\nc,d,e\nf\n")),
		refusedFile("unclosed quotation mark", "q.csv", "dataset_rows", "q.csv line 2", plain("id,question\na,\"b\nc,d\n")),
		refusedFile("unclosed quotation mark before 40 MiB", "q.csv", "dataset_rows", "q.csv line 2",
			func() []byte { return append([]byte("id,question\na,\"b"), repeated("text, and more\n", 40<<20)...) }),
		refusedFile("repeated ids", "q.csv", "dataset_rows", "q.csv line 3 (a), question_id", plain("id,question\na,b\na,c\n")),
		takenFile("repeated column", "q.csv", 1, `the later one is called "question (2)"`, "q0001: a", plain("question,question\na,b\n")),
		refusedFile("empty question", "q.csv", "dataset_rows", "q.csv line 3 (c), question", plain("id,question\na,b\nc, \n")),
		refusedFile("100,001 columns", "q.csv", "dataset_too_wide", "100001 columns", func() []byte {
			return []byte("question" + strings.Repeat(",c", 100_000) + "\n")
		}),
		takenFile("column names that are the data", "q.csv", 2, "no row holds column names", "q0001: What is it?",
			plain("What is it?,A thing\nWho is it?,A person\n")),
		refusedFile("cell of 32 MiB", "q.csv", "dataset_rows", "q.csv line 2",
			func() []byte { return append([]byte("question,answer\na,"), repeated("long ", 32<<20)...) }),
		refusedFile("question of 2 MiB", "q.csv", "dataset_rows", "q.csv line 2, question",
			func() []byte { return append([]byte("question\n"), repeated("long ", 2<<20)...) }),
		refusedFile("yes and no in other words", "q.csv", "dataset_rows", "critical", plain("question,critical\na,perhaps\n")),
		takenFile("empty references", "q.csv", 2, "", "q0001: a =  ", plain("question,reference\na,\nb,NaN\n")),
		takenFile("numbers as texts", "q.csv", 1, "", "007: 12 = 1e3", plain("id,question,reference\n007,12,1e3\n")),
		takenFile("formulas in cells", "q.csv", 1, "", "=cmd|' /C calc'!A0 = @SUM(1)",
			plain("question,reference,note\n=cmd|' /C calc'!A0,@SUM(1),+1\n")),
		takenFile("100,000 tags", "q.csv", 1, "tags", "[x1 x2 x3 ", func() []byte {
			var b strings.Builder
			b.WriteString("question,tags\na,\"")
			for i := range 100_000 {
				fmt.Fprintf(&b, "x%d;", i+1)
			}
			return []byte(b.String() + "\"\n")
		}),
		takenFile("100,000 empty rows", "q.csv", 1, "100000 empty rows", "",
			func() []byte { return []byte("question,reference\n" + strings.Repeat(",\n", 100_000) + "a,b\n") }),
		refusedFile("100,000 faulty rows", "q.csv", "dataset_rows", "199998 more problems",
			func() []byte { return []byte("id,question\n" + strings.Repeat("a,\n", 100_000)) }),
		refusedFile("kind that is not read", "q.docx", "dataset_file_kind", "", plain("x")),
		refusedFile("nothing there", "q.csv", "file_missing", "", nil),
		{name: "folder", file: "q.csv", files: one("q.csv/a.txt", nil), code: "file_not_regular"},
		{name: "wrong name", file: "q.csv", files: one("q.csv", []byte("question\na\n")), named: "../../x", code: "name"},
	})
	for i := range list {
		if list[i].name == "nothing there" {
			list[i].files = nil
		}
	}
	return append(list, hostileWorkbooks()...)
}

func hostileWorkbooks() []hostileInput {
	const file = "q.xlsx"
	good := func() []byte { return sheetOf(rowOf("question"), rowOf("a")) }
	return asDataset([]hostileInput{
		refusedFile("workbook that is CSV", file, "dataset_workbook_broken", "", plain("question\na\n")),
		refusedFile("corrupt workbook", file, "dataset_workbook_broken", "", func() []byte { raw := good(); return raw[:len(raw)/2] }),
		refusedFile("workbook that is another archive", file, "dataset_workbook_broken", "",
			func() []byte { return zipped(map[string]func(io.Writer){"a.txt": words("a")}) }),
		refusedFile("encrypted workbook", file, "dataset_workbook_locked", "password", func() []byte { return container(true) }),
		refusedFile("workbook bomb of 300 MiB", file, "dataset_workbook_too_large", "256 MiB", func() []byte {
			return officeOf(".xlsx", filled(sheetStart, "0", 300<<20, sheetEnd), nil)
		}),
		refusedFile("workbook that states small sizes", file, "dataset_workbook_broken", "", func() []byte {
			return restated(officeOf(".xlsx", filled(sheetStart, rowOf("a"), 100_000, sheetEnd), nil), 100)
		}),
		refusedFile("workbook with 5 million parts", file, "dataset_workbook_broken", "", func() []byte { return manyEntries(5_000_000) }),
		refusedFile("workbook with an XML bomb", file, "dataset_workbook_broken", "", func() []byte {
			return officeOf(".xlsx", words(`<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>`+sheetStart+rowOf("&b;")+sheetEnd), nil)
		}),
		takenFile("1.2 million shared texts", file, 1, "", "q0001: ab", func() []byte {
			return officeOf(".xlsx", words(sheetStart+rowOf("question")+`<row><c t="s"><v>7</v></c></row>`+sheetEnd),
				map[string]func(io.Writer){
					"xl/sharedStrings.xml": filled(`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`,
						`<si><t>ab</t></si>`, 1_200_000, `</sst>`),
				})
		}),
		refusedFile("values beyond the named columns", file, "dataset_too_wide", "q.xlsx has 16384 columns", func() []byte {
			return officeOf(".xlsx", filled(sheetStart+rowOf("question"), `<row><c r="XFD1"><v>1</v></c></row>`, 1000, sheetEnd), nil)
		}),
		refusedFile("formula that failed", file, "dataset_rows", "q.xlsx row 2, reference: the cell shows the error #REF!", func() []byte {
			return sheetOf(rowOf("question", "reference"),
				`<row><c t="inlineStr"><is><t>a</t></is></c><c t="e"><f>Z1</f><v>#REF!</v></c></row>`)
		}),
		refusedFile("empty sheet", file, "dataset_empty", "empty", func() []byte { return sheetOf() }),
		takenFile("formulas in a workbook", file, 1, "", "q0001: =cmd|'/c calc'!A1",
			func() []byte { return sheetOf(rowOf("question"), rowOf("=cmd|'/c calc'!A1")) }),
		takenFile("cell in the last row", file, 1, "", "q0001: a", func() []byte {
			return sheetOf(rowOf("question"), `<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>a</t></is></c></row>`)
		}),
	})
}

// hostileJSON are JSON and JSONL files, as question sheets and as documents.
func hostileJSON() []hostileInput {
	deep := strings.Repeat("[", 100_000)
	list := asDataset([]hostileInput{
		refusedFile("JSON 100,000 deep", "q.json", "dataset_json", "q.json line 1", plain(`[{"question":`+deep)),
		refusedFile("JSON lines 100,000 deep", "q.jsonl", "dataset_rows", "q.jsonl line 1",
			plain(`{"question":"a","x":`+deep+strings.Repeat("]", 100_000)+`}`)),
		refusedFile("JSON with more behind its end", "q.json", "dataset_json", "q.json line 2", plain("[{\"question\":\"a\"}]\n]")),
		refusedFile("JSON line with more behind its end", "q.jsonl", "dataset_rows", "q.jsonl line 2: more text",
			plain("{\"question\":\"a\"}\n{\"question\":\"b\"} x\n")),
		refusedFile("JSON list of null", "q.json", "dataset_rows", "q.json item 1", plain(`[null,{"question":"a"},null]`)),
		refusedFile("null", "q.json", "dataset_column_missing", "", plain(`null`)),
		refusedFile("JSON lines of numbers", "q.jsonl", "dataset_rows", "q.jsonl line 1", plain("1\n2\n")),
		refusedFile("cut off in a line", "q.jsonl", "dataset_rows", "q.jsonl line 2: the JSON object is cut off",
			plain("{\"question\":\"a\"}\n{\"question\":\"b")),
		refusedFile("a key twice", "q.jsonl", "dataset_rows", "stands twice", plain(`{"question":"a","question":"b"}`)),
		refusedFile("NUL in a question", "q.jsonl", "dataset_rows", "U+0000", plain(`{"question":"a\u0000"}`)),
		refusedFile("NUL in a key", "q.jsonl", "dataset_rows", "U+0000", plain(`{"question":"a","b\u0000":"c"}`)),
		refusedFile("question that is an object", "q.jsonl", "dataset_rows", "q.jsonl line 1, question", plain(`{"question":{"a":1}}`)),
		refusedFile("conversation as messages", "q.jsonl", "dataset_rows", "q.jsonl line 1, messages",
			plain(`{"question":"a","messages":[{"role":"user","content":"a"}]}`)),
		refusedFile("conversation as the question", "q.jsonl", "dataset_rows", "several turns",
			plain(`{"user_input":[{"type":"human","content":"a"}]}`)),
		refusedFile("100,000 lines with a key of their own", "q.jsonl", "dataset_too_wide", "different keys", func() []byte {
			var b strings.Builder
			for i := range 100_000 {
				fmt.Fprintf(&b, "{\"question\":\"a\",\"k%d\":1}\n", i)
			}
			return []byte(b.String())
		}),
		takenFile("half a surrogate pair", "q.jsonl", 1, "", "q0001: a\ufffd", plain(`{"question":"a\ud800"}`)),
		takenFile("numbers as questions", "q.jsonl", 1, "", "7: 12 = true", plain(`{"id":7,"question":12,"reference":true}`)),
		takenFile("NaN and Infinity", "q.jsonl", 1, "NaN or Infinity", "q0001: a", plain(`{"question":"a","score":NaN,"x":[-Infinity]}`)),
		takenFile("100,000 references", "q.json", 1, "", "q0001: a = r0", func() []byte {
			var b strings.Builder
			for i := range 100_000 {
				fmt.Fprintf(&b, `,"r%d"`, i)
			}
			return []byte(`[{"question":"a","references":[` + b.String()[1:] + `]}]`)
		}),
	})
	for _, c := range [][4]string{
		{"document 100,000 deep", `{"id":"1","text":` + deep, "corpus_line_json", "line 1"},
		{"document with more behind its end", `{"id":"1","text":"a"} x`, "corpus_line_json", "more text follows"},
		{"document that is null", "null", "corpus_line_json", "line 1"},
		{"document without an id", `{"text":"a"}`, "corpus_field_missing", "has no id"},
		{"document without a text", `{"id":"1","name":"a"}`, "corpus_field_missing", "has no text"},
		{"document whose text is a list", `{"id":"1","text":["a"]}`, "corpus_text_type", "not a string"},
		{"documents with one id", "{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":\"1\",\"text\":\"b\"}", "corpus_duplicate_id", "line 2"},
		{"NUL in a field of a document", `{"id":"1","text":"a","note":"\u0000"}`, "corpus_nul", "line 1"},
	} {
		in := refusedFile(c[0], "c.jsonl", c[2], c[3], plain(c[1]))
		in.as = "corpus"
		list = append(list, in)
	}
	in := takenFile("ids that look like paths", "c.jsonl", 2, "", "../../etc/passwd",
		plain("{\"id\":\"../../etc/passwd\",\"text\":\"a\"}\n{\"id\":7,\"text\":\"b\"}"))
	in.as = "corpus"
	return append(list, in)
}

// hostileEvidence is evidence that is not in the corpus of the world.
func hostileEvidence() []hostileInput {
	list := asDataset([]hostileInput{
		refusedFile("evidence beyond the end", "q.jsonl", "dataset_rows", "q.jsonl line 1 (q), evidence: rule-0[0:9999] goes beyond",
			plain(`{"id":"q","question":"a","evidence":[{"doc_id":"rule-0","start":0,"end":9999}]}`)),
		refusedFile("evidence before the start", "q.jsonl", "dataset_rows", "no range",
			plain(`{"id":"q","question":"a","evidence":[{"doc_id":"rule-0","start":-5,"end":3}]}`)),
		refusedFile("evidence at huge places", "q.jsonl", "dataset_rows", "whole numbers",
			plain(`{"id":"q","question":"a","evidence":[{"doc_id":"rule-0","start":0,"end":99999999999999999999}]}`)),
		refusedFile("evidence in an unknown document", "q.jsonl", "dataset_rows", `no document "rule-99"`,
			plain(`{"id":"q","question":"a","evidence":[{"doc_id":"rule-99","start":0,"end":3}]}`)),
		refusedFile("evidence that says something else", "q.jsonl", "dataset_rows", "not the quote",
			plain(`{"id":"q","question":"a","evidence":[{"doc_id":"rule-0","start":0,"end":4,"text":"Lite"}]}`)),
		refusedFile("quote in several places", "q.jsonl", "dataset_rows", "in several places",
			plain(`{"id":"q","question":"a","evidence":["refunded"]}`)),
		refusedFile("quote in no place", "q.csv", "dataset_rows", "q.csv line 2, evidence: the corpus",
			plain("question,evidence\na,nobody ever wrote this\n")),
		refusedFile("quote that is empty", "q.jsonl", "dataset_rows", "quote is empty",
			plain(`{"id":"q","question":"a","evidence":[" "]}`)),
	})
	alone := []hostileInput{
		refusedFile("quotes without a corpus", "q.csv", "dataset_needs_corpus", "line 2", plain("question,evidence\na,b\n")),
		refusedFile("NUL in a quote", "q.jsonl", "dataset_rows", "U+0000",
			plain(`{"question":"a","evidence":[{"doc_id":"d","start":0,"end":1,"quote":"\u0000"}]}`)),
		takenFile("spans without a corpus", "q.jsonl", 1, "not verified", "",
			plain(`{"question":"a","evidence":[{"doc_id":"d","start":0,"end":1}]}`)),
	}
	for i := range alone {
		alone[i].as = "dataset alone"
	}
	return append(list, alone...)
}

// hostileDefinitions are experiment files.
func hostileDefinitions() []hostileInput {
	const head = "name: a\ncorpus: rules\ndataset: asked\n"
	var bomb strings.Builder
	bomb.WriteString(head + "judge:\n  a0: &a0 {x: y}\n")
	for i := range 30 {
		fmt.Fprintf(&bomb, "  a%d: &a%d {x: [%s]}\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 9), ","))
	}
	list := []hostileInput{
		refusedFile("experiment that is a folder", "missing.yaml", "experiment_file", "", nil),
		refusedFile("experiment of random bytes", "e.yaml", "text_encoding_unknown", "line 1", plain("name: \x9f\xfename\xff \n")),
		refusedFile("experiment with NUL", "e.yaml", "text_binary", "NUL", plain("name: a\x00b\n")),
		refusedFile("experiment that is a list", "e.yaml", "experiment_yaml", "", plain("- a\n- b\n")),
		refusedFile("unknown field", "e.yaml", "experiment_yaml", "line 4", plain(head+"sweeps: {}\n")),
		refusedFile("field twice", "e.yaml", "experiment_yaml", "", plain(head+"name: b\n")),
		refusedFile("tab as indentation", "e.yaml", "experiment_yaml", "", plain(head+"base:\n\tchunk: 1\n")),
		refusedFile("path as the name", "e.yaml", "name", "", plain("name: ../a\ncorpus: r\ndataset: d\n")),
		refusedFile("chunk size in words", "e.yaml", "experiment_field", "base.chunk.size", plain(head+"base: {chunk: {size: many}}\n")),
		refusedFile("sweep without values", "e.yaml", "experiment_field", "sweep.chunk.size", plain(head+"sweep: {chunk.size: 400}\n")),
		refusedFile("experiment of references to references", "e.yaml", "experiment_yaml", "100000 values", plain(bomb.String())),
		refusedFile("experiment 100,000 deep", "e.yaml", "experiment_yaml", "line 4", plain(head+"base: "+strings.Repeat("[", 100_000))),
		refusedFile("experiment of 64 MiB", "e.yaml", "file_too_large", "256 KiB",
			func() []byte { return append([]byte(head+"notes: "), repeated("long ", 64<<20)...) }),
	}
	list = append(list, takenFile("experiment in CP932", "e.yaml", 1, "", "料金",
		func() []byte { return in(japanese.ShiftJIS, "name: 料金\ncorpus: r\ndataset: d\nnotes: ①\n") }))
	list[0].files = one("missing.yaml/a.txt", nil)
	for i := range list {
		list[i].as = "definition"
	}
	return list
}
