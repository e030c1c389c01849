"""
What readers find by a predicate: `python3 predicates.py < STATES.json` prints a line of JSON for each reader, column and predicate.

Each reader reads all rows of a state. Plain Python then says which rows a predicate is true of, and the reader has to find
these and no others. `python3 predicates.py readers` prints the readers that are installed.
"""
import concurrent.futures
import datetime
import decimal
import functools
import importlib.metadata
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys

# The folder is of the checkout.
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from cells import cell

# Without it, polars looks for a plugin and warns.
os.environ["POLARS_ICEBERG_PLANNER"] = "pyiceberg"

operators = ["=", "<", ">=", "in", "is null", "is not null"]


# How readers order numbers. Python's own is that of IEEE: NaN is not equal to NaN, and less and greater than nothing.


def nan_last(value):
    """NaN is equal to NaN, and greater than all others."""
    return (value != value, 0 if value != value else value) if isinstance(value, float) else value


def total(value):
    """The same, and -0 is less than 0."""
    return (value != value, 0 if value != value else value, math.copysign(1, value)) if isinstance(value, float) else value


def ieee(value):
    return value


def holds(value, operator, literals, reader):
    """Whether a predicate is true of a value for a reader. SQL's null is neither true nor false."""
    if operator == "is null":
        return value is None
    if operator == "is not null":
        return value is not None
    if value is None:
        return False
    is_set = operator == "in" and (len(literals) > 1 or reader.has_sets_of_one)
    order = reader.set_order if is_set else reader.order
    ours, theirs = order(value), [order(literal) for literal in literals]
    if operator == "in":
        return any(ours == one for one in theirs)
    return {"=": ours == theirs[0], "<": ours < theirs[0], ">=": ours >= theirs[0]}[operator]


# Values that are at the end of a type, or that no row has.
edges = {
    "VARCHAR": ["", "m", "\U0010ffff" * 600],
    "JSON": ['"m"', '{"z":1}'],
    "BOOLEAN": [False, True],
    "BIGINT": [-(2**63), 77, 2**63 - 1],
    "DOUBLE": [-math.inf, -0.0, 0.0, 77.25, math.inf, math.nan],
    "DATE": [datetime.date.min, datetime.date(2000, 2, 29), datetime.date.max],
    "TIMESTAMP": [datetime.datetime.min, datetime.datetime(2000, 2, 29, 1, 2, 3, 4), datetime.datetime.max],
}


