package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// Parts hold much memory, and what a program takes at most is counted from what held it when it was started: so each is a process of its
// own, and the one that starts the measured program stays small.

// runPart does a part with a database and returns what it prints.
func runPart(part, database string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(self, "-part", part, database)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return string(out), err
}

// doPart is the other side of [runPart].
func doPart(ctx context.Context, part, database string) error {
	switch part {
	case "reword":
		return reworded(ctx, database)
	case "load":
		both, err := loadBoth(database)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(both)
	}
	return fmt.Errorf("there is no part %q", part)
}
