import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { afterEach, expect, it } from "vitest"
import { type Answer, page } from "../service/scriptedSite.ts"
import { hearing, inFolder, millrace, query, withSite, write } from "./millrace.ts"

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

/** The bytes of a file, or what its frames hold. */
const contents = (path: string): Buffer => {
  let bytes = readFileSync(path)
  if (!path.endsWith(".zst")) return bytes
  const texts: Array<Buffer> = []
  // Before each frame is one that zstd skips, with the length of the next.
  while (bytes.length > 16) {
    const end = 16 + bytes.readUInt32LE(8)
    texts.push(zstdDecompressSync(bytes.subarray(16, end)))
    bytes = bytes.subarray(end)
  }
  return Buffer.concat(texts)
}

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

it("a secret is not read as a variable of the environment, where nothing would hide it", () =>
  inFolder(async (folder) => {
    process.env["MILLRACE_SECRET_TOKEN"] = secret
    const bad = write(
      folder,
      "a.yaml",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
      "source: { type: crawl, url: 'http://site.test/?t=${env.MILLRACE_SECRET_TOKEN}' }",
      "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
    )

    const { code, stderr } = await millrace(folder, "check", bad)

    expect(code).toBe(2)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
    expect(stderr).toMatch(/a\.yaml:1:\d+: MILLRACE_SECRET_TOKEN is a secret[^]*hint: write \$\{secrets\.TOKEN\}/)
  }))

it("a secret that a site sends back stands in no column of addresses, no file of a run and no line of output", () => {
  const token = "s3cr3t/nobody-knows+it"
  const forms = [token, encodeURIComponent(token), Buffer.from(token).toString("base64"), "nobody-knows"]
  const asked: Array<string> = []
  const to =
    (location: string): Answer =>
    (_, response) =>
      response.writeHead(302, { location }).end()
  const noting: Answer = (request, response) => {
    asked.push(request.url ?? "")
    response.writeHead(200, { "content-type": "text/html" })
    response.end(
      `<title>landed</title><p>A page with some words. <a href="/next?k=${encodeURIComponent(token)}">next</a>`
    )
  }
  const routes = {
    "/": page("home", "/plain", "/encoded", "/base64", "/loop", "/mail"),
    "/plain": to(`/landed/a?t=${token}`),
    "/encoded": to(`/landed/b?t=${encodeURIComponent(token)}`),
    "/base64": to(`/landed/c?t=${Buffer.from(`user:${token}`).toString("base64url")}`),
    "/landed/a": noting,
    "/landed/b": noting,
    "/landed/c": noting,
    "/next": noting,
    "/loop": to(`/loop?t=${encodeURIComponent(token)}`),
    "/mail": to(`mailto:${token}@example.com`)
  }
  return withSite(routes, async ({ folder, resolve }) => {
    process.env["MILLRACE_SECRET_TOKEN"] = token
    const file = write(
      folder,
      "a.yaml",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
      "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [links], headers: { x-token: '${secrets.TOKEN}' } } }",
      "checks: [{ whole: 50% }]",
      "sinks: { db: { type: duckdb, path: ./out.duckdb }, files: { type: file, format: jsonl, path: ./files } }"
    )
    const run = await millrace(folder, "run", file, "--json", "--resolve", resolve)
    const { run_id: id } = JSON.parse(run.stdout)
    const shown = await millrace(folder, "runs", "show", id)
    const why = await millrace(folder, "report", file)
    const urls = await query(join(folder, "out.duckdb"), "SELECT url FROM pages WHERE url LIKE '%landed%' ORDER BY url")

    expect([run.code, run.stderr.includes("nobody-knows")]).toEqual([0, false])
    // The site gets what it has asked for.
    expect(asked.filter((url) => forms.some((form) => url.includes(form)))).toHaveLength(2)
    expect(urls.map(({ url }) => url)).toEqual([
      expect.stringMatching(/a\?t=(\[|%5B)redacted/),
      expect.stringMatching(/b\?t=(\[|%5B)redacted/),
      expect.stringMatching(/c\?t=.*(\[|%5B)redacted/)
    ])
    for (const { stderr, stdout } of [run, shown, why]) expect(`${stdout}${stderr}`).not.toContain("nobody-knows")
    const holding: Array<string> = []
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && forms.some((form) => contents(path).includes(form))) holding.push(relative(folder, path))
    }
    // What a page says is kept in the journal as its site wrote it: here, where the page links to.
    expect(holding).toEqual([expect.stringMatching(/blocks\.zst$/)])
  })
})
