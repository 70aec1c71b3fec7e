"""The configuration and the code it names: every ``_target_`` must exist and take the arguments given to it."""

from __future__ import annotations

import difflib
import inspect
import pkgutil
import re
import sys
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import yaml
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from situated.errors import ConfigError

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class Part(msgspec.Struct):
    """A node that something is made from: ``_target_`` and arguments."""

    target: str = msgspec.field(name="_target_")


COMPOSITION_ERRORS = (HydraException, OmegaConfBaseException, yaml.YAMLError, ValueError)
"""What composing a configuration raises; see ``explained``."""

# The keys of conf/common.yaml.
_COMMON: Mapping[str, Any] = {
    "seed": Natural,
    "force": bool,
    "threads": Positive | None,
    "stage": str,
    "name": Annotated[str, msgspec.Meta(min_length=1)],
    "run_dir": str,
    "paths": dict[str, Annotated[str, msgspec.Meta(min_length=1)]],
}
_HYDRA_KEYS = frozenset({"_target_", "_partial_", "_args_", "_recursive_", "_convert_"})
_REFUSED = re.compile(r"Could not override '(.+?)'")


def resolve(config: DictConfig) -> dict[str, Any]:
    """The configuration as plain containers, with every interpolation and required key filled in.

    Raises:
        ConfigError: A required key (``???``) was not given, or a value refers to a key that does not exist.
    """
    if missing := sorted(_missing_keys(OmegaConf.to_container(config, resolve=False), "")):
        raise ConfigError(f"required but not given: {', '.join(missing)}. Add {' '.join(f'{k}=...' for k in missing)}")
    try:
        return typing.cast("dict[str, Any]", OmegaConf.to_container(config, resolve=True))
    except OmegaConfBaseException as error:
        raise explained(error, []) from error


def explained(error: Exception, groups: Sequence[str]) -> ConfigError:
    """What Hydra could not compose, said in one line with the key and what was probably meant.

    Args:
        error: One of ``COMPOSITION_ERRORS``.
        groups: The configuration groups that the recipe takes.
    """
    said = " ".join(str(error).partition("Config search path")[0].split()).rstrip(".")
    if isinstance(error, OverrideParseException):
        mend = "Words are key=value; put a value with special characters in quotes of its own: 'key=\"value\"'."
        return ConfigError(f"{error.override}: cannot be read ({said.partition(' See http')[0]}). {mend}")
    if isinstance(error, MissingConfigException) and error.missing_cfg_file and error.options is not None:
        group, _, option = error.missing_cfg_file.rpartition("/")
        return ConfigError(f"{group}={option}: there is no such option. {_hint(option, error.options)}")
    if found := _REFUSED.search(said):
        return ConfigError(said[: found.start()] + _refused(found.group(1), error.__cause__, groups))
    key, said = getattr(error, "full_key", None) or "configuration", said.partition(" full_key")[0]
    return ConfigError(f"{key}: {said}.")


def _refused(key: str, cause: BaseException | None, groups: Sequence[str]) -> str:
    """Why a word names nothing: a group that the recipe does not have, or a key."""
    if "/" in key or not isinstance(cause, OmegaConfBaseException):
        return f"{key}: this recipe has no such group. {_hint(key, groups)}"
    parent = cause.parent_node if isinstance(cause.parent_node, DictConfig) else {}
    siblings = [str(name) for name in parent if name not in _HYDRA_KEYS and name != "hydra"]
    return f"{cause.full_key or key}: there is no such key. {_hint(str(cause.key), siblings)}"


def check_keys(config: Mapping[str, Any], own: Mapping[str, Any], groups: Sequence[str]) -> None:
    """Check the top of a configuration: the values of no ``_target_``, and that nothing stands there unread.

    Args:
        config: The resolved configuration.
        own: Key -> type of the recipe's own keys, and of the groups that it builds its parts from.
        groups: The configuration groups that the recipe takes.

    Raises:
        ConfigError: A value of another type, or a key that the recipe does not read.
    """
    hints = {**_COMMON, **own}
    for key, hint in hints.items():
        _check_type(key, config.get(key), hint)
    if config["name"] in (".", "..") or set(config["name"]) & set("/\\"):
        raise ConfigError(f"name: {config['name']!r} is not the name of one folder. Leave out slashes.")
    known = [*hints, *(group for group in groups if group not in hints)]
    for key in config:
        if key not in known:
            raise ConfigError(f"{key}: this recipe has no such key. {_hint(key, known)}")


