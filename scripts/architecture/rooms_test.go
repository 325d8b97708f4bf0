package architecture

import "testing"

// TestRoomsStandOnTheirOwnRung checks that a room is not taken for its hall, whichever of the two comes first.
func TestRoomsStandOnTheirOwnRung(t *testing.T) {
	t.Parallel()
	ladder := []string{"internal/hall/causes", "internal/hall/questions", "internal/hall", "internal/app", "internal/app/views"}
	for dir, want := range map[string]int{
		"internal/hall/causes": 0, "internal/hall/causes/deep": 0, "internal/hall/questions": 1, "internal/hall": 2,
		"internal/hall/other": 2,
		"internal/app":        3, "internal/app/views": 4, "internal/app/viewsmore": 3, "internal/hallway": -1,
	} {
		if got := rungOf(ladder, dir); got != want {
			t.Errorf("%s is on rung %d, want %d", dir, got, want)
		}
	}
}
