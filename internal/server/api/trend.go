package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

type trendInput struct {
	Name  string `path:"name" maxLength:"200"`
	Limit int    `query:"limit" minimum:"1" maximum:"500" default:"52" doc:"the newest points"`

	Metrics []string `query:"metrics" maxItems:"100" doc:"metrics that are drawn; by default correctness and trust"`
	Zone    string   `query:"zone" maxLength:"64" doc:"by whose clock; by default that of the schedule, or UTC"`
}

func (s *noticesAPI) scheduleTrend(ctx context.Context, in *trendInput) (findings.TrendView, error) {
	t, err := s.views.ScheduleTrend(ctx, in.Name, in.Limit)
	if err == nil {
		t, err = s.views.DrawnTrend(ctx, t, in.Metrics, in.Zone)
	}
	return findings.ViewTrend(t), err
}

func (s *noticesAPI) experimentTrend(ctx context.Context, in *trendInput) (findings.TrendView, error) {
	t, err := s.views.ExperimentTrend(ctx, in.Name, in.Limit)
	if err == nil {
		t, err = s.views.DrawnTrend(ctx, t, in.Metrics, in.Zone)
	}
	return findings.ViewTrend(t), err
}
