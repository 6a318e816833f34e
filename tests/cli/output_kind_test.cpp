// SPDX-License-Identifier: MIT
// No command replaces a file of another kind than it would write.
#include <gtest/gtest.h>

#include "heatfront_io/formats/model_file.h"
#include "support/program_fixture.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using test::file_text;

class Outputs : public test::ProgramFixture {
 protected:
  Outputs() {
    write_model(test::karate_model(), folder_ / "m.hf");
    folder_.write("d/edges.csv", "source,target\na,b\nb,c\nc,d\n");
    folder_.write("d/features.csv", "node,x\na,1\nb,2\nc,3\nd,4\n");
    folder_.write("d/labels.csv", "node,label\na,x\nb,x\nc,y\nd,y\n");
    folder_.write("mine.txt", "mine\n");
  }

  // Everything that writes a file, without the name of it.
  std::vector<std::string> writers() const {
    return {"convert karate ",
            "graph digits -o ",
            "split karate -o ",
            "solve karate -o ",
            "solve karate --predictions ",
            "sweep karate --split 'per-class 3,5' --time 1,2 -o ",
            "sweep karate --split 'per-class 3,5' --time 1,2 --plot ",
            "predict " + file("m.hf") + " -o ",
            "label " + file("m.hf") + " --set 9=0 -o ",
            "evaluate " + file("m.hf") + " --report ",
            "evaluate " + file("m.hf") + " --sets ",
            "train karate --set epochs=1 -o ",
            "train karate --set epochs=1 --history "};
  }

  void expect_kept(const std::string& writer, const std::string& name, const std::string& what) const {
    if (writer.starts_with("convert") && !name.ends_with(".npz")) return;  // a new folder
    const std::string before = file_text(path(name));
    EXPECT_NE(refusal(writer + file(name)).find(path(name) + " exists already and is " + what + ", which "),
              std::string::npos)
        << writer << name;
    EXPECT_TRUE(file_text(path(name)) == before) << writer << name;
  }

  void expect_refused(const std::string& writer, const std::string& name, const std::string& right) const {
    const std::string ending = std::filesystem::path(name).extension(),
                      wanted = std::filesystem::path(right).extension();
    const std::string said = refusal(writer + file(name));
    EXPECT_TRUE(said.starts_with("heatfront: " + path(name) + ": a")) << said;
    EXPECT_NE(said.find(" is written, as " + wanted + ", not " + ending + "; call it " + path(right)),
              std::string::npos)
        << writer << said;
    EXPECT_FALSE(std::filesystem::exists(folder_ / name)) << writer << name;
  }
};

TEST_F(Outputs, NeverReplaceWhatIsOfAnotherKind) {
  std::filesystem::copy(folder_ / "m.hf", folder_ / "m.npz");
  for (const std::string& writer : writers()) {
    const bool model = writer.starts_with("label") || writer.find("epochs=1 -o") != writer.npos;
    if (!model) expect_kept(writer, writer.starts_with("convert") ? "m.npz" : "m.hf", "a model");
    expect_kept(writer, "mine.txt", "something else");
    for (const char* part : {"d/edges.csv", "d/features.csv", "d/labels.csv"})
      expect_kept(writer, part, "part of a data set");
  }
}

TEST_F(Outputs, OfManyRunsNeverReplaceFilesOfAnotherKindInTheirFolder) {
  const std::string compare = "compare karate --models label-propagation,label-propagation --runs 2 -o ";
  for (const char* name : {"comparison.md", "comparison.csv", "comparison.html"}) {
    folder_.write(std::string("c/") + name, "mine\n");
    EXPECT_NE(refusal(compare + file("c")).find(path("c/") + name + " exists already and is something else"),
              std::string::npos);
    std::filesystem::remove(folder_ / "c" / name);
  }
  for (const char* name : {"table.md", "table.csv", "report.html"}) {
    folder_.write(std::string("r/") + name, "mine\n");
    EXPECT_NE(refusal("reproduce table2 --rows 07 --datasets cora -o " + file("r"))
                  .find(path("r/") + name + " exists already and is something else"),
              std::string::npos);
    std::filesystem::remove(folder_ / "r" / name);
  }
  folder_.write("mine.preset", "epochs = 3\n");
  expect_kept("search karate --split 'per-class 3,5' --trials 2 --seeds 0 -o ", "mine.preset",
              "something else");
}

