package notebooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestGitNamesTheCell sets Git up as the documentation says: what `git diff` shows of a notebook names the cell of each change, and one
// edit of a cell is a change of its line alone.
func TestGitNamesTheCell(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	docs, err := os.ReadFile("../../docs/notebook.md")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile("`(\\*\\.rag\\.md diff=rag)` in `\\.gitattributes` and `` git config diff\\.rag\\.xfuncname '([^']+)' ``").
		FindStringSubmatch(string(docs))
	if said == nil {
		t.Fatal("docs/notebook.md does not say how Git is set up")
	}
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org", "-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const text = "---\nragnb: 1\ntitle: T\n---\n```rag params p\nk: 3\n```\n\n```rag query long\nsql: |\n  SELECT metric,\n    run,\n    avg(value)\n" +
		"  FROM scores\n  GROUP BY 1, 2\nlimit: 10\n```\n\nProse.\n\n```rag note 日本\nja: |\n  一\n  二\n  三\n  四\n  五\n```\n"
	git("init", "-q")
	git("config", "diff.rag.xfuncname", said[2])
	write(".gitattributes", said[1]+"\n")
	write("study.rag.md", text)
	git("add", ".")
	git("commit", "-q", "-m", "one")
	d, wrong := document.Read("study", []byte(text))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	edited, _, err := d.WithFields("long", map[string]any{"limit": 20})
	if err != nil {
		t.Fatal(err)
	}
	write("study.rag.md", strings.Replace(string(edited.Bytes()), "五", "六", 1))
	diff := git("diff", "study.rag.md")
	for _, want := range []string{" @@ ```rag query long\n", " @@ ```rag note 日本\n", "\n-limit: 10\n+limit: 20\n", "\n-  五\n+  六\n"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the difference does not have %q:\n%s", want, diff)
		}
	}
	if n := strings.Count(diff, "\n+") + strings.Count(diff, "\n-"); n != 4+2 { // and the names of the file
		t.Errorf("%d lines differ; want 4:\n%s", n-2, diff)
	}
	if got := git("diff", "--function-context", "study.rag.md"); !strings.Contains(got, "\n ```rag query long\n") {
		t.Errorf("with -W the cell is not whole:\n%s", got)
	}
}
