package app_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
)

// inUTF16 encodes with a byte order mark.
func inUTF16(s string, order func(v uint16) [2]byte) []byte {
	var b bytes.Buffer
	for _, v := range utf16.Encode([]rune("\ufeff" + s)) {
		pair := order(v)
		b.Write(pair[:])
	}
	return b.Bytes()
}

func little(v uint16) [2]byte { return [2]byte{byte(v), byte(v >> 8)} }
func bigEnd(v uint16) [2]byte { return [2]byte{byte(v >> 8), byte(v)} }

func in(e encoding.Encoding, s string) []byte {
	out, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		panic(err)
	}
	return out
}

// hostileTexts are encodings and texts, each as a document and most as a question sheet too.
func hostileTexts() []hostileInput {
	const says = "㈱髙島の返品は30日以内です①"
	const sheet = "質問,正解\n返品の期限は？,30日以内\n"
	text := func(name string, raw []byte) hostileInput {
		return hostileInput{name: name, file: "a.txt", files: one("a.txt", raw), as: "corpus", items: 1, holds: "返品は30日以内です"}
	}
	csv := func(name string, raw []byte) hostileInput {
		return hostileInput{name: name, file: "q.csv", files: one("q.csv", raw), as: "dataset", items: 1, holds: "返品の期限は？ = 30日以内"}
	}
	bad := func(name string, raw []byte, code, say string) []hostileInput {
		return []hostileInput{
			{name: name, file: "a.txt", files: one("a.txt", raw), as: "corpus", code: code, says: say},
			{name: name, file: "q.csv", files: one("q.csv", raw), as: "dataset", code: code, says: say},
		}
	}
	list := []hostileInput{
		text("UTF-8 with a mark", []byte("\ufeff"+says)), csv("UTF-8 with a mark", []byte("\ufeff"+sheet)),
		text("UTF-16 LE", inUTF16(says, little)), csv("UTF-16 LE", inUTF16(sheet, little)),
		text("UTF-16 BE", inUTF16(says, bigEnd)), csv("UTF-16 BE", inUTF16(sheet, bigEnd)),
		text("CP932", in(japanese.ShiftJIS, says)), csv("CP932", in(japanese.ShiftJIS, sheet)),
		text("EUC-JP", in(japanese.EUCJP, strings.Trim(says, "㈱髙①"))), csv("EUC-JP", in(japanese.EUCJP, sheet)),
		text("ISO-2022-JP", in(japanese.ISO2022JP, strings.Trim(says, "㈱髙①"))), csv("ISO-2022-JP", in(japanese.ISO2022JP, sheet)),
		text("CR line ends", []byte("一行目\r"+says+"\r")), csv("CR line ends", []byte(strings.ReplaceAll(sheet, "\n", "\r"))),
		text("control and bidi characters", []byte("返品は30日以内です\x1b[2J\u202eabc\u200b\x07")),
		csv("control and bidi characters", []byte("質問,正解\n返品の期限は？,30日以内\u202e\x1b[31m\x07\n")),
	}
	for _, more := range [][]hostileInput{
		bad("UTF-16 without a mark", inUTF16(sheet, little)[2:], "text_binary", "NUL"),
		bad("UTF-16 cut in half a character", inUTF16(sheet+"🍣", little)[:len(inUTF16(sheet+"🍣", little))-2],
			"text_encoding_broken", "UTF-16LE"),
		bad("UTF-8 and CP932 mixed", append([]byte(sheet), append(in(japanese.ShiftJIS, "髙\n①"), 0xff)...),
			"text_encoding_unknown", "line 3"),
		bad("Windows-1250", []byte("question,answer\nodpowied\x9f prawid\xb3owa,\x9c\n"), "text_encoding_unknown", "line 2"),
		bad("random bytes", repeated("\x9f\x00\xfe\x03\x81\x12\xff\x7f\x01", 9000), "text_binary", "binary data"),
		bad("NUL in a text", []byte("question,answer\na\x00b,c\n"), "text_binary", "NUL"),
		bad("PNG by another name", []byte("\x89PNG\r\n\x1a\n0000"), "text_binary", "PNG"),
		bad("64 MiB and more", nil, "file_too_large", "MiB, the limit"),
	} {
		list = append(list, more...)
	}
	for i := range list {
		if list[i].name == "64 MiB and more" {
			limit := map[string]int{"a.txt": 64, "q.csv": 256}[list[i].file]
			list[i].files, list[i].set = nil, func(t *testing.T,
				dir string) {
				sparse(t, filepath.Join(dir, list[i].file), int64(limit)<<20+1)
			}
			list[i].name = fmt.Sprintf("more than %d MiB", limit)
		}
	}
	return list
}

