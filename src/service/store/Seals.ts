/**
 * The keys of the service: one for callers' secrets in the store, and one for each job with zero data retention.
 *
 * Guarantee: headers of requests and webhooks, which may contain credentials, are stored only encrypted (unless processes
 * share a database and have no `sealKey`). This key is in a file beside a SQLite database, or is configured. The key of a
 * job with zero data retention is only in the memory of the process that runs it: after that ends, nobody can read its rows.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as KeptSecret from "#base/KeptSecret"
import { isPostgres, placeOf } from "#base/sqlClient"
import { StoreError } from "#web/StoreError"
import * as Seal from "./Seal.ts"

interface KeyLocation {
  readonly database: string | Redacted.Redacted
  /** The configured key for secrets. Default: the key file. */
  readonly sealKey?: Redacted.Redacted | undefined
}

export class Seals extends Context.Service<
  Seals,
  {
    /** Seals headers and other secrets; undefined: processes share the database, and no key is configured. */
    readonly secrets: Seal.Seal | undefined
    /** The seal of a job with zero data retention; undefined: the job has none, or runs in another process. */
    readonly ofJob: (id: string) => Seal.Seal | undefined
    /** Makes the seal of a new job. */
    readonly begin: (id: string) => void
    /** The jobs with a seal in this process. */
    readonly jobs: () => ReadonlyArray<string>
    /** Forgets the seals of removed jobs. */
    readonly forget: (ids: ReadonlyArray<string>) => void
  }
>()("millrace/service/Seals") {
  static readonly layer = (place: KeyLocation) =>
    Layer.effect(
      Seals,
      Effect.gen(function* () {
        const jobs = new Map<string, Seal.Seal>()
        const file = keyFileOf(place)
        const isNew = file !== undefined && !existsSync(file)
        const key = yield* Effect.try({ try: () => keyOf(place, file), catch: unreadable })
        if (file !== undefined && key !== undefined) yield* assertSame(Seal.withKey(key, false), file, isNew)
        return Seals.of({
          secrets: key === undefined ? undefined : Seal.withKey(key, false),
          ofJob: (id) => jobs.get(id),
          begin: (id) => void jobs.set(id, Seal.withKey(Seal.random(), true)),
          jobs: () => Array.from(jobs.keys()),
          forget: (ids) => {
            for (const id of ids) jobs.delete(id)
          }
        })
      })
    )
}

const unreadable = (cause: unknown) =>
  new StoreError({ message: cause instanceof Error ? cause.message : String(cause), isRetryable: false, cause })

/** The name of the key file, beside a database file. */
const keyFile = "seal-key"

const keyFileOf = ({ database, sealKey }: KeyLocation): string | undefined =>
  sealKey !== undefined || isPostgres(database) || placeOf(database) === ":memory:"
    ? undefined
    : join(dirname(placeOf(database)), keyFile)

const keyOf = ({ database, sealKey }: KeyLocation, file: string | undefined): Uint8Array | undefined => {
  if (sealKey !== undefined) return Seal.keyOf(Redacted.value(sealKey))
  if (isPostgres(database)) return undefined
  return file === undefined ? Seal.random() : Seal.keyOf(KeptSecret.readOrMake(file))
}

/** Fails if the key of a file is not the one that the database was sealed with. `isNew`: it was just made. */
const assertSame = Effect.fnUntraced(function* (seal: Seal.Seal, file: string, isNew: boolean) {
  const sql = yield* SqlClient.SqlClient
  const [known] = yield* sql<{ sealed: string }>`SELECT sealed FROM known_seal WHERE id = 1`
  if (known !== undefined && seal.open(known.sealed) === knownText) return
  if (known !== undefined && !isNew) {
    return yield* new StoreError({
      message: `${file} is not the key that the database beside it was sealed with: it was changed; put it back from a backup, or \`rm ${file}\`: then a new one is made, and ${unread}`,
      isRetryable: false
    })
  }
  if (known !== undefined) yield* Effect.logWarning(`${file} was gone, and a new one was made: ${unread}`)
  yield* sql`INSERT INTO known_seal (id, sealed) VALUES (1, ${seal.seal(knownText)})
    ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed`
})

/** Makes the table of a text that is known and sealed. No key file belongs to a database of Postgres. */
export const createKnownSeal = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.asVoid(sql`CREATE TABLE IF NOT EXISTS known_seal (id INTEGER PRIMARY KEY, sealed TEXT NOT NULL)`),
    orElse: () => Effect.void
  })
)

const knownText = "millrace"

const unread = "headers of callers and webhooks of jobs that have not ended, and of monitors, cannot be read any more"
