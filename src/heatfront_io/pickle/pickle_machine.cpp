// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle_machine.h"

#include <charconv>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/pickle/pickle_bytes.h"

namespace heatfront {
namespace {

using Kind = PickleKind;

template <class Number>
Number number_in(std::string_view text) {
  Number number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && stop == text.data() + text.size()) return number;
  fail("{} is not a {}", in_quotes(text),
       std::is_integral_v<Number> ? "whole number of at most 64 bits" : "number");
}

// The number that the first `digits` characters spell, all of them hexadecimal.
std::optional<std::uint32_t> hexadecimal(std::string_view text, std::size_t digits) {
  if (text.size() < digits) return {};
  std::uint32_t number = 0;
  const char* end = text.data() + digits;
  const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
  if (error != std::errc() || stop != end) return {};
  return number;
}

std::optional<char> plain_escape(char letter) {
  switch (letter) {
    case '\\':
    case '\'':
    case '"': return letter;
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return {};
  }
}

// 'a\x00b\n', in either kind of quotes, as Python 2 writes bytes → the bytes.
std::optional<std::string> bytes_of_quoted(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.front() != quoted.back()) return {};
  if (quoted.front() != '\'' && quoted.front() != '"') return {};
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    if (++i == text.size()) return {};
    if (text[i] == 'x') {
      const auto number = hexadecimal(text.substr(i + 1), 2);
      if (!number) return {};
      bytes += static_cast<char>(*number);
      i += 2;
    } else {
      const auto letter = plain_escape(text[i]);
      if (!letter) return {};
      bytes += *letter;
    }
  }
  return bytes;
}

// Latin-1 with \uXXXX and \UXXXXXXXX for what is not in it → UTF-8.
std::optional<std::string> utf8_of_escaped(std::string_view escaped) {
  std::string utf8;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    const std::string_view rest = escaped.substr(i);
    const bool is_short = rest.starts_with("\\u"), is_long = rest.starts_with("\\U");
    if (!is_short && !is_long) {
      append_utf8(utf8, static_cast<unsigned char>(escaped[i]));
      continue;
    }
    const std::size_t digits = is_short ? 4 : 8;
    const auto code = hexadecimal(rest.substr(2), digits);
    if (!code || !is_code_point(*code)) return {};
    append_utf8(utf8, *code);
    i += 1 + digits;
  }
  return utf8;
}

