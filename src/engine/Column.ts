/**
 * What a column is, and how it follows from a schema.
 *
 * A row is a plain object, and each cell holds the one JavaScript value of its column's type, or null:
 *
 * | type      | value                                              |
 * | --------- | -------------------------------------------------- |
 * | VARCHAR   | string                                             |
 * | BOOLEAN   | boolean                                            |
 * | BIGINT    | number (a safe integer) or bigint                  |
 * | DOUBLE    | number                                             |
 * | DECIMAL   | string, as written: "12.50"                        |
 * | DATE      | string, ISO 8601: "2026-11-21"                     |
 * | TIMESTAMP | bigint, microseconds since 1970-01-01T00:00:00Z    |
 * | JSON      | any JSON value                                     |
 * | STRUCT    | object with these fields                           |
 * | LIST      | array of such values                               |
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/**
 * The SQL type of a column. The parts of a STRUCT and the items of a LIST are columns themselves.
 *
 * @example
 * ```ts
 * import { Column } from "millrace"
 *
 * const tags: Column.ColumnType = { _tag: "LIST", of: { name: "item", type: { _tag: "VARCHAR" }, nullable: false } }
 * console.log(Column.toSql(tags)) // "VARCHAR[]"
 * ```
 */
export type ColumnType =
  | { readonly _tag: "VARCHAR" | "BOOLEAN" | "BIGINT" | "DOUBLE" | "DATE" | "TIMESTAMP" | "JSON" }
  | { readonly _tag: "DECIMAL"; readonly precision: number; readonly scale: number }
  | { readonly _tag: "STRUCT"; readonly fields: ReadonlyArray<Column> }
  | { readonly _tag: "LIST"; readonly of: Column }

/** A column of a table: its name, its type, whether it may be null, and what it holds. */
export interface Column {
  /** Its name. As in SQL, names that differ only in case are the same column. */
  readonly name: string
  /** Its SQL type, which decides the JavaScript values of its cells. */
  readonly type: ColumnType
  /** Whether a cell may be null. If not, a row in which it is null becomes a reject. */
  readonly nullable: boolean
  /** What it holds, for people. Descriptions are ignored when columns are compared. */
  readonly description?: string
  /** The name of its values where they come from, if it is another: "Net Price" of the column net_price. */
  readonly from?: string
  /**
   * What no row of the run shows of its type, which is then that of the stored column: `type`, as of the items of empty lists, or the
   * `members` of empty objects. Default: nothing.
   */
  readonly unseen?: "type" | "members"
}

/**
 * A point in time as cells hold it: bigint, microseconds since the epoch, UTC.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Column, Table } from "millrace"
 *
 * const visits = Table.make({ name: "visits", description: "visits", schema: Schema.Struct({ at: Column.Timestamp }) })
 * console.log(visits.columns[0]?.type._tag) // "TIMESTAMP"
 * ```
 */
export const Timestamp = Schema.BigInt.annotate({ column: { _tag: "TIMESTAMP" } })

/**
 * A calendar day as cells hold it: "2026-11-21".
 *
 * @see ISO 8601, calendar dates
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Column, Table } from "millrace"
 *
 * const people = Table.make({ name: "people", description: "people", schema: Schema.Struct({ born: Column.Day }) })
 * console.log(people.columns[0]?.type._tag) // "DATE"
 * ```
 */
export const Day = Schema.String.annotate({ column: { _tag: "DATE" } })

/**
 * An exact number as cells hold it: its digits as text, "12.50". `precision` counts all digits, `scale` those after the
 * point.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Column, Table } from "millrace"
 *
 * const schema = Schema.Struct({ price: Column.Decimal(10, 2) })
 * const products = Table.make({ name: "products", description: "products of a shop", schema })
 * console.log(products.columns[0]?.type) // { _tag: "DECIMAL", precision: 10, scale: 2 }
 * ```
 */
export const Decimal = (precision: number, scale: number) =>
  Schema.String.annotate({ column: { _tag: "DECIMAL", precision, scale } })

/**
 * Converts milliseconds since the epoch to microseconds.
 *
 * @example
 * ```ts
 * import { Column } from "millrace"
 *
 * console.log(Column.timestampFromMillis(Date.UTC(2026, 0, 1))) // 1767225600000000n
 * ```
 */
export const timestampFromMillis = (millis: number): bigint => BigInt(Math.round(millis)) * 1000n

/**
 * The columns of a struct schema, in the order of its fields.
 *
 * @internal
 */
export const fromSchema = (schema: { readonly ast: AST.AST }): ReadonlyArray<Column> => {
  const ast = AST.toType(schema.ast)
  return AST.isObjects(ast) ? ast.propertySignatures.map((field) => make(String(field.name), field.type)) : []
}

/**
 * The schema of a column with a description of what it holds: one sentence, lower case, without a full stop.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Column, Table } from "millrace"
 *
 * const schema = Schema.Struct({ price: Column.described(Schema.Number, "the price in euros") })
 * const products = Table.make({ name: "products", description: "one row per product", schema })
 * console.log(products.columns[0]?.description) // "the price in euros"
 * ```
 */
