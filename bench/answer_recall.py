"""Claim: looking for answers in passages takes a small part of DPR's time, with equal results.

As in retrieval, a question has 100 passages, none of which is seen twice; its answer is two words of some other
passage, put at a random place into the given share of them. The peer is DPR's rule spelled out: tokens by ``regex``,
then every window. Both run by turns; JSON lines hold the CPU seconds of the fastest round, the share of hits, and the
ratio. To be reached: 12 at 20 % hits, 25 at 4 %.

    python bench/answer_recall.py [run folder of data_prep/snapshot.py; that of make demo] [rounds]
"""

import json
import random
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import regex

from situated.corpus.store import PassageStore
from situated.metrics.has_answer import AnswerMatcher

TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]")
Case = tuple[str, list[str]]
DEPTH = 100
OF_THE_DEMO = Path("outputs/demo/data_prep/snapshot_wiki_2021/seed=0")


def peer_tokens(text: str) -> list[str]:
    """Tokens, one by one."""
    return [found.group().lower() for found in TOKEN.finditer(unicodedata.normalize("NFD", text))]


def peer_holds(answer: str, passage: str) -> bool:
    """Whether the answer's tokens stand in some window of the passage's."""
    form, text = peer_tokens(answer), peer_tokens(passage)
    return any(text[start : start + len(form)] == form for start in range(len(text) - len(form) + 1))


def peer(case: Case) -> list[bool]:
    """The rule, spelled out."""
    return [peer_holds(case[0], passage) for passage in case[1]]


def ours(case: Case) -> list[bool]:
    """The product."""
    matcher = AnswerMatcher([case[0]])
    return [matcher.holds(passage) for passage in case[1]]


def cases(texts: list[str], hits: float) -> list[Case]:
    """(answer, passages) for as many questions as the passages are enough for."""
    coin = random.Random(0)  # noqa: S311 (no secret)
    made = []
    for start in range(0, len(texts) - DEPTH + 1, DEPTH):
        others = coin.choice(texts).split()
        at = coin.randrange(max(1, len(others) - 2))
        answer, passages = " ".join(others[at : at + 2]), []
        for text in texts[start : start + DEPTH]:
            words = text.split()
            if coin.random() < hits:
                words.insert(coin.randrange(len(words)), answer)
            passages.append(" ".join(words))
        made.append((answer, passages))
    return made


def seconds(judge: Callable[[Case], list[bool]], given: list[Case]) -> tuple[float, list[bool]]:
    """CPU seconds and verdicts."""
    began = time.process_time()
    verdicts = [verdict for case in given for verdict in judge(case)]
    return time.process_time() - began, verdicts


def main() -> None:
    """Measure."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else OF_THE_DEMO
    texts = [passage.text for passage in PassageStore(folder)]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for hits in (0.2, 0.04):
        given = cases(texts, hits)
        taken: dict[str, list[float]] = {"ours": [], "peer": []}
        for _ in range(rounds):
            (our_time, found), (peer_time, expected) = seconds(ours, given), seconds(peer, given)
            if found != expected:
                sys.exit("the results differ")
            taken["ours"].append(our_time)
            taken["peer"].append(peer_time)
        best = {name: round(min(times), 4) for name, times in taken.items()}
        share = round(sum(expected) / len(expected), 3)
        line = {"passages": len(expected), "hits": share} | best | {"ratio": round(best["peer"] / best["ours"], 1)}
        print(json.dumps(line))


if __name__ == "__main__":
    main()
