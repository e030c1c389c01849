/**
 * A tool that an agent may call by MCP.
 *
 * A tool never fails: an error is an answer that is marked as an error and says what to do, so that the agent can read it
 * and correct itself.
 */
import type * as Effect from "effect/Effect"

export type Arguments = Readonly<Record<string, unknown>>

export interface Outcome {
  /** The answer, and notes about it. */
  readonly texts: ReadonlyArray<string>
  readonly isError?: boolean
}

/** Reports progress to the client, if it asked for that. */
export type Progress = (done: number, total: number | undefined, message: string) => Effect.Effect<void>

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The JSON Schemas of its arguments, and which of them it needs. */
  readonly properties: Readonly<Record<string, object>>
  readonly required: ReadonlyArray<string>
  /** Whether all other arguments are passed to the service too, which refuses those that it does not know. */
  readonly isPassedOn?: boolean
  /** Whether it neither changes nor starts anything. */
  readonly isReadOnly: boolean
  readonly call: (given: Arguments, progress: Progress) => Effect.Effect<Outcome>
}
