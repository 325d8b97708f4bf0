package offline

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

// TestStatements reads contexts as chunks and readers leave them: what is quoted is whole, and what is no statement is left out.
func TestStatements(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The pump was serviced again in the following spring. ", 5)
	for name, c := range map[string]struct {
		context string
		want    []string
	}{
		"heading and sentence": {"Refunds\n\nA Flex ticket is refunded in full. It takes ten days.",
			[]string{"A Flex ticket is refunded in full.", "It takes ten days."}},
		"見出しと文":                {"払い戻し\n\nフレックス運賃は全額を払い戻します。十日ほどかかります。", []string{"フレックス運賃は全額を払い戻します。", "十日ほどかかります。"}},
		"cut at its beginning": {"of the fare is kept by us. Children pay half of it.", []string{"Children pay half of it."}},
		"文の途中から":               {"を差し引いてお戻しします。手数料は550円です。", []string{"手数料は550円です。"}},
		"カタカナの途中から":            {"ンダード運賃は払い戻せます。手数料は550円です。", []string{"手数料は550円です。"}},
		"cut at its end": {long + "The valve on the left side must be op",
			slices.Repeat([]string{"The pump was serviced again in the following spring."}, 5)},
		"labels": {"Abstract:\n\nWe measured twelve pumps.\n\nFigure 3: Flow over time\n\nTable 2. Results\n",
			[]string{"We measured twelve pumps."}},
		"図の題": {"図3 流量の推移\n\n表1：結果の一覧\n\nポンプを十二台、測定しました。\n", []string{"ポンプを十二台、測定しました。"}},
		"question and answer": {"Can I bring my dog?\n\nSmall dogs may travel in a carrier.\n",
			[]string{"Small dogs may travel in a carrier."}},
		"よくある質問":        {"犬は連れて行けますか。\n小型犬はケージに入れてお連れください。\n", []string{"小型犬はケージに入れてお連れください。"}},
		"wrapped lines": {"The valve on the left side of the pump must stay\nclosed while the tank is being filled.\n\nThen open it slowly.", []string{"The valve on the left side of the pump must stay closed while the tank is being filled.", "Then open it slowly."}},
		"折り返された行": {"タンクに水を入れている間は、ポンプの左側にある弁を必ず閉じたままに\nしておいてください。終わったら開けます。",
			[]string{"タンクに水を入れている間は、ポンプの左側にある弁を必ず閉じたままにしておいてください。", "終わったら開けます。"}},
		"lines of a listing": {"The shelf is read once a minute, and what it shows is kept for the whole of the following day.\n\n" +
			"warning: commands will be executed with 2 jobs at once\njob 1 of the night is done at last, as it was asked for yesterday\n",
			[]string{"The shelf is read once a minute, and what it shows is kept for the whole of the following day.",
				"warning: commands will be executed with 2 jobs at once"}},
		"heading above a line": {"How the pumps of the old house are looked after today\n" +
			"The pumps are looked after by the two people who live in the house next to it, once every week.\n",
			[]string{"The pumps are looked after by the two people who live in the house next to it, once every week."}},
		"設定の注釈": {"棚の例です。\n\n; shelf.example.org. で連絡先のアドレスにこの値を指定したことになります、と書いてあります\n$TTL 604800\n", []string{"棚の例です。"}},
		"行の残りと設定": {"棚の設定はこのファイルの中で決められていて、毎日の夜に読み直されます。変更は翌日から有効です。\nで連絡先のアドレスにこの値を指定したことになります\n" +
			"$TTL 604800\n設定は管理者が変えます。", []string{"棚の設定はこのファイルの中で決められていて、毎日の夜に読み直されます。", "変更は翌日から有効です。", "設定は管理者が変えます。"}},
		"list": {"The charges are:\n\n- Until 14 days before departure: JPY 5,500.\n2) Dogs\n• 35% of the fare\n",
			[]string{"Until 14 days before departure: JPY 5,500.", "35% of the fare"}},
		"項目の名前だけ":       {"料金の種類\n\n- スタンダード運賃\n- 小児は大人の料金の半額です\n- 550円\n", []string{"小児は大人の料金の半額です", "550円"}},
		"table":         {"Prices\n\nKind\tPrice\tTime\nExpress\t9 euros\t1 day\n", []string{"Express: Price 9 euros, Time 1 day"}},
		"表":             {"料金\n\n区分\t国内線\t国際線\nシルバー\t1,650円\t3,300円\n", []string{"シルバー：国内線 1,650円、国際線 3,300円"}},
		"table cut off": {"ay\t4 euros\nExpress\t9 euros\n", []string{"Express: 9 euros"}},
		"head cut off":  {"utside\nPublic\tbrochures\tallowed\nSecret\tprices\tencrypted only\n\nCall us.\n", []string{"Secret: prices, encrypted only"}},
		"head cut off at a word": {"Sending\nPublic\tbrochures\tallowed\nSecret\tprices\tencrypted only\n",
			[]string{"Secret: prices, encrypted only"}},
		"表の見出しの途中から": {"線\nシルバー\t1,650円\t3,300円\nゴールド\t無料\t1,100円\n", []string{"ゴールド：無料、1,100円"}},
		"row cut off": {long + "\n\nKind\tPrice\nSlow\t4 euros\nExpress\t9",
			append(slices.Repeat([]string{"The pump was serviced again in the following spring."}, 5), "Slow: Price 4 euros")},
		"pipes": {"Prices\n\n| Kind | Price |\n|---|---|\n| Express | 9 euros |\n", []string{"Express: Price 9 euros"}},
		"name and value": {"Opening hours: 9 to 17\n\nWhat we keep: international flights\n\nWe keep a part of the fare.\n",
			[]string{"Opening hours: 9 to 17", "We keep a part of the fare."}},
		"chapter": {"第2章 設定\n\n設定は管理者だけが変えられます。", []string{"設定は管理者だけが変えられます。"}},
		"nothing": {" \n\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range statementsOf(c.context) {
				got = append(got, s.text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("statements (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTailsOfOtherSentencesAreNoCandidates looks at two chunks that overlap in the middle of a sentence.
func TestTailsOfOtherSentencesAreNoCandidates(t *testing.T) {
	t.Parallel()
	var got []string
	for _, s := range candidates([]prompts.Passage{{Text: "運賃は戻りません。手数料は運賃の40%です。"}, {Text: "運賃の40%です。小児も同じです。"}}) {
		got = append(got, s.text)
	}
	if diff := cmp.Diff([]string{"運賃は戻りません。", "手数料は運賃の40%です。", "小児も同じです。"}, got); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

// TestARowIsQuotedOnce, with the names of its columns, where one of two contexts lacks the head of the table.
func TestARowIsQuotedOnce(t *testing.T) {
	t.Parallel()
	var got []string
	for _, s := range candidates([]prompts.Passage{
		{Text: "utside\nPublic\tbrochures\tallowed\nSecret\tprices\tencrypted only\n"},
		{Text: "Classes\n\nClass\tExamples\tSending outside\nPublic\tbrochures\tallowed\nSecret\tprices\tencrypted only\n"},
	}) {
		got = append(got, s.text)
	}
	want := []string{"Public: Examples brochures, Sending outside allowed", "Secret: Examples prices, Sending outside encrypted only"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

// TestBeginningsOfCutContexts looks at contexts that were cut to a size: what may have lost its beginning is not quoted.
func TestBeginningsOfCutContexts(t *testing.T) {
	t.Parallel()
	const ja, en = "ポンプは翌年の春にもう一度、係の者が点検しました。", "The pump was serviced again in the following spring."
	long := strings.Repeat(ja, 12) + "左側の弁は必ず"
	english := strings.Repeat(en+" ", 6) + "The left valve must"
	for name, c := range map[string]struct {
		contexts []string
		want     []string
	}{
		"語の途中から": {[]string{"GP サーバは青い棚にあります。弁は三つあります。", long}, []string{"弁は三つあります。", ja}},
		"行の始めから": {[]string{"\nGP サーバは青い棚にあります。弁は三つあります。", long}, []string{"GP サーバは青い棚にあります。", "弁は三つあります。", ja}},
		"見出しから":  {[]string{"棚\n\nGP サーバは青い棚にあります。", long}, []string{"GP サーバは青い棚にあります。", ja}},
		"ほかの文脈で文頭": {[]string{"弁は三つあります。棚は青いです。", long[:len(ja)] + "弁は三つあります。" + long[len(ja):]},
			[]string{"弁は三つあります。", "棚は青いです。", ja}},
		"一文だけ":    {[]string{"GP サーバは青い棚にあります。", long}, []string{"GP サーバは青い棚にあります。", ja}},
		"切られていない": {[]string{"GP サーバは青い棚にあります。弁は三つあります。", ja}, []string{"GP サーバは青い棚にあります。", "弁は三つあります。", ja}},
		"in a number": {[]string{"54 parcel will set the lock. It has three valves.", english},
			[]string{"It has three valves.", en}},
		"in an abbreviation": {[]string{"GP servers stand on the shelf. It has three valves.", english},
			[]string{"It has three valves.", en}},
		"a sentence": {[]string{"A server stands on the shelf. It has three valves.", english},
			[]string{"A server stands on the shelf.", "It has three valves.", en}},
		"a number, not cut": {[]string{"54 parcels stand on the shelf. It has three valves.", en},
			[]string{"54 parcels stand on the shelf.", "It has three valves.", en}},
		"begins in the other": {[]string{"54 parcels came. It has three valves.", "It was a Monday. 54 parcels came. " + english},
			[]string{"54 parcels came.", "It has three valves.", "It was a Monday.", en}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var contexts []prompts.Passage
			for _, s := range c.contexts {
				contexts = append(contexts, prompts.Passage{Text: s})
			}
			var got []string
			for _, s := range candidates(contexts) {
				got = append(got, s.text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("candidates (-want +got):\n%s", diff)
			}
		})
	}
}
