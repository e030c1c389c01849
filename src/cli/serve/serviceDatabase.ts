/**
 * Where the served service keeps its jobs: what `--database` says, else a SQLite file in the data folder.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { wrong } from "../CliFailure.ts"

export interface Database {
  readonly place: Redacted.Redacted
  /** As messages may show it: without the password. */
  readonly name: string
}

export const serviceDatabase = (asked: Option.Option<Redacted.Redacted>, data: string) => {
  const file = join(data, "service.sqlite")
  return Option.isSome(asked) ? parse(asked.value) : Effect.succeed({ place: Redacted.make(file), name: file })
}

/** A URL with any other scheme is a mistake, and no SQLite file of that name. */
const parse = Effect.fnUntraced(function* (place: Redacted.Redacted) {
  const text = Redacted.value(place)
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text) ?? []
  if (scheme === undefined) return { place, name: text }
  const url = URL.parse(text)
  if (!/^postgres(ql)?:\/\/$/.test(scheme) || url === null) {
    const form = "postgres://USER:PASSWORD@HOST:PORT/DATABASE, or the path of a SQLite file"
    return yield* wrong(`--database takes ${form}; ${scheme}... is neither`)
  }
  return { place, name: `postgres://${url.host}${url.pathname}` }
})
