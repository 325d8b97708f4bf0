"""The API in types. Written by generate.py from docs/openapi.json: change nothing here."""

# fmt: off
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Operation(NamedTuple):
    """One route of the API."""

    method: str
    path: str
    query: str = ""  # names of the parameters of the query
    form: str = ""  # names of the fields of the form, for uploads
    once: bool = False  # takes an Idempotency-Key, so that it may be sent twice


OPERATIONS: dict[str, Operation] = {
    "get-me": Operation("GET", "/me", query="lang"),
    "get-experiments": Operation("GET", "/experiments", query="limit cursor sort q archived"),
    "get-experiments-name": Operation("GET", "/experiments/{name}"),
    "put-experiments-name": Operation("PUT", "/experiments/{name}"),
    "post-datasets-preview": Operation("POST", "/datasets/preview", form="columns corpus file files name"),
    "post-datasets": Operation("POST", "/datasets"),
    "get-datasets-ref-questions": Operation(
        "GET",
        "/datasets/{ref}/questions",
        query="limit cursor sort q tag has_reference draft",
    ),
    "post-corpora": Operation("POST", "/corpora", form="columns corpus file files name"),
    "post-answers": Operation("POST", "/answers", form="columns corpus dataset dry_run encoding file model name sheet"),
    "post-runs-plan": Operation("POST", "/runs/plan"),
    "post-runs": Operation("POST", "/runs", once=True),
    "get-runs": Operation(
        "GET",
        "/runs",
        query="limit cursor sort q experiment dataset sweep parent tag state kind children group",
    ),
    "get-runs-id": Operation("GET", "/runs/{id}"),
    "post-runs-id-cancel": Operation("POST", "/runs/{id}/cancel"),
    "post-runs-id-resume": Operation("POST", "/runs/{id}/resume", once=True),
    "get-runs-id-questions": Operation(
        "GET",
        "/runs/{id}/questions",
        query="limit cursor sort q low correctness trust cause category theme tag state critical",
    ),
    "get-comparisons": Operation("GET", "/comparisons", query="baseline candidate min allowance margin"),
    "get-comparisons-questions": Operation(
        "GET",
        "/comparisons/questions",
        query="baseline candidate limit cursor sort q label class match metric category theme tag became_low critical",
    ),
    "get-comparisons-gate": Operation("GET", "/comparisons/gate", query="baseline candidate min allowance margin"),
    "post-comparisons-verify": Operation("POST", "/comparisons/verify", once=True),
    "get-jobs-id": Operation("GET", "/jobs/{id}"),
    "get-baselines": Operation("GET", "/baselines"),
    "put-baselines-dataset": Operation("PUT", "/baselines/{dataset}"),
}


class Agreed(TypedDict):
    known: bool
    line: Text
    met: int
    missed: int
    open: Text
    overdue: list[Overdue]
    text: Text
    unmeasured: int


class AnalysisAnswer(TypedDict):
    known: bool
    text: Text


class AnalysisRecommendation(TypedDict):
    change: Text
    context_cost: NotRequired[Text]
    good: int
    losing: int
    low: int
    newly_broken: int
    promised: int
    repaired: int
    run_id: NotRequired[str]
    text: Text
    tried: bool


class AnalysisRecorded(TypedDict):
    badge: Text
    code: str
    en: str
    ja: str


class AnalysisSetup(TypedDict):
    embedders: NotRequired[list[Model]]
    method: NotRequired[str]
    of: str
    reference: NotRequired[Model]
    taxonomies: NotRequired[list[Taxonomy]]
    trials: NotRequired[int]
    version: str


class AnswersImported(TypedDict):
    answers: int
    applied: bool
    created: bool
    dataset: str
    digest: str
    experiment: str
    fields: list[str]
    missing: list[str]
    name: str
    notes: list[Said]
    report: AnswersReport
    revision: int
    version: int


class AnswersReport(TypedDict):
    columns: list[ColumnUse]
    encoding: NotRequired[str]
    format: str
    missing: list[str]
    notes: NotRequired[list[Said]]
    rows: int
    sheet: NotRequired[str]
    sheets: NotRequired[list[SheetUse]]


class Axis(TypedDict):
    category: NotRequired[bool]
    domain: list[float]
    log: NotRequired[bool]
    ticks: list[Tick]
    title: Words


class BM25(TypedDict):
    analyzer: str
    b: float
    k1: float


class Baseline(TypedDict):
    dataset: str
    run_id: str
    set_at: str


class BaselineInputBody(TypedDict):
    plan: NotRequired[bool]
    replicates: NotRequired[int]
    run: str


class BaselineSet(TypedDict):
    applied: bool
    dataset: str
    job: NotRequired[Job]
    part: NotRequired[int]
    plan: NotRequired[VotePrice]
    run_id: str
    set_at: str


class Best(TypedDict):
    by: str
    top: int


