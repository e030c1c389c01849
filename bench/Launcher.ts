/** How `bin/millrace` starts Node: for what is measured of Millrace without its command line. */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const text = (): string => readFileSync(join(resolve(import.meta.dirname, ".."), "bin/millrace"), "utf8")

export const flags = (): ReadonlyArray<string> => {
  const said = /^flags="(.*)"$/m.exec(text())?.[1]
  if (said === undefined) throw new Error("bin/millrace does not say with which flags it starts Node")
  return said.split(" ")
}

/** What it says to the allocators. */
export const env = (): Readonly<Record<string, string>> => {
  const said = [...text().matchAll(/^: "\$\{(\w*MALLOC\w*):=(.*)\}"$/gm)]
  if (said.length === 0) throw new Error("bin/millrace does not say how memory is allocated")
  return Object.fromEntries(said.map(([, name = "", value = ""]) => [name, value]))
}
