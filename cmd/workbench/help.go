package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// helpIn prints help in the language of the program, set by the columns that its letters take: the parser's own printer knows neither
// letters of two columns nor texts without spaces between their words, and takes several times as long.
func helpIn(p *program.Program) kong.HelpPrinter {
	return func(options kong.HelpOptions, ctx *kong.Context) error {
		translate(p.Lang(), ctx.Model.Node)
		page := &helpPage{lang: p.Lang(), width: min(columnsFor(p), options.WrapUpperBound)}
		node := ctx.Selected()
		if node == nil {
			page.say("%s", page.lang.Text("Usage: %s", page.summary(ctx.Model.Name+ctx.Model.Summary())))
			page.node(ctx.Model.Node)
			page.blank()
			one := ctx.Model.Name + " " + page.summary("<command>") + " --help"
			page.say("%s", page.lang.Text("Run %q for more information on a command.", one))
		} else {
			page.say("%s", page.lang.Text("Usage: %s", page.summary(ctx.Model.Name+" "+node.Summary())))
			page.node(node)
		}
		_, err := fmt.Fprint(ctx.Stdout, page.text.String())
		return err
	}
}

// columnsFor is how wide the terminal is, as the parser's own printer finds it.
func columnsFor(p *program.Program) int {
	if n, err := strconv.Atoi(p.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := p.Stdout.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}

// helpPage is a help that is being written.
type helpPage struct {
	lang  program.Language
	width int
	text  strings.Builder
}

func (h *helpPage) say(format string, args ...any) {
	h.text.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (h *helpPage) blank() { h.text.WriteString("\n") }

// summary is a line of usage with the parser's own words in the language.
func (h *helpPage) summary(usage string) string {
	for _, word := range []string{"<command>", "[flags]"} {
		usage = strings.ReplaceAll(usage, word, h.lang.Help(word))
	}
	return usage
}

// node writes what a verb does, what it takes, and the verbs below it.
func (h *helpPage) node(n *kong.Node) {
	for _, text := range []string{n.Help, n.Detail} {
		if text != "" {
			h.blank()
			h.paragraphs(text)
		}
	}
	if len(n.Positional) > 0 {
		h.blank()
		h.say("%s", h.lang.Help("Arguments:"))
		var rows [][2]string
		for _, a := range n.Positional {
			rows = append(rows, [2]string{a.Summary(), a.Help})
		}
		h.columns(rows)
	}
	h.flags(n)
	h.verbs(n)
}

// flags writes those of the verb and, behind an empty line each, those of the verbs above it; flags of a group stand under its title.
func (h *helpPage) flags(n *kong.Node) {
	levels := n.AllFlags(true)
	short := false
	for _, flags := range levels {
		for _, f := range flags {
			short = short || f.Short != 0
		}
	}
	var titles []string
	rows := map[string][][2]string{}
	for _, flags := range levels {
		begun := map[string]bool{}
		for _, f := range flags {
			title := "Flags:"
			if f.Group != nil {
				title = f.Group.Title
			}
			switch {
			case rows[title] == nil:
				titles = append(titles, title)
			case !begun[title]:
				rows[title] = append(rows[title], [2]string{})
			}
			begun[title] = true
			rows[title] = append(rows[title], [2]string{flagName(f, short), f.Help})
		}
	}
	h.under(titles, rows)
}

// flagName is a flag as it is typed, with room for a short name where another one has it.
func flagName(f *kong.Flag, short bool) string {
	name := "--" + f.Name
	if f.IsBool() && f.Tag.Negatable != "" {
		name = "--[no-]" + f.Name
	}
	switch {
	case f.Short != 0:
		name = "-" + string(f.Short) + ", " + name
	case short:
		name = "    " + name
	}
	if !f.IsBool() && !f.IsCounter() {
		name += "=" + f.FormatPlaceHolder()
	}
	return name
}

// verbs writes those below a verb in their groups.
func (h *helpPage) verbs(n *kong.Node) {
	var titles []string
	rows := map[string][][2]string{}
	for _, leaf := range n.Leaves(true) {
		title := "Commands:"
		if group := leaf.ClosestGroup(); group != nil {
			title = group.Title
		}
		if rows[title] == nil {
			titles = append(titles, title)
		}
		rows[title] = append(rows[title], [2]string{leaf.Path(), leaf.Help})
	}
	h.under(titles, rows)
}

// under writes rows under their titles.
func (h *helpPage) under(titles []string, rows map[string][][2]string) {
	for _, title := range titles {
		h.blank()
		h.say("%s", h.lang.Help(title))
		h.columns(rows[title])
	}
}

// paragraphs writes a text in which empty lines part paragraphs; lines that are indented stand as they are.
func (h *helpPage) paragraphs(text string) {
	open := ""
	end := func() {
		if open != "" {
			for _, line := range program.Wrap(open, h.width) {
				h.say("%s", line)
			}
		}
		open = ""
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		switch {
		case line == "":
			end()
			h.blank()
		case strings.HasPrefix(line, " "):
			end()
			h.say("  %s", line)
		default:
			open = continued(open, line)
		}
	}
	end()
}

// continued is a paragraph with its next line, behind a space where letters of one column meet.
func continued(paragraph, line string) string {
	last, _ := utf8.DecodeLastRuneInString(paragraph)
	first, _ := utf8.DecodeRuneInString(line)
	if paragraph == "" || program.ColumnsOf(string(last)) == 2 || program.ColumnsOf(string(first)) == 2 {
		return paragraph + line
	}
	return paragraph + " " + line
}

// columns writes names with what is said of them; a name that is too long has its words on the next line.
func (h *helpPage) columns(rows [][2]string) {
	const indent, gap = 2, 4
	width := h.width - indent
	most, left := max(375*width/1000, 30), 0
	for _, row := range rows {
		if n := program.ColumnsOf(row[0]); n > left && n < most {
			left = n
		}
	}
	for _, row := range rows {
		lines := program.Wrap(row[1], width-left-gap)
		beside := ""
		if n := program.ColumnsOf(row[0]); n < most {
			beside = strings.Repeat(" ", left-n+gap) + lines[0]
			lines = lines[1:]
		}
		h.say("%s%s%s", strings.Repeat(" ", indent), row[0], beside)
		for _, line := range lines {
			h.say("%s%s", strings.Repeat(" ", indent+left+gap), line)
		}
	}
}
