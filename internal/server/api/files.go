package api

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// More paths that take large bodies.
const (
	AnswersPath = "/answers"
	ScoresPath  = "/score-files/comparison"
	ResultsPath = "/results"
)

// TakesFiles reports whether a path takes forms with files, which have limits of their own.
func TakesFiles(path string) bool {
	return slices.Contains([]string{requests.UploadPath, requests.CorpusPath, ReviewsPath, AnswersPath, ScoresPath, ResultsPath,
		StudiesPath,
		VerificationPath}, strings.TrimPrefix(path, requests.Prefix))
}

// filesRoutes are the routes that read files in other ways than the library does.
func (s *Resources) filesRoutes(r *requests.Router) {
	requests.Form(r, AnswersPath, requests.Edit, "Upload logged answers: see how they are read, or store them with the experiment that replays them",
		s.files.importAnswers)
	describeForm(r, AnswersPath, []string{"file", "dataset"}, map[string]string{
		"file":     "*logged answers: .jsonl .json .csv .tsv .xlsx",
		"name":     "of the log and of its experiment; default the file's name",
		"sheet":    "of a workbook: the one to read; default the one that looks most like a table of answers",
		"encoding": encodingField,
		"dataset":  "whose questions were asked: name, or name@version",
		"corpus":   "in which the logged contexts are looked for, so that evidence can be compared",
		"model":    "that judges, as provider/model; default the offline judge",
		"columns":  "JSON object: column of the file → field",
		"dry_run":  "true only tells what would be stored",
	})
	requests.Form(r, ResultsPath, requests.Edit,
		"Upload what Ragas, DeepEval, promptfoo, RAGChecker, MLflow, Langfuse, OpenTelemetry, Phoenix or LangSmith exported: "+
			"it becomes a dataset, a log and a run",
		s.files.importResults)
	describeForm(r, ResultsPath, []string{"file"}, map[string]string{
		"file":     "*results as the tool writes them: .json .jsonl .csv .tsv .xlsx; traces in protobuf: .pb .binpb .otlp",
		"sheet":    "of a workbook: the one to read; default the one that looks most like a table of results",
		"encoding": encodingField,
		"from":     "ragas, deepeval, promptfoo, ragchecker, mlflow, langfuse, otel, phoenix, langsmith, mlflow-traces or table; default auto",
		"name":     "of the log and of its experiment; default the file's name",
		"dataset":  "whose questions were asked; where there is none called so, one with the same questions, else one made of the file",
		"corpus":   "in which the contexts are looked for",
		"model":    "that judges beside the tool, as provider/model; default the offline judge",
		"suite":    "our metrics beside the tool's; default standard",
		"variant":  "of a file with rows of several systems, prompts or providers: the one to read",
		"columns":  "JSON object: column of the file → field",
		"lower":    "JSON array: metrics, as the tool names them, of which less is better",
		"higher":   "JSON array: metrics, as the tool names them, of which more is better",
		"low": `JSON array: what a low score is in the tool's scores, such as ["faithfulness<=0.5"], two at most; ["none"] takes it back; ` +
			"default what an earlier import of the name said",
		"vote_columns": "fold or apart: whether score columns that differ by a number alone are votes of one metric; default where their names leave no doubt",
		"values":       "JSON object: sign or word of the file → the number that it counts as, such as {\"○\": 1, \"△\": 0.5, \"×\": 0}",
		"sample":       "take only so many of the questions",
		"mask": "JSON array: rules that hide personal data, email, card, phone, NAME=REGEXP or none; " +
			"default all three for traces, else none",
	})
	requests.Get(r, "/traces", requests.Read, "What arrived of the traces that programs send", s.traces.tracesStatus)
	requests.Post(r, "/traces/take", requests.Edit, "Make a dataset, a log and a run of the questions that arrived in the last days", s.traces.takeTraces)
	requests.Form(r, ScoresPath, requests.Run, "Compare two files of scores, question by question; nothing is stored", s.files.compareScores)
	describeForm(r, ScoresPath, []string{"baseline", "candidate"}, map[string]string{
		"baseline":      "*scores before: .csv .tsv .jsonl .json .xlsx",
		"candidate":     "*scores after",
		"sheet":         "of workbooks: the one to read; default the one that looks most like a table of scores",
		"encoding":      encodingField,
		"metrics":       "JSON array: compare only these columns",
		"lower":         "JSON array: columns in which less is better",
		"higher":        "JSON array: columns in which more is better",
		"vote_columns":  "fold or apart: whether score columns that differ by a number alone are votes of one metric; default where their names leave no doubt",
		"values":        "JSON object: sign or word of the files → the number that it counts as, such as {\"○\": 1, \"△\": 0.5, \"×\": 0}",
		"deltas":        "JSON object: column → smallest difference on one question that matters",
		"deterministic": "true: asking again would give the same scores, so one of them settles a question",
	})
}

