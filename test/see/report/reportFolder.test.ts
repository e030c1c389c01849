import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"

const told = (folder: string): ReadonlyArray<Record<string, string>> =>
  readFileSync(join(folder, "told.txt"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

const files = (check: string): ReadonlyArray<string> => [
  "schedule: { cron: '@daily', report: ./reports }",
  "source: { type: crawl, url: http://site.test/ }",
  "sinks: { db: { type: duckdb, path: ./out.duckdb } }",
  `checks: [{ rows: { min: ${check} } }]`,
  "notify: [{ type: command, run: [./tell.sh], on: [held, failed, changed, recovered] }]"
]

it("a scheduled run writes its report beside those before, keeps the last thirty, and names it in its notices", () =>
  withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve }) => {
    write(folder, "site.yaml", ...files("500"))
    write(
      folder,
      "tell.sh",
      "#!/bin/sh",
      `printf '{"event":"%s","report":"%s","payload":%s}\\n' "$MILLRACE_EVENT" "$MILLRACE_REPORT" "$(cat)" >> told.txt`
    )
    await import("node:fs/promises").then(({ chmod }) => chmod(join(folder, "tell.sh"), 0o755))
    const reports = join(folder, "reports/site")
    await mkdir(reports, { recursive: true })
    for (let n = 10; n < 42; n++) writeFileSync(join(reports, `202501${n}T000000000Z-abcdef.html`), "old")
    writeFileSync(join(reports, "mine.html"), "mine")

    const held = await millrace(folder, "schedule", "run", "site.yaml", "--resolve", resolve)
    write(folder, "site.yaml", ...files("1"))
    const done = await millrace(folder, "schedule", "run", "site.yaml", "--resolve", resolve)

    expect([held.code, done.code]).toEqual([3, 0])
    const names = readdirSync(reports).toSorted()
    const [first, second] = names.filter((name) => name.startsWith("2026"))
    expect(names.filter((name) => /^\d{8}T/.test(name))).toHaveLength(30)
    expect(names).toContain("mine.html")
    expect(names.some((name) => name.endsWith(".tmp"))).toBe(false)
    expect(readFileSync(join(reports, first ?? ""), "utf8")).toContain('class="status bad">held')
    expect(readFileSync(join(reports, "latest.html"), "utf8")).toBe(readFileSync(join(reports, second ?? ""), "utf8"))
    const [notice, later] = told(folder)
    expect(notice).toMatchObject({ event: "held", report: join(reports, first ?? "") })
    expect(notice?.["payload"]).toMatchObject({ data: [{ report: join(reports, first ?? "") }] })
    expect(later).toMatchObject({ event: "recovered", report: join(reports, second ?? "") })
  }))

it("a report that cannot be written leaves its run as it is, and says so", () =>
  withSite({ "/": page("home") }, async ({ folder, resolve }) => {
    write(folder, "site.yaml", ...files("1"))
    write(folder, "reports", "it is a file")
    const { code, stdout } = await millrace(folder, "schedule", "run", "site.yaml", "--resolve", resolve, "--json")

    expect([code, stdout]).toEqual([0, expect.stringContaining("the report was not made")])
  }))
