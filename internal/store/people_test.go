package store

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

func account(id, name string, role experiments.Role) experiments.Account {
	return experiments.Account{ID: id, Name: name, Role: role, PasswordHash: "hash-" + id, CreatedAt: at(0)}
}

// TestPeopleRoundTrip stores values with every field set and expects each field back.
func TestPeopleRoundTrip(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		a := filled1[experiments.Account]()
		a.Name = "  Ann 値 "
		ok(t, s.CreateAccount(ctx, a))
		diff(t, a, must[experiments.Account](t)(s.Account(ctx, a.ID)))
		diff(t, a, must[experiments.Account](t)(s.AccountNamed(ctx, "ANN 値")))
		diff(t, a, must[experiments.Account](t)(s.AccountOf(ctx, a.Subject)))
		w := filled1[experiments.WebSession]()
		ok(t, s.PutSession(ctx, w))
		got, found, err := s.Session(ctx, w.ID, at(0))
		if err != nil || !found {
			t.Fatal(found, err)
		}
		diff(t, w, got)
		tok := filled1[experiments.APIToken]()
		ok(t, s.CreateToken(ctx, tok))
		diff(t, tok, must[experiments.APIToken](t)(s.TokenHashed(ctx, tok.Hash)))
		diff(t, tok, must[experiments.APIToken](t)(s.Token(ctx, tok.ID)))
		l := filled1[experiments.Link]()
		ok(t, s.PutLink(ctx, l))
		diff(t, l, must[experiments.Link](t)(s.Link(ctx, l.Hash, at(0))))
		e := filled1[experiments.AuditEntry]()
		ok(t, s.AppendAudit(ctx, e))
		e.ID = 1 // the first one of this database
		entries, total, err := s.Audit(ctx, experiments.AuditFilter{})
		ok(t, err)
		diff(t, []experiments.AuditEntry{e}, entries)
		if total != 1 {
			t.Errorf("total %d", total)
		}
	})
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		ok(t, s.CreateAccount(ctx, account("1", "ann@x.example", experiments.RoleAdmin)))
		ok(t, s.CreateAccount(ctx, account("2", "Bob", experiments.RoleViewer)))
		wantProblem(t, s.CreateAccount(ctx, account("3", "BOB", experiments.RoleViewer)), problem.Conflict, "account_exists")
		_, err := s.Account(ctx, "none")
		wantProblem(t, err, problem.NotFound, "account_unknown")
		var names []string
		for _, a := range must[[]experiments.Account](t)(s.Accounts(ctx)) {
			names = append(names, a.Name)
		}
		diff(t, []string{"ann@x.example", "Bob"}, names)

		_, err = s.ChangeAccount(ctx, "1", func(a *experiments.Account) error { a.Role = experiments.RoleViewer; return nil })
		wantProblem(t, err, problem.Conflict, "last_admin")
		_, err = s.ChangeAccount(ctx, "1", func(a *experiments.Account) error { a.Disabled = true; return nil })
		wantProblem(t, err, problem.Conflict, "last_admin")
		for _, id := range []string{"a", "b"} {
			ok(t, s.PutSession(ctx, experiments.WebSession{ID: id, Account: "2", CreatedAt: at(1), SeenAt: at(1), ExpiresAt: at(100)}))
		}
		sessions := func() int { return len(must[[]experiments.WebSession](t)(s.Sessions(ctx, "2", at(2)))) }
		_, err = s.ChangeAccount(ctx, "2", func(a *experiments.Account) error { a.Role = experiments.RoleAdmin; return nil })
		if err != nil || sessions() != 2 {
			t.Errorf("another role: %v, %d sessions", err, sessions())
		}
		changed, err := s.ChangeAccount(ctx, "2", func(a *experiments.Account) error { a.PasswordHash = "new"; return nil })
		if err != nil || sessions() != 0 || changed.PasswordHash != "new" {
			t.Errorf("another password: %+v %v, %d sessions", changed, err, sessions())
		}
		stop := errors.New("stop")
		if _, err := s.ChangeAccount(ctx, "2", func(*experiments.Account) error { return stop }); !errors.Is(err, stop) {
			t.Error(err)
		}
	})
}

