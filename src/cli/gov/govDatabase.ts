/**
 * Where the index of government texts is: in a database that is named, in that of the service where it is Postgres, else in
 * a SQLite file of the service's folder.
 */
import { join } from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { isPostgres } from "../../sql/client.ts"
import { type Database, serviceDatabase } from "../serve/serviceDatabase.ts"

export const govDatabase = (asked: Option.Option<Redacted.Redacted>, data: string) =>
  Option.isSome(asked) ? serviceDatabase(asked, data) : Effect.succeed(inFolder(data))

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
