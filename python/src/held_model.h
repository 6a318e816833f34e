// SPDX-License-Identifier: MIT
// A trained model in use, of classes or of values and many labels. One call at a time works with it; a call that fails or is
// interrupted leaves it as it was. A child of fork() goes on with it, unless another thread was at work with it just then.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "data.h"
#include "heatfront/base/error.h"
#include "heatfront/base/fail.h"
#include "heatfront/label/session.h"
#include "heatfront/label/target_session.h"
#include "long_call.h"

namespace heatfront::python {

inline Answer answer_of(Session& session) { return session.solve(); }
inline TargetAnswer answer_of(TargetSession& session) { return session.answer(); }

template <class SessionType>
class HeldModel {
 public:
  using AnswerType = decltype(answer_of(std::declval<SessionType&>()));

  template <class Model>
  HeldModel(Model model, std::string report, std::shared_ptr<Threads> threads)
      : threads_(std::move(threads)),
        report_(std::move(report)),
        session_(std::make_unique<SessionType>(std::move(model), *threads_)) {}

  // work(session, its answer), alone with the model and without Python's lock.
  template <class Work>
  auto with(const Work& work) {
    return long_call(*threads_, [&] {
      const Turn turn(*this);
      return work(*session_, answer());
    });
  }

  // The same for what needs no answer.
  template <class Work>
  auto with_session(const Work& work) {
    return long_call(*threads_, [&] {
      const Turn turn(*this);
      return work(*session_);
    });
  }

  std::shared_ptr<const AnswerType> told() {
    return with([&](SessionType&, const AnswerType&) { return answer_; });
  }

  // Within `work`: another answer of the same session, or another session and its answer. What was interrupted is not taken.
  void take(AnswerType answer) {
    require_going_on();
    answer_ = std::make_shared<const AnswerType>(std::move(answer));
    data_.reset();
  }
  void take(std::unique_ptr<SessionType> session, AnswerType answer) {
    take(std::move(answer));
    session_ = std::move(session);
  }
  template <class Model>
  void replace(Model model) {
    auto session = std::make_unique<SessionType>(std::move(model), *threads_);
    AnswerType answer = answer_of(*session);
    take(std::move(session), std::move(answer));
  }

  // The data with the labels and classes of now, copied when it is asked for after a change.
  PythonData data() {
    return with_session([&](SessionType& session) {
      if (!data_) data_ = std::make_shared<const Dataset>(session.model().data);
      return PythonData{data_};
    });
  }

  bool names_nodes() {
    return with_session([](SessionType& session) { return !session.model().data.node_names.empty(); });
  }

  Threads& threads() { return *threads_; }
  int thread_count() const { return threads_->count(); }
  const std::string& report() const { return report_; }

 private:
  void require_going_on() const {
    if (threads_->cancelled()) throw Interrupted();
  }

  // Alone with the model. In a child of fork() the lock stays taken where another thread of the parent had it, and that thread
  // may have left the model half changed.
  class Turn {
   public:
    explicit Turn(HeldModel& model) : model_(model), lock_(model.mutex_, std::defer_lock) {
      constexpr std::chrono::milliseconds kBetweenLooks{50};
      while (!lock_.try_lock_for(kBetweenLooks)) {
        model.require_going_on();
        if (model.process_ != getpid() && model.at_work_.load(std::memory_order_relaxed) != getpid())
          fail(
              "the model: another thread was at work with it when this process was forked; load or pickle it "
              "beforehand");
      }
      model.at_work_.store(getpid(), std::memory_order_relaxed);
    }
    ~Turn() { model_.at_work_.store(0, std::memory_order_relaxed); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    HeldModel& model_;
    std::unique_lock<std::timed_mutex> lock_;
  };

  const AnswerType& answer() {
    if (!answer_) answer_ = std::make_shared<const AnswerType>(answer_of(*session_));
    return *answer_;
  }

  std::shared_ptr<Threads> threads_;
  std::string report_;
  const pid_t process_ = getpid();  // that made it
  std::atomic<pid_t> at_work_ = 0;  // the process whose thread has its turn
  std::timed_mutex mutex_;
  std::unique_ptr<SessionType> session_;
  std::shared_ptr<const AnswerType> answer_;  // with the labels held now; null: not asked for yet
  std::shared_ptr<const Dataset> data_;       // likewise
};

// What training or reading came to.
template <class Model>
struct MadeModel {
  Model model;
  std::string report = "{}";
};

// A model that make(threads) makes, without Python's lock.
template <class Held, class Make>
std::unique_ptr<Held> held(int threads_wanted, const Make& make) {
  const auto threads = std::make_shared<Threads>(threads_wanted);
  return long_call(*threads, [&] {
    auto made = make(*threads);
    return std::make_unique<Held>(std::move(made.model), std::move(made.report), threads);
  });
}

}  // namespace heatfront::python
