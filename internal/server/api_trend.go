package server

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
)

type trendInput struct {
	Name  string `path:"name" maxLength:"200"`
	Limit int    `query:"limit" minimum:"1" maximum:"500" default:"52" doc:"the newest points"`
}

func (s *noticesAPI) scheduleTrend(ctx context.Context, in *trendInput) (progress.Trend, error) {
	return s.views.ScheduleTrend(ctx, in.Name, in.Limit)
}

func (s *noticesAPI) experimentTrend(ctx context.Context, in *trendInput) (progress.Trend, error) {
	return s.views.ExperimentTrend(ctx, in.Name, in.Limit)
}
