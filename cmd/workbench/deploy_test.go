package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestUnitsStartVerbsThatExist: the command lines of the systemd units are understood.
func TestUnitsStartVerbsThatExist(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../deploy/*.service")
	if err != nil || len(files) != 4 {
		t.Fatalf("units %v, %v", files, err)
	}
	command := regexp.MustCompile(`(?m)^ExecStart=.*/usr/local/bin/workbench ([^'\n]+)`)
	for _, file := range files {
		if strings.Contains(file, "workbench-failed@") {
			continue // it reports what became of the others
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := command.FindSubmatch(body)
		if m == nil {
			t.Errorf("%s does not start the program", file)
			continue
		}
		parser, err := kong.New(&cli{}, kong.ExplicitGroups(groups), kong.Vars{"data": "", "database": "", "config": "", "memory": ""})
		if err != nil {
			t.Fatal(err)
		}
		args := strings.Fields(regexp.MustCompile(`"[^"]*"`).ReplaceAllString(string(m[1]), "FILE"))
		if _, err := parser.Parse(args); err != nil {
			t.Errorf("%s: workbench %s: %v", file, strings.Join(args, " "), err)
		}
	}
}