TEST_F(Outputs, TellKindsOfNpzApart) {
  json_of("convert karate " + file("data.npz"));
  json_of("split karate -o " + file("split.npz"));
  json_of("solve karate -o " + file("heat.npz"));
  expect_kept("split karate -o ", "data.npz", "an npz of a data set");
  expect_kept("convert karate ", "split.npz", "an npz of a split");
  expect_kept("graph digits -o ", "heat.npz", "an npz of temperatures");
}

TEST_F(Outputs, ReplaceWhatTheSameCommandWrote) {
  int number = 0;
  for (const std::string& writer : writers()) {
    const std::string ending = writer.starts_with("convert") ? ".npz" : "", empty = "empty" + ending,
                      name = std::to_string(++number) + ending;
    json_of(writer + file(name));
    json_of(writer + file(name));
    folder_.write(empty, "");
    json_of(writer + file(empty));
  }
}

// A table of predictions is none any more where a folder reads it as its labels.
TEST_F(Outputs, NeverReplacePartsOfADataSetWhateverTheyHold) {
  folder_.write("d/labels.csv", "node,class,confidence,margin,status\na,x,1,1,known\n");
  expect_kept("predict " + file("m.hf") + " -o ", "d/labels.csv", "part of a data set");
  EXPECT_EQ(refusal("split karate -o " + file("d/classes.csv")),
            "heatfront: " + path("d/classes.csv") +
                " would be read as part of the data set there; give another name\n");
  folder_.write("h/links.csv", "source,target\na,b\n");  // a folder that is read by its headers
  EXPECT_NE(refusal("predict " + file("m.hf") + " -o " + file("h/labels.csv")).find("would be read as part"),
            std::string::npos);
  folder_.write("alone/labels.csv", "node,class,confidence,margin,status\na,x,1,1,known\n");
  json_of("predict " + file("m.hf") + " -o " + file("alone/labels.csv"));
}

TEST_F(Outputs, AreNotWrittenUnderTheNameOfAnotherKind) {
  const std::string sweep = "sweep karate --split 'per-class 3,5' --time 1,2 ", model = file("m.hf");
  expect_refused(sweep + "--plot ", "x.png", "x.svg");
  expect_refused(sweep + "-o ", "x.svg", "x.csv");
  expect_refused("solve karate -o ", "x.csv", "x.npz");
  EXPECT_EQ(refusal("solve karate -o " + file("x.csv")),
            "heatfront: " + path("x.csv") +
                ": an npz of temperatures is written, as .npz, not .csv; call it " + path("x.npz") +
                "; --predictions " + path("x.csv") + " writes the table\n");
  expect_refused("solve karate --predictions ", "x.tsv", "x.csv");
  expect_refused("solve karate --predictions ", "x.npz", "x.csv");
  expect_refused("split karate -o ", "x.csv", "x.npz");
  expect_refused("graph digits -o ", "x.csv", "x.npz");
  expect_refused("train karate -o ", "x.csv", "x.hf");
  expect_refused("train karate --history ", "x.json", "x.csv");
  expect_refused("predict " + model + " -o ", "x.json", "x.csv");
  expect_refused("label " + model + " --set 9=0 -o ", "x.csv", "x.hf");
  expect_refused("evaluate " + model + " --report ", "x.pdf", "x.html");
  expect_refused("evaluate " + model + " --sets ", "x.html", "x.csv");
}

