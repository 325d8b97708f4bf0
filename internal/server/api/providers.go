package api

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

type putProviderInput struct {
	Name string `path:"name" maxLength:"200"`
	Body struct {
		Dialect     string   `json:"dialect,omitempty" maxLength:"40" doc:"openai (default), anthropic or gemini"`
		BaseURL     string   `json:"base_url,omitempty" maxLength:"2000" doc:"on the internet; default the maker's, of a dialect that has one"`
		Models      []string `json:"models" maxItems:"100" doc:"names of models that it serves"`
		PerMinute   int      `json:"requests_per_minute,omitempty" doc:"0: no limit of yours"`
		Concurrency int      `json:"concurrency,omitempty" doc:"requests in flight at most; 0 finds out"`
	}
}

// putProvider stores where models are. There is no place for a key: who owns the machine binds one to the origin of the address.
func (s *machineAPI) putProvider(ctx context.Context, in *putProviderInput) (views.ProviderSetting, error) {
	b := in.Body
	p, _, err := s.workbench.AddProvider(ctx, experiments.AddedProvider{Name: in.Name, Dialect: b.Dialect, BaseURL: b.BaseURL,
		Models: b.Models, RequestsPerMinute: b.PerMinute, Concurrency: b.Concurrency, AddedBy: requests.VisitorOf(ctx).Name})
	if err != nil {
		return views.ProviderSetting{}, err
	}
	return s.providerNow(ctx, p)
}

func (s *machineAPI) removeProvider(ctx context.Context, in *namePath) error {
	p, err := s.workbench.RemoveProvider(ctx, in.Name)
	if err == nil {
		requests.Noted(ctx, p.Told())
	}
	return err
}

func (s *machineAPI) restoreProvider(ctx context.Context, in *namePath) (views.ProviderSetting, error) {
	p, err := s.workbench.RestoreProvider(ctx, in.Name)
	if err != nil {
		return views.ProviderSetting{}, err
	}
	return s.providerNow(ctx, p)
}

// providerNow writes down what a provider is from now on, and returns it.
func (s *machineAPI) providerNow(ctx context.Context, p experiments.AddedProvider) (views.ProviderSetting, error) {
	requests.Noted(ctx, p.Told())
	return s.views.Provider(p.Name)
}
