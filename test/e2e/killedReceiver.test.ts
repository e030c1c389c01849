/**
 * A real receiver, killed with SIGKILL again and again while events come: what it answered with 2xx is in its inbox, and
 * the table has every event once, however often the sender repeated it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Inboxes from "#engine/Inboxes"
import { randomFrom, seed } from "#testing/specimens"
import { query } from "../app/millrace.ts"
import { pageEvent, sign } from "../engine/inbox/sending.ts"
import { timesOf } from "../thoroughness.ts"
import { receivingProcess, secret } from "./receivingProcess.ts"

const count = timesOf(300, 900, 900)
const kills = timesOf(1, 2, 4)
const random = randomFrom(seed)

/** Numbers of the events that an inbox on the disk holds. */
const inInbox = (folder: string): ReadonlySet<string> => {
  const database = new DatabaseSync(Inboxes.fileOf("mill", folder), { readOnly: true })
  try {
    return new Set(
      database
        .prepare("SELECT id FROM bodies")
        .all()
        .map(({ id }) => String(id))
    )
  } finally {
    database.close()
  }
}

it.live(
  `a receiver that is killed ${kills} times has every event that it answered, and the table has each once (MILLRACE_SEED=${seed})`,
  () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-receiver-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
      )
      writeFileSync(
        join(folder, "mill.yaml"),
        "source: { type: monitor, by: webhook, monitor: mill }\nsinks: { db: { type: duckdb, path: ./out.duckdb, write: append } }\n"
      )
      const receive = Effect.fnUntraced(function* (port: number) {
        const scope = yield* Scope.make()
        const receiver = yield* Scope.provide(
          receivingProcess(folder, "mill.yaml", `--port=${port}`, "--gather=1s"),
          scope
        )
        return { ...receiver, kill: Effect.andThen(receiver.end("SIGKILL"), Scope.close(scope, Exit.void)) }
      })

      const answered = new Set<string>()
      let repeated = 0
      let receiver = yield* receive(0)
      const { url } = receiver
      let back = Promise.withResolvers<void>()
      /** Called at each answer. */
      let onAnswer = () => {}
      const send = async (n: number): Promise<void> => {
        const body = pageEvent(`e${n}`, n)
        const headers = { "x-service-signature": sign(body, secret) }
        for (;;) {
          const { promise } = back
          const response = await fetch(url, { method: "POST", headers, body }).catch(() => undefined)
          if (response?.ok === true) break
          repeated += 1
          await promise
        }
        answered.add(`e${n}`)
        onAnswer()
      }
      const sending = yield* Effect.forkScoped(
        Effect.forEach(
          Array.from({ length: count }, (_, n) => n),
          (n) => Effect.promise(() => send(n)),
          { concurrency: 20, discard: true }
        )
      )
      const losses: Array<string> = []
      for (let nth = 1; nth <= kills; nth++) {
        const at = nth * (count / (kills + 1)) + random(40)
        yield* Effect.promise(
          () => new Promise<void>((done) => (onAnswer = () => (answered.size >= at ? done() : undefined)))
        )
        yield* receiver.kill
        const before = [...answered]
        const kept = inInbox(folder)
        losses.push(...before.filter((id) => !kept.has(id)))
        receiver = yield* receive(Number(new URL(url).port))
        const { resolve } = back
        back = Promise.withResolvers<void>()
        resolve()
      }
      yield* Effect.promise(() => new Promise<void>((done) => sending.addObserver(() => done())))
      const all = inInbox(folder)
      // The last life loads what the others left; a run of a life before may have taken its part.
      const loaded = () =>
        query(
          join(folder, "out.duckdb"),
          "SELECT count(*)::INTEGER AS n, count(DISTINCT url)::INTEGER AS urls FROM page_changes"
        )
      let lines = 0
      for (;;) {
        const said = yield* receiver.until((text) => text.split(": done in").length - 1 > lines)
        lines = said.split(": done in").length - 1
        const [row] = yield* Effect.promise(() => loaded().catch(() => []))
        if (Number(row?.["urls"] ?? 0) === count) break
      }
      yield* receiver.end("SIGTERM")

      expect(losses).toEqual([])
      expect(all.size).toBe(count)
      expect(repeated).toBeGreaterThan(0)
      expect(yield* Effect.promise(loaded)).toEqual([{ n: count, urls: count }])
    })
)
