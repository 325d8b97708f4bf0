package questions

import (
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// offlineCategory reads scope, hops and defects off the wording.
func offlineCategory(d categoryData) categoryReply {
	s := strings.Join(strings.Fields(d.Question), " ")
	r := categoryReply{Reason: "wording", Scope: experiments.Specific, Hops: experiments.SingleHop, Quality: []string{},
		Keywords: nounKeywords(s, nil)}
	r.Keywords = r.Keywords[:min(5, len(r.Keywords))]
	ja := text.Language(s) == "ja"
	abstract, hops := abstractEnglish, hopsEnglish
	pointing := pointsEnglish
	if ja {
		abstract, hops, pointing = abstractJapanese, hopsJapanese, pointsJapanese
	}
	folded := text.Fold(s)
	if abstract(folded) {
		r.Scope = experiments.Abstract
	}
	if hops(s, folded) >= multiHopFrom {
		r.Hops = experiments.MultiHop
	}
	if pointing.MatchString(folded) {
		r.Quality = append(r.Quality, MissingEntity)
	} else if len(r.Keywords) == 0 {
		r.Quality = append(r.Quality, AmbiguousQuestion)
	}
	return r
}

// What questions ask for, in English. A yes-or-no question is specific whatever it wants besides (the tie rule); a procedure is a
// list that can be checked.
var (
	yesNoEnglish     = text.Lazy(`^(is|are|was|were|am|do|does|did|can|could|will|would|has|have|had|should|shall|may|might|must)\b`)
	procedureEnglish = text.Lazy(`^how (do|can|should|could|would|must|may) (i|we|you|one|people|users?|customers?|` +
		`passengers?|visitors?)\b|^how to\b|\b(steps?|procedure|how to)\b`)
	quantityEnglish = text.Lazy(`\bhow (many|much|long|old|far|often|big|large|tall|high|deep|fast|soon|late|early|heavy|` +
		`wide|few|frequently|hot|cold)\b`)
	abstractCue = text.Lazy(`\b(why|explain|describe|discuss|compare|comparison|summari[sz]e|summary|overview|` +
		`outline|elaborate|interpret|differ|differs|differences?|distinguish|` +
		`reasons?|rationale|significance|importance|implications?|advantages?|disadvantages?|benefits?|drawbacks?|pros and cons|mechanisms?|relationship|impacts?|consequences|meaning|philosophy|` +
		`in what ways?|what does it mean|tell me about|what led to)\b|^how (is|are|was|were|did|does|do|has|have|had|can|could|might|will|would)\b|\bhow (does|do|did|is|are) [^?]* (work|affect|influence|contribute|relate|differ|help|function|change|evolve|shape)`)
	roleCue = text.Lazy(`^what (is|are|was|were) the ([a-z]+ )?(role|purpose|effects?|concept|idea|nature|context|` +
		`background|history|impact|goals?|aims?|function)\b`)
	meansCue        = text.Lazy(`\bwhat (does|do|did) .+ (mean|stand for|imply|signify|entail|involve|do)\b`)
	definitionShape = text.Lazy(`^what (is|are) (a |an |the )?([^ ]+ ?){1,3}\?*$`)
	attributeWord   = text.Lazy(`\b(of|for|in|on|at|by|to)\b|\b(name|number|fee|price|cost|date|size|age|address|capital|` +
		`rate|amount|limit|deadline)\b|\d`)
)

func abstractEnglish(s string) bool {
	switch {
	case yesNoEnglish.MatchString(s), procedureEnglish.MatchString(s), quantityEnglish.MatchString(s):
		return false
	case abstractCue.MatchString(s), roleCue.MatchString(s), meansCue.MatchString(s):
		return true
	}
	return definitionShape.MatchString(s) && !attributeWord.MatchString(s)
}

// What questions ask for, in Japanese.
var (
	asksJapanese     = text.Lazy(`いつ|どこ|誰|だれ|どなた|いくら|いくつ|何|なに|なん|どの|どちら|どれ|どう|なぜ|どんな`)
	quantityJapanese = text.Lazy(`いつ|どこ|誰|だれ|どなた|いくら|いくつ|どちら|どれ(くらい|ぐらい|だけ|ほど)|どの(くらい|ぐらい|程度)|何(人|年|月|日|時|歳|才|円|個|回|つ|分|` +
		`番|件|階|度|本|枚|名|位|世紀|週|歩|割|パーセント|%|種類|か月|ヶ月|カ月|キロ|メートル|という|と言|と呼)`)
	procedureJapanese = text.Lazy(`どう(すれば|したら|やって)|どのように(すれば|したら|手続|申請|申し込|申込|届け|提出|計算|記入|記載|支払)|手順|手続き?(を|は|の)?(教え|何|どのよう)|方法(を|は|について)?(教え|何|あり)`)
	abstractCueJa     = text.Lazy(`なぜ|何故|どうして|理由|わけを|説明|違い|相違|比較|比べて述べ|要約|まとめ|概要|とは[、,]?(どのような|どういう|どんな|何|なん)|とは[?？。]*$|` +
		`どのような(仕組み|意味|特徴|役割|影響|考え方?|もの|こと|背景|意義|目的|性質|効果|関係|制度|人物)|どういう(こと|意味|もの|制度)|仕組み|意義|背景|メリット|デメリット|利点|欠点|` +
		`について(教えて|述べ|知りたい)|どのように(して|変|異|影響|発展|関|なっ|機能|働|生|形成|考え|扱|取り扱)|どう(違|異|変わ|関係|なって|考え|影響|扱)`)
)

func abstractJapanese(s string) bool {
	for _, sentence := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("。?？", r) }) {
		if strings.HasSuffix(sentence, "か") && !asksJapanese.MatchString(sentence) {
			return false // yes or no, also with grounds
		}
	}
	switch {
	case procedureJapanese.MatchString(s):
		return false
	case strings.Contains(s, "なぜ") || strings.Contains(s, "理由"):
		return true
	case quantityJapanese.MatchString(s):
		return false
	}
	return abstractCueJa.MatchString(s)
}

