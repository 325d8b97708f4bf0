package laboratory

import (
	"context"
	"fmt"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// laps opens systems for so many questions, each of which tries so many changes in turn, the last of them for every tenth question only,
// where so many systems have room. It returns how many were opened, by change.
func laps(t *testing.T, questions, changes, room int) []int {
	t.Helper()
	opened := make([]int, changes+1)
	s := &labSystems{items: map[string]*labSystem{}, asked: map[string]int{}, room: int64(room)}
	s.held = func() int64 { return int64(len(s.order)) }
	s.open = func(_ context.Context, c rag.Config) (*rag.System, error) {
		opened[c.Retrieve.K]++
		return nil, nil
	}
	for q := range questions {
		for k := range changes + 1 {
			if k == changes && q%10 > 0 {
				continue
			}
			c := rag.Config{Retrieve: rag.Retrieve{K: k}}
			if err := s.with(t.Context(), c, func(*rag.System) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := len(s.order); n > max(room, fewestSystems) {
		t.Errorf("%d systems are open, and %d have room", n, room)
	}
	return opened
}

// TestSystemsStayForTheNextQuestion: where some of the systems have room, those stay, instead of each being given up just before its turn.
func TestSystemsStayForTheNextQuestion(t *testing.T) {
	t.Parallel()
	const questions, changes = 100, 14
	for room, most := range map[int]int{4: 9, 10: 6, 13: 3, 15: 0} { // so many of the changes may be opened for each question
		opened := laps(t, questions, changes, room)
		all := 0
		for _, n := range opened[:changes] {
			all += n
		}
		if bound := changes + most*questions; all > bound {
			t.Errorf("room for %d: %d openings, at most %d: %s", room, all, bound, fmt.Sprint(opened))
		}
		if room >= 15 && opened[changes] != 1 {
			t.Errorf("with room for all, the change that is seldom tried was opened %d times", opened[changes])
		}
	}
}
