// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/fetch.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/environment.h"
#include "support/error_text.h"
#include "support/http_server.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::error_text;
using test::file_text;
using test::honest;
using test::HttpQuery;
using test::HttpReply;
using test::HttpServer;

std::string sha256_of(std::string_view text) {
  Digest digest("sha256");
  digest.add(text);
  return digest.hex();
}

// A set of one file, points/a.bin, that a server on this machine has, or should have.
class FetchTest : public testing::Test {
 protected:
  KnownDataset dataset() const {
    return {.name = "tiny",
            .home = "github.com/none/tiny",
            .commit = "0",
            .files = files_,
            .folder = "points",
            .places = places_};
  }

  FetchReport fetch_from(const std::vector<std::string>& mirrors,
                         const ProgressCallback& progress = {}) const {
    return fetch(
        dataset(),
        {.folder = folder_.path(), .mirrors = mirrors, .stall_seconds = stall_seconds_, .retries = retries_},
        progress);
  }
  std::string error_from(const std::vector<std::string>& mirrors) const {
    return error_text([&] { fetch_from(mirrors); });
  }

  // What the user reads when server after server failed.
  std::string give_up_text(const std::string& problems) const {
    return "tiny: a.bin cannot be fetched (" + problems +
           "); by hand: put raw/a.bin of github.com/none/tiny into " + (folder_ / "points").string();
  }

  HttpServer::Answer always(const HttpReply& reply) const {
    return [reply](const HttpQuery&) { return reply; };
  }
  HttpServer::Answer good() const {
    return [this](const HttpQuery& query) { return honest(query, content_); };
  }
  static std::string host(const HttpServer& server) { return server.url().substr(7); }

  std::filesystem::path target() const { return folder_ / "points/a.bin"; }
  std::filesystem::path part() const { return folder_ / "points/a.bin.part"; }

  const test::EnvironmentVariable no_proxy_{"no_proxy", "*"};
  const test::TemporaryFolder folder_;
  const std::string content_ = "0123456789abcdefghij";
  const std::string sha256_ = sha256_of(content_);
  std::vector<RemoteFile> files_ = {{.path = "raw/a.bin", .bytes = 20, .sha256 = sha256_}};
  const std::vector<std::string> places_ = {"points"};
  int retries_ = 0;
  int stall_seconds_ = 600;  // longer than any machine holds the server back
};

TEST_F(FetchTest, BringsAFileIntoItsPlace) {
  const HttpServer server(good());
  const FetchReport report = fetch_from({server.url() + "/mirror/"});
  EXPECT_EQ(file_text(target()), content_);
  EXPECT_FALSE(exists(part()));
  ASSERT_EQ(report.files.size(), 1u);
  EXPECT_EQ(report.files[0].path, target());
  EXPECT_EQ(report.files[0].bytes, 20);
  EXPECT_EQ(report.files[0].downloaded, 20);
  EXPECT_EQ(report.files[0].url, server.url() + "/mirror/points/a.bin");
  EXPECT_EQ(report.opens, folder_ / "points");
  EXPECT_EQ(server.queries()[0].path, "/mirror/points/a.bin");
}

TEST_F(FetchTest, DoesNothingWhenAllIsThere) {
  folder_.write("points/a.bin", content_);
  const HttpServer server(good());
  const FetchReport report = fetch_from({server.url()});
  EXPECT_EQ(report.files[0].url, "");
  EXPECT_EQ(report.files[0].downloaded, 0);
  EXPECT_TRUE(server.queries().empty());
}

