"""Lay two snapshots beside each other: which articles and passages changed, and whose answers stand in one alone.

Source: the ground of SituatedQA's Tables 9 and 14, where answers changed after the corpus was made.
"""

from collections import Counter
from pathlib import Path

from omegaconf import DictConfig

from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """What names the content of the two collections, and the questions."""
    files = {side: Path(config[side]) / "passages" / "collection.json" for side in ("before", "after")}
    return files | ({"questions": Path(config.questions)} if config.questions else {})


@recipe("data_prep_snapshot_diff", inputs, keys={"before": str, "after": str, "questions": str | None})
def main(config: DictConfig, run: Run) -> None:
    """Compare page by page, then look for each answer in all passages of both."""
    from situated.corpus.answers import compare_answers, first_occurrences, read_questions
    from situated.corpus.diff import compare, open_side
    from situated.corpus.report import show_counts
    from situated.io import write_jsonl
    from situated.metrics.has_answer import answer_tokens

    before, after = open_side(Path(config.before)), open_side(Path(config.after))
    questions = list(read_questions(Path(config.questions))) if config.questions else []
    with run.claim():
        counts = Counter[str]()
        write_jsonl(run.folder / "articles.jsonl", compare(before, after, counts))
        if questions:
            wanted = {answer_tokens(answer) for _, answers in questions for answer in answers}
            rows = list(
                compare_answers(questions, *(first_occurrences(side.passages, wanted) for side in (before, after)))
            )
            counts.update(f"questions/{row['occurs']}" for row in rows)
            write_jsonl(run.folder / "questions.jsonl", rows)
        run.counts |= counts
    show_counts(run.counts)


if __name__ == "__main__":
    main()
