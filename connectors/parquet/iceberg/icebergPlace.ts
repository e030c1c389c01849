/** The Iceberg part of a table in a manifest: if it is an Iceberg table, and the last commit that changed it. */
import { isSameState } from "../delta/deltaPlace.ts"
import type * as Manifest from "../manifest/Manifest.ts"

/** A table that is an Iceberg table too. */
export interface Placed extends Manifest.TableState {
  readonly iceberg: NonNullable<Manifest.TableState["iceberg"]>
}

export const hasIceberg = (state: Manifest.TableState | undefined): state is Placed => state?.iceberg !== undefined

/**
 * The Iceberg part of a table in a manifest; empty if the table is not an Iceberg table. `wanted`: the run's option for its
 * own tables; undefined: as before.
 */
export const icebergAfter = (
  before: Manifest.TableState | undefined,
  after: Manifest.TableState,
  commit: { readonly version: number; readonly id: string; readonly wanted: boolean | undefined }
): Manifest.TableState["iceberg"] => {
  const known = before?.iceberg
  if (commit.wanted === false || (commit.wanted === undefined && known === undefined)) return undefined
  if (before !== undefined && known !== undefined && isSameState(before, after)) return known
  return { id: known?.id ?? commit.id, snapshot: commit.version }
}
