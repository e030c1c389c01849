import { connect, createServer, type Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { type Options, postgres } from "#connectors/postgres/index"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { databaseUrl, placeOf } from "../database.ts"
import { query } from "../readTable.ts"
import { silentAt } from "../silentAt.ts"
import { commitOf, planOf, visit } from "../visit.ts"

const url = await databaseUrl()

/** A way to the server that is cut when the client has said this word, and the server has answered it. */
const cutAfter = (word: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly href: string; readonly close: () => void }>((done) => {
          const target = new URL(url ?? "")
          const sockets = new Set<Socket>()
          const proxy = createServer((client) => {
            const server = connect(Number(target.port), target.hostname)
            for (const socket of [client, server]) {
              sockets.add(socket)
              socket.on("error", () => {})
            }
            let isSaid = false
            client.on("data", (bytes) => {
              isSaid ||= bytes.includes(word)
              server.write(bytes)
            })
            server.on("data", (bytes) => {
              if (isSaid) for (const socket of [client, server]) socket.destroy()
              else client.write(bytes)
            })
            client.on("close", () => server.destroy())
            server.on("close", () => client.destroy())
          })
          proxy.listen(0, "127.0.0.1", () => {
            const address = proxy.address()
            const port = typeof address === "object" && address !== null ? address.port : 0
            done({
              href: Object.assign(new URL(url ?? ""), { port: String(port) }).href,
              close: () => {
                proxy.close()
                for (const socket of sockets) socket.destroy()
              }
            })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ href }) => href))

describe.skipIf(url === undefined)("a session with Postgres", () => {
  const fresh = Effect.map(folder, (directory) => placeOf(url ?? "", directory))
  const load = (place: Options, run: string, version: number) =>
    visit({ place, run, write: "append", rows: [[pages, [{ url: `/${version}`, title: null, version }]]] })
  const versions = (place: Options) =>
    Effect.map(postgres.with(place).rows("/", pages), (rows) => rows.map(({ version }) => Number(version)))

  it.effect("that breaks while rows are written fails the run as one to repeat, and leaves nothing", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      yield* load(place, "run-1", 1)
      const of = { place, run: "run-2", write: "append", rows: [[pages, []]] } as const
      const error = yield* Effect.flip(
        Effect.scoped(
          Effect.gen(function* () {
            const writer = yield* postgres.with(place).open(planOf(of))
            yield* writer.write(Table.batch(pages, [{ url: "/2", title: null, version: 2 }]))
            yield* Effect.promise(() =>
              query(
                place.url,
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
              )
            )
            return yield* writer.commit(commitOf(of))
          })
        )
      )

      expect(error).toMatchObject({ retryable: true, message: expect.stringContaining("table pages of postgres://") })
      expect(yield* versions(place)).toEqual([1])
      yield* load(place, "run-2", 2)
      expect(yield* versions(place)).toEqual([1, 2])
    })
  )

  it.effect("that may only read says which server url has to name, as after a change to a standby", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      const readOnly = `${Redacted.value(place.url)}?options=-c%20default_transaction_read_only%3Don`

      const error = yield* Effect.flip(load({ ...place, url: Redacted.make(readOnly) }, "run-1", 1))

      expect(error.message).toContain("read-only transaction; the server is a standby")
    })
  )

  it.effect("that breaks before the answer to COMMIT says so, and the next run finds out that it is there", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      yield* load(place, "run-1", 1)
      const through = { ...place, url: Redacted.make(yield* cutAfter("COMMIT\0")) }
      const error = yield* Effect.flip(load(through, "run-2", 2))

      expect(error.retryable).toBe(true)
      expect(error.message).toContain("the answer to COMMIT was lost, so the commit may be there or not")
      expect(yield* versions(place)).toEqual([1, 2])
      const of = { place, run: "run-3", write: "append", rows: [[pages, []]] } as const
      const resume = yield* Effect.scoped(Effect.map(postgres.with(place).open(planOf(of)), ({ resume }) => resume))
      expect(Option.getOrThrow(resume)).toEqual({ runId: "run-2", state: "run-2" })
    })
  )

  it.effect.each([true, false])(
    "that is silent from COMMIT on is cut after a minute, and the next run finds out whether it is there (%s)",
    (isHeard) =>
      Effect.gen(function* () {
        const place = yield* fresh
        yield* load(place, "run-1", 1)
        const { href, silent } = yield* silentAt(url ?? "", "COMMIT\0", isHeard)
        const loading = yield* Effect.forkChild(Effect.flip(load({ ...place, url: Redacted.make(href) }, "run-2", 2)))
        yield* silent
        yield* TestClock.adjust("1 minute")
        const error = yield* Fiber.join(loading)

        expect(error.retryable).toBe(true)
        expect(error.message).toContain("the answer to COMMIT was lost, so the commit may be there or not")
        expect(error.message).toContain("the server said nothing for a minute")
        yield* load(place, "run-3", 3)
        expect(yield* versions(place)).toEqual(isHeard ? [1, 2, 3] : [1, 3])
      })
  )

  it.effect.each([false, true])(
    "that is silent while rows are written is cut within two minutes, and the next run writes them (%s)",
    (isHeard) =>
      Effect.gen(function* () {
        const place = yield* fresh
        const { href, silent } = yield* silentAt(url ?? "", "COPY", isHeard)
        const loading = yield* Effect.forkChild(Effect.flip(load({ ...place, url: Redacted.make(href) }, "run-1", 1)))
        yield* silent
        let seconds = 0
        while (loading.pollUnsafe() === undefined) {
          yield* TestClock.adjust("1 second")
          seconds += 1
          // The other session is asked over a real network.
          if (seconds % 60 === 0) yield* Effect.promise(() => new Promise((done) => setTimeout(done, 300)))
          else yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
        }
        const error = yield* Fiber.join(loading)

        expect(error.retryable).toBe(true)
        expect(error.message).toContain("the server said nothing for a minute")
        expect(seconds).toBeLessThanOrEqual(130)
        yield* load(place, "run-2", 2)
        expect(yield* versions(place)).toEqual([2])
      })
  )

  it.effect("that works on a statement for longer is waited for", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      yield* load(place, "run-1", 1)
      const wait = `${Column.quote(place.schema)}.wait`
      yield* Effect.promise(() =>
        query(
          place.url,
          `CREATE FUNCTION ${wait}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
           CREATE TRIGGER slow AFTER INSERT ON ${Column.quote(place.schema)}.pages EXECUTE FUNCTION ${wait}()`
        )
      )
      const loading = yield* Effect.forkChild(load(place, "run-2", 2))
      while (loading.pollUnsafe() === undefined) {
        yield* TestClock.adjust("20 seconds")
        yield* Effect.promise(() => new Promise((done) => setTimeout(done, 100)))
      }

      yield* Fiber.join(loading)
      expect(yield* versions(place)).toEqual([1, 2])
    })
  )

  it.effect("that is silent while rows are written ends soon after its run is stopped", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      const { href, silent } = yield* silentAt(url ?? "", "COPY", false)
      const loading = yield* Effect.forkChild(load({ ...place, url: Redacted.make(href) }, "run-1", 1))
      yield* silent
      const stopping = yield* Effect.forkChild(Fiber.interrupt(loading))
      while (stopping.pollUnsafe() === undefined) {
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      }

      yield* load(place, "run-2", 2)
      expect(yield* versions(place)).toEqual([2])
    })
  )

  it.effect("that breaks before COMMIT leaves nothing", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      yield* load(place, "run-1", 1)
      const through = { ...place, url: Redacted.make(yield* cutAfter("_millrace_loads")) }
      const error = yield* Effect.flip(load(through, "run-2", 2))

      expect(error.retryable).toBe(true)
      expect(yield* versions(place)).toEqual([1])
    })
  )

  it.effect("is one of one writer for each schema; the second is told where, and to come again", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      const of = { place, run: "run-1", write: "append", rows: [[pages, []]] } as const
      const error = yield* Effect.scoped(
        Effect.andThen(
          postgres.with(place).open(planOf(of)),
          Effect.flip(Effect.scoped(postgres.with(place).open(planOf(of))))
        )
      )

      expect(error.retryable).toBe(true)
      expect(error.message).toContain(`another run writes into postgres://`)
      expect(error.message).toContain(`(schema ${place.schema}): let it end first`)
    })
  )

  it.effect("says what is wrong with its address and what to do, and never a password", () =>
    Effect.gen(function* () {
      const server = new URL(url ?? "")
      const refusal = (change: Partial<Record<"port" | "pathname" | "username" | "search", string>>) => {
        const own = Object.assign(new URL(server), { password: "geheim", ...change })
        return Effect.flip(load({ url: Redacted.make(own.href) }, "run-1", 1))
      }
      const errors = [
        yield* refusal({ port: "1" }),
        yield* refusal({ pathname: "/nowhere" }),
        yield* refusal({ username: "nobody" }),
        yield* refusal({ search: "?sslmode=require" })
      ]

      const said = [
        "is the server running",
        "create the database first",
        "check user and password",
        "take sslmode out of url"
      ]
      for (const [at, error] of errors.entries()) {
        expect(error.message).toContain(said[at])
        expect(JSON.stringify(error) + String(error.stack)).not.toContain("geheim")
      }
      expect(errors.map(({ retryable }) => retryable)).toEqual([true, false, false, false])
    })
  )
})
