// SPDX-License-Identifier: MIT
#include "heatfront/data/pickle_classes.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "heatfront/data/in_quotes.h"
#include "heatfront/data/pickle_text.h"

namespace heatfront {
namespace {

using Kind = PickleKind;
using Values = std::span<const PickleValue>;

enum class Class : std::int64_t {
  kObject,
  kList,
  kDict,
  kBytes,
  kDefaultDict,
  kReconstructor,
  kEncode,
  kNewArray,
  kScalar,
  kArray,
  kType,
  kMatrix,
};

struct ClassName {
  std::string_view module, name;
  Class meaning;
};

// Python 2 and 3, older and newer numpy and scipy.
constexpr ClassName kKnownClasses[] = {
    {"__builtin__", "object", Class::kObject},
    {"builtins", "object", Class::kObject},
    {"__builtin__", "list", Class::kList},
    {"builtins", "list", Class::kList},
    {"__builtin__", "dict", Class::kDict},
    {"builtins", "dict", Class::kDict},
    {"__builtin__", "bytes", Class::kBytes},
    {"builtins", "bytes", Class::kBytes},
    {"collections", "defaultdict", Class::kDefaultDict},
    {"copy_reg", "_reconstructor", Class::kReconstructor},
    {"copyreg", "_reconstructor", Class::kReconstructor},
    {"_codecs", "encode", Class::kEncode},
    {"numpy.core.multiarray", "_reconstruct", Class::kNewArray},
    {"numpy._core.multiarray", "_reconstruct", Class::kNewArray},
    {"numpy.core.multiarray", "scalar", Class::kScalar},
    {"numpy._core.multiarray", "scalar", Class::kScalar},
    {"numpy", "ndarray", Class::kArray},
    {"numpy", "dtype", Class::kType},
    {"scipy.sparse.csr", "csr_matrix", Class::kMatrix},
    {"scipy.sparse._csr", "csr_matrix", Class::kMatrix},
    {"scipy.sparse._csr", "csr_array", Class::kMatrix},
};

bool is_class(PickleValue value, Class meaning) {
  return value.is(Kind::kClass) && value.bits == static_cast<std::int64_t>(meaning);
}

// a · b, or −1 where that is no size.
std::int64_t size_product(std::int64_t a, std::int64_t b) {
  const bool too_big = b > 0 && a > std::numeric_limits<std::int64_t>::max() / b;
  return a < 0 || b < 0 || too_big ? -1 : a * b;
}

}  // namespace

PickleValue PickleClasses::named(std::string_view module, std::string_view name) const {
  const auto found = std::ranges::find_if(
      kKnownClasses, [&](const ClassName& entry) { return entry.module == module && entry.name == name; });
  if (found == std::end(kKnownClasses)) {
    bytes_.refuse(
        "pickle names {}, which is not data; only numpy arrays, scipy CSR matrices and plain containers "
        "are read",
        in_quotes(std::string(module) + '.' + std::string(name)));
  }
  return {Kind::kClass, static_cast<std::int64_t>(found->meaning)};
}

Values PickleClasses::tuple(PickleValue value) const {
  if (!value.is(Kind::kTuple)) bytes_.refuse("{} where the pickle needs a tuple", name_of(value.kind));
  return store_.items(value);
}

PickleValue PickleClasses::call(PickleValue callee, PickleValue arguments) {
  if (!callee.is(Kind::kClass)) bytes_.refuse("the pickle calls {}; that is not data", name_of(callee.kind));
  const Values given = tuple(arguments);
  switch (static_cast<Class>(callee.bits)) {
    case Class::kList:
      if (given.empty()) return store_.add_items(Kind::kList, {});
      break;
    case Class::kDict:
      if (given.empty()) return store_.add_items(Kind::kDict, {});
      break;
    case Class::kBytes:
      if (given.empty()) return store_.add_lent(Kind::kBytes, "");
      break;
    case Class::kDefaultDict:
      if (given.size() <= 1) return store_.add_items(Kind::kDict, {});
      break;
    case Class::kMatrix:
      if (given.empty()) return store_.add_matrix();
      break;
    case Class::kReconstructor:
      if (given.size() == 3 && is_class(given[0], Class::kMatrix) && is_class(given[1], Class::kObject)) {
        return store_.add_matrix();
      }
      break;
    case Class::kNewArray:
      if (given.size() == 3 && is_class(given[0], Class::kArray)) return store_.add_array();
      break;
    case Class::kEncode: return encoded(given);
    case Class::kType: return new_type(given);
    case Class::kScalar: return scalar(given);
    case Class::kObject:
    case Class::kArray: break;
  }
  bytes_.refuse("the pickle makes an object in a way that numpy, scipy and plain containers do not need");
}

PickleValue PickleClasses::encoded(Values arguments) {
  if (arguments.size() != 2 || !arguments[0].is(Kind::kText) || !arguments[1].is_string()) {
    bytes_.refuse("_codecs.encode needs a text and the name of an encoding");
  }
  const std::string_view encoding = store_.string(arguments[1]);
  if (encoding != "latin1" && encoding != "latin-1") {
    bytes_.refuse("encoding {} is not read; byte strings are kept as latin1", in_quotes(encoding));
  }
  const auto [entry, is_new] = encoded_.try_emplace(arguments[0].bits);
  if (is_new) {
    std::optional<std::string> bytes = latin1_of_utf8(store_.string(arguments[0]));
    if (!bytes) bytes_.refuse("a byte string holds a character beyond latin1");
    entry->second = store_.add_owned(Kind::kBytes, std::move(*bytes));
  }
  return entry->second;
}

// numpy.dtype('f8', False, True)
PickleValue PickleClasses::new_type(Values arguments) {
  if (arguments.empty() || !arguments[0].is_string()) bytes_.refuse("numpy.dtype needs a name such as 'f8'");
  const std::string_view name = store_.string(arguments[0]);
  NumberType type{.kind = name.empty() ? '?' : name[0]};
  type.size = name.size() == 2 ? static_cast<std::size_t>(name[1] - '0') : 0;
  if (!type.known()) {
    bytes_.refuse("numpy type {} is not read; whole numbers, floating numbers up to 8 bytes and bools are",
                  in_quotes(name));
  }
  return store_.add_type(type);
}

// numpy.core.multiarray.scalar(dtype, bytes)
PickleValue PickleClasses::scalar(Values arguments) {
  if (arguments.size() != 2 || !arguments[0].is(Kind::kNumberType) || !arguments[1].is(Kind::kBytes)) {
    bytes_.refuse("a numpy number needs its type and its bytes");
  }
  const NumberType type = store_.type(arguments[0]);
  const std::string_view bytes = store_.string(arguments[1]);
  if (bytes.size() != type.size) {
    bytes_.refuse("a numpy number has {} bytes, but its type has {}", bytes.size(), type.size);
  }
  if (type.whole()) {
    std::int64_t number = 0;
    read_numbers(bytes, type, std::span(&number, 1));
    return PickleValue::integer(number);
  }
  Real number = 0;
  read_numbers(bytes, type, std::span(&number, 1));
  return PickleValue::real(static_cast<double>(number));
}

void PickleClasses::set_state(PickleValue object, PickleValue state) {
  if (object.is(Kind::kNumberType)) {
    set_type_state(store_.type(object), tuple(state));
  } else if (object.is(Kind::kArray)) {
    set_array_state(store_.array(object), tuple(state));
  } else if (object.is(Kind::kMatrix)) {
    if (!state.is(Kind::kDict)) bytes_.refuse("{} where a CSR matrix needs a dict", name_of(state.kind));
    store_.state(object) = state;
  } else {
    bytes_.refuse("the pickle sets the inside of {}; that is not data", name_of(object.kind));
  }
}

// (version, byte order, sub-array, field names, fields, …): of a plain number the last three are None.
void PickleClasses::set_type_state(NumberType& type, Values state) {
  if (state.size() < 5 || !state[1].is_string()) bytes_.refuse("a numpy type has no byte order");
  if (!std::ranges::all_of(state.subspan(2, 3), [](PickleValue part) { return part.is(Kind::kNone); })) {
    bytes_.refuse("a numpy type with fields or sub-arrays is not read; arrays of plain numbers are");
  }
  type.big_endian = store_.string(state[1]) == ">";
}

// (version, shape, type, whether by columns, bytes)
void PickleClasses::set_array_state(PickleArray& array, Values state) {
  if (state.size() != 5 || !state[2].is(Kind::kNumberType) || !state[3].is_whole() ||
      !state[4].is(Kind::kBytes)) {
    bytes_.refuse(
        "a numpy array needs a shape, a type, an order and bytes; arrays of Python objects are not read");
  }
  const Values shape = tuple(state[1]);
  if (shape.empty() || shape.size() > 2) {
    bytes_.refuse("a numpy array of {} dimensions; one or two are read", shape.size());
  }
  if (!std::ranges::all_of(shape, &PickleValue::is_whole)) {
    bytes_.refuse("the shape of a numpy array is not of whole numbers");
  }
  array = {.type = store_.type(state[2]),
           .dimensions = static_cast<int>(shape.size()),
           .shape = {shape[0].bits, shape.size() == 2 ? shape[1].bits : 1},
           .by_columns = state[3].bits != 0,
           .bytes = store_.string(state[4])};
  const std::int64_t count = size_product(array.shape[0], array.shape[1]);
  const auto size = static_cast<std::int64_t>(array.type.size);
  if (size_product(count, size) != static_cast<std::int64_t>(array.bytes.size())) {
    bytes_.refuse("a numpy array of {} × {} numbers of {} bytes has {} bytes", array.shape[0], array.shape[1],
                  size, array.bytes.size());
  }
}

}  // namespace heatfront
