"""Draw questions in temporal contexts from answer timelines: Start, Sampled and Static examples.

Source: SituatedQA, section 3.2 and appendix B. The output has the format of the released qa_data.
"""

from collections import Counter
from pathlib import Path

from hydra.utils import instantiate
from omegaconf import DictConfig

from situated.config import Part
from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """The timelines."""
    return {"timelines": Path(config.input)}


@recipe("data_prep_timelines", inputs, summary=True, keys={"input": str, "output": str | None, "timelines": Part})
def main(config: DictConfig, run: Run) -> None:
    """Draw each question's examples, whatever the order of the questions; count what gives none, and why."""
    from situated.data.answers import write_answers
    from situated.data.timelines import read_timelines
    from situated.errors import ConfigError
    from situated.io import write_json
    from situated.manifest import describe_files

    context, timelines = instantiate(config.context), instantiate(config.timelines)
    if context.type != "temp":
        raise ConfigError(f"context: {context.type!r} has no dates. Choose context=temp, or one of its type.")
    source = Path(config.input)
    output = Path(config.output) if config.output else run.folder / source.name
    if output.resolve() == source.resolve():
        raise ConfigError(f"output: {output} is the input. Name another file.")
    _check_free(output, run, config.force)
    questions = list(read_timelines(source))
    examples, counts = [], Counter({"questions": len(questions)})
    for question in questions:
        drawn, found = timelines.examples(question, source.stem)
        examples += drawn
        counts += found
    with run.claim():
        counts["examples"] = write_answers(output, examples, context)
        run.counts |= counts
        write_json(run.folder / "output.json", {"counts": counts, "files": describe_files({"examples": output})})


def _check_free(output: Path, run: Run, force: bool) -> None:
    """Refuse to write over a file that is not this run's own."""
    from situated.errors import SituatedError
    from situated.io import read_json, sha256

    account = run.folder / "output.json"
    own = read_json(account)["files"]["examples"]["sha256"] if account.exists() else None
    if not force and output.is_file() and output.stat().st_size and sha256(output) != own:
        raise SituatedError(f"output: {output} is there and was not made by this run. force=true replaces it.")


if __name__ == "__main__":
    main()
