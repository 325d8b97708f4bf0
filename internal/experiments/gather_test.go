package experiments

import (
	"testing"
	"time"
)

// Results that finish together are saved together, at most twenty; one that stays alone is not kept waiting for good.
func TestResultsThatFinishTogetherAreSavedTogether(t *testing.T) {
	finished := make(chan Result, 30)
	for range 24 {
		finished <- Result{}
	}
	if n := len(gather(Result{}, finished, 50*time.Millisecond)); n != commitAtMost {
		t.Errorf("%d results in a commit; want %d", n, commitAtMost)
	}
	if n := len(gather(<-finished, finished, 50*time.Millisecond)); n != 5 {
		t.Errorf("%d results in the commit of what is left while the run goes on; want 5", n)
	}
	finished <- Result{}
	close(finished)
	if n := len(gather(Result{}, finished, 50*time.Millisecond)); n != 2 {
		t.Errorf("%d results in the last commit; want 2", n)
	}
}
