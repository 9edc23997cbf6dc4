// SPDX-License-Identifier: MIT
// The graph of ../data/towns.gr in files of every other format, as other programs write it (NumPy, SciPy and gzip among
// them), and a graph without weights.
#pragma once

#include "child.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// The 5 x 5 weights as NumPy writes them, of that type.
template <class T>
std::string npy_of_towns(const std::string& type, T none) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (5, 5), }";
  header.resize(117, ' ');
  const std::vector<T> weights = {0,    5,    none, 9,    none, none, 0, none, 2,    none, none, none, 0,
                                  none, none, none, none, none, 0,    1, 4,    none, none, none, 0};
  return std::string("\223NUMPY\001\0v\0", 10) + header + '\n' +
         std::string(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(T));
}

/// The path of a file that all tests read: towns.gr, or one that is written here at the first call.
inline std::string file_of_towns(const std::string& name) {
  if (name == "towns.gr") return DATA "/towns.gr";
  static const Folder folder;
  if (folder.files().empty()) {
    const auto put = [](const char* file, const std::string& bytes) { write_file(folder / file, bytes); };
    put("towns.txt",
        "# five towns, one of them on an island\n"
        "0 1 5\n"
        "1 3 2\n"
        "0 3 9\n"
        "3 4 1\n"
        "4 0 4\n");
    put("towns.csv",
        "0,1,5\015\n"
        "1,3,2\015\n"
        "0,3,9\015\n"
        "3,4,1\015\n"
        "4,0,4\015\n");
    put("out.towns",
        "% asym weighted\n"
        "% 5 5 5\n"
        "1 2 5\n"
        "2 4 2\n"
        "1 4 9\n"
        "4 5 1\n"
        "5 1 4\n");
    put("towns.mtx",
        "%%MatrixMarket matrix coordinate integer general\n"
        "% five towns, one of them on an island\n"
        "5 5 5\n"
        "1 2 5\n"
        "2 4 2\n"
        "1 4 9\n"
        "4 5 1\n"
        "5 1 4\n");
    put("towns-array.mtx",
        "%%MatrixMarket matrix array real general\n5 5\n"
        "0\ninf\ninf\ninf\n4\n"
        "5\n0\ninf\ninf\ninf\n"
        "inf\ninf\n0\ninf\ninf\n"
        "9\n2\ninf\n0\ninf\n"
        "inf\ninf\ninf\n1\n0\n");
    put("row.mtx",
        "%%MatrixMarket matrix coordinate pattern symmetric\n"
        "4 4 3\n"
        "2 1\n"
        "3 2\n"
        "4 3\n");
    const std::vector<std::int32_t> edges = {5, 5, 0, 1, 5, 1, 3, 2, 0, 3, 9, 3, 4, 1, 4, 0, 4};
    put("towns.bin", std::string(reinterpret_cast<const char*>(edges.data()), edges.size() * sizeof(edges[0])));
    put("towns-int.npy", npy_of_towns<std::int32_t>("<i4", 0));
    put("towns-float.npy", npy_of_towns<double>("<f8", std::numeric_limits<double>::infinity()));
    constexpr std::size_t packed = 91;
    put("towns.gr.gz",
        std::string("\037\213\010\000\000\000\000\000\002\377\035\311\313\015\200 \020E\321=U\334\002\334@`a9D!\222"
                    "\340@\002\321\366\035Y\235\3679\310\345I\314\366\312\330h\222h\231y\245[3Q(\243F9Mgt\002\301D,n"
                    "\351\360\270\325=\273\352\365\267j\370\027\363\001\036Ch\205X\000\000\000",
                    packed));
  }
  return folder / name;
}
