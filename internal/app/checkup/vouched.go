package checkup

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// vouched says what the key of the place cannot vouch for.
func vouched(ctx context.Context, p Place) (r Report, err error) {
	said := func(format string, args ...any) []doctor.Finding {
		return []doctor.Finding{{Invariant: "mark", Subject: "the database", Message: fmt.Sprintf(format, args...)}}
	}
	v := p.Store.Vouched
	if v.State == sqldb.Replaced {
		r.Findings = said("it is not the database that this folder's key, seal.key, has marked: somebody put another into its place, " +
			"or changed what tells them apart; where that was you, delete seal.key, and the next start believes what it finds")
		return r, nil
	}
	if v.State == sqldb.Keyed {
		unmarked, err := p.Store.Unmarked(ctx)
		if err != nil {
			return r, err
		}
		if unmarked > 0 && p.Store.Engine() == sqldb.PostgresEngine {
			r.Notes = said("programs without this folder's seal.key write here too: the key vouches for all but %d of its rows", unmarked)
		}
		if v.Rows > 0 {
			r.Notes = append(r.Notes, said("%d of its rows were there before they were marked, last on %s: the key finds what was changed since then, not what was changed before",
				v.Rows, v.Since)...)
		}
		return r, nil
	}
	if v.State == sqldb.Unasked {
		return r, nil
	}
	all, err := p.Store.Sealed(ctx)
	if err != nil || all == 0 {
		return r, err
	}
	switch {
	case v.State == sqldb.Foreign:
		r.Notes = said("the seal.key that marks its %d rows is in another folder: only there can be told whether somebody sealed a row anew", all)
	case p.Store.Engine() == sqldb.PostgresEngine: // whose data directory nobody needs
		r.Notes = said("no seal.key vouches for its %d rows yet: whoever changed one and sealed it anew is found only where something tells of "+
			"it; name a folder that exists with --data, and the next start of anything that writes makes the key there", all)
	default:
		r.Notes = said("no seal.key vouches for its %d rows yet: whoever changed one and sealed it anew is found only where something tells of it; "+
			"the next start of anything that writes makes the key", all)
	}
	return r, nil
}
