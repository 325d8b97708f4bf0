import sys, types, dataclasses
# The checker calls models; its containers and formulas need none. The claims and verdicts below are written by hand.
for n in ("refchecker","refchecker.extractor","refchecker.checker"): sys.modules[n]=types.ModuleType(n)
for n in ("LLMExtractor",): setattr(sys.modules["refchecker.extractor"],n,object)
for n in ("LLMChecker","NLIChecker","AlignScoreChecker"): setattr(sys.modules["refchecker.checker"],n,object)
from world import ROWS
from ragchecker.container import RAGResult,RAGResults,RetrievedDoc
from ragchecker.evaluator import RAGChecker
E_,N="Entailment","Neutral"
V=[([E_,E_],[E_,E_],[[E_,N],[E_,N]],[[E_,N],[E_,N]]),([N],[N],[[N]],[[E_]]),([E_],[E_],[[E_]],[[E_]]),([N],[N],[[]],[[]])]
rs=[]
for i,(r,v) in enumerate(zip(ROWS,V)):
    rs.append(RAGResult(query_id=f"k{i}",query=r["q"],gt_answer=r["ref"],response=r["ans"],
      retrieved_context=[RetrievedDoc(doc_id=f"d{i}-{j}",text=t) for j,t in enumerate(r["ctx"])],
      response_claims=[["a","b","c"]]*len(v[0]),gt_answer_claims=[["a","b","c"]]*len(v[1]),answer2response=v[0],response2answer=v[1],retrieved2response=v[2],retrieved2answer=v[3]))
open("ragchecker.inputs.json","w").write(RAGResults(results=[RAGResult(query_id=r.query_id,query=r.query,gt_answer=r.gt_answer,response=r.response,retrieved_context=r.retrieved_context) for r in rs]).to_json(indent=2))
R=RAGResults(results=rs)
c=RAGChecker.__new__(RAGChecker)
c.extract_claims=lambda *a,**k:None; c.check_claims=lambda *a,**k:None
print(c.evaluate(R,"all_metrics",save_path="ragchecker.results.json"))
