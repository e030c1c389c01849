/** What a reader of a Delta log finds: the files that are added and not removed, by their paths in the lake. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const activeIn = (lake: string, table: string, to: number): ReadonlyArray<string> => {
  const active = new Set<string>()
  for (let version = 0; version <= to; version++) {
    const text = readFileSync(join(lake, table, "_delta_log", `${String(version).padStart(20, "0")}.json`), "utf8")
    for (const line of text.trim().split("\n")) {
      const { add, remove } = JSON.parse(line)
      if (add) active.add(`${table}/${decodeURIComponent(add.path)}`)
      if (remove && !active.delete(`${table}/${decodeURIComponent(remove.path)}`)) {
        throw new Error(`version ${version} removes ${remove.path}, which is not there`)
      }
    }
  }
  return [...active].sort()
}
