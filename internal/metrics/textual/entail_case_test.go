package textual

import (
	"strings"
	"testing"
)

var otherCases = []struct{ name, passage, claim, want string }{
	{"a number of another case", "Adult members pay 12 euros a month.", "Child members pay 7 euros a month.", silentOn},
	{"a number of the same case", "Adult members pay 12 euros a month.", "Adult members pay 15 euros a month.", opposes},
	{
		"two kinds of numbers differ", "A hall of up to 40 seats costs 90 euros an evening.",
		"A hall of up to 200 seats costs 310 euros an evening.", silentOn,
	},
	{
		"a condition that only one states", "If the museum closes a hall, visitors are given their money back.",
		"Visitors who leave early are not given their money back.", silentOn,
	},
	{
		"a condition that both state", "If the museum closes a hall, visitors are given their money back.",
		"If the museum closes a hall, visitors are not given their money back.", opposes,
	},
	{
		"an exception that is the case", "If the pool is closed by the town, lessons are repeated.",
		"Lessons are not repeated, unless the pool was closed by the town.", silentOn,
	},
	{"what only some may, others may not", "Only members may borrow maps.", "Visitors may not borrow maps.", silentOn},
	{"it sends its reader elsewhere", "The library does not lend maps.", "Please ask the library about maps.", silentOn},
	{"a document that is silent", "The documents do not say whether the library lends maps.", "The library lends maps.", silentOn},
	{
		"what a silent sentence does say", "The library lends maps for 14 days, but the documents do not say what a lost map costs.",
		"The library lends maps for 14 days.", says,
	},
	{"a denial that picks out", "A book that has not been returned after 60 days counts as lost.", "A book counts as lost after 60 days.", says},
	{
		"two denials far apart", "If you do not bring the card the door is closed and the deposit is not paid back.",
		"If you do not bring the card, the door is closed and the deposit is not paid back.", says,
	},
	{"no longer than", "A board fits if it is no longer than 180 cm.", "A board fits if it is at most 180 cm long.", says},
	{"no longer", "The museum no longer sells maps.", "The museum sells maps.", opposes},
	{"or not", "Every course, long or not, costs 20 euros.", "Every course costs 20 euros.", says},
	{"free of any", "Orders in the shop are free of any delivery charge.", "In the shop there is no delivery charge.", says},
	{"not even", "Dogs are not allowed, not even with a muzzle.", "Dogs are allowed.", opposes},
	{
		"a total and its parts", "The entry costs EUR 8 and the guide costs EUR 5 per person.",
		"The entry costs EUR 8 and the guide costs EUR 5 per person, so EUR 13 in total.", says,
	},
	{"a multiple", "The entry costs EUR 8 per person.", "The entry costs EUR 8 per person, so EUR 24 for three.", silentOn},
	{"another amount", "The entry costs EUR 8 per person.", "The entry costs EUR 9 per person.", opposes},
	{
		"within a range", "From 10 days to 4 days before the course the charge is EUR 30.",
		"For 6 days before the course the charge is EUR 30.", silentOn,
	},
	{"what is left", "Parcels follow the rules of the harbour.", "All other rules are those of the harbour.", silentOn},

	{
		"an upper end is none of a lower one", "Tickets are sold until 75 minutes before the show, so between 75 and 60 minutes only members come in.",
		"Tickets are sold from 36 hours until 75 minutes before the show.", silentOn,
	},
	{"another lower end", "Tickets are sold from 24 hours before the show.", "Tickets are sold from 36 hours before the show.", opposes},
	{
		"a number of a condition only", "The case of a violin is taken into the hall, up to 90 cm.",
		"A violin is taken into the hall if the case is within 55 cm.", silentOn,
	},
	{
		"what domestic means is not said of international", "Children need a seat, although they could sit on a lap on a domestic train.",
		"On international trains children need a seat, and only babies sit on a lap.", silentOn,
	},
	{"either side of a number", "Boats over 20 kg are not carried to the pier.", "Boats up to 20 kg are carried to the pier.", silentOn},
	{"the same side of a number", "Boats over 20 kg are not carried to the pier.", "Boats over 20 kg are carried to the pier.", opposes},
	{"two kinds of one thing", "School tickets cannot be passed on.", "Group tickets can be passed on.", silentOn},
	{"two sides of a house", "The north door does not open to guests.", "The south door opens to guests.", silentOn},

	{"別の場合の数", "大人の会費は月1,200円です。", "子供の会費は月700円です。", silentOn},
	{"同じ場合の数", "大人の会費は月1,200円です。", "大人の会費は月1,500円です。", opposes},
	{"一方だけの条件", "館が展示室を閉じた場合は、入館料を返金します。", "早く退館した方の入館料は返金しません。", silentOn},
	{"限る", "地図の貸し出しは会員に限ります。", "非会員には地図を貸し出しません。", silentOn},
	{"案内", "図書館は地図を貸し出しません。", "地図については図書館へお問い合わせください。", silentOn},
	{"記載なし", "図書館が地図を貸し出すかどうかは、文書には記載がありません。", "図書館は地図を貸し出します。", silentOn},
	{"読点の有無", "期日に遅れると、延長の申請はできません。", "期日に遅れると延長の申請はお受けできません。", says},
	{"かねます", "濡れた本の弁償はいたしかねます。", "濡れた本の弁償はできません。", says},
	{"られず", "犬は店内に入れられず、外で待ちます。", "犬は店内に入れられません。", says},
	{"が、の前の否定", "平日に割引はありませんが、土曜の講座は会員証で入れます。", "土曜の講座は会員証で入れます。", says},
	{"条件の中の否定", "受付で気づかなかった場合は、本の破れを3日以内に届け出てください。", "本の破れは3日以内に届け出てください。", says},
	{"主題のない短文", "館内の売店では、切手、はがき、地図などを販売し、郵送の受付もしています。", "販売しません。", silentOn},
	{"一覧", "雑誌、新聞、地図の貸し出しは行っていません。", "雑誌、新聞、地図は貸し出しできません。", says},
	{"反対", "土曜の講座は会員証で入れます。", "土曜の講座は会員証で入れません。", opposes},
	{"開く時と閉まる時", "水泳場は平日9時に開館します。", "水泳場は平日21時に閉館します。", silentOn},
	{"同じ閉まる時", "水泳場は平日19時に閉館します。", "水泳場は平日21時に閉館します。", opposes},
	{"別のものの数", "車体の保証期間は5年です。", "電池の保証期間は2年です。", silentOn},
	{"同じものの数", "電池の保証期間は5年です。", "電池の保証期間は2年です。", opposes},
	{"別の所", "南口の広場には荷物を置けません。", "北口の広場には荷物を置けます。", silentOn},
	{"同じ所", "荷物は北口の広場には置けません。", "北口の広場には荷物を置けます。", opposes},
	{"数の両側", "20kgを超える荷物は運びません。", "20kg以下の荷物は運びます。", silentOn},
	{"否定の並び", "猫は入れますが、犬は入れません。", "犬は入れます。", opposes},
}