BubbleMove = TypedDict("BubbleMove", {
    "count": "int",
    "from": "list[int]",
    "low": "NotRequired[str]",
    "to": "list[int]",
})


class Bubbles(TypedDict):
    counts: list[list[int]]
    line: Text
    low: int
    low_score: float
    own_low: NotRequired[list[str]]
    unscored: int


class Budget(TypedDict):
    calls: NotRequired[int]
    micros: NotRequired[int]


class BudgetBody(TypedDict):
    budget: NotRequired[str]


class Cause(TypedDict):
    certainty: str
    code: str
    how: Text
    n: int
    name: Text
    questions: list[str]
    text: Text
    way: NotRequired[str]


class CauseChange(TypedDict):
    after: int
    before: int
    category: str
    component: str
    data: str


CauseMove = TypedDict("CauseMove", {
    "count": "int",
    "from": "str",
    "questions": "list[str]",
    "to": "str",
})


class CauseTable(TypedDict):
    changes: list[CauseChange]
    methods: list[str]
    moves: list[CauseMove]


class Causes(TypedDict):
    counts: dict[str, int]
    known: bool
    list: list[Cause]
    low: int
    text: Text


ChangeRow = TypedDict("ChangeRow", {
    "after": "dict[str, float]",
    "answer_after": "NotRequired[str]",
    "answer_before": "NotRequired[str]",
    "baseline_question_id": "NotRequired[str]",
    "became_low": "NotRequired[bool]",
    "before": "dict[str, float]",
    "category": "NotRequired[str]",
    "cause_after": "NotRequired[str]",
    "cause_before": "NotRequired[str]",
    "changes": "dict[str, QuestionChange]",
    "class": "NotRequired[str]",
    "critical": "NotRequired[bool]",
    "detail": "NotRequired[str]",
    "flaky": "NotRequired[bool]",
    "label": "NotRequired[str]",
    "low_after": "bool",
    "low_before": "bool",
    "match": "str",
    "metric": "NotRequired[str]",
    "question": "str",
    "question_id": "str",
    "remark_en": "NotRequired[str]",
    "remark_ja": "NotRequired[str]",
    "same_answer": "bool",
    "tags": "NotRequired[list[str]]",
    "theme": "NotRequired[str]",
    "theme_by": "NotRequired[Text]",
    "theme_name": "NotRequired[Word]",
    "verdict": "NotRequired[QuestionVerdict]",
    "votes": "NotRequired[Text]",
})


class ChartsPlan(TypedDict):
    colour: NotRequired[Legend]
    corner: NotRequired[int]
    crowded: NotRequired[Words]
    facets: NotRequired[list[Words]]
    head: list[Head]
    lines: NotRequired[list[GuideLine]]
    list: NotRequired[bool]
    mark: str
    marks: list[Mark]
    notes: NotRequired[list[Words]]
    path: NotRequired[list[int]]
    places: NotRequired[list[Place]]
    rise: NotRequired[float]
    rows: list[list[Any]]
    summary: Words
    title: NotRequired[Words]
    tracks: NotRequired[list[Track]]
    words: NotRequired[dict[str, Words]]
    x: Axis
    y: Axis


class ChildRow(TypedDict):
    baseline: bool
    budget: NotRequired[Budget]
    cause: NotRequired[str]
    children: int
    corpus: Ref
    created_at: str
    dataset: Ref
    experiment: str
    finished_at: NotRequired[str]
    group: NotRequired[SweepGroup]
    judge: str
    kind: str
    low_score: float
    note: NotRequired[str]
    offline: bool
    params: NotRequired[list[Param]]
    parent_id: NotRequired[str]
    progress: NotRequired[RunProgress]
    revision: int
    run_id: str
    settled: bool
    spent: Spending
    started_at: NotRequired[str]
    state: str
    sweep_id: NotRequired[str]
    tags: NotRequired[list[str]]
    tools: NotRequired[list[str]]
    totals: NotRequired[Totals]


class Chunking(TypedDict):
    by: str
    count: NotRequired[str]
    encoding: NotRequired[str]
    header: NotRequired[str]
    header_in_prompt: NotRequired[bool]
    heading: NotRequired[str]
    keep: NotRequired[str]
    lists: NotRequired[str]
    min: NotRequired[int]
    overlap: int
    overlap_share: NotRequired[float]
    parent: NotRequired[Parent]
    separators: NotRequired[list[str]]
    size: int
    tables: NotRequired[str]


ClassCount = TypedDict("ClassCount", {
    "class": "str",
    "count": "int",
    "en": "str",
    "ja": "str",
})


class ColumnUse(TypedDict):
    field: str
    samples: NotRequired[list[str]]
    source: str
    why: NotRequired[Said]


class CommitInputBody(TypedDict):
    columns: NotRequired[dict[str, str]]
    corpus: NotRequired[str]
    encoding: NotRequired[str]
    name: str
    sheets: NotRequired[list[str]]
    token: str


