import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { clusterOptions, mailConfig, webhookSecret } from "#app/serve/serveService"
import { verifyWebhook } from "#contract/readWebhook"
import { receiver, type Told } from "../../service/receiver.ts"
import { page } from "../../service/scriptedSite.ts"
import { inFolder, millrace, start, withSite, write } from "../millrace.ts"

/** What a receiver is told first of a crawl that is started with each of these keys; and all that was printed. */
const crawling = async (keys: ReadonlyArray<string>, ...flags: ReadonlyArray<string>) => {
  const hook = await Effect.runPromise(receiver())
  const told: Array<Told> = []
  let printed = ""
  let kept = ""
  await withSite({ "/": page("home"), "/hook": hook.answer }, async ({ folder, resolve }) => {
    write(
      folder,
      "keys.yaml",
      "keys:",
      "  - { key: fc-a, team: a }",
      "  - { key: fc-b, team: b, webhook_secret: of-b }"
    )
    const { process, ended } = start(folder, "serve", "--port", "0", "--data", "kept", "--resolve", resolve, ...flags)
    const url = await new Promise<string>((done) =>
      process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
    )
    for (const key of keys) {
      await fetch(`${url}/v2/crawl`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({
          url: "http://site.test/",
          webhook: { url: "http://site.test/hook", events: ["started"] }
        })
      })
      told.push(await Effect.runPromise(hook.next))
    }
    process.kill("SIGTERM")
    printed = (await ended).stdout
    kept = flags.includes("--webhook-secret") ? "" : readFileSync(join(folder, "kept/webhook-secret"), "utf8").trim()
  })
  return { told, printed, kept }
}

const verified = ({ body, headers }: Told, secret: string) =>
  verifyWebhook(body, headers["x-service-signature"], Redacted.make(secret))

describe("millrace serve", () => {
  it("signs webhooks with the secret of the key's team, else with the one it was given", async () => {
    const { told, printed } = await crawling(["fc-a", "fc-b"], "--keys", "keys.yaml", "--webhook-secret", "of-all")

    expect(told.map((each) => [verified(each, "of-all"), verified(each, "of-b")])).toEqual([
      [true, false],
      [false, true]
    ])
    expect(printed).not.toContain("of-all")
  })

  it("makes a secret where it is given none, says where it is, and does not print it", async () => {
    const { told, printed, kept } = await crawling(["any"])

    expect(told.map((each) => verified(each, kept))).toEqual([true])
    expect(printed).toContain("webhooks are signed with the secret in kept/webhook-secret")
    expect(printed).not.toContain(kept)
  })

  it("refuses a secret that is empty", () =>
    withSite({}, async ({ folder }) => {
      const { code, stderr } = await millrace(folder, "serve", "--port", "0", "--webhook-secret", "")

      expect(code).toBe(2)
      expect(stderr).toContain("--webhook-secret is empty")
    }))
})

const postgres = Redacted.make("postgres://127.0.0.1/millrace")
const sqlite = Redacted.make("service.sqlite")

describe("--advertise", () => {
  it.effect("is a free port of this machine where nothing is said, and nothing for a SQLite file", () =>
    Effect.gen(function* () {
      expect(yield* clusterOptions(Option.none(), postgres)).toEqual({
        cluster: { advertise: { host: "127.0.0.1", port: 0 } }
      })
      expect(yield* clusterOptions(Option.none(), sqlite)).toEqual({})
    })
  )

  it.effect("is a host and a port; another machine's is listened for on all addresses", () =>
    Effect.gen(function* () {
      expect(yield* clusterOptions(Option.some("10.0.0.5:3100"), postgres)).toEqual({
        cluster: { advertise: { host: "10.0.0.5", port: 3100 }, listen: "0.0.0.0" }
      })
      expect(yield* clusterOptions(Option.some("[::1]:3100"), postgres)).toEqual({
        cluster: { advertise: { host: "::1", port: 3100 } }
      })
    })
  )

  it.effect("is refused in any other form, and without a database that can be shared", () =>
    Effect.gen(function* () {
      for (const text of ["10.0.0.5", "10.0.0.5:", ":3100", "a:b", "10.0.0.5:99999", "http://10.0.0.5:3100"]) {
        const { message } = yield* Effect.flip(clusterOptions(Option.some(text), postgres))
        expect(message).toContain("--advertise takes HOST:PORT")
      }
      const { message } = yield* Effect.flip(clusterOptions(Option.some("10.0.0.5:3100"), sqlite))
      expect(message).toContain("--database postgres://")
    })
  )
})

const said = (smtp: string | undefined, from: string | undefined) =>
  Effect.map(
    Effect.result(
      mailConfig({
        smtp: Option.map(Option.fromUndefinedOr(smtp), (url) => Redacted.make(url)),
        mailFrom: Option.fromUndefinedOr(from)
      })
    ),
    (result) => (result._tag === "Success" ? result.success : `${result.failure.exitCode} ${result.failure.message}`)
  )

