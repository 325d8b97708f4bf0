# Real ragas.evaluate with metrics that give written-down scores instead of asking a model; one raises, which Ragas makes NaN.
from dataclasses import dataclass, field
from world import ROWS
from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.metrics.base import SingleTurnMetric, MetricType
from ragas.run_config import RunConfig
IDX={r["q"]:i for i,r in enumerate(ROWS)}
@dataclass
class Given(SingleTurnMetric):
    name: str = "given"
    values: tuple = ()
    _required_columns: dict = field(default_factory=lambda: {MetricType.SINGLE_TURN: {"user_input","response"}})
    def init(self, run_config): pass
    async def _single_turn_ascore(self, sample, callbacks):
        v=self.values[IDX[sample.user_input]]
        if v is None: raise ValueError("the judge gave no verdict")
        return v
ds=EvaluationDataset(samples=[SingleTurnSample(user_input=r["q"],retrieved_contexts=r["ctx"],response=r["ans"],reference=r["ref"]) for r in ROWS])
r=evaluate(ds,metrics=[Given(name="faithfulness",values=(1.0,0.0,1.0,None)),Given(name="answer_relevancy",values=(.93,.88,.97,0.0)),Given(name="context_recall",values=(1.0,1.0,1.0,0.0)),Given(name="factual_correctness(mode=f1)",values=(.8,0.0,1.0,None))],raise_exceptions=False,show_progress=False,run_config=RunConfig(max_retries=1))
df=r.to_pandas()
df.to_json("ragas.records.json",orient="records",force_ascii=False)
df.to_json("ragas.columns.json",force_ascii=False)
df.to_json("ragas.jsonl",orient="records",lines=True,force_ascii=False)
df.to_csv("ragas.csv",index=False)
df.to_csv("ragas.index.csv")
print(r)
