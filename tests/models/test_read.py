"""Files that are no texts are refused at once, with any content."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.models.diagnostics import Diagnostic, InputError
from stacklaw.models.read import MAX_BYTES, MAX_LINES, decode_source, read_source


def refusal(data: bytes) -> Diagnostic:
    with pytest.raises(InputError) as caught:
        decode_source("x.rules", data)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_line_ends_and_byte_order_mark_make_no_difference() -> None:
    assert decode_source("x", b"\xef\xbb\xbfa\r\nb\rc\n").text == "a\nb\nc\n"


def test_a_file_that_is_not_there_is_no_crash(tmp_path: Path) -> None:
    for path in (tmp_path / "none.rules", tmp_path):
        with pytest.raises(InputError, match="R020"):
            read_source(path)


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="no pipe has a name here")
def test_a_pipe_can_be_asked_twice() -> None:
    """As in `stacklaw check <(git show HEAD:mine.rules)`, whose text several parts of a run
    want.
    """
    read, write = os.pipe()
    os.write(write, b'game "Piped"\n')
    os.close(write)
    assert [read_source(f"/dev/fd/{read}").text for _ in range(2)] == ['game "Piped"\n'] * 2
    os.close(read)


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.rules"
    with path.open("wb") as file:
        file.truncate(10_000_000_000)
    began = time.process_time()
    with pytest.raises(InputError, match="R310"):
        read_source(path)
    assert time.process_time() - began < 1


def test_sizes_have_a_limit() -> None:
    assert refusal(b"a" * (MAX_BYTES + 1)).code == "R310"
    assert refusal(b"\n" * (MAX_LINES + 1)).code == "R310"
    assert decode_source("x", b"\n" * MAX_LINES).text == "\n" * MAX_LINES


def test_bytes_that_are_no_text_are_told_with_their_place() -> None:
    assert (refusal(b"ab\ncd\0").code, refusal(b"ab\ncd\0").place) == ("R021", "x.rules:2:3")
    assert (refusal(b"ab\nc\xff").code, refusal(b"ab\nc\xff").place) == ("R022", "x.rules:2:2")


@given(st.binary(max_size=200))
def test_no_bytes_do_anything_but_read_or_be_refused(data: bytes) -> None:
    try:
        source = decode_source("x.rules", data)
    except InputError as error:
        codes = [diagnostic.code for diagnostic in error.diagnostics]
    else:
        codes = ["\r"] if "\r" in source.text else []
    assert codes in ([], ["R021"], ["R022"])
