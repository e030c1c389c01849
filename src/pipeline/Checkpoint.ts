/**
 * A checkpoint says "start me here and nothing is missed": where a source stands behind the rows it has emitted.
 *
 * The law: a checkpoint travels in the stream behind the rows it covers and is committed with them, so the rows and
 * the place to go on from can never disagree.
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
