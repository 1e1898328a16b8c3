"""The parts of the embedded judge: it reads a claim and the whole repository, without a key.

```
claim ──► Claim (parts.py) ─┐
                            ├──► Findings (looking.py) ──► features ──► level (model.py) ──► answer
Index ──► Survey (survey.py)┘
```
"""
