package textual

import "testing"

func TestNegates(t *testing.T) {
	t.Parallel()
	cases := map[string]bool{
		"It is not valid for agencies (nor for groups).": true,
		"Neither phone nor agency bookings are valid.":   true,
		"Pets are accepted.":                             false,
		"Pets are not accepted.":                         true,
		"Pets cannot fly.":                               true,
		"Pets can't fly.":                                true,
		"Pets can’t fly.":                                true,
		"No pets fly.":                                   true,
		"No, pets are accepted.":                         false,
		"No, pets are not accepted.":                     true,
		"It is not impossible without a permit.":         false, // two marks
		"Not only dogs but also cats are accepted.":      false,
		"Reserve no later than noon.":                    false,
		"Say whether or not you travel with a pet.":      false,
		"A notable nobleman noted nothing of the kind":   false, // no mark is a whole word
		"申告する必要があります。":                                   false,
		"申告する必要はありません。":                                  true,
		"申告しなければなりません。":                                  false,
		"申告しなくても差し支えありません。":                              false,
		"対象になるかもしれません。":                                  false,
		"対象になりません。":                                      true,
		"目安にすぎません。":                                      false,
		"犬だけではありません。":                                    false,
		"対象にならない。":                                       true,
		"対象にならなかった。":                                     true,
		"少ない荷物":                                          false,
		"The desk no longer takes cash.":                 true,
		"Set guest.none to hide the shelf.":              false, // a code word
		"The row access=no closes the gate.":             false,
		"A no-show fee is due.":                          false,
		"届け出なければいけません。":                                  false,
		"届け出なくてはならない。":                                   false,
		"届け出ないといけない。":                                    false,
		"届け出ざるを得ません。":                                    false,
		"届け出てはいけません。":                                    true,
	}
	for s, want := range cases {
		if got := Negates(s); got != want {
			t.Errorf("%q denies: %t, want %t", s, got, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]bool{
		"The documents do not say.":                  true,
		"The documents don’t say who paid.":          true,
		"I don't know.":                              true,
		"The provided contexts do not contain this.": true,
		"The meal does not contain nuts.":            false,
		"Pets are not accepted.":                     false,
		"文書には記載がありません。":                              true,
		"コンテキストには、その料金は含まれていません。":                    true,
		"料金に消費税は含まれていません。":                           false,
		"小型機では利用できません。":                              false,
		"ＴＨＥ ＤＯＣＵＭＥＮＴＳ ＤＯ ＮＯＴ ＳＡＹ":                   true,
		"": false,
		"The documents say that pets are not accepted there.": false,
	}
	for s, want := range cases {
		if got := Refuses(s); got != want {
			t.Errorf("%q refuses: %t, want %t", s, got, want)
		}
	}
}

func TestYesOrNo(t *testing.T) {
	t.Parallel()
	type opening struct{ yes, bare, ok bool }
	cases := map[string]opening{
		"Yes":                 {true, true, true},
		"yes.":                {true, true, true},
		"Yes, they may.":      {true, false, true},
		"Yes they may":        {true, false, true},
		"yesterday":           {},
		"No":                  {false, true, true},
		" NO! ":               {false, true, true},
		"No, they may not.":   {false, false, true},
		"No one may fly.":     {},
		"No later than noon.": {},
		"Norway":              {},
		"はい":                  {true, true, true},
		"はい、乗れます。":            {true, false, true},
		"はいえい":                {},
		"いいえ。":                {false, true, true},
		"いいえ。乗れません。":          {false, false, true},
		"":                    {},
	}
	for s, want := range cases {
		yes, bare, ok := YesOrNo(s)
		if got := (opening{yes, bare, ok}); got != want {
			t.Errorf("%q opens with %+v, want %+v", s, got, want)
		}
	}
}

// TestWhatDeniesNothingIsSeenInShort: a sentence is only searched where it has a part that each such phrase has.
func TestWhatDeniesNothingIsSeenInShort(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"提出しなければなりません", "提出しなくてはいけない", "行かねばならず", "出さないといけなかった", "認めざるを得ない", "できないわけではありません", "差し支えありません",
		"問題ありません", "かまいません", "構いません", "遅れるかもしれません", "遅れるかもしれない", "目安に過ぎません", "一部だけではありません",
		"not only the fare", "whether or not it is late", "no later than monday", "the fee is 20 euros", "手数料は20ユーロです",
	} {
		if got, want := withoutNoDenials(s), noDenials.ReplaceAllString(s, ""); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}
