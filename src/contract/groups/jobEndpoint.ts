/** The parameters and errors that the endpoints of jobs have in common. */
import * as Schema from "effect/Schema"
import * as Bounds from "../api/Bounds.ts"
import * as Errors from "../Errors.ts"
import * as Limits from "../Limits.ts"

export const jobParams = { id: Schema.String }
/** Selects the documents of a status answer. */
export const pageQuery = {
  skip: Schema.optional(Bounds.whole(0)),
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Limits.maxPageSize })))
}
/** The errors that the endpoints of jobs answer with. */
export const jobErrors = [
  ...Errors.common,
  Errors.NotFound.http,
  Errors.Conflict.http,
  Errors.Unprocessable.http
] as const
