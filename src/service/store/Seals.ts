/**
 * The seals of the service: one for what its store keeps of callers' secrets, and one for each job of which nothing may be kept.
 *
 * The law: what may hold a credential (headers of requests and of webhooks) is never in the store as it is. The key of that is
 * a file beside a SQLite database, or is given where processes share a database. The key of a job with zero data retention is
 * in the memory of the process that runs it and nowhere else: when that ends, nobody can read what it wrote.
 */
import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { isPostgres, placeOf } from "../../sql/client.ts"
import * as Seal from "./Seal.ts"

export interface Place {
  readonly database: string | Redacted.Redacted
  /** What the seal of secrets is made of, where it is given. */
  readonly sealKey?: Redacted.Redacted | undefined
}

export class Seals extends Context.Service<
  Seals,
  {
    /** For headers. Undefined: processes share the database, and no key is given. */
    readonly secrets: Seal.Seal | undefined
    /** The seal of a job of which nothing may be kept; undefined: it is none, or runs in another process. */
    readonly ofJob: (id: string) => Seal.Seal | undefined
    /** Makes the seal of a job that begins. */
    readonly begin: (id: string) => void
    /** Jobs that have one here. */
    readonly jobs: () => ReadonlyArray<string>
    /** Forgets the seals of jobs that are gone. */
    readonly forget: (ids: ReadonlyArray<string>) => void
  }
>()("millrace/service/Seals") {
  static readonly layer = (place: Place) =>
    Layer.effect(
      Seals,
      Effect.sync(() => {
        const jobs = new Map<string, Seal.Seal>()
        const key = keyOf(place)
        return Seals.of({
          secrets: key === undefined ? undefined : Seal.make(key, false),
          ofJob: (id) => jobs.get(id),
          begin: (id) => void jobs.set(id, Seal.make(Seal.random(), true)),
          jobs: () => Array.from(jobs.keys()),
          forget: (ids) => {
            for (const id of ids) jobs.delete(id)
          }
        })
      })
    )
}

/** The file of the key, beside a database that is a file. */
export const keyFile = "seal-key"

const keyOf = ({ database, sealKey }: Place): Uint8Array | undefined => {
  if (sealKey !== undefined) return Seal.keyOf(Redacted.value(sealKey))
  if (isPostgres(database)) return undefined
  const file = placeOf(database)
  return file === ":memory:" ? Seal.random() : Seal.keyOf(readOrMake(join(dirname(file), keyFile)))
}

/** Never writes over a key that is there: what it has sealed could not be read any more. */
const readOrMake = (file: string): string => {
  try {
    writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
  return readFileSync(file, "utf8").trim()
}
