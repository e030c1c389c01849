/** The options of a sink of `type: parquet` in a pipeline file. */
import * as Schema from "effect/Schema"
import * as Location from "#engine/Location"
import * as ObjectStore from "#engine/ObjectStore"
import * as Sink from "#engine/Sink"

const positive = Schema.Int.check(Schema.isGreaterThan(0))

/**
 * The options of a sink of `type: parquet` in a pipeline file. Sizes are in bytes.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Options } from "millrace/connectors/parquet"
 *
 * console.log(Schema.decodeUnknownSync(Options)({ path: "./lake" }).path) // "./lake"
 * ```
 */
export const Options = Schema.Struct({
  path: Location.pathOrUrl.annotate({
    description: "the folder of the files, relative to the pipeline file, or a URL like s3://bucket/prefix"
  }),
  schema: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Za-z][A-Za-z0-9_]*$/))).annotate({
    description:
      "a folder below path for the tables, with a manifest of its own, separate from all other tables there; default: none"
  }),
  storage: Schema.optionalKey(ObjectStore.Access).annotate({
    description: "how to reach a path that is a URL; default: the environment variables of the store"
  }),
  partition: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)).annotate({
    description: "columns whose values name folders: fetched_date=2026-11-21/"
  }),
  row_group: Schema.optionalKey(positive).annotate({
    description:
      "the maximum number of rows in a row group; default: 20,480; a group also ends at 8 MB, to limit memory"
  }),
  rotate: Schema.optionalKey(positive).annotate({
    description: "a file ends when it has this many bytes; default: 134,217,728 (128 MB)"
  }),
  compression: Schema.optionalKey(Schema.Literals(["zstd", "snappy", "gzip", "uncompressed"])).annotate({
    description: "how files are compressed; default: zstd"
  }),
  level: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 22 }))).annotate({
    description: "the level of zstd, 1 to 22; default: 1, which is as fast as snappy and much smaller"
  }),
  iceberg: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "true: each table is an Iceberg table too; false: its Iceberg metadata is not written any more; default: as it is in the lake"
  }),
  write: Sink.writeOption,
  removed: Sink.removedOption,
  shared: Sink.sharedOption
})
export type Options = typeof Options.Type
