import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { overStdio } from "../../service/mcp/clients.ts"
import { gate } from "../../service/scriptedSite.ts"
import { millrace, start, withSite, write } from "../millrace.ts"

const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1>${body}</main>`
const pipeline = [
  "source: { type: crawl, url: 'http://site.test/', sitemap: skip, scrapeOptions: { formats: [markdown] } }",
  "table: { name: pages, key: url }",
  "sinks: { out: { type: parquet, path: lake } }"
]

/** A site of which one page does not answer until it may. */
const heldSite = () => {
  const held = gate(page("Held", "<p>Held back.</p>"))
  const routes = { "/": page("Home", '<p>Welcome.</p><a href="/held">held</a>'), "/held": held.answer }
  return { held, routes }
}

describe("the tools of pipelines", () => {
  it("end a run whose call is cancelled, with its process, and nothing of it is committed", () => {
    const { held, routes } = heldSite()
    return withSite(routes, async ({ folder, resolve }) => {
      write(folder, "shop.yaml", ...pipeline)
      await overStdio(folder, ["--allow-private", "--resolve", resolve, "shop.yaml"], async ({ tell }) => {
        const cancel = new AbortController()
        const run = tell("millrace_run", {}, { signal: cancel.signal })
        const ended = expect(run).rejects.toThrow("the user changed their mind")
        await Effect.runPromise(held.reached)
        cancel.abort("the user changed their mind")
        await ended
        // The page loses its reader, because nobody is left who wants it.
        await Effect.runPromise(held.left)
        await Effect.runPromise(held.open)
        const { texts } = await tell("millrace_runs", {})

        expect(texts[0]).not.toContain('"status":"done"')
        expect(existsSync(join(folder, "lake", "pages"))).toBe(false)
      })
    })
  })

  it("say so where another process runs the pipeline, and run it when that one has ended", () => {
    const { held, routes } = heldSite()
    return withSite(routes, async ({ folder, resolve }) => {
      write(folder, "shop.yaml", ...pipeline)
      const network = ["--allow-private", "--resolve", resolve]
      const other = start(folder, "run", "shop.yaml", ...network)
      await Effect.runPromise(held.reached)
      await overStdio(folder, [...network, "shop.yaml"], async ({ tell }) => {
        const refused = await tell("millrace_run", {})
        await Effect.runPromise(held.open)
        const { code } = await other.ended
        const run = await tell("millrace_run", {})

        expect(refused.isError).toBe(true)
        expect(refused.texts.join("\n")).toMatch(/shop is being run by process \d+; wait until it ends/)
        expect(refused.texts.join("\n")).toContain("What to do")
        expect(code).toBe(0)
        expect(JSON.parse(run.texts[0] ?? "")).toMatchObject({ status: "done", rows: { pages: 2 } })
      })
    })
  })

  it("show the rows that changed between two loads", () => {
    let price = 3
    const home = page("Tea", '<p>Welcome to the shop.</p><a href="/cake">cake</a>')
    const cake = page("Cake", "<p>Cake costs 4 EUR.</p>")
    return withSite(
      {
        "/": (_request, response) => {
          response.writeHead(200, { "content-type": "text/html" })
          response.end(home.replace("Welcome to the shop.", `Tea costs ${price} EUR.`))
        },
        "/cake": cake
      },
      async ({ folder, resolve }) => {
        write(folder, "shop.yaml", ...pipeline)
        const network = ["--allow-private", "--resolve", resolve]
        await millrace(folder, "run", "shop.yaml", ...network)
        price = 5
        await millrace(folder, "run", "shop.yaml", ...network)
        await overStdio(folder, [...network, "shop.yaml"], async ({ tell }) => {
          const diff = await tell("millrace_diff", { table: "pages" })
          const unknown = await tell("millrace_diff", { table: "teas" })

          expect(diff.isError).toBe(false)
          expect(diff.texts[0]).toContain("Tea costs 5 EUR.")
          expect(diff.texts[0]).toContain("Tea costs 3 EUR.")
          expect(diff.texts[0]).not.toContain("Cake costs")
          expect(unknown.isError).toBe(true)
          expect(unknown.texts.join("\n")).toContain("teas")
        })
      }
    )
  })

  it("ask the loaded tables in SQL, of files as of a lake, and reach nothing else", () =>
    withSite({ "/": page("Home", '<a href="/cake">cake</a>'), "/cake": page("Cake", "4 EUR") }, async (site) => {
      const { folder, resolve } = site
      const sinks = "sinks: { csv: { type: file, path: out, format: csv }, lake: { type: parquet, path: lake } }"
      write(folder, "shop.yaml", ...pipeline.slice(0, 2), sinks)
      write(folder, "secret.txt", "a secret")
      await millrace(folder, "run", "shop.yaml", "--resolve", resolve)
      await overStdio(folder, ["shop.yaml"], async ({ tell }) => {
        const query = "SELECT title, status_code FROM pages ORDER BY title"
        for (const sink of [{}, { sink: "csv" }]) {
          const all = await tell("millrace_sql", { query, ...sink })
          const one = await tell("millrace_sql", { query, limit: 1, ...sink })
          const file = await tell("millrace_sql", { query: "FROM read_text('secret.txt')", ...sink })
          const stdin = await tell("millrace_sql", { query: "-", ...sink })

          expect(all.texts).toEqual(['{"title":"Cake","status_code":200}\n{"title":"Home","status_code":200}'])
          expect(one.texts[0]).toContain("(1 more rows are not shown: a larger limit gives them)")
          expect([file.isError, file.texts.join().includes("a secret")]).toEqual([true, false])
          expect(stdin.isError).toBe(true)
        }
      })
    }))
})
