/**
 * Checks what a query would read and call, by the view that Postgres made of it.
 *
 * Guarantee: only tables of the schema, and functions of Postgres that only compute. The user of the URL may be a superuser, for
 * whom functions can read files and start programs, so rights of the user do not protect: everything that is not known to be
 * harmless is refused. Views are checked too, because they read what their owner may read; so are inherited tables.
 */
import * as Effect from "effect/Effect"
import type { DatabaseLocation } from "../DatabaseLocation.ts"
import type { ServerError } from "../failure.ts"
import type { Connection } from "../server/Connection.ts"

/** Why a view may not be queried; undefined: it may. */
export const faultOf = Effect.fnUntraced(function* (
  connection: Connection,
  { schema }: Pick<DatabaseLocation, "schema">,
  view: string
): Effect.fn.Return<string | undefined, ServerError> {
  const [first] = yield* connection.rows("SELECT $1::regclass::oid AS oid", [view])
  const waiting = [first?.["oid"] ?? ""]
  const seen = new Set(waiting)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const rules = yield* connection.rows("SELECT ev_action::text AS action FROM pg_rewrite WHERE ev_class = $1::oid", [
      next
    ])
    const tree = rows(rules)
    const foreign = yield* strange(connection, tree)
    if (foreign !== undefined)
      return `a query may not call ${foreign}: it computes, and reads the tables of this schema`
    const relations = yield* connection.rows(
      `WITH RECURSIVE reached AS (
          SELECT unnest($1::oid[]) AS oid UNION SELECT i.inhrelid FROM pg_inherits AS i JOIN reached ON i.inhparent = reached.oid
        ) SELECT c.oid, c.relname AS name, n.nspname AS schema, c.relkind AS kind FROM reached
          JOIN pg_class AS c ON c.oid = reached.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace`,
      [numbersAfter(tree, ["relid"])]
    )
    for (const relation of relations) {
      const [oid, kind] = [relation["oid"] ?? "", relation["kind"] ?? ""]
      if (seen.has(oid)) continue
      seen.add(oid)
      if (relation["schema"] !== schema || !["r", "p", "v", "m"].includes(kind)) {
        return `a query may not read ${relation["schema"]}.${relation["name"]}: it reads the tables of schema ${schema} only`
      }
      if (kind === "v") waiting.push(oid)
    }
  }
  return undefined
})

const rows = (rules: ReadonlyArray<Readonly<Record<string, string | null>>>): string =>
  rules.map((row) => row["action"] ?? "").join("\n")

/** The numbers after these words in a parse tree: `:funcid 1299`. Texts of the user are byte numbers there, not words. */
const numbersAfter = (tree: string, words: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...tree.matchAll(new RegExp(`:(?:${words.join("|")}) (\\d+)`, "g"))].map(([, number = "0"]) => number))
]

/** A function in the tree that is not known to be harmless; undefined: there is none. */
const strange = Effect.fnUntraced(function* (connection: Connection, tree: string) {
  const [found] = yield* connection.rows(
    `SELECT n.nspname || '.' || p.proname AS name FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
      WHERE (p.oid = ANY($1::oid[]) OR p.oid IN (SELECT o.oprcode FROM pg_operator AS o WHERE o.oid = ANY($2::oid[])))
        AND (n.nspname <> 'pg_catalog' OR p.oid >= 16384 OR p.prosecdef
          OR (p.provolatile = 'v' AND NOT p.proname = ANY($3::text[]))
          OR (p.proname ~ $4 AND p.proname <> 'pg_typeof'))
      UNION SELECT n.nspname || '.' || t.typname FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
        WHERE t.oid = ANY($5::oid[]) AND t.typtype = 'd' ORDER BY 1 LIMIT 1`,
    [
      numbersAfter(tree, ["funcid", "opfuncid", "aggfnoid", "winfnoid", "tsmhandler"]),
      numbersAfter(tree, ["opno"]),
      harmless,
      reaching,
      // A cast to a domain calls the functions in its checks.
      numbersAfter(tree, ["resulttype"])
    ]
  )
  return found?.["name"]?.replace("pg_catalog.", "")
})

/** Volatile functions without side effects. */
const harmless = ["random", "clock_timestamp", "gen_random_uuid", "timeofday"]

/** Functions that read the server, its settings, or tables by name, although Postgres marks them as stable. */
const reaching =
  "^(?:pg_|lo_|binary_upgrade_|.*_to_xml|has_|row_security|current_setting|getdatabaseencoding|inet_|ts_stat|ts_rewrite|dblink|obj_description|col_description|shobj_description|txid_|currval|lastval|nextval)"