export const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

/**
 * The type as SQL writes it: "STRUCT(a VARCHAR, b BIGINT[])".
 *
 * @example
 * ```ts
 * import { Column } from "millrace"
 *
 * console.log(Column.toSql({ _tag: "DECIMAL", precision: 10, scale: 2 })) // "DECIMAL(10, 2)"
 * ```
 */
export const toSql = (type: ColumnType): string => {
  switch (type._tag) {
    case "DECIMAL":
      return `DECIMAL(${type.precision}, ${type.scale})`
    case "STRUCT":
      return `STRUCT(${type.fields.map((field) => `${quote(field.name)} ${toSql(field.type)}`).join(", ")})`
    case "LIST":
      return `${toSql(type.of.type)}[]`
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DOUBLE":
    case "JSON":
    case "TIMESTAMP":
    case "VARCHAR":
      return type._tag
  }
}

/**
 * The column of a name: the exact name first, otherwise a name that differs only in case, which is the same in SQL.
 *
 * @internal
 */
export const named = <Named extends { readonly name: string }>(
  columns: ReadonlyArray<Named>,
  name: string
): Named | undefined =>
  columns.find((column) => column.name === name) ??
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase())

/**
 * A name as SQL writes it: between double quotes, with its own double quotes doubled.
 *
 * @see SQL-92, delimited identifiers
 * @example
 * ```ts
 * import { Column } from "millrace"
 *
 * console.log(Column.quote('the "name"')) // "the ""name"""
 * ```
 */
export const quote = (name: string): string => `"${name.replaceAll(`"`, `""`)}"`

const make = (name: string, ast: AST.AST): Column => {
  const parts = AST.isUnion(ast) ? ast.types : [ast]
  const present = parts.filter((part) => !AST.isNull(part) && !AST.isUndefined(part))
  const nullable = present.length < parts.length || AST.isOptional(ast)
  const { description } = annotationsOf(ast)
  return {
    name,
    type: declared(ast) ?? typeOf(present),
    nullable,
    ...(typeof description === "string" ? { description } : {})
  }
}

const typeOf = (members: ReadonlyArray<AST.AST>): ColumnType => {
  const types = members.map((member) => declared(member) ?? typeOfOne(member))
  const [first] = types
  return first !== undefined && types.every((type) => toSql(type) === toSql(first)) ? first : { _tag: "JSON" }
}

const typeOfOne = (ast: AST.AST): ColumnType => {
  if (AST.isString(ast) || AST.isTemplateLiteral(ast)) return { _tag: "VARCHAR" }
  if (AST.isBoolean(ast)) return { _tag: "BOOLEAN" }
  if (AST.isBigInt(ast)) return { _tag: "BIGINT" }
  if (AST.isNumber(ast)) return { _tag: isInteger(ast) ? "BIGINT" : "DOUBLE" }
  if (AST.isDeclaration(ast) && isDate(ast)) return { _tag: "TIMESTAMP" }
  if (AST.isLiteral(ast)) return { _tag: literalTypes[typeof ast.literal] ?? "JSON" }
  if (AST.isArrays(ast) && ast.elements.length === 0 && ast.rest[0] !== undefined) {
    return { _tag: "LIST", of: make("item", ast.rest[0]) }
  }
  if (AST.isObjects(ast) && ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0) {
    return { _tag: "STRUCT", fields: ast.propertySignatures.map((field) => make(String(field.name), field.type)) }
  }
  return { _tag: "JSON" }
}

const literalTypes: Record<string, "VARCHAR" | "BOOLEAN" | "BIGINT" | "DOUBLE"> = {
  string: "VARCHAR",
  boolean: "BOOLEAN",
  bigint: "BIGINT",
  number: "DOUBLE"
}

/** The type that the schema's author set with `annotate({ column })`. */
const declared = (ast: AST.AST): ColumnType | undefined => {
  const column = annotationsOf(ast)["column"]
  return isColumnType(column) ? column : undefined
}

const annotationsOf = (ast: AST.AST): Readonly<Record<string, unknown>> => ({
  ...ast.annotations,
  ...ast.checks?.at(-1)?.annotations
})

const isColumnType = (u: unknown): u is ColumnType => Predicate.isObject(u) && Predicate.hasProperty(u, "_tag")

/** Schema.Date, whose values are JavaScript's. */
const isDate = (ast: AST.AST): boolean =>
  Predicate.hasProperty(ast.annotations?.["representation"], "id") &&
  ast.annotations["representation"].id === "effect/schema/Date"

/** Schema.Int and similar schemas have a check whose representation contains "schema/isInt". */
const isInteger = (ast: AST.AST): boolean =>
  (ast.checks ?? []).some((check) =>
    JSON.stringify(check.annotations?.["representation"] ?? "").includes("schema/isInt")
  )
