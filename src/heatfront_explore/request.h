// SPDX-License-Identifier: MIT
// A question of the page and the answer to it, without sockets: the server passes them on, the notebook and the tests make them by hand.
#pragma once

#include <map>
#include <string>

namespace heatfront::explore {

struct Request {
  std::string method = "GET";
  std::string path;                          // without the query
  std::map<std::string, std::string> query;  // decoded
  std::string host, origin, token;           // of the headers; empty: there is none
  std::string body;
};

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string file_name = {};  // to be saved under; empty: to be shown
};

}  // namespace heatfront::explore
