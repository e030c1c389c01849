/**
 * Earlier versions of pages, and what one reading has found so far: a file beside the pipeline, for a source that
 * compares pages itself.
 *
 * A page's content is identified by the hash of its meaning, and checkpoints hold only hashes. So the destinations
 * decide which version counts; without this file, only the text of the next differences is lost. What was taken is on
 * the disk when `take` has ended. A version is removed a month after a checkpoint last named it; the findings of a
 * reading are removed once no run can continue it.
 */
import { createHash } from "node:crypto"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as Zlib from "node:zlib"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Meaning from "#base/Meaning"
import type * as PageDiff from "#base/PageDiff"
import * as SqliteFile from "#base/SqliteFile"
import * as Source from "#engine/Source"

export const Status = Schema.Literals(["same", "changed", "new", "removed", "error"])

/** A page that a reading has found. `hash`: its content from now on; null: unknown. */
const FoundPage = Schema.Struct({ url: Schema.String, status: Status, hash: Schema.NullOr(Schema.String) })
export type FoundPage = typeof FoundPage.Type

export interface Versions {
  readonly of: (hash: string) => Effect.Effect<PageDiff.Version | undefined, Source.SourceError>
  readonly take: (
    seen: ReadonlyArray<FoundPage>,
    versions: ReadonlyMap<string, PageDiff.Version>
  ) => Effect.Effect<void, Source.SourceError>
  /** What this reading has taken, in this process and before it. If a URL was taken twice, the later one counts. */
  readonly seen: Effect.Effect<ReadonlyArray<FoundPage>, Source.SourceError>
}

/**
 * Two versions with the same hash are the same page. The version of the content finder follows, as in "Zk3.2"; it is
 * absent if the whole page was read, and in what was written before there were versions.
 */
export const hashOf = (version: PageDiff.Version, contentVersion: number | undefined): string => {
  const hash = createHash("sha256")
    .update(Meaning.of(version))
    .update("\0")
    .update(JSON.stringify(version.json ?? null))
    .digest("base64url")
    .slice(0, 22)
  return contentVersion === undefined ? hash : `${hash}.${contentVersion}`
}

/** Whether another version of the content finder read the text: comparing the two texts would not show a change. */
export const isReadAnew = (before: string, hash: string): boolean => {
  const [[, old], [, now]] = [before.split("."), hash.split(".")]
  return now !== undefined && old !== now
}

/**
 * Opens the file of a monitor until the scope closes. `reading` is the same for every attempt at one reading; `known`:
 * the hashes that it starts from.
 */
export const open = Effect.fnUntraced(function* (options: {
  readonly directory: string
  readonly name: string
  readonly reading: string
  readonly known: ReadonlyArray<string>
}) {
  const now = yield* Clock.currentTimeMillis
  const path = join(options.directory, ".millrace", "pages", `${encodeURIComponent(options.name).slice(0, 200)}.db`)
  const ask = <A>(run: () => A) =>
    Effect.try({
      try: run,
      catch: (cause) =>
        new Source.SourceError({
          source: "monitor",
          message: `cannot use ${path}, which keeps the earlier versions of pages: ${cause instanceof Error ? cause.message : String(cause)}`,
          retryable: false,
          cause
        })
    })
  const database = yield* Effect.acquireRelease(
    ask(() => SqliteFile.open(path, tables)),
    (opened) => Effect.sync(() => opened.close())
  )
  yield* ask(() => SqliteFile.whole(database, () => begin(database, options.reading, options.known, now)))
  const get = database.prepare("SELECT version FROM versions WHERE hash = ?")
  const put = database.prepare("INSERT OR IGNORE INTO versions (hash, version, named_at) VALUES (?, ?, ?)")
  const see = database.prepare(
    "INSERT OR REPLACE INTO seen (reading, url, status, hash, begun_at) VALUES (?, ?, ?, ?, ?)"
  )
  const list = database.prepare("SELECT url, status, hash FROM seen WHERE reading = ? ORDER BY url")
  const versions: Versions = {
    of: (hash) =>
      Effect.map(
        ask(() => get.get(hash)?.["version"]),
        read
      ),
    take: (seen, versions) =>
      ask(() =>
        SqliteFile.whole(database, () => {
          for (const [hash, version] of versions) put.run(hash, Zlib.zstdCompressSync(JSON.stringify(version)), now)
          for (const { hash, status, url } of seen) see.run(options.reading, url, status, hash, now)
        })
      ),
    seen: ask(() => list.all(options.reading).map((row) => decodeSeen(row)))
  }
  return versions
})

const dayMillis = 24 * 3600 * 1000
const namedMillis = 31 * dayMillis
/** The service keeps the answers of a job for a day (specification, Crawl): an older reading starts again. */
const readingMillis = 2 * dayMillis

const begin = (database: DatabaseSync, reading: string, known: ReadonlyArray<string>, now: number): void => {
  const name = database.prepare("UPDATE versions SET named_at = ? WHERE hash = ?")
  for (const hash of known) name.run(now, hash)
  database.prepare("DELETE FROM versions WHERE named_at < ?").run(now - namedMillis)
  database.prepare("DELETE FROM seen WHERE begun_at < ? AND reading <> ?").run(now - readingMillis, reading)
}

const tables = `
  CREATE TABLE IF NOT EXISTS versions (
    hash TEXT PRIMARY KEY, version BLOB NOT NULL, named_at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS seen (
    reading TEXT NOT NULL, url TEXT NOT NULL, status TEXT NOT NULL, hash TEXT, begun_at INTEGER NOT NULL,
    PRIMARY KEY (reading, url)
  ) WITHOUT ROWID;`

const decodeSeen = Schema.decodeUnknownSync(FoundPage)

const Version = Schema.Struct({
  title: Schema.optional(Schema.String),
  description: Schema.optional(Schema.String),
  markdown: Schema.String,
  json: Schema.optional(Schema.Json)
})
const decodeVersion = Schema.decodeUnknownSync(Schema.fromJsonString(Version))

const read = (stored: unknown): PageDiff.Version | undefined =>
  stored instanceof Uint8Array ? decodeVersion(Zlib.zstdDecompressSync(stored).toString()) : undefined
