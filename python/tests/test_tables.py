"""Frames are read as the program reads tables."""

import datetime
import decimal
import json
import os
import subprocess

import numpy as np
import pytest

import heatfront as hf

pandas = pytest.importorskip("pandas")

N = 60
EDGES = pandas.DataFrame({"source": [f"a{i}" for i in range(N - 1)], "target": [f"a{i + 1}" for i in range(N - 1)]})
ACCOUNTS = pandas.DataFrame(
    {
        "account": [f"a{i}" for i in range(N)],
        "income": [None if i % 7 == 0 else 100.5 + i for i in range(N)],
        "country": pandas.Categorical([["DE", "FR", "IT"][i % 3] for i in range(N)]),
        "since": pandas.date_range("2024-01-01", periods=N),
        "active": [i % 2 == 0 for i in range(N)],
    }
)
DAY = datetime.date(2024, 1, 1)
LABELS = {f"a{i}": "low" if i < N / 2 else "high" for i in range(0, N, 4)}


def others():
    """The same frame as others have it."""
    yield "pandas", ACCOUNTS
    polars = pytest.importorskip("polars")
    columns = {name: ACCOUNTS[name].astype(str) if name == "country" else ACCOUNTS[name] for name in ACCOUNTS}
    yield "polars", polars.DataFrame({name: column.to_list() for name, column in columns.items()}, strict=False)


def test_tables_in_memory_are_the_data_of_the_same_tables_in_files(tmp_path):
    EDGES.to_csv(tmp_path / "edges.csv", index=False)
    ACCOUNTS.to_csv(tmp_path / "features.csv", index=False)
    pandas.Series(LABELS, name="label").rename_axis("node").to_csv(tmp_path / "labels.csv")
    files = hf.open(tmp_path)
    for kind, accounts in others():
        data = hf.tables(EDGES, accounts, LABELS)
        assert data.node_names == files.node_names, kind
        assert data.feature_names == files.feature_names, kind
        assert (data.X == files.X).all() and (data.y == files.y).all(), kind
    assert any(note.startswith("features.csv: columns of text") for note in data.notes)
    program = os.environ.get("HEATFRONT_PROGRAM")
    if program:
        told = json.loads(subprocess.run([program, "info", tmp_path, "--json"], capture_output=True, text=True).stdout)
        assert told["features"] == data.X.shape[1]


def arrow_tables(arrow):
    """Features and labels of the edges' nodes, with every kind of column that Arrow has and gaps in each."""
    accounts = {
        "account": ACCOUNTS["account"].to_list(),
        "income": ACCOUNTS["income"].to_list(),
        "visits": arrow.array([None if i % 11 == 0 else i for i in range(N)]),
        "country": arrow.array([None if i % 13 == 0 else ["DE", "FR"][i % 2] for i in range(N)]).dictionary_encode(),
        "since": arrow.array([None if i % 17 == 0 else DAY + datetime.timedelta(i) for i in range(N)], arrow.date32()),
        "paid": arrow.array([None if i % 19 == 0 else decimal.Decimal(i) / 4 for i in range(N)]),
        "active": arrow.array([None if i % 23 == 0 else i % 2 == 0 for i in range(N)]),
    }
    labels = {"node": list(LABELS), "label": arrow.array(list(LABELS.values())).dictionary_encode()}
    return arrow.table(accounts), arrow.table(labels)