TEST_F(FetchTest, ReplacesADamagedFileOnceItHasTheRightOne) {
  folder_.write("points/a.bin", "damaged");
  const HttpServer missing(always({.status = "404 Not Found"})), server(good());
  EXPECT_NE(error_from({missing.url()}), "");
  EXPECT_EQ(file_text(target()), "damaged");
  fetch_from({server.url()});
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, AsksOnlyForTheRest) {
  folder_.write("points/a.bin.part", content_.substr(0, 15));
  const HttpServer server(good());
  EXPECT_EQ(fetch_from({server.url()}).files[0].downloaded, 5);
  EXPECT_EQ(server.queries()[0].from, 15u);
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, AsksForNothingWhenThePartIsWhole) {
  folder_.write("points/a.bin.part", content_);
  const HttpServer server(good());
  fetch_from({server.url()});
  EXPECT_TRUE(server.queries().empty());
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, TakesAWholePartOfAFileOfUnknownSize) {
  files_[0].bytes = 0;
  folder_.write("points/a.bin.part", content_);
  const HttpServer server(good());
  EXPECT_EQ(fetch_from({server.url()}).files[0].downloaded, 0);
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, TakesTheWholeFromAServerThatIgnoresRanges) {
  folder_.write("points/a.bin.part", content_.substr(0, 15));
  const HttpServer server(always({.body = content_}));
  EXPECT_EQ(fetch_from({server.url()}).files[0].downloaded, 20);
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, StartsOverWhenThePartIsTooLong) {
  folder_.write("points/a.bin.part", content_ + "x");
  const HttpServer server(good());
  fetch_from({server.url()});
  EXPECT_EQ(server.queries()[0].from, std::nullopt);
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, StartsOverOnceWhenThePartIsOfAnotherFile) {
  folder_.write("points/a.bin.part", "another file");
  const HttpServer server(good());
  fetch_from({server.url()});
  EXPECT_EQ(server.queries().size(), 2u);
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, AsksAgainForTheRestWhenTheConnectionBreaksOff) {
  retries_ = 3;
  const HttpServer server([this](const HttpQuery& query) {
    HttpReply reply = honest(query, content_);
    reply.length = reply.body.size();
    reply.body.resize(std::min<std::size_t>(reply.body.size(), 6));
    return reply;
  });
  fetch_from({server.url()});
  EXPECT_EQ(file_text(target()), content_);
  EXPECT_EQ(server.queries().back().from, 18u);
}

TEST_F(FetchTest, KeepsWhatATruncatingServerSent) {
  const HttpServer server(always({.body = content_.substr(0, 7), .length = 20}));
  EXPECT_EQ(error_from({server.url()}),
            give_up_text(host(server) + ": the connection ended after 7 of 20 bytes"));
  EXPECT_FALSE(exists(target()));
  EXPECT_EQ(file_text(part()), content_.substr(0, 7));
}

TEST_F(FetchTest, NoticesATruncationThatTheServerHides) {
  for (const bool declare_length : {false, true}) {
    const HttpServer server(always({.body = content_.substr(0, 7), .declare_length = declare_length}));
    EXPECT_EQ(error_from({server.url()}),
              give_up_text(host(server) + ": the connection ended after 7 of 20 bytes"));
    EXPECT_FALSE(exists(target()));
  }
}

TEST_F(FetchTest, RefusesAWebPage) {
  const std::string page = "\n <!DOCTYPE html><html>Please log in</html>";
  folder_.write("points/a.bin.part", content_.substr(0, 15));
  for (const HttpReply& reply :
       {HttpReply{.body = page},
        HttpReply{.headers = "Content-Type: text/html; charset=utf-8\r\n", .body = "Hi"}}) {
    const HttpServer server(always(reply));
    EXPECT_EQ(error_from({server.url()}),
              give_up_text(host(server) + ": the server sent a web page, not the file"));
    EXPECT_FALSE(exists(target()));
    EXPECT_EQ(file_text(part()), content_.substr(0, 15)) << "what an honest server sent is worth keeping";
  }
}

TEST_F(FetchTest, RefusesAFileWithAnotherDigest) {
  const std::string wrong = "0123456789ABCDEFGHIJ";
  const HttpServer server(always({.body = wrong}));
  EXPECT_EQ(error_from({server.url()}), give_up_text(host(server) + ": what came has the SHA-256 " +
                                                     sha256_of(wrong) + ", not " + sha256_));
  EXPECT_FALSE(exists(target()) || exists(part()));
}

TEST_F(FetchTest, RefusesMoreThanItAskedFor) {
  const HttpServer server(always({.body = content_ + content_}));
  EXPECT_EQ(error_from({server.url()}), give_up_text(host(server) + ": the server sent more than 20 bytes"));
  EXPECT_FALSE(exists(target()) || exists(part()));
}