it.effect("the mail server of a service is what the flags say, and none where they say nothing", () =>
  Effect.gen(function* () {
    const server = "smtps://mill:s3cret@mail.example.test"

    expect(yield* said(undefined, undefined)).toEqual({})
    expect(yield* said("", "")).toEqual({})
    expect(yield* said(server, "m@example.test")).toMatchObject({ mail: { from: "m@example.test" } })
  })
)

it.effect("half of it, and an address that is none, is told without the password", () =>
  Effect.gen(function* () {
    expect(yield* said("smtp://mail.example.test", undefined)).toContain(
      "2 --smtp and --mail-from must be used together"
    )
    expect(yield* said(undefined, "m@example.test")).toContain("2 --smtp and --mail-from must be used together")
    const wrong = yield* said("http://mill:s3cret@mail.example.test", "m@example.test")
    expect(wrong).toContain("2 --smtp must be an address such as smtp://")
    expect(wrong).not.toContain("s3cret")
  })
)

const ask = async (url: string, method: string, path: string, key?: string, body?: unknown) => {
  const headers = {
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
  }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: await response.json()
  }
}

describe("millrace serve --keys", () => {
  it("gives each team the plan that the file names: scopes, credits, rate", () =>
    withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve }) => {
      const keys = write(
        folder,
        "keys.yaml",
        "plans:",
        "  small: { credits: 20, requests_per_minute: 2, scopes: [crawl] }",
        "keys:",
        "  - { key: fc-small, team: small, plan: small }",
        "  - { key: fc-other, team: other }",
        "keyless: { credits: 5 }"
      )
      const { process, ended } = start(folder, "serve", "--port", "0", "--keys", keys, "--resolve", resolve)
      const url = await new Promise<string>((done) =>
        process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
      )
      const site = "http://site.test/"

      const mapped = await ask(url, "POST", "/v2/map", "fc-small", { url: site })
      const dear = await ask(url, "POST", "/v2/crawl", "fc-small", { url: site })
      const cheap = await ask(url, "POST", "/v2/crawl", "fc-small", { url: site, limit: 2 })
      const third = await ask(url, "POST", "/v2/crawl", "fc-small", { url: site, limit: 2 })
      const theirs = await ask(url, "GET", `/v2/crawl/${cheap.body.id}`, "fc-other")
      const keyless = await ask(url, "POST", "/v2/crawl", undefined, { url: site })
      const nobody = await ask(url, "GET", "/v2/team/credit-usage", "fc-unknown")
      const usage = await ask(url, "GET", "/v2/team/credit-usage", "fc-small")
      process.kill("SIGTERM")
      await ended

      expect([mapped, dear, cheap, third, theirs, keyless, nobody].map(({ status }) => status)).toEqual([
        403, 402, 200, 429, 404, 402, 401
      ])
      expect(dear.body.error).toContain("this may cost 10000, and 20 remain")
      expect(third.body.error).toMatch(/^Rate limit exceeded: retry after \d+ s$/)
      expect(Number(third.retryAfter)).toBeGreaterThan(0)
      expect(usage.body.data.planCredits).toBe(20)
    }))

  it("says everything that is wrong with the file, and does not start", () =>
    inFolder(async (folder) => {
      const keys = write(
        folder,
        "keys.yaml",
        "keys:",
        '  - { key: "${secrets.NONE}", team: a, plan: big }',
        "    # no",
        "plan: 3"
      )

      const { code, stderr } = await millrace(folder, "serve", "--keys", keys, "--port", "0")

      expect(code).toBe(2)
      expect(stderr).toContain("keys.yaml:2:13: the secret NONE is not set")
      expect(stderr).toContain("keys.yaml:4:1: unknown key `plan`")
    }))
})

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-secret-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

describe("the webhook secret of a service", () => {
  it.effect("is made once, in a file that only its owner reads, and is the same ever after", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "webhook-secret")
      const first = Redacted.value(yield* webhookSecret(path))
      const second = Redacted.value(yield* webhookSecret(path))

      expect(first).toMatch(/^[0-9a-f]{64}$/)
      expect(second).toBe(first)
      expect(readFileSync(path, "utf8").trim()).toBe(first)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    })
  )

  it.effect("is another one for another service", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [a, b] = [yield* webhookSecret(join(at, "a")), yield* webhookSecret(join(at, "b"))]

      expect(Redacted.value(a)).not.toBe(Redacted.value(b))
    })
  )

  it.effect("may be written by hand, and is not an empty one, which anybody could sign with", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "webhook-secret")
      writeFileSync(path, "  of-mine\n")
      expect(Redacted.value(yield* webhookSecret(path))).toBe("of-mine")
      writeFileSync(path, "\n")

      expect((yield* Effect.flip(webhookSecret(path))).message).toContain("is empty")
    })
  )

  it.effect("that cannot be kept ends the command with the reason", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "nowhere", "webhook-secret")

      expect((yield* Effect.flip(webhookSecret(path))).message).toMatch(/cannot use the webhook secret: .*nowhere/)
    })
  )
})
