package main

// check is a wording of the prompt that checks claims against passages.
type check struct {
	name        string
	instruction map[string]string // by language
	schema      string
}

// listsAll is what the program asked when the replies were recorded: they answer these words, whatever it asks later.
var listsAll = check{
	name: "lists every pair (shipped)",
	instruction: map[string]string{
		"en": "Check every claim against every passage by itself; where a claim has a list check, against the passages listed there only. " +
			"A pair is supported when the passage states or directly implies the whole claim, and contradicted when both cannot be true; list it under verdicts. " +
			"Every other pair belongs under neither, with the numbers of its passages. " +
			"Every pair stands in exactly one place; leave none out. " +
			"Numbers, names, dates and conditions must agree. " +
			"As quote copy the decisive words of the passage character for character, without shortening them. Use nothing but the passages.",
		"ja": "それぞれの主張を、それぞれの文章だけと照らし合わせてください。主張に check があれば、そこに挙げた文章とだけ照らし合わせてください。" +
			"文章が主張の全体を述べているか直接含意していれば supported、両立しなければ contradicted とし、verdicts に挙げてください。" +
			"それ以外の組は neither に、主張ごとに文章の番号を挙げてください。すべての組を必ずどちらか一方に一度だけ挙げてください。" +
			"数値、固有名詞、日付、条件は一致していなければなりません。" +
			"quote には、決め手となった文章中の語句を省略せず一字一句そのまま写してください。文章以外の知識は使わないでください。",
	},
	schema: `{"type":"object","properties":{` + verdicts +
		`"neither":{"type":"array","items":{"type":"object","properties":{` +
		`"claim":{"type":"integer","minimum":1},"passages":{"type":"array","items":{"type":"integer","minimum":1}}},` +
		`"required":["claim","passages"],"additionalProperties":false}}},"required":["verdicts","neither"],"additionalProperties":false}`,
}

// listsDecided lists only what is supported or contradicted.
var listsDecided = check{
	name: "lists only pairs that decide (tried)",
	instruction: map[string]string{
		"en": "Check every claim against every passage by itself; where a claim has a list check, against the passages listed there only. " +
			"Under verdicts list the pairs that decide something, and no others: supported when the passage states or directly implies the whole claim, " +
			"contradicted when both cannot be true. A pair that you do not list is neither. " +
			"Under compared list the numbers of the claims that you have compared with every passage. " +
			"Numbers, names, dates and conditions must agree. " +
			"As quote copy one contiguous piece of the passage that decides, character for character; " +
			"a passage may break off inside a word, never complete it. " +
			"Use nothing but the passages.",
		"ja": "それぞれの主張を、それぞれの文章だけと照らし合わせてください。主張に check があれば、そこに挙げた文章とだけ照らし合わせてください。" +
			"verdicts には、判断の決め手になる組だけを挙げてください。文章が主張の全体を述べているか直接含意していれば supported、両立しなければ contradicted とします。" +
			"挙げなかった組は、どちらでもないものとみなします。compared には、すべての文章と照らし合わせた主張の番号を挙げてください。" +
			"数値、固有名詞、日付、条件は一致していなければなりません。" +
			"quote には、決め手となった文章中の連続した一節を一字一句そのまま写してください。文章は単語の途中で切れていることがありますが、補わないでください。" +
			"文章以外の知識は使わないでください。",
	},
	schema: `{"type":"object","properties":{` + verdicts +
		`"compared":{"type":"array","items":{"type":"integer","minimum":1}}},"required":["verdicts","compared"],"additionalProperties":false}`,
}

const verdicts = `"verdicts":{"type":"array","items":{"type":"object","properties":{` +
	`"claim":{"type":"integer","minimum":1},"passage":{"type":"integer","minimum":1},` +
	`"quote":{"type":"string"},"verdict":{"type":"string","enum":["supported","contradicted"]}},` +
	`"required":["claim","passage","quote","verdict"],"additionalProperties":false}},`

// withQuestion splits a reference with the question beside it, by language.
var withQuestion = map[string]string{
	"en": "Break the text into claims: short sentences that each state one fact, can be understood alone and can be true or false. " +
		"The text answers the question: use the question to complete fragments, and turn a yes or a no into a full statement by means of it. " +
		"Replace pronouns by what they stand for. " +
		"Leave out greetings, citations and statements that the documents do not say something. An empty list is right when the text claims nothing. " +
		"List under key the numbers, from 1, of the claims without which an answer to the question would be incomplete; leave out mere detail.",
	"ja": "テキストを主張に分解してください。主張とは、一つの事実だけを述べ、単独で理解でき、真偽を判定できる短い文です。" +
		"テキストは質問への答えです。断片的な記述は質問を使って文に補い、「はい」「いいえ」は質問を使って完全な文に直してください。" +
		"指示語は指す内容に置き換えてください。" +
		"挨拶、引用番号、「文書に記載がない」という記述は除いてください。何も主張していなければ空のリストを返してください。" +
		"それがなければ質問への回答として不十分になる主張の番号（1から）を key に挙げ、補足的な主張は挙げないでください。",
}

// withoutDocuments splits an answer without what it says of documents, by the name of the prompt.
var withoutDocuments = map[string]string{
	"answer.en": "Break the answer into claims: short sentences that each state one fact, can be understood alone and can be true or false. " +
		"Replace pronouns by what they stand for; use the question to complete fragments, but add nothing the answer does not say. " +
		"Leave out greetings, citations and every statement about what documents do or do not hold. An empty list is right when the answer claims nothing. " +
		"refuses is true when the answer says that the information is not there or not known, and gives no answer. " +
		"on_topic is false only when the main statement of the answer is about something else than the question, right or wrong. " +
		"Give the reason for on_topic in one short sentence.",
	"answer.ja": "回答を主張に分解してください。主張とは、一つの事実だけを述べ、単独で理解でき、真偽を判定できる短い文です。" +
		"指示語は指す内容に置き換えてください。断片的な回答は質問を使って文に補えますが、回答にない内容を加えてはいけません。" +
		"挨拶、引用番号、および文書に何が書かれているか・いないかについての記述はすべて除いてください。何も主張していなければ空のリストを返してください。" +
		"refuses は、情報がない・分からないと述べて答えていないときに true とします。" +
		"on_topic は、回答の中心となる内容が質問と別の事柄についてのものであるときだけ、正誤を問わず false とします。" +
		"on_topic の理由を短い一文で述べてください。",
}
