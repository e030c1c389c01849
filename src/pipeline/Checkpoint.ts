/**
 * A checkpoint says "start here and nothing is missed": the position of a source after the rows that it has emitted.
 *
 * The law: a checkpoint travels in the stream after the rows that it covers and is committed with them, so the rows and
 * the position of the next run can never disagree.
 */
export interface Checkpoint<State> {
  readonly _tag: "Checkpoint"
  readonly state: State
}

/** A checkpoint as a sink keeps it. `state` is the source's state, encoded by its schema to JSON. */
export interface Stored {
  readonly runId: string
  readonly state: unknown
}

export const make = <State>(state: State): Checkpoint<State> => ({ _tag: "Checkpoint", state })
