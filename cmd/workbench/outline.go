package main

import (
	"reflect"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// The tree of all verbs with their flags takes longer to build than most of what is then done. So it is built as far as the arguments ask
// for: with the one verb that they name, or, where they name none, without the flags of verbs, which the list of verbs does not show. What
// cannot be told before the arguments are parsed gets the whole tree. A test compares what each of them says.

// tree returns a pointer to the struct that the parser fills for these arguments, and to the flags of every verb in it.
func tree(args []string) (verbs any, flags *program.Globals) {
	all := verbsIn(reflect.TypeFor[cli]())
	verb, sure := named(args, all)
	if !sure {
		c := &cli{}
		return c, &c.Globals
	}
	fields := []reflect.StructField{{Name: "Globals", Type: reflect.TypeFor[program.Globals](), Tag: `embed:""`}}
	for _, f := range all {
		switch {
		case verb == "":
			f.Type = outline(f.Type)
			fields = append(fields, f)
		case nameIn(f) == verb:
			fields = append(fields, f)
		}
	}
	part := reflect.New(reflect.StructOf(fields))
	return part.Interface(), part.Elem().Field(0).Addr().Interface().(*program.Globals)
}

// outline is a verb with the verbs below it, without their flags and arguments.
func outline(t reflect.Type) reflect.Type {
	below := verbsIn(t)
	for i := range below {
		below[i].Type = outline(below[i].Type)
	}
	return reflect.StructOf(below)
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
