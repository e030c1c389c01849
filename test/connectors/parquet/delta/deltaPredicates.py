"""`python3 deltaPredicates.py TABLE` prints the predicates for which a reader of a Delta table finds other rows than there are."""
import json
import sys

import deltalake
import pyarrow.compute as pc

table = deltalake.DeltaTable(sys.argv[1])
data = table.to_pyarrow_dataset()
rows = table.to_pyarrow_table()
query = deltalake.QueryBuilder().register("t", table)
asked = 0
unequal = []


def ask(column, predicate, expected, found):
    global asked
    asked += 1
    if expected != found:
        unequal.append([column, predicate, expected, found])


for name in rows.column_names:
    values = rows[name].to_pylist()
    nulls = sum(value is None for value in values)
    ask(name, "is null", nulls, data.to_table(filter=pc.field(name).is_null()).num_rows)
    ask(name, "is not null", len(values) - nulls, data.to_table(filter=pc.field(name).is_valid()).num_rows)
    count = query.execute(f'SELECT count(*) AS n FROM t WHERE "{name}" IS NULL').read_all()
    ask(name, "SQL is null", nulls, count["n"].to_pylist()[0])
    if any(isinstance(value, (dict, list)) for value in values):
        continue
    there = [value for value in values if value is not None]
    for value in there[:1] + there[-1:]:
        equal = sum(one == value for one in there)
        ask(name, f"= {value}"[:20], equal, data.to_table(filter=pc.field(name) == value).num_rows)
        more = sum(one >= value for one in there)
        ask(name, f">= {value}"[:20], more, data.to_table(filter=pc.field(name) >= value).num_rows)
        # Readers differ in whether NaN is in a list of NaN.
        if value == value:
            ask(name, "in", equal, data.to_table(filter=pc.field(name).isin([value])).num_rows)
            frame = table.to_pandas(filters=[(name, "=", value)])
            ask(name, f"pandas = {value}"[:20], equal, len(frame))

print(json.dumps({"asked": asked, "unequal": unequal}))
