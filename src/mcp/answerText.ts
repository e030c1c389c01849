/**
 * The text of an answer: what an agent can take in at once, and how it reads the rest.
 *
 * A client puts the whole answer before a model, so it is cut; what was cut stays at the service for 24 hours, and
 * `millrace_read` reads it from there.
 */
import type { Outcome } from "./McpTool.ts"

/** About 15,000 tokens. */
export const maxLength = 60_000

/** Where the rest of an answer stands; undefined: only a narrower question gives it. */
export type Place = Readonly<Record<string, string | number>>

export const answerText = (text: string, offset: number, place: Place | undefined, narrower: string): Outcome => {
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

/** A pair of surrogates stays together. */
const endOf = (text: string, end: number): number => {
  if (end >= text.length) return text.length
  const code = text.charCodeAt(end - 1)
  return code >= 0xd8_00 && code <= 0xdb_ff ? end - 1 : end
}
