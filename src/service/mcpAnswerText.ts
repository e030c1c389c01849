/**
 * The text of an answer: a part that is not too long for an agent, and how to read the rest.
 *
 * A client gives the whole answer to a model, so long answers are cut. The rest stays at the service for 24 hours, where
 * `millrace_read` reads it.
 */
import type { Outcome } from "./McpTool.ts"

/** About 15,000 tokens. */
export const maxLength = 60_000

/** The arguments of `millrace_read` for the rest of an answer; undefined: only a narrower request gives it. */
type RestArguments = Readonly<Record<string, string | number>>

export const answerText = (
  text: string,
  offset: number,
  place: RestArguments | undefined,
  narrower: string
): Outcome => {
  const start = Math.min(Math.max(0, offset), text.length)
  const end = endOf(text, start + maxLength)
  const part = text.slice(start, end)
  if (start === 0 && end === text.length) return { texts: [part] }
  const shown = `This is a part of the answer: characters ${start} to ${end} of ${text.length}.`
  if (end === text.length) return { texts: [part, `${shown} It is the last part.`] }
  const next =
    place === undefined
      ? narrower
      : `For the rest, call millrace_read with ${JSON.stringify({ ...place, offset: end })}. ${narrower}`
  return { texts: [part, `${shown} ${next}`] }
}

/** Does not cut between two surrogates. */
const endOf = (text: string, end: number): number => {
  if (end >= text.length) return text.length
  const code = text.charCodeAt(end - 1)
  return code >= 0xd8_00 && code <= 0xdb_ff ? end - 1 : end
}
