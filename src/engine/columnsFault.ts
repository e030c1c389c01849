/**
 * Why a table cannot have these columns, or a struct these fields.
 *
 * In SQL, a column must have a name, the name cannot contain U+0000, and names that differ only in case are the same. A
 * destination with such columns could not be read, so the engine refuses them before anything is written.
 */
import type { Column, ColumnType } from "./Column.ts"

/** The rest of a message that begins with "table t: "; undefined: the columns have no fault. */
export const columnsFault = (columns: ReadonlyArray<Column>, within = ""): string | undefined => {
  const knownNames = new Map<string, string>()
  for (const { name, type } of columns) {
    const shown = `${within}${name}`
    if (name === "") return `${within === "" ? "a column" : `a field of ${within.slice(0, -1)}`} has no name; name it`
    if (name.includes("\0") || !name.isWellFormed()) {
      return `the name ${JSON.stringify(shown)} has a character that SQL names cannot have; rename it`
    }
    const other = knownNames.get(name.toLowerCase())
    if (other !== undefined) return sameName(`${within}${other}`, shown)
    knownNames.set(name.toLowerCase(), name)
    const fault = fieldsFault(type, `${shown}.`)
    if (fault !== undefined) return fault
  }
  return undefined
}

const fieldsFault = (type: ColumnType, within: string): string | undefined =>
  type._tag === "LIST"
    ? fieldsFault(type.of.type, within)
    : type._tag === "STRUCT"
      ? columnsFault(type.fields, within)
      : undefined

const sameName = (one: string, other: string): string => {
  const own = [one, other].find((name) => ofEngine.has(name))
  return own === undefined
    ? `${one} and ${other} are one name to SQL; rename one`
    : `it has a column ${own}, which Millrace adds; rename that column`
}

const ofEngine: ReadonlySet<string> = new Set(["_run_id", "_pipeline", "_row_id"])
