package server

import (
	"archive/zip"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

func TestTablesAreFiles(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c := serve(t, Options{Workbench: w.workbench})
	pair := "baseline=" + w.before().ID + "&candidate=" + w.after().ID
	for _, path := range []string{"/runs/" + w.after().ID + "/questions%s?low=true", "/comparisons/questions%s?label=worse&" + pair,
		"/datasets/airline-en/questions%s?q=ticket"} {
		var listed listing.Listed[map[string]any]
		c.get(strings.Replace(path, "%s", "", 1)+"&limit=500", &listed)
		if listed.Total == 0 {
			t.Fatalf("%s lists nothing", path)
		}
		for _, format := range []string{".csv", ".jsonl", ".xlsx"} {
			status, header, body := c.do("GET", requests.Prefix+strings.Replace(path, "%s", format, 1), "")
			if status != 200 || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment; filename=") ||
				!strings.Contains(header.Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("%s%s = %d %v", path, format, status, header)
				continue
			}
			rows := 0
			switch format {
			case ".csv":
				all, err := csv.NewReader(strings.NewReader(body)).ReadAll()
				if err != nil {
					t.Error(err)
				}
				rows = len(all) - 1
			case ".jsonl":
				rows = strings.Count(body, "\n")
			case ".xlsx":
				if _, err := zip.NewReader(strings.NewReader(body), int64(len(body))); err != nil {
					t.Error(err)
				}
				continue
			}
			if rows != listed.Total {
				t.Errorf("%s%s has %d rows, the list %d", path, format, rows, listed.Total)
			}
		}
	}
	for _, format := range []string{"xlsx", "md"} {
		status, header, body := c.do("GET", requests.Prefix+"/comparisons/report."+format+"?lang=ja&"+pair, "")
		if status != 200 || len(body) < 500 || !strings.Contains(header.Get("Content-Disposition"), "-ja."+format) {
			t.Errorf("report.%s = %d, %d bytes", format, status, len(body))
		}
	}
}

func TestNamesOfDownloadsAreHarmless(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"faq@2": "faq_2", "a\"; filename=\"b.exe": "a_filename_b.exe", "../../x": ".._.._x", "日本語": "_",
		"a\r\nSet-Cookie: x": "a_Set-Cookie_x",
	} {
		if got := requests.FileName(name); got != want {
			t.Errorf("fileName(%q) = %q, want %q", name, got, want)
		}
	}
}
