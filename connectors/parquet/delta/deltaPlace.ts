/** Where a table is in its Delta log: a version for each state that differs from the one before. */
import type * as Manifest from "../manifest/Manifest.ts"

/**
 * The version of a table's log after a commit: the next one if the table changed, if the log has later versions, if it may
 * have bounds of some columns, or if nothing guards its versions.
 */
export const placeAfter = (
  before: Manifest.TableState | undefined,
  after: Manifest.TableState,
  head: number,
  id: string
): NonNullable<Manifest.TableState["delta"]> => {
  const known = before?.delta
  const isThere = known?.bounds === false && known.digests !== undefined && head <= known.version
  if (before !== undefined && isThere && isSameState(before, after)) return known
  return { id: known?.id ?? id, version: Math.max(head, known?.version ?? -1) + 1, bounds: false }
}

export const headOf = (heads: ReadonlyMap<string, number>, table: string): number => heads.get(table) ?? -1

/** Whether two states of a table are the same to a reader: the same columns and the same files. */
export const isSameState = (one: Manifest.TableState, other: Manifest.TableState): boolean => {
  if (one.schema_hash !== other.schema_hash || one.partition.join() !== other.partition.join()) return false
  if (one.files.length !== other.files.length) return false
  const paths = new Set(one.files.map(({ path }) => path))
  return other.files.every(({ path }) => paths.has(path))
}
