import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import { arrow } from "#connectors/file/format/arrow"
import { columnFromSql } from "#engine/columnFromSql"
import type * as Table from "#engine/Table"
import { folder } from "#testing/folder"

it.effect(
  "a file whose nested times are texts, as version 0.1 wrote them, is read, and written anew where rows come",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const type = columnFromSql("TIMESTAMP[]") ?? expect.fail("it is a type")
      const old = [{ name: "times", type, nullable: true }]
      const texts = new Arrow.List(new Arrow.Field("item", new Arrow.Utf8(), true))
      const cells = [["2026-11-21T04:23:05.250001Z", null], null]
      const table = new Arrow.Table({ times: Arrow.vectorFromArray(cells, texts) })
      const [before, after] = [join(directory, "before.arrow"), join(directory, "after.arrow")]
      writeFileSync(before, Arrow.tableToIPC(table, "file"))

      const found: Array<Table.Row> = []
      yield* Effect.promise(async () => {
        const file = arrow.create(after, old)
        await file.take(before, 2)
        await file.add([{ times: [7n] }])
        await file.finish()
        for await (const some of arrow.read(after, old)) found.push(...some)
      })
      expect(found).toEqual([{ times: [1795234985250001n, null] }, { times: null }, { times: [7n] }])
    })
)
