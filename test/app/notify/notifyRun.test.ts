import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SMTPServer } from "smtp-server"
import { notifyRun } from "#app/notify/notifyRun"
import { verifyWebhook } from "#contract/readWebhook"
import { WebhookPayload } from "#contract/Webhook"
import type { Event, Notify } from "#engine/Notify"
import { Notifier } from "#engine/ScheduleNotifier"
import type { Run } from "#engine/ScheduleStore"
import { task } from "../../engine/schedule/simulated.ts"

const folder = mkdtempSync(join(tmpdir(), "millrace-notify-"))
const received: Array<{ headers: IncomingHttpHeaders; body: Buffer; path: string }> = []
const server = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: await buffer(request), path: request.url ?? "" })
  if (request.url === "/closed") return request.socket.destroy()
  if (request.url === "/moved") return response.writeHead(302, { location: "/hook" }).end()
  response.writeHead(request.url === "/broken" ? 500 : 204).end()
})
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)))
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const run: Run = {
  id: 7,
  task: "nightly",
  due: Date.parse("2026-06-01T02:00Z"),
  makes_up: 0,
  begin_at: 0,
  state: "held",
  attempts: 2,
  attempt_at: 0,
  ended_at: Date.parse("2026-06-01T02:10Z"),
  run_id: "20260601T020000000Z-000001",
  rows: { pages: 1234, page_links: 0 },
  changed: 3,
  message: "pages: rows: 3 <b> of 500 & more"
}
const send = (to: Notify, event: Event = "held") =>
  Effect.provide(
    Effect.flatMap(Notifier, (notifier) =>
      notifier.send(to, {
        id: "e-1",
        event,
        run,
        task: { ...task("nightly", "0 2 * * *"), path: join(folder, "n.yaml") }
      })
    ),
    notifyRun
  )
const at = (path: string) => Redacted.make(`${url()}${path}`)

describe("a webhook", () => {
  it.effect("is signed as every webhook of the house, in its form, with the headers of the file", () =>
    Effect.gen(function* () {
      const secret = Redacted.make("whsec")
      yield* send({
        type: "webhook",
        url: at("/hook"),
        secret,
        headers: { Authorization: Redacted.make("Bearer x"), "Content-Type": Redacted.make("text/plain") }
      })

      const { body, headers }: (typeof received)[number] = received.at(-1) ?? {
        body: Buffer.alloc(0),
        headers: {},
        path: ""
      }
      expect(verifyWebhook(body, headers["x-service-signature"], secret)).toBe(true)
      expect(headers).toMatchObject({ authorization: "Bearer x", "content-type": "application/json" })
      const payload = yield* Schema.decodeUnknownEffect(WebhookPayload)(JSON.parse(body.toString()))
      expect(payload).toMatchObject({
        success: false,
        type: "pipeline.held",
        id: "20260601T020000000Z-000001",
        webhookId: "e-1",
        data: [
          { pipeline: "nightly", status: "held", due: "2026-06-01T02:00:00.000Z", rows: { pages: 1234 }, changed: 3 }
        ],
        error: "pages: rows: 3 <b> of 500 & more"
      })
    })
  )

  it.effect("that is not taken says why, without its address, and follows no redirect", () =>
    Effect.gen(function* () {
      const failure = (path: string) =>
        Effect.map(Effect.flip(send({ type: "webhook", url: at(path) })), ({ message }) => message)
      const before = received.length
      expect(yield* failure("/broken")).toBe("the receiver answered 500, not 2xx")
      expect(yield* failure("/moved")).toBe("the receiver answered 302, not 2xx")
      expect(yield* failure("/closed")).toMatch(
        /^the connection broke before an answer came \((?:UND_ERR_SOCKET|ECONNRESET)\)$/
      )
      expect(received.slice(before).map(({ path }) => path)).toEqual(["/broken", "/moved", "/closed"])
      const gone = createServer()
      const port = yield* Effect.promise(
        () =>
          new Promise<number>((done) =>
            gone.listen(0, "127.0.0.1", () => {
              const { port } = gone.address() as AddressInfo
              gone.close(() => done(port))
            })
          )
      )
      const nobody = send({ type: "webhook", url: Redacted.make(`http://127.0.0.1:${port}/secret`) })
      expect((yield* Effect.flip(nobody)).message).toBe("the receiver cannot be reached (ECONNREFUSED)")
    })
  )
})

