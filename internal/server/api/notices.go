package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/notify"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// noticesRoutes are the routes of messages and of trends. Channels are named here, never given.
func (s *Resources) noticesRoutes(r *requests.Router) {
	requests.Get(r, "/notices", requests.Read, "Messages of schedules, newest first, with what was tried", s.notices.listNotices)
	requests.Get(r, "/notices/channels", requests.Read, "Where messages can go", s.notices.listChannels)
	requests.Post(r, "/notices/test", requests.Admin, "Send a test message to a channel", s.notices.testChannel)
	requests.Get(r, "/schedules/{name}/trend", requests.Read, "How a schedule's fires went, oldest first", s.notices.scheduleTrend)
	requests.Get(r, "/experiments/{name}/trend", requests.Read, "How an experiment's runs went, oldest first", s.notices.experimentTrend)
}

type listNoticesInput struct {
	Paging
	Channel  string `query:"channel" maxLength:"40"`
	Schedule string `query:"schedule" maxLength:"200"`
	State    string `query:"state" enum:"waiting,sending,delivered,given_up"`
}

func (s *noticesAPI) listNotices(ctx context.Context, in *listNoticesInput) (listing.Listed[notify.NoticeRow], error) {
	return notify.NoticeRows(ctx, s.workbench, experiments.NoticeFilter{Channel: in.Channel, Schedule: in.Schedule,
		State: experiments.NoticeState(in.State)}, in.page())
}

func (s *noticesAPI) listChannels(context.Context, *requests.Nothing) (ItemsOf[notify.ChannelRow], error) {
	return items(notify.ChannelRows(s.workbench), nil)
}

type testChannelInput struct {
	Body struct {
		Channel string `json:"channel" minLength:"1" maxLength:"40" doc:"name of a channel of the configuration"`
	}
}

// testChannel sends a test message and waits for what comes of it; a channel that does not work is a result, not an error.
func (s *noticesAPI) testChannel(ctx context.Context, in *testChannelInput) (notify.NoticeRow, error) {
	n, err := notify.TestChannel(ctx, s.workbench, in.Body.Channel)
	if err != nil {
		return notify.NoticeRow{}, err
	}
	return notify.NoticeRowOf(n), nil
}
