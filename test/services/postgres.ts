/**
 * A real Postgres for the tests of one file: the one of MILLRACE_TEST_POSTGRES_URL, whose user may create databases, or
 * a private one that goes with the file. Where there is none, `postgres` is undefined and one line says so.
 */

import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { text } from "node:stream/consumers"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll } from "vitest"

export interface Postgres {
  /** The URL of a new, empty database that is gone with the scope. */
  readonly fresh: Effect.Effect<string, never, Scope.Scope>
}

/** Runs until this process ends, however it ends: the script waits for the end of its standard input. */
const startPrivate = async (): Promise<string | undefined> => {
  const script = spawn(`${import.meta.dirname}/postgres.sh`, ["serve"], { stdio: ["pipe", "pipe", "pipe"] })
  const ended = new Promise((done) => script.on("close", done))
  const problem = text(script.stderr)
  const first = new Promise<string>((done) => script.stdout.once("data", (line) => done(String(line).trim())))
  const url = await Promise.race([first, ended.then(() => undefined)])
  if (url === undefined) {
    process.stderr.write(`TESTS ON POSTGRES ARE SKIPPED: ${(await problem).trim()}\n`)
    return undefined
  }
  afterAll(async () => {
    script.stdin.end()
    await ended
  })
  return url
}

const over = (server: string): Postgres => {
  const run = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 })),
      Effect.orDie
    )
  const fresh = Effect.gen(function* () {
    const name = `millrace_${randomUUID().replaceAll("-", "")}`
    yield* Effect.acquireRelease(run(`CREATE DATABASE ${name}`), () => run(`DROP DATABASE ${name} WITH (FORCE)`))
    return Object.assign(new URL(server), { pathname: `/${name}` }).href
  })
  return { fresh }
}

const url = process.env["MILLRACE_TEST_POSTGRES_URL"] ?? (await startPrivate())

export const postgres: Postgres | undefined = url === undefined ? undefined : over(url)
