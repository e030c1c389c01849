import { describe, expect, it } from "vitest"
import { type ColumnType, toSql } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"

describe("a column type from SQL", () => {
  it("is the type that was written", () => {
    const types: ReadonlyArray<ColumnType> = [
      { _tag: "JSON" },
      { _tag: "DECIMAL", precision: 18, scale: 2 },
      {
        _tag: "LIST",
        of: {
          name: "item",
          nullable: true,
          type: {
            _tag: "STRUCT",
            fields: [
              {
                name: `a "b", c`,
                type: { _tag: "LIST", of: { name: "item", type: { _tag: "DATE" }, nullable: true } },
                nullable: true
              },
              { name: "d", type: { _tag: "TIMESTAMP" }, nullable: true }
            ]
          }
        }
      }
    ]
    for (const type of types) expect(columnFromSql(toSql(type))).toEqual(type)
  })

  it("is read as DuckDB writes it", () => {
    expect(columnFromSql("DECIMAL(18,2)[]")).toMatchObject({ _tag: "LIST", of: { type: { precision: 18, scale: 2 } } })
    expect(columnFromSql("STRUCT(a INTEGER, b VARCHAR[][])")).toMatchObject({
      fields: [
        { name: "a", type: { _tag: "BIGINT" } },
        { name: "b", type: { _tag: "LIST", of: { type: { _tag: "LIST" } } } }
      ]
    })
  })

  it("is none where Column has no such type, or the text is none", () => {
    for (const text of [
      "UUID",
      "ENUM('a', 'b')",
      "MAP(VARCHAR, BIGINT)",
      "STRUCT(a UUID)",
      "BIGINT)",
      "STRUCT(a",
      ""
    ]) {
      expect(columnFromSql(text)).toBeUndefined()
    }
  })
})
