// SPDX-License-Identifier: MIT
// Data sets of several files, and of one.
#include <algorithm>
#include <optional>

#include "fuzz/feeding.h"
#include "fuzz/targets.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_io/tables/new_rows.h"
#include "support/gzip.h"

namespace heatfront::fuzz {
namespace fs = std::filesystem;
using namespace std::string_literals;
namespace {

using Read = Dataset (*)(const fs::path& path, const ReadOptions& options, Threads& threads);

std::optional<Dataset> read_whole(Read read, const fs::path& path) {
  std::optional<Dataset> dataset;
  if (done_or_refused([&] { dataset = read(path, {}, one_thread()); })) require_whole(*dataset);
  return dataset;
}

bool feed_folder(Read read, std::string_view name, const FileSets& sets, std::string_view input) {
  return read_whole(read, put_files(name, sets.changed(input))).has_value();
}

const fs::path kTestFiles = HEATFRONT_TEST_FILES;

Files files_in(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::directory_iterator(folder))
    files.emplace_back(entry.path().filename().string(), test::file_text(entry.path()));
  std::ranges::sort(files);
  return files;
}

const FileSets& planetoid_sets() {
  static const FileSets sets(
      {files_in(kTestFiles / "planetoid/protocol0"), files_in(kTestFiles / "planetoid/protocol1"),
       files_in(kTestFiles / "planetoid/protocol2"), files_in(kTestFiles / "planetoid/python2")});
  return sets;
}

const FileSets& csv_sets() {
  static const FileSets sets({
      {{"edges.csv", "source,target,weight\na,b,1\nb,c,0.5\nd,,\n"},
       {"features.csv", "node,f0,f1\na,1,0\nb,0.25,-3\nc,0,1e-3\nd,7,8\n"},
       {"labels.csv", "node,label\na,red\nb,\"blue, \"\"dark\"\"\"\nc,?\n"},
       {"classes.csv", "class\nred\n\"blue, \"\"dark\"\"\"\ngreen\n"},
       {"split.csv", "node,part\na,train\nb,val\nc,test\n"}},
      {{"edges.tsv", "# from to\n10\t20\n20\t5\n5\t10\n"},
       {"features.txt", "node feature value\n10 0 1\n20 3 2.5\n10 word 1\n"},
       {"labels.tsv", "10\t2\n20\t10\n5\t-1\n"}},
      {{"edges.csv", "0;1\n1;2\n2;0\n3\n"}},
      {{"features.csv", "0,3\n0,4\n2,1\n"}, {"labels.csv", "id,target\n0,1\n2,0\n"}},
      // As people export them.
      {{"links.csv", "from_account;to_account;amount;on\na;b;1,5;1.2.2024\nb;c;1.200,25;3.2.2024\n"},
       {"accounts.csv",
        "account_id;country;opened;income;confirmed;note\na;DE;1.2.2024;1.200,50;yes;x\nb;FR;;NA;no;y\n"
        "c;DE;29.2.2024;7;;z\nc;DE;29.2.2024;7;;z\nd;FR;3.2.2024;-1,5;yes;x\n"},
       {"reviewed.csv", "account_id;label;on\na;bad;1.2.2024\nlone;good;2.2.2024\n"}},
      {{"edges.csv", "payer,payee,amount,note\n1,2,3,a\n2,3,4,b\n"},
       {"features.csv",
        "account,born,seen,size,verdict\n1,2020-01-31,2020-01-31T10:00:00Z,null,red\n2,2021-12-01,?,5,blue\n"
        "3,n/a,2020-02-01 23:59,6,red\n4,2020/03/01,none,1e3,blue\n"}},
      {{"edges.csv", "a,b\n"},
       {"features.csv", "node,us,eu,either\na,3/31/2024,31/3/2024,1/2/2024\nb,4/1/2024,1/4/2024,2/1/2024\n"}},
      {{"knows.tsv", "from_person\tto_person\nq\tr\nr\ts\n"},
       {"people.tsv", "person_id\tticket\trate\tlabel\nq\t1,234.50\t5%\ta\nr\t7\t12 %\t\ns\t\t\tb\n"}},
      // Values, and several labels per node.
      {{"edges.csv", "a,b\nb,c\nc,d\n"},
       {"labels.csv", "haus;preis;miete\na;1.234,5;1\nb;NA;\nc;7;-2,25\nlone;1e3;0\n"}},
      {{"edges.csv", "a,b\nb,c\n"}, {"labels.csv", "node,label\na,x|y\nb,none\nc,\na,z\n"}},
      {{"edges.csv", "citing,cited\na,b\nb,c\n"}, {"labels.csv", "document,topics\na,\"x, y\"\nb,x\nc,y\n"}},
  });
  return sets;
}

const FileSets& ogb_sets() {
  static const FileSets sets({
      {{"raw/edge.csv", "0,1\n1,2\n2,0\n"},
       {"raw/node-feat.csv", "1,0.5\n0,-1\n2,3\n"},
       {"raw/node-label.csv", "0\nnan\n1.0\n"},
       {"raw/num-node-list.csv", "3\n"},
       {"raw/node_year.csv", "2000\n2001\n2002\n"},
       {"split/time/train.csv", "0\n"},
       {"split/time/valid.csv", "2\n"},
       {"split/time/test.csv", "1\n"}},
      {{"edge.csv", "0,1\n"}, {"node-label.csv", "1\n0\n"}},
      {{"edge.csv", test::gzipped("0,1\n")}, {"node-feat.csv", "1\n0\n"}},
      {{"edge.csv", "# none\n"}, {"num-node-list.csv", "2\n"}},
      {{"edge.csv", "# none\n"}, {"node-label.csv", "0\n1\n"}},
  });
  return sets;
}

const FileSets& musae_sets() {
  static const FileSets sets({
      {{"x_edges.csv", "id_1,id_2\n0,1\n1,2\n"},
       {"x_features.json", R"({"2": [0, 3], "0": [1, 1], "1": []})"},
       {"x_target.csv", "id,name,ml_target\n0,ann,1\n1,bob,0\n3,cy,1\n2,di,0\n"}},
      {{"x_edges.csv", "from,to\n0,1\n"}, {"x_features.json", R"({"0": [0.5, -1e-1], "1": [3, 4]})"}},
      {{"x_edges.csv", "from,to\n0,1\n"},
       {"x_target.csv",
        "id,days,mature,views,partner,new_id\n900,5,True,7,False,1\n901,5,False,7,False,0\n"}},
  });
  return sets;
}

const FileSets& idx_sets() {
  static const FileSets sets({
      {{"train-images-idx3-ubyte", "\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x01\x01\x02\x03\xff"s},
       {"train-labels-idx1-ubyte", "\0\0\x08\x01\0\0\0\x02\x03\x01"s},
       {"t10k-images-idx3-ubyte", "\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x01\x05\x06"s},
       {"t10k-labels-idx1-ubyte", "\0\0\x0c\x01\0\0\0\x01\0\0\0\x04"s}},
      {{"train-images-idx3-ubyte", "\0\0\x0d\x02\0\0\0\x01\0\0\0\x02\x3f\x80\0\0\xc0\0\0\0"s}},
  });
  return sets;
}

// The same with the names of columns given, and with the files listed.
void feed_named(const fs::path& folder, const Files& files) {
  const ReadOptions named{.columns = {.source = "payer",
                                      .target = "payee",
                                      .weight = "amount",
                                      .node = "account",
                                      .label = "verdict",
                                      .ignored = {"note", "seen"}}};
  done_or_refused([&] { require_whole(read_csv(folder, named, one_thread())); });
  std::string list;
  for (const auto& [name, text] : files) {
    const std::string_view role = name.starts_with("acc") || name.starts_with("fea")   ? "features="
                                  : name.starts_with("rev") || name.starts_with("lab") ? "labels="
                                  : name.starts_with("lin") || name.starts_with("edg") ? "edges="
                                                                                       : "";
    if (!role.empty()) list.append(list.empty() ? "" : ",").append(role).append((folder / name).string());
  }
  done_or_refused([&] { require_whole(read_csv(list, {}, one_thread())); });
}

// The same with labels as values and as several per node, in a table of their own or in a column of the features.
void feed_targets(const fs::path& folder) {
  for (const LabelKind kind : {LabelKind::values, LabelKind::many}) {
    done_or_refused([&] {
      require_whole(
          read_csv(folder, {.columns = {.node = "account", .label = "size"}, .labels = kind}, one_thread()));
    });
    std::optional<Dataset> dataset;
    if (!done_or_refused([&] { dataset = read_csv(folder, {.labels = kind}, one_thread()); })) continue;
    require_whole(*dataset);
    const fs::path again = scratch() / "targets";
    fs::remove_all(again);
    if (done_or_refused([&] { write_csv(*dataset, again); }))
      require_same(*dataset, read_csv(again, {.labels = kind}, one_thread()), "CSV");
  }
}

// Rows that are read again by what was learned of them give the same numbers.
void require_same_rows(const Dataset& dataset, const fs::path& table) {
  std::optional<NewRows> rows;
  if (dataset.features.dense() == nullptr || !fs::exists(table) ||
      !done_or_refused([&] { rows = read_new_rows(table, dataset); }))
    return;
  for (const std::string& note : rows->notes) require_line(note);
  for (std::size_t i = 0; i < rows->nodes.size(); ++i) {
    const auto node = std::ranges::find(dataset.node_names, rows->nodes[i]);
    if (node == dataset.node_names.end()) continue;
    require(std::ranges::equal(rows->features.dense()->row(static_cast<std::int64_t>(i)),
                               dataset.features.dense()->row(node - dataset.node_names.begin())),
            "other features when rows are read by what was learned of them");
  }
}

}  // namespace