TEST_F(FetchTest, SaysThatTheFileIsNotThere) {
  const HttpServer missing(always({.status = "404 Not Found", .body = "no such file"}));
  EXPECT_EQ(error_from({missing.url()}), give_up_text(host(missing) + ": the file is not there (HTTP 404)"));
  EXPECT_FALSE(exists(target()) || exists(part()));
  const HttpServer busy(always({.status = "503 Service Unavailable"}));
  EXPECT_EQ(error_from({busy.url()}), give_up_text(host(busy) + ": the server answers HTTP 503"));
}

TEST_F(FetchTest, GivesUpAServerThatStalls) {
  stall_seconds_ = 1;
  folder_.write("points/a.bin.part", content_.substr(0, 4));
  const HttpServer server(always({.status = "206 Partial Content",
                                  .headers = "Content-Range: bytes 4-19/20\r\n",
                                  .length = 16,
                                  .stall = true}));
  EXPECT_EQ(error_from({server.url()}),
            give_up_text(host(server) + ": nothing came for 1 s after 4 of 20 bytes"));
  EXPECT_FALSE(exists(target()));
  EXPECT_EQ(file_text(part()), content_.substr(0, 4));
}

TEST_F(FetchTest, DoesNotInsistOnAServerThatHangsUp) {
  retries_ = 5;
  const HttpServer server(always({.hang_up = true}));
  EXPECT_EQ(error_from({server.url()}),
            give_up_text(host(server) + ": the connection ended after 0 of 20 bytes"));
  EXPECT_EQ(server.queries().size(), 1u);
  EXPECT_FALSE(exists(target()) || exists(part()));
}

TEST_F(FetchTest, SaysThatNoServerCanBeReached) {
  std::string nobody;
  {
    const HttpServer gone(good());
    nobody = gone.url();
  }
  EXPECT_EQ(error_from({nobody}), give_up_text(nobody.substr(7) + ": the server cannot be reached"));
  EXPECT_FALSE(exists(target()) || exists(part()));
}

TEST_F(FetchTest, GoesToTheNextMirrorAndStaysWithIt) {
  const std::string other = "other";
  const std::string other_sha256 = sha256_of(other);
  files_.push_back({.path = "raw/b.bin", .bytes = 5, .sha256 = other_sha256});
  const HttpServer missing(always({.status = "404 Not Found"}));
  const HttpServer server([&](const HttpQuery& query) {
    return honest(query, query.path == "/points/b.bin" ? other : content_);
  });
  const FetchReport report = fetch_from({missing.url(), server.url()});
  EXPECT_EQ(report.files[1].url, server.url() + "/points/b.bin");
  EXPECT_EQ(file_text(folder_ / "points/b.bin"), other);
  EXPECT_EQ(missing.queries().size(), 1u);
}

TEST_F(FetchTest, GoesOnAtTheNextMirrorWhereTheFirstBrokeOff) {
  const HttpServer truncating(always({.body = content_.substr(0, 7), .length = 20})), server(good());
  fetch_from({truncating.url(), server.url()});
  EXPECT_EQ(server.queries()[0].from, 7u);
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, TellsWhatEveryMirrorDidAndWhichFilesAreMissing) {
  files_.push_back({.path = "raw/b.bin", .bytes = 5, .sha256 = sha256_});
  const HttpServer missing(always({.status = "404 Not Found"})), empty(always({.hang_up = true}));
  EXPECT_EQ(error_from({missing.url(), empty.url()}),
            "tiny: a.bin cannot be fetched (" + host(missing) + ": the file is not there (HTTP 404); " +
                host(empty) +
                ": the connection ended after 0 of 20 bytes); by hand: put raw/a.bin, raw/b.bin of "
                "github.com/none/tiny into " +
                (folder_ / "points").string());
}

