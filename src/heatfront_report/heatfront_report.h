// SPDX-License-Identifier: MIT
// Results as JSON, text, tables and pages. All of it, a header per line.
#pragma once

#include "heatfront_report/catalogue_report.h"
#include "heatfront_report/comparison_report.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/evaluation_report.h"
#include "heatfront_report/evaluation_tables.h"
#include "heatfront_report/explanation_report.h"
#include "heatfront_report/figures.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/label_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/output_files.h"
#include "heatfront_report/ranking_report.h"
#include "heatfront_report/reproduction_page.h"
#include "heatfront_report/reproduction_report.h"
#include "heatfront_report/search_report.h"
#include "heatfront_report/tables.h"
