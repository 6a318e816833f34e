// SPDX-License-Identifier: MIT
// What the page gets in bytes, little-endian, where JSON would be slow:
//
//     graph    "HFG1"  n  m  places (2n floats)  edges (2m numbers, u < v)
//     places   "HFP1"  n  version  places (2n floats)
//     answer   "HFA1"  n  version  classes (n × u16)  confidences (n × u8, of 255)  status (n × u8, as NodeStatus)
//     film     "HFF1"  n  states  version  flags  times, scores (floats)  then for each state classes (n × u16), confidences, status (n × u8)
//     reach    "HFR1"  n  version  strength (n × u8, of 255)
//     both     "HFJ1"  length of the JSON, the JSON, blanks up to a multiple of 4, then one of the others
//
// Numbers are u32 unless said otherwise.
#pragma once

#include <cstdint>
#include <string>

#include "heatfront/base/matrix.h"
#include "heatfront/flow/decide.h"
#include "heatfront/graph/graph.h"
#include "heatfront_explore/film.h"
#include "heatfront_explore/workbench.h"

namespace heatfront::explore {

inline constexpr ClassId kMostClasses = 65535;

std::string graph_bytes(const Graph& graph, const Matrix& places);
std::string places_bytes(const Matrix& places, std::int64_t version);
std::string answer_bytes(const Decisions& decisions, std::int64_t version);
std::string film_bytes(const Film& film, std::int64_t version);
std::string reach_bytes(const Reach& reach, std::int64_t version);
std::string with_json(const std::string& json, const std::string& bytes);

std::string base64(const std::string& bytes);

}  // namespace heatfront::explore
