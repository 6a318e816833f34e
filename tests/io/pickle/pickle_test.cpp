// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace heatfront {
namespace {

using namespace std::string_literals;

std::filesystem::path broken(const char* name) {
  return std::filesystem::path(HEATFRONT_TEST_FILES) / "broken" / name;
}

// A value as text: None, True, 1, 1.5, 'text', b'bytes', (tuple), [list], {key value}.
std::string shown(const PickleStore& store, PickleValue value, int depth = 0) {
  const auto items = [&](char first, char last) {
    std::string text(1, first);
    for (const PickleValue item : store.items(value)) {
      if (text.size() > 1) text += ' ';
      text += shown(store, item, depth + 1);
    }
    return text += last;
  };
  if (depth > 3) return "…";
  switch (value.kind) {
    case PickleKind::kNone: return "None";
    case PickleKind::kBool: return value.bits != 0 ? "True" : "False";
    case PickleKind::kInteger: return std::to_string(value.bits);
    case PickleKind::kReal: return std::to_string(value.as_real());
    case PickleKind::kText: return std::string("'").append(store.string(value)).append("'");
    case PickleKind::kBytes: return std::string("b'").append(store.string(value)).append("'");
    case PickleKind::kTuple: return items('(', ')');
    case PickleKind::kList: return items('[', ']');
    case PickleKind::kDict: return items('{', '}');
    default: return std::string(name_of(value.kind));
  }
}

std::string value_of(std::string bytes) {
  const Pickle pickle(std::move(bytes), "f");
  return shown(pickle.store(), pickle.root());
}

std::string pickle_error(const std::string& bytes) {
  return test::error_text([&] { Pickle(bytes, "f"); });
}

TEST(Pickle, ReadsNumbersOfEveryProtocol) {
  EXPECT_EQ(value_of("(I-7\nI00\nI01\nL12345678901234567L\nL5\nF1.5\nF-2e+3\nNt."),
            "(-7 False True 12345678901234567 5 1.500000 -2000.000000 None)");
  EXPECT_EQ(value_of("(K\xffM\x01\x02J\xfe\xff\xff\xffG\x3f\xf8\0\0\0\0\0\0t."s), "(255 513 -2 1.500000)");
  EXPECT_EQ(value_of("\x80\x02(\x88\x89\x8a\0\x8a\x02\0\xff\x8b\x03\0\0\0\x01\0\0t."s),
            "(True False 0 -256 1)");
}

TEST(Pickle, ReadsLongNumbersThatFit64Bits) {
  EXPECT_EQ(value_of("\x8a\x08\0\0\0\0\0\0\0\x80."s), "-9223372036854775808");
  EXPECT_EQ(value_of("\x8a\x0a\x07\0\0\0\0\0\0\0\0\0."s), "7");
  EXPECT_EQ(pickle_error("\x8a\x09\0\0\0\0\0\0\0\x80\0."s),
            "f: byte 0: a whole number of more than 64 bits, which is not read");
  EXPECT_EQ(pickle_error("L99999999999999999999L\n."),
            "f: byte 0: '99999999999999999999' is not a whole number of at most 64 bits");
}

TEST(Pickle, ReadsStringsOfEveryProtocol) {
  EXPECT_EQ(value_of("(S'a\\x41'\nVb\\u00e9\nU\x02zwT\x01\0\0\0yX\x02\0\0\0\xc3\xa9t."s),
            "(b'aA' 'bé' b'zw' b'y' 'é')");
  EXPECT_EQ(
      value_of(
          "(\x8c\x02\xc3\xa9\x8d\x01\0\0\0\0\0\0\0aC\x01zB\x01\0\0\0y\x8e\x01\0\0\0\0\0\0\0x\x96\x01\0\0\0\0\0\0\0wt."s),
      "('é' 'a' b'z' b'y' b'x' b'w')");
  EXPECT_EQ(value_of("c_codecs\nencode\n(X\x03\0\0\0a\xc3\xa9V\154atin1\ntR."s), "b'a\xe9'");
  EXPECT_EQ(value_of("c__builtin__\nbytes\n)R."), "b''");
}

TEST(Pickle, UndoesTheEscapesOfByteStrings) {
  const auto quoted = [](const std::string& text) { return "S" + text + "\n."; };
  EXPECT_EQ(value_of(quoted(R"('a\x00\xfF\n\r\t\\\'"')")), "b'a\0\xff\n\r\t\\'\"'"s);
  EXPECT_EQ(value_of(quoted(R"("it's")")), "b'it's'");
  for (const char* wrong : {"", "'", "'a\"", "abc", R"('\x0')", R"('\xg0')", R"('\')", R"('\q')"})
    EXPECT_NE(pickle_error(quoted(wrong)).find("is not written as Python writes one"), std::string::npos)
        << wrong;
}

TEST(Pickle, UndoesTheEscapesOfUnicode) {
  const auto escaped = [](const std::string& text) { return "V" + text + "\n."; };
  EXPECT_EQ(value_of(escaped("a\xe9\\n")), "'aé\\n'");
  EXPECT_EQ(value_of(escaped(R"(\u000a\u20ac\U0001f525)")), "'\n€🔥'");
  for (const char* wrong : {R"(\u12)", R"(\u12g4)", R"(\U00110000)", R"(\u-001)"})
    EXPECT_NE(pickle_error(escaped(wrong)).find("is not written as Python writes one"), std::string::npos)
        << wrong;
}

TEST(Pickle, TurnsTextIntoBytesWhereLatin1HasTheCharacters) {
  const auto encoded = [](const std::string& utf8) {
    return "c_codecs\nencode\n(\x8c" + std::string(1, static_cast<char>(utf8.size())) + utf8 + "Vlatin1\ntR.";
  };
  EXPECT_EQ(value_of(encoded("a\0\u0080\u00ff"s)), "b'a\0\x80\xff'"s);
  for (const char* wrong : {"€", "\u0100", "\xc3", "\xc3z", "\xff", "\x80"})
    EXPECT_EQ(pickle_error(encoded(wrong)).substr(0, 8), "f: byte ") << wrong;
}

TEST(Pickle, ReadsContainersOfEveryProtocol) {
  EXPECT_EQ(value_of("((lI1\na(I2\nI3\netp0\n."), "([1 2 3])");
  EXPECT_EQ(value_of("(I1\nI2\ndI3\nI4\ns."), "{1 2 3 4}");
  EXPECT_EQ(value_of("](K\x01K\x02"
                     "e."),
            "[1 2]");
  EXPECT_EQ(value_of("}(K\x01]K\x02)u."), "{1 [] 2 ()}");
  EXPECT_EQ(value_of("NN\x86N\x85NNN\x87\x87."), "((None None) (None) (None None None))");
  EXPECT_EQ(value_of("ccollections\ndefaultdict\n(c__builtin__\nlist\ntR(I0\n]u."), "{0 []}");
}

TEST(Pickle, RemembersAndForgets) {
  EXPECT_EQ(value_of("(I5\np0\ng0\nq\x01h\x01r\x02\0\0\0j\x02\0\0\0t."s), "(5 5 5 5)");
  EXPECT_EQ(value_of("(K\x01K\x02"
                     "0"
                     "2(NNN1t."),
            "(1 1)");
  EXPECT_EQ(value_of("K\x01(0."), "1");
}

TEST(Pickle, ReadsFramesAndCountsWhatItRemembers) {
  EXPECT_EQ(value_of("\x80\x04\x95\x08\0\0\0\0\0\0\0(K\x05\x94K\x06\x94h\x00h\x01t."s), "(5 6 5 6)");
  EXPECT_EQ(value_of("\x8c\x08"
                     "builtins\x8c\x04list\x93)R."),
            "[]");
  EXPECT_EQ(
      pickle_error("\x95\x08\0\0\0\0\0\0\0N."s),
      "f: byte 0: the pickle needs 8 more bytes, but 2 are left; the file is cut short, fetch or copy it "
      "again");
}

TEST(Pickle, HoldsAValueThatIsInItself) {
  const Pickle pickle(broken("circle.pickle"));
  EXPECT_EQ(shown(pickle.store(), pickle.root()), "[[[[…]]]]");
}

TEST(Pickle, KeepsSharedValuesOnce) {
  std::string bytes = "]";  // a pair of pairs of pairs …: 2^60 of them if they were copied
  for (int depth = 0; depth < 60; ++depth) bytes += "2\x86";
  EXPECT_EQ(value_of(bytes + "."), "((((… …) (… …)) ((… …) (… …))) (((… …) (… …)) ((… …) (… …))))");
}

TEST(Pickle, ReadsNumpyScalarsAsNumbers) {
  const std::string type = "cnumpy\ndtype\n(S'i2'\nI0\nI1\ntR(I3\nS'>'\nNNNI-1\nI-1\nI0\ntb";
  EXPECT_EQ(value_of("cnumpy.core.multiarray\nscalar\n(" + type + "S'\\x01\\x02'\ntR."), "258");
  EXPECT_EQ(pickle_error("cnumpy.core.multiarray\nscalar\n(" + type + "S'\\x01'\ntR."),
            "f: byte 93: numpy array: shape () of type i2 does not fit its 1 bytes");
}

TEST(Pickle, NamesTheClassThatIsNotData) {
  EXPECT_EQ(test::error_text([] { Pickle(broken("foreign_class.pickle")); }),
            broken("foreign_class.pickle").string() +
                ": byte 0: pickle names 'os.system', which is not data; only numpy arrays, scipy matrices of "
                "format csr, csc and coo, and plain containers are read");
  EXPECT_NE(pickle_error("(c__builtin__\neval\nt.").find("f: byte 1: pickle names '__builtin__.eval'"),
            std::string::npos);
  EXPECT_NE(pickle_error("cnumpy\nload\n.").find("'numpy.load'"), std::string::npos);
}

TEST(Pickle, NamesTheOpcodeThatIsNotRead) {
  EXPECT_EQ(
      test::error_text([] { Pickle(broken("unknown_opcode.pickle")); }),
      broken("unknown_opcode.pickle").string() +
          ": byte 7: opcode '\\x97' (0x97) is not read; only those that make numpy arrays, scipy matrices "
          "and plain containers are");
  for (const std::string opcode : {"P", "Q", "i", "o", "\x82", "\x83", "\x84", "\x8f", "\x92", "\x98", "<"}) {
    EXPECT_NE(pickle_error("N" + opcode + "a\nb\n.").find("f: byte 1: opcode '"), std::string::npos)
        << opcode;
  }
}

TEST(Pickle, SaysWhichProtocolToWrite) {
  EXPECT_EQ(pickle_error("\x80\x06N."),
            "f: byte 0: pickle protocol 6; write it with pickle.dump(…, protocol=4)");
}

TEST(Pickle, SaysWhereItIsCutShort) {
  EXPECT_NE(test::error_text([] { Pickle(broken("truncated.pickle")); }).find("the file is cut short"),
            std::string::npos);
  EXPECT_EQ(pickle_error("NT\xff\xff\xff\x7f"
                         "abc"),
            "f: byte 1: the pickle needs 2147483647 more bytes, but 3 are left; the file is cut short, fetch "
            "or copy it "
            "again");
  EXPECT_EQ(pickle_error("Nc__builtin__"),
            "f: byte 1: the pickle needs a line here that never ends; the file is cut short, fetch or copy "
            "it again");
}

// What a damaged file may ask of the machine.
TEST(Pickle, RefusesWhatMakesNoSense) {
  for (const std::string& bytes : {"."s,
                                   "0."s,
                                   "2."s,
                                   "t."s,
                                   "(."s,
                                   "N(\x85."s,
                                   "h\x07."s,
                                   "q\x07."s,
                                   "a."s,
                                   "Na."s,
                                   "}Na."s,
                                   "]NNs."s,
                                   "(Nd."s,
                                   "}(Nu."s,
                                   "R."s,
                                   "N)R."s,
                                   "c__builtin__\nlist\nNR."s,
                                   "c__builtin__\nobject\n)R."s,
                                   "c__builtin__\nlist\n(NtR."s,
                                   "]Nb."s,
                                   "I12x\n."s,
                                   "Fx\n."s,
                                   "S'\n."s,
                                   "V\\u1\n."s,
                                   "p-x\n."s,
                                   "cnumpy\ndtype\n(S'V8'\ntR."s,
                                   "\x93."s,
                                   "NN\x93."s,
                                   "\x94."s,
                                   "cnumpy.core.numeric\n_frombuffer\n(NNNNtR."s,
                                   "cnumpy.core.numeric\n_frombuffer\n(NN)S'C'\ntR."s,
                                   "cnumpy\ndtype\n(S''\ntR."s,
                                   "cnumpy\ndtype\n(S'i4'\ntR)b."s,
                                   "cscipy.sparse.csr\ncsr_matrix\n)\x81Nb."s,
                                   "ccopy_reg\n_reconstructor\n)R."s,
                                   "c_codecs\nencode\n(Va\nVutf8\ntR."s,
                                   "c_codecs\nencode\n(V\\u1234\nVlatin1\ntR."s,
                                   "cnumpy.core.multiarray\n_reconstruct\n(c__builtin__\nlist\nNNtR."s}) {
    EXPECT_EQ(pickle_error(bytes).substr(0, 8), "f: byte ") << bytes;
  }
}

}  // namespace
}  // namespace heatfront
