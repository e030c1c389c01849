/**
 * The rows of one partition that wait to be a row group.
 *
 * They are written into pages when they arrive. But if a column of the table is wider than that of the run, they wait as
 * rows: DuckDB casts them like the stored rows, and writes the group.
 */
import * as Effect from "effect/Effect"
import * as BlockWriter from "#engine/BlockWriter"
import * as Column from "#engine/Column"
import * as ColumnBlock from "#engine/ColumnBlock"
import * as Codec from "#engine/ColumnCodec"
import type * as Database from "#engine/Duckdb"
import type * as Feed from "#engine/DuckdbFeed"
import * as RowBuffer from "#engine/DuckdbRowBuffer"
import type * as GrowingFile from "#engine/GrowingParquetFile"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { projection } from "../format/fileSql.ts"
import * as LakeSession from "./LakeSession.ts"

export interface RowGroup {
  /** Rows that wait, and about how many bytes. */
  readonly rows: number
  readonly bytes: number
  /** Throws an error with the name of the column if a cell is not of its type. */
  readonly add: (rows: ReadonlyArray<Table.Row>) => void
  /** Appends them to a file as a row group; none wait after. */
  readonly flush: (file: GrowingFile.GrowingFile) => Effect.Effect<void, Sink.SinkError | Database.DatabaseError>
}

/** Returns a function that begins row groups, for rows with the columns of a run and files with those of the table. */
export const starter = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  given: ReadonlyArray<Column.Column>,
  columns: ReadonlyArray<Column.Column>
) {
  const pairs = columns.map((column) => ({ column, source: Column.named(given, column.name) }))
  if (pairs.some(({ column, source }) => source && Column.toSql(source.type) !== Column.toSql(column.type))) {
    const feed = yield* session.database.feed(given)
    const select = `SELECT ${projection(given, columns).join(", ")} FROM ${feed.call}`
    return () => castGroup(session, feed, select)
  }
  const sources = pairs.map(({ source }) => source?.name)
  return () => columnGroup(session, columns, sources)
})

const columnGroup = (
  session: LakeSession.LakeSession,
  columns: ReadonlyArray<Column.Column>,
  sources: ReadonlyArray<string | undefined>
): RowGroup => {
  const compression = LakeSession.compressionOf(session)
  const writer = BlockWriter.create(columns, { compression, sources, memory: session.pages })
  return {
    get rows() {
      return writer.rows
    },
    get bytes() {
      return writer.bytes
    },
    add: writer.add,
    flush: (file) =>
      LakeSession.local(`cannot write ${file.path}`, async () => {
        const block = Codec.isSlow(compression) ? await writer.takeAside() : writer.take()
        await file.add(block)
        ColumnBlock.release(block)
      })
  }
}

const castGroup = (session: LakeSession.LakeSession, feed: Feed.Feed, select: string): RowGroup => {
  const buffer = RowBuffer.empty()
  return {
    get rows() {
      return buffer.rows
    },
    get bytes() {
      return buffer.bytes
    },
    add: (rows) => {
      for (const row of rows) buffer.add(row)
    },
    flush: (file) =>
      Effect.suspend(() => {
        feed.load(buffer.take())
        return LakeSession.append(session, file, select)
      }).pipe(Effect.ensuring(Effect.sync(() => feed.load([]))), Effect.asVoid)
  }
}
