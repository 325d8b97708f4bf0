#!/usr/bin/env python3
"""A plain BM25 beside the one the workbench uses, to explain the difference between their retrieval figures.

The workbench searches with bleve's "bm25" scoring over its "cjk" analyzer, after folding the text. A textbook BM25 over
character bigrams finds a little less on the same questions. This script is an own, small implementation of the textbook
formula in which every difference between the two can be switched on alone, or all but it:

analysis: how a text becomes terms
    width       full-width Latin letters and digits and half-width katakana are folded to their usual forms
    borders     no bigram crosses punctuation, white space or symbols, and those are no terms
    words       runs of Latin letters and digits are one term each instead of bigrams
    repeats     a term that stands n times in the question counts n times instead of once
scoring: how terms become a score; bleve departs from the textbook in all four
    avgdl       the average length is ceil(distinct terms / chunks) instead of the mean number of terms of a chunk
    sqrt_tf     the term frequency enters as its square root
    idf2        the inverse document frequency enters squared: once as weight of the query, once of the chunk
    coord       the sum is multiplied by the share of the question's terms that the chunk holds

With everything on, the script comes within 0.004 of the workbench's figures, so nothing else of weight explains them.

Plain: lower-cased bigrams of the text as it stands, white space and punctuation included; the query is the question as
it is, each bigram once; k1 = 1.2, b = 0.75, idf = ln(1 + (N - n + 0.5) / (n + 0.5)). Equal scores keep the order of the
chunks. Chunks are windows of characters within one document.

Figures: the share of the evidence's characters that lie in the k retrieved chunks, mean over the questions (coverage),
and the share of questions whose evidence lies in them completely (full).

    python3 bench/bm25_reference.py [FOLDER]     # FOLDER holds corpus.jsonl and questions.jsonl

FOLDER defaults to data/nta_tax_qa below $WORKBENCH_SHARED, and that to ../shared beside the repository. Needs Python 3.9
or newer and nothing else; takes one or two minutes.
"""

import json
import math
import os
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import groupby
from pathlib import Path

K1, B = 1.2, 0.75
SETTINGS = [(1000, 0, 3), (800, 200, 4), (400, 0, 3), (200, 0, 3)]
ANALYSIS = ("width", "borders", "words", "repeats")
SCORING = ("avgdl", "sqrt_tf", "idf2", "coord")
EVERYTHING = ANALYSIS + SCORING

# What is switched on, in the order of the table.
VARIANTS = [
    ("plain", ()),
    *[("+ " + option, (option,)) for option in EVERYTHING],
    ("+ all analysis", ANALYSIS),
    ("+ all scoring", SCORING),
    ("everything", EVERYTHING),
    *[("without " + option, tuple(o for o in EVERYTHING if o != option)) for option in EVERYTHING],
]

# What the workbench measures with bleve; the test of internal/rag prints these.
BLEVE = [(0.981, 0.954), (0.988, 0.974), (0.912, 0.706), (0.758, 0.412)]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default_folder()
    if not (folder / "corpus.jsonl").is_file():
        sys.exit(f"{folder} has no corpus.jsonl; give the folder of nta_tax_qa as the argument")
    documents = [(d["doc_id"], d["text"]) for d in read(folder / "corpus.jsonl")]
    questions = read(folder / "questions.jsonl")
    heads = [f"{size}/{overlap} k{k}" for size, overlap, k in SETTINGS]
    print("coverage / full".ljust(18), *(h.rjust(15) for h in heads))
    for name, options in VARIANTS:
        row = [evaluate(documents, questions, setting, frozenset(options)) for setting in SETTINGS]
        print(name.ljust(18), *(f"{c:.3f} / {f:.3f}".rjust(15) for c, f in row), flush=True)
    print("workbench".ljust(18), *(f"{c:.3f} / {f:.3f}".rjust(15) for c, f in BLEVE))


