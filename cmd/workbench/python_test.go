package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// asProgram makes the test binary the program itself, with the arguments that it is called with.
const asProgram = "WORKBENCH_TEST_AS_PROGRAM"

// TestMain lets other processes use the test binary as the program, also the one that reads uploads, which starts this program again.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && os.Args[1] == "parse-upload" {
		main()
		return
	}
	os.Exit(m.Run())
}

// pythonClient is the folder of the client for Python.
const pythonClient = "../../clients/python"

// skippedWhole is what unittest says when every test of a module was skipped, and why.
var (
	skippedWhole = regexp.MustCompile(`(?s)\nRan (\d+) tests? in .*\nOK \(skipped=(\d+)\)\n$`)
	whySkipped   = regexp.MustCompile(`skipped ["'](.*)["']\n`)
)

// pythonWith finds a Python that the client is for, if possible one that has a package.
func pythonWith(t *testing.T, pack string) string {
	t.Helper()
	found := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), name, "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() != nil {
			continue
		}
		if exec.CommandContext(t.Context(), name, "-c", "import "+pack).Run() == nil {
			return name
		}
		if found == "" {
			found = name
		}
	}
	if found == "" {
		t.Skip("python client skipped: no Python 3.10 or newer")
	}
	return found
}

// inPython runs a module of the client's tests against this program.
func inPython(t *testing.T, python, module string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-B", "-m", "unittest", "-v", "tests."+module) //nolint:gosec // ours
	cmd.Dir = pythonClient
	cmd.Env = append(os.Environ(), asProgram+"=1", "WORKBENCH_BINARY="+program, "WORKBENCH_URL=", "WORKBENCH_TOKEN=", "PYTHONPATH=")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if m := skippedWhole.FindSubmatch(said); m != nil && string(m[1]) == string(m[2]) {
		t.Skipf("%s", whySkipped.FindSubmatch(said)[1])
	}
}

// TestPythonClient: the client for Python against this program, and its types against the contract.
func TestPythonClient(t *testing.T) {
	t.Parallel()
	for _, module := range []string{"test_contract", "test_http", "test_client", "test_pytest_plugin"} {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			inPython(t, pythonWith(t, "pytest"), module)
		})
	}
}

// Versions of what the examples are for, from the Python index.
var pythonPackages = []string{
	"pytest==9.2.0", "mypy==2.4.1", "langchain-core==1.7.2", "llama-index-core==0.14.25", "haystack-ai==3.4.0", "flit_core==4.2.0",
}

// pythonOf is a Python with packages of the Python index, kept in the folder WORKBENCH_VENVS where that is named.
func pythonOf(t *testing.T, name string, packages ...string) string {
	t.Helper()
	root := os.Getenv("WORKBENCH_VENVS")
	if root == "" {
		root = t.TempDir()
	}
	home := filepath.Join(root, name)
	python := filepath.Join(home, "bin", "python")
	for _, command := range [][]string{
		{pythonWith(t, "venv"), "-m", "venv", home},
		append([]string{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, packages...),
	} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil { //nolint:gosec // ours
			t.Skipf("%s skipped: cannot install its libraries: %v: %.500s", name, err, out)
		}
	}
	return python
}

// TestPythonExamples: the examples with the libraries they are for, the types by mypy, the plugin in the newest pytest, and the package
// as pip installs it. With WORKBENCH_VENVS what was installed is kept there.
func TestPythonExamples(t *testing.T) {
	t.Parallel()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("installs LangChain, LlamaIndex and Haystack, which takes minutes: set WORKBENCH_SLOW_TESTS=1")
	}
	python := pythonOf(t, "python-client", pythonPackages...)
	for _, module := range []string{"test_examples", "test_pytest_plugin"} {
		inPython(t, python, module)
	}
	wheels := t.TempDir()
	for _, args := range [][]string{
		{"-m", "mypy", "--config-file", "pyproject.toml", "--python-version", "3.10", "src", "tests", "generate.py"},
		{"-m", "pip", "wheel", "--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", wheels, "."},
		{"-m", "pip", "install", "--quiet", "--no-index", "--find-links", wheels, "--force-reinstall", "rag-workbench"},
		{"-I", "-c", "import rag_workbench, importlib.metadata as m; assert [p.value for p in m.entry_points(group='pytest11') if p.name == 'rag_workbench']"},
	} {
		cmd := exec.CommandContext(t.Context(), python, args...) //nolint:gosec // ours
		cmd.Dir = pythonClient
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("python %v: %v\n%s", args, err, out)
		}
	}
}
