/** An open database of a dialect: statements, rows, steps and its catalog, as effects. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Column from "../Column.ts"
import { SinkError } from "../Commit.ts"
import { columnFromSql } from "../columnFromSql.ts"
import type { SqlConnection, SqlDialect, SqlRow } from "../SqlDialect.ts"
import type { Reads, SqlPort, Transaction } from "../SqlPort.ts"
import type { StoredColumn } from "../StoredTable.ts"
import * as Spelling from "./Spelling.ts"
import type { Step, Steps, Tally } from "./Step.ts"

export interface SqlDatabase extends SqlPort {
  /** The type of the sink, for messages. */
  readonly sink: string
  readonly spelling: Spelling.Spelling
  /** Uses the rows of a query, in pieces. What `use` throws before its effect runs is an error of the database. */
  readonly each: NonNullable<SqlPort["each"]>
  readonly load: NonNullable<SqlPort["load"]>
  readonly transaction: Transaction
  /** The tables of Millrace's own that are there with all their columns. */
  readonly prepared: Set<string>
  /** Takes steps in their order, and returns what was counted. `into`: the table of the staged rows, if they read it. */
  readonly take: (steps: Steps, into?: string) => Effect.Effect<Tally, SinkError>
  /** The columns of a table or view; undefined: there is none. */
  readonly describe: (table: string) => Effect.Effect<Described | undefined, SinkError>
}

/** A table of the database. */
export interface Described {
  /** What it is, such as "view"; undefined: a table. */
  readonly kind: string | undefined
  readonly columns: ReadonlyArray<DescribedColumn>
  readonly comment: string | undefined
  /** Whether this user may write comments. */
  readonly isOurs: boolean
}

export interface DescribedColumn extends StoredColumn {
  /** The expression of its default; undefined: it has none. */
  readonly default: string | undefined
  readonly comment: string | undefined
}

export interface Parts {
  readonly sink: string
  readonly dialect: SqlDialect
  readonly connect: () => SqlConnection | Promise<SqlConnection>
}

/** Connects; the connection is closed with the scope. */
export const open = Effect.fnUntraced(function* (
  parts: Parts,
  doing: string
): Effect.fn.Return<SqlPort, SinkError, Scope.Scope> {
  const connection = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: async () => parts.connect(), catch: failing(parts, doing) }),
    ({ close }) => Effect.ignore(Effect.tryPromise(async () => close()))
  )
  return portOf(parts, connection)
})

/** The same for reading; undefined: there is no database yet. */
export const openIfThere = Effect.fnUntraced(function* (
  parts: Omit<Parts, "connect"> & { readonly connect: () => MaybePromise<SqlConnection | undefined> }
): Effect.fn.Return<SqlPort | undefined, SinkError, Scope.Scope> {
  const connection = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: async () => parts.connect(), catch: failing(parts, "cannot read the database") }),
    (open) => Effect.ignore(Effect.tryPromise(async () => open?.close()))
  )
  return connection && portOf(parts, connection)
})

type MaybePromise<A> = A | Promise<A>

/** What the planner needs of a database, with what the port leaves to it. */
export const of = (sink: string, port: SqlPort): SqlDatabase => {
  const { dialect } = port
  const { begin, commit, rollback } = dialect.transaction ?? { begin: "BEGIN", commit: "COMMIT", rollback: "ROLLBACK" }
  const spelling = Spelling.of(dialect)
  const used =
    <E, R>(use: (rows: ReadonlyArray<SqlRow>) => Effect.Effect<unknown, E, R>) =>
    (rows: ReadonlyArray<SqlRow>) =>
      Effect.flatten(Effect.try({ try: () => use(rows), catch: failing({ dialect, sink }) }))
  const eachOf: NonNullable<SqlPort["each"]> =
    port.each ?? ((sql, use) => Effect.flatMap(port.rows(sql), (rows) => (rows.length === 0 ? Effect.void : use(rows))))
  const prepared = new Set<string>()
  const { catalog, forget } = catalogOf(port, spelling)
  const transaction: Transaction = port.transaction ?? {
    begin: Effect.asVoid(port.run(begin)),
    commit: Effect.asVoid(port.run(commit)),
    rollback: Effect.asVoid(port.run(rollback))
  }
  const database: SqlDatabase = {
    load: loadLiterals(port, spelling),
    ...port,
    sink,
    spelling,
    prepared,
    run: (sql) => Effect.ensuring(port.run(sql), forget),
    transaction: {
      ...transaction,
      // Tables that were made are undone too.
      rollback: Effect.ensuring(
        transaction.rollback,
        Effect.andThen(
          forget,
          Effect.sync(() => prepared.clear())
        )
      )
    },
    each: (sql, use) => Effect.asVoid(eachOf(sql, used(use))),
    take: (steps, into) => take({ ...database, run: port.run }, steps, into),
    describe: (table) =>
      Effect.map(
        catalog === undefined
          ? port.rows(dialect.describe(table))
          : Effect.map(catalog, (all) => all.get(spelling.fold(table)) ?? []),
        (rows) => describedOf(dialect, rows)
      )
  }
  return database
}