// multiHopFrom is the evidence in the wording from which a question is taken to need facts from several places.
const multiHopFrom = 1.5

// The marks of questions that chain or compare facts, in English: a comparison of two, a thing described instead of named.
var (
	comparesEnglish = text.Lazy(`\b(both|in common|the same|neither|either|compared (to|with)|difference between|` +
		`between [^?]+ and [^?]+,? (which|who)|which (of the two|one|came|is|was|has|had|did|[a-z]+ (is|was|has|had|` +
		`came))\b.*\bor\b|who (is|was|has|had|came|died|lived|did)\b.*\bor\b|(are|were|is|was|do|did|have|has) .+ and .+ (both|` +
		`the same|from the same|also))`)
	clauseEnglish = text.Lazy(`[a-z0-9)'"] (who|whose|whom|which|that|where|in which|of which|for which) `)
	partEnglish   = text.Lazy(`\b(directed|written|produced|founded|created|named|released|published|starring|featuring|` +
		`composed|owned|born|located|based|played|portrayed|married|served|developed|designed|built|sung|recorded|performed|` +
		`known|hosted|held|headquartered|established|inspired|adapted|voiced) (by|in|at|on|for|from|as|after|to)\b`)
	// a statement whose last words ask
	invertedEnglish = text.Lazy(`\b(who|whom|what|which|whose|when|where)\b( [\p{L}'-]+){0,6}\?*$`)
	opensEnglish    = text.Lazy(`^((in|on|at|for|to|of|by|from|with|during|since|under) )?(who|whom|what|which|whose|when|` +
		`where|why|how|name|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should)\b`)
	wordEnglish = text.Lazy(`[\p{L}\p{N}'’.-]+`)
)

func hopsEnglish(s, folded string) float64 {
	score := 0.0
	if comparesEnglish.MatchString(folded) {
		score += 2
	}
	score += 1.0 * float64(min(2, len(clauseEnglish.FindAllString(folded, -1))))
	score += .75 * float64(min(2, len(partEnglish.FindAllString(folded, -1))))
	words := wordEnglish.FindAllString(s, -1)
	if names := nameRuns(words); names > 1 {
		score += .5 * float64(min(3, names)-1)
	}
	if strings.Count(folded, " of ") > 1 {
		score += .25
	}
	if !opensEnglish.MatchString(folded) && invertedEnglish.MatchString(folded) {
		score++
	}
	if len(words) > 16 {
		score += .5
	}
	return score
}

// nameRuns counts runs of capitalised words after the first word; short connecting words do not end a run.
func nameRuns(words []string) int {
	runs, inside := 0, false
	for i, w := range words {
		first := []rune(w)[0]
		switch {
		case i > 0 && unicode.IsUpper(first):
			if !inside {
				runs++
			}
			inside = true
		case inside && (w == "of" || w == "the" || w == "and" || w == "de" || w == "for"):
		default:
			inside = false
		}
	}
	return runs
}

// The marks of questions that chain or compare facts, in Japanese.
var (
	comparesJapanese = text.Lazy(`どちら|どっち|共通|同じ(です|でしょう|か|年|国|人|会社|監督|出身|学校|大学)|同一|両方|双方|いずれも|ともに|共に|それぞれ|比べ|比較|違い|` +
		`より(も)?(先|前|後|早|遅|多|少|大|小|高|低|長|短|古|新|年上|年下|若)|の(ほう|方)(が|は|を|で|に)|^[^、,]+と[^、,]+[、,][^?？]*のは|』と『`)
	clauseJapanese = text.Lazy(`(した|された|している|していた|である|だった|となった|なった|務めた|演じた|書いた|描いた|持つ|生まれた|行われた|出演した|勤める|属する|所属する|使われた|` +
		`出身の|販売する|開発した|製作した|制作した|設立した|創業した|監督した|主演した)(人物|人|方|会社|企業|国|都市|作品|映画|ドラマ|小説|曲|歌手|俳優|女優|監督|作家|著者|選手|大学|学校|番組|漫画|グループ|` +
		`バンド|チーム|組織|場所|県|市|町|年|[\p{Han}\p{Katakana}ー]{2,8})(の|は|が|を|に|と)`)
)

func hopsJapanese(_, folded string) float64 {
	score := 0.0
	if comparesJapanese.MatchString(folded) {
		score += 2
	}
	if clauseJapanese.MatchString(folded) {
		score += 1.25
	}
	switch n := strings.Count(folded, "の"); {
	case n >= 3:
		score += 1.25
	case n == 2:
		score += .75
	}
	return score
}

// Wordings that point to something the question does not name.
var (
	pointsEnglish = text.Lazy(`\b(this|these|those|the (above|present|current|given)) (study|paper|article|document|text|` +
		`report|review|passage|page|section|product|service|company|case|one)\b|` +
		`\bthe (study|paper|article|authors?|researchers)\b|^(is|are|was|does|do|did|can|will|what|where|when|why|how|who)( much| many| long| old| far| often)?( is| are| was| does| do| did| can| will)? (it|they|he|she|this|that|these|those)\b`)
	pointsJapanese = text.Lazy(`^(これ|それ|あれ|この|その|あの|ここ|そこ|彼|彼女|上記|前述|当該|同社|同氏)|本(研究|論文|書|記事|文書)|(上記|前述|当該)の`)
)
