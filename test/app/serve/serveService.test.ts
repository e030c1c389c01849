import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { verifyWebhook } from "#contract/readWebhook"
import { receiver, type Told } from "../../service/receiver.ts"
import { page } from "../../service/scriptedSite.ts"
import { millrace, start, withSite, write } from "../millrace.ts"

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