def test_tables_of_arrow_are_read_alike_from_memory_and_parquet_and_by_whatever_reads_them(tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    accounts, labels = arrow_tables(arrow)
    parquet.write_table(accounts, tmp_path / "accounts.parquet")
    parquet.write_table(labels, tmp_path / "labels.parquet")
    data = hf.tables(arrow.Table.from_pandas(EDGES), accounts, labels)
    assert len([name for name in data.feature_names if name.endswith("(missing)")]) == 6
    readers = {
        "arrow": parquet.read_table,
        "batch": lambda path: parquet.read_table(path).to_batches()[0],
        "pandas": pandas.read_parquet,
        "pandas with Arrow's types": lambda path: pandas.read_parquet(path, dtype_backend="pyarrow"),
        "pandas with NA": lambda path: pandas.read_parquet(path, dtype_backend="numpy_nullable"),
        "polars": pytest.importorskip("polars").read_parquet,
    }
    for name, read in readers.items():
        again = hf.tables(EDGES, read(tmp_path / "accounts.parquet"), read(tmp_path / "labels.parquet"))
        assert again.feature_names == data.feature_names, name
        assert (again.X == data.X).all() and (again.y == data.y).all(), name


def test_arrays_of_arrow_with_gaps_are_labels_and_columns():
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    edges = [(0, 1), (1, 2), (2, 3)]
    for labels in (["a", None, None, "b"], [1, None, None, 2], [True, None, None, False]):
        expected = hf.flow(edges, labels).predict().tolist()
        for y in (arrow.array(labels), arrow.chunked_array([labels[:1], labels[1:]])):
            assert hf.flow(edges, y).predict().tolist() == expected
    assert hf.flow(edges, arrow.array(["a", None, None, "b"]).dictionary_encode()).predict()[1] == "a"
    assert isinstance(hf.flow(edges, arrow.array([1.5, None, None, 2.5])), hf.TargetAnswer)
    batch = arrow_tables(arrow)[0].drop_columns(["account"]).to_batches()[0]
    rows = hf.fit([(i, i + 1) for i in range(N - 1)], batch, ["a", *[None] * (N - 2), "b"], quick=True).data.X
    assert (rows == hf.tables(EDGES, arrow_tables(arrow)[0], LABELS).X).all()


def test_a_frame_of_features_in_fit_makes_the_same_columns_and_reads_new_rows_alike():
    rows = ACCOUNTS.drop(columns="account")
    labels = [LABELS.get(name) for name in ACCOUNTS["account"]]
    path = [(i, i + 1) for i in range(N - 1)]
    data = hf.tables(EDGES, ACCOUNTS, LABELS)
    for frame in (rows, dict(others())["polars"].drop("account")):
        model = hf.fit(path, frame, labels, quick=True)
        assert model.data.feature_names == data.feature_names
        np.testing.assert_array_equal(model.data.X, data.X)
    added = model.add_nodes([(N, N - 1)], rows.iloc[[5]].assign(country="XX"), names=None)
    assert added.nodes[0]["class"] in ("low", "high")
    assert "categor" in " ".join(added.notes)
    encoded = model.data.X[N]
    assert encoded[data.feature_names.index("income")] == data.X[5][data.feature_names.index("income")]
    with pytest.raises(hf.Error, match="income"):
        model.add_nodes([(N + 1, 0)], rows.iloc[[5]].drop(columns="income"))


def test_an_index_names_nodes_and_labels_may_be_a_column():
    accounts = ACCOUNTS.set_index("account")
    accounts["label"] = pandas.Series(LABELS)
    data = hf.tables(EDGES, accounts, label="label")
    assert data.classes == ["high", "low"]
    assert "label" not in " ".join(data.feature_names)


def test_numbers_of_rows_that_were_shuffled_are_no_names():
    whole = hf.tables(EDGES, ACCOUNTS, LABELS)
    labels = pandas.DataFrame({"account": list(LABELS), "verdict": list(LABELS.values())})
    for columns in ({"node": "account"}, {}):
        shuffled = hf.tables(EDGES, ACCOUNTS.sample(frac=1, random_state=1), labels.sample(frac=1), **columns)
        assert shuffled.feature_names == whole.feature_names
        assert dict(zip(shuffled.node_names, shuffled.y)) == dict(zip(whole.node_names, whole.y))
    numbers = pandas.DataFrame({"income": [1.5, 2, 4]}, index=[30, 10, 20])
    named = hf.tables(pandas.DataFrame({"source": [10, 20], "target": [20, 30]}), numbers)
    assert (sorted(named.node_names), named.feature_names) == (["10", "20", "30"], ["income"])


def test_labels_may_be_values_or_several():
    data = hf.tables(EDGES, labels={f"a{i}": i / 2 for i in range(0, N, 2)}, kind="values")
    assert (data.kind, data.y[4]) == ("values", 2)
    assert hf.fit(data).kind == "values"


def test_all_that_is_wrong_is_said_at_once():
    wrong = ACCOUNTS.astype({"income": object})
    wrong.loc[1, "income"] = "much"
    wrong.loc[2, "income"] = "more"
    with pytest.raises(hf.Error) as refusal:
        hf.tables(EDGES, wrong, LABELS)
    assert "features.csv:3: " in str(refusal.value) and "more" in str(refusal.value) and "/" not in str(refusal.value)
    with pytest.raises(hf.Error, match="much"):
        hf.fit([(i, i + 1) for i in range(N - 1)], wrong.drop(columns="account"), [0, 1] * (N // 2), quick=True)


def test_tables_of_arrow_are_taken():
    arrow = pytest.importorskip("pyarrow")
    data = hf.tables(arrow.Table.from_pandas(EDGES), arrow.Table.from_pandas(ACCOUNTS), LABELS)
    assert (data.X == hf.tables(EDGES, ACCOUNTS, LABELS).X).all()


def test_messages_name_the_arguments_of_python_and_the_tables_by_their_names():
    values = {f"a{i}": 100.25 + 7 * i for i in range(N)}
    with pytest.raises(hf.Error, match=r'^labels.csv: 60 different numbers .* kind="values" .* kind="classes"'):
        hf.tables(EDGES, labels=values)
    data = hf.tables(EDGES, labels=LABELS)
    assert data.name == "tables" and hf.tables(EDGES, labels=values, kind="values").kind == "values"
    with pytest.raises(hf.Error, match="source=") as raised:
        hf.tables(EDGES.assign(a=1, b=2).rename(columns={"source": "wer", "target": "wen"}), labels=LABELS)
    assert "--" not in str(raised.value)


def test_labels_may_be_a_mapping_of_nodes_by_number_or_name():
    path = [(0, 1), (1, 2), (2, 3)]
    expected = ["a", "a", "b", "b"]
    assert hf.flow(path, {0: "a", 3: "b"}).predict().tolist() == expected
    graph = hf.Graph(pandas.DataFrame({"source": ["u", "v", "w"], "target": ["v", "w", "x"]}))
    assert hf.flow(graph, {"u": "a", "x": "b"}).predict().tolist() == expected
    assert hf.fit(path, None, {0: "a", 3: "b"}, quick=True).known == {0: "a", 3: "b"}
    with pytest.raises(hf.Error, match="there is no node 'y'"):
        hf.flow(graph, {"y": "a"})
    with pytest.raises(hf.Error, match="there is no node 4; nodes are 0 to 3"):
        hf.flow(path, {4: "a"})


def test_a_misspelt_class_gets_the_nearest_one():
    model = hf.fit([(0, 1), (1, 2)], None, ["Fraud", None, "ok"], quick=True)
    with pytest.raises(hf.Error, match=r"no class 'fraud' \(did you mean 'Fraud'\?\); there are Fraud, ok$"):
        model.rank("fraud")
    with pytest.raises(hf.Error, match="new_classes="):
        model.label({1: "other"})
