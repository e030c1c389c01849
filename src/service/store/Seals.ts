/**
 * The keys of the service: one for callers' secrets in the store, and one for each job with zero data retention.
 *
 * Guarantee: headers of requests and webhooks, which may contain credentials, are stored only encrypted (unless processes
 * share a database and have no `sealKey`). This key is in a file beside a SQLite database, or is configured. The key of a
 * job with zero data retention is only in the memory of the process that runs it: after that ends, nobody can read its rows.
 */
import { dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
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
        const key = yield* Effect.try({ try: () => keyOf(place), catch: unreadable })
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

const keyOf = ({ database, sealKey }: KeyLocation): Uint8Array | undefined => {
  if (sealKey !== undefined) return Seal.keyOf(Redacted.value(sealKey))
  if (isPostgres(database)) return undefined
  const file = placeOf(database)
  return file === ":memory:" ? Seal.random() : Seal.keyOf(KeptSecret.readOrMake(join(dirname(file), keyFile)))
}
