# SPDX-License-Identifier: MIT
"""Finds each place of the library where a matrix is indexed by numbers of fewer than 64 bits, which overflow.

    test_indices.py COMPILE_COMMANDS SOURCE   # parses indices.cpp with the command that compiles SOURCE

The compiler finds them: in a copy of the header of Kokkos::View a further operator(), for indices of 32 bits, is marked
as deprecated. It is the better match, so that each call of it is a warning. entry_at() of matrix.hpp, or indices of type
std::int64_t, are right.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent
INCLUDE = TESTS.parent / "include"
MARK = "indices of 32 bits"

# (Of rank 1 only a view with a stride multiplies its index.)
OVERLOAD = f"""
 public:
  template <class I, class... J>
    requires((rank() > 1 || std::is_same_v<typename traits::array_layout, LayoutStride>) &&
             sizeof...(J) + 1 == rank() && sizeof(std::common_type_t<I, J...>) < 8)
  [[deprecated("{MARK}")]] KOKKOS_FUNCTION reference_type operator()(I i, J... j) const {{
    return base_t::operator()(static_cast<index_type>(i), static_cast<index_type>(j)...);
  }}
"""

SAMPLE = """
#include <Kokkos_Core.hpp>
#include <cstdint>
template <class View>
void see(const View& d, int i, std::int64_t wide) {
  d(i, i) = d(wide, i) = d(std::size_t(i), std::size_t(i));
  Kokkos::subview(d, Kokkos::ALL, 1)(i) = 1;
}
void both(const Kokkos::View<int**, Kokkos::LayoutRight>& d) { see(d, 1, 1); }
"""


def marked_header(header):
    """The header of Kokkos::View with the overload before its first operator()."""
    text = header.read_text()
    place = text.rindex("\n\n", 0, text.index("reference_type operator()("))
    return text[:place] + OVERLOAD + text[place:]


def main():
    commands, source = sys.argv[1:]
    entry = next(entry for entry in json.loads(Path(commands).read_text()) if entry["file"] == source)
    words = shlex.split(entry["command"])
    words = [word for word in words[:words.index("-o")] if not word.startswith(("-W", "-O"))]
    environment = {**os.environ, "LC_ALL": "C"}

    def parse(text, *options):
        return subprocess.run([words[0], *options, *words[1:], "-fsyntax-only", "-x", "c++", "-"], input=text, text=True,
                              capture_output=True, env=environment)

    found = parse("#include <Kokkos_Core.hpp>\nKOKKOS_VERSION\n", "-E")
    if int(found.stdout.split()[-1]) < 50000:
        sys.exit(print("test_indices: skipped, Kokkos before 5 computes all offsets in 64 bits"))
    header = Path(re.search(r'^# \d+ "(.*/Kokkos_View\.hpp)"', found.stdout, re.M)[1])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / header.name).write_text(marked_header(header))
        def places(text):
            """Where the text leads to an access by 32 bits, of all files but the system's."""
            parsed = parse(text, "-isystem", folder)
            if parsed.returncode:
                errors = "\n".join(line for line in parsed.stderr.splitlines() if ": error: " in line)
                sys.exit(f"test_indices: the marked header, or the calls, do not compile\n{errors}")
            return sorted({place[1] for place in re.finditer(rf"^(\S+?:\d+):\d+: warning: .*{MARK}", parsed.stderr, re.M)})

        sample = places(SAMPLE)
        if sample != ["<stdin>:6", "<stdin>:7"]:
            sys.exit(f"test_indices: the compiler does not find the sample's accesses, but {sample}: see OVERLOAD")
        wrong = [place for place in places(f'#include "{TESTS}/indices.cpp"\n') if place.startswith(str(INCLUDE))]
    for place in wrong:
        print(f"{place}: a matrix is indexed by 32 bits, expected entry_at() or std::int64_t")
    if wrong:
        sys.exit(f"test_indices: {len(wrong)} places")
    print("test_indices: all matrices are indexed by 64 bits")


main()
