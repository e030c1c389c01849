/**
 * Which pipeline a table of a destination belongs to, and why another's run is refused there.
 *
 * The law: what a pipeline replaces and closes are its own rows. A table belongs to the pipeline that wrote it first; a
 * backfill of a pipeline is that pipeline. Tables are shared by those that all say so, from the first on: only then do
 * rows say whose they are.
 */
import { ownerOf, type Plan } from "./SinkPlan.ts"

/** What rows of this pipeline may have in `_pipeline`. */
export const namesOf = (pipeline: string): ReadonlyArray<string> => [...new Set([ownerOf(pipeline), pipeline])]

/** What is known of a table that is there. */
export interface Held {
  /** The pipeline that it belongs to, where that is known. */
  readonly owner: string | undefined
  /** Whether it has `_pipeline`. */
  readonly shared: boolean
}

/** Why a plan cannot write these tables of a place, if so. */
export const fault = (
  plan: Pick<Plan, "pipeline" | "tables" | "shared">,
  place: string,
  held: (table: string) => Held | undefined
): string | undefined => {
  for (const { table } of plan.tables) {
    const there = held(table.name)
    if (there === undefined) continue
    const isOthers = there.owner !== undefined && there.owner !== ownerOf(plan.pipeline)
    const what = `table ${table.name} of ${place}`
    if (plan.shared === true && !there.shared) {
      return `${what} ${isOthers ? `belongs to the pipeline ${there.owner} alone` : "was made without shared: true"}, so its rows do not say which pipeline wrote them; write another table, or another schema, with shared: true from the first run on`
    }
    if (plan.shared !== true && there.shared) {
      return `${what} is shared by several pipelines; say shared: true here too, or write another table, or another schema`
    }
    if (plan.shared !== true && isOthers) {
      return `${what} belongs to the pipeline ${there.owner}; give this pipeline a schema of its own (schema: NAME) or another table, or let all that write it say shared: true from the first run on`
    }
  }
  return undefined
}
