import os
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"]="1"; os.environ["DEEPEVAL_RESULTS_FOLDER"]="./de_results"
from world import ROWS
from deepeval import evaluate
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
from deepeval.dataset import EvaluationDataset, Golden
S={0:(1.0,.9),1:(0.0,.8),2:(1.0,1.0),3:(None,.1)}
idx={r["q"]:i for i,r in enumerate(ROWS)}
class M(BaseMetric):
    def __init__(self,name,k,threshold=.5,lower=False):
        self._n=name; self.k=k; self.threshold=threshold; self.async_mode=False; self.evaluation_model="none"; self.strict_mode=False; self.include_reason=True; self.lower=lower
    def measure(self,tc,*a,**kw):
        v=S[idx[tc.input]][self.k]
        if v is None: raise ValueError("the judge gave no verdict")
        self.score=1-v if self.lower else v; self.reason=f"because of {v}"; self.success=(self.score<=self.threshold) if self.lower else self.score>=self.threshold
        return self.score
    async def a_measure(self,tc,*a,**kw): return self.measure(tc)
    def is_successful(self): return bool(self.success)
    @property
    def __name__(self): return self._n
tcs=[LLMTestCase(name=f"case {i}",input=r["q"],actual_output=r["ans"],expected_output=r["ref"],retrieval_context=r["ctx"] or None) for i,r in enumerate(ROWS)]
from deepeval.evaluate import ErrorConfig, AsyncConfig, DisplayConfig, CacheConfig
res=evaluate(tcs,metrics=[M("Faithfulness",0),M("Answer Relevancy",1),M("Hallucination",0,lower=True)],error_config=ErrorConfig(ignore_errors=True),async_config=AsyncConfig(run_async=False),display_config=DisplayConfig(show_indicator=False,print_results=False),cache_config=CacheConfig(write_cache=False))
open("deepeval.result.json","w").write(res.model_dump_json(indent=1))
open("deepeval.alias.json","w").write(res.model_dump_json(by_alias=True))
d=EvaluationDataset(goldens=[Golden(input=r["q"],expected_output=r["ref"],actual_output=r["ans"],retrieval_context=r["ctx"]) for r in ROWS])
for t in ("json","csv","jsonl"):
    try: print(d.save_as(t,directory="de_ds",include_test_cases=False))
    except Exception as e: print(t,e)
