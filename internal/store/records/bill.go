package records

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// billSums are the columns of a bill that come from the calls themselves, in the order of [billRow].
const billSums = `COUNT(*) AS calls,
	CAST(COALESCE(SUM(CASE WHEN state IN ('usable', 'unusable', 'failed') AND cost_kind <> 'estimated' THEN cost_micros ELSE 0 END), 0) AS BIGINT) AS confirmed,
	CAST(COALESCE(SUM(CASE WHEN state IN ('sent', 'banked', 'unknown') THEN estimate_micros WHEN cost_kind = 'estimated' THEN cost_micros ELSE 0 END), 0) AS BIGINT) AS possible,
	COUNT(CASE WHEN state IN ('sent', 'banked', 'unknown') OR cost_kind = 'estimated' THEN 1 END) AS possible_calls,
	COUNT(CASE WHEN state IN ('usable', 'unusable') AND cost_kind = 'unknown' THEN 1 END) AS unknown_price,
	COUNT(CASE WHEN state = 'unusable' THEN 1 END) AS unusable,
	COUNT(CASE WHEN state IN ('usable', 'unusable') THEN 1 END) AS replies,
	COUNT(CASE WHEN state = 'usable' AND repair <> '' THEN 1 END) AS repaired,
	CAST(COALESCE(SUM(cached_tokens), 0) AS BIGINT) AS cached_tokens,
	CAST(COALESCE(SUM(prompt_tokens), 0) AS BIGINT) AS prompt_tokens,
	CAST(COALESCE(SUM(completion_tokens), 0) AS BIGINT) AS output_tokens`

type billRow struct {
	Value         string `gorm:"column:value"`
	Calls         int    `gorm:"column:calls"`
	Confirmed     int64  `gorm:"column:confirmed"`
	Possible      int64  `gorm:"column:possible"`
	PossibleCalls int    `gorm:"column:possible_calls"`
	UnknownPrice  int    `gorm:"column:unknown_price"`
	Unusable      int    `gorm:"column:unusable"`
	Replies       int    `gorm:"column:replies"`
	Repaired      int    `gorm:"column:repaired"`
	CachedTokens  int64  `gorm:"column:cached_tokens"`
	PromptTokens  int64  `gorm:"column:prompt_tokens"`
	OutputTokens  int64  `gorm:"column:output_tokens"`
}

func fromBillRow(r billRow) experiments.Spending {
	return experiments.Spending{
		Calls: r.Calls, ConfirmedMicros: r.Confirmed, PossibleMicros: r.Possible, PossibleCalls: r.PossibleCalls,
		UnknownPrice: r.UnknownPrice, Unusable: r.Unusable, PromptTokens: r.PromptTokens, OutputTokens: r.OutputTokens,
		Replies: r.Replies, Repaired: r.Repaired, CachedTokens: r.CachedTokens,
	}
}

// Spent implements [experiments.BillStore]. A reply that is banked but not settled counts as possible: its cost is not
// known yet. The bill of a deleted run can still be read, except for what it saved.
func (s *LedgerTables) Spent(ctx context.Context, id string) (out experiments.Spending, err error) {
	err = s.Snapshot(ctx, "sum the calls of run "+id, func(tx *gorm.DB) error {
		var row billRow
		if err := tx.Raw("SELECT "+billSums+" FROM calls WHERE "+OfRun, id, id).Scan(&row).Error; err != nil {
			return err
		}
		out = fromBillRow(row)
		saved, err := savedCalls(tx, id)
		for _, c := range saved {
			out.SavedCalls++
			out.SavedMicros += c.Cost
		}
		if problem.Is(err, problem.NotFound) && out.Calls > 0 {
			return nil
		}
		return err
	})
	return out, err
}

// billFields are the fields that a bill can be split by, with their columns in the ledger.
var billFields = map[string]string{"stage": "stage", "purpose": "purpose", "question": "question_id", "model": "model"}

