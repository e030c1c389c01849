/** A file of a lake, as a manifest names it. */
import * as Schema from "effect/Schema"
import * as ObjectStore from "#engine/ObjectStore"

/** A schema with its description, for the docs page of the manifest. */
export const said = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

const count = Schema.Int

/** Others can write a manifest, so a path that leads out of the lake is an error. */
const path = Schema.String.check(Schema.makeFilter((path) => !ObjectStore.isOddPath(path) || ObjectStore.oddPath))

export const DataFile = Schema.Struct({
  path: said(path, "where the file is, below the folder that has `_manifest/`"),
  rows: said(count, "its rows"),
  bytes: said(count, "its size"),
  sha256: said(Schema.String, "the SHA-256 of its bytes"),
  partition: said(
    Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
    "the values that all of its rows have in the partition columns"
  ),
  min: said(
    Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
    "the least value, as DuckDB shows it, of the columns that help to skip the file: the key, the parent's key, " +
      "`_run_id`, and the end of a history"
  ),
  max: said(Schema.Record(Schema.String, Schema.NullOr(Schema.String)), "the greatest value of the same columns"),
  run_id: Schema.optionalKey(
    said(Schema.String, "the run of all its rows; absent if there are several runs, and in manifests of version 0.1")
  )
})
export type DataFile = typeof DataFile.Type
