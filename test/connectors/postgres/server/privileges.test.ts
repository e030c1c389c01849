import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe } from "vitest"
import { postgres } from "#connectors/postgres/index"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { databaseUrl, placeOf } from "../database.ts"
import { query } from "../readTable.ts"
import { planOf, visit } from "../visit.ts"

const url = await databaseUrl()

describe.skipIf(url === undefined)("a user who may not do what a commit does is told when the run begins", () => {
  /** A schema's name, a user without any right, and what the owner of the database asks. */
  const fresh = Effect.gen(function* () {
    const owner = placeOf(url ?? "", yield* folder)
    const name = `u${owner.schema}`
    const ask = (sql: string) => Effect.promise(() => query(owner.url, sql))
    yield* Effect.acquireRelease(ask(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`), () =>
      ask(`DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`)
    )
    const address = new URL(url ?? "")
    address.username = name
    address.password = "secret"
    const place = { ...owner, url: Redacted.make(address.href) }
    const one = {
      place,
      run: "run-1",
      write: "append",
      rows: [[pages, [{ url: "/a", title: "A", version: 1 }]]]
    } as const
    const fault = Effect.map(
      Effect.flip(Effect.scoped(postgres.with(place).open(planOf(one)))),
      ({ message }) => message
    )
    return { ask, fault, name, one, schema: owner.schema, owner }
  })

  it.effect("makes no schema, and no table in one that is there", () =>
    Effect.gen(function* () {
      const { ask, fault, name, one, schema } = yield* fresh

      expect(yield* fault).toContain(
        `there is no schema "${schema}", and user "${name}" may not make one; as the owner of the database: CREATE SCHEMA "${schema}" AUTHORIZATION "${name}"`
      )
      yield* ask(`CREATE SCHEMA ${schema}`)
      expect(yield* fault).toContain(`GRANT USAGE, CREATE ON SCHEMA "${schema}" TO "${name}"`)
      yield* ask(`GRANT USAGE, CREATE ON SCHEMA "${schema}" TO "${name}"`)
      yield* visit(one)
      expect(yield* ask(`SELECT url FROM ${schema}.pages`)).toEqual([{ url: "/a" }])
    })
  )

  it.effect("changes no table of somebody else", () =>
    Effect.gen(function* () {
      const { ask, fault, name, one, owner, schema } = yield* fresh
      yield* visit({ ...one, place: owner })
      yield* ask(`GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${name}`)
      yield* ask(`GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${name}`)
      yield* ask(`REVOKE DELETE ON ${schema}.pages FROM ${name}`)

      expect(yield* fault).toContain(
        `user "${name}" may not change "${schema}"."pages"; as the owner: GRANT SELECT, INSERT, UPDATE, DELETE ON "${schema}"."pages" TO "${name}"`
      )
    })
  )
})
