/**
 * The pages of the Markdown claim: what two Debian packages of manuals install, and the built sites of a folder where
 * MILLRACE_BENCH_SITES names one.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"

export const folders: ReadonlyArray<string> = [
  "/usr/share/doc/postgresql-doc-15/html",
  "/usr/share/doc/python3.11/html",
  ...(process.env["MILLRACE_BENCH_SITES"] ?? "").split(":").filter((folder) => folder !== "")
]

export interface Listed {
  readonly file: string
  readonly url: string
}

/** Every nth page of each folder, in the order of their names. */
export const list = (every: number): ReadonlyArray<Listed> =>
  folders.filter(existsSync).flatMap((folder, at) =>
    readdirSync(realpathSync(folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".html"))
      .sort()
      .filter((_, index) => index % every === 0)
      .map((name) => ({ file: join(folder, name), url: `https://folder${at}.example/${encodeURI(name)}` }))
  )

export const read = (listed: ReadonlyArray<Listed>) =>
  listed.map(({ file, url }) => ({ body: readFileSync(file), url }))
