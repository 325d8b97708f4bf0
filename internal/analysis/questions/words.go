package questions

// questionInstructions are the prompts of the question analysis by purpose and language, written natively in each. Where votes are
// taken there are three wordings of the same task: a label that hangs on the wording shows as disagreement.
var questionInstructions = map[string]map[string][]string{
	PurposeQuestionCategory: {
		"en": {
			"Classify the question by what it asks for; do not answer it. " +
				"scope is specific when the answer is a checkable item: a name, a number, a date, a place, yes or no, a listed procedure. " +
				"It is abstract when the answer is an explanation, a comparison, a summary, a reason or an interpretation. A yes-or-no question that also wants the grounds is specific. " +
				"hops is single_hop when one passage of one document would be enough to answer, and multi_hop when facts from different documents or distant sections must be joined. " +
				"quality lists ambiguous when the question can be read in ways with different answers, and missing_entity when it points to something it does not name. " +
				"keywords are up to five content words or short names, as written in the question. Give the reason in one short sentence.",
			"Say what kind of answer this question wants, without answering it. " +
				"Choose abstract for scope when whoever answers has to explain, compare, summarise, interpret or give reasons; choose specific when one could check the answer against a single fact, such as who, when, where, how much, which, yes or no, or the steps of a procedure. Yes or no together with grounds counts as specific. " +
				"Choose multi_hop for hops when several facts that stand in different places have to be put together, otherwise single_hop. " +
				"Under quality name missing_entity if something is referred to without being named, and ambiguous if two readings lead to different answers; often the list is empty. " +
				"Copy up to five keywords from the question. Justify in one short sentence.",
			"Two closed choices about a question, which is not to be answered. " +
				"First, scope: is it settled by a fact that can be ticked off (specific: entity, quantity, date, place, yes or no even with a reason, fixed steps), or by a text that must be thought through (abstract: why, how something works, differences, overview, meaning)? " +
				"Second, hops: could one section of one document answer it (single_hop), or does it chain or compare facts from several (multi_hop)? " +
				"Then list its defects under quality (ambiguous, missing_entity; none is common) and at most five keywords in the question's own words. One short sentence as reason.",
		},
		"ja": {
			"質問が何を求めているかを分類してください。質問に答えてはいけません。" +
				"scope は、答えが確認できる一項目（名称、数値、日付、場所、はい・いいえ、決まった手順）であれば specific、" +
				"説明、比較、要約、理由、解釈であれば abstract とします。根拠も求める「はい・いいえ」の質問は specific です。" +
				"hops は、一つの文書の一箇所だけで答えられるなら single_hop、別々の文書や離れた箇所の事実を組み合わせる必要があるなら multi_hop とします。" +
				"quality には、読み方によって答えが変わるなら ambiguous、指しているものの名前が書かれていないなら missing_entity を挙げてください。" +
				"keywords は、質問中の重要な語を書かれているとおりに五つまで挙げてください。理由は短い一文で述べてください。",
			"次の質問が求める答えの種類を選んでください。質問自体には答えないでください。" +
				"説明する、比べる、まとめる、解釈する、理由を述べる必要があれば scope は abstract、誰・いつ・どこ・いくら・どれ・可否・手順のように一つの事実と照合できれば specific です。可否とその根拠を併せて求める質問は specific に含めます。" +
				"異なる場所に書かれた複数の事実をつなげたり比べたりするなら hops は multi_hop、そうでなければ single_hop です。" +
				"名前を示さずに何かを指していれば quality に missing_entity、二通りに読めて答えが異なるなら ambiguous を入れます。該当がなければ空にします。" +
				"質問から keywords を五つまで抜き出し、理由を短い一文で書いてください。",
			"質問について二つの選択をしてください。回答は不要です。" +
				"一つ目の scope は、事実を一つ確かめれば済むか（specific：固有名、量、日時、場所、可否、定まった手順。理由付きの可否も含む）、考えて述べる文章が必要か（abstract：なぜ、仕組み、違い、概要、意味）です。" +
				"二つ目の hops は、一文書の一節で足りるか（single_hop）、複数の箇所の事実を連ねる、または比べるか（multi_hop）です。" +
				"続けて欠点を quality に（ambiguous、missing_entity。ないことが多い）、質問の言葉のままの keywords を五つ以内で挙げ、理由を短く一文で添えてください。",
		},
	},
	PurposeQuestionAssign: {
		"en": {
			"Assign the question to the labels. Each label says under include what belongs to it and under exclude what does not; these rules decide, not the name. " +
				"When several is false, give as primary the one label that fits best, or other when no rule covers the question, and as second a further label that clearly fits too, or none. " +
				"When several is true, list every label whose rule covers the question; an empty list is right when none does. Give the reason in one short sentence.",
			"Which label does the question fall under? Go by the rules: include must cover it and exclude must not. The order of the labels means nothing. " +
				"With several false, primary is the best-fitting label (other if no rule applies) and second is another one that applies beyond doubt (none if there is none). " +
				"With several true, labels holds each label that applies and may be empty. One short sentence as reason.",
			"File the question under the given labels, and only under those. Check its subject against every include rule, strike the labels whose exclude rule hits, then decide. " +
				"If several is false: primary takes the closest remaining label, or other when nothing remains; second takes a runner-up only if it also clearly covers the question, else none. " +
				"If several is true: put all remaining labels into labels, possibly none. Add a one-sentence reason.",
		},
		"ja": {
			"質問にラベルを付けてください。各ラベルの include は含まれるもの、exclude は含まれないものの規則です。名前ではなく規則で判断してください。" +
				"several が false のときは、最もよく当てはまるラベルを primary に（どの規則にも当てはまらなければ other）、明らかに当てはまるラベルがもう一つあれば second に、なければ none としてください。" +
				"several が true のときは、規則に当てはまるラベルをすべて labels に挙げてください。なければ空のリストにします。理由は短い一文で述べてください。",
			"この質問はどのラベルに入りますか。include に合い、exclude に触れないことが条件です。ラベルの並び順に意味はありません。" +
				"several が false なら、primary には最も合うラベル（合う規則がなければ other）、second には疑いなく合う別のラベル（なければ none）を入れます。" +
				"several が true なら、合うラベルをすべて labels に入れます（空でもかまいません）。理由を短く一文で書いてください。",
			"与えられたラベルだけを使って質問を分類してください。主題をすべての include と照らし合わせ、exclude に当たるラベルを除いてから決めます。" +
				"several が false の場合、残った中で最も近いものを primary（残らなければ other）、他にも明らかに該当するものがあれば second、なければ none とします。" +
				"several が true の場合、残ったラベルをすべて labels に入れます。理由を一文で添えてください。",
		},
	},
	PurposeQuestionPropose: {
		"en": {"Name the themes that these questions fall into, for a manager who reads them in a report and has not seen the questions. " +
			"A theme is what questions are about, not how they are asked. Its name is a noun phrase of one to four words that people of this field use, " +
			"such as \"Refunds and cancellation\" or \"Medical expenses\": no verb, no list of words, no single word that fits any subject. " +
			"page holds the titles under which the answer to a question stands; prefer the words of these titles where they fit. " +
			"At most at_most themes that do not overlap; leave out what only one question is about, and do not add a theme for everything else. " +
			"Where existing lists themes, name only what is missing beside them, possibly nothing. " +
			"Each theme has an id (lower-case ASCII words joined by hyphens), its name in English (en) and in Japanese (ja), a rule in one " +
			"sentence of what belongs to it (include) and what does not although one might think so (exclude), " +
			"two of the questions, copied, as examples, and up to ten words by which such questions can be recognised. Write the rules in English."},
		"ja": {"次の質問がどのようなテーマに分かれるかを挙げてください。質問を見ていない管理職が報告書で読んで分かる名前にします。" +
			"聞き方ではなく、何についての質問かで分けます。名前は、その分野の人が使う短い名詞句（例：「払い戻しと取り消し」「医療費控除」）とし、動詞や単語の羅列、どの分野にも当てはまる語は避けてください。" +
			"page は、答えが書かれている箇所の見出しです。合うものがあれば、その言葉を使ってください。" +
			"テーマは重ならないように at_most 個までとし、一つの質問にしか当てはまらないものと、「その他」に当たるものは除いてください。" +
			"existing がある場合は、そこにないテーマだけを挙げてください。なければ空でかまいません。" +
			"各テーマには、id（英小文字の単語をハイフンでつないだもの）、英語の名前 en、日本語の名前 ja、含まれるものを一文で述べた規則 include、紛らわしいが含まれないもの exclude、" +
			"質問をそのまま写した例を二つ examples、そのような質問を見分ける語を十個まで words に書いてください。規則は日本語で書いてください。"},
	},
	PurposeQuestionDraft: {
		"en": {"Write one question that a reader of these documents might ask, and its correct answer, from the passages alone. " +
			"scope specific: the answer is a checkable item (name, number, date, yes or no, listed procedure). scope abstract: the answer explains, compares, summarises or gives reasons. " +
			"hops single_hop: the first passage is enough. hops multi_hop: the answer needs facts from at least two passages, and no single passage gives it. " +
			"The question must be understood without seeing the passages: name what it is about, and never write \"this document\" or \"the passage\". " +
			"Under quotes copy, character for character, the words of each passage that the answer rests on, with the passage's number. " +
			"usable is false when the passages give no such question; the other fields are empty then. Write in the language of the passages."},
		"ja": {"次の文章だけを根拠に、文書の読者が尋ねそうな質問を一つと、その正しい答えを書いてください。" +
			"scope が specific なら、答えは確認できる一項目（名称、数値、日付、はい・いいえ、決まった手順）です。abstract なら、答えは説明、比較、要約、理由です。" +
			"hops が single_hop なら最初の文章だけで答えられる質問、multi_hop なら二つ以上の文章の事実を合わせて初めて答えられる質問にしてください。" +
			"質問は文章を見なくても意味が通じるようにし、何についての質問かを名前で示してください。「この文書」「上の文章」とは書かないでください。" +
			"quotes には、答えの根拠となる語句を文章から一字一句そのまま写し、文章の番号を付けてください。" +
			"そのような質問が作れない場合は usable を false とし、他は空にしてください。文章と同じ言語で書いてください。"},
	},
}

// questionInstruction is the task in words, as a vote words it.
func questionInstruction(purpose, lang string, vote int) string {
	if lang != "ja" {
		lang = "en" // the other language the workbench has prompts for
	}
	wordings := questionInstructions[purpose][lang]
	return wordings[vote%len(wordings)]
}
