"""A configuration that does not fit the code is refused by its full key, with what was probably meant."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hydra.errors import ConfigCompositionException, MissingConfigException, OverrideParseException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from situated.config import Part, check_bindings, check_keys, explained, resolve
from situated.errors import ConfigError

HERE = "situated_config_test_parts"


class Thing:
    """A part of every kind of argument."""

    def __init__(
        self,
        size: int,
        *,
        rate: Annotated[float, msgspec.Meta(gt=0)] = 1.0,
        context: Literal["temp", "geo"] = "temp",
        folder: str | Path = "x",
        place: Path | None = None,
        sizes: Sequence[int] = (),
        pair: tuple[int, int] = (1, 2),
        inner: Callable[[], int] | None = None,
    ):
        self.size = size


def anything(first: int, **rest: Any) -> None:
    """A function that takes more than it names."""


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let configurations name the parts of this file, which pytest imports under a name of its own."""
    module = type(logging)(HERE)
    module.Thing, module.anything = Thing, anything  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, HERE, module)


def thing(**arguments: Any) -> dict[str, Any]:
    return {"model": {"_target_": f"{HERE}.Thing", "size": 3} | arguments}


def assert_says(error: Exception, message: str) -> None:
    """The message begins so, with anything in place of an ellipsis."""
    first, *others = message.split(" ... ")
    assert str(error).startswith(first)
    assert all(part in str(error) for part in others)


