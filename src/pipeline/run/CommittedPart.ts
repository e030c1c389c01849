/**
 * What a destination keeps, in the place of a checkpoint, of a run that has committed some of its rows and still reads.
 *
 * The law: it is committed with the rows that it counts. A continued run does not write the rows of these answers to this
 * destination again; a run that starts again begins where the state says.
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Checkpoint from "../Checkpoint.ts"
import type * as Sink from "../Sink.ts"

export interface CommittedPart {
  /** How many answers of the run's journal are in the destination, from the first. */
  readonly answers: number
  /** The last run that is there as a whole. */
  readonly before: string | null
  /** What the parts of this run did with its rows so far, by table. */
  readonly tables: Readonly<Record<string, Sink.TableResult>>
  /** Bytes that they wrote. */
  readonly bytes: number
}

export const stored = (runId: string, state: Option.Option<unknown>, part: CommittedPart): Checkpoint.Stored => ({
  runId,
  state: { [name]: part, ...(Option.isSome(state) ? { state: state.value } : {}) }
})

/** Undefined: the run of this checkpoint is there as a whole. */
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

/** What two commits of one run did, together. */
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
