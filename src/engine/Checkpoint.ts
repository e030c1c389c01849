/**
 * A checkpoint: the position of a source after the rows that it has emitted. A run that starts there misses nothing.
 *
 * Guarantee: a source emits a checkpoint after the rows that it covers, and it is committed with them, so that the stored
 * rows and the position of the next run always agree.
 */
/** The position of a source: all rows before it have been emitted. */
export interface Checkpoint<State> {
  readonly _tag: "Checkpoint"
  /** What the next run starts from. The source's schema of its state must encode it to JSON. */
  readonly state: State
}

/** A checkpoint as a sink stores it. */
export interface Stored {
  /** The run that committed it. */
  readonly runId: string
  /** The state of the source as JSON. Only that source can read it. */
  readonly state: unknown
}

/**
 * Makes a checkpoint with the state from which the next run reads. `decode` of a source returns it after the rows that
 * it covers.
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
