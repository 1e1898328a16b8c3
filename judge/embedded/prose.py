"""Words that claims are written with, and that no program is said to lack: `carefully`."""

from __future__ import annotations

from functools import lru_cache

from retrieval.words import stem

__all__ = ["is_prose"]

# Adverbs that say how something is done in code; all others say how it is told.
_OF_METHODS = """
adaptively additively adversarially alternately analytically asymmetrically asynchronously
autoregressively batchwise bilinearly causally cyclically densely deterministically differentiably
diagonally dynamically elementwise evenly exponentially geometrically globally greedily
hierarchically horizontally incrementally independently iteratively jointly lexicographically
linearly locally logarithmically monotonically multiplicatively numerically orthogonally pairwise
periodically polynomially probabilistically progressively quadratically randomly recurrently
recursively repeatedly sequentially sinusoidally sparsely spatially statically stepwise
stochastically symmetrically synchronously temporally unconditionally uniformly vertically
"""
# And those that say how often, in what order or how far.
_OF_MEASURE = """
annually concurrently consecutively continuously cumulatively daily doubly equally fortnightly fully
hourly inversely jointly monthly mutually negatively nightly partially positively proportionally
quarterly separately simultaneously singly strictly successively triply unevenly weekly yearly
"""
_NO_ADVERBS = frozenset(
    ("apply", "multiply", "supply", "assembly", "anomaly", "family", "reply", "imply", "fly",
     "butterfly", "disassembly", "subfamily")
)  # fmt: skip
_METHODS = frozenset((_OF_METHODS + _OF_MEASURE).split())
_PROSE = """
ability above absent accompanying account accounting accurate aforementioned aggressive aim aiming
aims albeit amid amount appealing appropriate arbitrary arguably arise arises aspect aspects
assumed assuming attempt attempts author authors aware away behave behaves behind being believe
belong benefits beside besides beyond bring brings broad broader careful carried carry certain
challenge challenging clear comparable compelling competitive comprehensive comprise comprises
comprising concern concerns conclude concretely conduct conducted confident confirm confirms
consequence considerable consideration considering constitute constitutes convenient conventional
couple crucial decide deem deemed deliver delivered depending deserve desirable desired despite
detailed differing difficult discuss discussed downstream effective effectiveness elaborate
emergence emphasis emphasize employing enabling encourage encourages enjoy enough ensuring enter
essence essential eventual everything everywhere evolves exceed exceeds excellent exhibit exhibits
explain explained explains extensive external fail fails faithful families famous far favor
favorable favour feasible flexible focus focused focuses focusing former forth fresh fruitful
fundamental furthermore genuine great greater grounded guarantee guarantees harder help helpful
helps hereafter highlight highlighted highlights illustrate illustrated immediate impose imposed
impressive inability inclusion inferior informed infrastructure inherent insight insights inspired
instance intended intention interested interesting intuition intuitive investigate investigated
issue issues kept knowing lack lacking larger latter less leverage leverages leveraging lies little
manner meaningful meanwhile merely might minor mitigate mitigates modest moreover motivate
motivated motivating motivation much namely narrow narrows nature nearby necessary necessity need
needs negligible neither nevertheless nonetheless notable noteworthy notice noting notion obvious
occur occurs offer offers ones ongoing opposed opposite organised organized ought outperforming
overly owing particular partly permit permits plausible possess powerful practical practice
prevalent proceed proceeds prohibitive prominent promising promote proper proprietary prove
providing pursue quite rather ready reasonable regard regarding regardless reliable remarkable
render renders requirement requirements requiring resemble respect respective rest resulting reveal
reveals rigorous satisfactory satisfied satisfies satisfy satisfying seek seeks seem seems severe
sheer simplicity sole solid somewhat sophisticated specialise specialised specialize specialized
spend stated stay stays straightforward striking subject suboptimal substantial successful suffer
suffers suffice suggest suggested suggests suitable superior suppose surprising taken tend tends
therein thorough though throughout tractable trend trends try twofold ubiquitous ultimate unable
unclear underlying understand understanding unfortunately unless unlike upstream useful utilise
utilises utilising utilize utilizes utilizing valuable verifying viable virtue warrant whenever
whereas whereby wherein widespread willing wish worse worth yield yielded
"""
_STEMS = frozenset(map(stem, _PROSE.split()))
_SHORTEST = 6


@lru_cache(maxsize=32768)
def is_prose(word: str) -> bool:
    """Whether a word, written small, is one of prose: of exposition, or an adverb of no method."""
    if not (word.isalpha() and word.islower()):
        return False
    if word.endswith("ly") and len(word) >= _SHORTEST and word not in _NO_ADVERBS:
        return word not in _METHODS
    return stem(word) in _STEMS
