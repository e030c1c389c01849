/**
 * The handler of the parse group: it reads an uploaded file as a page.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Multipart from "effect/http/Multipart"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as LargeJson from "#base/LargeJson"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { BadRequest, PayloadTooLarge } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import { ParseOptions } from "#contract/Parse"
import { uuid7 } from "#contract/uuid7"
import { uploadedType } from "#web/FileKind"
import * as PageDocuments from "#web/PageDocuments"
import * as ScrapePlan from "#web/ScrapePlan"
import { Scraper, timedOut } from "#web/Scraper"
import { Accounts } from "../../accounts/Accounts.ts"
import { keepsNothing, retaining } from "../../retention.ts"
import { fileFailed, storeFailed } from "../failures.ts"
import { sentDocument } from "../sentDocument.ts"
import { refusal } from "../validation.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "parse",
  Effect.fnUntraced(function* (handlers) {
    const scraper = yield* Scraper
    const accounts = yield* Accounts

    return handlers.handle(
      "parse",
      Effect.fnUntraced(function* ({ payload }) {
        const { teamId } = yield* Caller
        const form = yield* readForm(payload)
        const isKept = !keepsNothing(form.options, accounts.of(teamId).plan)
        const plan = yield* retaining(yield* ScrapePlan.ofOptions(form.options), isKept)
        const url = new URL(`file:///${encodeURIComponent(form.name)}`)
        const order = { url: form.name, scrapeId: uuid7(), teamId, keeps: false, delayMillis: 0 }
        const contentType = uploadedType(form.name, form.contentType)
        const fetched = { status: 200, contentType, location: undefined, retryAfter: undefined, body: form.bytes }
        const priced = scraper.scrape({ url, fetched }, plan, order).pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(plan.timeoutMillis),
            orElse: () => timedOut(form.name, plan.timeoutMillis)
          }),
          Effect.map(({ document }) => ({ value: document, credits: PageDocuments.creditsOf(document) }))
        )
        return yield* accounts
          .spend(teamId, PageDocuments.leastCredits(plan), priced)
          .pipe(
            Effect.flatMap(LargeJson.text),
            Effect.flatMap(sentDocument),
            Effect.catchTag("StoreError", storeFailed),
            Effect.catchTag("FetchError", fileFailed)
          )
      })
    )
  })
)

interface Form {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly options: ParseOptions
}

const readForm = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
): Effect.fn.Return<Form, BadRequest | PayloadTooLarge> {
  const form: { file?: Omit<Form, "options">; options?: string } = {}
  yield* Stream.runForEach(
    parts,
    Effect.fnUntraced(function* (part) {
      if (part.key !== "file" && part.key !== "options") return yield* unknownPart(part.key)
      if (part.key === "options") {
        form.options = Multipart.isField(part) ? part.value : new TextDecoder().decode(yield* part.contentEffect)
        return
      }
      if (Multipart.isField(part)) {
        return yield* unreadableForm("the part file needs a file name")
      }
      if (form.file !== undefined) return yield* unreadableForm("one file at a time")
      form.file = { name: part.name, contentType: part.contentType, bytes: yield* part.contentEffect }
    })
  ).pipe(Effect.catchTag("MultipartError", formProblem))
  if (form.file === undefined || form.file.bytes.byteLength === 0) {
    return yield* unreadableForm("the form needs a part named file, which is not empty")
  }
  const options = yield* decodeOptions(form.options ?? "{}")
  return { ...form.file, options }
})

const decodeOptions = Effect.fnUntraced(function* (text: string) {
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => unreadableForm("the part options is not valid JSON")
  })
  return yield* Effect.mapError(decode(json), ({ issue }) => {
    const { details = [], message } = refusal(issue)
    return new BadRequest({ message, details, code: "PARSE_INVALID_OPTIONS" })
  })
})

const decode = Schema.decodeUnknownEffect(ParseOptions, { onExcessProperty: "error", errors: "all" })

const unknownPart = (key: string) =>
  unreadableForm(`the form has a part named ${JSON.stringify(key)}; it takes file and options`)

const unreadableForm = (why: string) => new BadRequest({ message: `Bad Request: ${why}`, code: "PARSE_INVALID_FORM" })

const formProblem = ({ reason }: Multipart.MultipartError): Effect.Effect<never, BadRequest | PayloadTooLarge> =>
  reason._tag === "FileTooLarge" || reason._tag === "BodyTooLarge" || reason._tag === "FieldTooLarge"
    ? new PayloadTooLarge({
        message: `Payload Too Large: a file takes at most ${Limits.maxUploadBytes / 1024 / 1024} MB`
      })
    : unreadableForm(
        `the form cannot be read: ${reason._tag === "TooManyParts" ? "it has too many parts" : "it is not valid multipart/form-data"}`
      )
