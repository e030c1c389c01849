/**
 * A checkpoint says "start here and nothing is missed": the position of a source after the rows that it has emitted.
 *
 * The law: a checkpoint travels in the stream after the rows that it covers and is committed with them, so the rows and
 * the position of the next run can never disagree.
 */
/** The position of a source: all rows before it have been emitted. */
export interface Checkpoint<State> {
  readonly _tag: "Checkpoint"
  /** What the next run starts from. It must encode to JSON by the schema of the source. */
  readonly state: State
}

/** A checkpoint as a sink keeps it. `state` is the source's state, encoded by its schema to JSON. */
export interface Stored {
  /** The run that committed it. */
  readonly runId: string
  /** The state as JSON; only the source that wrote it can read it. */
  readonly state: unknown
}

/**
 * A checkpoint with the state from which the next run reads. `decode` of a source gives it after the rows that it
 * covers.
 *
 * @example
 * ```ts
 * import { Checkpoint } from "millrace"
 *
 * const checkpoint = Checkpoint.make({ page: 12 })
 * console.log(checkpoint.state.page) // 12
 * ```
 */
export const make = <State>(state: State): Checkpoint<State> => ({ _tag: "Checkpoint", state })
