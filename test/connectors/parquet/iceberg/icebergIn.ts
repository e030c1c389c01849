/** What a reader of an Iceberg table finds, beginning at `version-hint.text`: the metadata, and the files of each snapshot. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as AvroFile from "../../../../connectors/parquet/iceberg/avroFile.ts"
import { decodeList, decodeManifest } from "../../../../connectors/parquet/iceberg/manifestFiles.ts"
import * as TableMetadata from "../../../../connectors/parquet/iceberg/TableMetadata.ts"

export const icebergIn = Effect.fnUntraced(function* (lake: string, table: string) {
  const avro = yield* AvroFile.load
  const version = Number(readFileSync(join(lake, table, "metadata/version-hint.text"), "utf8"))
  const text = readFileSync(join(lake, TableMetadata.pathOf(table, version)), "utf8")
  const metadata = yield* Effect.orDie(TableMetadata.decode(text))
  const read = (path: string) => readFileSync(path.replace("file://", ""))
  const filesAt = (snapshot: number): ReadonlyArray<string> => {
    const found = metadata.snapshots.find((one) => one["snapshot-id"] === snapshot)
    if (found === undefined) throw new Error(`there is no snapshot ${snapshot}`)
    return decodeList(avro, read(found["manifest-list"]))
      .filter(({ isLive }) => isLive)
      .flatMap(({ path, sequence }) => decodeManifest(avro, read(path), sequence))
      .map(({ path }) => path.slice(`file://${lake}/`.length))
      .sort()
  }
  return { version, metadata, filesAt, files: filesAt(metadata["current-snapshot-id"]) }
})
