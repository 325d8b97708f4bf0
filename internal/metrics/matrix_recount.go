package metrics

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
)

// cellScope is what cells are shared within: the same judge with the same words, on answers to the same question. Questions do not
// share cells, because those of one run are judged at the same time: which of two would ask and which would look up is chance,
// and a request must not depend on chance.
func (b matrixJudge) cellScope(judge llm.Key) string { return cellScope(judge, b.sample.QuestionID) }

func cellScope(judge llm.Key, question string) string { return string(judge) + "\n" + question }

// Recount reads the verdicts out of a banked reply once more and keeps them in the stages, as if the judge had just given them.
// It serves recomputing a study, whose runs did not ask for cells that an earlier run had brought. lang is the language of the
// question. A reply of another judge, another prompt or another purpose is passed over.
func (s *Suite) Recount(ctx context.Context, c llm.Call, lang string) error {
	if c.Purpose != PurposeVerify || c.Model != s.config.Name || c.Provider != s.judge.Info().Name || c.State != llm.CallUsable {
		return nil
	}
	ctx = llm.WithScope(ctx, llm.Scope{Replicate: c.Replicate % retryStep})
	banked, err := llm.ReadBanked(c, schemas[PurposeVerify])
	if err != nil {
		return err
	}
	asked := s.request(ctx, task{purpose: PurposeVerify, lang: lang})
	if !strings.HasPrefix(banked.System, asked.Instruction) {
		return nil
	}
	var data verifyData
	var reply verifyReply
	if err := json.Unmarshal(banked.Data, &data); err != nil {
		return fmt.Errorf("the data of call %s: %w", c.ID, err)
	}
	if err := json.Unmarshal([]byte(banked.Text), &reply); err != nil {
		return nil //nolint:nilerr // it was of no use then either
	}
	cells := &missingCells{judge: cellScope(llm.KeyOf(s.judge.Info(), asked), c.QuestionID), need: map[pair]bool{},
		got: map[pair]cellVerdict{}, why: map[pair]string{}}
	for _, claim := range data.Claims {
		for k, passage := range data.Passages {
			if len(claim.Check) == 0 || slices.Contains(claim.Check, k+1) {
				cells.need[pair{claim.Text, passage.Text}] = true
			}
		}
	}
	b := &evaluation{Suite: s}
	return b.matrix().keepCells(ctx, cells, cells.read(data, reply, []string{c.ID}))
}