const encodingField = "of a text file that is not in UTF-8: CP932, EUC-JP, Windows-1252 …; default what its bytes say beyond doubt"

// describeForm gives the contract the fields of a form. The description of a file begins with *.
func describeForm(r *requests.Router, path string, required []string, fields map[string]string) {
	properties := map[string]*huma.Schema{}
	for name, doc := range fields {
		properties[name] = &huma.Schema{Type: huma.TypeString, Description: strings.TrimPrefix(doc, "*")}
		if strings.HasPrefix(doc, "*") {
			properties[name].Format = "binary"
		}
	}
	r.Api.OpenAPI().Paths[path].Post.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"multipart/form-data": {Schema: &huma.Schema{Type: huma.TypeObject, Required: required, Properties: properties}},
	}}
}

// read has the other process read a request, and makes an error of what was wrong with the files.
func (s *filesAPI) read(ctx context.Context, up *requests.Upload, request uploads.Request, verb string) (uploads.Upload, error) {
	if s.parser == nil {
		return uploads.Upload{}, problem.New(problem.Unavailable, "upload_parser", "this server reads no uploads").
			WithHint("use `workbench %s`", verb)
	}
	read, err := s.parser(ctx, up.Dir, request)
	if err == nil && read.Problem != nil {
		err = read.Problem
	}
	return read, err
}

// AnswersImported says what an upload of logged answers stored, or would store.
type AnswersImported struct {
	app.ImportedAnswers
	Applied bool                 `json:"applied" doc:"false: only told"`
	Report  intake.AnswersReport `json:"report" doc:"how the file was read"`
	Fields  []string             `json:"fields" doc:"what a column can be mapped to, beside ignore"`
}

func (s *filesAPI) importAnswers(ctx context.Context, in *formInput) (AnswersImported, error) {
	up, err := s.uploads.Receive(in.writer, in.request)
	if err != nil {
		return AnswersImported{}, err
	}
	defer up.Remove()
	o, dry, err := answersOf(up)
	if err == nil {
		err = s.views.CheckAnswers(ctx, o)
	}
	if err != nil {
		return AnswersImported{}, err
	}
	const dataset = "dataset.json"
	if err := s.views.WriteDataset(ctx, o.Dataset, filepath.Join(up.Dir, dataset)); err != nil {
		return AnswersImported{}, err
	}
	request := uploads.Request{Kind: uploads.Answers, Path: filepath.Join(requests.FilesFolder, up.Files[0]), Name: o.Name,
		Columns: o.Columns, Sheets: intake.OneSheet(o.Sheet), Encoding: o.Encoding, Dataset: dataset}
	read, err := s.read(ctx, up, request, "import-answers")
	if err != nil {
		return AnswersImported{}, err
	}
	imported, err := s.views.KeepAnswers(ctx, read, o, dry)
	return AnswersImported{imported, !dry, read.Answered, intake.AnswerFields()}, err
}

func answersOf(up *requests.Upload) (app.AnswersOptions, bool, error) {
	o := app.AnswersOptions{Name: up.Fields["name"], Dataset: up.Fields["dataset"], Corpus: up.Fields["corpus"], Model: up.Fields["model"]}
	if err := up.Knows("name", "dataset", "corpus", "model", "columns", "sheet", "encoding", dryRunField); err != nil {
		return o, false, err
	}
	switch {
	case len(up.Files) != 1:
		return o, false, requests.Invalid("upload_files", "file", "logged answers are one file", "send it in the field file")
	case o.Dataset == "":
		return o, false, requests.Invalid("upload_dataset", "dataset", "logged answers belong to a dataset", "name it in the field dataset")
	case o.Name == "":
		o.Name = strings.TrimSuffix(up.Files[0], filepath.Ext(up.Files[0]))
	}
	dry, err := up.Flag(dryRunField)
	if err != nil {
		return o, false, err
	}
	o.Columns, err = up.Columns()
	o.Sheet, o.Encoding = up.Fields["sheet"], up.Fields["encoding"]
	return o, dry, err
}

func (s *filesAPI) compareScores(ctx context.Context, in *formInput) (compare.FileComparison, error) {
	up, err := s.uploads.ReceiveUpTo(in.writer, in.request, views.MaxUploadBytes, "baseline", "candidate")
	if err != nil {
		return compare.FileComparison{}, err
	}
	defer up.Remove()
	request, err := scoresOf(up)
	if err != nil {
		return compare.FileComparison{}, err
	}
	read, err := s.read(ctx, up, request, "compare OLD NEW")
	if err != nil || read.Compared == nil {
		return compare.FileComparison{}, err
	}
	return *read.Compared, nil
}

