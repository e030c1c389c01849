/**
 * The work behind `millrace site`.
 */
import * as Effect from "effect/Effect"
import { failed, wrong } from "#see/CliFailure"
import * as Server from "#site/Server"
import * as Site from "#site/Site"

export const serveSite = Effect.fn("serveSite")(function* (options: {
  readonly host: string
  readonly port: number
  readonly revision: number
  readonly seed: number
}) {
  if (options.revision < 1) return yield* wrong(`--revision starts at 1, not ${options.revision}`)
  const site = Site.make({ seed: options.seed, revision: options.revision })
  const { url } = yield* Server.serve(site, options).pipe(Effect.mapError((error) => failed(error.message)))
  process.stdout.write(`the demo site, revision ${options.revision}, is at ${url} (${site.pages.size} addresses)\n`)
  return yield* Effect.never
}, Effect.scoped)
