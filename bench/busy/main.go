// Command busy measures how soon a server answers pages while it works at a query that does not end: acceptance row 3 of notebooks.
//
//	bin/workbench serve --data DIR & go run ./bench/busy -at http://127.0.0.1:7700
//
// The data folder needs a finished run. The query is stopped by the server after its time.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"
)

const endless = "---\nragnb: 1\n---\n```rag failures low\nof: run:%s\n```\n```rag query q\nsql: |\n" +
	"  WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM t) SELECT count(*) FROM t\n```\n"

func main() {
	at := flag.String("at", "http://127.0.0.1:7700", "address of the server")
	flag.Parse()
	if err := measure(*at); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(at string) error {
	body, err := fetched(at + "/api/v1/runs?limit=1&state=finished")
	if err != nil {
		return err
	}
	var runs struct {
		Items []struct {
			ID string `json:"run_id"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &runs); err != nil || len(runs.Items) == 0 {
		return fmt.Errorf("the server has no finished run: %w", err)
	}
	id := runs.Items[0].ID
	ended := make(chan error, 1)
	began := time.Now()
	go func() { ended <- asked(at, fmt.Sprintf(endless, id)) }()
	var took []time.Duration
	for {
		select {
		case err := <-ended:
			slices.Sort(took)
			if err == nil && len(took) > 0 {
				fmt.Printf("the query ended after %.1f s; meanwhile %d pages: median %d ms, slowest %d ms\n", time.Since(began).Seconds(),
					len(took), took[len(took)/2].Milliseconds(), took[len(took)-1].Milliseconds())
			}
			return err
		default:
		}
		for _, path := range []string{"/api/v1/runs?limit=50", "/api/v1/runs/" + id + "/charts"} {
			start := time.Now()
			if _, err := fetched(at + path); err != nil {
				return err
			}
			took = append(took, time.Since(start))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// asked evaluates a text.
func asked(at, text string) error {
	body, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, at+"/api/v1/notebooks/evaluate", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", at)
	return read(http.DefaultClient.Do(req))
}

func fetched(address string) (body []byte, err error) {
	res, err := http.Get(address) //nolint:gosec // the address is an argument
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if body, err = io.ReadAll(res.Body); err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", address, res.Status)
	}
	return body, err
}

func read(res *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("evaluate: %s", res.Status)
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}
