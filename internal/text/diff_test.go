package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// marked writes a diff as [-deleted-]{+inserted+}.
func marked(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		switch c.Edit {
		case Deleted:
			b.WriteString("[-" + c.Text + "-]")
		case Inserted:
			b.WriteString("{+" + c.Text + "+}")
		default:
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, a, b, want string }{
		{"equal", "same text", "same text", "same text"},
		{"both empty", "", "", ""},
		{"from nothing", "", "new", "{+new+}"},
		{"to nothing", "old", "", "[-old-]"},
		{"one word", "The fee is low.", "The fee is high.", "The fee is [-low-]{+high+}."},
		{"words in a row", "The fee is quite low today.", "The fee is very high today.", "The fee is [-quite low-]{+very high+} today."},
		{"number", "It costs 1,200 yen.", "It costs 1,500 yen.", "It costs [-1,200-]{+1,500+} yen."},
		{"negation", "It is refundable.", "It is not refundable.", "It is {+not +}refundable."},
		{"apostrophe", "You can't.", "You can.", "You [-can't-]{+can+}."},
		{"Japanese word", "払い戻しは可能です。", "払い戻しは不可能です。", "払い戻しは[-可能-]{+不可能+}です。"},
		{"Japanese ending", "予約ができます。", "予約ができません。", "予約が[-できます-]{+できません+}。"},
		{"particle", "料金が必要です。", "料金は必要です。", "料金[-が-]{+は+}必要です。"},
		{"Japanese number", "手数料は３００円です。", "手数料は５００円です。", "手数料は[-３００-]{+５００+}円です。"},
		{"katakana", "クレジットカードで支払う。", "デビットカードで支払う。", "[-クレジットカード-]{+デビットカード+}で支払う。"},
		{"katakana after kanji", "搭乗ゲート変更", "搭乗カウンター変更", "搭乗[-ゲート-]{+カウンター+}変更"},
		{"sentence added", "出発の24時間前まで無料です。", "出発の24時間前まで無料です。その後は有料です。", "出発の24時間前まで無料です。{+その後は有料です。+}"},
		{"mixed", "Webサイトで10分前まで", "アプリで20分前まで", "[-Webサイト-]{+アプリ+}で[-10-]{+20+}分前まで"},
		{"wide script beyond 16 bits", "𠮷野家", "吉野家", "[-𠮷野家-]{+吉野家+}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, marked(Diff(c.a, c.b))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffOfLongTexts(t *testing.T) {
	t.Parallel()
	a, b := "start "+strings.Repeat("old ", 5000)+"end", "start "+strings.Repeat("new ", 5000)+"end"
	got := Diff(a, b)
	if len(got) != 4 || got[1].Edit != Deleted || got[2].Edit != Inserted {
		t.Fatalf("%d pieces", len(got))
	}
	checkDiff(t, a, b)
	checkDiff(t, "x", strings.Repeat("y x ", 100_000))
}

func checkDiff(t *testing.T, a, b string) {
	t.Helper()
	var before, after strings.Builder
	changes := Diff(a, b)
	for i, c := range changes {
		if c.Text == "" || i > 0 && changes[i-1].Edit == c.Edit {
			t.Fatalf("piece %d of %q → %q is empty or repeats its neighbour's edit", i, a, b)
		}
		if c.Edit != Inserted {
			before.WriteString(c.Text)
		}
		if c.Edit != Deleted {
			after.WriteString(c.Text)
		}
	}
	if before.String() != a || after.String() != b {
		t.Fatalf("%q → %q is told as %q → %q", a, b, before.String(), after.String())
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("The fee is low.", "手数料は無料です。")
	f.Add("a  b\n", "b\u3000a")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		checkDiff(t, a, b)
	})
}