bool feed_csv(std::string_view input) {
  const Files files = csv_sets().changed(input);
  const fs::path folder = put_files("csv", files);
  const auto dataset = read_whole(read_csv, folder);
  feed_named(folder, files);
  feed_targets(folder);
  if (!dataset) return false;
  for (const char* name : {"features.csv", "accounts.csv"}) require_same_rows(*dataset, folder / name);
  const fs::path again = scratch() / "again";
  fs::remove_all(again);
  if (done_or_refused([&] { write_csv(*dataset, again); }))
    require_same(*dataset, read_csv(again, {}, one_thread()), "CSV");
  return true;
}
std::vector<std::string> csv_seeds() { return csv_sets().seeds(); }

bool feed_planetoid(std::string_view input) {
  return feed_folder(read_planetoid, "planetoid", planetoid_sets(), input);
}
std::vector<std::string> planetoid_seeds() { return planetoid_sets().seeds(); }

bool feed_ogb(std::string_view input) { return feed_folder(read_ogb, "ogb", ogb_sets(), input); }
std::vector<std::string> ogb_seeds() { return ogb_sets().seeds(); }

bool feed_musae(std::string_view input) { return feed_folder(read_musae, "musae", musae_sets(), input); }
std::vector<std::string> musae_seeds() { return musae_sets().seeds(); }

bool feed_idx(std::string_view input) { return feed_folder(read_idx, "idx", idx_sets(), input); }
std::vector<std::string> idx_seeds() { return idx_sets().seeds(); }

bool feed_matrix_market(std::string_view input) {
  return read_whole(read_matrix_market, scratch().write("matrix.mtx", input)).has_value();
}
std::vector<std::string> matrix_market_seeds() {
  return {"%%MatrixMarket matrix coordinate real general\n% made by hand\n3 3 3\n1 2 0.5\n2 1 1.5\n3 1 2\n",
          "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n",
          "%%MatrixMarket MATRIX Coordinate Integer general\n2 2 1\n1 2 7\n"};
}

bool feed_gzip(std::string_view input) {
  require(unpack_gzip(test::gzipped(input), "text") == input, "other text once packed and unpacked");
  return done_or_refused([&] { unpack_gzip(input, "input"); });
}
std::vector<std::string> gzip_seeds() {
  return {test::gzipped("0,1\n1,2\n"), test::gzipped("a") + test::gzipped("b"),
          test::gzipped(std::string(2000, 'x'))};
}

}  // namespace heatfront::fuzz
