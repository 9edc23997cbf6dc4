# SPDX-License-Identifier: MIT
# For `spack dev-build`, from this tree. It has not been built: see docs/setup.md.
from spack.package import *


class Blockfw(CMakePackage):
    """All-pairs shortest paths by blocked Floyd-Warshall and by elimination, header-only, on Kokkos."""

    license("MIT")

    version("0.1.0")

    variant("mpi", default=False, description="The component mpi: one matrix on many ranks")
    variant("metis", default=False, description="The component metis: its orders of elimination")
    variant("amd", default=False, description="The component amd: SuiteSparse's order of elimination")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.6:5 cxxstd=20")
    depends_on("mpi", when="+mpi")
    depends_on("metis@5:", when="+metis")
    depends_on("suite-sparse", when="+amd")

    def cmake_args(self):
        return [
            self.define("BLOCKFW_BUILD_PROGRAMS", False),
            self.define("BLOCKFW_BUILD_TESTS", False),
            self.define_from_variant("BLOCKFW_MPI", "mpi"),
            self.define_from_variant("BLOCKFW_METIS", "metis"),
            self.define_from_variant("BLOCKFW_AMD", "amd"),
        ]
