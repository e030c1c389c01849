/**
 * The scripts of the page, by their names.
 *
 * An installed package has them as files, which `npm run build` makes. A checkout needs no build: it makes them in memory, once,
 * when somebody first asks for one.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import { failed } from "../CliFailure.ts"
import { packageFolder } from "../packageFolder.ts"

/** The text of each file. */
type Files = Readonly<Record<string, string>>

/** The script that the page begins with. */
export const entry = "/app/main.js"

/** All files: the scripts, and the licences of the packages that are in them. */
const pageFiles = Effect.suspend(() =>
  Effect.tryPromise({
    try: () => (files ??= readFiles()),
    catch: (cause) => {
      files = undefined
      const reason = cause instanceof Error ? cause.message : String(cause)
      return failed(`the scripts of the page cannot be made: ${reason}; in a checkout, run npm ci`)
    }
  })
)

/** The JavaScript at a path; undefined: there is nothing. */
export const scriptAt = (path: string) =>
  Effect.map(pageFiles, (files) => {
    const name = path.startsWith("/app/") ? path.slice("/app/".length) : ""
    // Only names that are in the list lead to a file.
    return name.endsWith(".js") && Object.hasOwn(files, name) ? files[name] : undefined
  })

/** The files of an exported folder: each path in it with its text, the first script of the page first. */
export const folderFiles = Effect.map(pageFiles, (files): ReadonlyArray<readonly [path: string, text: string]> => {
  const first = "folder.js"
  const names = Object.keys(files).filter((name) => name !== first && name !== "main.js")
  return [first, ...names].map((name) => [`app/${name}`, files[name] ?? ""])
})

/** Makes them before somebody asks: who opens the page then has not to wait. */
export const preparePage = Effect.ignore(pageFiles)

let files: Promise<Files> | undefined

const readFiles = async (): Promise<Files> => {
  const script = join(packageFolder(), "scripts/pageBundle.ts")
  if (existsSync(script)) {
    // It needs packages that only a checkout has, so no import of this package may name it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file of this checkout exports this
    const made = (await import(pathToFileURL(script).href)) as { bundlePage: () => Promise<{ readonly files: Files }> }
    return (await made.bundlePage()).files
  }
  const folder = join(packageFolder(), "dist/cli/explore")
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))
}
