import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { hearing, inFolder, millrace, withSite, write } from "./millrace.ts"

const secret = 's3cr3t-"ü\\-nobody-knows'
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is what a file says
const source =
  "source: { type: crawl, url: http://site.test/, scrapeOptions: { headers: { x-token: 'Bearer ${secrets.TOKEN}' } } }"
const notify =
  "notify: [{ type: webhook, url: http://127.0.0.1:1/, headers: { x-hook: '${secrets.TOKEN}' }, on: [failed, changed] }]"
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

/** The secret in every way that a file may hold it: as it is, and in JSON. */
const forms = [secret, JSON.stringify(secret).slice(1, -1), "nobody-knows"].map((text) => Buffer.from(text))

const filesWithSecret = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => forms.some((form) => readFileSync(path).includes(form)))

afterEach(() => {
  delete process.env["MILLRACE_SECRET_TOKEN"]
})

it("a secret in request headers reaches the host, and no file and no line of output of any command", () => {
  const { answer, heard } = hearing("x-token")
  return withSite({ "/": answer }, async ({ folder, resolve }) => {
    process.env["MILLRACE_SECRET_TOKEN"] = "s3cr3t-nobody-knows"
    const file = write(
      folder,
      "a.yaml",
      source,
      notify,
      "checks: [{ rows: { min: 1 } }]",
      "network: { tries: 1 }",
      "sinks: { db: { type: duckdb, path: ./out.duckdb }, lake: { type: parquet, path: ./lake } }"
    )

    const run = await millrace(folder, "run", file, "--json", "--resolve", resolve)
    const { run_id: id } = JSON.parse(run.stdout)
    const others = []
    for (const command of [
      ["preview", file, "--resolve", resolve],
      ["schedule", "run", file, "--resolve", "site.test=127.0.0.1:1"],
      ["plan", file, "--json"],
      ["check", file],
      ["runs", "--json"],
      ["runs", "show", id],
      ["journal", "list", "--json"],
      ["replay", id],
      ["run", file, "--resolve", "site.test=127.0.0.1:1"]
    ]) {
      others.push(await millrace(folder, ...command))
    }

    expect(run.code).toBe(0)
    expect(heard).toContain("Bearer s3cr3t-nobody-knows")
    for (const { stderr, stdout } of [run, ...others]) expect(`${stdout}${stderr}`).not.toContain("nobody-knows")
    expect(filesWithSecret(folder)).toEqual([])
  })
})

it("a secret that cannot be where it stands is told of without its text", () =>
  inFolder(async (folder) => {
    process.env["MILLRACE_SECRET_TOKEN"] = secret
    const bad = write(
      folder,
      "a.yaml",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
      "source: { type: crawl, url: '${secrets.TOKEN}', limit: '${secrets.TOKEN}' }",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
      "service: { url: https://api.example.com, key: ['${secrets.TOKEN}'] }",
      "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
    )

    const { code, stderr, stdout } = await millrace(folder, "check", bad)

    expect(code).toBe(2)
    expect(stderr).toContain("a.yaml:1:29: `source.url` cannot hold a secret")
    expect(`${stdout}${stderr}`).not.toContain("nobody-knows")
  }))
