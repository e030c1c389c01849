"""What pandas, delta-rs, PyIceberg and DuckDB read of the tables of lakes: python verify.py LAKE TABLE... prints rows as JSON."""
import json, os, sys

import duckdb
from deltalake import DeltaTable
from pyiceberg.table import StaticTable


def rows(table):
    return sorted([list(row.values()) for row in table.select(["id", "v"]).to_pylist()])


lake, *tables = sys.argv[1:]
for table in tables:
    place = f"{lake}/{table}"
    delta = DeltaTable(place)
    read = {
        "delta-rs": rows(delta.to_pyarrow_table()),
        "pandas": sorted(delta.to_pandas()[["id", "v"]].values.tolist()),
        "PyIceberg": rows(StaticTable.from_metadata(place).scan().to_arrow()),
    }
    connection = duckdb.connect()
    connection.execute(open(f"{lake}/read.sql").read())
    read["DuckDB"] = sorted([list(row) for row in connection.execute(f'SELECT id, v FROM "{table}"').fetchall()])
    print(json.dumps(read))
sys.stdout.flush()
os._exit(0)  # delta-rs may abort when its threads end with the interpreter
