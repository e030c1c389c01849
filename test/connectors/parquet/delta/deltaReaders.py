"""What readers of a Delta table find: `python3 deltaReaders.py TABLE REFERENCE.parquet VERSION ...` prints their hashes."""
import hashlib
import json
import pathlib
import sys

import deltalake
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

# The folder is of the checkout.
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from cells import cell


def digest(table):
    names = sorted(table.column_names)
    rows = sorted(json.dumps([cell(row[name]) for name in names]) for row in table.to_pylist())
    return [len(rows), hashlib.sha256(json.dumps([names, rows]).encode()).hexdigest()]


def from_pandas(frame, schema):
    return pyarrow.Table.from_pandas(frame, schema=schema, preserve_index=False)


def over_files(table, schema):
    """What a dataset of the folders finds that knows the types, but nothing of Delta."""
    named = table.metadata().partition_columns
    # It does not take a time that says UTC for one without a zone.
    text = [pyarrow.field(name, schema.field(name).type if name != "moment" else pyarrow.string()) for name in named]
    files = [file.removeprefix("file://") for file in table.file_uris()]
    others = [field for field in schema if field.name not in named]
    found = pyarrow.dataset.dataset(
        files,
        schema=pyarrow.schema(others + text),
        partitioning=pyarrow.dataset.partitioning(pyarrow.schema(text), flavor="hive"),
    ).to_table()
    if "moment" in named:
        values = [value.removesuffix("Z") for value in found["moment"].to_pylist()]
        times = pyarrow.array(values).cast(schema.field("moment").type)
        found = found.set_column(found.column_names.index("moment"), "moment", times)
    return found


where = sys.argv[1]
for reference, version in zip(sys.argv[2::2], sys.argv[3::2]):
    table = deltalake.DeltaTable(where, version=int(version))
    dataset = table.to_pyarrow_dataset()
    found = {
        "reference": pyarrow.parquet.ParquetFile(reference).read(),
        "deltalake": table.to_pyarrow_table(),
        "pandas": from_pandas(table.to_pandas(), dataset.schema),
        "polars": polars.scan_delta(where, version=int(version)).collect().to_arrow(),
        "pyarrow": dataset.to_table(),
        "pyarrow over the files": over_files(table, dataset.schema),
    }
    print(json.dumps({name: digest(rows) for name, rows in found.items()}))
