package printing

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Choose lets people take one of some options with the arrow keys, and returns its place. The end of input takes the chosen one.
func Choose(p *program.Program, in *bufio.Reader, title string, options []string) (int, error) {
	restore, err := Keys(p)
	if err != nil {
		return 0, err
	}
	defer restore()
	for at, drawn := 0, false; ; drawn = true {
		drawChoice(p, title, options, at, drawn)
		key, err := ReadKey(in)
		switch {
		case errors.Is(err, io.EOF) || key == "enter":
			return at, nil
		case err != nil:
			return 0, err
		case key == "stop":
			return 0, problem.New(problem.Invalid, "usage", "nothing was chosen; nothing was written").
				WithHint("choose with --corpus NAME and --dataset NAME")
		case key == "up":
			at = max(0, at-1)
		case key == "down":
			at = min(len(options)-1, at+1)
		}
	}
}

func drawChoice(p *program.Program, title string, options []string, at int, drawn bool) {
	var b strings.Builder
	if drawn {
		fmt.Fprintf(&b, "\x1b[%dA\r\x1b[J", len(options)+1)
	}
	b.WriteString(title + "\r\n")
	for i, o := range options {
		mark := "  "
		if i == at {
			mark = "> "
		}
		b.WriteString(mark + program.OneLine(o, 76) + "\r\n")
	}
	fmt.Fprint(p.Stdout, b.String())
}

// Keys lets single keys arrive from a terminal, and returns how to undo that.
func Keys(p *program.Program) (restore func(), err error) {
	f, ok := p.Stdin.(*os.File)
	if !ok || !program.IsTerminal(f) {
		return func() {}, nil
	}
	state, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(int(f.Fd()), state) }, nil
}

// ReadKey reads one key: an arrow, or the letter that stands for it in many programs, Enter, and q or Ctrl-C to stop. Others are "".
func ReadKey(in *bufio.Reader) (string, error) {
	c, err := in.ReadByte()
	if err != nil {
		return "", err
	}
	switch c {
	case '\r', '\n':
		return "enter", nil
	case 'q', 3: // 3 is Ctrl-C
		return "stop", nil
	case 'k', 'j', 'h', 'l':
		return map[byte]string{'k': "up", 'j': "down", 'h': "left", 'l': "right"}[c], nil
	case 0x1b:
		if next, err := in.ReadByte(); err != nil || next != '[' && next != 'O' {
			return "", err
		}
		c, err = in.ReadByte()
		return map[byte]string{'A': "up", 'B': "down", 'D': "left", 'C': "right"}[c], err
	}
	return "", nil
}
