package architecture_test

import (
	"os"
	"testing"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

func TestWorkflows(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	const test, release = "../../.github/workflows/test.yml", "../../.github/workflows/release.yml"
	for _, c := range []struct{ name, file, old, new, want string }{
		{"tests untouched", test, "", "", ""},
		{"release untouched", release, "", "", ""},
		{"not YAML", test, "jobs:", "jobs: [", "w.yml"},
		{"a tag", release, "actions/attest-build-provenance@e8998f949152b193b063cb0ec769d69d929409be # v2.4.0",
			"actions/attest-build-provenance@v2", "not pinned"},
		{"no version beside the commit", test, "9af683 # v4.2.2", "9af683", "not pinned"},
		{"a short commit", test, "@d35c59abb061a4a6fb18e82ac0862c26744d6ab5", "@d35c59a", "not pinned"},
		{"may write", test, "contents: read", "contents: write", "permissions"},
		{"says nothing of permissions", test, "permissions:\n  contents: read\n", "", "permissions"},
		{"runs for ever", test, "    timeout-minutes: 30\n", "", "timeout-minutes"},
		{"a moving system", test, "ubuntu-24.04", "ubuntu-latest", "changes by itself"},
		{"an expression in a script", release, `create "$TAG"`, "create ${{ github.ref_name }}", "in its script"},
		{"credentials stay", release, "          persist-credentials: false\n", "", "leaves credentials"},
		{"an unknown target", release, "make release", "make everything", "does not know"},
		{"nothing starts it", test, "on:\n  push:\n    branches: [main]\n  pull_request:\n", "", "nothing starts it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := architecture.Workflow("w.yml", broken(t, c.file, c.old, c.new), makefile)
			if c.want == "" {
				expect(t, found)
			} else {
				expect(t, found, c.want)
			}
		})
	}
}
