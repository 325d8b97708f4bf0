package server

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
)

// Files of the pages are in the program once, most of them packed. Whoever asks gets them in a form that it takes.
func TestPagesArePackedOnce(t *testing.T) {
	t.Parallel()
	const page, script = "<!doctype html><title>pages</title>", "console.log('once');"
	c := serve(t, Options{Workbench: fresh(t), Assets: fstest.MapFS{
		"index.html":         {Data: []byte(page)},
		"assets/a-1.js.gz":   {Data: []byte(packed(t, script))},
		"assets/font.woff2":  {Data: []byte("font")},
		"assets/bad-1.js.gz": {Data: []byte("not packed")},
	}})
	for _, test := range []struct {
		path, takes    string
		status         int
		encoding, body string
	}{
		{"/", "gzip", 200, "", page},
		{"/runs/1", "identity", 200, "", page},
		{"/assets/a-1.js", "gzip, br", 200, "gzip", packed(t, script)},
		{"/assets/a-1.js", "identity", 200, "", script},
		{"/assets/font.woff2", "gzip", 200, "", "font"},
		{"/assets/none.js", "gzip", 404, "", "404 page not found"},
		{"/assets", "gzip", 200, "", page},
		{"/assets/bad-1.js", "identity", 404, "", "404 page not found"},
	} {
		c.header = map[string]string{"Accept-Encoding": test.takes}
		status, header, body := c.do("GET", test.path, "")
		if status != test.status || header.Get("Content-Encoding") != test.encoding || body != test.body {
			t.Errorf("%s, %s: %d %s %q", test.path, test.takes, status, header, body)
		}
		immutable := status == http.StatusOK && strings.HasPrefix(test.path, "/assets/")
		if strings.Contains(header.Get("Cache-Control"), "immutable") != immutable {
			t.Errorf("%s: %s", test.path, header)
		}
	}
	if status, header, body := c.do("HEAD", "/assets/a-1.js", ""); status != 200 || body != "" || header.Get("Content-Type") == "" {
		t.Errorf("HEAD: %d %s %q", status, header, body)
	}
}
