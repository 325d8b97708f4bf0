package architecture_test

import (
	"os"
	"testing"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

func TestGateFiles(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../clients/ci/gate.sh")
	if err != nil {
		t.Fatal(err)
	}
	const action, template = "../../clients/ci/action.yml", "../../clients/ci/gitlab.yml"
	for _, c := range []struct {
		name, file, old, new string
		want                 []string
	}{
		{"the action untouched", action, "", "", nil},
		{"the template untouched", template, "", "", nil},
		{"an action that is no YAML", action, "inputs:", "inputs: [", []string{"action: "}},
		{"an action that runs something else", action, "gate.sh\"'", "other.sh\"'", []string{"does not run gate.sh"}},
		{"an expression in the script", action, "gate.sh\"'", "gate.sh\" ${{ inputs.run }}'", []string{"in its script"}},
		{"an input without a meaning", action, "experiment to evaluate, a file or a name", "", []string{"has no description"}},
		{"an input in vain", action, "        GATE_RUN: ${{ inputs.run }}\n", "",
			[]string{"nothing comes of the input run", "does not offer GATE_RUN"}},
		{"a template that is no YAML", template, ".rag-gate:\n", ".rag-gate: [\n", []string{"template: "}},
		{"another job", template, ".rag-gate:\n", "gate:\n", []string{"called .rag-gate"}},
		{"a moving image", template, ":bookworm-curl", ":latest", []string{"changes by itself"}},
		{"results that get lost", template, "when: always", "when: on_success", []string{"not kept"}},
		{"a script of another version", template, "$WORKBENCH_VERSION/clients", "main/clients", []string{"of the release"}},
		{"an unknown variable", template, "    GATE_RUN: ", "    GATE_RAN: ",
			[]string{"does not offer GATE_RUN", "does not explain GATE_RAN"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check := architecture.GateAction
			if c.file == template {
				check = architecture.GateTemplate
			}
			expect(t, check(broken(t, c.file, c.old, c.new), script), c.want...)
		})
	}
}
