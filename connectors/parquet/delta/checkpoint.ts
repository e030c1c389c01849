/**
 * A checkpoint of a Delta log: the whole state of a table at one version, as a Parquet file, so that a reader need not read
 * the versions before it. DuckDB writes it, because our own Parquet writer has no maps.
 *
 * It is not a commit: a log means the same without it.
 */
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Database from "#engine/Duckdb"
import type * as ObjectStore from "#engine/ObjectStore"
import { failure } from "../failure.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import * as PrivateFolder from "../manifest/PrivateFolder.ts"
import { type Versioned, wholeOf } from "./deltaVersion.ts"

export const putCheckpoint = (
  store: ObjectStore.ObjectStore,
  manifest: Manifest.Manifest,
  table: string,
  state: Versioned
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* PrivateFolder.make(tmpdir(), "millrace-delta-")
      const [lines, file] = [Path.join(folder, "actions.json"), Path.join(folder, "checkpoint.parquet")]
      const actions = wholeOf(manifest, table, state)
      const text = actions.map((action) => `${JSON.stringify(action)}\n`).join("")
      yield* Effect.promise(() => Fs.writeFile(lines, text))
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: Path.join(folder, "spill") })
      const read = `read_json(${Database.literal(lines)}, format = 'newline_delimited', columns = {${columns}})`
      yield* database.run(`COPY (FROM ${read}) TO ${Database.literal(file)} (FORMAT parquet, COMPRESSION snappy)`)
      const log = `${table}/_delta_log/`
      const { version } = state.delta
      yield* store.putFile(`${log}${String(version).padStart(20, "0")}.checkpoint.parquet`, file)
      const last = JSON.stringify({ version, size: actions.length })
      yield* store.put(`${log}_last_checkpoint`, new TextEncoder().encode(last))
    })
  ).pipe(
    Effect.mapError(
      failure(`the commit is done, but not the checkpoint of the Delta log of ${table}: it can be left out`)
    )
  )

const actionTypes = {
  protocol:
    "STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, readerFeatures VARCHAR[], writerFeatures VARCHAR[])",
  metaData:
    "STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)), " +
    "schemaString VARCHAR, partitionColumns VARCHAR[], configuration MAP(VARCHAR, VARCHAR), createdTime BIGINT)",
  txn: "STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)",
  add:
    "STRUCT(path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime BIGINT, " +
    "dataChange BOOLEAN, stats VARCHAR)",
  remove: "STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN)"
}
const columns = Object.entries(actionTypes)
  .map(([name, type]) => `${name}: ${Database.literal(type)}`)
  .join(", ")