// BillLines implements [experiments.BillStore]. What was saved stands in the line of the stage, purpose and model of the call
// that was used again, and in the line of the first question that uses it.
func (s *LedgerTables) BillLines(ctx context.Context, id, field string) ([]experiments.BillLine, error) {
	column, known := billFields[field]
	if !known {
		return nil, problem.New(problem.Invalid, "bill_field", "a bill cannot be split by %q", field).
			With("field", field).WithHint("choose stage, purpose, question or model")
	}
	lines := map[string]experiments.Spending{}
	err := s.Snapshot(ctx, "sum the calls of run "+id, func(tx *gorm.DB) error {
		var rows []billRow
		if err := tx.Raw("SELECT "+column+" AS value, "+billSums+" FROM calls WHERE "+OfRun+" GROUP BY "+column, id, id).Scan(&rows).
			Error; err != nil {
			return err
		}
		for _, r := range rows {
			lines[r.Value] = fromBillRow(r)
		}
		saved, err := savedCalls(tx, id)
		for _, c := range saved {
			value := map[string]string{"stage": c.Stage, "purpose": c.Purpose, "question": c.usedBy, "model": c.Model}[field]
			line := lines[value]
			line.SavedCalls++
			line.SavedMicros += c.Cost
			lines[value] = line
		}
		if problem.Is(err, problem.NotFound) && len(rows) > 0 {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]experiments.BillLine, 0, len(lines))
	for _, value := range slices.Sorted(maps.Keys(lines)) {
		out = append(out, experiments.BillLine{Value: value, Spending: lines[value]})
	}
	return out, nil
}

// Calls implements [experiments.BillStore]. The calls of a deleted run can still be read.
func (s *LedgerTables) Calls(ctx context.Context, id string) ([]llm.Call, error) {
	var rows []CallRow
	tx := s.Read(ctx)
	err := tx.Where(OfRun, id, id).Omit("request", "reply").Order("sent_at, id").Find(&rows).Error
	if err == nil && len(rows) == 0 {
		_, err = FindRun(tx, id)
	}
	if err != nil {
		return nil, sqldb.Wrap("read the calls of run "+id, err)
	}
	out := make([]llm.Call, len(rows))
	for i, r := range rows {
		out[i] = fromCallRow(r)
	}
	return out, nil
}

// Call implements [experiments.BillStore].
func (s *LedgerTables) Call(ctx context.Context, id string) (llm.Call, error) {
	var row CallRow
	res := s.Read(ctx).Where("id = ?", id).Limit(1).Find(&row)
	if res.Error == nil && res.RowsAffected == 0 {
		return llm.Call{}, sqldb.Unknown("call", id)
	}
	return fromCallRow(row), sqldb.Wrap("read call "+id, res.Error)
}

// savedCall is a call that another run had bought.
type savedCall struct {
	ID      string `gorm:"column:id"`
	Stage   string `gorm:"column:stage"`
	Purpose string `gorm:"column:purpose"`
	Model   string `gorm:"column:model"`
	Cost    int64  `gorm:"column:cost_micros"`
	usedBy  string // the question
}

// savedCalls are the usable calls that a run uses, or a sweep's runs use, and others have bought; each once.
func savedCalls(tx *gorm.DB, id string) ([]savedCall, error) {
	if _, err := FindRun(tx, id); err != nil {
		return nil, err
	}
	var foreign []string // most databases of people who try the program out hold no call of another run, or none at all
	if err := tx.Raw("SELECT id FROM calls WHERE NOT "+OfRun+" LIMIT 1", id, id).Scan(&foreign).Error; err != nil || len(foreign) == 0 {
		return nil, err
	}
	used, err := UsedCalls(tx, id)
	if err != nil {
		return nil, err
	}
	var out []savedCall
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(used)), sqldb.BatchRows) {
		var rows []savedCall
		err := tx.Raw("SELECT id, stage, purpose, model, cost_micros FROM calls WHERE id IN ? AND state = 'usable' AND NOT "+OfRun+" ORDER BY id",
			chunk, id, id).Scan(&rows).Error
		if err != nil {
			return nil, err
		}
		for _, c := range rows {
			c.usedBy = used[c.ID]
			out = append(out, c)
		}
	}
	return out, nil
}

// UsedCalls are the ids of the calls behind the answers and scores of a run, or of a sweep and its runs, with the first
// question that uses each.
func UsedCalls(tx *gorm.DB, id string) (map[string]string, error) {
	stages, err := UsedStages(tx, id)
	if err != nil {
		return nil, err
	}
	first := map[string]Use{}
	err = EachStageCall(tx, slices.Sorted(maps.Keys(stages)), func(stage, call string) {
		if known, ok := first[call]; !ok || stages[stage].before(known) {
			first[call] = stages[stage]
		}
	})
	used := make(map[string]string, len(first))
	for call, u := range first {
		used[call] = u.question
	}
	return used, err
}

