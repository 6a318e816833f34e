// SPDX-License-Identifier: MIT
#include "heatfront_petsc/petsc_cluster.h"

#include <mpi.h>
#include <petscsf.h>
#include <petscsys.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>
#include <vector>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

void require_petsc(PetscErrorCode code, std::string_view what) {
  if (code != 0) fail("PETSc: {} (error {})", what, static_cast<int>(code));
}

class PetscHalo final : public Halo {
 public:
  PetscHalo(std::int64_t own_rows, std::span<const RemoteRow> ghosts) {
    std::vector<PetscSFNode> owners;
    owners.reserve(ghosts.size());
    for (const RemoteRow& ghost : ghosts)
      owners.push_back({.rank = ghost.owner, .index = static_cast<PetscInt>(ghost.row)});
    require_petsc(PetscSFCreate(PETSC_COMM_WORLD, &rows_), "an exchange of rows cannot be made");
    require_petsc(
        PetscSFSetGraph(rows_, static_cast<PetscInt>(own_rows), static_cast<PetscInt>(owners.size()), nullptr,
                        PETSC_COPY_VALUES, owners.data(), PETSC_COPY_VALUES),
        "an exchange of rows cannot be made");
    require_petsc(PetscSFSetUp(rows_), "an exchange of rows cannot be made");
  }
  ~PetscHalo() override {
    for (auto& [bytes, row] : row_types_) MPI_Type_free(&row);
    PetscSFDestroy(&rows_);
  }

  void begin(std::span<const std::byte> own, std::span<std::byte> ghosts, std::int64_t bytes) override {
    own_ = own.data();
    ghosts_ = ghosts.data();
    row_ = type_of(bytes);
    require_petsc(PetscSFBcastBegin(rows_, row_, own_, ghosts_, MPI_REPLACE), "rows cannot be sent");
  }
  void end() override {
    require_petsc(PetscSFBcastEnd(rows_, row_, own_, ghosts_, MPI_REPLACE), "rows cannot be received");
  }

 private:
  MPI_Datatype type_of(std::int64_t bytes) {
    const auto [entry, is_new] = row_types_.try_emplace(bytes, MPI_DATATYPE_NULL);
    if (is_new) {
      MPI_Type_contiguous(static_cast<int>(bytes / 4), MPI_FLOAT, &entry->second);
      MPI_Type_commit(&entry->second);
    }
    return entry->second;
  }

  PetscSF rows_ = nullptr;
  std::map<std::int64_t, MPI_Datatype> row_types_;  // by bytes of a row
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
  const void* own_ = nullptr;
  void* ghosts_ = nullptr;
};

}  // namespace

// Apart from all other messages: who has failed comes here while others wait elsewhere.
struct PetscCluster::Meeting {
  MPI_Comm ranks = MPI_COMM_NULL;
};

PetscCluster::PetscCluster(int* argc, char*** argv) : meeting_(std::make_unique<Meeting>()) {
  int level = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
  PetscOptionsSetValue(nullptr, "-no_signal_handler", "true");
  require_petsc(PetscInitializeNoArguments(), "it cannot be started");
  require_petsc(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "it cannot be started");
  MPI_Comm_dup(MPI_COMM_WORLD, &meeting_->ranks);
  ranks_ = std::make_unique<MpiRanks>();
}

PetscCluster::~PetscCluster() {
  MPI_Comm_free(&meeting_->ranks);
  PetscFinalize();
  MPI_Finalize();
}

std::unique_ptr<Halo> PetscCluster::halo(std::int64_t own_rows, std::span<const RemoteRow> ghosts) const {
  return std::make_unique<PetscHalo>(own_rows, ghosts);
}

bool PetscCluster::all_meet(double seconds) const {
  using Clock = std::chrono::steady_clock;
  constexpr auto kBetweenLooks = std::chrono::milliseconds(2);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(meeting_->ranks, &request);
  const auto begin = Clock::now();
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    if (std::chrono::duration<double>(Clock::now() - begin).count() > seconds) return false;
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void PetscCluster::abort() const {
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace heatfront