@pytest.mark.parametrize(
    "arguments",
    [
        {}, {"rate": 2}, {"context": "geo"}, {"folder": "a/b"}, {"place": None}, {"place": "a"}, {"sizes": [1, 2]},
        {"pair": [3, 4]}, {"_partial_": True}, {"_convert_": "all"},
        {"inner": {"_target_": f"{HERE}.Thing", "size": 1}},
    ],
)  # fmt: skip
def test_what_fits_is_let_through(arguments: dict[str, Any]) -> None:
    check_bindings(thing(**arguments))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (thing(contxt="geo"), f"model.contxt: {HERE}.Thing has no such argument. Did you mean 'context'?"),
        (thing(zzz=1), "model.zzz: ... has no such argument. Known: size, rate, context, folder, place, sizes, pair"),
        ({"model": {"_target_": f"{HERE}.Thing"}}, f"model: {HERE}.Thing needs size. Add model.size=..."),
        (thing(size="3"), "model.size: Expected `int`, got `str` (found '3')."),
        (thing(size=None), "model.size: Expected `int`, got `null`"),
        (thing(size=True), "model.size: Expected `int`, got `bool`"),
        (thing(rate=0), "model.rate: Expected `float` > 0.0 (found 0)"),
        (thing(context="tmp"), "model.context: Invalid enum value 'tmp' ... Choose from: 'temp', 'geo'."),
        (thing(folder=3), "model.folder: Expected `str`, got `int`"),
        (thing(place=3), "model.place: Expected `str | null`, got `int`"),
        (thing(sizes=[1, "b"]), "model.sizes: Expected `int`, got `str` - at `$[1]`"),
        (thing(pair=[1]), "model.pair: Expected `array` of length 2, got 1"),
        (thing(inner={"_target_": f"{HERE}.Thing", "sise": 1}), "model.inner.sise: ... Did you mean 'size'"),
        ({"steps": [thing(), thing(size="x")]}, "steps[1].model.size: Expected `int`"),
        ({"model": {"_target_": f"{HERE}.Thng", "size": 3}}, "model._target_: ... Did you mean 'Thing'"),
        ({"model": {"_target_": "no_such_package.Thing"}}, "model._target_: no_such_package.Thing cannot be imported"),
        ({"model": {"_target_": f"{HERE}.Thing.size"}}, "model._target_: ... cannot be imported"),
        ({"model": {"_target_": "logging.INFO"}}, "model._target_: logging.INFO cannot be called"),
        ({"f": {"_target_": f"{HERE}.anything", "first": "x", "more": 1}}, "f.first: Expected `int`, got `str`"),
    ],
)  # fmt: skip
def test_a_misfit_is_named_by_its_full_key(config: Mapping[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_bindings(config)
    assert_says(caught.value, message)


def test_a_partial_may_lack_arguments_but_not_have_wrong_ones() -> None:
    check_bindings({"model": {"_target_": f"{HERE}.Thing", "_partial_": True}})
    with pytest.raises(ConfigError, match=r"model\.sise"):
        check_bindings({"model": {"_target_": f"{HERE}.Thing", "_partial_": True, "sise": 3}})


def test_further_arguments_of_a_function_that_takes_any_are_let_through() -> None:
    check_bindings({"f": {"_target_": f"{HERE}.anything", "first": 1, "more": "x"}})


def test_resolving_fills_in_what_a_value_refers_to() -> None:
    config = OmegaConf.create({"a": 1, "b": "${a}", "c": ["x${a}"]})
    assert resolve(config) == {"a": 1, "b": 1, "c": ["x1"]}


def test_required_keys_are_named_together_with_how_to_give_them() -> None:
    config = OmegaConf.create({"name": "???", "folder": "${name}/x", "data": {"context": "???"}})
    with pytest.raises(ConfigError) as caught:
        resolve(config)
    assert str(caught.value) == "required but not given: data.context, name. Add data.context=... name=..."


def test_a_value_that_refers_to_nothing_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^data\.folder: Interpolation key 'paths.dta' not found\.$"):
        resolve(OmegaConf.create({"paths": {"data": "x"}, "data": {"folder": "${paths.dta}/y"}}))


COMMON = {
    "seed": 0, "force": False, "threads": None, "stage": "s", "name": "n", "run_dir": "r",
    "paths": {"data": "d", "out": "o"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": -1}, "seed: Expected `int` >= 0"),
        ({"seed": ""}, "seed: Expected `int`, got `str`"),
        ({"force": "yes"}, "force: Expected `bool`, got `str`"),
        ({"threads": 0}, "threads: Expected `int` >= 1"),
        ({"name": 7}, "name: Expected `str`, got `int`"),
        ({"name": ""}, "name: Expected `str` of length >= 1"),
        ({"paths": {"data": None}}, "paths: Expected `str`, got `null`"),
        ({"draws": "many"}, "draws: Expected `int`, got `str`"),
        ({"draws": None}, "draws: Expected `int`, got `null`"),
        ({"model": {"name": "x"}}, "model: Object missing required field `_target_`"),
        ({"model": "bert"}, "model: Expected `object`, got `str`"),
        ({"modle": {}}, "modle: this recipe has no such key. Did you mean 'model'?"),
        ({"optm": {}}, "optm: this recipe has no such key. Did you mean 'optim'?"),
    ],
)  # fmt: skip
def test_the_top_of_a_configuration_is_checked_key_by_key(change: dict[str, Any], message: str) -> None:
    own: dict[str, Any] = {"draws": int, "model": Part}
    good = COMMON | {"draws": 3, "model": {"_target_": "x"}, "optim": {}}
    check_keys(good, own, ["optim"])
    with pytest.raises(ConfigError) as caught:
        check_keys(good | change, own, ["optim"])
    assert_says(caught.value, message)


def refusal(words: str, node: Mapping[str, Any], key: str) -> Exception:
    """What Hydra raises for a word whose key does not exist."""
    config = OmegaConf.create(dict(node))
    OmegaConf.set_struct(config, True)
    with pytest.raises(OmegaConfBaseException) as caught:
        OmegaConf.update(config, key, 1)
    error = ConfigCompositionException(words)
    error.__cause__ = caught.value
    return error


SEED_MESSAGE = (
    "seed=[1: cannot be read (no viable alternative at input '[1'). Words are key=value; "
    "put a value with special characters in quotes of its own: 'key=\"value\"'."
)
GROUPS = ["data", "model", "experiment/classifier"]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            refusal("Could not override 'data.contxt'.\nTo append use +", {"data": {"context": "temp"}}, "data.contxt"),
            "data.contxt: there is no such key. Did you mean 'context'?",
        ),
        (
            refusal("Could not override 'q'.", {"seed": 1, "_target_": "x", "force": 2, "hydra": {}}, "q"),
            "q: there is no such key. Known: seed, force.",
        ),
        (
            refusal("Could not override 'experiment/clasifier'.", {"seed": 1}, "experiment/clasifier"),
            "experiment/clasifier: this recipe has no such group. Did you mean 'experiment/classifier'?",
        ),
        (
            ConfigCompositionException("In 'x/y': Could not override 'modl'. No match in the defaults list."),
            "In 'x/y': modl: this recipe has no such group. Did you mean 'model'?",
        ),
        (
            MissingConfigException("In 'a': Could not find 'data/geoo'\n\nOptions", "data/geoo", ["geo", "temp"]),
            "data=geoo: there is no such option. Did you mean 'geo'?",
        ),
        (
            MissingConfigException("In 'a': Could not find 'data/x'\n\nOptions", "data/x", ["geo", "temp"]),
            "data=x: there is no such option. Known: geo, temp.",
        ),
        (
            OverrideParseException("seed=[1", "no viable alternative at input '[1'\nSee https://hydra.cc/x for more"),
            SEED_MESSAGE,
        ),
        (ValueError("It must be\n  a string"), "configuration: It must be a string."),
    ],
)  # fmt: skip
def test_what_hydra_refuses_is_said_in_one_line_with_what_was_meant(error: Exception, message: str) -> None:
    assert str(explained(error, GROUPS)) == message