class ComparisonView(TypedDict):
    added: list[str]
    baseline: RunRow
    bubbles: list[Bubbles]
    by_both_orders: int
    candidate: RunRow
    causes: NotRequired[CauseTable]
    charts: Movement
    classes: list[ClassCount]
    config: list[ConfigChange]
    counts: dict[str, LabelCounts]
    critical_worse: int
    decide_by: list[str]
    excluded: list[Exclusion]
    findings: Findings
    labels: VerdictCounts
    low_after: int
    low_before: int
    matched: int
    method: Method
    metrics: dict[str, MetricChange]
    moved: list[BubbleMove]
    parts: list[Part]
    reference_changed: list[str]
    removed: list[str]
    renamed: NotRequired[list[Renaming]]
    reworded: list[str]
    same_run: bool
    scale: int
    sentences: Sentences
    tie_breaks: int
    unscored: NotRequired[list[Unscored]]
    warnings: NotRequired[list[Note]]


class Config(TypedDict):
    chunk: Chunking
    embedding: Embedding
    endpoint: NotRequired[Endpoint]
    generate: Generate
    index: NotRequired[IndexMapping]
    log: NotRequired[LogRef]
    post_process: list[str]
    rerank: Rerank
    retrieve: Retrieve
    rewrite: Rewrite


class ConfigChange(TypedDict):
    after: Any
    before: Any
    field: str


class Corrected(TypedDict):
    ci95: NotRequired[list[float]]
    corrected: NotRequired[float]
    metric: str
    raw: float
    reviews: int
    text: Text


class Count(TypedDict):
    code: str
    n: int
    name: Text
    text: Text


class Coverage(TypedDict):
    applicable: int
    scored: int


class Custom(TypedDict):
    id: str
    inputs: NotRequired[list[str]]
    instruction: str
    kind: str
    levels: NotRequired[dict[str, str]]
    lower_is_better: NotRequired[bool]
    title: NotRequired[str]


class DatasetPreview(TypedDict):
    fields: list[str]
    file: str
    name: str
    problem: NotRequired[Problem]
    problems: list[RowProblem]
    report: ReadReport
    rows: list[Question]
    token: str
    total: int


class DatasetQuestion(TypedDict):
    answerable: bool
    critical: NotRequired[bool]
    evidence: NotRequired[list[Evidence]]
    expected_urls: NotRequired[list[str]]
    lang: str
    metadata: NotRequired[dict[str, str]]
    question: str
    question_id: str
    reference: NotRequired[str]
    references: NotRequired[list[str]]
    row: int
    tags: NotRequired[list[str]]


class Deciding(TypedDict):
    baseline: float
    candidate: float
    crossing: str
    detail: str
    flaky: NotRequired[bool]
    gain: float
    metric: str
    movement: str
    settled_by: NotRequired[str]


Definition = TypedDict("Definition", {
    "analyses": "NotRequired[list[str]]",
    "answers": "NotRequired[str]",
    "base": "Config",
    "corpus": "str",
    "dataset": "str",
    "decide_by": "NotRequired[list[str]]",
    "endpoint": "NotRequired[str]",
    "except": "NotRequired[list[dict[str, Any]]]",
    "generate": "NotRequired[Best]",
    "goals": "NotRequired[list[Goal]]",
    "judge": "JudgeConfig",
    "low": "NotRequired[list[str]]",
    "low_score": "float",
    "metrics": "NotRequired[list[Custom]]",
    "name": "str",
    "notes": "NotRequired[str]",
    "pairwise": "NotRequired[str]",
    "suite": "list[str]",
    "sweep": "NotRequired[list[ExperimentsAxis]]",
    "tags": "NotRequired[list[str]]",
})


Drift = TypedDict("Drift", {
    "ci95": "NotRequired[list[float]]",
    "from": "str",
    "judge": "float",
    "n": "int",
    "p": "float",
    "system": "float",
})


class Embedding(TypedDict):
    dimensions: NotRequired[int]
    input_type: NotRequired[str]
    matryoshka: NotRequired[bool]
    model: str
    normalize: NotRequired[bool]
    passage_prefix: NotRequired[str]
    provider: str
    query_prefix: NotRequired[str]
    similarity: NotRequired[str]


class Endpoint(TypedDict):
    answer: str
    at_most_once: NotRequired[bool]
    concurrency: NotRequired[int]
    context_id: NotRequired[str]
    context_text: NotRequired[str]
    contexts: NotRequired[str]
    headers: NotRequired[dict[str, str]]
    method: str
    name: str
    rpm: NotRequired[int]
    template: NotRequired[str]
    timeout_ms: NotRequired[int]
    url: str
    version_path: NotRequired[str]


class Evidence(TypedDict):
    doc_id: str
    end: int
    quote: str
    start: int


