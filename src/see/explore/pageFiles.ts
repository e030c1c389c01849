/**
 * The scripts of the page, by their paths.
 *
 * An installed package has them as one file, which `npm run build` makes. A checkout needs no build: it has the TypeScript
 * modules as they are, and their types are removed when they are asked for, as Node does with all other sources.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { packageFolder } from "../packageFolder.ts"

/** Which modules the page imports, beside its own. */
const shared = [
  "see/sql/completion.ts",
  "see/explore/filters.ts",
  "see/explore/findWords.ts",
  "see/explore/gridSql.ts",
  "see/explore/profileSql.ts",
  "see/explore/folderFiles.ts",
  "see/why/evidenceOf.ts",
  "see/why/evidenceRows.ts",
  "engine/ColumnName.ts"
]

const sources = join(packageFolder(), "src")
const bundles = join(packageFolder(), "dist/cli/explore")
const isCheckout = existsSync(join(sources, "see/explore/page/main.ts"))

/** The script that the page begins with. */
export const entry = isCheckout ? "/app/see/explore/page/main.ts" : "/app/main.js"

/** The JavaScript at a path; undefined: there is nothing. */
export const scriptAt = (path: string): string | undefined => {
  if (!isCheckout) return path === entry ? readFileSync(join(bundles, "main.js"), "utf8") : undefined
  // Only names of this list are read, so no path leads out of the folder.
  const name = modules().find((one) => path === `/app/${one}`)
  return name === undefined ? undefined : javaScriptOf(name)
}

/** The scripts of an exported folder: each path in it with its text, the first of the page first. */
export const folderScripts = (): ReadonlyArray<readonly [path: string, text: string]> => {
  if (!isCheckout) return [["app/folder.js", readFileSync(join(bundles, "folder.js"), "utf8")]]
  const first = "see/explore/page/folder.ts"
  return [first, ...modules().filter((name) => name !== first)].map((name) => [
    `app/${inFolder(name)}`,
    // A file server says what a file is by its ending.
    javaScriptOf(name).replaceAll(/(?<=^(?:import|export|\}) .*from ")[^"]+\.ts(?=")/gm, inFolder)
  ])
}

const modules = (): ReadonlyArray<string> => [
  ...readdirSync(join(sources, "see/explore/page")).map((name) => `see/explore/page/${name}`),
  ...shared
]

/** A browser knows no packages of this house: a door of one is named by its path from the module that imports it. */
const javaScriptOf = (name: string): string => {
  const top = "../".repeat(name.split("/").length - 1)
  return stripTypeScriptTypes(readFileSync(join(sources, name), "utf8")).replaceAll(
    /(?<=^(?:import|export|\}) .*from ")#([^"]+)(?=")/gm,
    (_, door) => `${top}${door}.ts`
  )
}

const inFolder = (name: string): string => name.replace(/\.ts$/, ".js")
