"""Forms: each sort of question, and who answers it."""

from __future__ import annotations

from collections.abc import Callable

from ..situations.line import Line
from ..situations.question import Form, Inquiry
from ..situations.situation import Situation
from .answer import RulingAnswer
from .outcomes import Outcomes
from .permissions import Permissions

Answered = Callable[[Inquiry, Line], RulingAnswer]


def forms_of(situation: Situation) -> dict[Form, Answered]:
    """Return what answers each form of question about *situation*.

    It raises InputError where the words of the question fit nothing.
    """
    permissions, outcomes = Permissions(situation), Outcomes(situation)
    return {
        "may": permissions.may,
        "must": permissions.must,
        "who": outcomes.who,
        "first": outcomes.first,
        "next": outcomes.next,
        "cause": outcomes.cause,
        "decides": outcomes.decides,
        "whose": outcomes.whose,
        "fate": outcomes.fate,
    }
