# SPDX-License-Identifier: MIT
# For `spack install`, from this tree: docs/setup.md has the commands.
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.python import PythonPipBuilder
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Blockfw(CMakePackage, CudaPackage, ROCmPackage):
    """All-pairs shortest paths by blocked Floyd-Warshall and by elimination, on Kokkos."""

    git = f"file://{pathlib.Path(__file__).resolve().parents[6]}"

    test_requires_compiler = True

    license("MIT")

    version("0.1.0")

    variant("openmp", default=True, description="All cores of the host; one without")
    variant("mpi", default=False, description="The component mpi: one matrix on many ranks")
    variant("metis", default=False, description="The component metis: its orders of elimination")
    variant("amd", default=False, description="The component amd: an order of elimination")
    variant("zlib", default=False, description="Graphs in files that gzip has compressed")
    variant(
        "compiled",
        default=False,
        description="The component compiled: a library of the built-in types",
    )
    variant("python", default=False, description="The Python module")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")

    # The host's and the device's backends are Kokkos's, and so is the card's architecture.
    depends_on("kokkos@4.6:5")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("kokkos ~openmp", when="~openmp")
    conflicts("^kokkos cxxstd=17", msg="blockfw needs a Kokkos of C++20 or later")
    depends_on("cuda@12:", when="+cuda")
    depends_on("kokkos +wrapper", when="+cuda %gcc")
    requires("^kokkos +cuda_lambda", when="+cuda ^kokkos@:4")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for arch in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos +rocm amdgpu_target={arch}", when=f"+rocm amdgpu_target={arch}")
    conflicts(
        "cuda_arch=none",
        when="+cuda",
        msg="+cuda needs the card's architecture, such as cuda_arch=90",
    )
    conflicts("+cuda", when="+rocm", msg="Kokkos has one kind of device: +cuda or +rocm")
    conflicts(
        "^kokkos@4.7.00:4.7.01", when="+cuda ^cuda@13:", msg="This pair crashes in every reduction"
    )

    depends_on("mpi", when="+mpi")
    depends_on("metis@5:", when="+metis")
    depends_on("suite-sparse", when="+amd")
    depends_on("zlib-api", when="+zlib")

    with when("+python"):
        extends("python@3.10:")
        depends_on("kokkos +pic")
        depends_on("py-numpy", type=("build", "run"))
        depends_on("py-pip", type="build")
        depends_on("py-nanobind@2:", type="build")
        depends_on("py-scikit-build-core@0.10:", type="build")

    @property
    def device_compiler(self):
        """Kokkos's compiler for the device, for all that includes Kokkos; None for a host."""
        if self.spec.satisfies("+rocm"):
            return self.spec["hip"].hipcc
        if self.spec.satisfies("+cuda ^kokkos +wrapper"):
            return self["kokkos"].kokkos_cxx
        return None

    def cmake_args(self):
        args = [
            self.define("BLOCKFW_BUILD_PROGRAMS", False),
            self.define("BLOCKFW_BUILD_TESTS", False),
            self.define_from_variant("BLOCKFW_MPI", "mpi"),
            self.define_from_variant("BLOCKFW_METIS", "metis"),
            self.define_from_variant("BLOCKFW_AMD", "amd"),
            self.define_from_variant("BLOCKFW_ZLIB", "zlib"),
            self.define_from_variant("BLOCKFW_COMPILED", "compiled"),
        ]
        if self.device_compiler:
            args.append(self.define("CMAKE_CXX_COMPILER", self.device_compiler))
        return args

    @run_after("install", when="+python")
    def install_python_module(self):
        defines = [
            f"BLOCKFW_{name.upper()}={'ON' if f'+{name}' in self.spec else 'OFF'}"
            for name in ("metis", "amd", "zlib")
        ]
        if self.device_compiler:
            defines.append(f"CMAKE_CXX_COMPILER={self.device_compiler}")
        settings = [f"--config-settings=cmake.define.{define}" for define in defines]
        with working_dir(join_path(self.stage.source_path, "python")):
            pip(*PythonPipBuilder.std_args(self), *settings, f"--prefix={self.prefix}", ".")

    @run_after("install")
    def keep_consumer(self):
        cache_extra_test_sources(self, ["tests/consumer", "cmake/components.cmake"])

    def test_consumer(self):
        """build and run the programs of tests/consumer with the installation"""
        components = [
            name for name in ("mpi", "metis", "amd", "zlib", "compiled") if f"+{name}" in self.spec
        ]
        args = ["-S", "tests/consumer", "-B", "build"]
        args += [self.define(f"WITH_{name}", True) for name in components]
        args += [
            self.define("CMAKE_CXX_COMPILER", self.device_compiler or self["cxx"].cxx),
            self.define("CMAKE_PREFIX_PATH", [self.prefix, self.spec["kokkos"].prefix]),
        ]
        cmake = which(self.spec["cmake"].prefix.bin.cmake, required=True)
        with working_dir(self.test_suite.current_test_cache_dir):
            cmake(*args)
            cmake("--build", "build")
            for name in ["consumer"] + [f"consumer_{component}" for component in components]:
                with test_part(self, f"test_consumer_{name}", purpose=f"run {name}"):
                    program = which(join_path("build", name), required=True)
                    check_outputs("distance 7", program(output=str.split, error=str.split))