TEST_F(FetchTest, FollowsRedirects) {
  const HttpServer server(good());
  const HttpServer moved(always(
      {.status = "302 Found", .headers = "Location: " + server.url() + "/elsewhere\r\n", .body = "moved"}));
  fetch_from({moved.url()});
  EXPECT_EQ(file_text(target()), content_);
  EXPECT_EQ(server.queries()[0].path, "/elsewhere");
}

TEST_F(FetchTest, TakesPlainHttpOnlyFromTheUsersOwnMirror) {
  const HttpServer server(good());
  const std::string base = server.url() + "/";
  const std::vector<std::string> mirrors = {base};
  KnownDataset plain = dataset();
  plain.commit = "";
  plain.mirrors = mirrors;
  EXPECT_NE(error_text([&] { fetch(plain, {.folder = folder_.path()}); }), "");
  EXPECT_TRUE(server.queries().empty());
  EXPECT_EQ(error_from({"file:///etc"}), "mirror 'file:///etc': must begin with https:// or http://");
}

TEST_F(FetchTest, TellsItsProgressInBytesOfTheWholeSet) {
  const HttpServer server(good());
  Progress last;
  fetch_from({server.url()}, [&](const Progress& progress) {
    last = progress;
    return true;
  });
  EXPECT_EQ(last.stage, "fetching tiny");
  EXPECT_EQ(last.done, 20);
  EXPECT_EQ(last.total, 20);
  EXPECT_EQ(last.unit, "bytes");
}

TEST_F(FetchTest, StopsWhenToldToAndKeepsWhatCame) {
  const HttpServer server(always({.body = content_.substr(0, 7), .length = 20, .stall = true}));
  EXPECT_THROW(fetch_from({server.url()}, [](const Progress& progress) { return progress.done < 7; }),
               Interrupted);
  EXPECT_FALSE(exists(target()));
  EXPECT_EQ(file_text(part()), content_.substr(0, 7));
}

TEST_F(FetchTest, LeavesAFileToTheProgramThatIsFetchingIt) {
  std::string second;
  const HttpServer server(good());
  fetch_from({server.url()}, [&](const Progress&) {
    if (second.empty()) second = error_from({server.url()});
    return true;
  });
  EXPECT_EQ(second, part().string() + ": another program is fetching this file; wait for it to end");
  EXPECT_EQ(file_text(target()), content_);
}

TEST_F(FetchTest, NamesTheFolderThatItCannotWriteTo) {
  folder_.write("points", "a file in the way");
  EXPECT_EQ(error_from({"http://127.0.0.1"}),
            (folder_ / "points").string() + ": cannot be written: Not a directory");
  EXPECT_EQ(error_text([&] { fetch(dataset(), {.folder = ""}); }),
            "there is no folder for data; set HEATFRONT_DATA to one");
}

TEST_F(FetchTest, RefusesLimitsThatMakeNoSense) {
  EXPECT_EQ(error_text([&] { fetch(dataset(), {.folder = folder_.path(), .stall_seconds = 0}); }),
            "stall limit 0 s: must be 1 or more");
  EXPECT_EQ(error_text([&] { fetch(dataset(), {.folder = folder_.path(), .retries = -1}); }),
            "retries -1: must be 0 or more");
}

TEST_F(FetchTest, HasNothingToDoForAnEmbeddedSet) {
  const FetchReport report = fetch(known_dataset("karate"), {.folder = folder_.path()});
  EXPECT_TRUE(report.files.empty() && report.opens.empty());
}

TEST_F(FetchTest, SaysWhereToPutASetThatItCannotRead) {
  const auto place = folder_ / "county_fb.npz";
  const auto fetch_county = [&] { return fetch(known_dataset("county_fb"), {.folder = folder_.path()}); };
  EXPECT_EQ(error_text(fetch_county),
            "county_fb: cannot be fetched: github.com/aGIToz/Learning-Label-Initialization has it only as "
            "a PyTorch file, harmonic_ext_learned_front/graph_us_county.pt, which heatfront does not read; "
            "by hand: convert it to " +
                place.string());
  folder_.write("county_fb.npz", "x");
  EXPECT_EQ(fetch_county().opens, place);
}

}  // namespace
}  // namespace heatfront
