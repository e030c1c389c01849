/** Two thousand events over fifty connections, a fifth of them forged, sent again or cut: the good ones are kept, each once. */
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Inboxes as InboxService } from "#engine/Inbox"
import * as Inboxes from "#engine/Inboxes"
import { randomFrom, seed } from "#testing/specimens"
import { pageEvent, receiving, sign } from "./sending.ts"

const count = 2000
const connections = 50

type Kind = "good" | "forged" | "changed" | "again" | "cut"

it.live(
  `of ${count} events over ${connections} connections exactly the good ones are kept, each once (MILLRACE_SEED=${seed})`,
  () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-inbox-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
      )
      const inboxes = yield* InboxService
      const inbox = yield* inboxes.open("m", folder)
      const { told, url } = yield* receiving(inbox)
      const agent = new Agent({ keepAlive: true, maxSockets: connections })
      const random = randomFrom(seed)
      const bad: ReadonlyArray<Kind> = ["forged", "changed", "again", "cut"]
      const kinds = Array.from({ length: count }, (): Kind => (random(5) === 0 ? (bad[random(4)] ?? "cut") : "good"))
      const good = kinds.flatMap((kind, n) => (kind === "good" ? [n] : []))
      const sendOne = async (kind: Kind, n: number): Promise<void> => {
        const body = pageEvent(`e${n}`, n)
        if (kind === "forged") return expect(await sendTo(agent, url, body, sign(body, "another"))).toBe(401)
        if (kind === "changed")
          return expect(await sendTo(agent, url, body.replace("changed", "removed"), sign(body))).toBe(401)
        if (kind === "cut") return expect(await sendTo(agent, url, body, sign(body), true)).toBe("cut")
        expect(await sendTo(agent, url, body, sign(body))).toBe(200)
      }
      yield* Effect.forEach(
        kinds,
        (kind, n) => Effect.promise(() => sendOne(kind, kind === "again" ? (good[random(good.length)] ?? 0) : n)),
        { concurrency: connections, discard: true }
      )
      agent.destroy()
      const kept = yield* inbox.read(0, { events: count, bytes: 1e9 })

      expect(good.length).toBeLessThan(count)
      expect(kept.map(({ id }) => id).toSorted()).toEqual(good.map((n) => `e${n}`).toSorted())
      for (const { body, id } of kept) expect(body).toBe(pageEvent(id, Number(id.slice(1))))
      expect(told).toHaveLength(good.length)
    }).pipe(Effect.provide(Inboxes.layer))
)

/** The status; or "cut" where half of the body was sent and the connection closed. */
const sendTo = (agent: Agent, url: string, body: string, signature: string, isCut = false): Promise<number | "cut"> =>
  new Promise((done, fail) => {
    const headers = { "x-service-signature": signature, "content-length": Buffer.byteLength(body) }
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume()
      response.once("end", () => done(response.statusCode ?? 0))
    })
    sent.once("error", (error) => (isCut ? done("cut") : fail(error)))
    if (!isCut) return void sent.end(body)
    sent.write(body.slice(0, body.length / 2), () => sent.destroy())
    sent.once("close", () => done("cut"))
  })
