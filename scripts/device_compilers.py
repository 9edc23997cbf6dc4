# SPDX-License-Identifier: MIT
"""Shared by the scripts that compile for devices: the compilers' commands, and Kokkos's headers with a device enabled."""
import re
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
KOKKOS = Path("/usr/include/kokkos")
OLDEST_KOKKOS = Path("/usr/apart/libtrilinos-kokkos-dev/usr/include/kokkos")

# The target's names in Kokkos's configuration.
ARCHITECTURES = {"sm_60": "PASCAL(60)?", "sm_61": "PASCAL(61)?", "sm_70": "VOLTA(70)?", "sm_80": "AMPERE(80)?",
                 "sm_90": "HOPPER(90)?", "gfx908": "AMD_GFX908", "gfx90a": "AMD_GFX90A", "gfx942": "AMD_GFX942"}

WARNINGS = ["-Werror", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion"]


def is_amd(target):
    return target.startswith("gfx")


def command(target):
    """The compiler command for device code of the target, with warnings as errors."""
    if is_amd(target):
        # (hipcc hands on options for linking, which are not used here.)
        return ["hipcc", "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "-fopenmp", "-std=c++20",
                "-Wno-unused-command-line-argument", *WARNINGS]
    # Otherwise a call of a host function on the device is a warning only, and a trap at run time.
    return ["nvcc", "-x", "cu", f"-arch={target}", "-cubin", "--extended-lambda", "-Xcompiler", "-fopenmp", "-std=c++20",
            "-Werror", "cross-execution-space-call"]


def enable(folder, kokkos, backend, setup=None, defines=()):
    """Debian's Kokkos has the headers of all backends. These, found first, say that it was built for one more."""
    define = (rf"/\* #undef ({'|'.join([f'KOKKOS_ENABLE_{backend}', *defines])}) \*/", r"#define \1")
    include = lambda header: (r"(?m)^#endif", rf"#include <{header}>\n#endif")
    changes = {
        "KokkosCore_config.h": (1 + any("ARCH" in name for name in defines), define),
        "KokkosCore_Config_FwdBackend.hpp": (1, include(f"fwd/Kokkos_Fwd_{backend}.hpp")),
        "KokkosCore_Config_DeclareBackend.hpp": (1, include(f"decl/Kokkos_Declare_{backend}.hpp")),
    }
    if setup:
        changes["KokkosCore_Config_SetupBackend.hpp"] = (1, include(f"setup/Kokkos_Setup_{setup}.hpp"))
        changes["desul/atomics/Config.hpp"] = (1, define)
    for header, (expected, (pattern, text)) in changes.items():
        changed, places = re.subn(pattern, text, (kokkos / header).read_text())
        if places < expected:
            sys.exit(f"{kokkos / header} has {places} places to change for {backend}, expected {expected} or more")
        (folder / header).parent.mkdir(parents=True, exist_ok=True)
        (folder / header).write_text(changed)


def enable_device(folder, target):
    backend, setup = ("HIP", "HIP") if is_amd(target) else ("CUDA", "Cuda")
    enable(folder, KOKKOS, backend, setup, [f"DESUL_ATOMICS_ENABLE_{backend}", f"KOKKOS_ARCH_{ARCHITECTURES[target]}"])
