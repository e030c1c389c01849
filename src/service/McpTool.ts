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
export type Progress = (completed: number, total: number | undefined, message: string) => Effect.Effect<void>

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

/** About 15,000 tokens. */
const maxLength = 60_000

/** The arguments of `millrace_read` for the rest of an answer; undefined: only a narrower request gives it. */
type RestArguments = Readonly<Record<string, string | number>>

/**
 * The text of an answer: a part that is not too long for an agent, and how to read the rest.
 *
 * A client gives the whole answer to a model, so long answers are cut. The rest stays at the service for 24 hours, where
 * `millrace_read` reads it.
 */
export const answerText = (
  text: string,
  offset: number,
  restArguments: RestArguments | undefined,
  narrower: string
): Outcome => {
  const start = Math.min(Math.max(0, offset), text.length)
  const end = endOf(text, start + maxLength)
  const part = text.slice(start, end)
  if (start === 0 && end === text.length) return { texts: [part] }
  const shown = `This is a part of the answer: characters ${start} to ${end} of ${text.length}.`
  if (end === text.length) return { texts: [part, `${shown} It is the last part.`] }
  const next =
    restArguments === undefined
      ? narrower
      : `For the rest, call millrace_read with ${JSON.stringify({ ...restArguments, offset: end })}. ${narrower}`
  return { texts: [part, `${shown} ${next}`] }
}

/** Does not cut between two surrogates. */
const endOf = (text: string, end: number): number => {
  if (end >= text.length) return text.length
  const code = text.charCodeAt(end - 1)
  return code >= 0xd8_00 && code <= 0xdb_ff ? end - 1 : end
}