// Two administrators take each other's role at the same moment: one of them stays.
func TestOneAdministratorStays(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		other := d.open(t)
		for round := range 10 {
			ids := [2]string{"a" + at(round).Format("05"), "b" + at(round).Format("05")}
			for _, id := range ids {
				ok(t, s.CreateAccount(ctx, account(id, id, experiments.RoleAdmin)))
			}
			if round > 0 { // only the two of this round are administrators
				for _, a := range must[[]experiments.Account](t)(s.Accounts(ctx)) {
					if a.ID != ids[0] && a.ID != ids[1] {
						_, err := s.ChangeAccount(ctx, a.ID, func(a *experiments.Account) error { a.Disabled = true; return nil })
						ok(t, err)
					}
				}
			}
			var wg sync.WaitGroup
			refused := make(chan error, 2)
			for i, id := range ids {
				wg.Go(func() {
					_, err := []*Store{s, other}[i].ChangeAccount(ctx, id,
						func(a *experiments.Account) error { a.Role = experiments.RoleViewer; return nil })
					refused <- err
				})
			}
			wg.Wait()
			first, second := <-refused, <-refused
			if (first == nil) == (second == nil) {
				t.Fatalf("round %d: %v, %v", round, first, second)
			}
			wantProblem(t, errors.Join(first, second), problem.Conflict, "last_admin")
		}
	})
}

// A setup link works once, for one of many who try it, on whichever server.
func TestSetupIsRacedByMany(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		other := d.open(t)
		for _, hash := range []string{"l1", "l2"} { // two servers printed one each
			ok(t, s.PutLink(ctx, experiments.Link{Hash: hash, Kind: experiments.LinkSetup, CreatedAt: at(0), ExpiresAt: at(1800)}))
		}
		wantProblem(t, s.UseSetupLink(ctx, "l1", at(1800), account("late", "late", experiments.RoleAdmin)), problem.NotFound,
			"link_unknown")
		var wg sync.WaitGroup
		made := make(chan error, 16)
		for i := range cap(made) {
			wg.Go(func() {
				id := at(i).Format("05")
				made <- []*Store{s, other}[i%2].UseSetupLink(ctx, []string{"l1", "l2"}[i/2%2], at(1),
					account(id, "admin-"+id, experiments.RoleAdmin))
			})
		}
		wg.Wait()
		close(made)
		won := 0
		for err := range made {
			if err == nil {
				won++
			} else if code := problem.CodeOf(err); code != "link_unknown" && code != "setup_done" {
				t.Error(err)
			}
		}
		if n := len(must[[]experiments.Account](t)(s.Accounts(ctx))); won != 1 || n != 1 {
			t.Errorf("%d won, %d accounts", won, n)
		}
		ok(t, s.PutLink(ctx, experiments.Link{Hash: "l3", Kind: experiments.LinkSetup, CreatedAt: at(0), ExpiresAt: at(1800)}))
		wantProblem(t, s.UseSetupLink(ctx, "l3", at(1), account("x", "x", experiments.RoleAdmin)), problem.Conflict, "setup_done")
	})
}

func TestResetLinks(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		ok(t, s.CreateAccount(ctx, account("1", "ann", experiments.RoleViewer)))
		for _, hash := range []string{"r1", "r2"} {
			ok(t, s.PutLink(ctx, experiments.Link{Hash: hash, Kind: experiments.LinkReset, Account: "1", CreatedAt: at(0),
				ExpiresAt: at(60)}))
		}
		ok(t, s.PutSession(ctx, experiments.WebSession{ID: "a", Account: "1", CreatedAt: at(1), SeenAt: at(1), ExpiresAt: at(100)}))
		wantProblem(t, s.UseSetupLink(ctx, "r1", at(1), account("x", "x", experiments.RoleAdmin)), problem.NotFound, "link_unknown")
		got, err := s.UseResetLink(ctx, "r1", at(1), "new")
		if err != nil || got.ID != "1" || got.PasswordHash != "new" {
			t.Fatalf("%+v %v", got, err)
		}
		if _, found, _ := s.Session(ctx, "a", at(2)); found {
			t.Error("the session outlives the password")
		}
		for _, hash := range []string{"r1", "r2", "none"} { // its other links went with it
			_, err = s.UseResetLink(ctx, hash, at(1), "again")
			wantProblem(t, err, problem.NotFound, "link_unknown")
		}
	})
}

// What one server ends is ended on the other one too, also for a request that is under way there.
func TestSessionsAreShared(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		here, there, ctx := d.open(t), d.open(t), t.Context()
		ok(t, here.PutSession(ctx, experiments.WebSession{ID: "a", Account: "1", Data: []byte("x"), CreatedAt: at(1), SeenAt: at(1),
			ExpiresAt: at(100)}))
		if _, found, err := there.Session(ctx, "a", at(2)); !found || err != nil {
			t.Fatal(found, err)
		}
		ok(t, there.PutSeen(ctx, "a", []byte("y"), at(50), at(200)))
		if w, found, _ := here.Session(ctx, "a", at(150)); !found || string(w.Data) != "y" || !w.SeenAt.Equal(at(50)) {
			t.Errorf("%+v %v", w, found)
		}
		if n, err := here.DeleteSessions(ctx, "1"); n != 1 || err != nil {
			t.Error(n, err)
		}
		ok(t, there.PutSeen(ctx, "a", []byte("z"), at(60), at(300)))
		if _, found, _ := there.Session(ctx, "a", at(61)); found {
			t.Error("a request that was under way brought the session back")
		}
		ok(t, here.PutSession(ctx, experiments.WebSession{ID: "b", Token: "t", CreatedAt: at(1), SeenAt: at(1), ExpiresAt: at(100)}))
		if _, found, _ := there.Session(ctx, "b", at(100)); found {
			t.Error("the session has expired")
		}
	})
}

