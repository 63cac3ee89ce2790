"""The table of the program (man/table.c): filters, options, ways of --gaps. And the settings that tests/filters
has for each filter. SPRUNG names the program."""
import os

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
SPRUNG = os.environ.get("SPRUNG") or os.path.join(ROOT, "build", "sprung")
with open(os.path.join(ROOT, "build", "options.tsv")) as table:
    TABLE = [line.rstrip("\n").split("\t") for line in table]
FILTERS = tuple(row[1] for row in TABLE if row[0] == "filter")
OTHER_UNIT = ("character", "resonance")  # filters whose output cannot be compared with the input
FORMATS = tuple(row[1] for row in TABLE if row[0] == "format")
OPTIONS = [row for row in TABLE if row[0] == "option"]
GAPS = tuple(next(row[7] for row in OPTIONS if row[3] == "gaps").split())
BRIDGING = ("linear",)  # ways of --gaps that fill gaps before the filter


def able(ability):
    """The filters that take what an ability names, such as rotations (springs/filter_words.c)."""
    able = tuple(row[1] for row in TABLE if row[0] == "filter" and ability in row[-1].split())
    assert able, ability
    return able


def having(option):
    """The filters that have the option of their own."""
    return tuple(name for name in FILTERS if any(row[1:4] == [name, "Filter", option] for row in OPTIONS))


def settings():
    """The words behind the name of each filter, in its first line of tests/filters."""
    found = {}
    with open(os.path.join(ROOT, "tests", "filters")) as lines:
        for line in lines:
            words = line.split()
            if words[0] != "#":
                found.setdefault(words[0], words[1:])
    return found


SETTINGS = settings()
