/** What a reader of an Iceberg table finds, beginning at `version-hint.text`: the metadata, and the files of each snapshot. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as AvroFile from "#connectors/parquet/iceberg/avroFile"
import { decodeList, decodeManifest } from "#connectors/parquet/iceberg/manifestFiles"
import * as TableMetadata from "#connectors/parquet/iceberg/TableMetadata"

/** `get`: the bytes at a path below the lake, where that is not a folder. */
export const icebergIn = Effect.fnUntraced(function* (
  lake: string,
  table: string,
  get: (path: string) => Uint8Array = (path) => readFileSync(join(lake, path))
) {
  const avro = yield* AvroFile.load
  const version = Number(new TextDecoder().decode(get(`${table}/metadata/version-hint.text`)))
  const text = new TextDecoder().decode(get(TableMetadata.pathOf(table, version)))
  const metadata = yield* Effect.orDie(TableMetadata.decode(text))
  const below = (path: string) => path.replace("file://", "").slice(lake.length + 1)
  const filesAt = (snapshot: number): ReadonlyArray<string> => {
    const found = metadata.snapshots.find((one) => one["snapshot-id"] === snapshot)
    if (found === undefined) throw new Error(`there is no snapshot ${snapshot}`)
    return decodeList(avro, get(below(found["manifest-list"])))
      .filter(({ isLive }) => isLive)
      .flatMap(({ path, sequence }) => decodeManifest(avro, get(below(path)), sequence))
      .map(({ path }) => below(path))
      .sort()
  }
  return { version, metadata, filesAt, files: filesAt(metadata["current-snapshot-id"]) }
})
