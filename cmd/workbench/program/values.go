package program

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// Values read what stands behind flags as people write it, decimal commas and percentages included, and say in plain words what was wrong.
func Values() []kong.Option {
	options := []kong.Option{
		kong.KindMapper(reflect.Float64, number(text.ReadNumber, "%q is no number; write it as 0.5 or 12")),
		kong.NamedMapper("count", from(1)), // of what cannot be done to nothing, so that a flag that is given means what it says
		kong.NamedMapper("none", from(-1)), // where -1 is none, and 0 what is usual
		kong.NamedMapper("share", number(text.ReadShare, "%q is no share; write it as 0.05 or 5%%")),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(duration)),
		kong.TypeMapper(reflect.TypeFor[map[string]string](), pairs(func(s string) (reflect.Value, error) {
			return reflect.ValueOf(s), nil
		})),
		kong.TypeMapper(reflect.TypeFor[map[string]float64](), pairs(func(s string) (reflect.Value, error) {
			n, ok := text.ReadNumber(s)
			if !ok {
				return reflect.Value{}, fmt.Errorf("%q is no number; write it as 0.5 or 12", s)
			}
			return reflect.ValueOf(n), nil
		})),
	}
	options = append(options, kong.KindMapper(reflect.String, kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		s, err := written(ctx, "string")
		if err == nil {
			target.SetString(s)
		}
		return err
	})))
	for _, kind := range []reflect.Kind{reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64} {
		options = append(options, kong.KindMapper(kind, from(0))) // no flag counts below nothing
	}
	return options
}

func number(read func(string) (float64, bool), wrong string) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		s, err := written(ctx, "string")
		if err != nil {
			return err
		}
		n, ok := read(s)
		if !ok {
			return fmt.Errorf(wrong, s)
		}
		for target.Kind() == reflect.Pointer {
			target.Set(reflect.New(target.Type().Elem()))
			target = target.Elem()
		}
		target.SetFloat(n)
		return nil
	})
}

// written is the text behind a flag. kind names what belongs there where another flag stands instead.
func written(ctx *kong.DecodeContext, kind string) (string, error) {
	if s, ok := ctx.Scan.Peek().Value.(string); ok && negative(s) {
		return fmt.Sprint(ctx.Scan.Pop().Value), nil
	}
	t, err := ctx.Scan.PopValue(kind)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(t.Value), nil
}

// negative reports whether what stands behind a flag is a number below 0, which the parser takes for another flag.
func negative(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] >= '0' && s[1] <= '9' || s[1] == '.')
}

// from reads whole numbers from the least one on.
func from(least int64) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, target reflect.Value) error { return wholeNumber(ctx, target, least) }
}

func wholeNumber(ctx *kong.DecodeContext, target reflect.Value, least int64) error {
	s, err := written(ctx, "int")
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(norm.NFKC.String(s)), 10, 64)
	switch {
	case err != nil, n < least:
		return fmt.Errorf("%q is no whole number from %d on", s, least)
	case target.CanUint():
		target.SetUint(uint64(n))
	default:
		target.SetInt(n)
	}
	return nil
}

func duration(ctx *kong.DecodeContext, target reflect.Value) error {
	s, err := written(ctx, "string")
	if err != nil {
		return err
	}
	d, ok := readDuration(s)
	if !ok {
		return fmt.Errorf("%q is no length of time; write it as 30s, 5m, 2h or 7d", s)
	}
	target.SetInt(int64(d))
	return nil
}

// readDuration reads a length of time: 30s, 1h30m, 1,5h, 7d.
func readDuration(s string) (time.Duration, bool) {
	s = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(norm.NFKC.String(s)), " ", ""))
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, ok := text.ReadNumber(days)
		hours := n * 24 * float64(time.Hour)
		return time.Duration(hours), ok && math.Abs(hours) < math.MaxInt64
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, ",", "."))
	return d, err == nil
}

// pairs reads NAME=VALUE, several with the sign between them that kong parts them by.
func pairs(read func(string) (reflect.Value, error)) kong.Mapper {
	return kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		s, err := written(ctx, "string")
		if err != nil {
			return err
		}
		if target.IsNil() {
			target.Set(reflect.MakeMap(target.Type()))
		}
		for _, pair := range kong.SplitEscaped(s, ctx.Value.Tag.MapSep) {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				return fmt.Errorf("%q gives nothing a value; write it as NAME=VALUE", pair)
			}
			v, err := read(value)
			if err != nil {
				return err
			}
			target.SetMapIndex(reflect.ValueOf(name), v)
		}
		return nil
	})
}
