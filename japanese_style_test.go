package workbench_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// japaneseCatalogues are the files that hold the Japanese of the program.
var japaneseCatalogues = []string{
	"cmd/workbench/program/japanese.json", "cmd/workbench/program/japanese_help.json", "internal/problem/japanese.json",
	"internal/analysis/findings/catalogue/ja.json", "internal/reports/wording/catalogue/ja.json", "frontend/src/locales/ja.json",
}

// japaneseReaders hold Japanese that is read: words that people write, and prompts, whose every change asks the models anew. Of them only
// what text.Say says is looked at.
var japaneseReaders = regexp.MustCompile(`^internal/(experiments/(intake|evaltest)|metrics/(textual|offline_|prompts|preference)|` +
	`analysis/questions/(nouns|offline_rules|draft_offline|words)|analysis/(causes/(reference|laboratory/prompts)|validation/validate_payloads)|` +
	`experiments/foreign/(promptfoo|read_scores_cells)|rag|text|llm|app/demo)`)

// japaneseStyle is how Japanese is set here: each rule with what breaks it. Numbers stand close to what they count and to the sign of per
// cent, signs are wide where Japanese has its own, and a term has one spelling.
var japaneseStyle = []struct {
	rule   string
	broken *regexp.Regexp
}{
	{"a number and what it counts stand together",
		regexp.MustCompile(`(?:%(?:\[\d\])?d|\d|\{\{(?:count|n|of)\}\}) (?:問[^題]|[件回個行列人円秒文か枚])`)},
	{"nothing stands between a word and a number that counts",
		regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}」）] (?:%(?:\[\d\])?d|\d+|\{\{(?:count|n)\}\})[件問回個行]`)},
	{"per cent stands close to its number", regexp.MustCompile(`[\dfgs}] %%|\d %[^a-z%]|％`)},
	{"a range has one sign, 〜", regexp.MustCompile(`～`)},
	{"what to do next is 次に：", regexp.MustCompile(`^次：`)},
	{"a colon behind Japanese is wide", regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}）][:;](?: [^値]|$)`)},
	{"a list in Japanese has its own comma", regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}）], [^A-Za-z0-9]`)},
	{"パラメーター has its long sound", regexp.MustCompile(`パラメータ(?:[^ー]|$)`)},
	{"フォルダー has its long sound", regexp.MustCompile(`フォルダ(?:[^ー]|$)`)},
	{"search method is 検索方法", regexp.MustCompile(`検索方式`)},
	{"chunk size is チャンクサイズ", regexp.MustCompile(`チャンクの大きさ`)},
	{"a channel of notifications is 通知先", regexp.MustCompile(`チャネル`)},
	{"what a model reads is 参照箇所, but in names of metrics and what fits into it", regexp.MustCompile(`コンテキスト(?:[^再適活長]|$)`)},
	{"what a model reads is not 文脈 either", regexp.MustCompile(`文脈`)},
	{"how many of them is 参照箇所の数", regexp.MustCompile(`検索件数|取得件数`)},
	{"reranking is リランク", regexp.MustCompile(`再順位付け|再ランク|リランキング`)},
	{"a place of files is フォルダー", regexp.MustCompile(`ディレクトリ`)},
	{"what a call costs is its 料金", regexp.MustCompile(`価格`)},
	{"a metric that does not apply is 適用外; what is left out is 除外", regexp.MustCompile(`対象外`)},
	{"a dataset is データセット", regexp.MustCompile(`質問集`)},
	{"a provider is プロバイダー; who made a model is its 開発元", regexp.MustCompile(`提供元|プロバイダ(?:[^ー]|$)`)},
	{"a configuration is 設定, and a component 部品", regexp.MustCompile(`構成`)},
	{"メモリー has its long sound", regexp.MustCompile(`メモリ(?:[^ー]|$)`)},
	{"to import is 取り込む", regexp.MustCompile(`インポート`)},
	{"an estimate is 見積もり", regexp.MustCompile(`見積り`)},
	{"すでに is written in kana", regexp.MustCompile(`既に`)},
	{"things are counted with figures", regexp.MustCompile(`[二三四五六]つ(?:[^目]|$)`)},
	{"both of what is said: 両方 has its noun", regexp.MustCompile(`(?:^|[、。（はうが}])両方(?:で|に)`)},
	{"what holds where nobody chose is the 既定値", regexp.MustCompile(`初期値`)},
	{"what writes the answers is the 生成モデル", regexp.MustCompile(`生成器|回答モデル`)},
	{"what neighbouring chunks share is their 重なり", regexp.MustCompile(`オーバーラップ`)},
	{"who reads answers to check a judge is a 読み手", regexp.MustCompile(`読者[^が]`)},
	{"who asks the system is a 利用者", regexp.MustCompile(`ユーザーが`)},
	{"no space stands behind は", regexp.MustCompile(`[^た]は [\p{Hiragana}\p{Katakana}\p{Han}]`)},
}

// japaneseSaid are the files whose Japanese is whole sentences: catalogues, and the notebooks of the gallery.
func japaneseSaid(t *testing.T) []string {
	gallery := strings.Fields(git(t, "ls-files", "internal/notebooks/templates/gallery/*.md"))
	if len(gallery) < 10 {
		t.Fatalf("only %d notebooks: where is the gallery?", len(gallery))
	}
	return append(gallery, japaneseCatalogues...)
}

// plainForm is a sentence that ends as one writes in a note. What somebody is to write in an experiment is no sentence of ours.
var plainForm = regexp.MustCompile(`(?:する|える|れる|める|なる|である|ている)。`)

// TestJapaneseSentencesArePolite: です and ます everywhere, as one table or page has sentences of several places. Lists of exit codes are
// not sentences.
func TestJapaneseSentencesArePolite(t *testing.T) {
	t.Parallel()
	for _, file := range japaneseSaid(t) {
		body, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(body), "\n") {
			line, _, _ = strings.Cut(strings.ReplaceAll(line, `\n`, "\n"), "終了コード：")
			if found := plainForm.FindString(line); found != "" && !strings.Contains(line, "instruction: ") {
				t.Errorf("%s:%d: a sentence ends with %q", file, n+1, found)
			}
		}
	}
}

// galleryBroken are words that the glossary has not; numbers stand close to what they count here too.
var galleryBroken = regexp.MustCompile(`チャンク長|参照箇所数|評点|\}\} [件問回個]|[二三四]つ目|一つ`)

// TestTheGallerySpeaksTheGlossary: notebooks of the gallery are read like any page.
func TestTheGallerySpeaksTheGlossary(t *testing.T) {
	t.Parallel()
	for _, file := range japaneseSaid(t) {
		if !strings.HasSuffix(file, ".rag.md") {
			continue
		}
		body, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(body), "\n") {
			if found := galleryBroken.FindString(line); found != "" {
				t.Errorf("%s:%d: %q", file, n+1, found)
			}
		}
	}
}

// says reports whether a call is text.Say, whose second text is Japanese that is said.
func says(call *ast.CallExpr) bool {
	of, ok := call.Fun.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Say"
}

// TestJapaneseIsSetInOneStyle reads every Japanese text of the program: those of the catalogues, and those that stand in the code.
func TestJapaneseIsSetInOneStyle(t *testing.T) {
	t.Parallel()
	check := func(where, text string) {
		if !japaneseText.MatchString(text) {
			return
		}
		for _, style := range japaneseStyle {
			if found := style.broken.FindString(text); found != "" {
				t.Errorf("%s: %s, but there is %q in %q", where, style.rule, found, text)
			}
		}
	}
	read := 0
	for _, file := range japaneseCatalogues {
		body, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		var catalogue any
		if err := json.Unmarshal(body, &catalogue); err != nil {
			t.Fatal(err)
		}
		eachText(catalogue, func(text string) { read++; check(file, text) })
	}
	for _, file := range strings.Fields(git(t, "ls-files", "internal/*.go", "cmd/*.go")) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		literals := func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && !strings.HasPrefix(literal.Value, "`") {
				if text, err := strconv.Unquote(literal.Value); err == nil {
					check(file, text)
				}
			}
			return true
		}
		if !japaneseReaders.MatchString(file) {
			ast.Inspect(parsed, literals)
			continue
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && says(call) {
				ast.Inspect(call, literals)
			}
			return true
		})
	}
	if read < 5000 {
		t.Errorf("only %d texts: where are the catalogues?", read)
	}
}

