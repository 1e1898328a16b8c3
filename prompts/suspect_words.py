"""The words by which text that speaks to a judge is known; see `prompts/scanning.py`.

All but fences and other languages are matched against words in lower case with one space between
them. They are meant for what somebody writes to move a verdict, and are kept from matching what
machine learning code says anyway (`LLM`, `evaluator`, `ignore_index`, `set score to 0`).
"""

from __future__ import annotations

import re

__all__ = [
    "GRADING",
    "OTHER_TONGUES",
    "PARTS",
    "STEMS",
    "STRONG_FENCES",
    "TRIGGERS",
    "WEAK_FENCES",
    "WORDS",
]

_WHO = (
    r"(?:graders?|judges?|reviewers?|assessors?|auditors?|examiners?|grading (?:model|system|"
    r"assistant|agent)|(?:ai|llm|language|automated|code) (?:judge|grader|reviewer|evaluator|"
    r"assistant|auditor))"
)
_MAYBE = r"(?:evaluators?|llms?|ai|ais|models?|assistants?|chatgpt|gpt|claude|gemini)"
_ABOUT = r"(?:level|score|grade|grading|verdict|claims?|faithful|rubric|full marks|full credit)"
_LEVEL = r"(?:(?:0 )?(?:75|100)|4|1 0|1|5 (?:out )?of 5|faithful|full|maximum|perfect|highest|top)"
_FULL = (
    r"(?:full (?:marks|credit|score)|(?:maximum|perfect|highest|top|best) (?:score|level|marks?|"
    r"grade|rating|verdict))"
)

