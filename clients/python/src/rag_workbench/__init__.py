"""RAG Workbench from Python: log the answers of any pipeline, evaluate, compare, and fail on a real regression."""

from .client import Answer, Client, Pipeline, answers_of, price_of
from .errors import Incomplete, Late, Refused, Regression, Stopped, Unreachable, WorkbenchError, describe
from .local import LocalServer

__all__ = [
    "Answer", "Client", "Incomplete", "Late", "LocalServer", "Pipeline", "Refused", "Regression", "Stopped", "Unreachable",
    "WorkbenchError", "answers_of", "describe", "price_of",
]
