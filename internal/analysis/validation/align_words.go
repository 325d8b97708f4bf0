package validation

import "fmt"

// Says is what came of testing examples, in a sentence or two for people, in "en" or "ja". Every channel takes its words from here.
func (a Alignment) Says(lang string) string {
	w := cardWriter{lang: lang}
	if a.Decision == AlignmentUnread {
		return w.of("The offline judge does not read examples, so showing it any changes nothing; another judge can be aligned.",
			"オフライン評価モデルは判定例を読まないため、例を示しても評価は変わりません。ほかの評価モデルなら調整できます。")
	}
	tested := fmt.Sprintf(w.of(
		"On %d reviews that no example came from, the judge says what people say %d times without the %d examples and %d times with them "+
			"(%s points, 95%%: %s to %s; %d mended, %d spoilt).",
		"例に使っていない%d件のレビューで、評価モデルが人と一致したのは、例なしで%d件、例%d件を示して%d件です"+
			"（差 %sポイント、95%%区間 %s〜%s。正しくなったもの%d件、誤りになったもの%d件）。"),
		a.Kept, a.Before.Right, len(a.Examples), a.After.Right, points(a.Difference), points(a.CI95.Low), points(a.CI95.High), a.Fixed,
		a.Broken)
	return tested + w.of(" ", "") + a.decides(w)
}

// Brief is Says with the fewest figures, for a first page.
func (a Alignment) Brief(lang string) string {
	w := cardWriter{lang: lang}
	if a.Decision == AlignmentUnread {
		return a.Says(lang)
	}
	return fmt.Sprintf(w.of("On %d kept-back reviews the judge says what people say %d times before it was shown examples, and %d times after.",
		"取り置いたレビュー%d件のうち、評価モデルが人と一致したのは、判定例を示す前は%d件、示した後は%d件です。"), a.Kept, a.Before.Right, a.After.Right) +
		w.of(" ", "") + a.decides(w)
}

func (a Alignment) decides(w cardWriter) string {
	switch {
	case a.Decision == AlignmentOffered:
		return w.of("That is more than chance does, so the change is offered.", "偶然の範囲を超えているため、この変更を適用できます。")
	case a.Decision == AlignmentNotOffered:
		return w.of("It is no better, so the change is not offered.", "改善していないため、この変更は適用できません。")
	case a.Kept < fewestKept:
		return fmt.Sprintf(w.of("That is too few to tell: at least %d are needed.", "件数が少なく判断できません。少なくとも%d件必要です。"), a.Needs)
	}
	return fmt.Sprintf(w.of("Chance may have done that, so the change is not offered; if it goes on like this, about %d kept-back reviews would tell.",
		"偶然の可能性があるため、適用できません。この傾向が続けば、取り置きのレビューが約%d件あれば判断できます。"), a.Needs)
}

// Rates are the judge's errors beside people, without and with the examples; "" for a judge that reads none.
func (a Alignment) Rates(lang string) string {
	if a.Decision == AlignmentUnread {
		return ""
	}
	w := cardWriter{lang: lang}
	return fmt.Sprintf(w.of("Called low although people accept it: %d of %d before, %d of %d after. Not called low although people reject it: "+
		"%d of %d before, %d of %d after.",
		"人は認めたのに低いとした回答：変更前 %d/%d件、変更後 %d/%d件。人は認めなかったのに低いとしなかった回答：変更前 %d/%d件、変更後 %d/%d件。"),
		a.Before.FalseRed, a.Before.Red, a.After.FalseRed, a.After.Red,
		a.Before.FalseGreen, a.Kept-a.Before.Red, a.After.FalseGreen, a.Kept-a.After.Red)
}

func points(share float64) string { return fmt.Sprintf("%+.0f", 100*share) }

// alignments are a section of the card.
func (w *cardWriter) alignments(list []Alignment) {
	if len(list) == 0 {
		return
	}
	w.line("\n## %s\n", w.of("Aligned with people's reviews", "人のレビューによる調整"))
	for i := range list {
		a := list[len(list)-1-i]
		w.line("- %s: %s", a.MeasuredAt.UTC().Format("2006-01-02 15:04 UTC"), a.Says(w.lang))
		if rates := a.Rates(w.lang); rates != "" {
			w.line("  %s", rates)
		}
	}
}