class Example(TypedDict):
    after: NotRequired[str]
    before: NotRequired[str]
    critical: NotRequired[bool]
    question: str
    question_id: str
    reference: str
    scores: list[Scored]
    verdict: NotRequired[str]
    votes: NotRequired[Text]
    why: NotRequired[Text]


class Exclusion(TypedDict):
    metric: str
    reason: Note
    why: str


class ExperimentBody(TypedDict):
    definition: NotRequired[dict[str, Any]]
    yaml: NotRequired[str]


class ExperimentDetail(TypedDict):
    archived: bool
    created_at: str
    definition: Definition
    name: str
    revision: int
    revisions: list[Revision]
    runs: list[RunRow]
    tools: NotRequired[list[str]]
    yaml: str


class ExperimentRow(TypedDict):
    archived: bool
    axes: list[str]
    corpus: NotRequired[str]
    created_at: str
    dataset: str
    judge: NotRequired[str]
    last_run: NotRequired[RunRow]
    name: str
    notes: NotRequired[str]
    revision: int
    system: str
    tags: list[str]
    tools: NotRequired[list[str]]


ExperimentsAxis = TypedDict("ExperimentsAxis", {
    "name": "str",
    "values": "list[Any]",
    "with": "NotRequired[str]",
})


class Figure(TypedDict):
    after: float
    before: NotRequired[float]
    ci95: NotRequired[list[float]]
    direction: NotRequired[str]
    lower_is_better: NotRequired[bool]
    max: float
    metric: str
    min: float
    n: int
    small: NotRequired[bool]
    title: Text
    visible: NotRequired[float]


class Findings(TypedDict):
    agreed: Agreed
    alternatives: Text
    baseline: NotRequired[str]
    best: list[Example]
    candidate: str
    causes: Causes
    changed: list[Text]
    check: Text
    checked: NotRequired[list[Text]]
    corrected: list[Corrected]
    effort: list[Text]
    enough: AnalysisAnswer
    fails: list[Count]
    figures: list[Figure]
    headline: Text
    imported: NotRequired[bool]
    judge: AnalysisAnswer
    low: Low
    matched: int
    month: AnalysisAnswer
    offline: bool
    order: list[Verdict]
    people: AnalysisAnswer
    recommendations: list[AnalysisRecommendation]
    recorded: NotRequired[AnalysisRecorded]
    release: Release
    retrieval_only: NotRequired[bool]
    scored_here: NotRequired[Text]
    sent: list[Text]
    sentences: list[Text]
    slices: list[Slice]
    themes: list[Theme]
    ties: Text
    untested: list[Text]
    verdicts: Verdicts
    worst: list[Example]


class FormTried(TypedDict):
    form: str
    problem: NotRequired[str]
    repair: NotRequired[str]


class GateChange(TypedDict):
    baseline: float
    by_tie: NotRequired[str]
    candidate: float
    critical: NotRequired[bool]
    id: str
    metric: str
    remark: NotRequired[Note]


class GateCheck(TypedDict):
    bound: NotRequired[float]
    critical: NotRequired[list[str]]
    decision: str
    dropped: NotRequired[list[str]]
    lacking: NotRequired[int]
    lower: NotRequired[float]
    lower_is_better: NotRequired[bool]
    message: str
    message_ja: str
    metric: NotRequired[str]
    missing: NotRequired[bool]
    mixed: NotRequired[int]
    n: NotRequired[int]
    name: str
    open: NotRequired[int]
    partial: NotRequired[list[str]]
    tags: NotRequired[list[str]]
    unasked: NotRequired[int]
    upper: NotRequired[float]
    value: NotRequired[float]
    whole: NotRequired[float]
    worst_case: NotRequired[float]


class GateDoubt(TypedDict):
    baseline: NotRequired[float]
    candidate: NotRequired[float]
    critical: NotRequired[bool]
    id: str
    metric: str
    reason: Literal["scored_lower", "by_statements", "votes_unclear", "not_scored", "scored_higher"]
    why: str
    why_ja: str


class GateView(TypedDict):
    baseline: NotRequired[str]
    candidate: str
    caution: NotRequired[Text]
    checks: list[GateCheck]
    counts: VerdictCounts
    coverage: float
    decision: str
    limits: NotRequired[list[Note]]
    limits_by: NotRequired[Setter]
    needs_check: list[GateDoubt]
    offline: bool
    outcome: Literal["pass", "fail", "incomplete", "inconclusive"]
    preset: NotRequired[list[str]]
    questions: int
    reasons: list[str]
    said: list[str]
    said_ja: list[str]
    scored: int
    worse: list[GateChange]


class Generate(TypedDict):
    max_tokens: NotRequired[int]
    model: str
    prompt: str
    provider: str
    temperature: float


class Goal(TypedDict):
    agreed_on: NotRequired[str]
    metric: str
    owner: NotRequired[str]
    target: float
    theme: NotRequired[str]


class GoldLabel(TypedDict):
    labels: list[str]
    question_id: str


