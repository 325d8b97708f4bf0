package mappings

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/mappings/mappingstest"
)

// weaviateServer is what makes a server of Weaviate: it takes ten minutes, so a test does not do it.
const weaviateServer = "GOBIN=FOLDER go install github.com/weaviate/weaviate/cmd/weaviate-server@v1.35.2"

// startWeaviate starts one node without keys, which computes no vectors of its own. WORKBENCH_WEAVIATE is the path of its program.
func startWeaviate(t *testing.T) string {
	t.Helper()
	program := os.Getenv("WORKBENCH_WEAVIATE")
	if program == "" || os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("no live server: set WORKBENCH_SLOW_TESTS=1, and WORKBENCH_WEAVIATE to what this builds: " + weaviateServer)
	}
	ports := freePorts(t, 6) // a node looks for others at the port after its own
	ctx, stop := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, program, "--scheme", "http", "--host", "127.0.0.1", "--port", ports[0])
	server.Env = append(os.Environ(), "PERSISTENCE_DATA_PATH="+t.TempDir(), "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true",
		"DEFAULT_VECTORIZER_MODULE=none", "DISABLE_TELEMETRY=true", "GO_PROFILING_DISABLE=true", "LOG_LEVEL=error",
		"CLUSTER_HOSTNAME=node", "CLUSTER_IN_LOCALHOST=true", "CLUSTER_ADVERTISE_ADDR=127.0.0.1",
		"CLUSTER_GOSSIP_BIND_PORT="+ports[1], "CLUSTER_DATA_BIND_PORT="+ports[2], "GRPC_PORT="+ports[3],
		"RAFT_PORT="+ports[4], "RAFT_INTERNAL_RPC_PORT="+ports[5], "RAFT_BOOTSTRAP_EXPECT=1")
	said := &strings.Builder{}
	server.Stdout, server.Stderr = said, said
	t.Cleanup(func() {
		stop()
		_ = server.Wait()
		if t.Failed() {
			t.Logf("the server said: %s", said)
		}
	})
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	address := "http://127.0.0.1:" + ports[0]
	answers(t, address+"/v1/.well-known/ready")
	return address
}

// fillWeaviate makes a class of these rows; more is added to what a class is, and to every object.
func fillWeaviate(t *testing.T, address, class string, rows []mappingstest.Row, more, each map[string]any) {
	t.Helper()
	properties := []map[string]any{}
	for name, kind := range map[string]string{"body": "text", "source": "text", "from": "int", "to": "int"} {
		properties = append(properties, map[string]any{"name": name, "dataType": []string{kind}})
	}
	made := map[string]any{"class": class, "properties": properties}
	if _, named := more["vectorConfig"]; !named {
		made["vectorizer"], made["vectorIndexConfig"] = "none", map[string]any{"distance": "cosine"}
	}
	maps.Copy(made, more)
	tell(t, http.MethodPost, address+"/v1/schema", made, nil)
	if tenant, ok := each["tenant"]; ok {
		tell(t, http.MethodPost, address+"/v1/schema/"+class+"/tenants", []any{map[string]any{"name": tenant}}, nil)
	}
	for part := range slices.Chunk(rows, 500) {
		objects := []map[string]any{}
		for _, r := range part {
			o := map[string]any{"class": class, "id": r.ID, "properties": map[string]any{
				"body": r.Text, "source": r.DocID, "from": r.Start, "to": r.End}}
			if _, named := made["vectorConfig"]; named {
				o["vectors"] = map[string]any{"meaning": r.Vector}
			} else {
				o["vector"] = r.Vector
			}
			maps.Copy(o, each)
			objects = append(objects, o)
		}
		var got []struct {
			Result struct {
				Status string `json:"status"`
				Errors any    `json:"errors"`
			} `json:"result"`
		}
		tell(t, http.MethodPost, address+"/v1/batch/objects", map[string]any{"objects": objects}, &got)
		for _, g := range got {
			if g.Result.Status != "SUCCESS" {
				t.Fatalf("%+v", g)
			}
		}
	}
}

