"""The configuration and the code it names: every ``_target_`` must exist and take the arguments given to it."""

from __future__ import annotations

import difflib
import inspect
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from hydra.utils import get_object
from omegaconf import DictConfig, OmegaConf

from situated.errors import ConfigError

_HYDRA_KEYS = frozenset({"_target_", "_partial_", "_args_", "_recursive_", "_convert_"})


def resolve(config: DictConfig) -> dict[str, Any]:
    """The configuration as plain containers, with every interpolation and required key filled in.

    Raises:
        ConfigError: A required key (``???``) was not given.
    """
    if missing := sorted(OmegaConf.missing_keys(config)):
        raise ConfigError(f"required but not given: {', '.join(missing)}. Add {' '.join(f'{k}=...' for k in missing)}")
    return typing.cast("dict[str, Any]", OmegaConf.to_container(config, resolve=True))


def check_bindings(config: Mapping[str, Any]) -> None:
    """Check every node with a ``_target_`` against that target's signature: names, required arguments, plain types.

    Raises:
        ConfigError: The first misfit, named by its full key.
    """
    for key, node in _targets(config, ""):
        target = _locate(key, node["_target_"])
        _check_names(key, node, target)
        _check_types(key, node, target)


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
        return get_object(path)
    except (ImportError, ValueError) as error:
        raise ConfigError(f"{key}._target_: {path} cannot be imported ({error}). Check its spelling.") from error


def _check_names(key: str, node: Mapping[str, Any], target: Any) -> None:
    parameters = inspect.signature(target).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    given = [name for name in node if name not in _HYDRA_KEYS]
    for name in given:
        if name not in parameters and not takes_any:
            close = difflib.get_close_matches(name, parameters, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else f"It takes {', '.join(parameters)}."
            raise ConfigError(f"{key}.{name}: {node['_target_']} has no such argument. {hint}")
    required = [n for n, p in parameters.items() if p.default is p.empty and p.kind is p.KEYWORD_ONLY]
    required += [n for n, p in parameters.items() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    absent = [name for name in required if name not in given]
    if absent and not node.get("_partial_") and "_args_" not in node:
        raise ConfigError(f"{key}: {node['_target_']} needs {', '.join(absent)}. Add {key}.{absent[0]}=...")


def _check_types(key: str, node: Mapping[str, Any], target: Any) -> None:
    try:
        hints = typing.get_type_hints(target.__init__ if inspect.isclass(target) else target)
    except (NameError, TypeError):  # hints of a library that cannot be read at run time: names alone are checked
        return
    for name, value in node.items():
        if name in hints and name not in _HYDRA_KEYS and not _holds_target(value):
            _check_type(f"{key}.{name}", value, hints[name])


def _check_type(key: str, value: Any, hint: Any) -> None:
    try:
        msgspec.convert(value, hint, dec_hook=_to_path)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{key}: {error} (found {value!r})") from error
    except TypeError:  # a type that is no plain data
        return


def _to_path(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise TypeError


def _holds_target(value: Any) -> bool:
    return next(_targets(value, ""), None) is not None
