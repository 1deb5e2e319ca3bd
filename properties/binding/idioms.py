"""Idioms: what designers often ask about priority and responses, each with the long form that it stands for.

They are only words: `in_long_form` says them with the operators that there are, and `docs/language.md` shows the same long forms.
"""

from __future__ import annotations

from functools import reduce
from typing import assert_never

from ...models import ir, syntax


def in_long_form(idiom: syntax.Idiom, program: ir.Program) -> syntax.Expr:
    """Return what *idiom* stands for in *program*, whose zones tagged ``stack`` (or called so) are the stack that it speaks of."""
    subject, other, span = idiom.subject, idiom.other, idiom.span

    def phrase(who: syntax.Expr, kind: syntax.PhraseKind, name: str | None = None) -> syntax.Expr:
        return syntax.Phrase(kind, who, name, span=span)

    def joined(operator: syntax.BinaryOperator, *parts: syntax.Expr) -> syntax.Expr:
        return reduce(lambda left, right: syntax.Binary(operator, left, right, span=span), parts)

    def past(operator: syntax.UnaryOperator, operand: syntax.Expr) -> syntax.Expr:
        return syntax.Unary(operator, operand, span=span)

    def on_stack(item: syntax.Expr, kind: syntax.PhraseKind) -> syntax.Expr:
        said = [phrase(item, kind, zone.name) for zone in program.zones_tagged("stack")]
        return joined("or", *said) if said else syntax.Word("no", span=span)

    match idiom.kind:
        case "is first to have priority after":
            nobody = phrase(syntax.Word("nobody", span=span), "has priority")
            waiting = past("previously", joined("since", nobody, joined("and", other, nobody)))
            return joined("and", phrase(subject, "has priority"), joined("or", other, waiting))
        case "has had a window for":
            return past("once", joined("and", phrase(subject, "has priority"), on_stack(other, "on")))
        case "is answered by":
            return past("once", joined("and", on_stack(other, "is put on"), past("previously", on_stack(subject, "on"))))
        case "is countered by":
            begun = joined("since", past("not", phrase(other, "resolves")), phrase(other, "begins resolving"))
            return joined("and", phrase(subject, "is removed"), joined("or", phrase(other, "resolves"), begun))
        case _:
            assert_never(idiom.kind)
