// SPDX-License-Identifier: MIT
// What nodes that came after training did: which old nodes have another class now.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heatfront/label/session.h"
#include "heatfront/label/target_session.h"
#include "heatfront/models/grow.h"

namespace heatfront {

struct Growth {
  NodeId old_nodes = 0, new_nodes = 0;
  ArcId new_edges = 0;
  std::vector<ChangedNode> moved;  // old ones, most moved first
};

struct GrownSession {
  std::unique_ptr<Session> session;
  Answer answer;
  Growth growth;
};

struct GrownTargets {
  std::unique_ptr<TargetSession> session;
  TargetAnswer answer;
  NodeId old_nodes = 0;
  ArcId new_edges = 0;
  std::vector<MovedTarget> moved;  // old ones, most moved first
};

// The session's model with new nodes (models/grow.h), and these labels of them held, set at `time`.
GrownSession grow(Session& session, const NewNodes& added, const KnownLabels& labels, std::int64_t time);
GrownTargets grow(TargetSession& session, const NewNodes& added, const Targets& labels, std::int64_t time);

}  // namespace heatfront
