import { expect, it } from "vitest"
import { page } from "../service/scriptedSite.ts"
import { inFolder, start, withSite, write } from "./millrace.ts"

const source =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what a file says
  "source: { type: crawl, url: 'http://site.test/${env.PART}', scrapeOptions: { headers: { x-token: '${secrets.TOKEN}' } } }"

it("a command has the variables of .env in its folder, and secrets from a file, and those of the environment first", () => {
  const seen: Array<unknown> = []
  const home = (
    request: { headers: Record<string, unknown> },
    response: { setHeader: (name: string, value: string) => void; end: (text: string) => void }
  ) => {
    seen.push(request.headers["x-token"])
    response.setHeader("content-type", "text/html")
    response.end(String(page("home")))
  }
  return withSite({ "/docs": home }, async ({ folder, resolve }) => {
    write(folder, "a.yaml", source, "sinks: { db: { type: duckdb, path: ./out.duckdb } }")
    write(folder, "token", "from a mounted file")
    write(folder, ".env", "PART=docs", "MILLRACE_SECRET_TOKEN_FILE=token", "NODE_OPTIONS=--nonsense", "HOME=/nowhere")

    const run = await start(folder, "run", "a.yaml", "--allow-private", "--resolve", resolve).ended

    expect(run.stderr).not.toContain("nonsense")
    expect(run.code).toBe(0)
    expect(new Set(seen)).toEqual(new Set(["from a mounted file"]))
  })
})

it("a file of a key that cannot be read ends the command, which says which", () =>
  inFolder(async (folder) => {
    write(folder, ".env", "MILLRACE_KEYS_FILE=./none")
    const { code, stderr } = await start(folder, "check", "a.yaml").ended

    expect(stderr).toBe(
      "millrace: ./none, which MILLRACE_KEYS_FILE names, cannot be read: ENOENT; name a file that can be read\n"
    )
    expect(code).toBe(2)
  }))
