// SPDX-License-Identifier: MIT
#include "heatfront_explore/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront_report/figures.h"

namespace heatfront::explore {
namespace {

std::string line_of(const Step& step) {
  Json line;
  if (step.time != 0) line["time"] = step.time;
  if (step.undo) line["undo"] = true;
  if (!step.new_name.empty()) line["rename"] = {step.old_name, step.new_name};
  if (!step.classes.empty()) line["classes"] = step.classes;
  for (const NamedLabel& label : step.set) line["set"].push_back({label.node, label.label});
  if (!step.unset.empty()) line["unset"] = step.unset;
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Step step_of(const Json& line) {
  Step step{.time = line.value("time", std::int64_t{0}), .undo = line.value("undo", false)};
  if (line.contains("rename")) {
    step.old_name = line.at("rename").at(0).get<std::string>();
    step.new_name = line.at("rename").at(1).get<std::string>();
  }
  step.classes = line.value("classes", std::vector<std::string>());
  step.unset = line.value("unset", std::vector<std::string>());
  for (const Json& label : line.value("set", Json::array()))
    step.set.push_back({label.at(0).get<std::string>(), label.at(1).get<std::string>()});
  return step;
}

void take(const Step& step, bool same_model, Session& session) {
  if (step.undo && same_model) {
    session.undo();
    return;
  }
  const Dataset& data = session.model().data;
  if (!step.new_name.empty()) {
    session.rename_class(find_class(data, step.old_name), step.new_name);
    return;
  }
  session.set_time(step.time);
  session.begin_batch();
  for (const std::string& name : step.classes) {
    if (std::ranges::count(data.class_names, name) == 0) session.add_class(name);
  }
  for (const NamedLabel& label : step.set)
    session.set(find_node(data, label.node), find_class(data, label.label));
  for (const std::string& node : step.unset) session.unset(find_node(data, node));
  session.close_batch();
}

// A file that lines are added to, each on the disk before the next.
class Appending {
 public:
  explicit Appending(const std::filesystem::path& path)
      : path_(path), file_(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0) refuse();
  }
  ~Appending() { close(file_); }
  Appending(const Appending&) = delete;
  Appending& operator=(const Appending&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse();
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fdatasync(file_) < 0) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    fail("{}: labels cannot be kept there: {}", path_.string(), std::strerror(errno));
  }

  const std::filesystem::path& path_;
  int file_;
};

}  // namespace

std::int64_t Journal::replay(Session& session) {
  std::ifstream file(path_);
  if (path_.empty() || !file) return 0;
  begun_ = true;
  std::int64_t steps = 0, number = 0;
  bool same_model = false;
  for (std::string text; std::getline(file, text);) {
    ++number;
    const bool whole = !file.eof();  // a line that was cut off has no end
    try {
      const Json line = Json::parse(text);
      if (line.contains("log")) {
        same_model = line.at("log").get<std::size_t>() == session.model().log.size();
        continue;
      }
      take(step_of(line), same_model, session);
      ++steps;
    } catch (const Json::exception&) {
      if (whole)
        fail("{}:{}: not a step of labelling; put the file aside to go on without it", path_.string(),
             number);
    } catch (const Error& error) {
      fail("{}:{}: {}; put the file aside to go on without it", path_.string(), number, error.what());
    }
  }
  return steps;
}

void Journal::add(const Step& step, std::size_t log_before) {
  if (path_.empty()) return;
  Appending file(path_);
  if (!begun_) file.write(Json{{"log", log_before}}.dump() + "\n");
  begun_ = true;
  file.write(line_of(step));
}

void Journal::remove() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
  begun_ = false;
}

}  // namespace heatfront::explore
