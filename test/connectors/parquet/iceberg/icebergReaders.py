"""What readers of an Iceberg table find: `python3 icebergReaders.py TABLE REFERENCE.parquet SNAPSHOT ...` prints their hashes."""
import hashlib
import json
import os
import pathlib
import sys

# Without it, polars looks for a plugin and warns.
os.environ["POLARS_ICEBERG_PLANNER"] = "pyiceberg"
import polars
import pyarrow
import pyarrow.parquet
from pyiceberg.table import StaticTable

# The folder is of the checkout.
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from cells import cell


def digest(table):
    names = sorted(table.column_names)
    rows = sorted(json.dumps([cell(row[name]) for name in names]) for row in table.to_pylist())
    return [len(rows), hashlib.sha256(json.dumps([names, rows]).encode()).hexdigest()]


where = sys.argv[1]
table = StaticTable.from_metadata(where)
for reference, version in zip(sys.argv[2::2], sys.argv[3::2]):
    scan = table.scan(snapshot_id=int(version))
    expected = pyarrow.parquet.ParquetFile(reference).read()
    found = {
        "reference": expected,
        "pyiceberg": scan.to_arrow(),
        "pandas": pyarrow.Table.from_pandas(scan.to_pandas(), schema=scan.to_arrow().schema, preserve_index=False),
        "polars": polars.scan_iceberg(table, snapshot_id=int(version)).collect().to_arrow(),
    }
    if scan.count() != len(expected):
        raise AssertionError(f"snapshot {version} counts {scan.count()} rows")
    print(json.dumps({name: digest(rows) for name, rows in found.items()}))