class GuardFigures(TypedDict):
    decided: bool
    expected_false: float
    expected_miss: float
    flaky: int
    gate: bool
    noise: float
    pairs: int
    q: float
    same_question: float


class GuideLine(TypedDict):
    title: NotRequired[Words]
    x: NotRequired[float]
    y: NotRequired[float]


class Head(TypedDict):
    digits: NotRequired[int]
    number: NotRequired[bool]
    title: Words


class Home(TypedDict):
    baseline: NotRequired[str]
    candidate: NotRequired[str]
    kind: str


class Imported(TypedDict):
    created: bool
    digest: str
    items: int
    left_out: NotRequired[list[LeftOut]]
    name: str
    notes: list[Said]
    version: int


class IndexMapping(TypedDict):
    changed: NotRequired[bool]
    dimensions: NotRequired[int]
    distance: NotRequired[str]
    engine: str
    fields: MappedFields
    identity: NotRequired[str]
    offset_unit: NotRequired[str]
    offsets: str
    params: NotRequired[dict[str, Any]]
    rows: NotRequired[int]
    space: NotRequired[str]
    table: str
    version: NotRequired[str]


class ItemsOfBaseline(TypedDict):
    items: list[Baseline]


class Job(TypedDict):
    done: int
    file: NotRequired[str]
    id: str
    kind: str
    problem: NotRequired[Problem]
    result: bool
    runs: list[str]
    state: Literal["running", "done", "failed"]
    total: int


class JudgeConfig(TypedDict):
    embedding: Model
    examples: NotRequired[list[JudgeExample]]
    explain_lang: NotRequired[str]
    model: str
    prompts: NotRequired[dict[str, str]]
    provider: str


class JudgeExample(TypedDict):
    accepted: bool
    answer: str
    question: str
    reference: str


class JudgeStatus(TypedDict):
    judge: str
    offline: bool
    reasons: list[str]
    status: str


class LabelCounts(TypedDict):
    better: int
    needs_check: int
    no_change: int
    worse: int


class LayerPlan(TypedDict):
    buys: NotRequired[StagePlan]
    different: int
    in_all: int
    layer: str
    per_question: bool


class LeftOut(TypedDict):
    code: str
    file: str
    hint: NotRequired[str]
    message: str
    params: NotRequired[dict[str, Any]]


class Legend(TypedDict):
    diverging: NotRequired[bool]
    domain: NotRequired[list[float]]
    ends: NotRequired[list[Words]]
    lanes: NotRequired[int]
    names: NotRequired[list[Words]]
    title: Words


class ListedChangeRow(TypedDict):
    items: list[ChangeRow]
    next_cursor: str
    total: int


class ListedDatasetQuestion(TypedDict):
    items: list[DatasetQuestion]
    next_cursor: str
    total: int


class ListedExperimentRow(TypedDict):
    items: list[ExperimentRow]
    next_cursor: str
    total: int


class ListedQuestionRow(TypedDict):
    items: list[QuestionRow]
    next_cursor: str
    total: int


class ListedRunRow(TypedDict):
    items: list[RunRow]
    next_cursor: str
    total: int


class LogRef(TypedDict):
    digest: str
    name: str
    version: int


class Low(TypedDict):
    after: int
    apart: NotRequired[bool]
    before: int
    line: Text
    of: int
    own: NotRequired[list[str]]
    threshold: float
    untold: NotRequired[Text]


MMR = TypedDict("MMR", {
    "fetch_k": "int",
    "lambda": "float",
})


class MappedFields(TypedDict):
    doc_id: NotRequired[str]
    end: NotRequired[str]
    id: NotRequired[str]
    start: NotRequired[str]
    text: NotRequired[str]
    title: NotRequired[str]
    vector: NotRequired[str]


class Mark(TypedDict):
    apart: NotRequired[bool]
    base: NotRequired[float]
    begins: NotRequired[bool]
    colour: NotRequired[int]
    facet: NotRequired[int]
    framed: NotRequired[bool]
    key: NotRequired[str]
    out: NotRequired[list[float]]
    part: NotRequired[float]
    row: int
    size: NotRequired[float]
    span: NotRequired[list[float]]
    text: NotRequired[str]
    x: float
    x2: NotRequired[float]
    y: float


class Me(TypedDict):
    account: str
    auth: str
    home: NotRequired[Home]
    kind: Literal["nobody", "account", "token", "local"]
    languages: list[str]
    name: str
    permissions: list[str]
    provider: str
    role: str
    session: str
    version: str


class Mean(TypedDict):
    mean: float
    n: int


class Method(TypedDict):
    clusters: int
    confidence: float
    explanation: list[Note]
    fdr: float
    gates: list[str]
    guarded: bool
    identical: int
    interval: str
    power: float
    replicated: list[int]
    seed: int
    settled: bool
    votes: list[int]