it.effect("a message in a channel says what happened and what to do, and nothing in it is markup", () =>
  Effect.gen(function* () {
    yield* send({ type: "slack", url: at("/slack") })

    const { text } = JSON.parse((received.at(-1)?.body ?? Buffer.alloc(0)).toString())
    expect(text.split("\n")[0]).toBe("*nightly is held by a check: pages: rows: 3 &lt;b&gt; of 500 &amp; more*")
    expect(text).toContain("due: 2026-06-01 02:00:00Z, 2 attempts\n")
    expect(text).toContain("pages: 1,234 rows\n")
    expect(text).not.toContain("page_links")
    expect(text).toContain("millrace commit 20260601T020000000Z-000001\n")
  })
)

describe("a command", () => {
  it.effect("runs in the folder of the file, and gets the event", () =>
    Effect.gen(function* () {
      const script = 'cat > told.json; echo "$MILLRACE_EVENT $MILLRACE_PIPELINE $MILLRACE_RUN" > told.txt'
      yield* send({ type: "command", run: ["sh", "-c", script] })

      expect(JSON.parse(readFileSync(join(folder, "told.json"), "utf8"))).toMatchObject({ type: "pipeline.held" })
      expect(readFileSync(join(folder, "told.txt"), "utf8")).toBe("held nightly 20260601T020000000Z-000001\n")
    })
  )

  it.effect("that fails, or is none, says so; one that does not read is fine", () =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "fails.sh"), "echo broken >&2; exit 3\n")
      const failure = (...command: [string, ...Array<string>]) =>
        Effect.map(Effect.flip(send({ type: "command", run: command })), ({ message }) => message)
      expect(yield* failure("sh", "fails.sh")).toBe("sh ended with 3: broken")
      expect(yield* failure("./no-such-program")).toMatch(/^\.\/no-such-program cannot be started: .*ENOENT/)
      yield* send({ type: "command", run: ["true"] })
    })
  )
})

describe("a mail", () => {
  const letters: Array<{ to: ReadonlyArray<string>; text: string }> = []
  const smtp = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: (stream, session, done) => {
      void buffer(stream).then((data) => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        letters.push({ to, text: data.toString() })
        done(to.includes("nobody@b.example") ? new Error("no such mailbox") : null)
      })
    }
  })
  beforeAll(() => new Promise<void>((done) => smtp.listen(0, "127.0.0.1", () => done())))
  afterAll(() => {
    delete process.env["MILLRACE_SMTP_URL"]
    return new Promise<void>((done) => smtp.close(() => done()))
  })

  it.effect("goes to all that the file names, by the server of the environment", () =>
    Effect.gen(function* () {
      const none = yield* Effect.flip(send({ type: "email", to: "a@b.example" }))
      expect(none.message).toBe("no mail server is configured: set MILLRACE_SMTP_URL to smtp://HOST:PORT")

      process.env["MILLRACE_SMTP_URL"] = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
      yield* send({ type: "email", to: ["a@b.example", "c@d.example"] })
      expect(letters.at(-1)?.to).toEqual(["a@b.example", "c@d.example"])
      expect(letters.at(-1)?.text).toContain(
        "Subject: nightly is held by a check: pages: rows: 3 <b> of 500 & more\r\n"
      )
      expect(letters.at(-1)?.text).toContain("millrace drop 20260601T020000000Z-000001\r\n")

      const refused = yield* Effect.flip(send({ type: "email", to: "nobody@b.example" }))
      expect(refused.message).toMatch(/^the mail server refused the e-mail with \d+$/)
    })
  )
})
