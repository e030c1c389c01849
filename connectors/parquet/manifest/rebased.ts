/**
 * The state of a table after a commit, if others have committed since it read the lake. Pure.
 *
 * Guarantee: each writer changes its own rows only, so a commit is the files that it removes and those that it adds. It can
 * follow a newer state of the table that still has every file it removes and the columns that it found. A commit that
 * changes the columns has rewritten the other files, so it can follow a state only if no file was added.
 */
import type { TableState } from "./TableState.ts"

/** `before`: the table that the commit found; `now`: in the newest manifest. Undefined: the commit cannot follow `now`. */
export const rebased = (
  made: TableState,
  before: TableState | undefined,
  now: TableState | undefined
): TableState | undefined => {
  if (now === undefined) return before === undefined ? made : undefined
  const found = before ?? made
  const isAsFound = now.schema_hash === found.schema_hash && now.partition.join() === found.partition.join()
  if (!isAsFound) return undefined
  const pathsBefore = pathsOf(before)
  const has = pathsOf(made)
  const gone = new Set([...pathsBefore].filter((path) => !has.has(path)))
  const left = now.files.filter(({ path }) => !gone.has(path))
  if (left.length + gone.size !== now.files.length) return undefined
  if (made.schema_hash !== found.schema_hash && left.some(({ path }) => !pathsBefore.has(path))) return undefined
  const files = [...left, ...made.files.filter(({ path }) => !pathsBefore.has(path))]
  return {
    ...made,
    files,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0)
  }
}

const pathsOf = (state: TableState | undefined): ReadonlySet<string> => new Set(state?.files.map(({ path }) => path))
