/**
 * Comments that have the types and the descriptions of columns (`SqlDialect.comments`): the type in the first line, where the SQL
 * type does not say it, and the description in the others.
 *
 * Guarantee: what somebody else has written stays. Nothing is written into a table of another owner.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type { SinkError } from "../Commit.ts"
import { columnFromSql } from "../columnFromSql.ts"
import type { SqlDialect } from "../SqlDialect.ts"
import type * as Table from "../TableShape.ts"
import { type Described, type DescribedColumn, type SqlDatabase, typeOf } from "./SqlDatabase.ts"

type Noted = Pick<Column.Column, "name" | "type" | "description">

/** The type of a column: what its comment says, if the database spells that type so; otherwise what its SQL type says. */
export const typed = (dialect: SqlDialect, column: DescribedColumn): DescribedColumn => {
  const { type } = parted(dialect, column)
  return type === undefined ? column : { ...column, type }
}

interface Parted {
  readonly type: Column.ColumnType | undefined
  readonly rest: string
}

/** The type and the description in a comment. */
const parted = (dialect: SqlDialect, { comment = "", sql }: Pick<DescribedColumn, "comment" | "sql">): Parted => {
  const end = comment.indexOf("\n")
  for (const at of end === -1 ? [comment.length] : [comment.length, end]) {
    const type = columnFromSql(comment.slice(0, at))
    if (type !== undefined && dialect.type(type, sql) === sql && lineOf(dialect, type) !== undefined) {
      return { type, rest: comment.slice(at + 1) }
    }
  }
  return { type: undefined, rest: comment }
}

/** The type as a line of a comment; undefined: the SQL type says it. */
const lineOf = (dialect: SqlDialect, type: Column.ColumnType): string | undefined => {
  const said = typeOf(dialect, dialect.type(type))
  const text = Column.toSql(type)
  return said !== undefined && Column.toSql(said) === text ? undefined : text
}

/** Writes the types of columns into their comments, and descriptions where there is none. */
export const note = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string,
  columns: ReadonlyArray<Noted>,
  what?: { readonly description: string }
): Effect.fn.Return<void, SinkError> {
  if (database.dialect.comments === undefined || columns.length === 0) return
  const there = yield* database.describe(table)
  if (there !== undefined) yield* noteIn(database, table, there, columns, what)
})

const noteIn = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: string,
  there: Described,
  columns: ReadonlyArray<Noted>,
  what: { readonly description: string } | undefined
): Effect.fn.Return<void, SinkError> {
  const { comments } = database.dialect
  if (comments === undefined || !there.isOurs) return
  const statements = columns.flatMap((column) => {
    const own = Column.named(there.columns, column.name)
    const text = own && commentOf(database.dialect, own, column)
    return own === undefined || text === own.comment ? [] : [comments.column(table, own.name, text ?? null)]
  })
  if (what !== undefined && what.description !== "" && there.comment === undefined) {
    statements.push(comments.table(table, "TABLE", what.description))
  }
  // A round trip for each column would be slow.
  if (statements.length > 0) yield* database.run(statements.join(";\n"))
})

const commentOf = (dialect: SqlDialect, own: DescribedColumn, { description, type }: Noted): string | undefined => {
  const { rest } = parted(dialect, own)
  const lines = [lineOf(dialect, type), rest === "" ? description : rest].filter((line) => line !== undefined)
  return lines.length === 0 ? undefined : lines.join("\n")
}

/** Describes a table that is there already: its columns keep the types that they have. */
export const describeTable = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { columns, description, name }: Table.Table
): Effect.fn.Return<void, SinkError> {
  if (database.dialect.comments === undefined) return
  const there = yield* database.describe(name)
  if (there === undefined) return
  const known = columns.flatMap((column) => {
    const own = Column.named(there.columns, column.name)
    const type = own && typed(database.dialect, own).type
    return type === undefined ? [] : [{ ...column, type }]
  })
  yield* noteIn(database, name, there, known, { description })
})
