/** Whether a table is an Iceberg table too, and which commit changed it last. */
import { isSameState } from "../delta/deltaPlace.ts"
import type * as Manifest from "../lake/Manifest.ts"

/** A table that is an Iceberg table too. */
export interface Placed extends Manifest.TableState {
  readonly iceberg: NonNullable<Manifest.TableState["iceberg"]>
}

export const hasIceberg = (state: Manifest.TableState | undefined): state is Placed => state?.iceberg !== undefined

/**
 * What a manifest says of a table: nothing where it is not an Iceberg table. `wanted`: what the run says of its own tables;
 * undefined: as before.
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