def default_folder():
    shared = os.environ.get("WORKBENCH_SHARED")
    root = Path(shared) if shared else Path(__file__).resolve().parents[2] / "shared"
    return root / "data" / "nta_tax_qa"


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def evaluate(documents, questions, setting, options):
    size, overlap, k = setting
    chunks = [c for doc_id, text in documents for c in cut(doc_id, text, size, overlap)]
    analysis = frozenset(options & {"width", "borders", "words"})
    index = Index([terms(text, analysis) for _, _, _, text in chunks], options)
    coverage, full = 0.0, 0
    for q in questions:
        query = terms(q["question"], analysis)
        best = index.search(query if "repeats" in options else list(dict.fromkeys(query)), k)
        covered, total = covered_chars(q["evidence"], [chunks[i] for i in best])
        coverage += covered / total
        full += covered == total
    return coverage / len(questions), full / len(questions)


def cut(doc_id, text, size, overlap):
    """Windows of size characters; the last one reaches the end."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        yield doc_id, start, end, text[start:end]
        if end == len(text):
            return
        start += size - overlap


def covered_chars(evidence, chunks):
    wanted = {(e["doc_id"], i) for e in evidence for i in range(e["start"], e["end"])}
    found = {(doc_id, i) for doc_id, start, end, _ in chunks for i in range(start, end)}
    return len(wanted & found), len(wanted)


@lru_cache(maxsize=None)
def terms(text, options):
    """The terms of a text: lower-cased character bigrams, varied by options."""
    if "width" in options:
        text = re.sub("[\uff01-\uff5e\uff65-\uff9f]+", lambda m: unicodedata.normalize("NFKC", m.group()), text)
    out = []
    for word, run in runs(text.lower(), options):
        if word or len(run) == 1 and is_letter(run):
            out.append(run)
        else:
            out.extend(run[i : i + 2] for i in range(len(run) - 1))
    return out


def runs(text, options):
    """Cuts a text into words (True, word) and stretches for bigrams (False, stretch), as far as the options ask for it."""
    for word, part in words(text) if "words" in options else [(False, text)]:
        if word or "borders" not in options:
            yield word, part
            continue
        for letter, group in groupby(part, is_letter):
            if letter:
                yield False, "".join(group)


# A word keeps the separators inside a number and the apostrophe inside a word.
WORD = re.compile("[0-9A-Za-z\u00c0-\u024f]+(?:[.,'][0-9A-Za-z\u00c0-\u024f]+)*")


def words(text):
    at = 0
    for m in WORD.finditer(text):
        if m.start() > at:
            yield False, text[at : m.start()]
        yield True, m.group()
        at = m.end()
    if at < len(text):
        yield False, text[at:]


def is_letter(c):
    category = unicodedata.category(c)
    return category[0] == "L" or category in ("Nd", "Mn")


class Index:
    """BM25 over lists of terms."""

    def __init__(self, lists, options):
        self.options = options
        self.lengths = [len(terms) for terms in lists]
        self.postings = defaultdict(list)
        for i, terms_of in enumerate(lists):
            for term, count in Counter(terms_of).items():
                self.postings[term].append((i, count))
        if "avgdl" in options:
            self.average = math.ceil(len(self.postings) / len(lists))
        else:
            self.average = sum(self.lengths) / len(lists)

    def search(self, query, k):
        scores, matched = defaultdict(float), Counter()
        for term in query:
            postings = self.postings.get(term, ())
            idf = math.log(1 + (len(self.lengths) - len(postings) + 0.5) / (len(postings) + 0.5))
            for i, count in postings:
                tf = math.sqrt(count) if "sqrt_tf" in self.options else count
                norm = K1 * (1 - B + B * self.lengths[i] / self.average)
                scores[i] += idf ** (2 if "idf2" in self.options else 1) * tf * (K1 + 1) / (tf + norm)
                matched[i] += 1
        if "coord" in self.options:
            for i in scores:
                scores[i] *= matched[i] / len(query)
        return sorted(scores, key=lambda i: (-scores[i], i))[:k]


if __name__ == "__main__":
    main()