func git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		t.Skip("this is no checkout")
	}
	return string(out)
}

// japaneseText is text of Japanese; a sign of its own is enough.
var japaneseText = regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}～]`)

// eachText calls do with every text of a catalogue, however it is nested.
func eachText(catalogue any, do func(string)) {
	switch v := catalogue.(type) {
	case string:
		do(v)
	case map[string]any:
		for _, inner := range v {
			eachText(inner, do)
		}
	case []any:
		for _, inner := range v {
			eachText(inner, do)
		}
	}
}

// TestPerCentStandsCloseToItsNumber: "12.5%" in both languages and at every door. Whatever else writes it would be a second style.
func TestPerCentStandsCloseToItsNumber(t *testing.T) {
	t.Parallel()
	apart := regexp.MustCompile(`(?:%(?:\[\d\])?[.\d]*[dfgsv] %%|[\d})] %)(?:[\s",.;:!?()\]|/—–、。）]|$)`)
	files := append([]string{}, japaneseCatalogues...)
	for _, catalogue := range japaneseCatalogues {
		if en := strings.Replace(catalogue, "/ja.json", "/en.json", 1); en != catalogue {
			files = append(files, en)
		}
	}
	goldens := strings.Fields(git(t, "ls-files", "internal/reports/testdata/*.md", "cmd/workbench/testdata/golden/*.txt",
		"internal/app/validations/testdata/*.md", "internal/notebooks/testdata/*.md"))
	if len(goldens) < 10 {
		t.Fatalf("only %d goldens: where are they?", len(goldens))
	}
	for _, file := range append(files, goldens...) {
		body, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(body), "\n") {
			if found := apart.FindString(line); found != "" {
				t.Errorf("%s:%d: per cent stands apart from its number: %q", file, n+1, found)
			}
		}
	}
}
