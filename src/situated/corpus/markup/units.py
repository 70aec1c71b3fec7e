"""How units of measurement are written: (one, several) in words, and symbols for the converter's own codes."""

from __future__ import annotations


def _metric() -> dict[str, tuple[str, str]]:
    prefixes = {"": "", "k": "kilo", "c": "centi", "m": "milli", "d": "deci", "μ": "micro", "µ": "micro", "n": "nano"}
    units = {"m": "metre", "g": "gram", "L": "litre", "l": "litre"}
    lengths = {
        short + unit: (long + name, f"{long}{name}s")
        for short, long in prefixes.items()
        for unit, name in units.items()
    }
    powers = {
        f"{unit}{power}": (f"{word} {one}", f"{word} {many}")
        for power, word in (("2", "square"), ("3", "cubic"))
        for unit, (one, many) in lengths.items()
        if unit.endswith("m")
    }
    watts = {p + "W": (w + "watt", w + "watts") for p, w in (("", ""), ("k", "kilo"), ("M", "mega"), ("G", "giga"))}
    return lengths | powers | watts


def _plain() -> dict[str, tuple[str, str]]:
    regular = (
        "mi:mile yd:yard ac:acre acre:acre ha:hectare t:tonne oz:ounce lb:pound lbs:pound kn:knot gal:gallon"
        " USgal:US_gallon impgal:imperial_gallon nmi:nautical_mile sqmi:square_mile mi2:square_mile sqyd:square_yard"
        " cuyd:cubic_yard LT:long_ton ST:short_ton furlong:furlong fathom:fathom mile:mile miles:mile pt:pint"
        " qt:quart bbl:barrel oilbbl:barrel koilbbl:thousand_barrel Moilbbl:million_barrel bhp:brake_horsepower"
        " ly:light-year"
        " pc:parsec ton:ton km/h:kilometre_per_hour kg/m3:kilogram_per_cubic_metre MT:metric_ton chain:chain rod:rod"
        " league:league dram:dram grain:grain bushel:bushel"
    )
    names = {}
    for pair in regular.split():
        code, _, name = pair.replace("_", " ").partition(":")
        head, per, tail = name.partition(" per ")
        names[code] = (name, f"{head}s{per}{tail}" if not head.endswith("power") else name)
    irregular = {
        "ft": ("foot", "feet"), "in": ("inch", "inches"), "sqft": ("square foot", "square feet"),
        "ft2": ("square foot", "square feet"), "sqin": ("square inch", "square inches"),
        "cuft": ("cubic foot", "cubic feet"), "ft3": ("cubic foot", "cubic feet"),
        "cuin": ("cubic inch", "cubic inches"),
        "mph": ("mile per hour", "miles per hour"), "hp": ("horsepower", "horsepower"), "st": ("stone", "stone"),
        "sqkm": ("square kilometre", "square kilometres"), "foot": ("foot", "feet"), "acre": ("acre", "acres"),
        "feet": ("foot", "feet"), "ft/s": ("foot per second", "feet per second"),
        "m/s": ("metre per second", "metres per second"), "/sqmi": ("per square mile", "per square mile"),
        "/km2": ("per square kilometre", "per square kilometre"), "inch": ("inch", "inches"),
        "oilbbl/d": ("barrel per day", "barrels per day"),
        "koilbbl/d": ("thousand barrels per day", "thousand barrels per day"),
        "impgal/d": ("imperial gallon per day", "imperial gallons per day"),
    }  # fmt: skip
    return names | irregular


NAMES = _metric() | _plain()
SYMBOLS = {
    "C": "°C", "F": "°F", "K": "K", "C-change": "°C", "F-change": "°F", "sqmi": "sq mi", "sqft": "sq ft",
    "sqyd": "sq yd",
    "cuft": "cu ft", "cuyd": "cu yd", "cuin": "cu in", "sqin": "sq in", "oilbbl": "bbl", "oilbbl/d": "bbl/d",
    "koilbbl/d": "thousand bbl/d", "koilbbl": "thousand bbl", "Moilbbl": "million bbl", "USgal": "US gal",
    "impgal": "imp gal", "/sqmi": "per sq mi", "/km2": "per km2", "mi2": "sq mi", "ft2": "sq ft", "ft3": "cu ft",
    "sqkm": "km2", "LT": "long tons", "ST": "short tons", "hp": "hp", "acre": "acres", "degC": "°C", "degF": "°F",
    "foot": "ft", "feet": "ft", "inch": "in", "mile": "mi", "miles": "mi", "lbs": "lb", "C°": "°C", "F°": "°F",
}  # fmt: skip
