package main

// texts are the instructions of the three prompts, by name and language.
type texts struct{ trust, relevancy, correctness map[string]string }

// before is what was shipped until the wordings were measured; the grades of its trust prompt were recorded earlier.
var before = texts{
	relevancy: map[string]string{
		"relevancy.en": "You see an answer but not the question it was given to. Write three different questions that this answer would answer fully and directly, " +
			"each about another part or from another side of it, in the language of the answer. No two may mean the same. " +
			"noncommittal is true when the answer is evasive or vague, or says that it does not know; then write the questions it evades.",
	},
	correctness: map[string]string{
		"correctness.en": "Grade how well the answer agrees with the reference, which is right. 5: fully right and complete. 4: right, small gaps. " +
			"3: mostly right, but details are missing or unclear. 2: partly right with a major error or gap. 1: wrong, or does not answer. " +
			"Wording and order do not matter. When answerable is false, the documents do not hold the answer: saying so is a 5, anything else a 1. " +
			"Give one sentence of reason first.",
		"correctness.ja": "回答が正解とどれだけ一致しているかを評価してください。正解は常に正しいものとします。5：完全に正しく十分。4：正しいが、わずかな不足がある。" +
			"3：おおむね正しいが、詳細が欠けているか不明確。2：一部は正しいが、大きな誤りか欠落がある。1：誤り、または答えていない。" +
			"言い回しや順序は問いません。answerable が false のときは文書に答えがないので、そう述べた回答を5、それ以外を1とします。先に理由を一文で述べてください。",
	},
}

// tried is what stands beside it.
var tried = texts{
	trust: map[string]string{
		"trust.en": "Grade how far the answer is based on the contexts, whether or not it is right. 5: every statement is in the contexts. " +
			"4: one minor detail is not. 3: the main statement is, several details are not. 2: the main statement is not, some details are. 1: nothing is. " +
			"What the contexts contradict is not in them. An answer that only says that the contexts do not hold the answer is a 5 if they do not, " +
			"and a 1 if they do. Give one sentence of reason first.",
	},
	relevancy: map[string]string{
		"relevancy.en": "You see an answer but not the question it was given to. Write, in the language of the answer, three wordings of the one question " +
			"that this whole answer most likely replies to. Details and conditions of the answer belong to the same question. No two wordings may be equal. " +
			"noncommittal is true when the answer is evasive or vague, or says that it does not know; then word the question it evades.",
	},
	correctness: map[string]string{
		"correctness.en": "Find the facts of the reference that the question asks for; the reference is right. Grade the answer by these facts. " +
			"5: all are there and right. 4: a minor one is missing. 3: a condition or an amount is missing. " +
			"2: the main fact is missing but others are there, or something contradicts the reference. 1: none is there, or it does not answer. " +
			"Facts of the reference that were not asked for do not count, nor do additions that contradict nothing; wording and order do not matter. " +
			"When answerable is false, the documents do not hold the answer: saying so is a 5, anything else a 1. " +
			"Give one sentence of reason first: which needed fact is missing or wrong.",
		"correctness.ja": "まず、正解のうち質問が求めている事実を特定してください。正解は常に正しいものとします。その事実によって回答を評価してください。" +
			"5：すべて正しく述べている。4：些細な事実が一つ欠けている。3：条件または数値が欠けている。" +
			"2：中心となる事実が欠けているがほかは述べている、または正解と矛盾する記述がある。1：必要な事実が一つもない、または答えていない。" +
			"質問が求めていない正解中の事実が欠けていても減点しません。矛盾しない追加の記述も減点しません。言い回しや順序は問いません。" +
			"answerable が false のときは文書に答えがないので、そう述べた回答を5、それ以外を1とします。" +
			"先に理由として、欠けている、または誤っている事実を一文で述べてください。",
	},
}
