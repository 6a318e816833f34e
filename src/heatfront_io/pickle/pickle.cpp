// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/pickle/pickle_bytes.h"
#include "heatfront_io/pickle/pickle_classes.h"

namespace heatfront {
namespace {

using Kind = PickleKind;

// A stack, marks in it, and a memo. Every opcode pushes at most one value and copies none, so memory stays in
// proportion to the bytes of the file however often they refer to each other.
class PickleMachine {
 public:
  PickleMachine(PickleBytes& bytes, PickleStore& store)
      : bytes_(bytes), store_(store), classes_(store, bytes) {}

  PickleValue run() {
    for (;;) {
      const std::uint8_t opcode = bytes_.opcode();
      if (opcode == '.') return pop();
      step(opcode);
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
      case 'F': return push(PickleValue::real(bytes_.real(bytes_.line())));
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
      case 'p': return memorise(static_cast<std::uint64_t>(bytes_.decimal(bytes_.line())));
      case 'q': return memorise(bytes_.number(1));
      case 'r': return memorise(bytes_.number(4));
      case 0x94: return memorise(memo_.size());
      case 'g': return recall(static_cast<std::uint64_t>(bytes_.decimal(bytes_.line())));
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
        bytes_.refuse(
            "opcode {} (0x{:02x}) is not read; only those that make numpy arrays, scipy matrices and plain "
            "containers are",
            in_quotes(std::string(1, static_cast<char>(opcode))), opcode);
    }
  }

  void check_protocol() {
    const std::uint64_t protocol = bytes_.number(1);
    if (protocol > 5) bytes_.refuse("pickle protocol {}; write it with pickle.dump(…, protocol=4)", protocol);
  }

  PickleValue line_integer() {
    const std::string_view text = bytes_.line();
    if (text == "00" || text == "01") return PickleValue::boolean(text == "01");
    return PickleValue::integer(bytes_.decimal(text));
  }

  PickleValue line_long() {
    std::string_view text = bytes_.line();
    if (text.ends_with('L')) text.remove_suffix(1);
    return PickleValue::integer(bytes_.decimal(text));
  }

  template <class Unescape>
  void push_unescaped(Kind kind, const Unescape& unescape) {
    const std::string_view line = bytes_.line();
    auto string = unescape(line);
    if (!string) bytes_.refuse("the string {} is not written as Python writes one", in_quotes(line));
    push(store_.add_owned(kind, std::move(*string)));
  }

  void push(PickleValue value) { stack_.push_back(value); }

  // Values below the last mark are out of reach.
  void require(std::size_t count) const {
    if (stack_.size() - (marks_.empty() ? 0 : marks_.back()) < count) {
      bytes_.refuse(
          "the pickle takes a value that it never made; the file is damaged, fetch or copy it again");
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
    if (marks_.empty())
      bytes_.refuse("the pickle goes back to a mark that it never made; the file is damaged");
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
    if (values.size() % 2 != 0) bytes_.refuse("a dict has a key without a value");
    return values;
  }

  void extend(Kind kind, const std::vector<PickleValue>& values) {
    const PickleValue target = top();
    if (!target.is(kind))
      bytes_.refuse("the pickle adds to {} as if it were {}", name_of(target.kind), name_of(kind));
    std::vector<PickleValue>& items = store_.items(target);
    items.insert(items.end(), values.begin(), values.end());
  }

  void memorise(std::uint64_t key) { memo_[key] = top(); }

  void recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) bytes_.refuse("the pickle recalls value {}, which it never memorised", key);
    push(found->second);
  }

  void push_class() {
    const std::string_view module = bytes_.line();
    push(classes_.named(module, bytes_.line()));
  }

  void push_class_of_stack() {
    const std::vector<PickleValue> names = pop_last(2);
    if (!names[0].is(Kind::kText) || !names[1].is(Kind::kText)) {
      bytes_.refuse("the pickle names a class by {} and {}; texts are needed", name_of(names[0].kind),
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

  PickleBytes& bytes_;
  PickleStore& store_;
  PickleClasses classes_;
  std::vector<PickleValue> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleValue> memo_;
};

}  // namespace

std::string_view name_of(PickleKind kind) {
  switch (kind) {
    case PickleKind::kNone: return "None";
    case PickleKind::kBool: return "a bool";
    case PickleKind::kInteger: return "a whole number";
    case PickleKind::kReal: return "a floating number";
    case PickleKind::kBytes: return "a byte string";
    case PickleKind::kText: return "a text";
    case PickleKind::kTuple: return "a tuple";
    case PickleKind::kList: return "a list";
    case PickleKind::kDict: return "a dict";
    case PickleKind::kNumberType: return "a numpy type";
    case PickleKind::kArray: return "a numpy array";
    case PickleKind::kMatrix: return "a scipy matrix";
    case PickleKind::kClass: return "a class";
  }
  return "";
}

PickleValue PickleStore::attribute(PickleValue matrix, std::string_view name) const {
  const PickleValue state = matrices_[place(matrix)].state;
  if (!state.is(PickleKind::kDict)) return {};
  const std::vector<PickleValue>& pairs = items(state);
  for (std::size_t i = pairs.size(); i >= 2; i -= 2) {
    if (pairs[i - 2].is_string() && string(pairs[i - 2]) == name) return pairs[i - 1];
  }
  return {};
}

Pickle::Pickle(const std::filesystem::path& path) : Pickle(read_data(path), path.string()) {}

Pickle::Pickle(std::string bytes, std::string file) : file_(std::move(file)), bytes_(std::move(bytes)) {
  PickleBytes place(bytes_, file_);
  root_ = PickleMachine(place, store_).run();
}

std::span<const PickleValue> Pickle::objects(PickleValue array) const {
  if (!array.is(Kind::kArray) || !store_.array(array).holds_objects())
    fail("{} holds {} in place of an array of objects", file_, name_of(array.kind));
  const auto& [header, bytes, list] = store_.array(array);
  const std::vector<PickleValue>& items = store_.items(list);
  if (std::ssize(items) != header.count)
    fail("{}: {} objects in an array of shape ({})", file_, items.size(), join(header.shape, ", "));
  return items;
}

}  // namespace heatfront
