// SPDX-License-Identifier: MIT
// Names in files may hold anything; what the program prints of them is printable, in the lines and columns that plain names have,
// and the files that it writes keep them as they are.
#include <gtest/gtest.h>

#include <sstream>

#include "heatfront/base/utf8.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/writers.h"
#include "support/program_fixture.h"
#include "support/sanitized.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::file_text;
using test::Outcome;
using test::run_program;

struct Kind {
  const char* name;
  std::string text;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kKinds = {{"escape", "\x1b[31m"},
                                           {"title", "\x1b]0;x\x07"},
                                           {"bell", "\x07"},
                                           {"backspace", "ab\b\b"},
                                           {"carriage return", "x\rover"},
                                           {"end of line", "x\nheatfront: all is well"},
                                           {"delete", "\x7f"},
                                           {"C1", "\u009b31m"},
                                           {"next line", "x\u0085y"},
                                           {"right to left", "\u202egpj"},
                                           {"isolate", "\u2066x\u2069"},
                                           {"mark", "\u200f\u061c"},
                                           {"line separator", "x\u2028y\u2029z"},
                                           {"no width", "a\u200bb\u2060\ufeff"},
                                           {"tag", "\U000e0041"},
                                           {"filler", "\u3164"}};
  return kKinds;
}

class Printable : public test::ProgramFixture {
 protected:
  // A model and a data set whose names all hold this.
  void write_files(const std::string& hostile) const {
    TrainedModel model = test::karate_model();
    Dataset& data = model.data;
    data.name = "data" + hostile;
    for (std::string& name : data.class_names) name = "class" + name + hostile;
    data.node_names.clear();
    for (NodeId u = 0; u < data.nodes(); ++u) data.node_names.push_back("n" + std::to_string(u) + hostile);
    data.split->name = "split" + hostile;
    model.fingerprint = fingerprint(data);
    write_model(model, folder_ / "m.hf");
    write_npz(data, folder_ / "d.npz");
    std::filesystem::create_directories(folder_ / ("f" + hostile));
    write_npz(data, folder_ / ("f" + hostile) / ("d" + hostile + ".npz"));
    folder_.write("f" + hostile + "/p" + hostile + ".preset", "epochs = 2\n");
  }

  static std::string class_name(const std::string& hostile) {
    return "class" + test::karate_model().data.class_names[1] + hostile;
  }

  // Every command that prints names, wherever these come from.
  std::vector<std::string> commands(const std::string& hostile) const {
    const std::string in = "f" + hostile + "/", data = file(in + "d" + hostile + ".npz"),
                      model = file("m.hf"), node = "'n20" + hostile + "'",
                      label = "'n20" + hostile + "=" + class_name(hostile) + "'",
                      split = " --split 'per-class 3,5'", nothing = file(in + "no" + hostile);
    return {"info " + file("d.npz"), "info " + data,
            "convert " + data + " " + file(in + "c" + hostile + ".npz"),
            "split " + data + " -o " + file(in + "s" + hostile + ".npz"),
            "solve " + data + " --time 1" + split + " --predictions " + file(in + "t" + hostile),
            "solve " + data + " --time 1 --split " + file(in + "s" + hostile + ".npz"),
            "sweep " + data + split + " --time 1,2 --draw", "sweep " + data + split + " --time 1,2",
            "train " + data + split + " --preset " + file(in + "p" + hostile + ".preset") + " -o " +
                file(in + "m" + hostile),
            "search " + data + split + " --trials 2 --seeds 0 --set epochs=2",
            "compare " + data + split +
                " --models 'label-propagation, mlp epochs=2 features=neighbourhood' --runs 2",
            "predict " + model + " -o " + file(in + "q" + hostile),
            "label " + model + " --set " + label + " --suggest 3 -o " + file(in + "l" + hostile),
            "explain " + model + " " + node, "evaluate " + model + " --report " + file(in + "r" + hostile),
            // What is refused: lines on standard error.
            "info " + nothing, "predict " + nothing, "explain " + model + " " + nothing,
            "label " + model + " --set " + node + "=" + nothing,
            "label " + model + " --set 'n99" + hostile + "=x'", "solve " + data + " --known " + nothing,
            "solve " + data + " --class-prior " + nothing, "solve " + data + " --front " + nothing,
            "train " + data + " --preset " + nothing, "train " + data + " --set " + nothing + "=1",
            "train " + data + " --model " + nothing, "train " + data + " --split " + nothing,
            "search " + data + " --space " + nothing, "fetch " + nothing, nothing,
            "info " + data + " " + nothing, "--threads " + nothing + " info karate"};
  }

