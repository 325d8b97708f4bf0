package main

import (
	"cmp"
	"encoding/json"
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

// saysProblems are the functions, beside problem.New and WithHint, that make a problem or a part of one of a format: the place of the
// format, and what they put before it.
var saysProblems = map[string]struct {
	at     int
	before string
}{
	"addressProblem": {0, "the address "}, "badBackup": {1, ""}, "badCron": {3, ""}, "channelWrong": {2, "%s "},
	"maskProblem": {1, ""}, "mistake": {2, ""}, "pathProblem": {2, ""}, "providerWrong": {2, ""}, "taxonomyFault": {1, ""},
	"templateProblem": {0, "the request template "}, "wrongSchedule": {2, ""}, "leaveOut": {3, ""}, "Wrong": {3, ""}, "WrongField": {2, ""},
	"NewProblem": {2, ""}, "Invalid": {2, ""}, "TooMany": {1, ""},
}

// closures are those names under which functions of some files say the same: the place of the format, and what they put before it.
var closures = map[string]struct {
	name   string
	at     int
	before string
}{
	"app/answers.go": {"refuse", 0, ""}, "remote/endpoint.go": {"wrong", 0, "the header "}, "metrics/examples.go": {"wrong", 1, ""},
	"archive/study.go": {"bad", 0, ""}, "people/password.go": {"refuse", 1, ""}, "llm/recording.go": {"refuse", 1, ""},
	"foreign/read_scores.go": {"fault", 1, ""}, "foreign/match.go": {"fault", 1, ""}, "views/agreement.go": {"wrong", 1, ""},
	"app/providers_added.go": {"wrong", 1, "the address "},
}

// literalOf is the text of an expression that is made of literals alone.
func literalOf(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return s, err == nil && x.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := literalOf(x.X)
		right, also := literalOf(x.Y)
		return left + right, ok && also
	}
	return "", false
}

// formatOf is the text of an expression, with %s for what is put between its literals; "" where none are.
func formatOf(e ast.Expr) string {
	if s, ok := literalOf(e); ok {
		return s
	}
	if x, ok := e.(*ast.BinaryExpr); ok {
		if left, right := formatOf(x.X), formatOf(x.Y); left+right != "" {
			return strings.ReplaceAll(cmp.Or(left, "%s")+cmp.Or(right, "%s"), "%s%s", "%s")
		}
	}
	return ""
}

// hinted are those among saysProblems of the server, whose hint stands next to the message; texts are put together there.
var hinted = map[string]bool{"NewProblem": true, "Invalid": true}

// problemTexts are the formats of problems and their hints in a file, and all texts that stand in it.
func problemTexts(t *testing.T, file string) (list, all []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	add := func(call *ast.CallExpr, at int, before string, put bool) {
		if at < len(call.Args) {
			s, ok := literalOf(call.Args[at])
			switch {
			case !ok && put:
				s = formatOf(call.Args[at])
			case !ok:
				return
			}
			if s != "" {
				list = append(list, before+s)
			}
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if s, ok := literalOf(e); ok {
				all = append(all, s)
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, of := "", ""
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
			if id, ok := f.X.(*ast.Ident); ok {
				of = id.Name
			}
		case *ast.Ident:
			name = f.Name
		}
		local := closures[filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file)]
		switch s, says := saysProblems[name]; {
		case name != "" && name == local.name && of == "":
			add(call, local.at, local.before, false)
		case name == "New" && (of == "problem" || strings.HasSuffix(filepath.Dir(file), "/problem")):
			add(call, 2, "", false)
		case name == "WithHint":
			add(call, 0, "", false)
		case says:
			add(call, s.at, s.before, hinted[name])
			if hinted[name] {
				add(call, s.at+1, "", true)
			}
		}
		return true
	})
	return list, all
}

// TestEveryProblemIsJapaneseToo reads the messages and hints of problems from the source of the whole program: one without Japanese fails,
// and so does Japanese of a text that is nowhere made or takes other arguments.
func TestEveryProblemIsJapaneseToo(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../internal/problem/japanese.json")
	if err != nil {
		t.Fatal(err)
	}
	var japanese map[string]string
	if err := json.Unmarshal(raw, &japanese); err != nil {
		t.Fatal(err)
	}
	files := slices.Concat(hinting(t), globbed(t, "*.go"), globbed(t, "*/*.go"))
	files = slices.DeleteFunc(files, func(file string) bool {
		return strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/fakeprovider/") || strings.Contains(file, "/apptest/")
	})
	found := 0
	var source strings.Builder
	for _, file := range files {
		texts, all := problemTexts(t, file)
		source.WriteString(strings.Join(all, "\n"))
		for _, text := range texts {
			found++
			if _, ok := japanese[text]; !ok && letters.MatchString(verbs.ReplaceAllString(text, "")) {
				t.Errorf("%s says %q; internal/problem/japanese.json has no Japanese for it", file, text)
			}
		}
	}
	if found < 1400 {
		t.Errorf("only %d texts of problems: where are they?", found)
	}
	for en, ja := range japanese {
		if want, got := argumentsOf(en), argumentsOf(ja); !slices.Equal(want, got) {
			t.Errorf("%q takes %v; its Japanese %q takes %v", en, want, ja, got)
		}
		if !made(source.String(), en) {
			t.Errorf("internal/problem/japanese.json has %q, which nothing says", en)
		}
	}
}

// places are where rows of a file stand, put together from parts, and what libraries say: of files, and the parser of the command line.
var places = regexp.MustCompile(`^%s (row|line|item) %d|^(line %d|%s:? line %d|\[%d:%d\])|no such file|permission denied|invalid character|a directory|valid zip|XML syntax error|` +
	`^(unexpected argument|there is no command|unknown flag|missing |expected |perhaps |--%s|request body)|^%s(: expected| must be one of)|more problem|drafted question|has the same id; if`)

// counted is a number with the thing that it counts, which one call puts together.
var counted = regexp.MustCompile(`%d (row|score|conversation|trace|retrieved document|question|place)s?\b`)

// made says whether each part of a format stands somewhere in the source.
func made(source, format string) bool {
	if places.MatchString(format) {
		return true
	}
	for _, part := range verbs.Split(counted.ReplaceAllString(format, "%s"), -1) {
		for _, prefix := range []string{"the address ", "the request template ", "the header ", " "} {
			part = strings.TrimPrefix(part, prefix)
		}
		if part = strings.Trim(part, " :;()"); !strings.Contains(source, part) {
			return false
		}
	}
	return true
}