/** The rows of `SqlDialect.catalog` by table, until a statement may have changed tables. Steps change none that are described. */
const catalogOf = ({ dialect, rows }: SqlPort, { fold }: Spelling.Spelling) => {
  let known: ReadonlyMap<string, ReadonlyArray<SqlRow>> | undefined
  const forget = Effect.sync(() => {
    known = undefined
  })
  if (dialect.catalog === undefined) return { catalog: undefined, forget }
  const asked = Effect.map(rows(dialect.catalog), (found) => {
    const all = new Map<string, Array<SqlRow>>()
    for (const [table, ...row] of found) {
      const name = fold(String(table))
      all.set(name, [...(all.get(name) ?? []), row])
    }
    known = all
    return all
  })
  return { catalog: Effect.suspend(() => (known === undefined ? asked : Effect.succeed(known))), forget }
}

const portOf = (parts: Omit<Parts, "connect">, connection: SqlConnection): SqlPort => {
  const { load } = connection
  const attempt = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: failing(parts) })
  return {
    dialect: parts.dialect,
    location: connection.location,
    run: (sql) => attempt(async () => connection.run(sql)),
    rows: (sql) =>
      attempt(async () => {
        const all: Array<SqlRow> = []
        for await (const row of await connection.rows(sql)) all.push(row)
        return all
      }),
    each: Effect.fnUntraced(function* (sql, use) {
      const pieces = yield* attempt(async () => inPieces(await connection.rows(sql)))
      const all = Effect.gen(function* () {
        for (;;) {
          const next = yield* attempt(() => pieces.next())
          if (next.done === true) return
          yield* use(next.value)
        }
      })
      yield* Effect.ensuring(all, Effect.ignore(attempt(() => pieces.return())))
    }),
    ...(load === undefined
      ? {}
      : {
          load: (into, columns, rows) =>
            rows.length === 0 ? Effect.void : attempt(async () => load(into, columns, rows))
        })
  }
}

/** How many rows are in memory at once. */
const piece = 1000

