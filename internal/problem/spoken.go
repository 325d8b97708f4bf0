package problem

import (
	"reflect"
	"sync"
)

// Speaking is a part of a reply that holds words of a problem.
type Speaking interface {
	// Spoken returns the same with its own words in a language; what hangs on it follows by itself.
	Spoken(lang string) any
}

// Spoken implements [Speaking].
func (p Problem) Spoken(lang string) any { return *p.In(lang) }

// Spoken is a reply with all words of problems in it, however deep they lie, in a language ("en" or "ja"). What is kept may be a part of
// the reply: it stays as it is, and a copy goes to whoever asked.
func Spoken(lang string, reply any) any {
	if lang != "ja" || reply == nil {
		return reply
	}
	if said, changed := spoken(lang, reflect.ValueOf(reply)); changed {
		return said.Interface()
	}
	return reply
}

var speaks = reflect.TypeFor[Speaking]()

// mute are the types in whose values nothing can speak, by what was found out of them before.
var mute sync.Map

// isMute says whether nothing in the values of a type can speak. A type that contains itself is told by its other parts.
func isMute(t reflect.Type, within map[reflect.Type]bool) bool {
	if known, ok := mute.Load(t); ok {
		return known.(bool) //nolint:forcetypeassert // nothing else is stored
	}
	if within[t] {
		return true
	}
	within[t] = true
	quiet := true
	switch {
	case t.Implements(speaks) || t.Kind() == reflect.Interface:
		quiet = false
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Array, t.Kind() == reflect.Map:
		quiet = isMute(t.Elem(), within)
	case t.Kind() == reflect.Struct:
		for i := 0; quiet && i < t.NumField(); i++ {
			quiet = !t.Field(i).IsExported() || isMute(t.Field(i).Type, within)
		}
	}
	delete(within, t)
	if len(within) == 0 || !quiet { // else what was left out above may speak
		mute.Store(t, quiet)
	}
	return quiet
}

// spoken is a value in a language, and whether that is another one.
func spoken(lang string, v reflect.Value) (reflect.Value, bool) {
	if isMute(v.Type(), map[reflect.Type]bool{}) {
		return v, false
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		inner, changed := spoken(lang, v.Elem())
		if !changed {
			return v, false
		}
		if v.Kind() == reflect.Interface {
			return inner, true
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(inner)
		return out, true
	case reflect.Struct:
		return spokenFields(lang, v)
	case reflect.Slice, reflect.Array:
		out, changed := v, false
		for i := range v.Len() {
			if said, other := spoken(lang, v.Index(i)); other {
				if !changed {
					out, changed = copied(v), true
				}
				out.Index(i).Set(said)
			}
		}
		return out, changed
	case reflect.Map:
		out, changed := v, false
		for of := v.MapRange(); of.Next(); {
			if said, other := spoken(lang, of.Value()); other {
				if !changed {
					out, changed = cloned(v), true
				}
				out.SetMapIndex(of.Key(), said)
			}
		}
		return out, changed
	default:
		return v, false
	}
}

// spokenFields is a struct in a language: its own words, and then those of what it holds.
func spokenFields(lang string, v reflect.Value) (reflect.Value, bool) {
	changed := false
	if v.Type().Implements(speaks) {
		said := reflect.ValueOf(v.Interface().(Speaking).Spoken(lang)) //nolint:forcetypeassert // asked above
		if said.Type() == v.Type() {                                   // else a part that is embedded speaks, as a field
			v, changed = said, true
		}
	}
	out := v
	if changed {
		out = copied(v)
	}
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		if said, other := spoken(lang, v.Field(i)); other {
			if !changed {
				out, changed = copied(v), true
			}
			out.Field(i).Set(said)
		}
	}
	return out, changed
}

// copied is a value with room of its own.
func copied(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Slice {
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		return out
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

func cloned(v reflect.Value) reflect.Value {
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for of := v.MapRange(); of.Next(); {
		out.SetMapIndex(of.Key(), of.Value())
	}
	return out
}