// uuid is an id as Weaviate wants it, in no order.
func uuid(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012d", uint32(i)*2654435761, i) }

// TestWeaviateLive fills a server of Weaviate and reads it: 40 questions, a class of several shards and pages, a named vector of a tenant.
func TestWeaviateLive(t *testing.T) {
	t.Parallel()
	address := startWeaviate(t)
	corpus, questions := library()
	chunking, embed := rag.Chunking{By: "chars", Size: 50}, rag.Model{Provider: "offline", Name: mappingstest.Model}
	rows := mappingstest.Rows(t, corpus, chunking)
	for i := range rows {
		rows[i].ID = uuid(i)
	}
	m := rag.IndexMapping{Engine: "weaviate", Table: "Library", Offset: rag.OffsetsFields,
		Fields: rag.MappedFields{Text: "body", DocID: "source", Start: "from", End: "to"}}.Normalised()
	fillWeaviate(t, address, "Library", rows, nil, nil)
	listened, through := listen(t, address)
	sameRecall(t, m, contract{Mapping: m}.open(t, through), corpus, questions, chunking, embed)
	onlyReads(t, "weaviate", listened.heard)

	var many []mappingstest.Row
	for i := range 2*page + 1 {
		r := rows[i%len(rows)]
		r.ID, r.Vector = uuid(i), []float32{float32(i), 1}
		many = append(many, r)
	}
	m.Table = "Pages"
	fillWeaviate(t, address, "Pages", many, map[string]any{"shardingConfig": map[string]any{"desiredCount": 3}}, nil)
	listened, through = listen(t, address)
	got := contract{Mapping: m, Vector: []float32{1, 1}, N: 1}
	read := got.read(t, got.open(t, through))
	ids := map[string]bool{}
	for _, r := range read.Rows {
		ids[r.ID] = true
	}
	if len(ids) != len(many) || len(read.Rows) != len(many) || read.Facts.Rows != len(many) {
		t.Errorf("%d rows are %d, of %d ids, and counted as %d", len(many), len(read.Rows), len(ids), read.Facts.Rows)
	}
	onlyReads(t, "weaviate", listened.heard)

	m.Table, m.Space, m.Fields.Vector = "Named", "kyoto", "meaning"
	smallWeaviate(t, address, m, rows[:3], map[string]any{"multiTenancyConfig": map[string]any{"enabled": true},
		"vectorConfig": map[string]any{"meaning": map[string]any{"vectorizer": map[string]any{"none": map[string]any{}},
			"vectorIndexType": "hnsw", "vectorIndexConfig": map[string]any{"distance": "l2-squared"}}}},
		map[string]any{"tenant": m.Space}, "weaviate-named")
	m.Table, m.Space, m.Fields.Vector = "Small", "", ""
	smallWeaviate(t, address, m, rows[:3], nil, nil, "weaviate")
}

// smallWeaviate reads a class of three rows in every way, and keeps what was said.
func smallWeaviate(t *testing.T, address string, m rag.IndexMapping, rows []mappingstest.Row, more, each map[string]any, file string) {
	t.Helper()
	distance := rag.DistanceCosine
	if m.Fields.Vector != "" {
		distance, m.Distance = rag.DistanceL2, rag.DistanceL2
	}
	var small []mappingstest.Row
	for i, r := range rows {
		r.Vector = []float32{float32(i), 1, 0}
		small = append(small, r)
	}
	fillWeaviate(t, address, m.Table, small, more, each)
	listened, through := listen(t, address)
	c := contract{Mapping: m, Vector: []float32{1, 1, 0}, Query: `the "deadline" of \ the refund`, N: 2}
	c.Want = c.read(t, c.open(t, through))
	c.Origin = "recorded from Weaviate " + c.Want.Facts.Server + ", built from the Go module proxy"
	if c.Want.Facts.Rows != 3 || c.Want.Facts.Dimensions != 3 || c.Want.Facts.Distance != distance || len(c.Want.Rows) != 3 ||
		c.Want.Nearest[0].ID != rows[1].ID || c.Want.Words[0].ID != rows[1].ID || c.Want.Words[0].Score <= 0 {
		t.Errorf("%+v", c.Want)
	}
	c.keep(t, listened, file)
}
