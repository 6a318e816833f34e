// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/pickle/pickle_machine.h"

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
  kArrayOfBuffer,
  kScalar,
  kArray,
  kType,
  kCsr,
  kCsc,
  kCoo,
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
    {"numpy.core.numeric", "_frombuffer", Class::kArrayOfBuffer},
    {"numpy._core.numeric", "_frombuffer", Class::kArrayOfBuffer},
    {"numpy.core.multiarray", "scalar", Class::kScalar},
    {"numpy._core.multiarray", "scalar", Class::kScalar},
    {"numpy", "ndarray", Class::kArray},
    {"numpy", "dtype", Class::kType},
    {"scipy.sparse.csr", "csr_matrix", Class::kCsr},
    {"scipy.sparse._csr", "csr_matrix", Class::kCsr},
    {"scipy.sparse._csr", "csr_array", Class::kCsr},
    {"scipy.sparse._arrays", "csr_array", Class::kCsr},
    {"scipy.sparse.csc", "csc_matrix", Class::kCsc},
    {"scipy.sparse._csc", "csc_matrix", Class::kCsc},
    {"scipy.sparse._csc", "csc_array", Class::kCsc},
    {"scipy.sparse._arrays", "csc_array", Class::kCsc},
    {"scipy.sparse.coo", "coo_matrix", Class::kCoo},
    {"scipy.sparse._coo", "coo_matrix", Class::kCoo},
    {"scipy.sparse._coo", "coo_array", Class::kCoo},
    {"scipy.sparse._arrays", "coo_array", Class::kCoo},
};

bool is_class(PickleValue value, Class meaning) {
  return value.is(Kind::kClass) && value.bits == static_cast<std::int64_t>(meaning);
}

// Of scipy's matrices; "" of other classes.
std::string_view format_of(PickleValue value) {
  if (is_class(value, Class::kCsr)) return "csr";
  if (is_class(value, Class::kCsc)) return "csc";
  return is_class(value, Class::kCoo) ? "coo" : "";
}

// UTF-8 → one byte per character, as _codecs.encode(text, 'latin1') does: how Python 3 writes bytes.
std::string latin1_of(std::string_view utf8) {
  std::string bytes;
  for (const char32_t c : code_points(utf8).value_or(U"\u0100")) {
    if (c > 0xff) fail("a byte string holds a character beyond latin1");
    bytes += static_cast<char>(c);
  }
  return bytes;
}

}  // namespace

PickleValue PickleClasses::named(std::string_view module, std::string_view name) const {
  const auto found = std::ranges::find_if(
      kKnownClasses, [&](const ClassName& entry) { return entry.module == module && entry.name == name; });
  if (found == std::end(kKnownClasses)) {
    fail(
        "pickle names {}, which is not data; only numpy arrays, scipy matrices of format csr, csc and coo, "
        "and plain containers are read",
        in_quotes(std::string(module) + '.' + std::string(name)));
  }
  return {Kind::kClass, static_cast<std::int64_t>(found->meaning)};
}

Values PickleClasses::tuple(PickleValue value) const {
  if (!value.is(Kind::kTuple)) fail("{} where the pickle needs a tuple", name_of(value.kind));
  return store_.items(value);
}

PickleValue PickleClasses::call(PickleValue callee, PickleValue arguments) {
  if (!callee.is(Kind::kClass)) fail("the pickle calls {}; that is not data", name_of(callee.kind));
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
    case Class::kCsr:
    case Class::kCsc:
    case Class::kCoo:
      if (given.empty()) return store_.add_matrix(format_of(callee));
      break;
    case Class::kReconstructor:
      if (given.size() == 3 && !format_of(given[0]).empty() && is_class(given[1], Class::kObject)) {
        return store_.add_matrix(format_of(given[0]));
      }
      break;
    case Class::kNewArray:
      if (given.size() == 3 && is_class(given[0], Class::kArray)) return store_.add_array({});
      break;
    case Class::kArrayOfBuffer:
      if (given.size() == 4 && given[3].is_string())
        return store_.add_array(array(given[2], given[1], store_.string(given[3]) == "F", given[0]));
      break;
    case Class::kEncode: return encoded(given);
    case Class::kType: return new_type(given);
    case Class::kScalar: return scalar(given);
    case Class::kObject:
    case Class::kArray: break;
  }
  fail("the pickle makes an object in a way that numpy, scipy and plain containers do not need");
}