  static std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
};

// Compared with what the same commands say of plain names: the same exit codes and numbers of lines. Under a sanitizer
// all kinds in one name, for the release build has tried each alone.
TEST_F(Printable, IsAllThatIsPrintedWhateverNamesAreInFiles) {
  const auto outcomes_of = [&](const std::string& name, const std::string& flags) {
    write_files(name);
    std::vector<Outcome> outcomes;
    for (const std::string& command : commands(name))
      outcomes.push_back(run_program(command + flags, test::kGuard));
    std::filesystem::remove_all(folder_ / ("f" + name));
    return outcomes;
  };
  int cases = 0, unprintable = 0, other_lines = 0;
  std::string all_kinds;  // JSON has one way for all of them
  for (const Kind& kind : kinds()) all_kinds += kind.text;
  for (const char* flags : {"", " --json"}) {
    const std::vector<Outcome> plain = outcomes_of("plain", flags);
    const bool each_alone = *flags == '\0' && !test::kSanitized;
    for (const Kind& kind : each_alone ? kinds() : std::vector<Kind>{{"all kinds", all_kinds}}) {
      const std::vector<Outcome> outcomes = outcomes_of(kind.text, flags);
      for (std::size_t i = 0; i < outcomes.size(); ++i, ++cases) {
        const Outcome& outcome = outcomes[i];
        const std::string said = outcome.output + outcome.errors;
        SCOPED_TRACE(std::string(kind.name) + ": " + printable(commands("")[i]) + flags);
        EXPECT_EQ(outcome.code, plain[i].code) << printable_lines(said);
        const bool clean = said == printable_lines(said);
        EXPECT_TRUE(clean) << printable_lines(said);
        const bool same = lines_of(outcome.output) == lines_of(plain[i].output) &&
                          lines_of(outcome.errors) == lines_of(plain[i].errors);
        EXPECT_TRUE(same) << printable_lines(said) << "\nbeside\n" << plain[i].output << plain[i].errors;
        unprintable += !clean;
        other_lines += !same;
      }
    }
  }
  RecordProperty("cases", cases);
  RecordProperty("unprintable", unprintable);
  RecordProperty("other_lines", other_lines);
}

TEST_F(Printable, KeepsTheColumnsOfTablesAligned) {
  for (const Kind& kind : kinds()) {
    write_files(kind.text);
    const Outcome outcome = run_program("label " + file("m.hf") + " --suggest 5");
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
    std::istringstream lines(outcome.output.substr(outcome.output.find("worth labelling")));
    std::string heading, line;
    std::getline(lines, heading);
    const std::size_t column = heading.find("class now");
    for (int row = 0; row < 3 && std::getline(lines, line); ++row)
      EXPECT_EQ(line.find("class"), column) << kind.name << "\n" << outcome.output;
  }
}

TEST_F(Printable, JsonAndFilesKeepTheNamesAsTheyAre) {
  for (const Kind& kind : kinds()) {
    write_files(kind.text);
    const std::string name = class_name(kind.text);
    const json described = json_of("info " + file("d.npz"));
    EXPECT_EQ(described["class_names"][1], name) << kind.name;
    json_of("label " + file("m.hf") + " --set '" + "n20" + kind.text + "=" + name + "' -o " + file("l.hf"));
    Threads threads(1);
    const Dataset kept = read_model(folder_ / "l.hf", threads).data;
    EXPECT_EQ(kept.class_names[1], name) << kind.name;
    EXPECT_EQ(kept.node_name(20), "n20" + kind.text) << kind.name;
    EXPECT_EQ(kept.name, "data" + kind.text) << kind.name;
  }
}

TEST_F(Printable, PagesAndPlotsHoldNoControlCharacters) {
  for (const Kind& kind : kinds()) {
    write_files(kind.text + "'\"><&");
    ASSERT_EQ(run_program("evaluate " + file("m.hf") + " --report " + file("r.html")).code, 0);
    const std::string page = file_text(path("r.html"));
    EXPECT_TRUE(page == printable_lines(page)) << kind.name;
    EXPECT_NE(page.find("&#39;&quot;&gt;&lt;&amp;"), std::string::npos) << kind.name;
  }
}

}  // namespace
}  // namespace heatfront
