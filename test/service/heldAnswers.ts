import * as Effect from "effect/Effect"
import type { Answer } from "./scriptedSite.ts"

/** Answers of a site: the page that is asked for as number `first`, and all after it, wait until they are let go. */
export const heldAnswers = (first: number) => {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let asked = 0
  const held =
    (body: string): Answer =>
    (_request, response) => {
      const answer = () => void response.setHeader("content-type", "text/html; charset=utf-8").end(body)
      if (++asked < first) return answer()
      reached.resolve()
      void released.promise.then(answer)
    }
  return { held, reached: Effect.promise(() => reached.promise), open: Effect.sync(() => released.resolve()) }
}