// sparse makes a file that is large and takes no space.
func sparse(t *testing.T, file string, size int64) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
}

// hostileFolders are tricks with names, links and files that are not there.
func hostileFolders() []hostileInput {
	good := []byte("Text.")
	link := func(target, name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Skipf("links cannot be made here: %v", err)
			}
		}
	}
	list := []hostileInput{
		{name: "empty folder", file: ".", code: "corpus_empty", says: "no document"},
		{name: "folder of other kinds", file: ".", files: one("a.png", good), code: "corpus_empty", says: "1 files of other kinds"},
		{name: "nothing there", file: "missing.txt", code: "corpus_missing", says: "there is no file"},
		{name: "file of an unknown kind", file: "a.exe", files: one("a.exe", good), code: "corpus_file_kind"},
		{name: "link to a file outside", file: ".", files: one("a.txt", good), set: link("/etc/hosts", "b.txt"), items: 1,
			says: "not followed): b.txt"},
		{name: "link to the folder above", file: ".", files: one("a.txt", good), set: link("..", "up"), items: 1,
			says: "not followed): up"},
		{name: "hidden files and lock files", file: ".", files: func() map[string][]byte {
			return map[string][]byte{"a.txt": good, ".env": []byte("KEY=1"), ".git/b.txt": good, "~$a.docx": good, "._a.docx": good}
		}, items: 1},
		{name: "path with ..", file: "x/../a.txt",
			files: func() map[string][]byte { return map[string][]byte{"a.txt": good, "x/b.txt": good} }, items: 1, holds: "a.txt\n"},
		{name: "name ../evil for the corpus", file: "a.txt", files: one("a.txt", good), named: "../evil", code: "name", says: "../evil"},
		{name: "absolute name for the corpus", file: "a.txt", files: one("a.txt", good), named: "/etc/passwd", code: "name"},
		{name: "name with a version for the corpus", file: "a.txt", files: one("a.txt", good), named: "rules@1", code: "name"},
		{name: "control characters in a file name", file: ".", files: one("a\x1b[2J\n.txt", good), code: "corpus_file_name",
			says: `a\x1b[2J\n.txt`},
		{name: "file name that is not UTF-8", file: ".", files: one("\x83\x65.txt", good), code: "corpus_file_name"},
		{name: "right-to-left mark in a file name", file: ".", files: one("a\u202etxt.md", good), items: 1},
		{name: "backslashes in a file name", file: ".", files: one(`x\..\..\evil.txt`, good), items: 1},
		{name: "the same text twice", file: ".", files: func() map[string][]byte { return map[string][]byte{"a.txt": good, "b.txt": good} },
			items: 2, says: "b.txt = a.txt"},
		{name: "names that Unicode unites", file: ".",
			files: func() map[string][]byte { return map[string][]byte{"\u00e9.txt": good, "e\u0301.txt": good} }, items: 1,
			says: "é.txt: "},
		{name: "empty file", file: "a.txt", files: one("a.txt", nil), code: "corpus_empty_document"},
		{name: "blank file among good ones", file: ".",
			files: func() map[string][]byte { return map[string][]byte{"a.txt": good, "b.md": []byte(" \n\t\n")} }, items: 1,
			says: "b.md: "},
		{name: "file that may not be read", file: ".", files: one("a.txt", good), set: func(t *testing.T, dir string) {
			if os.Geteuid() == 0 {
				t.Skip("root may read every file")
			}
			if err := os.Chmod(filepath.Join(dir, "a.txt"), 0); err != nil {
				t.Skip(err)
			}
		}, code: "file_unreadable", says: "a.txt"},
		{name: "folder by the name of a file", file: "a.txt", files: one("a.txt/b.png", good), code: "corpus_empty"},
		{name: "page with elements 600 deep", file: "a.html", files: one("a.html", []byte(strings.Repeat("<div>", 600)+"x")),
			code: "corpus_html"},
		{name: "formatting never closed", file: "a.html",
			files: one("a.html", []byte("<p>"+strings.Repeat("<b><i>", 200)+"</p>"+strings.Repeat("<p>x</p>", 20000))),
			code:  "corpus_html"},
		{name: "brackets without end", file: "a.md", files: one("a.md", []byte(strings.Repeat("![](", 6000))), code: "corpus_markdown"},
		{name: "page with only a program", file: "a.html", files: one("a.html", []byte("<script>alert(1)</script>")),
			code: "corpus_empty_document"},
		{name: "32 MiB on one line", file: "a.txt", files: big("a.txt", func() []byte { return repeated("長い文", 32<<20) }), items: 1},
	}
	for i := range list {
		list[i].as = "corpus"
	}
	return list
}
