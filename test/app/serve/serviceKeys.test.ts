import { describe, expect, it } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { inFolder, millrace, start, withSite, write } from "../millrace.ts"

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