async function* inPieces(rows: Iterable<SqlRow> | AsyncIterable<SqlRow>): AsyncGenerator<ReadonlyArray<SqlRow>, void> {
  let some: Array<SqlRow> = []
  for await (const row of rows) {
    some.push(row)
    if (some.length < piece) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** What steps need of a database. */
export type StepDatabase = Pick<SqlDatabase, "sink" | "run" | "rows" | "roomFor">

/** Takes steps in their order. `into`: the table of the staged rows, for the room that they need. */
export const take = Effect.fnUntraced(function* (
  database: StepDatabase,
  steps: Steps,
  into: string | undefined
): Effect.fn.Return<Tally, SinkError> {
  const tally: Record<string, number> = {}
  const readsOf = (step: Step | undefined): Reads =>
    step?._tag === "Run" ? (step.reads ?? "keys") : step?._tag === "Note" ? "rows" : "keys"
  for (let at = 0; at < steps.length; ) {
    const reads = readsOf(steps[at])
    const end = steps.findIndex((step, other) => other > at && readsOf(step) !== reads)
    const some = takeSome(database, steps.slice(at, end === -1 ? undefined : end), into)
    const room = into === undefined ? undefined : database.roomFor?.(into, reads)
    for (const [as, number] of Object.entries(yield* room === undefined ? some : room(some))) {
      tally[as] = (tally[as] ?? 0) + number
    }
    at = end === -1 ? steps.length : end
  }
  return tally
})

/** Takes steps that need memory for the same. */
const takeSome = Effect.fnUntraced(function* (
  database: StepDatabase,
  steps: Steps,
  into: string | undefined
): Effect.fn.Return<Tally, SinkError> {
  const tally: Record<string, number> = {}
  const add = (as: string, number: number) => {
    tally[as] = (tally[as] ?? 0) + number
  }
  for (const step of steps) {
    switch (step._tag) {
      case "Run": {
        const changed = yield* database.run(step.sql)
        if (step.as !== undefined) add(step.as, changed)
        break
      }
      case "Count": {
        const [row] = yield* database.rows(step.sql)
        add(step.as, Number(row?.[0] ?? 0))
        break
      }
      case "Note":
        step.use(yield* database.rows(step.sql))
        break
      case "Refuse":
        if ((yield* database.rows(step.sql)).length > 0) return yield* refused(database, step.message)
        break
      case "If":
        if ((yield* database.rows(step.sql)).length > 0) {
          for (const [as, number] of Object.entries(yield* take(database, step.steps, into))) add(as, number)
        }
    }
  }
  return tally
})

const loadLiterals = ({ run }: SqlPort, { literal }: Spelling.Spelling): NonNullable<SqlPort["load"]> =>
  Effect.fnUntraced(function* (into, columns, rows) {
    for (let at = 0; at < rows.length; at += 200) {
      const values = rows.slice(at, at + 200).map((row) => `(${row.map(literal).join(", ")})`)
      yield* run(`INSERT INTO ${into} (${columns.join(", ")}) VALUES ${values.join(", ")}`)
    }
  })

const describedOf = (dialect: SqlDialect, rows: ReadonlyArray<SqlRow>): Described | undefined => {
  const [first] = rows
  if (first === undefined) return undefined
  const kind = textOf(first[4])
  return {
    kind: kind?.toLowerCase() === "table" ? undefined : kind,
    comment: textOf(first[6]),
    isOurs: isTrue(first[7]),
    // Of a table without columns, a row says that it is there.
    columns: rows.flatMap(([name, sql, nullable, preset, , comment]): ReadonlyArray<DescribedColumn> => {
      const [column, type] = [textOf(name), textOf(sql) ?? ""]
      if (column === undefined) return []
      const own = { default: textOf(preset), comment: textOf(comment) }
      const hasDefault = own.default !== undefined
      return [{ name: column, sql: type, type: typeOf(dialect, type), nullable: isTrue(nullable), hasDefault, ...own }]
    })
  }
}

const textOf = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : String(value)
const isTrue = (value: unknown): boolean => value === true || /^(?:1|t|true|yes)$/i.test(String(value))

/** The type of a column as the dialect says, or the plain type that it spells like this. */
export const typeOf = (dialect: SqlDialect, sql: string): Column.ColumnType | undefined =>
  dialect.typeOf === undefined
    ? plainTypes.find((type) => dialect.type(type).toLowerCase() === sql.toLowerCase())
    : dialect.typeOf(sql)

const plainTypes = ["VARCHAR", "BOOLEAN", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "JSON"].flatMap(
  (sql) => columnFromSql(sql) ?? []
)

/** Makes the error of what the driver threw. */
const failing =
  ({ dialect, sink }: Omit<Parts, "connect">, doing?: string) =>
  (cause: unknown): SinkError => {
    if (cause instanceof SinkError) return cause
    const explained = dialect.explain?.(cause)
    const said = explained?.message ?? (cause instanceof Error ? cause.message : String(cause))
    const message = doing === undefined ? said : `${doing}: ${said}`
    return new SinkError({ sink, message, retryable: explained?.retryable ?? false })
  }

export const refused = ({ sink }: Pick<SqlDatabase, "sink">, message: string): SinkError =>
  new SinkError({ sink, message, retryable: false })

/** Says what was being done before the message of an error. */
export const within =
  (database: Pick<SqlDatabase, "within">, doing: string) =>
  <A, R>(effect: Effect.Effect<A, SinkError, R>): Effect.Effect<A, SinkError, R> =>
    Effect.mapError(effect, (error) => {
      const { message, retryable, sink } = error
      return database.within?.(doing, error) ?? new SinkError({ sink, message: `${doing}: ${message}`, retryable })
    })
