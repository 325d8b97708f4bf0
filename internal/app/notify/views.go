package notify

import (
	"context"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// ChannelRow is a channel as a list shows it: never its address.
type ChannelRow struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"` // slack, teams, webhook or mail
	Lang    string `json:"lang"` // en, ja or both
	Signed  bool   `json:"signed"`
	Digest  bool   `json:"digest"`  // it gets the monthly digest
	Ready   bool   `json:"ready"`   // everything that it keeps in the environment is there
	Missing string `json:"missing"` // the environment variable that is not set or cannot be used; "" where it is ready
}

// ChannelRows lists the channels of the configuration by name.
func ChannelRows(w *app.Workbench) []ChannelRow {
	out := []ChannelRow{}
	for _, name := range w.Config.ChannelNames() {
		c, err := w.Config.Channel(name)
		if err != nil {
			continue // it was listed a line ago
		}
		row := ChannelRow{Name: name, Kind: c.Kind, Lang: c.Lang, Signed: c.SecretEnv != "",
			Digest: w.Config.Notifications.Digest.Channel == name}
		if _, _, _, err := c.Secrets(name, w.Options.Getenv); err != nil {
			for _, variable := range []string{c.URLEnv, c.SecretEnv, c.PasswordEnv} {
				if variable != "" && (w.Options.Getenv(variable) == "" || variable == c.URLEnv &&
					app.AddressWrong(w.Options.Getenv(variable), c.AllowPrivate) != "") {
					row.Missing = variable
					break
				}
			}
		} else {
			row.Ready = true
		}
		out = append(out, row)
	}
	return out
}

// NoticeRow is a message as a list shows it.
type NoticeRow struct {
	ID        string                     `json:"id"`
	Channel   string                     `json:"channel"`
	Kind      experiments.NoticeKind     `json:"kind"`
	Reasons   []experiments.NoticeReason `json:"reasons"`
	Schedule  string                     `json:"schedule"`
	FireID    string                     `json:"fire_id"`
	Title     listing.Word               `json:"title"` // its code is the kind
	State     experiments.NoticeState    `json:"state"`
	NextAt    *time.Time                 `json:"next_at,omitempty"` // of the next attempt, while it waits
	CreatedAt time.Time                  `json:"created_at"`
	Attempts  []AttemptRow               `json:"attempts"`
}

// AttemptRow is one try to deliver a message.
type AttemptRow struct {
	At      time.Time    `json:"at"`
	Outcome listing.Word `json:"outcome"`
	TookMS  int64        `json:"took_ms"`
}

var noticeOrder = listing.Order[NoticeRow]{
	First: "-created_at", ID: func(r NoticeRow) string { return r.ID },
	Keys: map[string]func(NoticeRow) listing.SortKey{
		"created_at": func(r NoticeRow) listing.SortKey { return listing.TimeKey(r.CreatedAt) },
		"channel":    func(r NoticeRow) listing.SortKey { return listing.TextKey(r.Channel) },
		"state":      func(r NoticeRow) listing.SortKey { return listing.TextKey(string(r.State)) },
	},
}

// NoticeRows lists messages, newest first.
func NoticeRows(ctx context.Context, w *app.Workbench, f experiments.NoticeFilter, page listing.Page) (listing.Listed[NoticeRow], error) {
	return listing.Fetched(noticeOrder, page, func(p experiments.Part) ([]NoticeRow, int, error) {
		notices, total, err := w.Whole.Notices(ctx, f, p)
		rows := make([]NoticeRow, len(notices))
		for i, n := range notices {
			rows[i] = NoticeRowOf(n)
		}
		return rows, total, err
	})
}

// NoticeRowOf is a message as a list shows it.
func NoticeRowOf(n experiments.Notice) NoticeRow {
	r := NoticeRow{
		ID: n.ID, Channel: n.Channel, Kind: n.Kind, Reasons: append([]experiments.NoticeReason{}, n.Reasons...), Schedule: n.Schedule,
		State: n.State, CreatedAt: n.CreatedAt,
		Title: listing.Word{Code: string(n.Kind), EN: tell(n, "en").Title, JA: tell(n, "ja").Title}, Attempts: []AttemptRow{},
	}
	if n.Facts.Fire != nil {
		r.FireID = n.Facts.Fire.ID
	}
	if n.State == experiments.NoticeWaiting {
		r.NextAt = &n.NextAt
	}
	for _, a := range n.Attempts {
		r.Attempts = append(r.Attempts, AttemptRow{a.At, outcomeWord(a.Outcome), a.TookMS})
	}
	return r
}

var outcomeWords = map[string][2]string{
	experiments.AttemptDelivered:   {"delivered", "送信済み"},
	experiments.AttemptSending:     {"being sent", "送信中"},
	experiments.AttemptInterrupted: {"interrupted; nobody knows whether it arrived", "中断（届いたかどうかは不明）"},
	"channel_unknown":              {"the configuration has no channel of this name", "この名前の通知先が設定にありません"},
	"channel_secret":               {"an environment variable of the channel is not set or cannot be used", "通知先の環境変数が未設定か、使用できない値です"},
	"channel_config":               {"the certificate file of the channel cannot be used", "通知先の証明書ファイルを使用できません"},
	"outbound_ca_file":             {"the certificate file of the channel cannot be used", "通知先の証明書ファイルを使用できません"},
	"address_refused": {"the address lies in a private network, and the channel does not allow that",
		"宛先がプライベートネットワーク内にあり、許可されていません"},
	"redirect":     {"the receiver points elsewhere; redirects are not followed", "宛先がリダイレクトを返しました（リダイレクトには従いません）"},
	"host_unknown": {"the name of the host is unknown", "ホスト名を解決できません"},
	"tls":          {"no encrypted connection could be made", "暗号化された接続を確立できません"},
	"timeout":      {"no reply in time", "時間内に応答がありません"},
	"connection":   {"the connection could not be made, or broke", "接続できないか、接続が切れました"},
	"smtp_auth":    {"the mail server offers no way to sign in", "メールサーバーで認証できません"},
	"internal":     {"the message could not be written", "メッセージを作成できませんでした"},
}

// outcomeWord is what came of an attempt, in words.
func outcomeWord(code string) listing.Word {
	if words, ok := outcomeWords[code]; ok {
		return listing.Word{Code: code, EN: words[0], JA: words[1]}
	}
	if status, ok := strings.CutPrefix(code, "http_"); ok {
		return listing.Word{Code: code, EN: "the receiver answered " + status, JA: "宛先の応答：" + status}
	}
	if status, ok := strings.CutPrefix(code, "smtp_"); ok {
		return listing.Word{Code: code, EN: "the mail server answered " + status, JA: "メールサーバーの応答：" + status}
	}
	return listing.Word{Code: code, EN: code, JA: code}
}
