import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { overStdio } from "../../service/mcp/clients.ts"
import { command, inFolder, millrace, withSite, write } from "../millrace.ts"

const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1>${body}</main>`
const routes = {
  "/": page("Home", `<p>Welcome to the shop.</p><a href="/a">a</a><a href="/b">b</a><a href="/long">long</a>`),
  "/a": page("Tea", "<p>Tea costs 3 EUR.</p>"),
  "/b": page("Cake", "<p>Cake costs 4 EUR.</p>"),
  "/long": page("Long", `<p>${"words ".repeat(20_000)}</p>`)
}

interface Said {
  readonly id: number | null
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: { readonly serverInfo?: { readonly name: string } }
}

/** Sends lines to the server, and gives its answers: one to each. */
const speak = (folder: string, lines: ReadonlyArray<string>) =>
  new Promise<ReadonlyArray<Said>>((resolve, reject) => {
    const server = spawn(command, ["mcp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] })
    let text = ""
    server.on("error", reject)
    server.stdout.on("data", (data: Buffer) => {
      text += data.toString()
      if (text.split("\n").length > lines.length) server.stdin.end()
    })
    server.on("close", () =>
      resolve(
        text
          .trim()
          .split("\n")
          .map((line): Said => JSON.parse(line))
      )
    )
    server.stdin.write(lines.map((line) => `${line}\n`).join(""))
  })

describe("millrace mcp", () => {
  it("reads pages for the official client, and stdout has the protocol alone", async () => {
    await withSite(routes, ({ folder, resolve }) =>
      overStdio(folder, ["--allow-private", "--resolve", resolve], async ({ client, tell }) => {
        const names = (await client.listTools()).tools.map(({ name }) => name)
        const page = await tell("firecrawl_scrape", { url: "http://site.test/a" })
        const map = await tell("firecrawl_map", { url: "http://site.test/" })
        const wrong = await tell("firecrawl_scrape", { url: "tea" })
        const unknown = await tell("firecrawl_check_crawl_status", { id: "01a212f7-c4b8-7d1d-8237-9de3314c49ab" })

        expect(names).toContain("firecrawl_crawl")
        expect(names.filter((name) => /run|plan/.test(name))).toEqual([])
        expect(JSON.parse(page.texts[0] ?? "").markdown).toContain("Tea costs 3 EUR.")
        expect(map.texts[0]).toContain("http://site.test/b")
        expect(wrong.isError).toBe(true)
        expect(wrong.texts[0]).toMatch(/^400 Invalid URL.*\n.*\nWhat to do: change the arguments/s)
        expect(unknown.texts[0]).toMatch(/^404 .*What to do: check the id/s)
      })
    )
  })

  it("answers what is no message as over HTTP, and goes on", async () => {
    await inFolder(async (folder) => {
      const initialize = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
      }
      const sent = ["{broken", "[".repeat(101), `"${"x".repeat(20_000_000)}"`, "[]", JSON.stringify(initialize)]
      const answers = await speak(folder, sent)

      expect(
        answers.map(({ error, id, result }) => [id, error?.code, error?.message ?? result?.serverInfo?.name])
      ).toEqual([
        [null, -32_700, expect.stringMatching(/^Bad Request: the message is not valid JSON: /)],
        [null, -32_600, "Bad Request: the message is nested deeper than 100 levels"],
        [null, -32_600, "Payload Too Large: a message takes at most 10 MB"],
        [null, -32_600, expect.stringMatching(/an array of several is not accepted/)],
        [1, undefined, "millrace"]
      ])
    })
  })

  it("says what its tools answer, and answers so", async () => {
    await withSite(routes, ({ folder, resolve }) =>
      overStdio(folder, ["--allow-private", "--resolve", resolve], async ({ client }) => {
        const { tools } = await client.listTools()
        const map = await client.callTool({ name: "firecrawl_map", arguments: { url: "http://site.test/" } })

        expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
        expect(map.structuredContent).toMatchObject({ notes: [], answer: { success: true } })
      })
    )
  })

  it("makes the folder of its data, and refuses one that cannot be made", async () => {
    await withSite(routes, async ({ folder, resolve }) => {
      await overStdio(folder, ["--data", "./new/deep", "--allow-private", "--resolve", resolve], async ({ tell }) => {
        const page = await tell("firecrawl_scrape", { url: "http://site.test/a" })
        expect(JSON.parse(page.texts[0] ?? "").markdown).toContain("Tea costs 3 EUR.")
      })
      expect(existsSync(join(folder, "new/deep/service.sqlite"))).toBe(true)

      write(folder, "file", "no folder")
      const { code, stderr } = await millrace(folder, "mcp", "--data", "./file/data")
      expect([code, stderr]).toEqual([1, expect.stringContaining("cannot make the folder ./file/data: ")])
    })
  })

  it("crawls with progress, and reads on where an answer is cut", async () => {
    await withSite(routes, ({ folder, resolve }) =>
      overStdio(folder, ["--allow-private", "--resolve", resolve], async ({ tell }) => {
        const told: Array<number> = []
        const crawl = await tell(
          "firecrawl_crawl",
          { url: "http://site.test/", limit: 4, delay: 0.6 },
          { onprogress: ({ progress }) => told.push(progress) }
        )
        const next = JSON.parse(/millrace_read with (\{.*?\})/.exec(crawl.texts[1] ?? "")?.[1] ?? "{}")
        const rest = await tell("millrace_read", next)

        expect(told.length).toBeGreaterThan(0)
        expect(told).toEqual(told.toSorted((a, b) => a - b))
        expect(next).toMatchObject({ of: "crawl", offset: 60_000 })
        expect(crawl.texts[0]).toContain(`"status":"completed","total":4,"completed":4`)
        expect(rest.texts[0]).toMatch(/^[^"]{50000}/)
        expect(rest.texts[1]).toContain("characters 60000 to 120000 of")
      })
    )
  })

  it("checks, plans and runs the pipelines of its start, and no others", async () => {
    await withSite(routes, async ({ folder, resolve }) => {
      const shop = ["source: { type: crawl, url: 'http://site.test/', limit: 4 }", "table: { name: pages, key: url }"]
      write(folder, "shop.yaml", ...shop, "sinks: { out: { type: duckdb, path: shop.duckdb } }")
      write(folder, "other.yaml", ...shop, "sinks: { out: { type: duckdb, path: other.duckdb } }")
      write(folder, "bad.yaml", "source: { type: crawl, url: 'http://site.test/', limits: 4 }")
      await overStdio(folder, ["--allow-private", "--resolve", resolve, "shop.yaml", "bad.yaml"], async ({ tell }) => {
        const check = await tell("millrace_check", {})
        const plan = await tell("millrace_plan", { file: "shop.yaml" })
        const run = await tell("millrace_run", { file: "shop.yaml", once: "monday" })
        const again = await tell("millrace_run", { file: "shop.yaml", once: "monday" })
        const runs = await tell("millrace_runs", { file: "shop.yaml" })
        const other = await tell("millrace_run", { file: "other.yaml" })

        expect(check.isError).toBe(true)
        expect(check.texts.join("\n")).toMatch(/shop\.yaml: OK[^]*bad\.yaml:1:\d+/)
        expect(JSON.parse(plan.texts[0] ?? "")).toMatchObject({ pipeline: "shop", source: "crawl" })
        expect(JSON.parse(run.texts[0] ?? "")).toMatchObject({ status: "done", rows: { pages: 4 } })
        expect(JSON.parse(again.texts[0] ?? "")).toMatchObject({ already_done: true })
        expect(JSON.parse(runs.texts[0] ?? "")).toMatchObject({ pipeline: "shop", status: "done" })
        expect(other).toEqual({
          isError: true,
          texts: [
            expect.stringContaining("file must be one of those that this server was started with: shop.yaml, bad.yaml")
          ]
        })
      })
    })
  })

  it("refuses a file that does not exist before it serves", async () => {
    await inFolder(async (folder) => {
      const { code, stderr } = await millrace(folder, "mcp", "no.yaml")

      expect([code, stderr]).toEqual([2, "no.yaml: there is no such file\n"])
    })
  })
})