// A stack, marks in it, and a memo. Every opcode pushes at most one value and copies none, so memory stays in
// proportion to the bytes of the file however often they refer to each other.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, PickleStore& store) : bytes_(bytes), store_(store), classes_(store) {}

  // What is wrong is wrong at an opcode, which messages name by its place.
  PickleValue run(const std::string& file) {
    for (;;) {
      const std::size_t place = bytes_.place();
      try {
        const auto opcode = static_cast<std::uint8_t>(bytes_.number(1));
        if (opcode == '.') return pop();
        step(opcode);
      } catch (const Error& error) {
        fail("{}: byte {}: {}", file, place, error.what());
      }
    }
  }

 private:
  void step(std::uint8_t opcode) {
    switch (opcode) {
      // clang-format off
      // PROTO, FRAME
      case 0x80: return check_protocol();
      case 0x95: return bytes_.frame();

      // NONE, NEWTRUE, NEWFALSE, INT, BININT, BININT1, BININT2, LONG, LONG1, LONG4, FLOAT, BINFLOAT
      case 'N': return push({});
      case 0x88: return push(PickleValue::boolean(true));
      case 0x89: return push(PickleValue::boolean(false));
      case 'I': return push(line_integer());
      case 'J': return push(PickleValue::integer(bytes_.signed_number(4)));
      case 'K': return push(PickleValue::integer(static_cast<std::int64_t>(bytes_.number(1))));
      case 'M': return push(PickleValue::integer(static_cast<std::int64_t>(bytes_.number(2))));
      case 'L': return push(line_long());
      case 0x8a: return push(PickleValue::integer(bytes_.signed_number(bytes_.number(1))));
      case 0x8b: return push(PickleValue::integer(bytes_.signed_number(bytes_.number(4))));
      case 'F': return push(PickleValue::real(number_in<double>(bytes_.line())));
      case 'G': return push(PickleValue::real(bytes_.big_endian_real()));

      // STRING, BINSTRING, SHORT_BINSTRING, BINBYTES, SHORT_BINBYTES, BINBYTES8, BYTEARRAY8; UNICODE, BINUNICODE,
      // SHORT_BINUNICODE, BINUNICODE8
      case 'S': return push_unescaped(Kind::kBytes, bytes_of_quoted);
      case 'T': return push(store_.add_lent(Kind::kBytes, bytes_.take_counted(4)));
      case 'U': return push(store_.add_lent(Kind::kBytes, bytes_.take_counted(1)));
      case 'B': return push(store_.add_lent(Kind::kBytes, bytes_.take_counted(4)));
      case 'C': return push(store_.add_lent(Kind::kBytes, bytes_.take_counted(1)));
      case 0x8e:
      case 0x96: return push(store_.add_lent(Kind::kBytes, bytes_.take_counted(8)));
      case 'V': return push_unescaped(Kind::kText, utf8_of_escaped);
      case 'X': return push(store_.add_lent(Kind::kText, bytes_.take_counted(4)));
      case 0x8c: return push(store_.add_lent(Kind::kText, bytes_.take_counted(1)));
      case 0x8d: return push(store_.add_lent(Kind::kText, bytes_.take_counted(8)));

      // EMPTY_TUPLE, TUPLE, TUPLE1 to 3; EMPTY_LIST, LIST, APPEND(S); EMPTY_DICT, DICT, SETITEM(S)
      case ')': return push(store_.add_items(Kind::kTuple, {}));
      case 't': return push(store_.add_items(Kind::kTuple, pop_to_mark()));
      case 0x85: return push(store_.add_items(Kind::kTuple, pop_last(1)));
      case 0x86: return push(store_.add_items(Kind::kTuple, pop_last(2)));
      case 0x87: return push(store_.add_items(Kind::kTuple, pop_last(3)));
      case ']': return push(store_.add_items(Kind::kList, {}));
      case 'l': return push(store_.add_items(Kind::kList, pop_to_mark()));
      case 'a': return extend(Kind::kList, pop_last(1));
      case 'e': return extend(Kind::kList, pop_to_mark());
      case '}': return push(store_.add_items(Kind::kDict, {}));
      case 'd': return push(store_.add_items(Kind::kDict, pairs(pop_to_mark())));
      case 's': return extend(Kind::kDict, pop_last(2));
      case 'u': return extend(Kind::kDict, pairs(pop_to_mark()));

      // MARK, POP, POP_MARK, DUP
      case '(': return marks_.push_back(stack_.size());
      case '0': return drop();
      case '1': return static_cast<void>(pop_to_mark());
      case '2': return push(top());

      // PUT, BINPUT, LONG_BINPUT, MEMOIZE, GET, BINGET, LONG_BINGET
      case 'p': return memorise(number_in<std::uint64_t>(bytes_.line()));
      case 'q': return memorise(bytes_.number(1));
      case 'r': return memorise(bytes_.number(4));
      case 0x94: return memorise(memo_.size());
      case 'g': return recall(number_in<std::uint64_t>(bytes_.line()));
      case 'h': return recall(bytes_.number(1));
      case 'j': return recall(bytes_.number(4));

      // GLOBAL, STACK_GLOBAL, REDUCE, NEWOBJ, BUILD
      case 'c': return push_class();
      case 0x93: return push_class_of_stack();
      case 'R':
      case 0x81: return call();
      case 'b': return build();
      // clang-format on
      default:
        fail(
            "opcode {} (0x{:02x}) is not read; only those that make numpy arrays, scipy matrices and plain "
            "containers are",
            in_quotes(std::string(1, static_cast<char>(opcode))), opcode);
    }
  }

  void check_protocol() {
    const std::uint64_t protocol = bytes_.number(1);
    if (protocol > 5) fail("pickle protocol {}; write it with pickle.dump(…, protocol=4)", protocol);
  }

  PickleValue line_integer() {
    const std::string_view text = bytes_.line();
    if (text == "00" || text == "01") return PickleValue::boolean(text == "01");
    return PickleValue::integer(number_in<std::int64_t>(text));
  }

  PickleValue line_long() {
    std::string_view text = bytes_.line();
    if (text.ends_with('L')) text.remove_suffix(1);
    return PickleValue::integer(number_in<std::int64_t>(text));
  }

  template <class Unescape>
  void push_unescaped(Kind kind, const Unescape& unescape) {
    const std::string_view line = bytes_.line();
    auto string = unescape(line);
    if (!string) fail("the string {} is not written as Python writes one", in_quotes(line));
    push(store_.add_owned(kind, std::move(*string)));
  }

  void push(PickleValue value) { stack_.push_back(value); }

  // Values below the last mark are out of reach.
  void require(std::size_t count) const {
    if (stack_.size() - (marks_.empty() ? 0 : marks_.back()) < count) {
      fail("the pickle takes a value that it never made; the file is damaged, fetch or copy it again");
    }
  }

  PickleValue top() const {
    require(1);
    return stack_.back();
  }

  PickleValue pop() {
    const PickleValue value = top();
    stack_.pop_back();
    return value;
  }

  std::vector<PickleValue> pop_from(std::size_t place) {
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(place);
    std::vector<PickleValue> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    return values;
  }

  std::vector<PickleValue> pop_last(std::size_t count) {
    require(count);
    return pop_from(stack_.size() - count);
  }

  std::vector<PickleValue> pop_to_mark() {
    if (marks_.empty()) fail("the pickle goes back to a mark that it never made; the file is damaged");
    const std::size_t mark = marks_.back();
    marks_.pop_back();
    return pop_from(mark);
  }

  // POP takes away a mark, where one is on top.
  void drop() {
    if (!marks_.empty() && marks_.back() == stack_.size()) {
      marks_.pop_back();
    } else {
      pop();
    }
  }

  std::vector<PickleValue> pairs(std::vector<PickleValue> values) const {
    if (values.size() % 2 != 0) fail("a dict has a key without a value");
    return values;
  }

  void extend(Kind kind, const std::vector<PickleValue>& values) {
    const PickleValue target = top();
    if (!target.is(kind)) fail("the pickle adds to {} as if it were {}", name_of(target.kind), name_of(kind));
    std::vector<PickleValue>& items = store_.items(target);
    items.insert(items.end(), values.begin(), values.end());
  }

  void memorise(std::uint64_t key) { memo_[key] = top(); }

  void recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) fail("the pickle recalls value {}, which it never memorised", key);
    push(found->second);
  }

  void push_class() {
    const std::string_view module = bytes_.line();
    push(classes_.named(module, bytes_.line()));
  }

  void push_class_of_stack() {
    const std::vector<PickleValue> names = pop_last(2);
    if (!names[0].is(Kind::kText) || !names[1].is(Kind::kText)) {
      fail("the pickle names a class by {} and {}; texts are needed", name_of(names[0].kind),
           name_of(names[1].kind));
    }
    push(classes_.named(store_.string(names[0]), store_.string(names[1])));
  }

  void call() {
    const PickleValue arguments = pop();
    const PickleValue callee = pop();
    push(classes_.call(callee, arguments));
  }

  void build() {
    const PickleValue state = pop();
    classes_.set_state(top(), state);
  }

  PickleBytes bytes_;
  PickleStore& store_;
  PickleClasses classes_;
  std::vector<PickleValue> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleValue> memo_;
};

}  // namespace

PickleValue run_pickle(std::string_view bytes, const std::string& file, PickleStore& store) {
  return PickleMachine(bytes, store).run(file);
}

}  // namespace heatfront
