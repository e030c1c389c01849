/**
 * Which pipeline owns a table of a destination, and why a run of another is refused there.
 *
 * Guarantee: a pipeline replaces and closes only its own rows. A table belongs to the pipeline that wrote it first; a
 * backfill of a pipeline counts as that pipeline. A table is shared if all its pipelines set `shared: true`: only then
 * do its rows have the name of their pipeline.
 */
import { ownerOf, type Plan } from "./SinkPlan.ts"

/**
 * The names that rows of this pipeline may have in `_pipeline`: its own name, and for an interval of a backfill also the
 * name of its pipeline.
 *
 * @example
 * ```ts
 * import { Owner } from "millrace"
 *
 * console.log(Owner.namesOf("docs@20260101T000000Z..20260102T000000Z")[0]) // "docs"
 * ```
 */
export const namesOf = (pipeline: string): ReadonlyArray<string> => [...new Set([ownerOf(pipeline), pipeline])]

/** What is known of a stored table. */
export interface Held {
  /** The pipeline that owns it; undefined: not known. */
  readonly owner: string | undefined
  /** Whether it has the column `_pipeline`. */
  readonly shared: boolean
  /** Whether it can become shared: the destination then gives its stored rows the owner's name. */
  readonly canBecomeShared?: boolean
}

/**
 * Why a plan cannot write its tables; undefined: it can. `destination` is its name in the message. `held` returns
 * what is known of a stored table, and undefined if the destination has no such table.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Owner, Table } from "millrace"
 *
 * const table = Table.make({ name: "pages", description: "pages", schema: Schema.Struct({ url: Schema.String }) })
 * const plan = { pipeline: "news", tables: [{ table, write: "append" as const }] }
 * const held = () => ({ owner: "docs", shared: false })
 * console.log(Owner.fault(plan, "my.duckdb", held)?.split("; ")[0]) // "table pages of my.duckdb belongs to the pipeline docs"
 * console.log(Owner.fault({ ...plan, pipeline: "docs" }, "my.duckdb", held)) // undefined
 * ```
 */
export const fault = (
  plan: Pick<Plan, "pipeline" | "tables" | "shared">,
  destination: string,
  held: (table: string) => Held | undefined,
  wording: {
    /** How messages name a table. */
    readonly tableName?: (table: string) => string
    /** The table of the destination in which a user can record the new name of a pipeline. */
    readonly recordedIn?: string
  } = {}
): string | undefined => {
  for (const { table } of plan.tables) {
    const there = held(table.name)
    if (there === undefined) continue
    const { canBecomeShared = false, owner, shared } = there
    const isOthers = owner !== undefined && owner !== ownerOf(plan.pipeline)
    const what = `table ${wording.tableName?.(table.name) ?? table.name} of ${destination}`
    if (plan.shared === true && shared) continue
    if (plan.shared === true && canBecomeShared) {
      if (!isOthers) continue
      return `${what} belongs to the pipeline ${owner}, which does not share it yet; set shared: true there too, and run ${owner} first, so that its rows get its name`
    }
    if (plan.shared === true) {
      return `${what} ${isOthers ? `belongs to the pipeline ${owner} alone` : "was created without shared: true"}, so its rows do not say which pipeline wrote them; write another table, or another schema, with shared: true from the first run on`
    }
    if (shared) {
      return `${what} is shared by several pipelines; set shared: true here too, or write another table, or another schema`
    }
    if (isOthers) {
      const renamed =
        wording.recordedIn && `; if this pipeline was named ${owner} before, set its new name in ${wording.recordedIn}`
      return `${what} belongs to the pipeline ${owner}; give this pipeline a schema of its own (schema: NAME) or another table, or set shared: true in all pipelines that write it${canBecomeShared ? "" : ", from the first run on"}${renamed ?? ""}`
    }
  }
  return undefined
}
