/**
 * A tool that an agent may call by MCP.
 *
 * A tool never fails: what goes wrong is an answer that is marked as an error and says what to do, since an agent reads answers
 * and can correct itself.
 */
import type * as Effect from "effect/Effect"

export type Arguments = Readonly<Record<string, unknown>>

export interface Outcome {
  /** The answer, and what is to be said about it. */
  readonly texts: ReadonlyArray<string>
  readonly isError?: boolean
}

/** Tells the client how far the work is, where it has asked for that. */
export type Progress = (done: number, total: number | undefined, message: string) => Effect.Effect<void>

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The JSON Schemas of its arguments, and which of them it needs. */
  readonly properties: Readonly<Record<string, object>>
  readonly required: ReadonlyArray<string>
  /** Whether the service is given all other arguments too, and refuses those that it does not know. */
  readonly isPassedOn?: boolean
  /** Whether nothing is changed or started by it. */
  readonly isReadOnly: boolean
  readonly call: (given: Arguments, progress: Progress) => Effect.Effect<Outcome>
}