// Use is a question that uses something.
type Use struct {
	position int
	question string
}

func (u Use) before(v Use) bool {
	return cmp.Or(cmp.Compare(u.position, v.position), cmp.Compare(u.question, v.question)) < 0
}

// UsedStages are the keys of the stage outputs that the answers and cells of a run, or of a sweep and its runs, name, with
// the first question that uses each.
func UsedStages(tx *gorm.DB, id string) (map[string]Use, error) {
	// Runs are looked up before: of a query within, PostgreSQL cannot tell how few there are, and reads every cell of every run.
	var members []string
	if err := tx.Raw("SELECT id FROM runs WHERE id = ? OR sweep_id = ?", id, id).Scan(&members).Error; err != nil {
		return nil, err
	}
	out := map[string]Use{}
	for some := range slices.Chunk(members, sqldb.BatchRows) {
		if err := addUsed(tx, some, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// addUsed adds the stage outputs that the answers and cells of runs name.
func addUsed(tx *gorm.DB, runs []string, out map[string]Use) error {
	var rows []struct {
		Question string `gorm:"column:question_id"`
		Position int    `gorm:"column:position"`
		Stages   string `gorm:"column:stages"`
		Second   string `gorm:"column:second"`
	}
	add := func(key string, u Use) {
		if known, ok := out[key]; key != "" && (!ok || u.before(known)) {
			out[key] = u
		}
	}
	err := tx.Raw("SELECT DISTINCT question_id, position, stages FROM cells WHERE stages <> 'null' AND run_id IN ?", runs).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, r := range rows {
		keys, err := KeyList(r.Stages)
		if err != nil {
			return err
		}
		for _, key := range keys {
			add(key, Use{r.Position, r.Question})
		}
	}
	rows = nil
	err = tx.Raw(`SELECT question_id, retrieval_key AS stages, generation_key AS second, COALESCE((SELECT MIN(position) FROM cells
			WHERE cells.run_id = answers.run_id AND cells.question_id = answers.question_id), 0) AS position
		FROM answers WHERE run_id IN ?`, runs).Scan(&rows).Error
	for _, r := range rows {
		add(r.Stages, Use{r.Position, r.Question})
		add(r.Second, Use{r.Position, r.Question})
	}
	return err
}

// EachStageCall calls f with every call that these stage outputs were computed from.
func EachStageCall(tx *gorm.DB, stages []string, f func(stage, call string)) error {
	for chunk := range slices.Chunk(stages, sqldb.BatchRows) {
		var rows []StageRow
		if err := tx.Select("key", "calls").Where("calls <> 'null' AND key IN ?", chunk).Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			calls, err := KeyList(r.Calls)
			if err != nil {
				return err
			}
			for _, call := range calls {
				f(r.Key, call)
			}
		}
	}
	return nil
}

// OriginOf is the address of a provider, as the newest call to it says; NotFound when none was made.
func (s *LedgerTables) OriginOf(ctx context.Context, provider string) (string, error) {
	origins, err := s.OriginsOf(ctx, provider)
	if err == nil && len(origins) == 0 {
		return "", sqldb.Unknown("provider", provider)
	}
	if err != nil {
		return "", err
	}
	return origins[0], nil
}

// OriginsOf returns every address under which a provider was asked, the newest first.
func (s *LedgerTables) OriginsOf(ctx context.Context, provider string) (origins []string, err error) {
	err = s.Read(ctx).Raw("SELECT origin FROM calls WHERE provider = ? GROUP BY origin ORDER BY MAX(sent_at) DESC", provider).Scan(&origins).Error
	if err != nil {
		return nil, sqldb.Wrap("find the addresses of "+provider, err)
	}
	return origins, nil
}

// CallsFor returns the usable calls for a purpose with their bodies, in the order they were sent.
func (s *LedgerTables) CallsFor(ctx context.Context, purpose string) ([]llm.Call, error) {
	var rows []CallRow
	if err := s.Read(ctx).Where("purpose = ? AND state = 'usable'", purpose).Order("sent_at, id").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("read the calls for "+purpose, err)
	}
	out := make([]llm.Call, len(rows))
	for i, r := range rows {
		out[i] = fromCallRow(r)
	}
	return out, nil
}
