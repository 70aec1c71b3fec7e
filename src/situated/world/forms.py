"""What may be asked in each context, under which label, and what of it is held out of training."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from situated.world.relations import Phrasing, Relation, catalogue
from situated.world.sampling import digest

Context = Literal["temp", "geo"]
Novelty = Literal["known", "new phrasing", "new relation"]

# The part of the relations, and of the phrasings of every other relation, that training never has.
_HELD_OUT_RELATIONS, _HELD_OUT_PHRASINGS = 0.35, 0.4


@dataclass(frozen=True)
class Form:
    """A phrasing of a relation with its label: whether the answer depends on the context."""

    relation: Relation
    phrasing: Phrasing
    dependent: bool


# By novelty and label, and there by relation: drawing a relation first, one of many phrasings is not asked more often.
Pool = Mapping[tuple[Novelty, bool], Sequence[Sequence[Form]]]


def form_pool(context: Context, seed: int) -> Pool:
    """All forms of a context; the seed decides what is held out."""
    relations = [forms for relation in catalogue() if (forms := _forms(context, relation))]
    new_relations = _held_out(
        {forms[0].relation.name: (forms[0].relation.changes, forms[0].relation.local) for forms in relations},
        _HELD_OUT_RELATIONS,
        (seed, context),
    )
    pool: defaultdict[tuple[Novelty, bool], list[list[Form]]] = defaultdict(list)
    for forms in relations:
        grouped: defaultdict[tuple[Novelty, bool], list[Form]] = defaultdict(list)
        name = forms[0].relation.name
        new_templates = _held_out(
            {form.phrasing.template: form.dependent for form in forms}, _HELD_OUT_PHRASINGS, (seed, context, name)
        )
        for form in forms:
            novelty: Novelty = "new phrasing" if form.phrasing.template in new_templates else "known"
            grouped["new relation" if name in new_relations else novelty, form.dependent].append(form)
        for key, group in grouped.items():
            pool[key].append(group)
    return pool


def _forms(context: Context, relation: Relation) -> list[Form]:
    labelled = ((phrasing, _label(context, relation, phrasing)) for phrasing in relation.phrasings)
    return [Form(relation, phrasing, label) for phrasing, label in labelled if label is not None]


def _label(context: Context, relation: Relation, phrasing: Phrasing) -> bool | None:
    """The label, or None for a phrasing that is not asked: temp has no question that depends on the place as well."""
    in_place = relation.depends_on_place(phrasing)
    if context == "geo":
        return in_place
    return None if in_place else relation.depends_on_time(phrasing)


def _held_out(strata: Mapping[str, Hashable], share: float, salt: tuple[object, ...]) -> set[str]:
    """Choose the same share of the keys of every stratum."""
    groups: defaultdict[Hashable, list[str]] = defaultdict(list)
    for key, stratum in strata.items():
        groups[stratum].append(key)
    chosen: set[str] = set()
    for keys in groups.values():
        ranked = sorted(keys, key=lambda key: digest(*salt, key))
        chosen.update(ranked[: int(len(keys) * share)])
    return chosen
