package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

type completionCmd struct {
	Shell string `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish"`
}

// Help shows how to install it.
func (completionCmd) Help() string {
	return `Prints a script with which a shell completes verbs, flags and their values.

Examples:
  workbench completion bash > ~/.local/share/bash-completion/completions/workbench
  workbench completion zsh > "${fpath[1]}/_workbench"
  workbench completion fish > ~/.config/fish/completions/workbench.fish`
}

// Run prints the script.
func (c completionCmd) Run(p *program.Program) error {
	parser, err := kong.New(&cli{}, kong.Name("workbench"), kong.ExplicitGroups(groups),
		kong.Vars{"data": "", "database": "", "config": "", "memory": ""})
	if err != nil {
		return err
	}
	translate(p.Lang(), parser.Model.Node)
	verbs := verbsOf(parser.Model.Node, "", nil)
	script := map[string]func([]offer, program.Language) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Shell]
	fmt.Fprint(p.Stdout, script(verbs, p.Lang()))
	return nil
}

// offer is what can follow a verb.
type offer struct {
	path  string // of the verb: "", "/runs", "/runs/list"
	words []word // verbs below it
	flags []word // with the dashes
}

type word struct {
	text, help string
	values     []string // that a flag takes; none: anything
	bare       bool     // a flag without a value
}

// verbsOf lists a verb and all below it.
func verbsOf(node *kong.Node, path string, inherited []word) []offer {
	o := offer{path: path, flags: slices.Clone(inherited)}
	for _, f := range node.Flags {
		if f.Hidden {
			continue
		}
		flag := word{text: "--" + f.Name, help: f.Help, bare: f.IsBool()}
		for _, v := range strings.Split(f.Enum, ",") {
			if v != "" {
				flag.values = append(flag.values, v)
			}
		}
		o.flags = append(o.flags, flag)
	}
	below := []offer{}
	for _, child := range node.Children {
		if child.Hidden || child.Type != kong.CommandNode {
			continue
		}
		o.words = append(o.words, word{text: child.Name, help: child.Help})
		below = append(below, verbsOf(child, path+"/"+child.Name, o.flags)...)
	}
	for _, a := range node.Positional {
		for _, v := range strings.Split(a.Enum, ",") {
			if v != "" {
				o.words = append(o.words, word{text: v})
			}
		}
	}
	return append([]offer{o}, below...)
}

func texts(words []word) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return strings.Join(out, " ")
}

// walk is the beginning of a script for bash and zsh: it finds the verb that the cursor stands in. first is the index of the first word.
func walk(verbs []offer, list, cursor string, first int) string {
	var paths []string
	for _, v := range verbs[1:] {
		paths = append(paths, v.path)
	}
	return fmt.Sprintf(`  local at="" i
  for ((i = %d; i < %s; i++)); do
    case "$at/${%s[i]}" in
    %s) at="$at/${%s[i]}" ;;
    esac
  done
`, first, cursor, list, strings.Join(paths, "|"), list)
}

// bashScript works with bash 3.2 too, which has no associative arrays.
func bashScript(verbs []offer, _ program.Language) string {
	var b strings.Builder
	b.WriteString("# bash completion for workbench; written by: workbench completion bash\n_workbench() {\n")
	b.WriteString(walk(verbs, "COMP_WORDS", "COMP_CWORD", 1))
	b.WriteString("  local words=\"\"\n  case \"$at ${COMP_WORDS[COMP_CWORD-1]}\" in\n")
	for _, v := range verbs {
		for _, f := range v.flags {
			if len(f.values) > 0 {
				fmt.Fprintf(&b, "  %q) words=%q ;;\n", v.path+" "+f.text, strings.Join(f.values, " "))
			} else if !f.bare {
				fmt.Fprintf(&b, "  %q) COMPREPLY=(); return ;;\n", v.path+" "+f.text)
			}
		}
	}
	b.WriteString("  *)\n    case \"$at\" in\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "    %q) words=%q ;;\n", v.path, strings.TrimSpace(texts(v.words)+" "+texts(v.flags)+" --help"))
	}
	b.WriteString("    esac ;;\n  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\ncomplete -o default -F _workbench workbench\n")
	return b.String()
}

// single puts text into single quotes of a shell.
func single(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func zshScript(verbs []offer, lang program.Language) string {
	var b strings.Builder
	b.WriteString("#compdef workbench\n# zsh completion for workbench; written by: workbench completion zsh\n_workbench() {\n")
	b.WriteString(walk(verbs, "words", "CURRENT", 2))
	b.WriteString("  local -a verbs flags\n  case \"$at ${words[CURRENT-1]}\" in\n")
	for _, v := range verbs {
		for _, f := range v.flags {
			if len(f.values) > 0 {
				fmt.Fprintf(&b, "  %q) compadd -- %s; return ;;\n", v.path+" "+f.text, strings.Join(f.values, " "))
			} else if !f.bare {
				fmt.Fprintf(&b, "  %q) _files; return ;;\n", v.path+" "+f.text)
			}
		}
	}
	b.WriteString("  esac\n  case \"$at\" in\n")
	described := func(words []word) string {
		var out []string
		for _, w := range words {
			out = append(out, single(strings.ReplaceAll(w.text, ":", `\:`)+":"+strings.ReplaceAll(w.help, ":", `\:`)))
		}
		return strings.Join(out, " ")
	}
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %q) verbs=(%s); flags=(%s) ;;\n", v.path, described(v.words),
			described(append(slices.Clone(v.flags), word{text: "--help", help: lang.Help("Show what the verb does.")})))
	}
	b.WriteString("  esac\n  if [[ ${words[CURRENT]} == -* ]]; then\n    _describe -o flag flags\n    return\n  fi\n")
	b.WriteString("  (( $#verbs )) && _describe verb verbs\n  _files\n}\nif [ \"$funcstack[1]\" = _workbench ]; then\n  _workbench \"$@\"\nelse\n  compdef _workbench workbench\nfi\n")
	return b.String()
}

func fishScript(verbs []offer, _ program.Language) string {
	var b strings.Builder
	b.WriteString("# fish completion for workbench; written by: workbench completion fish\nfunction __workbench_at\n    set -l at ''\n")
	b.WriteString("    for word in (commandline -opc)[2..-1]\n        switch \"$at/$word\"\n            case")
	for _, v := range verbs[1:] {
		b.WriteString(" " + v.path)
	}
	b.WriteString("\n                set at \"$at/$word\"\n        end\n    end\n    test \"$at\" = \"$argv[1]\"\nend\n")
	fishText := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	for _, v := range verbs {
		at := fishText("__workbench_at '" + v.path + "'")
		for _, w := range v.words {
			fmt.Fprintf(&b, "complete -c workbench -n %s -a %s -d %s\n", at, fishText(w.text), fishText(w.help))
		}
		for _, f := range v.flags {
			takes := " -r"
			if f.bare {
				takes = ""
			} else if len(f.values) > 0 {
				takes = " -x -a " + fishText(strings.Join(f.values, " "))
			}
			fmt.Fprintf(&b, "complete -c workbench -n %s -l %s%s -d %s\n", at, strings.TrimPrefix(f.text, "--"), takes, fishText(f.help))
		}
	}
	return b.String()
}
