import { describe, expect, it } from "vitest"
import { type ColumnType, toSql } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import { fitsInto, widen } from "#engine/widen"

const type = (sql: string): ColumnType => columnFromSql(sql) ?? expect.fail(`${sql} is no type`)
const widened = (a: string, b: string) => toSql(widen(type(a), type(b)))

describe("widening", () => {
  it("finds the narrowest type that holds the values of both", () => {
    expect(widened("BIGINT", "DOUBLE")).toBe("DOUBLE")
    expect(widened("DATE", "TIMESTAMP")).toBe("TIMESTAMP")
    expect(widened("BOOLEAN", "VARCHAR")).toBe("VARCHAR")
    expect(widened("DECIMAL(10, 2)", "DECIMAL(8, 4)")).toBe("DECIMAL(12, 4)")
    expect(widened("DECIMAL(38, 0)", "DECIMAL(38, 30)")).toBe("DOUBLE")
    expect(widened("DECIMAL(10, 2)", "BIGINT")).toBe("DECIMAL(21, 2)")
    expect(widened("BIGINT", "DECIMAL(38, 10)")).toBe("DECIMAL(38, 10)")
    expect(widened("BIGINT", "DECIMAL(38, 30)")).toBe("DOUBLE")
    expect(widened("BIGINT[]", "DOUBLE[]")).toBe("DOUBLE[]")
    expect(widened("STRUCT(a BIGINT, b VARCHAR)", "STRUCT(b VARCHAR, a DOUBLE, c DATE)")).toBe(
      'STRUCT("a" DOUBLE, "b" VARCHAR, "c" DATE)'
    )
  })

  it("ends in JSON where two types have nothing in common", () => {
    expect(widened("BIGINT", "BOOLEAN")).toBe("JSON")
    expect(widened("VARCHAR", "VARCHAR[]")).toBe("JSON")
    expect(widened("STRUCT(a BIGINT)", "BIGINT[]")).toBe("JSON")
    expect(widened("JSON", "VARCHAR")).toBe("JSON")
    expect(widened("STRUCT(Id BIGINT)", "STRUCT(id BIGINT)")).toBe("JSON")
    expect(widened("STRUCT(a STRUCT(Id BIGINT))", "STRUCT(a STRUCT(id BIGINT))")).toBe('STRUCT("a" JSON)')
  })

  it("does not depend on which comes first, but for the order of a struct's fields", () => {
    const names = ["VARCHAR", "BOOLEAN", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "JSON", "DECIMAL(10, 2)", "BIGINT[]"]
    for (const a of names) for (const b of names) expect(widened(a, b)).toBe(widened(b, a))
  })

  it("says whether a type fits into another as it stands", () => {
    expect(fitsInto(type("BIGINT"), type("DOUBLE"))).toBe(true)
    expect(fitsInto(type("DOUBLE"), type("BIGINT"))).toBe(false)
    expect(fitsInto(type("STRUCT(a BIGINT)"), type("STRUCT(a BIGINT, b DATE)"))).toBe(true)
  })
})
