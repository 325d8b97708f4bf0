package llm

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Azure describes an endpoint with the URL form of Azure OpenAI: BASE/openai/deployments/DEPLOYMENT/…?api-version=VERSION,
// with the key in an api-key header. Endpoints of Azure that end in /openai/v1 speak the plain form and need none of this.
//
// Neither field is part of a request's key, because neither changes what is asked: stored replies survive a new API version
// and a renamed deployment.
type Azure struct {
	APIVersion  string            // for example "2024-10-21"
	Deployments map[string]string // model as requests name it → deployment; a model that is absent is its own deployment
}

// route says where a request goes and how the key travels.
type route struct {
	url                  func(path, model string) string
	keyHeader, keyPrefix string
	fixed                http.Header // further headers of every request
}

func openAIRoute(origin string) route {
	return route{
		url:       func(path, _ string) string { return origin + path },
		keyHeader: "Authorization", keyPrefix: "Bearer ",
	}
}

var azureVersion = text.Lazy(`^[0-9a-z][0-9a-z.-]*$`)

// route returns the origin without the part of the path that Azure itself adds, and the route under it.
func (a *Azure) route(origin string) (string, route, error) {
	if !azureVersion.MatchString(a.APIVersion) {
		return "", route{}, problem.New(problem.Invalid, "provider_azure", "the API version %q of the Azure endpoint is not one",
			a.APIVersion).
			WithHint("Set azure.api_version to a version that the resource offers, for example 2024-10-21.")
	}
	if strings.Contains(origin, "/deployments/") {
		return "", route{}, problem.New(problem.Invalid, "provider_azure", "the base URL of the Azure endpoint names a deployment").
			WithHint("Write the resource alone, for example https://NAME.openai.azure.com, and the deployments under azure.deployments.")
	}
	origin = strings.TrimSuffix(origin, "/openai")
	deployments := a.Deployments
	query := "?api-version=" + url.QueryEscape(a.APIVersion)
	return origin, route{
		url: func(path, model string) string {
			deployment := model
			if d, ok := deployments[model]; ok {
				deployment = d
			}
			return origin + "/openai/deployments/" + url.PathEscape(deployment) + path + query
		},
		keyHeader: "api-key",
	}, nil
}
