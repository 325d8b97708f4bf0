package notify

import (
	"time"

	"github.com/rag-workbench/workbench/frontend"
)

// why is why a slot ended as it did, what its fire noted, or why a schedule is paused, on one line: in Japanese in the words of the
// pages, with moments by the clock of the schedule.
func (t printer) why(written string) string {
	written = line(written, toldReason)
	if t.ja {
		written = frontend.Reason("ja", written, func(moment string) string {
			for _, layout := range []string{"2006-01-02 15:04 MST", time.RFC3339} {
				if at, err := time.Parse(layout, moment); err == nil {
					return t.at(at)
				}
			}
			return moment
		})
	}
	return written
}
