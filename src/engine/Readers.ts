/**
 * How other programs, such as a notebook or a dashboard, open what a sink has written.
 *
 * It contains no secrets: the other program brings its own credentials.
 */

/** Where another program finds the tables. */
export type Readers =
  /** A database file, and the schema of the tables in it. */
  | { readonly _tag: "DuckDbFile"; readonly file: string; readonly schema: string }
  /** A file or URL of SQL that makes a view for each table. */
  | { readonly _tag: "SqlScript"; readonly script: string }
  /** A Postgres: its URL without the password, and the schema of the tables. */
  | { readonly _tag: "Postgres"; readonly url: string; readonly schema: string }