PickleValue PickleClasses::encoded(Values arguments) {
  if (arguments.size() != 2 || !arguments[0].is(Kind::kText) || !arguments[1].is_string()) {
    fail("_codecs.encode needs a text and the name of an encoding");
  }
  const std::string_view encoding = store_.string(arguments[1]);
  if (encoding != "latin1" && encoding != "latin-1") {
    fail("encoding {} is not read; byte strings are kept as latin1", in_quotes(encoding));
  }
  const auto [entry, is_new] = encoded_.try_emplace(arguments[0].bits);
  if (is_new) {
    entry->second = store_.add_owned(Kind::kBytes, latin1_of(store_.string(arguments[0])));
  }
  return entry->second;
}

// numpy.dtype('f8', False, True)
PickleValue PickleClasses::new_type(Values arguments) {
  if (arguments.empty() || !arguments[0].is_string()) fail("numpy.dtype needs a name such as 'f8'");
  const std::string_view name = store_.string(arguments[0]);
  NpyType type = npy_type(name);
  if (type.kind == NpyType::Kind::other) {
    fail(
        "numpy type {} is not read; whole numbers, floating numbers up to 8 bytes, bools, text and objects "
        "are",
        in_quotes(name));
  }
  return store_.add_type(std::move(type));
}

// numpy.core.multiarray.scalar(dtype, bytes)
PickleValue PickleClasses::scalar(Values arguments) {
  if (arguments.size() != 2 || !arguments[0].is(Kind::kNumberType) || !arguments[1].is(Kind::kBytes)) {
    fail("a numpy number needs its type and its bytes");
  }
  const NpyType& type = store_.type(arguments[0]);
  const std::string_view bytes = store_.string(arguments[1]);
  if (bytes.size() > sizeof(double) || !type.is_readable() || type.is_text()) {
    fail("a numpy value of type {} and {} bytes; only numbers are read", in_quotes(type.descr), bytes.size());
  }
  const NpyArray number({.type = type, .count = 1}, std::string(bytes), "numpy array");
  if (type.kind == NpyType::Kind::real) return PickleValue::real(to_doubles(number).front());
  return PickleValue::integer(to_int64(number).front());
}

void PickleClasses::set_state(PickleValue object, PickleValue state) {
  if (object.is(Kind::kNumberType)) {
    set_type_state(store_.type(object), tuple(state));
  } else if (object.is(Kind::kArray)) {
    // (version, shape, type, whether by columns, elements)
    const Values parts = tuple(state);
    if (parts.size() != 5 || !parts[3].is_whole()) fail("a numpy array is set from other than five parts");
    store_.array(object) = array(parts[1], parts[2], parts[3].bits != 0, parts[4]);
  } else if (object.is(Kind::kMatrix)) {
    if (!state.is(Kind::kDict)) fail("{} where a scipy matrix needs a dict", name_of(state.kind));
    store_.matrix(object).state = state;
  } else {
    fail("the pickle sets the inside of {}; that is not data", name_of(object.kind));
  }
}

// (version, byte order, sub-array, field names, fields, …): of a plain number the last three are None.
void PickleClasses::set_type_state(NpyType& type, Values state) {
  if (state.size() < 5 || !state[1].is_string()) fail("a numpy type has no byte order");
  if (!std::ranges::all_of(state.subspan(2, 3), [](PickleValue part) { return part.is(Kind::kNone); })) {
    fail("a numpy type with fields or sub-arrays is not read; arrays of plain numbers are");
  }
  type.big_endian = store_.string(state[1]) == ">";
}

PickleArray PickleClasses::array(PickleValue shape, PickleValue type, bool by_columns,
                                 PickleValue elements) const {
  const Values lengths = tuple(shape);
  if (!std::ranges::all_of(lengths, [](PickleValue n) { return n.is_whole() && n.bits >= 0; }))
    fail("the shape of a numpy array is not of whole numbers from 0 up");
  if (!type.is(Kind::kNumberType)) fail("{} in place of a numpy type", name_of(type.kind));
  PickleArray made;
  made.header = {.type = store_.type(type), .fortran_order = by_columns};
  for (const PickleValue length : lengths) made.header.shape.push_back(length.bits);
  made.header.count = npy_count(made.header.type, made.header.shape);
  const Kind needed = made.holds_objects() ? Kind::kList : Kind::kBytes;
  if (!elements.is(needed)) {
    fail("{} in place of the elements of a numpy array; {} is needed", name_of(elements.kind),
         name_of(needed));
  }
  if (made.holds_objects()) {
    made.objects = elements;
  } else {
    made.bytes = store_.string(elements);
    check_npy_payload(made.header, made.bytes.size(), "numpy array");
  }
  return made;
}

}  // namespace heatfront
