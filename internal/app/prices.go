package app

import (
	_ "embed"
	"fmt"
	"maps"
	"net/url"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

//go:embed prices_public.yaml
var publicPricesFile []byte

// PublicPrices are list prices that ship with the program: from where, of which day, and for which address they hold.
type PublicPrices struct {
	Source   string               `json:"source" yaml:"source"`
	Date     string               `json:"date" yaml:"date"` // YYYY-MM-DD
	Currency string               `json:"currency" yaml:"currency"`
	Host     string               `json:"host" yaml:"host"`
	Prices   map[string]llm.Price `json:"-" yaml:"prices"`
}

// Public is the table of list prices that ships with the program.
var Public = sync.OnceValue(func() PublicPrices {
	var p PublicPrices
	if err := yaml.ReadStrict(publicPricesFile, &p); err != nil {
		panic(fmt.Sprintf("prices_public.yaml: %v", err)) // embedded at build time
	}
	return p
})

// atMaker reports whether a provider is the one that the public prices hold for, in the currency of the configuration.
func (c Config) atMaker(provider string) bool {
	u, err := url.Parse(c.Providers[provider].BaseURL)
	return err == nil && u.Host == Public().Host && c.Currency == Public().Currency
}

// PricesOf are the prices of a provider's models: those of the configuration and, at the address they hold for, public ones for models
// that it does not name. A model without a price is unknown, not free.
func (c Config) PricesOf(provider string) llm.Prices {
	out := llm.Prices{}
	if c.atMaker(provider) {
		maps.Copy(out, Public().Prices)
	}
	maps.Copy(out, c.Prices)
	return out
}

// CostOf is what this usage of a provider's model costs in millionths of the currency; known is false without a price.
func (c Config) CostOf(provider, model string, u llm.Usage) (micros int64, known bool) {
	price, own := c.Prices[model]
	if !own && c.atMaker(provider) {
		price, own = Public().Prices[model]
	}
	if !own {
		return 0, false
	}
	return llm.Prices{model: price}.Cost(model, u)
}
