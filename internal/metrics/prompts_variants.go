package metrics

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Replicates must be perturbed (science.md 1.1): at temperature 0 repeats can be equal byte for byte, and the noise that is
// measured then is a false zero, although any rewording flips the verdict. Replicate r asks in wording r mod 3 and shows
// claims and contexts in an order of its own. Replicate 0 is what the workbench ships, unchanged.

// wordings is how many wordings a perturbed prompt has, the shipped one included.
const wordings = 3

// paraphrases are the other wordings of the prompts that a verdict hangs on. They ask for the same, in other words.
var paraphrases = map[string]map[string][wordings - 1]string{
	PurposeCorrectness: {
		"en": {
			"Take the reference as the truth and rate on a scale from 1 to 5 how far the answer says the same. " +
				"A 5 has everything right and nothing missing. A 4 is right but for a small omission. A 3 is right in the main, with details absent or vague. " +
				"A 2 has something right, but a serious mistake or omission. A 1 is wrong or gives no answer. Pay no attention to style and order. " +
				"Where answerable is false, the documents are silent: an answer that says so gets a 5, every other one a 1. " +
				"State the reason in one sentence, then the score.",
			"You compare an answer with the correct one, called reference. Which of these describes it? 1: it is wrong or does not answer. " +
				"2: part of it is right, with a major error or gap. 3: it is mostly right, but lacks details or clarity. 4: it is right with small gaps. " +
				"5: it is entirely right and complete. Judge what is said, not how. If answerable is false, nothing in the documents answers the question; " +
				"then 5 is for saying that and 1 for anything else. First one sentence why, then the number.",
		},
		"ja": {
			"正解を事実とみなし、回答の内容が正解とどの程度一致するかを1〜5で採点してください。5は、すべて正しく漏れがない。4は、正しいがごく小さな漏れがある。" +
				"3は、大筋で正しいが細部がないか曖昧。2は、正しい部分もあるが重大な誤りか漏れがある。1は、誤りか、答えになっていない。" +
				"文体や順序は採点に含めません。answerable が false の場合、文書は答えを含みません。そう述べた回答は5、ほかはすべて1です。理由を一文で述べてから採点してください。",
			"回答を、正しい答えである正解と比べ、次のどれに当たるかを選んでください。1：誤っている、または答えていない。2：一部は正しいが、大きな誤りや欠落がある。" +
				"3：おおむね正しいが、詳細や明確さに欠ける。4：正しく、不足はわずか。5：全面的に正しく、十分である。表現ではなく内容を判断してください。" +
				"answerable が false なら、質問の答えは文書にありません。その旨を述べていれば5、それ以外は1です。まず理由を一文、次に数字を示してください。",
		},
	},
	PurposeTrust: {
		"en": {
			"Rate on a scale from 1 to 5 how much of the answer comes from the contexts; whether it is true does not matter. " +
				"A 5 rests on the contexts throughout, a 4 for the most part, a 3 to a moderate extent, a 2 in part only, a 1 not at all. " +
				"If the contexts do not answer the question and the answer says just that, rate it 5. State the reason in one sentence, then the score.",
			"Look for each statement of the answer in the contexts. Which of these fits? 1: the answer is not based on them. 2: it is partially based on them. " +
				"3: moderately. 4: mostly. 5: fully. Correctness is not your concern, only the basis. " +
				"Rightly saying that the contexts hold no answer counts as 5. First one sentence why, then the number.",
		},
		"ja": {
			"回答のどれだけがコンテキストに由来するかを1〜5で採点してください。内容の真偽は問いません。5は全体が、4は大部分が、3は中程度が、2は一部だけがコンテキストに基づき、" +
				"1はまったく基づいていません。コンテキストが質問に答えておらず、回答がまさにそう述べている場合は5です。理由を一文で述べてから採点してください。",
			"回答の一つ一つの記述をコンテキストの中に探し、次のどれに当たるかを選んでください。1：基づいていない。2：部分的に基づいている。3：ある程度基づいている。" +
				"4：ほとんど基づいている。5：完全に基づいている。正しさではなく、根拠の有無だけを見てください。答えがコンテキストにないと正しく述べていれば5です。まず理由を一文、次に数字を示してください。",
		},
	},
	PurposeVerify: {
		"en": {
			"For each claim and each passage, taken in pairs, decide what the passage alone says about the claim; a claim with a list check is paired with those passages only. " +
				"Put a pair under verdicts as supported if the whole claim stands in the passage or follows from it directly, as contradicted if the two exclude each other. " +
				"All remaining pairs go under neither, as passage numbers for each claim. No pair may be missing or appear twice. " +
				"Names, dates, numbers and conditions have to match. The quote is copied from the passage letter for letter, unshortened. Rely on the passages only.",
			"Compare claims with passages, one pair at a time. If a claim has check, only the passages named there concern it. " +
				"supported: the passage contains or directly implies all of the claim. contradicted: they cannot both hold. Both kinds are listed under verdicts. " +
				"Anything else is listed under neither with its passage numbers, so that each pair occurs exactly once. " +
				"A different number, name, date or condition is no support. Give as quote the passage's own deciding words, verbatim and complete. Add no knowledge of your own.",
		},
		"ja": {
			"主張と文章を一組ずつ取り上げ、その文章だけから主張について何が言えるかを判断してください。check のある主張は、そこに挙げた文章とだけ組にします。" +
				"主張の全体が文章に書かれているか直接導かれる組は supported、互いに相容れない組は contradicted として verdicts に入れてください。" +
				"残りの組はすべて neither に、主張ごとの文章番号として入れてください。抜けや重複があってはいけません。" +
				"固有名詞、日付、数値、条件は一致が必要です。quote は文章から省略なしで一字一句書き写してください。根拠は文章だけとします。",
			"主張と文章を一組ずつ比べてください。check がある主張は、挙げられた文章だけが対象です。supported は、文章が主張のすべてを含むか直接含意する組です。" +
				"contradicted は、両方が同時には成り立たない組です。この二つを verdicts に挙げ、それ以外は neither に文章の番号で挙げ、各組がちょうど一度だけ現れるようにしてください。" +
				"数値、固有名詞、日付、条件が異なれば支持とはなりません。quote には、決め手となる文章の語句をそのまま全部写してください。自分の知識を加えないでください。",
		},
	},
}

