"""What the scripts that compile for devices share: the compilers' words, and Kokkos's headers with a device enabled."""
import re
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
KOKKOS = Path("/usr/include/kokkos")

# The target's names in Kokkos's configuration.
ARCHITECTURES = {"sm_60": "PASCAL(60)?", "sm_61": "PASCAL(61)?", "sm_70": "VOLTA(70)?", "sm_80": "AMPERE(80)?",
                 "sm_90": "HOPPER(90)?", "gfx908": "AMD_GFX908", "gfx90a": "AMD_GFX90A", "gfx942": "AMD_GFX942"}

WARNINGS = ["-Werror", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion"]


def is_amd(target):
    return target.startswith("gfx")


def command(target):
    """The compiler for device code of the target, warnings being errors."""
    if is_amd(target):
        # (hipcc hands on options for linking, which are not used here.)
        return ["hipcc", "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "-fopenmp", "-std=c++20",
                "-Wno-unused-command-line-argument", *WARNINGS]
    # A host function called on the device is but a warning otherwise, and a trap at run time.
    return ["nvcc", "-x", "cu", f"-arch={target}", "-cubin", "--extended-lambda", "-Xcompiler", "-fopenmp", "-std=c++20",
            "-Werror", "cross-execution-space-call"]


def write_configuration(folder, target):
    """Debian's Kokkos is built for OpenMP but has all headers. These five, found first, say that it has the device."""
    backend, setup, name = ("HIP", "HIP", "HIP") if is_amd(target) else ("CUDA", "Cuda", "CUDA")
    define = (rf"/\* #undef ((KOKKOS_ENABLE|DESUL_ATOMICS_ENABLE)_{backend}|KOKKOS_ARCH_{ARCHITECTURES[target]}) \*/",
              r"#define \1")
    include = lambda header: (r"(?m)^#endif", rf"#include <{header}>\n#endif")
    for header, (pattern, text) in {
        "KokkosCore_config.h": define,
        "desul/atomics/Config.hpp": define,
        "KokkosCore_Config_SetupBackend.hpp": include(f"setup/Kokkos_Setup_{setup}.hpp"),
        "KokkosCore_Config_FwdBackend.hpp": include(f"fwd/Kokkos_Fwd_{name}.hpp"),
        "KokkosCore_Config_DeclareBackend.hpp": include(f"decl/Kokkos_Declare_{name}.hpp"),
    }.items():
        changed, places = re.subn(pattern, text, (KOKKOS / header).read_text())
        if places < (2 if header == "KokkosCore_config.h" else 1):  # the device and its architecture
            sys.exit(f"{KOKKOS / header} is not as expected, nothing to change for {target}")
        (folder / header).parent.mkdir(parents=True, exist_ok=True)
        (folder / header).write_text(changed)
