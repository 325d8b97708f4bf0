package sealed

import (
	"strings"
	"testing"
)

// TestAManifestSaysEverythingOnce writes each name of a manifest a second time, before it and behind it, also in other capitals and other
// letters of JSON: a program that takes the first value would show another file than the one whose digest was handed over.
func TestAManifestSaysEverythingOnce(t *testing.T) {
	t.Parallel()
	const files = `{"a":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"}`
	honest := `{"format":3,"kind":"study","version":"v1","created_at":"2026-11-20T09:00:00Z","files":` + files +
		`,"runs":[{"run_id":"r","chain":"c"},{"run_id":"s","chain":"c"}],"rows":{"cells":7},"notebook":{"params":{"P":1,"p":2}}}`
	opened := func(manifest string) error {
		f, err := Open(stored(t, "a", "a", ManifestName, manifest), 1<<20, complain, Study)
		if err == nil {
			err = f.Close()
		}
		return err
	}
	if err := opened(honest); err != nil {
		t.Fatalf("an honest manifest: %v", err)
	}
	for _, c := range []struct{ name, value, other string }{
		{"format", `3`, `2`}, {"kind", `"study"`, `"backup"`}, {"version", `"v1"`, `"v2"`}, {"files", files, `{}`},
		{"created_at", `"2026-11-20T09:00:00Z"`, `"2026-11-21T09:00:00Z"`}, {"run_id", `"s"`, `"x"`}, {"cells", `7`, `40`},
		{"a", files[5 : len(files)-1], `"0"`}, {"P", `1`, `5`},
	} {
		one := `"` + c.name + `":` + c.value
		if strings.Count(honest, one) != 1 {
			t.Fatalf("%s stands %d times in the manifest", one, strings.Count(honest, one))
		}
		spelled := `"\u00` + strings.ToLower(hexOf(c.name[0])) + c.name[1:] + `":` + c.other
		twice := []string{`"` + c.name + `":` + c.other, spelled}
		if c.name != "P" { // parameters are told apart by capitals
			twice = append(twice, `"`+strings.ToUpper(c.name)+`":`+c.other)
		}
		for _, more := range twice {
			for _, forged := range []string{strings.Replace(honest, one, more+","+one, 1), strings.Replace(honest, one, one+","+more, 1)} {
				if err := opened(forged); err == nil || !strings.Contains(err.Error(), "more than once") {
					t.Errorf("%s is taken: %v", forged, err)
				}
			}
		}
	}
	for _, broken := range []string{"", "{", `{"a"`, "]", `{"a":1}}`, "[1,", `"x"`, "{}{}"} {
		if name := twice([]byte(broken)); name != "" {
			t.Errorf("%s: %q", broken, name)
		}
	}
}

func hexOf(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}