// wording is one of our prompts as a replicate words it.
func wording(purpose, lang string, replicate int) string {
	if others, ok := paraphrases[purpose][lang]; ok && replicate%wordings > 0 {
		return others[replicate%wordings-1]
	}
	return instructions[purpose][lang]
}

// order is the order in which a replicate shows n things of a sample to the judge: as they are for replicate 0, otherwise the
// permutation of SplitMix64(hash(question id, what, replicate)). It depends on nothing else, so two runs that are compared
// show equal lists in the same order.
func (b *evaluation) order(ctx context.Context, what string, n int) []int {
	replicate := llm.ScopeOf(ctx).Replicate
	if replicate == 0 {
		return nil
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d", b.sample.QuestionID, what, replicate))
	return stats.NewSplitMix64(binary.BigEndian.Uint64(sum[:8])).Permutation(n)
}

// shuffled puts a list into an order; an empty order leaves it as it is.
func shuffled(list []string, order []int) []string {
	if len(order) != len(list) {
		return list
	}
	out := make([]string, len(list))
	for i, from := range order {
		out[i] = list[from]
	}
	return out
}

// PromptVersion names everything that the judge is told and in which form it must reply: 8 hexadecimal digits of a SHA-256.
// What was measured of a judge holds for this version.
func (c JudgeConfig) PromptVersion() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", replyVersion, matrixVersion)
	for _, purpose := range slices.Sorted(maps.Keys(instructions)) {
		for _, lang := range []string{"en", "ja"} {
			for r := range wordings {
				fmt.Fprintf(h, "%q\n", c.instruction(purpose, lang, r))
			}
		}
		fmt.Fprintf(h, "%s\n", schemas[purpose].Body)
	}
	if mark := c.exampleMark(); mark != "" {
		fmt.Fprintf(h, "examples %s\n", mark)
	}
	return hex.EncodeToString(h.Sum(nil))[:8]
}
