import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { Api } from "#contract/Api"
import * as Bounds from "#contract/api/Bounds"

/** Where something that a caller sends has no end. */
const unbounded = (ast: AST.AST, at: string, seen: ReadonlySet<AST.AST>): ReadonlyArray<string> => {
  if (seen.has(ast)) return []
  // All that is in it counts.
  if ((ast.checks ?? []).flatMap(idsOf).includes(Bounds.isSmall)) return []
  const within = new Set([...seen, ast])
  const bounds = (ast.checks ?? []).flatMap(idsOf)
  const has = (...ids: ReadonlyArray<string>) => ids.some((id) => bounds.includes(id))
  if (AST.isString(ast)) return has("isMaxLength") ? [] : [`${at}: a string`]
  if (AST.isNumber(ast)) return has("isBetween", "isLessThanOrEqualTo") ? [] : [`${at}: a number`]
  if (AST.isArrays(ast)) {
    const items = [...ast.elements, ...ast.rest].flatMap((item) => unbounded(item, `${at}[]`, within))
    return ast.rest.length === 0 || has("isMaxLength") ? items : [`${at}: a list`, ...items]
  }
  if (AST.isObjects(ast)) {
    const fields = ast.propertySignatures.flatMap(({ name, type }) => unbounded(type, `${at}.${String(name)}`, within))
    const isOpen = ast.indexSignatures.length > 0 && !has("isMaxProperties")
    const values = ast.indexSignatures.flatMap(({ type }) => unbounded(type, `${at}.*`, within))
    return [...(isOpen ? [`${at}: an object of any size`] : []), ...fields, ...values]
  }
  if (AST.isUnion(ast)) return ast.types.flatMap((type) => unbounded(type, at, within))
  if (AST.isSuspend(ast)) return unbounded(ast.thunk(), at, within)
  return AST.isUnknown(ast) || AST.isAny(ast) ? [`${at}: anything`] : []
}

/** The names of a check, or of those that it is made of. */
const idsOf = (check: AST.Check<never>): ReadonlyArray<string> => {
  if (check._tag === "FilterGroup") return check.checks.flatMap(idsOf)
  const representation = check.annotations?.["representation"]
  return Predicate.hasProperty(representation, "id") ? [String(representation.id).replace("effect/schema/", "")] : []
}

describe("the contract", () => {
  it("bounds every string, list and number that a caller sends", () => {
    const found = Object.values(Api.groups).flatMap((group) =>
      Object.values(group.endpoints).flatMap((endpoint) => {
        // What stands in the URL has the bounds of the request's head, 16 kB. The parts of a form are bounded as they are read.
        const bodies = [...endpoint.payload].filter(([type]) => !type.startsWith("multipart/"))
        const sent = bodies.flatMap(([, { schemas }]) => schemas)
        return sent.flatMap((schema) =>
          schema === undefined ? [] : unbounded(schema.ast, `${endpoint.method} ${endpoint.path}`, new Set())
        )
      })
    )
    expect(found).toEqual([])
  })

  it("counts all that an object holds, and looks no further than its bound", () => {
    const fits = Schema.is(Bounds.object(100))
    expect(fits({ a: ["b", { c: "d" }] })).toBe(true)
    expect(fits({ a: "b".repeat(100) })).toBe(false)
    expect(fits({ a: Array.from({ length: 1e6 }, () => 1) })).toBe(false)
    expect(fits(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`name ${i}`, i])))).toBe(false)
  })
})
