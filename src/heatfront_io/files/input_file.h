// SPDX-License-Identifier: MIT
// Whole files into memory, unpacked when they are gzip files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace heatfront {

// Throws Error that names the file when it is missing, a folder, a device, a pipe, unreadable or empty. So do all that follow, but
// for empty files.
void require_file(const std::filesystem::path& path);

// As they are: at most so many.
std::string first_bytes(const std::filesystem::path& path, std::uint64_t most);

// Half of whole_memory(). No larger file, unpacked, is read: nothing could be made of it here, and a small file may
// unpack to far more than that.
std::uint64_t most_bytes();

// The bytes of a file; of a gzip file (known by its first bytes, not its name) what is packed in it.
std::string read_bytes(const std::filesystem::path& path, std::uint64_t most = most_bytes());

// What came in place of data ("a web page", or the few lines that git keeps of a large file); empty: none of these.
std::string_view stand_in(std::string_view bytes);

// Throws Error where these bytes are such.
void refuse_stand_in(std::string_view bytes, const std::string& where);

// read_bytes(), and no stand-in.
std::string read_data(const std::filesystem::path& path);

// In the place of a file: what is piped in. The same of it: unpacked, and no stand-in.
inline constexpr std::string_view kStandardInput = "-";
std::string read_standard_input();

// What is packed in the bytes of a gzip file; `where` names them in messages.
std::string unpack_gzip(std::string_view packed, const std::string& where, std::uint64_t most = most_bytes());

// The path itself if it is there, else with .gz added if that is there, else empty.
std::filesystem::path plain_or_gz(const std::filesystem::path& path);

}  // namespace heatfront
