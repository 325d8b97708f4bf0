package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// The tree of all verbs with their flags takes longer to build than most of what is then done. So it is built as far as the arguments ask
// for: with the one verb that they name, or, where they name none, as a list of verbs without what they take. What cannot be told before
// the arguments are parsed gets the whole tree. A test compares what each of them says.

// tree is what the parser knows of the verbs.
type tree struct {
	verbs  any                   // pointer to the struct that the parser fills
	flags  *program.Globals      // of every verb, in it
	listed []reflect.StructField // verbs that are only named in the help
}

// whole is the tree of all verbs with all that they take.
func whole() tree {
	c := &cli{}
	return tree{verbs: c, flags: &c.Globals}
}

// treeFor is as much of the tree as these arguments need.
func treeFor(args []string) tree {
	all := verbsIn(reflect.TypeFor[cli]())
	verb, sure := named(args, all)
	if !sure {
		return whole()
	}
	if verb == "" {
		c := &struct{ program.Globals }{}
		return tree{verbs: c, flags: &c.Globals, listed: all}
	}
	fields := []reflect.StructField{{Name: "Globals", Type: reflect.TypeFor[program.Globals](), Tag: `embed:""`}}
	for _, f := range all {
		if nameIn(f) == verb {
			fields = append(fields, f)
		}
	}
	part := reflect.New(reflect.StructOf(fields))
	return tree{verbs: part.Interface(), flags: part.Elem().Field(0).Addr().Interface().(*program.Globals)}
}

// list puts verbs below a node, and those below them, with what the help says of them in one line.
func list(below *kong.Node, verbs []reflect.StructField) {
	for _, f := range verbs {
		_, hidden := f.Tag.Lookup("hidden")
		child := &kong.Node{Type: kong.CommandNode, Parent: below, Name: nameIn(f), Help: f.Tag.Get("help"), Hidden: hidden,
			Tag: &kong.Tag{}}
		if i := slices.IndexFunc(groups, func(g kong.Group) bool { return g.Key == f.Tag.Get("group") }); i >= 0 {
			child.Group = &groups[i]
		}
		list(child, verbsIn(f.Type))
		below.Children = append(below.Children, child)
	}
}

// named is the verb that the arguments name, or "" where they name none; not sure where a flag stands before it that not every verb has,
// or where the word in its place is no verb.
func named(args []string, verbs []reflect.StructField) (verb string, sure bool) {
	takes := map[string]bool{"-h": false, "--help": false} // a value as the next argument
	for f := range reflect.TypeFor[program.Globals]().Fields() {
		value := f.Type.Kind() != reflect.Bool
		takes["--"+nameIn(f)] = value
		if short := f.Tag.Get("short"); short != "" {
			takes["-"+short] = value
		}
	}
	for i := 0; i < len(args); i++ {
		name, _, assigned := strings.Cut(args[i], "=")
		value, known := takes[name]
		switch {
		case known && value && !assigned:
			i++
		case known:
		case strings.HasPrefix(args[i], "-"):
			return "", false
		default:
			for _, f := range verbs {
				if nameIn(f) == args[i] {
					return args[i], true
				}
			}
			return "", false
		}
	}
	return "", true
}

// asVerbs turns what other programs have into what this one has: "help VERB" into --help, and --version into the verb.
func asVerbs(args []string) []string {
	if len(args) > 0 && args[0] == "--version" {
		return slices.Concat([]string{"version"}, args[1:])
	}
	asked := []reflect.StructField{{Name: "Help"}}
	for i, arg := range args {
		if verb, _ := named(args[:i+1], asked); arg == "help" && verb == "help" {
			return append(slices.Concat(args[:i], args[i+1:]), "--help")
		}
	}
	return args
}

// verbsIn are the fields of a struct that are verbs.
func verbsIn(t reflect.Type) (verbs []reflect.StructField) {
	for f := range t.Fields() {
		if _, ok := f.Tag.Lookup("cmd"); ok {
			verbs = append(verbs, f)
		}
	}
	return verbs
}

// nameIn is what a field's verb or flag is called.
func nameIn(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return name
	}
	return strings.ToLower(f.Name)
}