def literals_of(type, values, thorough):
    """What is asked of a column: the least and the greatest of its values, one between, and what may not be there."""
    there = sorted({total(value): value for value in values if value is not None}.items())
    there = [value for _, value in there]
    picked = [there[at] for at in sorted({0, len(there) // 2, len(there) - 1})] if there else []
    if type.startswith("DECIMAL"):
        precision, scale = [int(part) for part in type[8:-1].split(",")]
        with decimal.localcontext(prec=50):
            most = decimal.Decimal(10**precision - 1).scaleb(-scale)
            others = [-most, decimal.Decimal(77).scaleb(-scale), most]
    else:
        others = edges[type]
    if not thorough:
        return picked[-1:] + others[1:2]
    return list({total(value): value for value in picked + others}.values())


def questions(reader, columns, rows, thorough):
    """Which predicates are asked of a state, with their literals."""
    for column in columns:
        yield column, "is null", []
        yield column, "is not null", []
        type = column["type"]
        if type.startswith("STRUCT") or type.endswith("[]"):
            continue
        literals = literals_of(type, [value_at(row, column) for row in rows], thorough)
        for literal in literals:
            for operator in ["=", "<", ">="]:
                yield column, operator, [literal]
        listed = literals if reader.lists_nan else [one for one in literals if one == one]
        yield column, "in", listed
        if thorough:
            yield column, "in", listed[:1] + listed[-1:]
            yield column, "in", listed[-1:]


def value_at(row, column):
    value = row
    for name in column["path"]:
        value = None if value is None else value[name]
    return value


# SQL, as each engine writes it.


def sql_text(text, escape):
    """A text, whose zero bytes are written as a call: no engine has them in a literal."""
    parts = [f"'{escape(part)}'" for part in text.split("\0")]
    return parts[0] if len(parts) == 1 else "(" + " || chr(0) || ".join(parts) + ")"


def quoted(name, mark):
    return mark + name.replace(mark, mark * 2) + mark


def doubled(text):
    return text.replace("'", "''")


def backslashed(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def sql_literal(value, type, escape, moment):
    if type in ("VARCHAR", "JSON"):
        return sql_text(value, escape)
    if type == "BOOLEAN":
        return "TRUE" if value else "FALSE"
    if type == "DATE":
        return f"CAST('{value.isoformat()}' AS DATE)"
    if type == "TIMESTAMP":
        return moment(value.isoformat())
    if type == "DOUBLE":
        text = "NaN" if value != value else repr(value).replace("inf", "Infinity")
        return f"CAST('{text}' AS DOUBLE)"
    return f"CAST('{value:f}' AS {type})" if type.startswith("DECIMAL") else f"CAST('{value}' AS {type})"


def sql_predicate(reference, operator, literals):
    if operator.startswith("is "):
        return f"{reference} {operator.upper()}"
    return f"{reference} IN ({', '.join(literals)})" if operator == "in" else f"{reference} {operator} {literals[0]}"


class Reader:
    # Whether a list of values may have NaN.
    lists_nan = True
    # Whether a list of one value is a list, and not a comparison.
    has_sets_of_one = True
    # Whether an answer has the column that is asked of, beside what tells rows apart.
    has_values = True

    def ask_many(self, state, questions):
        """The rows of each question, or why it is refused."""
        return [refusable(lambda: self.ask(state, *question)) for question in questions]


def refusable(ask):
    try:
        return ask()
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return f"refuses: {type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"[:200]


class Sql(Reader):
    """A reader that is asked in SQL: `run` answers with rows as dictionaries."""

    order = set_order = staticmethod(nan_last)
    escape = staticmethod(doubled)

    def reference(self, path):
        return ".".join(quoted(name, '"') for name in path)

    def moment(self, iso):
        return f"CAST('{iso}' AS TIMESTAMP)"

    def where(self, column, operator, literals):
        texts = [sql_literal(value, column["type"], self.escape, self.moment) for value in literals]
        return sql_predicate(self.reference(column["path"]), operator, texts)

    def rows(self, state):
        tops = [self.selected(column) for column in state["columns"] if len(column["path"]) == 1]
        return self.run(f"SELECT {', '.join(tops)} FROM t")

    def selected(self, column):
        return self.reference(column["path"])

    def ask(self, state, column, operator, literals):
        names = [self.reference([name]) for name in state["identity"]]
        value = self.selected(column)
        found = self.run(f"SELECT {', '.join(names)}, {value} AS asked FROM t WHERE {self.where(column, operator, literals)}")
        return [(*(row[name] for name in state["identity"]), row["asked"]) for row in found]


class Duckdb(Sql):
    def __init__(self):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")

    def run(self, sql):
        return self.connection.sql(sql).to_arrow_table().to_pylist()


class DuckdbReadSql(Duckdb):
    name = "DuckDB read.sql"

    def open(self, state):
        self.connection.execute(pathlib.Path(state["sql"]).read_text())
        self.connection.execute("CREATE OR REPLACE TEMP VIEW t AS FROM cells")

    def selected(self, column):
        reference = self.reference(column["path"])
        return f"CAST({reference} AS VARCHAR) AS {self.reference(column['path'][-1:])}" if column["type"] == "JSON" else reference

    def ask(self, state, column, operator, literals):
        # Its name would be that of the column.
        names = [self.reference([name]) for name in state["identity"]]
        value = self.selected(column).split(" AS \"")[0]
        found = self.run(f"SELECT {', '.join(names)}, {value} AS asked FROM t WHERE {self.where(column, operator, literals)}")
        return [(*(row[name] for name in state["identity"]), row["asked"]) for row in found]


class DuckdbDataset(Duckdb):
    name = "DuckDB over to_pyarrow_dataset"

    def open(self, state):
        import deltalake

        import pyarrow.fs

        # The files of delta-rs are objects of Python: a thread of pyarrow that opens one waits for DuckDB, which waits for that thread.
        files = pyarrow.fs.SubTreeFileSystem(state["table"], pyarrow.fs.LocalFileSystem())
        table = deltalake.DeltaTable(state["table"], version=state["delta"])
        self.connection.register("t", table.to_pyarrow_dataset(filesystem=files))


class DuckdbDelta(Duckdb):
    name = "DuckDB delta_scan"
    extensions = ["delta"]

    def __init__(self):
        super().__init__()
        for extension in self.extensions:
            self.connection.execute(f"LOAD '{extension_file(extension)}'")

    def open(self, state):
        place = state["table"].replace("'", "''")
        self.connection.execute(
            f"CREATE OR REPLACE TEMP VIEW t AS FROM delta_scan('{place}', version = {state['delta']})"
        )


class DuckdbIceberg(DuckdbDelta):
    name = "DuckDB iceberg_scan"
    extensions = ["avro", "iceberg"]

    def open(self, state):
        place = state["table"].replace("'", "''")
        of = f"snapshot_from_id = {state['snapshot']}::UBIGINT"
        self.connection.execute(f"CREATE OR REPLACE TEMP VIEW t AS FROM iceberg_scan('{place}', {of})")


def extension_file(name):
    """An extension that pip installed: DuckDB itself would fetch it."""
    found = importlib.util.find_spec(f"duckdb_extension_{name}")
    files = [] if found is None else pathlib.Path(found.origin).parent.rglob(f"{name}.duckdb_extension")
    return next(iter(files))


class DataFusion(Sql):
    """The SQL of delta-rs."""

    name = "delta-rs SQL"

    def open(self, state):
        import deltalake

        table = deltalake.DeltaTable(state["table"], version=state["delta"])
        self.query = deltalake.QueryBuilder().register("t", table)

    def reference(self, path):
        return quoted(path[0], '"') + "".join(f"['{name}']" for name in path[1:])

    def moment(self, iso):
        return f"arrow_cast('{iso}', 'Timestamp(Microsecond, None)')"

    def run(self, sql):
        import pyarrow

        return pyarrow.table(self.query.execute(sql).read_all()).to_pylist()


class Spark(Sql):
    escape = staticmethod(backslashed)

    def __init__(self):
        self.spark = spark_session()

    def reference(self, path):
        return ".".join(quoted(name, "`") for name in path)

    def moment(self, iso):
        return f"CAST('{iso}' AS TIMESTAMP_NTZ)"

    def open(self, state):
        reader = self.spark.read.format(self.format).option(self.version_option, state[self.version])
        reader.load(state["table"]).createOrReplaceTempView("t")

    def run(self, sql):
        return self.spark.sql(sql).toArrow().to_pylist()

    # A question costs it much more than a row, so many questions are one.
    has_values = False

    def ask_many(self, state, questions):
        names = ", ".join(self.reference([name]) for name in state["identity"])
        answers = []
        for start in range(0, len(questions), 30):
            some = questions[start : start + 30]
            sql = " UNION ALL ".join(
                f"SELECT {at} AS question, {names} FROM t WHERE {self.where(*question)}"
                for at, question in enumerate(some)
            )
            found = refusable(lambda: self.run(sql))
            if isinstance(found, str):
                answers += super().ask_many(state, some) if len(some) > 1 else [found]
                continue
            answers += [
                [tuple(row[name] for name in state["identity"]) for row in found if row["question"] == at]
                for at in range(len(some))
            ]
        return answers

    def ask(self, state, column, operator, literals):
        return [row[:-1] for row in super().ask(state, column, operator, literals)]


class SparkDelta(Spark):
    name = "Spark Delta"
    format, version_option, version = "delta", "versionAsOf", "delta"


class SparkIceberg(Spark):
    name = "Spark Iceberg"
    format, version_option, version = "iceberg", "snapshot-id", "snapshot"


@functools.cache
def spark_session():
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        # Many small questions: to compile each costs more than to answer it.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.files.minPartitionNum": "1",
        "spark.sql.files.openCostInBytes": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


# Readers that are asked in Python.


class Arrow(Reader):
    """A dataset of pyarrow."""

    order = staticmethod(ieee)
    # Its sets of numbers are of their bytes.
    set_order = staticmethod(total)

    def rows(self, state):
        return self.data.to_table().to_pylist()

    def expression(self, column, operator, literals):
        import pyarrow
        import pyarrow.compute as pc

        field = pc.field(*column["path"])
        if operator.startswith("is "):
            return field.is_null() if operator == "is null" else field.is_valid()
        type = self.data.schema.field(column["path"][0]).type
        for name in column["path"][1:]:
            type = type.field(name).type
        if operator == "in":
            return field.isin(pyarrow.array(literals, type))
        literal = pyarrow.scalar(literals[0], type)
        return {"=": field == literal, "<": field < literal, ">=": field >= literal}[operator]

    def ask(self, state, column, operator, literals):
        import pyarrow.compute as pc

        columns = {name: pc.field(name) for name in state["identity"]} | {"asked": pc.field(*column["path"])}
        found = self.data.to_table(columns=columns, filter=self.expression(column, operator, literals))
        return [tuple(row.values()) for row in found.to_pylist()]


class DeltaArrow(Arrow):
    name = "delta-rs pyarrow"

    def open(self, state):
        import deltalake

        self.data = deltalake.DeltaTable(state["table"], version=state["delta"]).to_pyarrow_dataset()


class ArrowFiles(Arrow):
    """The files as they are, with the bounds of their footers and no log."""

    name = "pyarrow over the files"

    def open(self, state):
        import pyarrow.dataset

        self.data = pyarrow.dataset.dataset(state["files"], schema=schema_of_files(state))


def schema_of_files(state):
    """Partition columns are in the paths alone."""
    import deltalake
    import pyarrow

    known = pyarrow.schema(deltalake.DeltaTable(state["table"], version=state["delta"]).schema().to_arrow())
    return pyarrow.schema([field for field in known if field.name not in state["partition"]])


class DeltaPandas(Reader):
    name = "delta-rs pandas"
    order = staticmethod(ieee)
    # Its sets of numbers are of their bytes.
    set_order = staticmethod(total)

    def open(self, state):
        import deltalake

        self.table = deltalake.DeltaTable(state["table"], version=state["delta"])
        self.schema = self.table.to_pyarrow_dataset().schema

    def rows(self, state):
        import pandas

        return self.values(self.table.to_pandas(types_mapper=pandas.ArrowDtype))

    def ask(self, state, column, operator, literals):
        import pandas
        import pyarrow.compute as pc

        name = ".".join(column["path"])
        if operator.startswith("is "):
            field = pc.field(*column["path"])
            filters = field.is_null() if operator == "is null" else field.is_valid()
        else:
            filters = [(name, operator, literals if operator == "in" else literals[0])]
        names = [*state["identity"], column["path"][0]]
        frame = self.table.to_pandas(
            columns=list(dict.fromkeys(names)), filters=filters, types_mapper=pandas.ArrowDtype
        )
        return [(*(row[one] for one in state["identity"]), value_at(row, column)) for row in self.values(frame)]

    def values(self, frame):
        import pyarrow

        schema = pyarrow.schema([self.schema.field(one) for one in frame.columns])
        return pyarrow.Table.from_pandas(frame, schema=schema, preserve_index=False).to_pylist()


class Polars(Reader):
    order = set_order = staticmethod(nan_last)

    def rows(self, state):
        return self.frame.collect().to_arrow().to_pylist()

    def expression(self, column, operator, literals):
        import polars

        field, type = polars.col(column["path"][0]), self.schema[column["path"][0]]
        for name in column["path"][1:]:
            field, type = field.struct.field(name), {one.name: one.dtype for one in type.fields}[name]
        if operator.startswith("is "):
            return field.is_null() if operator == "is null" else field.is_not_null(), field
        if operator == "in":
            return field.is_in(polars.Series(literals, dtype=type).implode()), field
        literal = polars.lit(literals[0], dtype=type)
        return {"=": field == literal, "<": field < literal, ">=": field >= literal}[operator], field

    def ask(self, state, column, operator, literals):
        predicate, field = self.expression(column, operator, literals)
        found = self.frame.filter(predicate).select(*state["identity"], field.alias("asked")).collect()
        return [tuple(row.values()) for row in found.to_arrow().to_pylist()]


class PolarsDelta(Polars):
    name = "Polars scan_delta"

    def open(self, state):
        import polars

        self.frame = polars.scan_delta(state["table"], version=state["delta"])
        self.schema = self.frame.collect_schema()


class PolarsIceberg(Polars):
    name = "Polars scan_iceberg"

    def open(self, state):
        import polars
        from pyiceberg.table import StaticTable

        self.frame = polars.scan_iceberg(StaticTable.from_metadata(state["table"]), snapshot_id=state["snapshot"])
        self.schema = self.frame.collect_schema()


class PolarsFiles(Polars):
    """The files as they are, with the bounds of their footers and no log."""

    name = "Polars scan_parquet"

    def open(self, state):
        import polars

        self.schema = polars.from_arrow(schema_of_files(state).empty_table()).schema
        self.frame = polars.scan_parquet(
            state["files"], schema=self.schema, missing_columns="insert", hive_partitioning=False
        )


class PyIceberg(Reader):
    name = "PyIceberg"
    lists_nan = has_sets_of_one = False
    order = staticmethod(ieee)
    # Its sets of numbers are of their bytes.
    set_order = staticmethod(total)

    def open(self, state):
        from pyiceberg.table import StaticTable

        self.table = StaticTable.from_metadata(state["table"])

    def rows(self, state):
        return self.table.scan(snapshot_id=state["snapshot"]).to_arrow().to_pylist()

    def ask(self, state, column, operator, literals):
        from pyiceberg.expressions import EqualTo, GreaterThanOrEqual, In, IsNull, LessThan, NotNull

        name = ".".join(column["path"])
        one = {"=": EqualTo, "<": LessThan, ">=": GreaterThanOrEqual}
        if operator.startswith("is "):
            predicate = IsNull(name) if operator == "is null" else NotNull(name)
        else:
            predicate = In(name, literals) if operator == "in" else one[operator](name, literals[0])
        # It cannot select a list.
        is_list = column["type"].endswith("[]")
        fields = ("*",) if is_list else tuple(dict.fromkeys([*state["identity"], column["path"][0]]))
        scan = self.table.scan(row_filter=predicate, selected_fields=fields, snapshot_id=state["snapshot"])
        found = scan.to_arrow().to_pylist()
        return [(*(row[one] for one in state["identity"]), value_at(row, column)) for row in found]


# What a reader needs.
readers = [
    (DeltaPandas, ["deltalake", "pandas", "pyarrow"]),
    (DeltaArrow, ["deltalake", "pyarrow"]),
    (DataFusion, ["deltalake", "pyarrow"]),
    (PolarsDelta, ["deltalake", "polars", "pyarrow"]),
    (PolarsIceberg, ["pyiceberg", "polars", "pyarrow"]),
    (PolarsFiles, ["deltalake", "polars", "pyarrow"]),
    (ArrowFiles, ["deltalake", "pyarrow"]),
    (PyIceberg, ["pyiceberg", "pyarrow"]),
    (DuckdbReadSql, ["duckdb", "pyarrow"]),
    (DuckdbDataset, ["duckdb", "deltalake", "pyarrow"]),
    (DuckdbDelta, ["duckdb", "duckdb_extension_delta", "pyarrow"]),
    (DuckdbIceberg, ["duckdb", "duckdb_extension_avro", "duckdb_extension_iceberg", "pyarrow"]),
    (SparkDelta, ["pyspark", "pyarrow"]),
    (SparkIceberg, ["pyspark", "pyarrow"]),
]
installed = [reader for reader, needs in readers if all(importlib.util.find_spec(need) for need in needs)]
for reader, (package, *_) in readers:
    if reader in installed:
        reader.version_of_package = importlib.metadata.version(package)


def sort_key(row):
    return json.dumps([cell(value) for value in row])


def named_rows(state, rows, column, has_values=True):
    """Rows as texts: what tells them apart, and the value of a column."""
    values = [[value_at(row, column)] if has_values else [] for row in rows]
    return sorted(sort_key([*(row[name] for name in state["identity"]), *value]) for row, value in zip(rows, values))


def fault_of(reader, state, rows, question, answer):
    """What is wrong with an answer of a reader; None: nothing."""
    column, operator, literals = question
    if isinstance(answer, str):
        return answer
    true = [row for row in rows if holds(value_at(row, column), operator, literals, reader)]
    expected, found = named_rows(state, true, column, reader.has_values), sorted(map(sort_key, answer))
    missing = len([row for row in expected if row not in found])
    return None if found == expected else f"finds {len(found)} of {len(expected)} rows, {missing} are missing"


def line_of(reader, state, column, operator, asked, faults):
    return {
        "reader": reader.name,
        "version": reader.version_of_package,
        "column": ".".join(column["path"]),
        "type": column["type"],
        "operator": operator,
        "state": state["name"],
        "asked": asked,
        "faults": faults,
    }


def ask_all(reader, state, reference, thorough):
    """All predicates of a state. `reference`: its rows, as another reader has them."""
    rows = refusable(lambda: reader.open(state) or reader.rows(state))
    if isinstance(rows, str):
        fault = {"literals": "", "fault": rows}
        return [line_of(reader, state, {"path": ["*"], "type": "*"}, "all rows", 1, [fault])]
    lines = []
    there = [column for column in state["columns"] if column["path"][0] in rows[0]]
    for column in there:
        same = named_rows(state, rows, column) == named_rows(state, reference, column)
        fault = [] if same else [{"literals": "", "fault": "reads other values than DuckDB does"}]
        lines.append(line_of(reader, state, column, "all rows", 1, fault))
    asked = list(questions(reader, there, rows, thorough))
    answered = {}
    for question, answer in zip(asked, reader.ask_many(state, asked)):
        column, operator, literals = question
        fault = fault_of(reader, state, rows, question, answer)
        shown = ", ".join(repr(literal)[:40] for literal in literals)
        faults = [] if fault is None else [{"literals": shown, "fault": fault}]
        answered.setdefault((tuple(column["path"]), operator), []).append((column, faults))
    for (_, operator), answers in answered.items():
        faults = [one for _, faults in answers for one in faults]
        lines.append(line_of(reader, state, answers[0][0], operator, len(answers), faults))
    return lines


def answers_of(name, states):
    """All that a reader is asked, as lines. Earlier states have fewer literals than the last."""
    (reader,) = [reader for reader in installed if reader.name == name]
    first, lines = DuckdbReadSql(), []
    for state in states:
        first.open(state)
        lines += ask_all(reader(), state, first.rows(state), state is states[-1])
    return lines


def lines_of(name, states):
    """What a process of its own says for a reader: in one process they have waited for each other without an end."""
    asked = json.dumps({"states": states})
    done = subprocess.run([sys.executable, "-B", __file__, name], input=asked, capture_output=True, text=True, timeout=3000)
    if done.returncode == 0:
        return [json.loads(line) for line in done.stdout.splitlines()]
    (reader,) = [reader for reader in installed if reader.name == name]
    last = (done.stderr.strip().splitlines() or [""])[-1]
    fault = {"literals": "", "fault": f"its process ended with {done.returncode}: {last[:300]}"}
    return [line_of(reader, states[-1], {"path": ["*"], "type": "*"}, "all rows", 1, [fault])]


if __name__ == "__main__":
    if sys.argv[1:] == ["readers"]:
        print(json.dumps([reader.name for reader in installed]))
        sys.exit()
    request = json.load(sys.stdin)
    if sys.argv[1:]:
        answered = [answers_of(sys.argv[1], request["states"])]
    else:
        with concurrent.futures.ThreadPoolExecutor(min(4, len(request["readers"]))) as pool:
            answered = list(pool.map(lambda name: lines_of(name, request["states"]), request["readers"]))
    for lines in answered:
        for line in lines:
            print(json.dumps(line))
