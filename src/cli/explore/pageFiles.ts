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

/** Which modules of the command line the page imports, beside its own. */
const shared = ["sql/completion.ts"]

const sources = join(packageFolder(), "src/cli")
const bundle = join(packageFolder(), "dist/cli/explore/main.js")
const isCheckout = existsSync(join(sources, "explore/page/main.ts"))

/** The script that the page begins with. */
export const entry = isCheckout ? "/app/explore/page/main.ts" : "/app/main.js"

/** The JavaScript at a path; undefined: there is nothing. */
export const scriptAt = (path: string): string | undefined => {
  if (!isCheckout) return path === entry ? readFileSync(bundle, "utf8") : undefined
  const own = readdirSync(join(sources, "explore/page")).map((name) => `explore/page/${name}`)
  // Only names of this list are read, so no path leads out of the folder.
  const name = [...own, ...shared].find((one) => path === `/app/${one}`)
  return name === undefined ? undefined : stripTypeScriptTypes(readFileSync(join(sources, name), "utf8"))
}
