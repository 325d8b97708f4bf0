package stats

import (
	"math"
	"testing"
)

// The values are those of the printed tables, to sixteen digits.
func TestStudentQuantile(t *testing.T) {
	t.Parallel()
	for df, want := range map[int]float64{
		1: 12.706204736174698, 2: 4.302652729749464, 4: 2.7764451051977987, 9: 2.2621571628540993, 11: 2.200985160082949,
		49: 2.0095752371292397, 1000000: 1.959966,
	} {
		if got := StudentQuantile(0.975, float64(df)); math.Abs(got-want) > 1e-9 && df < 1000 || math.Abs(got-want) > 1e-5 {
			t.Errorf("quantile for df %d = %.16g, want %.16g", df, got, want)
		}
	}
}

func TestPairedTEdges(t *testing.T) {
	t.Parallel()
	same, err := PairedT([]float64{1, 2, 3}, []float64{1, 2, 3})
	if err != nil || same.P != 1 || same.T != 0 || same.CILow != 0 || same.CIHigh != 0 {
		t.Errorf("identical lists: %+v, %v", same, err)
	}
	shift, err := PairedT([]float64{1, 2, 3}, []float64{0, 1, 2})
	if err != nil || shift.P != 0 || !math.IsInf(shift.T, -1) || shift.CILow != -1 || shift.CIHigh != -1 {
		t.Errorf("constant shift: %+v, %v", shift, err)
	}
	there, err := PairedT([]float64{1, 5, 2, 4}, []float64{2, 5, 4, 3})
	back, err2 := PairedT([]float64{2, 5, 4, 3}, []float64{1, 5, 2, 4})
	if err != nil || err2 != nil || there.P != back.P || there.MeanDiff != -back.MeanDiff || there.CILow != -back.CIHigh {
		t.Errorf("exchanging the lists: %+v and %+v", there, back)
	}
	for name, lists := range map[string][2][]float64{
		"different lengths": {{1, 2}, {1}}, "one pair": {{1}, {2}}, "none": {nil, nil},
		"NaN": {{1, math.NaN()}, {1, 2}}, "infinite": {{1, 2}, {math.Inf(1), 2}},
	} {
		if got, err := PairedT(lists[0], lists[1]); err == nil {
			t.Errorf("%s: no error but %+v", name, got)
		}
	}
}
