/** The databases of a service: that of its jobs, and that of the index of government texts. */
import { join } from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { isPostgres } from "#base/sqlClient"
import { wrong } from "./StartError.ts"

interface Database {
  readonly place: Redacted.Redacted
  /** As messages may show it: without the password. */
  readonly name: string
}

/** Where the service keeps its jobs: what `--database` says, else a SQLite file in the data folder. */
export const serviceDatabase = (location: Option.Option<Redacted.Redacted>, data: string) => {
  const file = join(data, "service.sqlite")
  return Option.isSome(location) ? parse(location.value) : Effect.succeed({ place: Redacted.make(file), name: file })
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

/**
 * Where the index of government texts is: in a database that is named, in that of the service where it is Postgres, else in
 * a SQLite file of the service's folder.
 */
export const govDatabase = (location: Option.Option<Redacted.Redacted>, data: string) =>
  Option.isSome(location) ? serviceDatabase(location, data) : Effect.succeed(inFolder(data))

/** That of a service, which keeps its jobs in this database. */
export const besideService = Effect.fnUntraced(function* (service: Database, data: string) {
  const named = yield* fromEnvironment
  return isPostgres(service.place) && Option.isNone(named) ? service : yield* govDatabase(named, data)
})

/** That of a service inside a run: of the folder that `millrace serve` and `millrace gov load` use by themselves. */
export const ofRun = Effect.flatMap(
  Effect.suspend(() => fromEnvironment),
  (named) => govDatabase(named, ".millrace/service")
)

const fromEnvironment = Config.option(Config.Redacted("MILLRACE_GOV_DATABASE")).pipe(
  Effect.orDie, // an option of text cannot fail
  Effect.map(Option.filter((place) => Redacted.value(place).trim() !== ""))
)

const inFolder = (data: string): Database => {
  const file = join(data, "gov.sqlite")
  return { place: Redacted.make(file), name: file }
}