func scoresOf(up *requests.Upload) (uploads.Request, error) {
	request := uploads.Request{Kind: uploads.Scores}
	request.Foreign.Sheet, request.Foreign.VoteColumns = up.Fields["sheet"], up.Fields["vote_columns"]
	request.Foreign.Encoding = up.Fields["encoding"]
	if err := up.Knows("metrics", "lower", "higher", "deltas", "deterministic", "sheet", "encoding", "vote_columns", "values"); err != nil {
		return request, err
	}
	for _, name := range up.Files {
		path := filepath.Join(requests.FilesFolder, name)
		if strings.HasPrefix(name, "baseline/") {
			request.Path = path
		} else {
			request.Other = path
		}
	}
	switch "" {
	case request.Path:
		return request, requests.Invalid("upload_files", "baseline", "two files are compared",
			"send the scores before in the field baseline")
	case request.Other:
		return request, requests.Invalid("upload_files", "candidate", "two files are compared",
			"send the scores after in the field candidate")
	}
	var err error
	if request.Rules.Deterministic, err = up.Flag("deterministic"); err != nil {
		return request, err
	}
	for _, list := range []struct {
		name, what, example string
		into                any
	}{
		{"metrics", "an array of texts", `["faithfulness"]`, &request.Rules.Metrics},
		{"lower", "an array of texts", `["latency"]`, &request.Rules.Lower},
		{"higher", "an array of texts", `["tone"]`, &request.Rules.Higher},
		{"deltas", "an object of numbers", `{"faithfulness": 0.1}`, &request.Rules.Deltas},
		{"values", "an object of numbers", `{"○": 1, "×": 0}`, &request.Foreign.Values},
	} {
		if err := up.Decode(list.name, list.into, "upload_field", list.what, list.example); err != nil {
			return request, err
		}
	}
	return request, nil
}

// importResults takes over the results of another tool. Where no model has to be paid the run that holds the scores is begun.
func (s *filesAPI) importResults(ctx context.Context, in *formInput) (app.ImportedResults, error) {
	up, err := s.uploads.Receive(in.writer, in.request)
	if err != nil {
		return app.ImportedResults{}, err
	}
	defer up.Remove()
	o, err := resultsOf(up)
	if err != nil {
		return app.ImportedResults{}, err
	}
	request := uploads.Request{Kind: uploads.Results, Path: filepath.Join(requests.FilesFolder, up.Files[0]), Name: o.Name,
		Foreign: o.ForeignOptions}
	read, err := s.read(ctx, up, request, "import-results")
	if err != nil {
		return app.ImportedResults{}, err
	}
	imported, err := s.views.KeepResults(ctx, read, o)
	if err != nil {
		return imported, err
	}
	imported.RunID, err = views.StartResults(ctx, s.work, imported.Experiment)
	return imported, err
}

func resultsOf(up *requests.Upload) (app.ResultsOptions, error) {
	o := app.ResultsOptions{Name: up.Fields["name"], Dataset: up.Fields["dataset"], Corpus: up.Fields["corpus"], Model: up.Fields["model"],
		Suite: up.Fields["suite"]}
	o.From, o.Variant, o.Sheet = up.Fields["from"], up.Fields["variant"], up.Fields["sheet"]
	o.VoteColumns, o.Encoding = up.Fields["vote_columns"], up.Fields["encoding"]
	if err := up.Knows("name", "dataset", "corpus", "model", "suite", "from", "variant", "sheet", "columns", "lower", "higher",
		"low", "vote_columns", "values", "encoding", "sample", "mask"); err != nil {
		return o, err
	}
	if len(up.Files) != 1 {
		return o, requests.Invalid("upload_files", "file", "the results of a tool are one file", "send it in the field file")
	}
	if o.Name == "" {
		o.Name = strings.TrimSuffix(up.Files[0], filepath.Ext(up.Files[0]))
	}
	err := up.Decode("lower", &o.Lower, "upload_columns", "a list of texts", `["metric"]`)
	if err == nil {
		err = up.Decode("higher", &o.Higher, "upload_columns", "a list of texts", `["metric"]`)
	}
	if err == nil {
		err = up.Decode("values", &o.Values, "upload_field", "an object of numbers", `{"○": 1, "×": 0}`)
	}
	if err == nil {
		err = up.Decode("low", &o.Low, "upload_low", "a list of texts", `["faithfulness<=0.5"]`)
	}
	if err == nil {
		err = up.Decode("mask", &o.Mask, "upload_mask", "a list of texts", `["email"]`)
	}
	if err == nil {
		err = up.Decode("sample", &o.Sample, "upload_sample", "a number", "200")
	}
	if err != nil {
		return o, err
	}
	o.Columns, err = up.Columns()
	return o, err
}
