package people

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.ShareStore = (*Tables)(nil)

type shareRow struct {
	ID        string     `gorm:"column:id;primaryKey"`
	Hash      string     `gorm:"column:hash"`
	Kind      string     `gorm:"column:kind"`
	Title     string     `gorm:"column:title"`
	Runs      string     `gorm:"column:runs"` // a JSON array of ids
	Notebook  string     `gorm:"column:notebook"`
	Texts     bool       `gorm:"column:texts"`
	MadeBy    string     `gorm:"column:made_by"`
	CreatedAt time.Time  `gorm:"column:created_at"`
	ExpiresAt time.Time  `gorm:"column:expires_at"`
	RevokedAt *time.Time `gorm:"column:revoked_at"`
	Opened    int        `gorm:"column:opened"`
	OpenedAt  *time.Time `gorm:"column:opened_at"`
	PageEN    []byte     `gorm:"column:page_en"`
	PageJA    []byte     `gorm:"column:page_ja"`
}

func (shareRow) TableName() string { return "share_links" }

// aboutShare are the columns without the pages, which are large.
const aboutShare = "id, hash, kind, title, runs, notebook, texts, made_by, created_at, expires_at, revoked_at, opened, opened_at"

func fromShareRow(r shareRow) (experiments.Share, error) {
	s := experiments.Share{
		ID: r.ID, Hash: r.Hash, Kind: r.Kind, Title: r.Title, Notebook: r.Notebook, Texts: r.Texts, MadeBy: r.MadeBy,
		CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(), RevokedAt: sqldb.TimeOf(r.RevokedAt), Opened: r.Opened,
		OpenedAt: sqldb.TimeOf(r.OpenedAt),
	}
	var err error
	s.Runs, err = sqldb.DecodeJSON[[]string]("runs of link "+r.ID, r.Runs)
	return s, err
}

// CreateShare implements [experiments.ShareStore].
func (s *Tables) CreateShare(ctx context.Context, share experiments.Share) error {
	row := shareRow{
		ID: share.ID, Hash: share.Hash, Kind: share.Kind, Title: sqldb.CleanText(share.Title), Notebook: sqldb.CleanText(share.Notebook),
		Texts: share.Texts, MadeBy: sqldb.CleanText(share.MadeBy), CreatedAt: share.CreatedAt, ExpiresAt: share.ExpiresAt,
		RevokedAt: sqldb.TimeOrNil(share.RevokedAt), Opened: share.Opened, OpenedAt: sqldb.TimeOrNil(share.OpenedAt),
	}
	var err error
	if row.Runs, err = sqldb.EncodeJSON(append([]string{}, share.Runs...)); err != nil {
		return err
	}
	for lang, to := range map[string]*[]byte{"en": &row.PageEN, "ja": &row.PageJA} {
		if *to, err = packed(share.Pages[lang]); err != nil {
			return err
		}
	}
	return s.Write(ctx, "store a link to a page", func(tx *gorm.DB) error { return tx.Create(new(row)).Error })
}

func packed(page []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(page); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func unpacked(page []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Shares implements [experiments.ShareStore].
func (s *Tables) Shares(ctx context.Context) ([]experiments.Share, error) {
	var rows []shareRow
	if err := s.Read(ctx).Select(aboutShare).Order("created_at DESC, id").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list links to pages", err)
	}
	out := make([]experiments.Share, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromShareRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// OpenShare implements [experiments.ShareStore]. What opens nothing is one look into an index, whatever the reason is.
func (s *Tables) OpenShare(ctx context.Context, hash, lang string, now time.Time) (share experiments.Share, ok bool, err error) {
	var rows []shareRow
	page := "page_en"
	if lang == "ja" {
		page = "page_ja"
	}
	alive := s.Read(ctx).Select(aboutShare+", "+page).Where("hash = ? AND expires_at > ? AND revoked_at IS NULL", hash, now)
	if err := alive.Limit(1).Find(&rows).Error; err != nil || len(rows) == 0 {
		return share, false, sqldb.Wrap("find a link to a page", err)
	}
	row := rows[0]
	err = s.Write(ctx, "count that a page was opened", func(tx *gorm.DB) error {
		count := map[string]any{"opened": gorm.Expr("opened + 1"), "opened_at": now}
		if err := tx.Model(&shareRow{}).Where("id = ?", row.ID).Updates(count).Error; err != nil {
			return err
		}
		return tx.Model(&shareRow{}).Where("id = ?", row.ID).Select("opened").Scan(&row.Opened).Error
	})
	if err != nil {
		return share, false, err
	}
	row.OpenedAt = &now
	if share, err = fromShareRow(row); err != nil {
		return share, false, err
	}
	body := row.PageEN
	if lang == "ja" {
		body = row.PageJA
	}
	if body, err = unpacked(body); err != nil {
		return share, false, fmt.Errorf("unpack the page of link %s: %w", share.ID, err)
	}
	share.Pages = map[string][]byte{lang: body}
	return share, true, nil
}

// RevokeShare implements [experiments.ShareStore]. A link that somebody changed outside of this program is taken away: nothing in it can
// be believed, the end of it neither.
func (s *Tables) RevokeShare(ctx context.Context, id string, at time.Time) (experiments.Share, error) {
	var rows []shareRow
	err := s.Write(ctx, "revoke a link to a page", func(tx *gorm.DB) error {
		gone := map[string]any{"revoked_at": at, "page_en": []byte{}, "page_ja": []byte{}}
		ours, err := seals.Fit(tx, &shareRow{}, "id = ?", id)
		if err != nil {
			return err
		}
		err = seals.Change(tx, &shareRow{}, func(tx *gorm.DB) error {
			return tx.Model(&shareRow{}).Where("id = ? AND revoked_at IS NULL", id).Updates(gone).Error
		}, "id = ?", id)
		if err != nil {
			return err
		}
		rows = nil
		if err := tx.Select(aboutShare).Where("id = ?", id).Limit(1).Find(&rows).Error; err != nil || ours {
			return err
		}
		return dropShares(tx, "id = ?", id)
	})
	if err != nil {
		return experiments.Share{}, err
	}
	if len(rows) == 0 {
		return experiments.Share{}, problem.New(problem.NotFound, "share_unknown", "there is no shared link %q", id).With("name", id).
			WithHint("`workbench share list` shows what there is")
	}
	return fromShareRow(rows[0])
}

// Unshare takes the links away whose pages rest on one of the runs.
func Unshare(tx *gorm.DB, runs []string) error {
	for _, id := range runs {
		if err := dropShares(tx, "runs LIKE ?", `%"`+id+`"%`); err != nil {
			return err
		}
	}
	return nil
}

// dropShares takes links away with their seals.
func dropShares(tx *gorm.DB, which string, arg any) error {
	return seals.Change(tx, &shareRow{}, func(tx *gorm.DB) error {
		return tx.Where(which, arg).Delete(&shareRow{}).Error
	}, which, arg)
}
