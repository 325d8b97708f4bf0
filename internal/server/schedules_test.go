package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// TestSchedulesOverHTTP: registered, shown, paused, fired and forgotten; what is wrong is said with its field and position.
func TestSchedulesOverHTTP(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	c := serve(t, Options{Workbench: w})
	name := "production"
	if _, err := w.Store.PutExperiment(t.Context(), experiments.Definition{Name: name}, testNow); err != nil {
		t.Fatal(err)
	}
	var row schedules.ScheduleRow
	c.send(http.MethodPut, "/schedules/http-weekly", `{"experiment":"`+name+`","cron":"0 6 * * 1","zone":"Asia/Tokyo","budget":"500calls"}`,
		http.StatusOK, &row)
	if row.NextAt == nil || row.NextAt.UTC().Hour() != 21 || row.Budget.Calls != 500 || row.CatchUp != experiments.CatchUpLatest ||
		row.PauseAfter != 3 {
		t.Errorf("registered: %+v", row)
	}
	wrongSchedules(c, name)
	var preview schedules.Preview
	c.send(http.MethodPost, "/schedules/preview", `{"cron":"30 2 * * *","zone":"Europe/Berlin"}`, http.StatusOK, &preview)
	if len(preview.Slots) != 10 || preview.Problem != nil {
		t.Errorf("preview: %+v", preview)
	}
	c.send(http.MethodPost, "/schedules/preview", `{"cron":"30 25 * * *","zone":"Europe/Berlin"}`, http.StatusOK, &preview)
	if p := preview.Problem; p == nil || p.Code != "cron_text" || p.Params["position"] != 3.0 {
		t.Errorf("preview of a wrong hour: %+v", preview.Problem)
	}
	var slots api.ItemsOf[schedules.Slot]
	c.get("/schedules/http-weekly/next?n=3", &slots)
	if len(slots.Items) != 3 || !strings.Contains(slots.Items[0].Local, "T06:00:00+09:00") || slots.Items[0].Zone != "JST" {
		t.Errorf("next: %+v", slots.Items)
	}
	row = schedules.ScheduleRow{}
	c.send(http.MethodPost, "/schedules/http-weekly/pause", `{}`, http.StatusOK, &row)
	if !row.Paused || row.PausedWhy == "" || row.NextAt != nil {
		t.Errorf("paused: %+v", row)
	}
	c.send(http.MethodPost, "/schedules/http-weekly/resume", `{}`, http.StatusOK, &row)
	if row.Paused || row.NextAt == nil {
		t.Errorf("resumed: %+v", row)
	}
	var fire experiments.Fire
	c.send(http.MethodPost, "/schedules/http-weekly/run-now", `{}`, http.StatusAccepted, &fire)
	if fire.State != experiments.FireDue || !fire.RunNow {
		t.Errorf("run now: %+v", fire)
	}
	c.refused(http.MethodPost, "/schedules/http-weekly/run-now", `{}`, http.StatusConflict)
	var fires api.ItemsOf[experiments.Fire]
	c.get("/schedules/http-weekly/fires", &fires)
	if len(fires.Items) != 1 || fires.Items[0].ID != fire.ID {
		t.Errorf("fires: %+v", fires.Items)
	}
	c.refused(http.MethodGet, "/schedules/http-weekly/fires/"+fire.ID+"/workbook.xlsx", "", http.StatusNotFound)
	var list api.ItemsOf[schedules.ScheduleRow]
	c.get("/schedules", &list)
	if len(list.Items) != 1 || list.Items[0].Last == nil {
		t.Errorf("list: %+v", list.Items)
	}
	c.send(http.MethodDelete, "/schedules/http-weekly", "", http.StatusNoContent, nil)
	c.refused(http.MethodGet, "/schedules/http-weekly", "", http.StatusNotFound)
}

// wrongSchedules sends what must be refused.
func wrongSchedules(c *client, name string) {
	c.t.Helper()
	for body, code := range map[string]string{
		`{"experiment":"` + name + `","cron":"* * * * *"}`:                                    "cron_often",
		`{"experiment":"` + name + `","cron":"TZ=UTC 0 6 * * *"}`:                             "cron_zone",
		`{"experiment":"` + name + `","cron":"0 6 * * *","zone":"Asia/Tokio"}`:                "zone_unknown",
		`{"experiment":"` + name + `","cron":"0 6 * * *","budget":"much"}`:                    "budget",
		`{"experiment":"` + name + `","notebook":"x","cron":"0 6 * * *"}`:                     "schedule_field",
		`{"experiment":"` + name + `","cron":"0 6 * * *","notify":["https://evil.example/"]}`: "channel_unknown",
		`{"notebook":"../../etc/passwd","cron":"0 6 * * *"}`:                                  "schedule_field",
		`{"experiment":"nothing","cron":"0 6 * * *"}`:                                         "experiment_unknown",
	} {
		status, _, got := c.do(http.MethodPut, requests.Prefix+"/schedules/other", body)
		if status < 400 || status > 422 || !strings.Contains(got, `"`+code+`"`) {
			c.t.Errorf("%s = %d %s, want %s", body, status, got, code)
		}
	}
	c.refused(http.MethodPut, "/schedules/..%2Fup", `{"experiment":"`+name+`","cron":"@daily"}`, http.StatusUnprocessableEntity)
}
