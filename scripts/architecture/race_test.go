package architecture_test

import "testing"

func TestRaceList(t *testing.T) {
	t.Parallel()
	tree := load(t, map[string]string{
		"internal/store/a.go":      "package store\nfunc F() { go F() }\n",
		"internal/store/a_test.go": "package store\nfunc TestBudgetRace() {}\n",
		"internal/app/jobs/b.go":   "package jobs\nfunc F(g group) { g.Go(func() {}) }\n",
		"internal/stats/c.go":      "package stats\nfunc F() {}\n",
		"internal/stats/c_test.go": "package stats\nfunc G() { go F() }\n",
		"scripts/x/d.go":           "package main\nfunc F() { go F() }\n",
	})
	for _, c := range []struct {
		name, list string
		want       []string
	}{
		{"all there", "# Why.\n\n./internal/store/... many writers\n./internal/app/... jobs side by side\n", nil},
		{"left out on purpose", "./internal/store/... many writers\n- internal/app it waits only\n", nil},
		{"one that is missing", "./internal/store/... many writers\n",
			[]string{"internal/app/jobs starts a goroutine (internal/app/jobs/b.go:2)"}},
		{"no reason", "./internal/store/...\n./internal/app/... jobs side by side\n", []string{"line 1 does not say why"}},
		{"no such package", "./internal/store/... many writers\n./internal/app/... jobs\n- internal/gone was there\n",
			[]string{"line 2 does not say why", "line 3 names internal/gone"}},
		{"one package is not those below it", "./internal/store many writers\n./internal/app jobs side by side\n",
			[]string{"line 2 names internal/app", "internal/app/jobs starts"}},
		{"filters find tests", "./internal/store -run=Race|Other many writers\n./internal/app/... jobs side by side\n",
			[]string{"line 1: no test in internal/store has Other"}},
		{"no pattern", "internal/store many writers\n./internal/app/... jobs side by side\n",
			[]string{"line 1 is neither", "internal/store starts"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, tree.RaceList([]byte(c.list)), c.want...)
		})
	}
}

func TestTurnList(t *testing.T) {
	t.Parallel()
	tree := load(t, map[string]string{
		"internal/store/a_test.go": "package store\nfunc TestLong() {}\nfunc TestBoth() {}\n",
		"internal/app/b_test.go":   "package app\nfunc TestBoth() {}\n",
	})
	for _, c := range []struct {
		name, list string
		want       []string
	}{
		{"all there", "# turn 0:\n./internal/store TestLong quicker ones\n", nil},
		{"no such test", "./internal/store TestLon quicker ones\n./internal/app TestLong quicker ones\n",
			[]string{"line 1: internal/store has no test TestLon", "line 2: internal/app has no test TestLong",
				"line 2: internal/store has a test TestLong too"}},
		{"two of a name", "./internal/store TestBoth quicker ones\n", []string{"line 1: internal/app has a test TestBoth too"}},
		{"folders have a turn", "# turn 0:\n./internal/... all elsewhere\n# turn 1:\n./internal/store all elsewhere\n./internal/store TestLong it\n",
			nil},
		{"a test whose folder waits", "# turn 0:\n./internal/... all elsewhere too\n# turn 1:\n./internal/store TestLong quicker ones\n",
			[]string{"line 4: TestLong never runs"}},
		{"no such folder", "# turn 0:\n./internal all it has only folders\n./internal/gone/... all it was there\n",
			[]string{"line 2 names internal,", "line 3 names internal/gone,"}},
		{"nothing holds the code", "./internal/store TestLong\nTestLong internal/store too\n", []string{"line 1 is not", "line 2 is not"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, tree.TurnList([]byte(c.list)), c.want...)
		})
	}
}
