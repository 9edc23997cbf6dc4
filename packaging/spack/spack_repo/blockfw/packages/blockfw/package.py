# SPDX-License-Identifier: MIT
# For `spack install`, from this tree: docs/setup.md has the commands.
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Blockfw(CMakePackage):
    """All-pairs shortest paths by blocked Floyd-Warshall and by elimination, on Kokkos."""

    git = f"file://{pathlib.Path(__file__).resolve().parents[6]}"

    license("MIT")

    version("0.1.0")

    variant("mpi", default=False, description="The component mpi: one matrix on many ranks")
    variant("metis", default=False, description="The component metis: its orders of elimination")
    variant("amd", default=False, description="The component amd: an order of elimination")
    variant("zlib", default=False, description="The component zlib: graphs in files that gzip has compressed")
    variant("compiled", default=False, description="The component compiled: a library of the built-in types")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.6:5 +openmp cxxstd=20")
    depends_on("mpi", when="+mpi")
    depends_on("metis@5:", when="+metis")
    depends_on("suite-sparse", when="+amd")
    depends_on("zlib-api", when="+zlib")

    def cmake_args(self):
        return [
            self.define("BLOCKFW_BUILD_PROGRAMS", False),
            self.define("BLOCKFW_BUILD_TESTS", False),
            self.define_from_variant("BLOCKFW_MPI", "mpi"),
            self.define_from_variant("BLOCKFW_METIS", "metis"),
            self.define_from_variant("BLOCKFW_AMD", "amd"),
            self.define_from_variant("BLOCKFW_ZLIB", "zlib"),
            self.define_from_variant("BLOCKFW_COMPILED", "compiled"),
        ]
