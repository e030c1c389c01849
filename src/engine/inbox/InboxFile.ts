/**
 * One inbox as a SQLite database.
 *
 * Guarantee: an event is answered only after its commit, which is on the disk when it returns; all waiting events are one
 * commit. The numbers of events go up by one, and bodies are removed from the front, so both can be counted by their
 * ends.
 */
import { createHash } from "node:crypto"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqliteFile from "#base/SqliteFile"
import { type Event, type Inbox, InboxError, type Limit, Stored, type Taken } from "../Inbox.ts"

export interface InboxFile {
  readonly database: DatabaseSync
  readonly digestOf: StatementSync
  readonly learn: StatementSync
  readonly keep: StatementSync
  /** The callers that wait for the next commit, the first one first. */
  readonly waiting: Array<Waiting>
}

interface Waiting {
  readonly events: ReadonlyArray<Event>
  readonly at: number
  readonly resume: (answer: Effect.Effect<ReadonlyArray<Taken>, InboxError>) => void
}

/** How many bodies are taken away in one transaction: whoever writes meanwhile waits for it. */
const portion = 500

export const open = (path: string): InboxFile => {
  const database = SqliteFile.open(path, tables)
  try {
    return make(database)
  } catch (cause) {
    database.close()
    throw cause
  }
}

const make = (database: DatabaseSync): InboxFile => {
  // Who only opens one writes nothing: a run does not wait for the receiver, nor the receiver for it.
  if (database.prepare("SELECT 1 FROM inbox").get() === undefined) {
    const named = "INSERT INTO inbox (identity) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM inbox)"
    database.prepare(named).run(crypto.randomUUID())
  }
  return {
    database,
    digestOf: database.prepare("SELECT digest FROM known WHERE id = ?"),
    learn: database.prepare("INSERT INTO known (id, digest) VALUES (?, ?)"),
    keep: database.prepare("INSERT INTO bodies (id, at, body) VALUES (?, ?, ?)"),
    waiting: []
  }
}

/** What waits is committed first. */
export const close = (file: InboxFile): Effect.Effect<void> =>
  Effect.sync(() => {
    commit(file)
    file.database.close()
  })

export const inboxOf = (file: InboxFile): Inbox => {
  const { database } = file
  const row = database.prepare("SELECT identity FROM inbox").get()
  return {
    identity: String(row?.["identity"]),
    accept: (events) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) =>
        Effect.callback<ReadonlyArray<Taken>, InboxError>((resume) => {
          file.waiting.push({ events, at, resume })
          // All that this turn of the event loop brings is in the commit.
          if (file.waiting.length === 1) setImmediate(() => commit(file))
        })
      ),
    read: (after, limit) => ask("read the inbox", () => read(database, after, limit)),
    forget: Effect.fnUntraced(function* (upTo, before) {
      const end = yield* ask("read the inbox", () => endOf(database, upTo, before))
      for (let sum = 0; ; ) {
        const gone = yield* ask("forget events of the inbox", () => forgetSome(database, end))
        sum += gone
        if (gone < portion) return sum
        // Whoever waits to be taken comes in between.
        yield* Effect.yieldNow
      }
    }),
    counts: ask("count the inbox", () => {
      const counted = database.prepare(count).get()
      return { events: Number(counted?.["events"]), bodies: Number(counted?.["bodies"]) }
    })
  }
}

const tables = `
  CREATE TABLE IF NOT EXISTS inbox (identity TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS known (id TEXT PRIMARY KEY, digest BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS bodies (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;`

const count = `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'bodies'), 0) AS events,
  coalesce((SELECT max(seq) FROM bodies) - (SELECT min(seq) FROM bodies) + 1, 0) AS bodies`

const failure = (doing: string, cause: unknown) =>
  new InboxError({ message: `cannot ${doing}: ${cause instanceof Error ? cause.message : String(cause)}`, cause })

const ask = <A>(doing: string, run: () => A): Effect.Effect<A, InboxError> =>
  Effect.try({ try: run, catch: (cause) => failure(doing, cause) })

/** One transaction for all that waits; if it fails, no event is kept. */
const commit = (file: InboxFile): void => {
  const { database, waiting } = file
  const batch = waiting.splice(0)
  if (batch.length === 0) return
  try {
    const answers = SqliteFile.whole(database, () =>
      batch.map(({ at, events }) => events.map((event) => take(file, event, at)))
    )
    for (const [n, { resume }] of batch.entries()) resume(Effect.succeed(answers[n] ?? []))
  } catch (cause) {
    for (const { resume } of batch) resume(Effect.fail(failure("write to the inbox", cause)))
  }
}

const take = ({ digestOf, keep, learn }: InboxFile, { body, id }: Event, at: number): Taken => {
  const digest = createHash("sha256").update(body).digest()
  const known = digestOf.get(id)?.["digest"]
  if (known !== undefined) return known instanceof Uint8Array && digest.equals(known) ? "known" : "different"
  learn.run(id, digest)
  keep.run(id, at, body)
  return "accepted"
}

const decode = Schema.decodeUnknownSync(Stored)

const read = (database: DatabaseSync, after: number, limit: Limit): ReadonlyArray<Stored> => {
  const events: Array<Stored> = []
  let bytes = 0
  const rows = database.prepare("SELECT seq, id, at, body FROM bodies WHERE seq > ? ORDER BY seq LIMIT ?")
  for (const row of rows.iterate(after, limit.events)) {
    const event = decode(row)
    bytes += Buffer.byteLength(event.body)
    if (events.length > 0 && bytes > limit.bytes) break
    events.push(event)
  }
  return events
}

/** Where nothing goes, nothing is locked. */
const forgetSome = (database: DatabaseSync, end: number): number => {
  const first = database.prepare("SELECT min(seq) AS seq FROM bodies").get()?.["seq"]
  return typeof first === "number" && first <= end
    ? Number(database.prepare("DELETE FROM bodies WHERE seq <= ?").run(Math.min(end, first + portion - 1)).changes)
    : 0
}

/** The last number that may go: nothing behind the first that is too young goes, whatever its clock said. */
const endOf = (database: DatabaseSync, upTo: number, before: number): number => {
  const young = database.prepare("SELECT seq FROM bodies WHERE at >= ? ORDER BY seq LIMIT 1").get(before)?.["seq"]
  return young === undefined ? upTo : Math.min(upTo, Number(young) - 1)
}
