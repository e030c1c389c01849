/** What a reader of a Delta log finds: the files that are added and not removed, by their paths in the lake. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** `get`: the bytes at a path below the lake, where that is not a folder. */
export const activeIn = (
  lake: string,
  table: string,
  to: number,
  get: (path: string) => Uint8Array = (path) => readFileSync(join(lake, path))
): ReadonlyArray<string> => {
  const active = new Set<string>()
  for (let version = 0; version <= to; version++) {
    const text = new TextDecoder().decode(get(`${table}/_delta_log/${String(version).padStart(20, "0")}.json`))
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
