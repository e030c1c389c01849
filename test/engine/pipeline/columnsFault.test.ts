import { expect, it } from "vitest"
import type { Column } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import { columnsFault } from "#engine/columnsFault"

const columns = (types: ReadonlyArray<readonly [string, string]>): ReadonlyArray<Column> =>
  types.map(([name, sql]) => ({ name, type: columnFromSql(sql) ?? expect.fail(`${sql} is no type`), nullable: true }))

it("columns of other names stand beside each other, whatever is in the names", () => {
  expect(
    columnsFault(
      columns([
        ["a.b", "BIGINT"],
        ['"', 'STRUCT("é" BIGINT)[]'],
        ["order", "JSON"]
      ])
    )
  ).toBeUndefined()
})

it("names that differ only in case are one name, also within structs and lists", () => {
  expect(
    columnsFault(
      columns([
        ["id", "BIGINT"],
        ["Id", "BIGINT"]
      ])
    )
  ).toBe("id and Id are one name to SQL; rename one")
  expect(columnsFault(columns([["of", "STRUCT(a STRUCT(x BIGINT, X DATE)[])"]]))).toContain("of.a.x and of.a.X are one")
})

it("a column that the engine adds is called that", () => {
  expect(
    columnsFault(
      columns([
        ["_Run_Id", "VARCHAR"],
        ["_run_id", "VARCHAR"]
      ])
    )
  ).toBe("it has a column _run_id, which Millrace adds; rename that column")
})

it("a name has characters, and none that SQL cannot write", () => {
  expect(columnsFault(columns([["", "BIGINT"]]))).toBe("a column has no name; name it")
  expect(columnsFault(columns([["s", 'STRUCT("" BIGINT)']]))).toBe("a field of s has no name; name it")
  expect(columnsFault(columns([["a\0b", "BIGINT"]]))).toContain(String.raw`the name "a\u0000b" has a character`)
  expect(columnsFault(columns([["a\ud800", "BIGINT"]]))).toContain("has a character that SQL names cannot have")
})