class MetricChange(TypedDict):
    baseline: float
    candidate: float
    ci95: NotRequired[list[float]]
    clusters: NotRequired[int]
    df: NotRequired[float]
    diff: float
    effect: NotRequired[float]
    guard: NotRequired[GuardFigures]
    improved: float
    judge_drift: NotRequired[Drift]
    lower_is_better: NotRequired[bool]
    n: int
    p: NotRequired[float]
    slices: NotRequired[list[SliceChange]]
    visible: NotRequired[float]
    worsened: float


class Model(TypedDict):
    model: str
    provider: str


class ModelLimits(TypedDict):
    context_tokens: NotRequired[int]
    output_tokens: NotRequired[int]
    requests_per_minute: NotRequired[int]
    tokens_per_minute: NotRequired[int]


class Movement(TypedDict):
    after: ChartsPlan
    before: ChartsPlan


class Note(TypedDict):
    code: str
    message: str
    message_ja: str
    params: NotRequired[dict[str, Any]]


class Overdue(TypedDict):
    due: str
    owner: NotRequired[str]
    text: Text


class OwnLow(TypedDict):
    lines: list[str]
    rated: int


class PGVector(TypedDict):
    connection: NotRequired[str]
    ef_construction: NotRequired[int]
    ef_search: NotRequired[int]
    halfvec: NotRequired[bool]
    index: NotRequired[str]
    m: NotRequired[int]


class Param(TypedDict):
    name: str
    value: Any


class Parent(TypedDict):
    mode: str
    n: NotRequired[int]
    ratio: NotRequired[float]
    size: NotRequired[int]


class Part(TypedDict):
    lines: list[Text]
    name: Literal["release", "worst", "best", "slices", "causes", "recommendations", "belief", "agreed", "untested", "costs"]
    title: Text


class Place(TypedDict):
    empty: NotRequired[bool]
    key: NotRequired[str]


class Plan(TypedDict):
    alike_buy: NotRequired[int]
    alike_micros: NotRequired[int]
    buy: int
    currency: str
    evidence: NotRequired[Text]
    expected_buy: int
    expected_micros: int
    layers: NotRequired[list[LayerPlan]]
    price_known: bool
    price_micros: int
    probes: NotRequired[list[Probe]]
    questions: int
    runs: int
    search: NotRequired[Text]
    stages: list[StagePlan]
    written: NotRequired[int]


class Probe(TypedDict):
    at: str
    dimensions: NotRequired[int]
    form: NotRequired[str]
    latency_ms: int
    limits: NotRequired[ModelLimits]
    message: NotRequired[str]
    model: str
    ok: bool
    origin: str
    problem: NotRequired[str]
    provider: str
    purpose: str
    tried: NotRequired[list[FormTried]]


class Problem(TypedDict):
    code: str
    detail: str
    field: NotRequired[str]
    hint: NotRequired[str]
    params: NotRequired[dict[str, Any]]
    status: int
    title: str
    type: str


class Question(TypedDict):
    answerable: bool
    critical: NotRequired[bool]
    evidence: NotRequired[list[Evidence]]
    expected_urls: NotRequired[list[str]]
    lang: str
    metadata: NotRequired[dict[str, str]]
    question: str
    question_id: str
    reference: NotRequired[str]
    references: NotRequired[list[str]]
    tags: NotRequired[list[str]]


class QuestionChange(TypedDict):
    baseline: float
    baseline_question_id: NotRequired[str]
    became_low: NotRequired[bool]
    candidate: float
    critical: NotRequired[bool]
    detail: str
    flaky: NotRequired[bool]
    label: str
    metric: str
    p_improvement: NotRequired[float]
    p_regression: NotRequired[float]
    question_id: str
    replicates: list[int]
    settled_by: NotRequired[str]


class QuestionRow(TypedDict):
    answer: NotRequired[str]
    category: NotRequired[str]
    cause: NotRequired[str]
    contexts: int
    critical: NotRequired[bool]
    failure: NotRequired[str]
    keywords: NotRequired[list[str]]
    lang: str
    low: bool
    question: str
    question_id: str
    reference: NotRequired[str]
    scores: dict[str, float]
    state: str
    tags: NotRequired[list[str]]
    theme: NotRequired[str]
    theme_by: NotRequired[Text]
    theme_name: NotRequired[Word]
    unscored: NotRequired[dict[str, str]]
    votes: int


class QuestionVerdict(TypedDict):
    baseline_question_id: NotRequired[str]
    became_low: NotRequired[bool]
    by_tie: NotRequired[str]
    critical: NotRequired[bool]
    detail: str
    first: Deciding
    flaky: NotRequired[bool]
    guard: NotRequired[Deciding]
    identical: NotRequired[bool]
    kinds: list[str]
    question_id: str
    remark: NotRequired[Note]
    settled_by: NotRequired[str]
    transition: NotRequired[str]
    verdict: str


