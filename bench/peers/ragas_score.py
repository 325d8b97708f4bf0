"""Scores answers.jsonl with one metric of Ragas and prints how many got a score: ragas_score.py METRIC BASE_URL IN_FLIGHT"""

import json
import math
import sys

from langchain_openai import ChatOpenAI
from ragas import EvaluationDataset, RunConfig, evaluate
from ragas.llms import LangchainLLMWrapper
from ragas.metrics import AnswerAccuracy, Faithfulness

metric = {"faithfulness": Faithfulness, "accuracy": AnswerAccuracy}[sys.argv[1]]()
llm = LangchainLLMWrapper(ChatOpenAI(model="judge", base_url=sys.argv[2], api_key="none"))
with open("answers.jsonl", encoding="utf-8") as lines:
    rows = [json.loads(line) for line in lines]
dataset = EvaluationDataset.from_list(
    [
        {"user_input": r["question"], "response": r["answer"], "retrieved_contexts": r["contexts"], "reference": r["reference"]}
        for r in rows
    ]
)
result = evaluate(dataset, metrics=[metric], llm=llm, run_config=RunConfig(max_workers=int(sys.argv[3])), show_progress=False)
print(sum(not math.isnan(score[metric.name]) for score in result.scores))
