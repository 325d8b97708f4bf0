package notebooks

import (
	"strings"
	"testing"
)

// TestMentions: who is meant by an @, in both languages, and where an @ means nobody.
func TestMentions(t *testing.T) {
	t.Parallel()
	known := []string{"Ann", "Ann Lee", "ben@example.org", "田中", "田中太郎", "サトー", "c_d"}
	for text, want := range map[string]string{
		"@Ann, why?":                           "Ann|",
		"**@ann** and @ANN":                    "Ann|",
		"@Ann Lee and @Ann":                    "Ann Lee Ann|",
		"(@ben@example.org).":                  "ben@example.org|",
		"ask ben@example.org or x@Ann":         "|",
		"@田中さん、見てください":                         "田中|",
		"@田中太郎さん":                              "田中太郎|",
		"@田中次郎":                                "|田中次郎",
		"これは@サトーさんへ":                           "サトー|",
		"@c_d and @c":                          "c_d|c",
		"@Anna @nobody-here. @":                "|Anna nobody-here",
		"`@Ann`\n\n    @Ann\n\n```\n@Ann\n```": "|",
		"> @Ann\n\n- @田中":                      "Ann 田中|",
		"@Ann's table":                         "Ann|",
		"@@Ann @ Ann":                          "|",
		"<b>@Ann</b>":                          "Ann|",
	} {
		found, unknown := Mentions(text, known)
		if got := strings.Join(found, " ") + "|" + strings.Join(unknown, " "); got != want {
			t.Errorf("%q mentions %q; want %q", text, got, want)
		}
	}
}
