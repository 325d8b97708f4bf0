package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server"
)

// What the pages ask the server for.
var (
	homePage = []string{"/", "/api/v1/me", "/api/v1/notebooks", "/api/v1/runs?limit=1"}
	listPage = []string{"/api/v1/runs?limit=50&sort=-correctness", "/api/v1/parameters?limit=500", "/api/v1/run-tags", "/api/v1/run-views"}
)

// looked measures the pages that people open: home and the list again and again, as while working; a comparison in a server that has
// just started, as on a Monday morning.
func (y *year) looked(ctx context.Context, last experiments.Fire, figures *weekly) (err error) {
	before, err := y.before(ctx, last)
	if err != nil {
		return err
	}
	compare := []string{fmt.Sprintf("/api/v1/comparisons?baseline=%s&candidate=%s", before, last.RunID),
		fmt.Sprintf("/api/v1/comparisons/questions?baseline=%s&candidate=%s&limit=50", before, last.RunID)}
	s, err := y.serving(ctx)
	if err != nil {
		return err
	}
	for _, page := range []struct {
		into  *spent
		paths []string
	}{{&figures.home, homePage}, {&figures.list, listPage}, {&figures.trend, []string{"/api/v1/schedules/" + last.Schedule + "/trend"}}} {
		if *page.into, err = y.asked(s, page.paths); err != nil {
			return err
		}
	}
	for i := range min(3, y.rounds) {
		if err := y.reopen(ctx); err != nil {
			return err
		}
		if s, err = y.serving(ctx); err != nil {
			return err
		}
		took, err := y.timed(func() error { return get(s, compare...) })
		if err != nil {
			return err
		}
		if i == 0 || took.sum() < figures.compare.sum() {
			figures.compare = took
		}
	}
	return nil
}

// asked is what a page takes, opened again and again: the least mean of several rounds.
func (y *year) asked(s http.Handler, paths []string) (least spent, err error) {
	const times = 20
	if err := get(s, paths...); err != nil {
		return least, err
	}
	for i := range y.rounds {
		took, err := y.timed(func() error {
			for range times {
				if err := get(s, paths...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return least, err
		}
		if took = (spent{took.own / times, took.server / times}); i == 0 || took.sum() < least.sum() {
			least = took
		}
	}
	return least, nil
}

// before is the run of the fire before, or the baseline in the first week.
func (y *year) before(ctx context.Context, last experiments.Fire) (string, error) {
	if last.Previous != "" {
		return last.Previous, nil
	}
	baseline, err := y.Store.Baseline(ctx, last.Schedule) // datasets are called as their schedules
	return baseline.RunID, err
}

// serving is the server over the open data folder.
func (y *year) serving(ctx context.Context) (http.Handler, error) {
	s, err := server.New(server.Options{Workbench: y.Workbench, Version: "year", Now: y.clock.now})
	if err != nil {
		return nil, err
	}
	return s.Handler(), get(s.Handler(), "/api/v1/me")
}

// get asks for paths, one after the other. What is not found or wrong is an error.
func get(s http.Handler, paths ...string) error {
	for _, path := range paths {
		if _, err := body(s, path); err != nil {
			return err
		}
	}
	return nil
}

// body is what a path gives.
func body(s http.Handler, path string) ([]byte, error) {
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
	r.RemoteAddr = "127.0.0.1:1"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("%s: %d: %s", path, w.Code, w.Body)
	}
	return w.Body.Bytes(), nil
}
