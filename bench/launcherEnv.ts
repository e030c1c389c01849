/** What `bin/millrace` says to the allocators: for what is measured of Millrace without its command line. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const launcherEnv = (): Readonly<Record<string, string>> => {
  const launcher = readFileSync(join(resolve(import.meta.dirname, ".."), "bin/millrace"), "utf8")
  const said = [...launcher.matchAll(/^: "\$\{(\w*MALLOC\w*):=(.*)\}"$/gm)].map(([, name = "", value = ""]) => [
    name,
    value
  ])
  if (said.length === 0) throw new Error("bin/millrace does not say how memory is allocated")
  return Object.fromEntries(said)
}
