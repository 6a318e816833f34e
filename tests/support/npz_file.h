// SPDX-License-Identifier: MIT
// npz files of any content, also such as no careful program would write.
#pragma once

#include <zip.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront_io/arrays/npy_header.h"
#include "heatfront_io/arrays/npz.h"

namespace heatfront::test {

using Entries = std::vector<std::pair<std::string, std::string>>;  // name in the zip, content

inline std::filesystem::path write_zip(const std::filesystem::path& path, const Entries& entries,
                                       zip_int32_t packing = ZIP_CM_STORE) {
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  for (const auto& [name, content] : entries) {
    zip_source_t* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const auto index = zip_file_add(archive, name.c_str(), source, ZIP_FL_OVERWRITE);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), packing, 0);
  }
  if (zip_close(archive) != 0) std::abort();
  return path;
}

// Of a file that is a zip.
inline Entries entries_of(const std::filesystem::path& path) {
  Entries entries;
  zip_t* const archive = zip_open(path.c_str(), ZIP_RDONLY, nullptr);
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    zip_stat_t about;
    zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &about);
    std::string content(about.size, '\0');
    zip_file_t* const file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
    zip_fread(file, content.data(), content.size());
    zip_fclose(file);
    entries.emplace_back(about.name, std::move(content));
  }
  zip_discard(archive);
  return entries;
}

// The elements as they lie in memory.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string npy(std::string_view descr, const std::vector<std::int64_t>& shape,
                       std::string_view elements) {
  return npy_header(descr, shape) += elements;
}

template <class T>
std::string npy(const std::vector<T>& values, const std::vector<std::int64_t>& shape) {
  return npy(kNpyDescr<T>, shape, bytes_of(values));
}

template <class T>
std::string npy(const std::vector<T>& values) {
  return npy(values, {std::ssize(values)});
}

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t place = text.find(what);
  if (place == std::string::npos) std::abort();
  return text.replace(place, what.size(), by);
}

inline std::string in_fortran_order(const std::string& npy) { return replaced(npy, "False", "True "); }

// A pickle of some kind, as numpy saves dtype=object.
inline std::string pickled_npy() { return npy("|O", {2}, std::string_view("\x80\x04]q\0.", 6)); }

}  // namespace heatfront::test
