/**
 * A tool that an agent may call by MCP.
 *
 * A tool never fails: a problem is an answer that is marked as an error and says what to do, so that the agent can read it and
 * correct its call.
 */
import type * as Effect from "effect/Effect"

export type Arguments = Readonly<Record<string, unknown>>

export interface Outcome {
  /** The answer, and remarks about it. */
  readonly texts: ReadonlyArray<string>
  readonly isError?: boolean
}

/** Reports progress to the client, if the client has requested that. */
export type Progress = (done: number, total: number | undefined, message: string) => Effect.Effect<void>

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The JSON Schemas of its arguments, and which of them are required. */
  readonly properties: Readonly<Record<string, object>>
  readonly required: ReadonlyArray<string>
  /** Whether all other arguments are passed on to the service, which refuses unknown ones. */
  readonly isPassedOn?: boolean
  /** Whether the tool changes and starts nothing. */
  readonly isReadOnly: boolean
  readonly call: (given: Arguments, progress: Progress) => Effect.Effect<Outcome>
}
