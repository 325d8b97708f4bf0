package textual

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/text"
)

// Verdicts as these tables write them.
const says, opposes, silentOn = "supported", "contradicted", ""

var entailments = []struct{ name, passage, claim, want string }{
	{"a rule with another number", "The Flex fare includes 30 kg of baggage.", "The Flex fare includes 20 kg of baggage.", opposes},
	{"a rule with another unit", "Reserve a place 48 hours before departure.", "Reserve a place 48 minutes before departure.", opposes},
	{"the same time in another unit", "Reserve a place 48 hours before departure.", "Reserve a place two days before departure.", says},
	{"the same mass in another unit", "The carrier may weigh up to 8 kg.", "The carrier may weigh up to 8,000 g.", says},
	{"a number in words", "The duo has earned two platinum albums.", "The duo has earned 2 platinum albums.", says},
	{"another share", "The fee is 40% of the fare.", "The fee is 60% of the fare.", opposes},
	{"another currency", "A pet costs 25 USD per flight.", "A pet costs 25 EUR per flight.", opposes},
	{"another month", "The season begins on March 15 every year.", "The season begins on May 15 every year.", opposes},
	{"another day", "The season begins on March 15 every year.", "The season begins on March 16 every year.", opposes},
	{"another place in a row", "Two men are on their first date.", "Two men are on their second date.", opposes},
	{"a number of something else", "Seats 1 to 12 are in front of the wing.", "Dogs wait in front of the wing.", silentOn},
	{"the number of a list", "1. Log in to the console.", "Log in to the console.", says},
	{"a coordinated denial, kept", "The ticket is not refunded, and neither is the surcharge.", "The ticket is not refunded.", says},
	{"a coordinated denial, turned", "The ticket is not refunded, and neither is the surcharge.", "The ticket is refunded.", opposes},
	{"a coordinated denial, its second half", "The ticket is not refunded, and neither is the surcharge.",
		"The surcharge is refunded.", opposes},
	{"nor, in a list", "Bulldogs are not accepted, nor are pugs.", "Bulldogs are accepted.", opposes},
	{"a denial of something else", "Pugs may fly in the cabin, but they may not sit in an exit row.", "Pugs may fly in the cabin.", says},
	{"a denial behind what it is about", "For pets on small aircraft, acceptance is not possible.",
		"Acceptance of pets on small aircraft is not possible.", says},
	{
		"one half of a denial and its reason", "Tickets of package tours earn 50% of the flown miles, whatever the fare.",
		"Tickets of package tours earn 50% of the flown miles, and upgrades with miles are not possible for package tours.", silentOn,
	},
	{
		"a denial that both make, cut by a comma in one",
		"The ferries are rather slow and should no longer be booked although the harbour still lists them.",
		"The ferries are slow and should no longer be booked, although the harbour still lists them.", says,
	},
	{"no longer, turned", "The ferry should no longer be booked by groups.", "The ferry should be booked by groups.", opposes},
	{"no longer of something else", "The ferry no longer carries cars, but groups may book it.", "Groups may book the ferry.", says},
	{
		"a code word that holds a denial", "Thus, guest.none picks all parcels of weight class B not arriving by train.",
		"All parcels of weight class B that do not arrive by train.", says,
	},
	{"a code word, and the denial turned", "Thus, guest.none picks all parcels arriving by train.",
		"guest.none picks all parcels that do not arrive by train.", opposes},

	{"an opposite", "Pets are permitted in the cabin.", "Pets are prohibited in the cabin.", opposes},
	{"a denied opposite", "Pets are prohibited in the cabin.", "Pets are not permitted in the cabin.", says},
	{"another of a kind", "A man in a black hat walks along the river.", "A man in a green hat walks along the river.", opposes},
	{"a word of the same meaning", "A small dog sleeps on the couch.", "A small dog sleeps on the sofa.", says},
	{"a kind of it", "A dog runs across the field.", "An animal runs across the field.", says},
	{"not the kind of it", "An animal runs across the field.", "A giraffe runs across the field.", silentOn},
	{"another name", "The flights are operated by Skylark Pacific.", "The flights are operated by Northwind Pacific.", opposes},
	{"names that changed places", "In 1998 Skylark bought Northwind.", "In 1998 Northwind bought Skylark.", opposes},
	{"a list in another order", "Skylark and Northwind fly to Osaka.", "Northwind and Skylark fly to Osaka.", says},

	{"別の数", "フレックス運賃では30kgまで無料です。", "フレックス運賃では20kgまで無料です。", opposes},
	{"別の単位", "出発の48時間前までに予約してください。", "出発の48分前までに予約してください。", opposes},
	{"単位の換算", "出発の48時間前までに予約してください。", "出発の2日前までに予約してください。", says},
	{"万と円", "手数料は1万2千円です。", "手数料は12,000円です。", says},
	{"漢数字", "公園に二匹の犬がいます。", "公園に三匹の犬がいます。", opposes},
	{"別の日付", "申告の期限は3月15日です。", "申告の期限は4月15日です。", opposes},
	{"一人もいない", "男性が道路で踊っている", "道路で踊っている男性は一人もいない", opposes},
	{"否定", "小型機ではペットをお預かりできません。", "小型機ではペットをお預かりできます。", opposes},
	{"主題の後の否定", "160Whを超える電池は、機内への持ち込みもお預けもできません。", "電池では160Whを超えると持ち込みも預けもできません。", says},
	{"反対語", "この給付金は課税となります。", "この給付金は非課税となります。", opposes},
	{"色", "草原に白い馬がいます。", "草原に黒い馬がいます。", opposes},
	{"言い換え", "航空券の取り消しには払戻し手数料がかかります。", "航空券のキャンセルには払い戻し手数料がかかります。", says},
	{"義務は否定ではない", "荷札は青い棚のものと名付けなければいけません。", "荷札は青い棚のものと名付けます。", says},
	{"義務と禁止", "荷札は青い棚に置かなければいけません。", "荷札は青い棚に置いてはいけません。", opposes},
	{"同じ否定", "古い船は今では遅く、もう予約できませんが、港の案内には載っています。", "古い船は遅く、もう予約できません。", says},
	{"別の話題", "機内では毛布を貸し出しています。", "小型機ではペットをお預かりできません。", silentOn},
}

