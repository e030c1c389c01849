/** Why a question has no answer, and where in its SQL that is, if the database says it. */
import type { TextPlace } from "../ExploreApi.ts"

export class AnswerError extends Error {
  readonly place: TextPlace | undefined

  constructor(message: string, place: TextPlace | undefined) {
    super(message)
    this.name = "AnswerError"
    this.place = place
  }
}
