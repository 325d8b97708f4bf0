package store

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/studies"
)

// TestEverythingKnowsEveryTable fails when a migration adds a table that nobody decided about.
func TestEverythingKnowsEveryTable(t *testing.T) {
	t.Parallel()
	left := []string{
		"install", "idempotency_keys", "jobs", "probes", "corpus_indexes", // of this installation
		"schedules", "fires", "scheduler_clock", "notices", "notice_attempts", // a copy would fire and send again
		"accounts", "sessions", "api_tokens", "sign_in_links", "audit_log", "share_links", "providers", // of this installation's people
		"traces", "trace_spans", // of this installation; what was made of them are datasets and logs
		"notebook_texts", "notebook_versions", "notebook_removed", "notebook_comments", // of files, which a backup has
		"goose_db_version", "sqlite_sequence",
		"results", "grounds", // made of answers and cells, where a study is read too
	}
	s := newSQLite(t).open(t)
	var tables []string
	ok(t, s.Orm.Raw("SELECT name FROM sqlite_master WHERE type = 'table'").Scan(&tables).Error)
	var moved []string
	for _, table := range studies.AllTables() {
		moved = append(moved, table.Name)
		if studies.KeyOf[table.Name] == "" {
			t.Errorf("nothing orders the rows of %s", table.Name)
		}
	}
	for _, table := range tables {
		if !slices.Contains(moved, table) && !slices.Contains(left, table) {
			t.Errorf("table %s is in no export of everything; move it, or say here why not", table)
		}
	}
	for _, table := range moved {
		if !slices.Contains(tables, table) {
			t.Errorf("there is no table %s", table)
		}
	}
}

// TestEverythingKnowsEveryColumn fails when a row type lacks a column of its table.
func TestEverythingKnowsEveryColumn(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	for table, row := range map[string]any{
		"judge_cards": library.JudgeCardRow{}, "endpoints": library.EndpointRow{}, "baselines": records.BaselineRow{},
		"taxonomies": library.TaxonomyRow{},
		"runs":       records.RunRow{}, "calls": records.CallRow{},
		"cells": records.CellRow{}, "answers": records.AnswerRow{}, "stages": records.StageRow{}, "logs": library.LogRow{},
		"agreements": library.AgreementRow{},
		"reviews":    records.ReviewRow{}, "run_notes": records.NoteRow{}, "run_tags": records.TagRow{}, "run_views": records.ViewRow{},
	} {
		var want, got []string
		ok(t, s.Orm.Raw("SELECT name FROM pragma_table_info(?)", table).Scan(&want).Error)
		for i := range reflect.TypeOf(row).NumField() {
			f := reflect.TypeOf(row).Field(i)
			name, _, _ := strings.Cut(strings.TrimPrefix(f.Tag.Get("gorm"), "column:"), ";")
			got = append(got, name)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s has the columns %v, its rows %v", table, want, got)
		}
	}
}
