/**
 * The answer to a request that does not fit the contract: 400 with one detail per field (specification, Errors).
 */
import * as Effect from "effect/Effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as SchemaIssue from "effect/SchemaIssue"
import { Validation } from "#contract/Api"
import { BadRequest, type Detail } from "#contract/Errors"
import * as HttpUrl from "#contract/HttpUrl"

export const layer = HttpApiMiddleware.layerSchemaErrorTransform(Validation, (error) => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.fail(error) // our own answer does not fit: 500
  return Effect.fail(refusal(error.cause.issue))
})

/** The answer to any value that does not fit its schema. */
export const refusal = (issue: SchemaIssue.Issue): BadRequest => {
  const details = toDetails(issue)
  return new BadRequest({ message: summary(details), details })
}

/** The maximum number of details in an answer, so that a body full of mistakes does not get a longer answer. */
const maxDetails = 100

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "UnexpectedKey"
      ? "unknown field"
      : issue._tag === "MissingKey"
        ? "is missing"
        : plain(SchemaIssue.defaultLeafHook(issue))
})

const toDetails = (issue: SchemaIssue.Issue): ReadonlyArray<Detail> =>
  format(issue)
    .issues.slice(0, maxDetails)
    .map(({ message, path }) => ({
      path: (path ?? []).map((step) => {
        const key = typeof step === "object" ? step.key : step
        return typeof key === "number" ? key : String(key)
      }),
      message: plain(message)
    }))

/**
 * "Expected array | null" becomes "must be an array". Null means an absent value, so it is not advised.
 */
const plain = (message: string): string => {
  if (!message.startsWith("Expected ")) return message
  const choices = new Set(message.slice("Expected ".length).split(" | "))
  if (choices.size > 1) choices.delete("null")
  return `must be ${[...choices].map((choice) => words[choice] ?? (isTypeName.test(choice) ? kindOf(choice) : choice)).join(" or ")}`
}

/** The names of the contract's own types mean nothing to the caller. */
const isTypeName = /^[A-Z][A-Za-z]+$/
const kindOf = (name: string): string => (name.endsWith("Webhook") ? "a URL or an object" : "an object")

const words: Record<string, string> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object"
}

/** One line for people: the specification's own words for a bad URL, or else each field and its mistake. */
const summary = (details: ReadonlyArray<Detail>): string => {
  const [first] = details
  if (details.length === 1 && first?.path.join(".") === "url") {
    return first.message === HttpUrl.credentialsMessage ? HttpUrl.credentialsMessage : HttpUrl.invalidUrlMessage
  }
  const fields = details.map(({ path, message }) =>
    path.length === 0 ? `the body ${message}` : `${path.join(".")}: ${message}`
  )
  return `Bad Request: ${fields.slice(0, 5).join("; ")}${fields.length > 5 ? `; and ${fields.length - 5} more` : ""}`
}
