package metrics

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/rag-workbench/workbench/internal/llm"
)

// What a plan assumes of texts whose claims nobody has listed yet: so many tokens of the text for each claim, and at least so many
// claims; a claim is so many tokens long, and a judge who proves one quotes half as much again.
const (
	typicalClaimOf, mostClaimOf = 20, 40
	typicalClaims, mostClaims   = 1, 10
	claimTokens                 = 18
)

// StandIn is a reply to a judge's prompt that satisfies it without saying anything: what a plan puts in the place of a reply
// that would have to be bought, so that it goes on to what depends on it. It is what such replies usually are or, where most
// is true, one after which as much has to be asked as ever is: ten claims or more, and verdicts that are missing until they were
// asked for again. ok is false for other purposes.
func StandIn(req llm.Request, most bool) (reply string, ok bool) {
	yes, level := true, 0
	var out any
	switch req.Purpose {
	case PurposeAnswer:
		out = answerReply{Claims: standInClaims(req, most), OnTopic: &yes, Reason: standInReason}
	case PurposeClaims:
		out = claimsReply{Claims: standInClaims(req, most), Key: []int{}}
	case PurposeVerify:
		if most && req.Replicate/retryStep < maxReasks {
			out = verifyReply{Verdicts: []cell{}, Neither: []silence{}}
		} else {
			out = silent(req.Data)
		}
	case PurposeCorrectness, PurposeTrust:
		out = rubricReply{Reason: standInReason, Score: 3}
	case PurposeParts:
		out = partsReply{Parts: []part{{Part: standInReason, Given: "yes"}}, Off: []int{}}
	case PurposeRelevancy:
		no, mark := false, markOf(req)
		questions := []string{"Stand-in one of " + mark + "?", "Stand-in two of " + mark + "?", "Stand-in three of " + mark + "?"}
		out = relevancyReply{Questions: questions, Noncommittal: &no}
	case PurposeEntities:
		out = entitiesReply{Entities: []string{"stand-in"}}
	case PurposeRubric:
		if levels := offlineLevels(req.Instruction); len(levels) > 0 {
			level = levels[0]
		}
		out = levelReply{Reason: standInReason, Level: &level}
	case PurposeCompare:
		out = compareReply{Reason: standInReason, Better: "equal"}
	case PurposeCritic:
		out = criticReply{Reason: standInReason, Verdict: &yes}
	default:
		return "", false
	}
	body, err := json.Marshal(out)
	return string(body), err == nil
}

// standInReason is as long as a judge's reasons usually are.
const standInReason = "stand-in for one short sentence that says why the judge decided as it did"

// StandInTokens is how long the reply usually is that a stand-in stands for: verdicts come with the words that prove them.
func StandInTokens(req llm.Request, standIn string) int {
	n := llm.EstimateTokens(standIn)
	var d verifyData
	if req.Purpose == PurposeVerify && json.Unmarshal(req.Data, &d) == nil {
		n += 3 * claimTokens / 2 * len(d.Claims)
	}
	return n
}

// markOf is different for different data and different instructions.
func markOf(req llm.Request) string {
	digest := sha256.Sum256([]byte(req.Model + "\n" + req.Instruction + "\n" + string(req.Data)))
	return hex.EncodeToString(digest[:4])
}

// standInClaims are as many claims as a text has. Those of another text are other claims.
func standInClaims(req llm.Request, most bool) []string {
	var texts struct{ Answer, Text string }
	_ = json.Unmarshal(req.Data, &texts) // of other data the least is assumed
	tokens, mark := llm.EstimateTokens(texts.Answer+texts.Text), markOf(req)
	n := max(typicalClaims, (tokens+typicalClaimOf/2)/typicalClaimOf)
	if most {
		n = max(mostClaims, (tokens+mostClaimOf-1)/mostClaimOf)
	}
	claims := make([]string, min(n, maxListed))
	for i := range claims {
		claims[i] = fmt.Sprintf("stand-in %d of ", i+1) + mark + " that states one single fact of the text in words of its own."
	}
	return claims
}

// silent says of every pair that was asked about that the passage does not decide it.
func silent(data json.RawMessage) verifyReply {
	out := verifyReply{Verdicts: []cell{}, Neither: []silence{}}
	var d verifyData
	if err := json.Unmarshal(data, &d); err != nil {
		return out
	}
	for _, c := range d.Claims {
		check := c.Check
		if len(check) == 0 {
			for _, p := range d.Passages {
				check = append(check, p.Number)
			}
		}
		out.Neither = append(out.Neither, silence{Claim: c.Number, Passages: check})
	}
	return out
}