// read is what a passage is to a claim, and the verdict that says so.
func read(passage, claim string) (string, Verdict) {
	p := NewPassage(passage)
	switch v := p.Support(DistinctTerms(claim)); {
	case v.Contradicted:
		return opposes, v
	case v.Supported():
		return says, v
	default:
		return silentOn, v
	}
}

// TestEntailment looks at one claim and one passage: numbers, units, dates, denials, opposites, names and the order of words.
func TestEntailment(t *testing.T) {
	t.Parallel()
	for _, c := range entailments {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, v := read(c.passage, c.claim)
			if got != c.want {
				t.Errorf("%q of %q is %q (%.2f), want %q", c.passage, c.claim, got, v.Strength, c.want)
			}
			if got != silentOn && v.Quote != c.passage {
				t.Errorf("it quotes %q", v.Quote)
			}
		})
	}
}

func TestSplitClaims(t *testing.T) {
	t.Parallel()
	cases := map[string][]string{
		"":                          {},
		"Sure! Dogs may fly. [1]":   {"Dogs may fly."},
		"Yes. Thank you!":           {},
		"The documents do not say.": {},
		"I do not have specific information about that.":                          {},
		"Do the following:\n1. **Log in** to the console.\n2. Choose a `region`.": {"Log in to the console.", "Choose a region."},
		"Run it:\n```sh\nrm file\n```\nIt deletes the file.":                      {"It deletes the file."},
		"Dogs may fly. Is there anything else?":                                   {"Dogs may fly."},
		"Is it the small dog?":                                                    {"Is it the small dog?"},
		"Small dogs fly for 6,600 yen; large dogs fly for 9,900 yen.": {"Small dogs fly for 6,600 yen",
			"large dogs fly for 9,900 yen."},
		"Bring it; sign it.": {"Bring it; sign it."},
		"76.7% were women.":  {"76.7% were women."},
		"かしこまりました。料金は6,600円です。[1]":              {"料金は6,600円です。"},
		"次のとおりです：\n・料金は6,600円です。\n・重量は8kgまでです。": {"料金は6,600円です。", "重量は8kgまでです。"},
		"文書には記載がありません。":                         {},
	}
	for s, want := range cases {
		if diff := cmp.Diff(want, SplitClaims(s)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", s, diff)
		}
	}
}

func TestQuantities(t *testing.T) {
	t.Parallel()
	cases := map[string][]quantity{
		"no number":               nil,
		"48 hours":                {{value: "172800", unit: "time"}},
		"two days":                {{value: "172800", unit: "time", word: true}},
		"JPY 2,200":               {{value: "2200", unit: "jpy"}},
		"2,200 yen and 2,200 yen": {{value: "2200", unit: "jpy"}},
		"1.5 million dollars":     {{value: "1500000", unit: "usd"}},
		"12 percent":              {{value: "12", unit: "percent"}},
		"the 3rd of March 2024":   {{value: "3", unit: "ordinal"}, {value: "3", unit: "month"}, {value: "2024", unit: "year"}},
		"March 15":                {{value: "3", unit: "month"}, {value: "15", unit: "day of month"}},
		"you may call":            nil,
		"three dogs":              {{value: "3", of: "dog", word: true}},
		"version 1.2.3":           {{value: "1.2.3"}},
		"one of them":             nil,
		"1万2千円":                   {{value: "12000", unit: "jpy"}},
		"3月15日":                   {{value: "3", unit: "month"}, {value: "1296000", unit: "time"}},
		"二匹の犬":                    {{value: "2", unit: "animals"}},
		"犬は一匹もいない":                nil,
		"出発の48時間前":                {{value: "172800", unit: "time"}},
	}
	for s, want := range cases {
		got := quantities(text.Words(plain(s, text.Language(s))))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(quantity{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", s, diff)
		}
	}
}
