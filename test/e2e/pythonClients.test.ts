/** The Python clients of this API, unmodified, against `millrace serve` and the demo site. */
import { execFile, spawnSync } from "node:child_process"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type DemoService, demoService, productOf } from "./demoService.ts"

const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const isThere = spawnSync(python, ["-c", "import firecrawl.v1"]).status === 0
if (!isThere) {
  console.warn(`SKIPPED: ${python} has no firecrawl-py, so the Python clients are not tried (MILLRACE_TEST_PYTHON)`)
}

const home = "http://northmere.example/"
const script = resolve(import.meta.dirname, "clients/python/tryClients.py")

let service: DemoService
let product = ""

describe.skipIf(!isThere)("the Python package firecrawl-py", () => {
  beforeAll(async () => {
    service = await demoService()
    product = await productOf(service)
  })
  afterAll(() => service.stop())

  it("scrapes, crawls, watches, maps, searches, extracts and monitors, and so do its old part and LangChain's loader", async () => {
    const { stdout } = await promisify(execFile)(python, [script, service.url, home, product])
    const got = JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
    const data = { name: expect.any(String), price: expect.any(Number) }

    expect(got).toMatchObject({
      scrape: { markdown: expect.any(Number), json: data, status: 200 },
      crawl: { status: "completed", total: 60, documents: 60 },
      errors: [],
      watcher: ["completed", 60],
      batch: { status: "completed", documents: 2 },
      map: 30,
      search: 3,
      extract: data,
      agent: { name: data.name },
      preview: 10,
      checks: 1,
      deleted: true,
      credits: expect.any(Number),
      unreachable: expect.any(String),
      async: { documents: 5 },
      v1: { documents: 5, links: true, extract: data }
    })
    expect([got.scrape.markdown, got.async.markdown, got.v1.markdown].every((length) => length > 20)).toBe(true)
    if (got.langchain === null) console.warn("SKIPPED: LangChain's loader is not tried: langchain-community is missing")
    else expect(got.langchain).toEqual({ scrape: [expect.any(Number)], crawl: 5, map: true })
  })
})
