// SPDX-License-Identifier: MIT
// An evaluation as rows of text, for a terminal and for a page; the first row of each table is its heading.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront/evaluate/evaluation.h"
#include "heatfront_report/figures.h"
#include "heatfront_report/tables.h"

namespace heatfront {

// Each figure with what it means, for readers who do not know its name.
TextRows summary_rows(const Evaluation& evaluation, const Dataset& dataset);

// How many nodes of each class there are, and precision, recall and F1.
TextRows class_rows(std::span<const ClassScore> scores, const Dataset& dataset);

Json json_of(std::span<const ClassScore> scores, const Dataset& dataset);

// A row per class, a column per class given.
TextRows confusion_rows(const Evaluation& evaluation, const Dataset& dataset);

// The classes that are most often taken for another, at most so many.
TextRows mistake_rows(const Evaluation& evaluation, const Dataset& dataset, std::size_t most);

// What looking at the first 10, 20, 50, 100, … nodes finds of the class that was asked for.
TextRows retrieval_rows(const ClassRetrieval& retrieval);
std::vector<PrecisionRecall> shown_points(const ClassRetrieval& retrieval);  // as many as a plot can show
std::string retrieval_text(const ClassRetrieval& retrieval, const std::string& name);  // in a line
std::string text_of(const ClassRetrieval& retrieval, const std::string& name);         // with the table
Json json_of(const ClassRetrieval& retrieval, const std::string& name);

TextRows set_size_rows(const Evaluation& evaluation);

TextRows group_rows(const std::string& what, const std::vector<NodeGroup>& groups);

// What a reader must know to take the figures rightly, a sentence each.
std::vector<std::string> remarks_on(const Evaluation& evaluation);

}  // namespace heatfront