func TestTokens(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		one := experiments.APIToken{ID: "1", Name: "ci", Hash: "h1", Role: experiments.RoleEditor, Account: "ann", CreatedAt: at(1),
			ExpiresAt: at(90)}
		ok(t, s.CreateToken(ctx, one))
		again := one
		again.ID = "9"
		ok(t, s.CreateToken(ctx, again)) // as two servers that take over the same file
		ok(t, s.CreateToken(ctx, experiments.APIToken{ID: "2", Hash: "h2", Role: experiments.RoleAdmin, CreatedAt: at(2)}))
		diff(t, []experiments.APIToken{one}, must[[]experiments.APIToken](t)(s.Tokens(ctx, "ann", false)))
		if all := must[[]experiments.APIToken](t)(s.Tokens(ctx, "", true)); len(all) != 2 || all[0].ID != "2" {
			t.Errorf("%+v", all)
		}
		ok(t, s.UseToken(ctx, "1", at(5)))
		ok(t, s.PutSession(ctx, experiments.WebSession{ID: "a", Token: "1", CreatedAt: at(1), SeenAt: at(1), ExpiresAt: at(100)}))
		ok(t, s.RevokeToken(ctx, "1", at(6)))
		ok(t, s.RevokeToken(ctx, "1", at(7)))
		got := must[experiments.APIToken](t)(s.TokenHashed(ctx, "h1"))
		if !got.UsedAt.Equal(at(5)) || !got.RevokedAt.Equal(at(6)) || got.Alive(at(7)) {
			t.Errorf("%+v", got)
		}
		if _, found, _ := s.Session(ctx, "a", at(7)); found {
			t.Error("the session outlives its token")
		}
		wantProblem(t, s.RevokeToken(ctx, "none", at(1)), problem.NotFound, "token_unknown")
		_, err := s.TokenHashed(ctx, "none")
		wantProblem(t, err, problem.NotFound, "token_unknown")
	})
}

func TestAuditLog(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		for i := range 20 {
			e := experiments.AuditEntry{At: at(i), Kind: "account", Actor: "1", Name: "ann", Action: experiments.AuditSignIn,
				Outcome: experiments.AuditDone, Address: "192.0.2.1"}
			if i%2 == 1 {
				e.Outcome, e.Address = experiments.AuditFailed, "198.51.100.9"
			}
			ok(t, s.AppendAudit(ctx, e))
		}
		page := func(f experiments.AuditFilter) (out []int, total int) {
			entries, total, err := s.Audit(ctx, f)
			ok(t, err)
			for _, e := range entries {
				out = append(out, int(e.At.Sub(at(0)).Seconds()))
			}
			return out, total
		}
		first, total := page(experiments.AuditFilter{Outcome: experiments.AuditDone, Limit: 3})
		diff(t, []int{18, 16, 14}, first)
		if total != 10 {
			t.Errorf("total %d", total)
		}
		entries, _, err := s.Audit(ctx, experiments.AuditFilter{Name: "ann", Action: experiments.AuditSignIn, Since: at(15), Limit: 2})
		ok(t, err)
		rest, total := page(experiments.AuditFilter{Since: at(15), Before: entries[1].ID})
		diff(t, []int{17, 16, 15}, rest)
		if total != 5 {
			t.Errorf("total %d", total)
		}
		for address, want := range map[string]bool{"192.0.2.1": true, "198.51.100.9": false, "192.0.2.2": false} {
			if got := must[bool](t)(s.SignedInFrom(ctx, "1", address, at(0))); got != want {
				t.Errorf("signed in from %s: %v", address, got)
			}
		}
		if must[bool](t)(s.SignedInFrom(ctx, "1", "192.0.2.1", at(19))) {
			t.Error("what is long ago counts")
		}
		ok(t, s.PutSession(ctx, experiments.WebSession{ID: "a", CreatedAt: at(1), SeenAt: at(1), ExpiresAt: at(100)}))
		ok(t, s.PrunePeople(ctx, at(200), experiments.Retention{Before: at(4), Done: 5, Refused: 2}))
		left, _ := page(experiments.AuditFilter{})
		diff(t, []int{19, 18, 17, 16, 14, 12, 10}, left)
		if _, found, _ := s.Session(ctx, "a", time.Time{}); found {
			t.Error("an expired session was kept")
		}
	})
}
