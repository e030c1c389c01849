/**
 * The work behind `millrace gov search`: searches the index directly, without a service.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Limits from "#contract/Limits"
import { GovIndex } from "#law/GovIndex"
import * as gov from "#law/govLayer"
import { govDatabase } from "#library/databases"
import { failed, wrong } from "#see/CliFailure"
import { jsonLine, printable } from "#see/printable"

interface Options {
  readonly query: ReadonlyArray<string>
  readonly data: string
  readonly database: Option.Option<Redacted.Redacted>
  readonly limit: number
  readonly asOf: Option.Option<string>
  readonly json: boolean
}

export const searchGov = Effect.fn("searchGov")(function* (options: Options) {
  const { limit } = options
  if (limit < 1 || limit > Limits.maxGovResults)
    return yield* wrong(`--k must be a number from 1 to ${Limits.maxGovResults}, not ${limit}`)
  const query = options.query.join(" ").trim()
  if (query === "") return yield* wrong("the query is empty: write a question, words or a citation")
  const day = Option.getOrUndefined(options.asOf)
  if (day !== undefined && !isDay(day)) return yield* wrong(`--as-of must be a day such as 2022-12-01, not ${day}`)
  const database = yield* govDatabase(options.database, options.data)
  const search = Effect.gen(function* () {
    const index = yield* GovIndex
    if ((yield* index.sections) === 0) {
      return yield* wrong(
        `there are no government texts in ${database.name}; load some with \`millrace gov load PATH\``
      )
    }
    return yield* index.search(day === undefined ? query : `${query} as of ${day}`, limit)
  })
  const { hits, warning } = yield* search.pipe(
    Effect.provide(gov.layer(database.place)),
    Effect.catchTags({
      GovIndexFailed: ({ message }) => failed(message),
      SqlError: ({ reason }) => failed(`cannot use the database ${database.name}: ${reason.message}`)
    })
  )
  if (options.json) {
    const web = hits.map((hit, at) => ({ ...hit, position: at + 1 }))
    process.stdout.write(jsonLine({ query, web, ...(warning === undefined ? {} : { warning }) }))
    return
  }
  const shown = hits.map(
    ({ description, title, url }, at) => `${at + 1}. ${title}\n   ${url}\n${indented(description)}\n`
  )
  if (warning !== undefined) process.stdout.write(`${printable(warning)}\n`)
  process.stdout.write(shown.length === 0 ? "nothing found\n" : printable(shown.join("\n")))
})

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text

const indented = (text: string): string => text.replace(/^/gm, "   ")
