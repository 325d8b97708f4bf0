package store

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func notice(about, channel string, seconds int) experiments.Notice {
	n := filled1[experiments.Notice]()
	n.ID, n.About, n.Channel, n.Kind = experiments.NoticeID(about, channel, experiments.NoticeAlert), about, channel,
		experiments.NoticeAlert
	n.Facts.Fire.Worker, n.Facts.Fire.SeenAt, n.Facts.Fire.Cancel = "", time.Time{}, false // nobody is told of them
	n.State, n.NextAt, n.CreatedAt, n.Attempts = experiments.NoticeWaiting, at(seconds), at(seconds), []experiments.Attempt{}
	return n
}

// newestFirst is how messages are listed.
var newestFirst = experiments.Part{Sort: "created_at", Down: true}

// messages are those of a part.
func messages(t *testing.T) func([]experiments.Notice, int, error) []experiments.Notice {
	return func(notices []experiments.Notice, _ int, err error) []experiments.Notice {
		t.Helper()
		ok(t, err)
		return notices
	}
}

func TestNotices(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		first, second, third := notice("fire-1", "ops", 1), notice("fire-1", "mail", 2), notice("fire-2", "ops", 3)
		third.Schedule = "other"
		added := must[int](t)
		if n := added(s.AddNotices(ctx, []experiments.Notice{first, second})); n != 2 {
			t.Errorf("%d messages were added; want 2", n)
		}
		changed := first
		changed.Facts.Schedule = "what is stored stays as it is"
		if n := added(s.AddNotices(ctx, []experiments.Notice{changed, third})); n != 1 {
			t.Errorf("%d messages were added; want 1", n)
		}
		list := func(f experiments.NoticeFilter) []experiments.Notice {
			notices, total, err := s.Notices(ctx, f, newestFirst)
			if ok(t, err); total != len(notices) {
				t.Errorf("%d messages, of %d", len(notices), total)
			}
			return notices
		}
		diff(t, []experiments.Notice{third, second, first}, list(experiments.NoticeFilter{}))
		diff(t, []experiments.Notice{third, first}, list(experiments.NoticeFilter{Channel: "ops"}))
		diff(t, []experiments.Notice{third}, list(experiments.NoticeFilter{Schedule: "other"}))
		diff(t, []experiments.Notice{third}, messages(t)(s.Notices(ctx, experiments.NoticeFilter{State: experiments.NoticeWaiting},
			experiments.Part{Sort: "created_at", Down: true, Limit: 1})))
		diff(t, []string{}, must[[]string](t)(s.HasNotices(ctx, []string{"nobody"})))
		diff(t, []string{third.ID}, must[[]string](t)(s.HasNotices(ctx, []string{third.ID, "nobody"})))
	})
}

func TestNoticesAreSentOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		n := notice("fire-1", "ops", 1)
		must[int](t)(s.AddNotices(ctx, []experiments.Notice{n, notice("fire-2", "ops", 50)}))
		if _, found, err := s.ClaimNotice(ctx, "", "a", at(0), at(60)); found || err != nil {
			t.Fatalf("claimed before its time: %v, %v", found, err)
		}
		got, found, err := s.ClaimNotice(ctx, "", "a", at(1), at(61))
		if !found || err != nil {
			t.Fatalf("not claimed: %v", err)
		}
		want := n
		want.State, want.NextAt, want.Attempts = experiments.NoticeSending, at(61),
			[]experiments.Attempt{{At: at(1), Outcome: experiments.AttemptSending}}
		diff(t, want, got)
		if _, found, _ := s.ClaimNotice(ctx, n.ID, "b", at(60), at(99)); found {
			t.Error("claimed by two")
		}
		ok(t, s.SettleNotice(ctx, n.ID, "a", experiments.Attempt{Outcome: "http_500", TookMS: 7}, experiments.NoticeWaiting, at(100)))
		wantProblem(t, s.SettleNotice(ctx, n.ID, "a", experiments.Attempt{Outcome: "delivered"}, experiments.NoticeDelivered, at(100)),
			problem.Conflict, "notice_lost")

		// The second worker stops without a word; the third takes over and delivers.
		for i, worker := range []string{"b", "c"} {
			if _, found, err = s.ClaimNotice(ctx, n.ID, worker, at(100+10*i), at(110+10*i)); !found || err != nil {
				t.Fatalf("not claimed: %v", err)
			}
		}
		wantProblem(t, s.SettleNotice(ctx, n.ID, "b", experiments.Attempt{Outcome: "delivered"}, experiments.NoticeDelivered, at(111)),
			problem.Conflict, "notice_lost")
		ok(t, s.SettleNotice(ctx, n.ID, "c", experiments.Attempt{Outcome: experiments.AttemptDelivered, TookMS: 9},
			experiments.NoticeDelivered, at(111)))
		want.State, want.NextAt, want.Attempts = experiments.NoticeDelivered, at(111), []experiments.Attempt{
			{At: at(1), Outcome: "http_500", TookMS: 7}, {At: at(100), Outcome: experiments.AttemptInterrupted},
			{At: at(110), Outcome: experiments.AttemptDelivered, TookMS: 9},
		}
		diff(t, []experiments.Notice{want}, messages(t)(s.Notices(ctx, experiments.NoticeFilter{State: experiments.NoticeDelivered},
			newestFirst)))
		if _, found, _ = s.ClaimNotice(ctx, n.ID, "d", at(9999), at(10000)); found {
			t.Error("a delivered message was claimed")
		}
		next, waits, err := s.NextNotice(ctx)
		if !waits || err != nil || !next.Equal(at(50)) {
			t.Errorf("the next message is due at %v (%v, %v); want %v", next, waits, err, at(50))
		}
	})
}

// TestNoticesOfManyServers lets several servers store and claim the same messages at the same time.
func TestNoticesOfManyServers(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		const servers, messages = 4, 25
		var added, claimed atomic.Int64
		var all []experiments.Notice
		for i := range messages {
			all = append(all, notice(fmt.Sprint("fire-", i), "ops", i))
		}
		var wg sync.WaitGroup
		for worker := range servers {
			s := d.open(t)
			wg.Go(func() {
				n, err := s.AddNotices(t.Context(), all)
				if err != nil {
					t.Error(err)
				}
				added.Add(int64(n))
				for {
					n, found, err := s.ClaimNotice(t.Context(), "", strconv.Itoa(worker), at(100), at(200))
					if err != nil {
						t.Error(err)
						return
					}
					if !found {
						break // or another was faster; what is left is counted below
					}
					claimed.Add(1)
					if err := s.SettleNotice(t.Context(), n.ID, strconv.Itoa(worker), experiments.Attempt{Outcome: "delivered"},
						experiments.NoticeDelivered, at(100)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		s := d.open(t)
		for {
			_, found, err := s.ClaimNotice(t.Context(), "", "last", at(100), at(200))
			ok(t, err)
			if !found {
				break
			}
			claimed.Add(1)
		}
		if added.Load() != messages || claimed.Load() != messages {
			t.Errorf("%d servers stored %d and claimed %d of %d messages", servers, added.Load(), claimed.Load(), messages)
		}
	})
}
