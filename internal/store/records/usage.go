package records

import (
	"context"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// usageRuns is how many runs, the newest ones, say what calls use.
const usageRuns = 20

// Usage says what calls used so far, for each purpose and model: in the newest runs of the experiment or, for purposes and models
// that it has not called, in the newest runs of all. Calls whose usage the provider did not say, and pruned ones, are left out.
func (s *LedgerTables) Usage(ctx context.Context, experiment string) ([]experiments.CallUsage, error) {
	own, err := s.usageOf(ctx, "WHERE experiment = ?", experiment)
	if err != nil {
		return nil, err
	}
	all, err := s.usageOf(ctx, "")
	known := map[[2]string]bool{}
	for _, u := range own {
		known[[2]string{u.Purpose, u.Model}] = true
	}
	for _, u := range all {
		if !known[[2]string{u.Purpose, u.Model}] {
			own = append(own, u)
		}
	}
	return own, err
}

func (s *LedgerTables) usageOf(ctx context.Context, of string, arguments ...any) ([]experiments.CallUsage, error) {
	var rows []struct {
		Purpose      string `gorm:"column:purpose"`
		Model        string `gorm:"column:model"`
		Calls        int    `gorm:"column:calls"`
		PromptTokens int64  `gorm:"column:prompt"`
		OutputTokens int64  `gorm:"column:output"`
		RequestBytes int64  `gorm:"column:bytes"`
	}
	query := `SELECT purpose, model, COUNT(*) AS calls, CAST(SUM(prompt_tokens) AS BIGINT) AS prompt,
			CAST(SUM(completion_tokens) AS BIGINT) AS output, CAST(SUM(LENGTH(request)) AS BIGINT) AS bytes
		FROM calls WHERE state = 'usable' AND prompt_tokens > 0 AND request IS NOT NULL
			AND run_id IN (SELECT id FROM (SELECT id FROM runs ` + of + ` ORDER BY seq DESC LIMIT ?) AS newest)
		GROUP BY purpose, model ORDER BY purpose, model`
	if err := s.Read(ctx).Raw(query, append(arguments, usageRuns)...).Scan(&rows).Error; err != nil {
		return nil, sqldb.Wrap("sum what calls used", err)
	}
	out := make([]experiments.CallUsage, len(rows))
	for i, r := range rows {
		out[i] = experiments.CallUsage(r)
	}
	return out, nil
}
