/**
 * A digest in each row of a SQLite database, in the column `row_digest`: SQLite compares the structure of its pages, and not the
 * values in them.
 *
 * Triggers of our own connection write the digest with the row, so no statement has to know it. A trigger in the file empties it if
 * another program changes the row, which is no damage: a row without a digest is taken as it is. That trigger also says which columns
 * the digest covers.
 */
import type { DatabaseSync } from "node:sqlite"
import * as Digest from "../Digest.ts"

/** A table whose rows have digests. */
export interface Guarded {
  readonly table: string
  /** The columns that a digest covers. */
  readonly columns: ReadonlyArray<string>
}

/** Gives a connection the function of the triggers. */
export const define = (database: DatabaseSync): void =>
  database.function(
    "row_digest_of",
    { varargs: true, useBigIntArguments: true, deterministic: true },
    (...cells: ReadonlyArray<unknown>) =>
      Digest.short(cells.map((cell) => (cell === null ? "" : `${typeof cell} ${String(cell)}`)).join("\0"))
  )

/** The tables of a file whose rows have digests. */
export const guardedIn = (database: DatabaseSync): ReadonlyArray<Guarded> =>
  database
    .prepare("SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'row#_digest#_%' ESCAPE '#'")
    .all()
    .map(({ sql, tbl_name: table }) => ({ table: String(table), columns: coveredBy(String(sql)) }))

/** The columns in the text of the trigger of a file. */
export const coveredBy = (trigger: string): ReadonlyArray<string> =>
  Array.from((/ OF (.*?) ON /s.exec(trigger)?.[1] ?? "").matchAll(/"((?:[^"]|"")*)"/g), ([, name = ""]) =>
    name.replaceAll('""', '"')
  )

/** The condition that a row has other values than its digest says. */
export const isOther = ({ columns }: Guarded): string =>
  `row_digest IS NOT NULL AND row_digest IS NOT ${digestOf(columns)}`

/**
 * The statements that guard a table from now on. `before`: the columns that the digests of its rows cover. Undefined: its rows have no digests.
 */
export const guard = (
  { columns, table }: Guarded,
  before: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => {
  const [name, own, covered] = [quote(table), quote(`row_digest_${table}`), columns.map(quote).join(", ")]
  const isSame = before?.join("\0") === columns.join("\0")
  const set = `UPDATE ${name} SET row_digest = ${digestOf(columns)} WHERE rowid = NEW.rowid`
  return [
    ...(before === undefined ? [`ALTER TABLE ${name} ADD COLUMN row_digest TEXT`] : []),
    // The table has got columns: its rows have digests again when they are written next.
    ...(before === undefined || isSame ? [] : [`DROP TRIGGER ${own}`, `UPDATE ${name} SET row_digest = NULL`]),
    ...(isSame
      ? []
      : [
          `CREATE TRIGGER ${own} AFTER UPDATE OF ${covered} ON ${name} WHEN NEW.row_digest IS OLD.row_digest
            BEGIN UPDATE ${name} SET row_digest = NULL WHERE rowid = NEW.rowid; END`
        ]),
    `CREATE TEMP TRIGGER ${quote(`row_digest_added_${table}`)} AFTER INSERT ON main.${name} BEGIN ${set}; END`,
    `CREATE TEMP TRIGGER ${quote(`row_digest_emptied_${table}`)} AFTER UPDATE OF row_digest ON main.${name}
      WHEN NEW.row_digest IS NULL BEGIN ${set}; END`
  ]
}

const digestOf = (columns: ReadonlyArray<string>): string => `row_digest_of(${columns.map(quote).join(", ")})`

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
