/**
 * What readers get wrong by themselves, or cannot do, each with its reason. Everything else that they find is what is there.
 *
 * A line that no reader needs any more fails the suite, so it is removed when its reader works.
 */

export interface ReaderFault {
  readonly readers: ReadonlyArray<string>
  /** Of the package that reads, if others have it not. */
  readonly versions?: RegExp
  /** The columns as the suite prints them; `*`: the whole table. */
  readonly columns: ReadonlyArray<string>
  readonly operators: ReadonlyArray<string>
  /** The only literals with which it happens; absent: all. */
  readonly literals?: RegExp
  readonly fault: RegExp
  readonly because: string
}

const comparisons = ["=", "<", ">="]
/** It finds fewer rows than there are. */
const losesRows = /, [1-9]\d* are missing$/
const fieldsOfStruct = ["struct.name", "struct.n", "struct.real", "struct.at", "struct.exact", "struct.inner.day"]
const numbers = ["real", "finite", "zero", "struct.real", "widened", "odd_real"]

export const readerFaults: ReadonlyArray<ReaderFault> = [
  {
    readers: ["delta-rs pandas"],
    columns: fieldsOfStruct,
    operators: [...comparisons, "in"],
    fault: /^refuses: ArrowInvalid: No match for FieldRef/,
    because: "its filters name columns, not fields of a struct"
  },
  {
    readers: ["PyIceberg"],
    columns: numbers,
    operators: comparisons,
    literals: /^nan$/,
    fault: /^refuses: ValueError: Cannot create expression literal from NaN/,
    because: "it has IsNaN instead"
  },
  {
    readers: ["PyIceberg"],
    columns: ["widened"],
    operators: [...comparisons, "in"],
    fault: /^refuses: TypeError: Cannot convert DoubleLiteral into long|, [1-9]\d* are missing$/,
    because: "at a version in which a column had another type it takes literals and bounds for the type of now"
  },
  {
    readers: ["PyIceberg"],
    columns: ["list", "structs"],
    operators: ["is null", "is not null"],
    fault: /^refuses: ValueError: Cannot explicitly project List or Map types/,
    because: "it selects the column of a filter, and cannot select a list"
  },
  {
    readers: ["PyIceberg"],
    columns: ["structs"],
    operators: ["all rows"],
    fault: /reads other values/,
    because: "it reads a null in a list of structs as a struct of nulls (apache/iceberg-python, issue 3833)"
  },
  {
    readers: ["PyIceberg"],
    columns: ["real", "zero", "struct.real", "widened"],
    operators: ["in"],
    literals: /-0\.0|^0\.0/,
    fault: losesRows,
    because: "its list is a set, which has one of -0 and 0, and pyarrow compares the bytes of the numbers in a list"
  },
  {
    readers: ["delta-rs pyarrow", "pyarrow over the files"],
    columns: ["struct.real"],
    operators: ["in"],
    literals: /(^|, )-?0\.0(,|$)/,
    fault: losesRows,
    because: "in a group of which all numbers are zero it takes the least, -0, for each; of its own files too"
  },
  {
    readers: ["delta-rs SQL"],
    columns: ["struct.real"],
    operators: ["in"],
    literals: /-0\.0/,
    fault: losesRows,
    because: "of a field of a struct it compares the bytes of the numbers in a list"
  },
  {
    readers: ["DuckDB over to_pyarrow_dataset"],
    versions: /^1\./,
    columns: ["real", "struct.real"],
    operators: [">="],
    fault: losesRows,
    because: "DuckDB 1 leaves the comparison to pyarrow, for which NaN is not greater than a number"
  },
  {
    readers: ["DuckDB over to_pyarrow_dataset"],
    versions: /^1\./,
    columns: ["real"],
    operators: ["in"],
    fault: losesRows,
    because: "DuckDB 1 leaves the list to pyarrow, which compares the bytes of the numbers in it"
  },
  {
    readers: ["DuckDB over to_pyarrow_dataset"],
    versions: /^1\./,
    columns: ["widened", "zero"],
    operators: ["in"],
    literals: /-0\.0/,
    fault: losesRows,
    because: "DuckDB 1 leaves the list to pyarrow, which compares the bytes of the numbers in it"
  },
  {
    readers: ["Spark Delta", "Spark Iceberg"],
    columns: ["zero"],
    operators: ["=", ">="],
    literals: /^0\.0$/,
    fault: losesRows,
    because: "it asks a dictionary for 0 by its bytes, and skips one that has -0; of its own files too"
  },
  {
    readers: ["delta-rs pandas", "delta-rs pyarrow", "DuckDB over to_pyarrow_dataset"],
    columns: ["*"],
    operators: ["all rows"],
    fault: /^refuses: ArrowInvalid: The string '.*' is not a valid decimal128 number/,
    because: "delta-rs writes a negative decimal of a partition as 0.-1"
  },
  {
    readers: ["delta-rs pandas", "delta-rs pyarrow", "DuckDB over to_pyarrow_dataset", "Polars scan_delta"],
    columns: ["*"],
    operators: ["all rows"],
    fault: /^refuses: DeltaProtocolError: .*columnMapping/,
    because: "it has no column mapping, which Delta needs for names with a space or a comma"
  },
  {
    readers: ["Polars scan_delta", "DuckDB delta_scan"],
    columns: ["odd_text"],
    operators: ["all rows"],
    fault: /reads other values/,
    because:
      "Delta has no empty text in a partition: it is null there. Polars also reads __HIVE_DEFAULT_PARTITION__ as null"
  },
  {
    readers: ["PyIceberg", "Polars scan_iceberg"],
    columns: ["odd_real"],
    operators: ["all rows"],
    fault: /reads other values/,
    because: "PyIceberg reads a partition by a DOUBLE as a number of 32 bits"
  },
  {
    readers: ["PyIceberg"],
    columns: ["odd_real"],
    operators: ["in"],
    literals: /-0\.0/,
    fault: /, 0 are missing$/,
    because: "PyIceberg reads a partition by a DOUBLE as a number of 32 bits: 5e-324 is 0"
  },
  {
    readers: ["PyIceberg"],
    columns: ["a.b"],
    operators: [...comparisons, "in", "is not null"],
    fault: /^refuses: ArrowInvalid: No match for FieldRef/,
    because: "it takes the dot in the name of a column for a field of a struct"
  },
  {
    readers: ["DuckDB delta_scan"],
    columns: ["a.b"],
    operators: [...comparisons, "in"],
    fault: /^refuses: IOException: IO Error: DeltaKernel MissingColumnError/,
    because: "it takes the dot in the name of a column for a field of a struct"
  }
]
