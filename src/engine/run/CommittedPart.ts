/**
 * What a destination keeps instead of a checkpoint while a run still reads and has committed some of its rows.
 *
 * Guarantee: it is committed together with the rows of its answers. If the run is continued, it does not write the rows of
 * these answers to this destination again. A new run begins at the state that is kept with it.
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Checkpoint from "../Checkpoint.ts"
import type * as Sink from "../Sink.ts"

export interface CommittedPart {
  /** How many answers of the run's journal, from the first, the destination has. */
  readonly answers: number
  /** The id of the last run that the destination has completely; null: none. */
  readonly before: string | null
  /** The results of the commits of this run so far, by table. */
  readonly tables: Readonly<Record<string, Sink.TableResult>>
  /** The bytes that those commits wrote. */
  readonly bytes: number
}

export const stored = (runId: string, state: Option.Option<unknown>, part: CommittedPart): Checkpoint.Stored => ({
  runId,
  state: { [name]: part, ...(Option.isSome(state) ? { state: state.value } : {}) }
})

/** The committed part in a checkpoint; undefined: the destination has the whole run of this checkpoint. */
export const of = (checkpoint: Option.Option<Checkpoint.Stored>): CommittedPart | undefined => {
  const state = Option.getOrUndefined(checkpoint)?.state
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `stored` wrote it, and no source has a key of this name
  return Predicate.hasProperty(state, name) ? (state[name] as CommittedPart) : undefined
}

/** Where a new run begins. */
export const startOf = (checkpoint: Option.Option<Checkpoint.Stored>): Option.Option<unknown> =>
  Option.flatMap(checkpoint, ({ state }) => {
    if (!Predicate.hasProperty(state, name)) return Option.some(state)
    return Predicate.hasProperty(state, "state") ? Option.some(state["state"]) : Option.none()
  })

/** The sum of the results of two commits of one run. */
export const add = (
  tables: CommittedPart["tables"],
  more: Readonly<Record<string, Sink.TableResult>>
): CommittedPart["tables"] => {
  const names = new Set([...Object.keys(tables), ...Object.keys(more)])
  return Object.fromEntries(
    [...names].map((table) => {
      const [one, other] = [tables[table] ?? nothing, more[table] ?? nothing]
      const sum: Sink.TableResult = {
        received: one.received + other.received,
        written: one.written + other.written,
        unchanged: one.unchanged + other.unchanged,
        superseded: one.superseded + other.superseded,
        kept: one.kept + other.kept
      }
      return [table, sum]
    })
  )
}

const nothing: Sink.TableResult = { received: 0, written: 0, unchanged: 0, superseded: 0, kept: 0 }

const name = "_committed_part"
