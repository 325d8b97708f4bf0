package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/problem"
)

// usage reports a mistake in the arguments: what was wrong, and where an example of the verb stands in its help, one that works.
func usage(p *program.Program, err error) int {
	lang, verb, example := p.Lang(), "", ""
	message := problem.Said(string(lang), err)
	if parse, ok := errors.AsType[*kong.ParseError](err); ok {
		if verb = verbOf(parse.Context); parse.Context.Command() == "" {
			verb = ""
		}
		translate(lang, parse.Context.Model.Node)
		if said := mistaken(lang, parse, verb); said != "" {
			message = said
		}
		if node := parse.Context.Selected(); node != nil {
			example = exampleOf(verb, node.Detail)
		}
	}
	fmt.Fprintf(p.Stderr, "workbench: %s\n", message)
	if example != "" {
		fmt.Fprintf(p.Stderr, lang.Format("example: %s")+"\n", example)
	}
	help := strings.Join(strings.Fields("workbench "+verb+" --help"), " ")
	fmt.Fprintf(p.Stderr, lang.Format("hint: %s shows the arguments with examples")+"\n", help)
	return program.ExitUsage
}

// emptyAmong is the first flag that is given an empty text, as a shell does with a variable that is not set: it would mean what the flag
// means where it is left out, which is everything. A flag whose tag says that nothing clears something may be empty.
func emptyAmong(parsed *kong.Context, args []string) *kong.Flag {
	for _, part := range parsed.Path {
		f := part.Flag
		if f == nil || f.IsBool() || f.Tag.Has("clears") {
			continue
		}
		names := []string{"--" + f.Name}
		if f.Short != 0 {
			names = append(names, "-"+string(f.Short))
		}
		for i, arg := range args {
			name, value, inOne := strings.Cut(arg, "=")
			if !slices.Contains(names, name) {
				continue
			}
			if !inOne && i+1 < len(args) {
				value = args[i+1]
			}
			if strings.TrimSpace(value) == "" {
				return f
			}
		}
	}
	return nil
}

// emptied refuses a flag with nothing behind it.
func emptied(p *program.Program, verb string, f *kong.Flag) int {
	lang := p.Lang()
	fmt.Fprintf(p.Stderr, "workbench: %s\n", lang.Text("--%s is empty", f.Name))
	fmt.Fprintf(p.Stderr, lang.Format("hint: write --%s %s, or leave the flag out; a variable of the shell may not be set")+"\n", f.Name,
		cmp.Or(f.PlaceHolder, "VALUE"))
	fmt.Fprintf(p.Stderr, lang.Format("hint: %s shows the arguments with examples")+"\n", "workbench "+verb+" --help")
	return program.ExitUsage
}

// mistaken says in words of the verb what the parser says in its own: which argument is missing and what it is, or that there is no such
// command. It is empty where the parser's words do.
func mistaken(lang program.Language, err *kong.ParseError, verb string) string {
	node := err.Context.Model.Node
	if selected := err.Context.Selected(); selected != nil {
		node = selected
	}
	said := err.Error()
	switch {
	case strings.HasPrefix(said, `expected "<`):
		return missingArguments(lang, node, verb)
	case strings.HasPrefix(said, "expected one of ") && verb == "":
		return lang.Text("no command is given, such as %s", strings.Join(commandsBelow(node)[:5], ", "))
	case strings.HasPrefix(said, "expected one of ") && len(node.Children) > 0:
		return lang.Text("%s needs one of its commands: %s", verb, strings.Join(commandsBelow(node), ", "))
	}
	if argument, unexpected := strings.CutPrefix(said, "unexpected argument "); unexpected && len(node.Children) > 0 {
		return problem.Said(string(lang), errors.New("there is no command "+argument))
	}
	return ""
}

// missingArguments names what the verb cannot do without, and what each of it is.
func missingArguments(lang program.Language, node *kong.Node, verb string) string {
	var names, helps []string
	for _, arg := range node.Positional {
		if arg.Required && !arg.Set {
			names = append(names, arg.Summary())
			helps = append(helps, strings.TrimRight(arg.Help, ".。"))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return lang.Text("%s needs %s: %s", verb, names[0], helps[0])
	}
	for i, name := range names {
		helps[i] = name + ": " + helps[i]
	}
	return lang.Text("%s needs %s (%s)", verb, strings.Join(names, " "), strings.Join(helps, lang.Format("; ")))
}

// commandsBelow are the names of the commands of a verb that help shows.
func commandsBelow(node *kong.Node) []string {
	var names []string
	for _, child := range node.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	return names
}

// exampleOf is the first example of a verb in its longer help, without the remark behind it.
func exampleOf(verb, detail string) string {
	for line := range strings.Lines(detail) {
		example := strings.TrimSpace(line)
		if len(example) < len(strings.TrimRight(line, "\n")) && strings.HasPrefix(example, "workbench "+verb+" ") {
			example, _, _ = strings.Cut(example, "   ")
			return example
		}
	}
	return ""
}