class ReadReport(TypedDict):
    columns: list[ColumnUse]
    encoding: NotRequired[str]
    format: str
    notes: NotRequired[list[Said]]
    rows: int
    sheet: NotRequired[str]
    sheets: NotRequired[list[SheetUse]]


class Recorded(TypedDict):
    by: str
    day: str


class Ref(TypedDict):
    digest: str
    name: str
    version: int


class Release(TypedDict):
    answer: str
    limits: Text
    reason: Text
    text: Text


class Renaming(TypedDict):
    after: str
    before: str


class Rerank(TypedDict):
    batch: NotRequired[int]
    depth: NotRequired[int]
    dialect: NotRequired[str]
    listwise: NotRequired[bool]
    min_score: NotRequired[float]
    mode: str
    model: str
    provider: str


class Retrieve(TypedDict):
    alpha: NotRequired[float]
    bm25: NotRequired[BM25]
    engine: NotRequired[str]
    filter: NotRequired[dict[str, Any]]
    fusion: NotRequired[str]
    k: int
    min_score: NotRequired[float]
    mmr: NotRequired[MMR]
    mode: str
    neighbours: NotRequired[int]
    norm: NotRequired[str]
    params: NotRequired[dict[str, Any]]
    per_document: NotRequired[int]
    pgvector: NotRequired[PGVector]
    rrf_k: NotRequired[int]
    weights: NotRequired[list[float]]


class Revision(TypedDict):
    at: str
    last_run: NotRequired[str]
    revision: int
    sweep: NotRequired[str]


class Rewrite(TypedDict):
    include_original: NotRequired[bool]
    mode: str
    model: str
    n: NotRequired[int]
    provider: str


class RowProblem(TypedDict):
    candidates: NotRequired[list[str]]
    column: NotRequired[bool]
    field: NotRequired[str]
    message: str
    question_id: NotRequired[str]
    row: int
    sheet: NotRequired[str]


class Run(TypedDict):
    budget: NotRequired[Budget]
    cause: NotRequired[str]
    chain: NotRequired[str]
    created_at: str
    finished_at: NotRequired[str]
    kind: str
    params: NotRequired[list[Param]]
    parent_id: NotRequired[str]
    run_id: str
    setup: Setup
    setup_digest: str
    started_at: NotRequired[str]
    state: str
    sweep_id: NotRequired[str]
    totals: NotRequired[Totals]


class RunDetail(TypedDict):
    bubbles: NotRequired[Bubbles]
    children: list[ChildRow]
    currency: str
    hint: NotRequired[str]
    judge: NotRequired[JudgeStatus]
    own: Spending
    recorded: NotRequired[AnalysisRecorded]
    row: RunRow
    run: Run
    scored_here: NotRequired[Text]
    search: NotRequired[Text]
    spent: Spending
    stopped: NotRequired[str]
    troubles: list[Trouble]
    why: NotRequired[Text]


class RunProgress(TypedDict):
    done: int
    total: int


class RunRow(TypedDict):
    baseline: bool
    budget: NotRequired[Budget]
    cause: NotRequired[str]
    children: int
    corpus: Ref
    created_at: str
    dataset: Ref
    experiment: str
    finished_at: NotRequired[str]
    group: NotRequired[SweepGroup]
    judge: str
    kind: str
    low_score: float
    note: NotRequired[str]
    offline: bool
    params: NotRequired[list[Param]]
    parent_id: NotRequired[str]
    progress: NotRequired[RunProgress]
    revision: int
    run_id: str
    settled: bool
    started_at: NotRequired[str]
    state: str
    sweep_id: NotRequired[str]
    tags: NotRequired[list[str]]
    tools: NotRequired[list[str]]
    totals: NotRequired[Totals]


class Said(TypedDict):
    en: str
    ja: str


class Scored(TypedDict):
    after: NotRequired[float]
    before: NotRequired[float]
    metric: str
    title: Text


class Sentences(TypedDict):
    en: list[str]
    ja: list[str]


class Setter(TypedDict):
    name: NotRequired[str]
    where: Literal["command", "page", "schedule", "cell", "notebook"]


class Setup(TypedDict):
    agreement: NotRequired[int]
    analysis: NotRequired[AnalysisSetup]
    config: Config
    corpus: Ref
    dataset: Ref
    decide_by: NotRequired[list[str]]
    experiment: str
    fire: NotRequired[str]
    goals: NotRequired[list[Goal]]
    judge: JudgeConfig
    keep_answers: NotRequired[bool]
    low: NotRequired[list[str]]
    low_score: float
    offline: bool
    offline_version: NotRequired[str]
    pairwise: NotRequired[str]
    questions: NotRequired[list[str]]
    recorded: NotRequired[Recorded]
    rejudge: NotRequired[str]
    repeat: NotRequired[bool]
    replicate: NotRequired[int]
    revision: int
    settled: bool
    suite: list[Spec]


class SheetUse(TypedDict):
    hidden: NotRequired[bool]
    name: str
    read: bool
    rows: int
    why: Said