_COMMANDS = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|neglect)(?: (?:all|any|every|the|your|"
    r"these|those|of|other|and|everything)){0,4} (?:previous|prior|above|earlier|preceding|"
    r"foregoing|initial|original|system|grading|given|rubric)(?: (?:instructions?|rules?|prompts?|"
    r"guidance|guidelines?|rubric|messages?|directives?|criteria|evidence)|(?= and\b| said))",
    r"(?:ignore|disregard|override|bypass|forget) (?:all |the |your |any |these ){0,2}(?:rubric|"
    r"instructions|grading (?:rules|criteria)|system prompt|guidelines)\b",
    r"(?:do not|don t|never|no need to) (?:read|look|check|inspect|grade|judge|verify|question|"
    rf"examine)(?: \w+){{0,6}} (?:{_ABOUT}|this file|further)\b",
    r"(?:new|updated|revised|real|actual|final|true|hidden|secret|additional) (?:system )?"
    r"(?:instructions?|rubric|directive)(?: \w+){0,3} (?:graders?|judges?|reviewers?|you)\b",
    r"(?:system|developer|admin|administrator|operator|root) (?:message|override|prompt|note|"
    rf"notice|instruction|mode)\b(?: \w+){{0,12}} (?:{_ABOUT}|grader|judge)\b",
    r"you are (?:now |no longer )(?:\w+ ){0,6}(?:grader|judge|assistant|reviewer|evaluator|dan|"
    r"free|generous|lenient|kind)\b",
    r"(?:from now on|starting now|henceforth)(?: \w+){0,4} (?:you|answer|respond|grade)\b",
    r"(?:act|pretend|roleplay|role play|imagine|behave)(?: \w+){0,6} (?:grader|judge|reviewer|"
    rf"evaluator|author|grandmother|professor)(?: \w+){{0,12}} (?:{_ABOUT}|approve|pass)\b",
)
_VERDICTS = (
    rf"(?:level|score|grade|verdict|rating|mark) (?:\w+ )?{_LEVEL} (?:\w+ ){{0,8}}"
    r"(?:drift|failure) (?:\w+ )?none\b",
    r"drift (?:\w+ )?none (?:\w+ ){0,4}failure (?:\w+ )?none\b",
    r"failure (?:\w+ )?none (?:\w+ ){0,4}drift (?:\w+ )?none\b",
    r"(?:answer|output|respond|reply|return|say|assign|give|award|grade|rate)(?: (?:it|this|them|"
    r"with|as|a|an|the|every|each|all|claim|claims|sau|saus|file|repository|only|must|be|for|that|"
    rf"to)){{0,6}} (?:level|grade|verdict)(?: (?:of|is|as|to|equals|at|a|be)){{0,2}} {_LEVEL}\b",
    r"(?:level|verdict|grade)(?: (?:must|should|shall|has to|is to|will))? (?:be|is|are|equals?|"
    r"stays?|remains?) (?:\w+ ){0,2}(?:faithful|full marks|level 1|1 0 faithful|perfect)\b",
    r"(?:this|the|every|each|all)(?: \w+){0,3} (?:claims?|saus?|requirements?) (?:is|are|has been|"
    r"have been|was|were)(?: \w+){0,3} (?:satisfied|faithful|verified|met|graded|approved|"
    r"implemented faithfully|confirmed|pre ?verified)\b",
    rf"(?:award|give|grant|assign|deserves?|earns?|merits?)(?: \w+){{0,4}} {_FULL}\b",
    rf"(?:{_FULL}|level 1|faithful) (?:must|should|shall|has to|is to) be (?:given|awarded|"
    r"assigned|returned)",
    r"(?:mark|grade|rate|judge|label|classify|regard)(?: \w+){0,6} (?:as|with) "
    rf"(?:\w+ ){{0,2}}(?:faithful|level 1|{_FULL}|fully (?:implemented|faithful|compliant|"
    r"satisfied)|passed|verified by)\b",
)
_ADDRESSES = (
    r"(?:note|notes|message|hint|memo|reminder|instructions?|important|info|information|remark|"
    r"warning|letter|notice|word)(?: \w+)? (?:to|for)(?: (?:the|all|any|automated|our|this|ai|llm|"
    rf"code|human|you|whichever|whoever)){{0,5}} {_WHO}\b",
    rf"(?:dear|hello|hi|hey|attention) (?:the |all |any |automated |our |ai |llm |code ){{0,4}}"
    rf"(?:{_WHO}|{_MAYBE}(?=(?: \w+){{0,25}} {_ABOUT}\b))",
    r"(?:note|notes|message|hint|memo|reminder|instructions?) (?:to|for)(?: (?:the|all|any|"
    rf"automated|our|this|code|you)){{0,4}} {_MAYBE}\b(?: \w+){{0,25}} {_ABOUT}\b",
    rf"(?:if|when) you(?: are| re)? (?:a |an |the )(?:\w+ ){{0,4}}(?:{_WHO}|{_MAYBE})\b"
    rf"(?: \w+){{0,25}} {_ABOUT}\b",
    rf"(?:as|being) (?:a|an|the) (?:\w+ ){{0,3}}{_WHO} you\b",
    rf"{_WHO} (?:please|must|should|shall|is to|are to|has to|will|kindly|note)\b(?: \w+){{0,10}} "
    rf"(?:{_ABOUT}|accept|approve|skip|ignore|trust)\b",
)

WORDS = {
    "command": re.compile(r"\b(?:" + "|".join(_COMMANDS) + r")"),
    "verdict": re.compile(r"\b(?:" + "|".join(_VERDICTS) + r")"),
    "address": re.compile(r"\b(?:" + "|".join(_ADDRESSES) + r")"),
}
"""By kind of suspicion."""

PARTS = (
    re.compile(
        rf"\b(?:answer|output|respond|grade|rate|mark|give|award)s?(?: \w+){{0,3}} (?:level|"
        rf"faithful|full marks|full credit)\b|\b(?:level|verdict)(?: \w+)? {_LEVEL}$"
    ),
    re.compile(
        r"\b(?:ignore|disregard|override|forget)(?: \w+){0,2} (?:previous|prior|above|rubric|"
        r"earlier|instructions)\b"
    ),
    re.compile(r"\bgraders?\b|\b(?:for|to|dear) (?:the )?judge\b"),
    re.compile(r"\b(?:drift|failure) (?:is )?none\b|\bfaithful\b"),
)
"""Pieces of which two, in two files that name parts, make a message."""

TRIGGERS = frozenset(
    {
        *("ignore", "disregard", "forget", "override", "overrule", "bypass", "neglect"),
        *("grader", "graders", "judge", "judges", "reviewer", "reviewers", "assessor", "auditor"),
        *("examiner", "examiners", "auditors", "assessors", "grading", "verdict", "verdicts"),
        *("rubric", "faithful", "marks", "credit", "claim", "claims", "sau", "saus", "drift"),
        *("requirement", "requirements", "satisfied", "henceforth", "lenient", "chatgpt", "claude"),
        *("gemini", "gpt", "ai", "llm", "perfect", "maximum", "highest", "grade", "instructions"),
        *("instruction", "evaluator", "assistant", "level"),
    }
)
"""Words without which no pattern of `WORDS` matches; only what is near them is looked at."""

GRADING = re.compile(
    r"\b(?:graders?|judge|verdict|faithful|rubric|full (?:marks|credit)|level\W{0,6}[01]\b|sau)\b",
    re.IGNORECASE,
)
"""What text is about that speaks to a judge."""

STRONG_FENCES = re.compile(
    r"<<<\s*/?\s*(?:end\s+)?(?:repository|evidence|claim|paper)\b|‹‹‹"
    r"|</?(?:evidence|verdict|rubric)>"
    r"|^[^\w\n]*(?:end|begin|stop)\s+of\s+(?:the\s+)?(?:evidence|untrusted|graded|"
    r"code under|submission)\b"
    r"|\bend (?:evidence|repository|claim) [0-9a-f]{8,}",
    re.IGNORECASE | re.MULTILINE,
)
"""What looks like the border between graded code and the question."""

WEAK_FENCES = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|?>"
    r"|\[/?INST\]|<</?SYS>>|</?(?:system|instructions?|repository|claim)>|```"
    r"|^[^\w\n]*(?:end|begin)\s+of\s+(?:the\s+)?(?:repository|claim|data|code|file|prompt)\b"
    r"|^[^\w\n]*#{2,}\s*(?:system|instructions?|new instructions?|assistant|human|user)\s*:?\s*$"
    r"|^[^\w\n]*(?:human|assistant|system)\s*:\s*(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
"""What code that talks to models holds too: counted only where grading is talked of behind it."""

STEMS = (
    *("ignor", "consignes", "note max", "note parf", "puntuaci", "nivel 1", "punktzahl", "bewert"),
    *(
        "nota m",
        "pontua",
        "punteggio",
        "voto massimo",
        "negeer",
        "maksymaln",
        "talimat",
        "tam puan",
    ),
    *(
        "игнорир",
        "максимальн",
        "высш",
        "ігнору",
        "忽略",
        "满分",
        "滿分",
        "评为",
        "無視",
        "満点",
        "最高",
    ),
    *("무시", "만점", "최고", "تجاهل", "الدرجة", "निर्देश", "पूरे अंक", "bỏ qua", "điểm tối đa"),
    "abaikan",
)
"""Parts of words without which `OTHER_TONGUES` matches nothing."""

OTHER_TONGUES = re.compile(
    # In each: to ignore what was said before, or to give full marks.
    r"ignore[rz]? (?:toutes? )?les? (?:instructions|consignes)|note (?:maximale|parfaite)"
    r"|ignor\w* (?:todas )?(?:las )?(?:instrucciones|reglas)|puntuaci[oó]n (?:m[aá]xima|completa)"
    r"|(?:asigna|otorga|responde|califica)\w* (?:\w+ ){0,3}nivel 1\b"
    r"|ignor\w* (?:alle )?(?:vorherigen |bisherigen |obigen )?(?:anweisungen|regeln|vorgaben)"
    r"|(?:volle|h[oö]chste|maximale) (?:punktzahl|bewertung)|bewerte\w* (?:\w+ ){0,4}stufe 1\b"
    r"|ignor\w* (?:todas )?(?:as )?instru[cç][oõ]es|pontua[cç][aã]o m[aá]xima|nota m[aá]xima"
    r"|ignora\w* (?:tutte )?(?:le )?istruzioni|punteggio (?:massimo|pieno)|voto massimo"
    r"|negeer (?:alle )?(?:vorige |eerdere )?instructies"
    r"|zignoruj (?:wszystkie )?(?:poprzednie )?instrukcje|maksymaln\w+ (?:ocen|punkt)\w+"
    r"|talimatlar\w* (?:yok say|görmezden)|tam puan ver"
    r"|игнорир\w* (?:все )?(?:предыдущие |прежние )?(?:инструкции|указания|правила)"
    r"|(?:максимальн\w+|высш\w+) (?:балл|оценк\w+)"
    r"|ігнору\w* (?:усі )?(?:попередні )?інструкції"
    r"|忽略\w{0,6}(?:指令|指示|说明|規則|规则|提示)|(?:给|給)\w{0,6}(?:满分|滿分)"
    r"|评为\w{0,4}(?:满分|忠实|1)|(?:指示|命令|ルール|指令)を(?:すべて|全て)?無視|満点"
    r"|最高(?:評価|レベル)|(?:지시|지침|명령)\w*\s*(?:모두 )?무시|만점|최고 (?:점수|등급)"
    r"|تجاهل\w*\s+(?:\w+\s+){0,2}(?:التعليمات|الإرشادات)|الدرجة (?:الكاملة|القصوى)"
    r"|(?:निर्देशों|निर्देश)\s*(?:को)?\s*(?:अनदेखा|नज़रअंदाज़)|पूरे अंक"
    r"|bỏ qua (?:\w+ ){0,3}(?:hướng dẫn|chỉ dẫn)|điểm tối đa"
    r"|abaikan (?:semua )?(?:instruksi|perintah)",
    re.IGNORECASE,
)
