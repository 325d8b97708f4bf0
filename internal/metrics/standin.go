package metrics

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/llm"
)

// StandIn is a reply to a judge's prompt that satisfies it without saying anything: what a plan puts in the place of a reply
// that would have to be bought, so that it goes on to what depends on it. ok is false for other purposes.
func StandIn(req llm.Request) (reply string, ok bool) {
	yes, level := true, 0
	var out any
	switch req.Purpose {
	case PurposeAnswer:
		out = answerReply{Claims: standInClaims(req), OnTopic: &yes, Reason: "stand-in"}
	case PurposeClaims:
		out = claimsReply{Claims: standInClaims(req), Key: []int{}}
	case PurposeVerify:
		out = silent(req.Data)
	case PurposeCorrectness, PurposeTrust:
		out = rubricReply{Reason: "stand-in", Score: 3}
	case PurposeRelevancy:
		no := false
		out = relevancyReply{Questions: []string{"Stand-in one?", "Stand-in two?", "Stand-in three?"}, Noncommittal: &no}
	case PurposeEntities:
		out = entitiesReply{Entities: []string{"stand-in"}}
	case PurposeRubric:
		if levels := offlineLevels(req.Instruction); len(levels) > 0 {
			level = levels[0]
		}
		out = levelReply{Reason: "stand-in", Level: &level}
	case PurposeCritic:
		out = criticReply{Reason: "stand-in", Verdict: &yes}
	default:
		return "", false
	}
	body, err := json.Marshal(out)
	return string(body), err == nil
}

// standInClaims are as many claims as an answer or a reference has on average. Those of another text are other claims.
func standInClaims(req llm.Request) []string {
	digest := sha256.Sum256(req.Data)
	mark := hex.EncodeToString(digest[:4])
	return []string{"stand-in one of " + mark, "stand-in two of " + mark, "stand-in three of " + mark}
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
