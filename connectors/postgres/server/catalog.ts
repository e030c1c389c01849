/** Reads the catalog of Postgres: the relations of a schema, and the columns of a table. */
import * as Effect from "effect/Effect"
import type { StoredColumn } from "#engine/StoredTable"
import { typeOf } from "../columnSql.ts"
import type { DatabaseLocation } from "../Place.ts"
import type { Connection } from "./Connection.ts"

type At = Pick<DatabaseLocation, "schema">

export interface Present extends StoredColumn {
  /** The comment on the column: the type, if Postgres does not have it, and the description. */
  readonly comment: string | null
}

/** Whether a schema has a table. In Postgres, names that differ in case are different. */
export const has = (connection: Connection, place: At, table: string) =>
  Effect.map(relationOf(connection, place, table), (relation) => relation?.kind === "r")

/** The relation of a name: its kind ("r": table, "v": view), and whether this user may alter it. Undefined: there is none. */
export const relationOf = (connection: Connection, { schema }: At, name: string) =>
  Effect.map(
    connection.rows(
      `SELECT c.relkind AS kind, obj_description(c.oid, 'pg_class') AS comment,
          pg_has_role(c.relowner, 'USAGE') AS owned FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`,
      [schema, name]
    ),
    ([row]) =>
      row === undefined
        ? undefined
        : { kind: row["kind"], comment: row["comment"] ?? null, isOurs: row["owned"] === "t" }
  )

/** The columns of a table; an empty list if there is no such table. */
export const describe = (connection: Connection, { schema }: At, table: string) =>
  Effect.map(
    connection.rows(
      `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS sql, a.attnotnull AS filled,
          col_description(c.oid, a.attnum) AS comment,
          (a.atthasdef OR a.attidentity <> '' OR a.attgenerated <> '') AS has_default
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
      [schema, table]
    ),
    (rows): ReadonlyArray<Present> =>
      rows.map((row) => ({
        name: row["name"] ?? "",
        sql: row["sql"] ?? "",
        type: typeOf(row["sql"] ?? "", row["comment"]),
        nullable: row["filled"] !== "t",
        hasDefault: row["has_default"] === "t",
        comment: row["comment"] ?? null
      }))
  )

/** Whether a table has no row. */
export const isEmpty = (connection: Connection, from: string) =>
  Effect.map(connection.rows(`SELECT 1 AS one FROM ${from} LIMIT 1`), (rows) => rows.length === 0)

/** The first row of a result, as numbers. */
export const numbers = (connection: Connection, sql: string) =>
  Effect.map(connection.rows(sql), ([row = {}]) => Object.values(row).map(Number))
