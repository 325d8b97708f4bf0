package text

import (
	"reflect"
	"slices"
	"testing"
)

func TestNatural(t *testing.T) {
	t.Parallel()
	want := []string{"", "1", "01", "2", "10", "q", "q-2", "q-02", "q-10", "q-10a", "質問2", "質問10"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Natural)
	// 01 and 1 are one number: their bytes decide.
	want[1], want[2], want[6], want[7] = "01", "1", "q-02", "q-2"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}
