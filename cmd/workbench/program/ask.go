package program

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Confirm asks before something that cannot be undone. Without a terminal it needs --yes.
func (p *Program) Confirm(yes bool, what string) (bool, error) {
	if yes {
		return true, nil
	}
	if !p.Interactive {
		return false, problem.New(problem.Invalid, "confirm", "this needs a confirmation: %s", what).WithHint("add --yes")
	}
	fmt.Fprintf(p.Stderr, "%s? This cannot be undone. [y/N] ", what)
	line, _ := bufio.NewReader(p.Stdin).ReadString('\n') // the end of input is a no
	if strings.ToLower(strings.TrimSpace(line)) != "y" {
		p.Say("nothing was changed")
		return false, nil
	}
	return true, nil
}