def check_bindings(config: Mapping[str, Any]) -> None:
    """Check every node with a ``_target_`` against that target's signature: names, required arguments, plain types.

    Raises:
        ConfigError: The first misfit, named by its full key.
    """
    for key, node in _targets(config, ""):
        target = _locate(key, node["_target_"])
        _check_names(key, node, target)
        _check_types(key, node, target)


def _missing_keys(node: Any, key: str) -> Iterator[str]:
    """Yield the full keys of ``???``; OmegaConf's own search stumbles over values that refer to one of them."""
    if isinstance(node, Mapping):
        for name, child in node.items():
            yield from _missing_keys(child, f"{key}.{name}" if key else str(name))
    elif node == "???":
        yield key


def _targets(node: Any, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (full key, node) for every node that names a target, outermost first."""
    if isinstance(node, Mapping):
        if "_target_" in node:
            yield key, node
        for name, child in node.items():
            yield from _targets(child, f"{key}.{name}" if key else str(name))
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from _targets(child, f"{key}[{index}]")


def _locate(key: str, path: str) -> Any:
    try:
        return pkgutil.resolve_name(path)
    except (ImportError, AttributeError, ValueError) as error:
        module, _, name = path.rpartition(".")
        close = difflib.get_close_matches(name, dir(sys.modules.get(module)), n=1)
        hint = f"Did you mean {close[0]!r}?" if close else "Check its spelling, and that its package is installed."
        raise ConfigError(f"{key}._target_: {path} cannot be imported ({error}). {hint}") from error


def _check_names(key: str, node: Mapping[str, Any], target: Any) -> None:
    try:
        parameters = inspect.signature(target).parameters
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{key}._target_: {node['_target_']} cannot be called with arguments ({error}).") from error
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    given = [name for name in node if name not in _HYDRA_KEYS]
    for name in given:
        if name not in parameters and not takes_any:
            raise ConfigError(f"{key}.{name}: {node['_target_']} has no such argument. {_hint(name, parameters)}")
    required = [n for n, p in parameters.items() if p.default is p.empty and p.kind is p.KEYWORD_ONLY]
    required += [n for n, p in parameters.items() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    absent = [name for name in required if name not in given]
    if absent and not node.get("_partial_") and "_args_" not in node:
        raise ConfigError(f"{key}: {node['_target_']} needs {', '.join(absent)}. Add {key}.{absent[0]}=...")


def _check_types(key: str, node: Mapping[str, Any], target: Any) -> None:
    try:
        hints = typing.get_type_hints(target.__init__ if inspect.isclass(target) else target, include_extras=True)
    except (NameError, TypeError):  # hints of a library that cannot be read at run time: names alone are checked
        return
    for name, value in node.items():
        if name in hints and name not in _HYDRA_KEYS and not _holds_target(value):
            _check_type(f"{key}.{name}", value, hints[name])


def _check_type(key: str, value: Any, hint: Any) -> None:
    try:
        msgspec.convert(value, _written(hint))
    except msgspec.ValidationError as error:
        choice = ", ".join(repr(known) for known in _literals(hint))
        mend = f" Choose from: {choice}." if "enum" in str(error) else ""
        raise ConfigError(f"{key}: {error} (found {value!r}).{mend}") from error
    except TypeError:  # a type that is no plain data
        return


def _written(hint: Any) -> Any:
    """A type as a configuration writes it: paths are text."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return typing.Union[tuple(_written(part) for part in typing.get_args(hint))]  # noqa: UP007 (made at run time)
    return str if hint is Path else hint


def _literals(hint: Any) -> Iterator[Any]:
    if typing.get_origin(hint) is typing.Literal:
        yield from typing.get_args(hint)
    for part in typing.get_args(hint):
        yield from _literals(part)


def _hint(word: str, known: Iterable[str]) -> str:
    names = [*known]
    if close := difflib.get_close_matches(word, names, n=1):
        return f"Did you mean {close[0]!r}?"
    return f"Known: {', '.join(names)}." if names else "It has none."


def _holds_target(value: Any) -> bool:
    return next(_targets(value, ""), None) is not None