// TestCases looks at statements that speak of different cases, and beside each such pair at one of the same case.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, c := range otherCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, v := read(c.passage, c.claim)
			if got != c.want {
				t.Errorf("%q of %q is %q (%.2f), want %q", c.passage, c.claim, got, v.Strength, c.want)
			}
		})
	}
}

// TestSilenceDecidesNothing: that the documents do not say something neither supports it nor its contrary, whatever it is.
func TestSilenceDecidesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range otherCases {
		lower := strings.ToLower(c.claim[:1]) + strings.TrimRight(c.claim[1:], ".")
		silent := "The documents do not say whether " + lower + "."
		if strings.HasSuffix(c.claim, "。") {
			silent = strings.TrimSuffix(c.claim, "。") + "かどうかは、文書には記載がありません。"
		}
		p := NewPassage(silent)
		if v := p.Support(DistinctTerms(c.claim)); v.Contradicted || v.Supported() {
			t.Errorf("%q decides %q: %+v", silent, c.claim, v)
		}
	}
}

func TestWithoutRefusals(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"The library lends maps.":                                                          "The library lends maps.",
		"The documents do not say whether the library lends maps.":                         "",
		"Maps are lent. The documents do not say what a lost map costs.":                   "Maps are lent.",
		"Maps are lent for 14 days, but the documents do not say what a lost one costs.":   "Maps are lent for 14 days.",
		"図書館が地図を貸し出すかどうかは、文書には記載がありません。":                                                   "",
		"地図は貸し出します。弁償の額は文書には記載がありません。":                                                     "地図は貸し出します。",
		"We cannot tell you whether a stamp is needed. Stamps are sold at the front desk.": "Stamps are sold at the front desk.",
	}
	for s, want := range cases {
		if got := WithoutRefusals(s); got != want {
			t.Errorf("%q leaves %q, want %q", s, got, want)
		}
	}
}

// TestFragments: a claim that does not say what it speaks of is neither denied nor half supported by what holds its word and says
// otherwise.
func TestFragments(t *testing.T) {
	t.Parallel()
	for claim, passage := range map[string]string{
		"It does not fit.": "The long boats of the harbour that fit the southern pier are given a place by the office on arrival.",
		"泊まれません。":          "山小屋に泊まる方は、到着の3日前までに、管理人へ人数と到着の時刻をお知らせください。",
	} {
		p := NewPassage(passage)
		if v := p.Support(DistinctTerms(claim)); v.Contradicted || v.Strength > 0.4 {
			t.Errorf("%q of %q: %+v", claim, passage, v)
		}
	}
}
