import { afterEach, expect, it, vi } from "vitest"
import { file, page } from "../service/scriptedSite.ts"
import { millrace, withSite, write } from "./millrace.ts"

afterEach(() => void vi.unstubAllEnvs())

const shell = file("text/html", '<title>App</title><script src="/app.js"></script><div id="root"></div>')

it("a run says what the service warns of pages that are rows all the same: once, how often, and where first", () =>
  withSite(
    { "/": page("home", "/one", "/two", "/three"), "/one": shell, "/two": shell, "/three": page("three") },
    async ({ folder, resolve }) => {
      const name = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/, maxConcurrency: 1 }",
        "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
      )
      vi.stubEnv("PLAYWRIGHT_CHROMIUM", "/nowhere")
      const run = (...flags: ReadonlyArray<string>) => millrace(folder, "run", name, "--resolve", resolve, ...flags)

      const told = await run()
      const json = await run("--json")

      expect(told.code).toBe(0)
      const warning = told.stdout.split("\n").filter((line) => line.startsWith("  warning: "))
      expect(warning).toEqual([
        expect.stringMatching(
          /^ {2}warning: the page is an empty shell that scripts fill; .* \(2 times, first http:\/\/site\.test\/one\)$/
        )
      ])
      expect(JSON.parse(json.stdout)).toMatchObject({
        status: "done",
        warnings: [{ count: 2, first: "http://site.test/one" }]
      })
    }
  ))
