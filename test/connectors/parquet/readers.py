"""Reads Parquet files with pyarrow, and prints their rows as JSON: `python3 readers.py FILE...`."""
import json
import sys

import pyarrow.parquet as parquet

# This folder is of the checkout.
sys.dont_write_bytecode = True
from cells import cell

for path in sys.argv[1:]:
    table = parquet.read_table(path)
    metadata = parquet.ParquetFile(path).metadata
    print(
        json.dumps(
            {
                "schema": {field.name: str(field.type) for field in table.schema},
                "groups": [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)],
                "rows": [cell(row) for row in table.to_pylist()],
            }
        )
    )