class Slice(TypedDict):
    by: Literal["theme", "category", "hops"]
    id: str
    matched: int
    name: Text
    source: Text
    text: Text
    verdicts: Verdicts


class SliceChange(TypedDict):
    diff: float
    n: int
    p: float
    tag: str


class Spec(TypedDict):
    custom: NotRequired[Custom]
    delta: float
    group: str
    id: str
    joint: NotRequired[bool]
    lower_is_better: NotRequired[bool]
    max: float
    meaning_en: str
    meaning_ja: str
    min: float
    needs_embedding: NotRequired[bool]
    needs_judge: bool
    title_en: str
    title_ja: str
    undirected: NotRequired[bool]
    version: str


class Spending(TypedDict):
    cached_tokens: int
    calls: int
    confirmed_micros: int
    output_tokens: int
    possible_calls: int
    possible_micros: int
    prompt_tokens: int
    repaired: int
    replies: int
    saved_calls: int
    saved_micros: int
    unknown_price: int
    unusable: int


Spread = TypedDict("Spread", {
    "best": "float",
    "from": "float",
    "to": "float",
})


class StagePlan(TypedDict):
    buy: int
    expected_buy: int
    expected_micros: int
    expected_tokens: int
    free: int
    known: int
    price_known: bool
    price_micros: int
    stage: str
    tokens: int


class StartBody(TypedDict):
    budget: NotRequired[str]
    experiment: str
    filter: NotRequired[list[str]]
    limit: NotRequired[int]
    questions: NotRequired[list[str]]


class SweepGroup(TypedDict):
    best: NotRequired[str]
    best_params: NotRequired[list[Param]]
    finished: int
    runs: int
    spread: dict[str, Spread]


class Taxonomy(TypedDict):
    aliases: NotRequired[list[list[str]]]
    en: str
    gold: NotRequired[list[GoldLabel]]
    id: str
    ja: str
    labels: list[TaxonomyLabel]
    multi: NotRequired[bool]
    version: int


class TaxonomyLabel(TypedDict):
    en: str
    examples: NotRequired[list[str]]
    exclude: NotRequired[str]
    id: str
    include: str
    ja: str
    since: NotRequired[int]
    words: NotRequired[list[str]]


class Text(TypedDict):
    code: str
    en: str
    ja: str


class Theme(TypedDict):
    id: str
    low: int
    name: Text
    rated: int
    text: Text


class Tick(TypedDict):
    at: float
    text: Words


class Totals(TypedDict):
    coverage: Coverage
    errors: NotRequired[dict[str, int]]
    low: NotRequired[OwnLow]
    low_score_count: int
    questions: int
    scores: dict[str, Mean]


class Track(TypedDict):
    line: NotRequired[bool]
    nothing: NotRequired[Words]
    parts: NotRequired[bool]
    title: Words
    y: Axis


class Trouble(TypedDict):
    call_id: str
    calls: int
    cause: str
    http_status: int
    model: str
    provider: str
    purpose: str
    reply: NotRequired[str]
    server: NotRequired[str]
    text: Text


class Unscored(TypedDict):
    arm: str
    cause: str
    metric: str
    question_id: str


Verdict = TypedDict("Verdict", {
    "became_low": "NotRequired[bool]",
    "class": "NotRequired[str]",
    "critical": "NotRequired[bool]",
    "question_id": "str",
    "verdict": "str",
    "why": "Text",
})


class VerdictCounts(TypedDict):
    better: int
    mixed: int
    needs_check: int
    no_change: int
    worse: int


class Verdicts(TypedDict):
    better: int
    critical_worse: int
    mixed: int
    needs_check: int
    no_change: int
    undecided: int
    worse: int


class Verification(TypedDict):
    end: NotRequired[Text]
    job: NotRequired[Job]
    plan: VerifyState


class VerifyBody(TypedDict):
    baseline: NotRequired[str]
    budget: NotRequired[str]
    candidate: str
    no_pairwise: NotRequired[bool]
    plan: NotRequired[bool]
    votes: NotRequired[int]


class VerifyState(TypedDict):
    answers: int
    baseline: str
    bought: int
    calls: int
    candidate: str
    micros: int
    next: VerifyStep
    price: VotePrice
    runs: list[str]
    ties: VotePrice


class VerifyStep(TypedDict):
    budget: int
    changed: int
    estimate: int
    expected_false: float
    expected_miss: float
    spent: int
    stop: NotRequired[str]
    undecided: int
    votes: list[Vote]


class Vote(TypedDict):
    arm: str
    question_id: str
    replicate: int
    why: str


class VotePrice(TypedDict):
    calls: int
    currency: str
    micros: int
    price_known: bool
    votes: int


class Word(TypedDict):
    code: str
    en: str
    ja: str


class Words(TypedDict):
    en: NotRequired[str]
    ja: NotRequired[str]
