package findings

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// forbidden are second words for something that has one already, and phrases that readers stumbled over, with the word to use.
var forbidden = []struct {
	words *regexp.Regexp
	use   string
}{
	{regexp.MustCompile(`閾値`), "しきい値"},
	{regexp.MustCompile(`確からしさ|確信度（`), "確度"},
	{regexp.MustCompile(`最重要`), "重要"},
	{regexp.MustCompile(`網羅率`), "取得率"},
	{regexp.MustCompile(`カバー率`), "採点できた割合"},
	{regexp.MustCompile(`リトリーバー`), "文書検索"},
	{regexp.MustCompile(`シングルホップ|マルチホップ|Single-Hop|Multi-Hop`), "一か所で答えられる, 複数箇所が必要"},
	{regexp.MustCompile(`ベースライン`), "比較の基準"},
	{regexp.MustCompile(`購入`), "課金, 費用"},
	{regexp.MustCompile(`累計`), "全部で"},
	{regexp.MustCompile(`最初に試される`), "推測されやすいパスワード"},
	{regexp.MustCompile(`一票`), "1回の採点"},
	{regexp.MustCompile(`評価数`), "採点数, 判定回数"},
	{regexp.MustCompile(`Signed on the results`), "Agreed on the results"},
	{regexp.MustCompile(`Context cost|Share low`), "Text sent to the model, Share of low scores"},
	{regexp.MustCompile(`clearly better.*small|cannot see changes`), "slightly better, what the questions are enough for"},
	{regexp.MustCompile(`自己知識`), "文書外の知識"},
	{regexp.MustCompile(`(?i)wiring and trial|not belief`), "good for trying the tool, not for decisions"},
	{regexp.MustCompile(`healed`), "fixed"},
	{regexp.MustCompile(`put at risk`), "would lose their evidence"},
	{regexp.MustCompile(`newly worse than the baseline`), "worse than the agreed reference run"},
	{regexp.MustCompile(`So many votes make no sense`), "the largest number of votes"},
	{regexp.MustCompile(`Look closer: workbench`), "a link"},
	{regexp.MustCompile(`the documents do not tell`), "the documents do not cover this"},
	{regexp.MustCompile(`could not be told`), "cause unknown"},
	{regexp.MustCompile(`ゲート(?:[^ウ]|$)`), "リリース判定"},
	{regexp.MustCompile(`\b[Tt]he gate\b|RAG gate`), "the release check; gate is the verb and the cell alone"},
	{regexp.MustCompile(`\b(?:[Tt]he|[Ii]ts|[Tt]heir|agreed) goals?\b|\bgoals? (?:at|of) |\{n\?goal|"Goal"`), "target; goals is a field of the file alone"},
	{regexp.MustCompile(`(?:^|[^トクド])ブック(?:[^マ]|$)`), "ワークブック"},
	{regexp.MustCompile(`Compared nowhere`), "Left out of the comparison"},
}

// readsSheets are files whose words are what other people wrote, which is read and not said.
var readsSheets = []string{
	"internal/experiments/intake/column_names.go", "internal/experiments/intake/read_critical.go",
	"internal/metrics/textual/entail_lexicon_ja.go", "internal/rag/thesaurus.go",
	"internal/metrics/offline.go",
}

// TestOneWordForOneThing reads every catalogue and every text in the code for words that have a better one.
func TestOneWordForOneThing(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	check := func(where, text string) {
		for _, f := range forbidden {
			if found := f.words.FindString(text); found != "" {
				t.Errorf("%s says %q; the word is: %s", where, found, f.use)
			}
		}
	}
	var catalogues []string
	for _, pattern := range []string{"frontend/src/locales/*.json", "internal/*/*/catalogue/*.json",
		"cmd/workbench/program/*.json", "internal/problem/*.json"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		catalogues = append(catalogues, found...)
	}
	for _, path := range catalogues {
		raw, err := os.ReadFile(path) //nolint:gosec // our own catalogues
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(raw), "\n") {
			check(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path)+":"+strconv.Itoa(i+1), line)
		}
	}
	texts := 0
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry os.DirEntry, err error) error {
			name, _ := filepath.Rel(root, path)
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				slices.Contains(readsSheets, filepath.ToSlash(name)) {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					texts++
					check(name+":"+strconv.Itoa(fset.Position(lit.Pos()).Line), lit.Value)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if texts < 5000 {
		t.Errorf("only %d texts of the code were read", texts)
	}
}
