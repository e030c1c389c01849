import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { hearing, inFolder, start, withSite, write } from "../app/millrace.ts"

const source =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
  "source: { type: crawl, url: 'http://site.test/${env.PART}', scrapeOptions: { headers: { x-token: '${secrets.TOKEN}' } } }"

it("a command has the variables of .env in its folder, and secrets from a file, and those of the environment first", () => {
  const { answer, heard } = hearing("x-token")
  return withSite({ "/docs": answer }, async ({ folder, resolve }) => {
    write(folder, "a.yaml", source, "sinks: { db: { type: duckdb, path: ./out.duckdb } }")
    write(folder, "token", "from a mounted file")
    write(folder, ".env", "PART=docs", "MILLRACE_SECRET_TOKEN_FILE=token", "NODE_OPTIONS=--nonsense", "HOME=/nowhere")

    const run = await start(folder, "run", "a.yaml", "--allow-private", "--resolve", resolve).ended

    expect(run.stderr).not.toContain("nonsense")
    expect(run.code).toBe(0)
    expect(new Set(heard)).toEqual(new Set(["from a mounted file"]))
  })
})

it("a folder of the name .env is not a file of variables", () =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, ".env"))
    const { code, stderr } = await start(folder, "connectors").ended

    expect(stderr).toBe("")
    expect(code).toBe(0)
  }))

it("a file of a key that cannot be read ends the command, which says which", () =>
  inFolder(async (folder) => {
    write(folder, ".env", "MILLRACE_KEYS_FILE=./none")
    const { code, stderr } = await start(folder, "check", "a.yaml").ended

    expect(stderr).toBe(
      "millrace: ./none, which MILLRACE_KEYS_FILE names, cannot be read: ENOENT; name a file that can be read\n"
    )
    expect(code).toBe(2)
  }))
