package text

import "testing"

// Each slip of the fingers costs one: a letter too many, too few or wrong, or two that changed places.
func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"correctness", "trust", "k", "by", "指標"}
	for name, want := range map[string]string{
		"correctnes": "correctness", "corrrectness": "correctness", "corerctness": "correctness", "turst": "trust", "yb": "by", "指票": "指標",
		"nothing": "", "": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := Meant("turst", names); got != ` (did you mean "trust"?)` || Meant("nothing", names) != "" {
		t.Errorf("Meant = %q", got)
	}
	if got := Nearest("size", []string{"sizes", "sized", "k"}); got != "sizes" {
		t.Errorf("of names that are equally near %q is meant", got)
	}
	if d := distance("abcdef", "badcfe"); d != 3 {
		t.Errorf("three swapped pairs are %d apart", d)
	}
}