// Every command with several outputs, and every way to give two of them one file.
TEST_F(Outputs, OfOneCommandAreNeverOneFile) {
  namespace fs = std::filesystem;
  const std::string sweep = "sweep karate --split 'per-class 3,5' --time 1,2", model = file("m.hf");
  struct TwoOutputs {
    std::string command, first, second;
  };
  const std::vector<TwoOutputs> commands = {
      {"train karate --set epochs=1", "-o", "--history"},
      {"solve karate", "-o", "--predictions"},
      {sweep, "-o", "--plot"},
      {"evaluate " + model, "--report", "--sets"},
      {"search karate --split 'per-class 3,5' --trials 2 --seeds 0 --set epochs=1", "-o", "--record"}};
  fs::create_directory(folder_ / "sub");
  fs::create_directory_symlink(folder_ / "sub", folder_ / "linked");
  for (const TwoOutputs& two : commands) {
    const std::string end = two.command.starts_with("search") ? ".preset" : "", one = "sub/one" + end;
    const auto expect_refused = [&](const std::string& a, const std::string& b) {
      for (const bool swapped : {false, true}) {
        const std::string line = refusal(two.command + " " + two.first + " " + file(swapped ? b : a) + " " +
                                         two.second + " " + file(swapped ? a : b));
        EXPECT_NE(line.find(" would be both a"), std::string::npos) << line;
      }
    };
    expect_refused(one, one);
    expect_refused(one, "sub/./one" + end);
    expect_refused(one, "sub/../sub//one" + end);
    expect_refused(one, "linked/one" + end);
    fs::create_symlink("one" + end, folder_ / ("sub/link" + end));
    expect_refused(one, "sub/link" + end);
    EXPECT_FALSE(fs::exists(folder_ / one));
    folder_.write(one, "");
    expect_refused(one, "sub/link" + end);
    fs::create_hard_link(folder_ / one, folder_ / ("sub/hard" + end));
    expect_refused(one, "sub/hard" + end);
    EXPECT_EQ(file_text(path(one)), "");
    for (const char* name : {"sub/one", "sub/link", "sub/hard"}) fs::remove(folder_ / (name + end));
    EXPECT_EQ(test::files_in(folder_ / "sub"), 0u) << two.command;
  }
  for (const auto& [command, names] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"compare karate --models label-propagation,label-propagation --runs 2 -o ",
            {"comparison.md", "comparison.csv", "comparison.html", "runs.jsonl"}},
           {"reproduce table2 --rows 07 --datasets cora -o ",
            {"table.md", "table.csv", "report.html", "runs.jsonl"}}}) {
    for (const std::string& name : names) {
      for (const std::string& other : names) {
        if (name == other) continue;
        fs::create_symlink(other, folder_ / "sub" / name);
        EXPECT_NE(refusal(command + file("sub")).find(" would be both a"), std::string::npos)
            << name << other;
        fs::remove(folder_ / "sub" / name);
      }
    }
  }
}

TEST_F(Outputs, NeverReplaceWhatTheSameCommandReads) {
  json_of("convert karate " + file("k.npz"));
  json_of("split karate -o " + file("s.npz"));
  json_of("predict " + file("m.hf") + " -o " + file("p.csv"));
  json_of("convert digits " + file("g.npz"));
  folder_.write("e.csv", "source,target\n0,1\n1,2\n");
  folder_.write("b.preset", "# Found by `heatfront search`.\nepochs = 1\n");
  const std::string solve = "solve karate --time 1 --known " + file("p.csv");
  const std::vector<std::pair<std::string, std::string>> commands = {
      {"convert " + file("k.npz") + " ", "k.npz"},
      {"graph " + file("g.npz") + " -o ", "g.npz"},
      {"split karate --split " + file("s.npz") + " -o ", "s.npz"},
      {solve + " --predictions ", "p.csv"},
      {"solve edges=" + path("e.csv") + ",labels=" + path("p.csv") + " --predictions ", "p.csv"},
      {"predict " + file("m.hf") + " --data edges=" + path("e.csv") + ",labels=" + path("p.csv") + " -o ",
       "p.csv"},
      {"search karate --split 'per-class 3,5' --trials 2 --seeds 0 --preset " + file("b.preset") + " -o ",
       "b.preset"}};
  for (const auto& [command, name] : commands) {
    const std::string before = file_text(path(name)), link = "link-to-" + name;
    std::filesystem::create_symlink(path(name), path(link));
    for (const std::string& output : {name, "./" + name, link})
      EXPECT_NE(refusal(command + file(output)).find(" is read here, and a"), std::string::npos) << command;
    EXPECT_TRUE(file_text(path(name)) == before) << command;
    std::filesystem::remove(path(link));
  }
  json_of("label " + file("m.hf") + " --set 9=0 -o " + file("m.hf"));
  json_of("solve karate --known all --predictions " + file("all"));
}

TEST_F(Outputs, MayHaveNamesOfNoKind) {
  for (const char* name : {"plain", "x.2024", "x.txt"}) json_of("solve karate --predictions " + file(name));
}

}  // namespace
}  // namespace heatfront
