// Vetown is go vet without what it learns of the code of others, but for what prints in the standard library, half of its work:
//
//	VET=$(go tool -n vet) go vet -vettool=…/vetown ./...
//
// What only they can tell, that a function of theirs takes a format or never returns, is left to go vet itself, which make test-full runs.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "vetown:", err)
		code = 1
	}
	os.Exit(code)
}

// run does as go vet's own tool does when it is asked for its version, its flags, or to look at what a file describes.
func run(args []string) (int, error) {
	last := args[max(0, len(args)-1):]
	if len(last) == 1 && strings.HasSuffix(last[0], ".cfg") {
		if spared, err := spare(last[0]); spared || err != nil {
			return 0, err
		}
	}
	cmd := exec.Command(os.Getenv("VET"), args...)
	cmd.Stderr = os.Stderr
	if len(last) == 1 && strings.HasPrefix(last[0], "-V") {
		version, err := cmd.Output()
		if err != nil {
			return 0, fmt.Errorf("ask vet for its version: %w", err)
		}
		fmt.Println(ownVersion(string(version)))
		return 0, nil
	}
	cmd.Stdout = os.Stdout
	if err := cmd.Run(); cmd.ProcessState == nil {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// told are the packages of the standard library of which it matters what they tell: the rest of it tells nothing that our code meets.
var told = []string{"flag", "fmt", "log", "log/slog", "os", "runtime", "syscall", "testing"}

// spare leaves nothing known of a package that is asked only what it tells those who import it, when others wrote it.
func spare(path string) (bool, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	var unit struct {
		ImportPath, ModulePath, VetxOutput string
		VetxOnly                           bool
	}
	if err := json.Unmarshal(raw, &unit); err != nil {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	// The standard library belongs to no module. What takes a format there, and never returns, is known of everything that follows; how a
	// process ends vet knows by itself.
	ofStandard := unit.ModulePath == "" || unit.ModulePath == "std"
	if !unit.VetxOnly || ofStandard && slices.Contains(told, unit.ImportPath) {
		return false, nil
	}
	return true, os.WriteFile(unit.VetxOutput, nil, 0o666)
}

// ownVersion is another than vet's, so that neither takes for its own what the other has found and go keeps.
func ownVersion(of string) string {
	fields := strings.Fields(of)
	return strings.Join(append([]string{"vetown", "version", "own2"}, fields[min(2, len(fields)):]...), " ")
}
