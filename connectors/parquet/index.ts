/**
 * The Parquet connector: rows into files of any object store, made visible by a manifest.
 *
 * A reader takes the files that `readManifest` lists: `SELECT * FROM read_parquet([...], union_by_name = true)`.
 */
import * as Connector from "../../src/pipeline/Connector.ts"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import { compact } from "./compact.ts"
import { differences } from "./diff.ts"
import { owners } from "./lake/tableOwners.ts"
import { ranOnce, runs } from "./ledger.ts"
import { Options } from "./options.ts"
import { rows } from "./read.ts"
import { open } from "./sink.ts"

export { Manifest, ManifestError, readManifest } from "./lake/Manifest.ts"
export { Options } from "./options.ts"

export const parquet = Sink.make<Options, typeof Options.Encoded, ObjectStore.ObjectStores>({
  type: "parquet",
  description: "Parquet files in a folder or a bucket, each commit one manifest",
  options: Options,
  writes: ["append", "replace", "merge", "scd2"],
  defaultWrite: () => "append",
  runs,
  ranOnce,
  rows,
  owners,
  compact,
  differences,
  open
})

export const connector = Connector.make<ObjectStore.ObjectStores>({ name: "parquet", sinks: [parquet] })
