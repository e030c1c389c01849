/**
 * One session with the server, with one statement at a time.
 *
 * Guarantee: a statement that is interrupted is cancelled, and its end is awaited; a session ends before its scope closes. So
 * nothing of it remains when the database is opened again. No statement waits for a server that is silent: since a statement may take
 * hours, another session asks whether the server still works on it. The driver is loaded with the first session.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as Pg from "pg"
import type { DatabaseLocation } from "../DatabaseLocation.ts"
import { ServerError, toServerError } from "../failure.ts"

type Value = string | bigint | boolean | null | ReadonlyArray<string | bigint>

/** A row of a result, with the texts of the server. */
type TextRow = Readonly<Record<string, string | null>>

interface ResultRows {
  /** The columns in the order of the cells. Several may have the same name. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly oid: number; readonly modifier: number }>
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
}

export interface Connection {
  /** The process id that was announced at the beginning of the session. A pooler announces its own. */
  readonly announced: string
  /** Runs a statement, and returns how many rows it changed. */
  readonly run: (sql: string, values?: ReadonlyArray<Value>) => Effect.Effect<number, ServerError>
  readonly rows: (sql: string, values?: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<TextRow>, ServerError>
  /** Runs one statement, and returns its rows as arrays, with the types of their columns. */
  readonly answer: (sql: string) => Effect.Effect<ResultRows, ServerError>
  /** Sends bytes to COPY ... FROM STDIN. */
  readonly copy: (sql: string, bytes: Uint8Array) => Effect.Effect<void, ServerError>
  /** Runs COMMIT to its end. If the server says nothing for a minute, the connection is cut. */
  readonly commit: Effect.Effect<void, ServerError>
}

/** Opens a session that ends with the scope. */
export const open = Effect.fn("postgres.connect")(function* (
  place: DatabaseLocation
): Effect.fn.Return<Connection, ServerError, Scope.Scope> {
  const { client, copyFrom, lost } = yield* Effect.acquireRelease(connect(place), ({ client }) => end(client))
  const settle = settled(place, client, lost)
  const running = { statements: 0, isNow: false }
  const whole = <A>(start: () => Promise<A>) =>
    Effect.suspend(() => {
      Object.assign(running, { statements: running.statements + 1, isNow: true })
      return Effect.ensuring(
        settle(start),
        Effect.sync(() => Object.assign(running, { isNow: false }))
      )
    })
  const query = (config: Pg.QueryConfig | Pg.QueryArrayConfig) => whole(() => client.query(config))
  yield* query({ text: settings })
  const announced = String(idOf(client))
  const own = yield* whole(() => client.query<{ pid: string }>("SELECT pg_backend_pid()::TEXT AS pid"))
  const isAnnounced = own.rows[0]?.pid === announced
  yield* Effect.forkScoped(cutWhenSilent(place, client, { running, isAnnounced }))
  // Not every operating system supports this setting.
  yield* Effect.ignore(query({ text: "SET client_connection_check_interval = '1s'" }))
  return {
    announced,
    run: (text, values = []) => Effect.map(query({ text, values: toDriver(values) }), ({ rowCount }) => rowCount ?? 0),
    rows: (text, values = []) =>
      // The session's type parser returns all values as text.
      Effect.map(query({ text, values: toDriver(values) }), ({ rows }) => rows as ReadonlyArray<TextRow>),
    answer: (text) =>
      Effect.map(
        whole(() =>
          client.query<Array<string | null>>({ text, rowMode: "array", queryMode: "extended" } as Pg.QueryArrayConfig)
        ),
        ({ fields, rows }) => ({
          columns: fields.map(({ dataTypeID, dataTypeModifier, name }) => ({
            name,
            oid: dataTypeID,
            modifier: dataTypeModifier
          })),
          rows
        })
      ),
    copy: (sql, bytes) =>
      whole(
        () =>
          new Promise<void>((done, fail) => {
            const stream = client.query(copyFrom(sql))
            stream.on("error", fail)
            stream.on("finish", () => done())
            stream.end(bytes)
          })
      ),
    commit: Effect.gen(function* () {
      const late = Effect.andThen(Effect.sleep(commitTime), cut(client, "the server said nothing for a minute"))
      const watch = yield* Effect.forkChild(Effect.interruptible(late))
      yield* Effect.ensuring(query({ text: "COMMIT" }), Fiber.interrupt(watch))
    }).pipe(Effect.uninterruptible)
  }
})

/** Settings that make the text of values independent of the server and the user. */
const words = (set: string): string => own.map((setting) => `${set} ${setting}; `).join("")

const own = [
  "TIME ZONE 'UTC'",
  "DateStyle = 'ISO, YMD'",
  "extra_float_digits = 1",
  "standard_conforming_strings = on",
  "quote_all_identifiers = off"
]

/** The same for one transaction: a reader may use a pooler that gives each transaction another session. */
export const transactionSettings = words("SET LOCAL")

/** The settings of a session, with limits for waits. */
const settings = `${words("SET")} SET lock_timeout = '60s'; SET statement_timeout = 0; SET idle_session_timeout = 0;
  SET idle_in_transaction_session_timeout = 0; SET synchronize_seqscans = off; SET client_min_messages = 'warning';
  SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3`

const connectMillis = 15_000
const commitTime = Duration.minutes(1)
const silence = Duration.minutes(1)
const goodbyeMillis = 1000
/** How long the end of a cancelled statement, and of a session, is awaited. */
const endTime = Duration.seconds(5)

const connect = (place: DatabaseLocation) =>
  Effect.tryPromise({
    try: async () => {
      const [{ Client }, { from: copyFrom }] = await Promise.all([import("pg"), import("pg-copy-streams")])
      const client = new Client(configOf(place))
      let why: Error | undefined
      // If the connection breaks while nothing runs, the next statement reports the reason.
      client.on("error", (error) => (why ??= error))
      await client.connect()
      return { client, copyFrom, lost: () => why }
    },
    catch: toServerError
  })

/** The configuration of the driver. `sslmode` has the meaning of libpq: `require` is TLS without a check of the server. */
const configOf = ({ url }: DatabaseLocation): Pg.ClientConfig => {
  const own = new URL(Redacted.value(url))
  if (own.searchParams.has("sslmode") && !own.searchParams.has("uselibpqcompat")) {
    own.searchParams.set("uselibpqcompat", "true")
  }
  return {
    connectionString: own.href,
    application_name: "millrace",
    connectionTimeoutMillis: connectMillis,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: () => (text: string) => text }
  }
}

/**
 * A promise of the session as an effect. An interruption cancels the statement and waits for its end; if the server says
 * nothing, the connection is cut.
 */
const settled =
  (place: DatabaseLocation, client: Pg.Client, lost: () => Error | undefined) =>
  <A>(start: () => Promise<A>): Effect.Effect<A, ServerError> =>
    Effect.callback<A, ServerError>((resume) => {
      const running = start()
      running.then(
        (value) => resume(Effect.succeed(value)),
        (error: unknown) => resume(Effect.fail(toServerError(lost() ?? error)))
      )
      return Effect.promise(async () => {
        await Promise.race([cancel(place, client), running.catch(() => {})])
        await running.catch(() => {})
      }).pipe(orCut(client))
    })

/** Cancels the running statement through another session. If that fails, the statement runs to its end. */
const cancel = async (place: DatabaseLocation, client: Pg.Client): Promise<void> => {
  await fromAside(place, "SELECT pg_cancel_backend($1)", [idOf(client)]).catch(() => {})
}

const idOf = (client: Pg.Client): unknown => Reflect.get(client, "processID")

/** The first cell of what another session is answered. */
const fromAside = async (place: DatabaseLocation, sql: string, values: Array<unknown>): Promise<unknown> => {
  const { Client } = await import("pg")
  const other = new Client({ ...configOf(place), query_timeout: connectMillis })
  other.on("error", () => {})
  try {
    await other.connect()
    const { rows } = await other.query<Array<unknown>>({ text: sql, values, rowMode: "array" })
    return rows[0]?.[0]
  } finally {
    // A silent server does not say goodbye either.
    other.end().catch(() => {})
    setTimeout(() => other.connection.stream.destroy(), goodbyeMillis).unref()
  }
}

/**
 * Cuts the session when for a minute no byte of a running statement came or went, and the server does not work on it: it has ended it,
 * or waits for us, or cannot be reached.
 */
const cutWhenSilent = Effect.fnUntraced(function* (
  place: DatabaseLocation,
  client: Pg.Client,
  {
    isAnnounced,
    running
  }: { readonly running: { readonly statements: number; readonly isNow: boolean }; readonly isAnnounced: boolean }
) {
  // `stream` is a socket, or one with TLS: both count.
  const bytes = (of: "bytesRead" | "bytesWritten") => Number(Reflect.get(client.connection.stream, of))
  const heard = () => `${running.statements} ${bytes("bytesRead")} ${bytes("bytesWritten")}`
  for (;;) {
    const before = heard()
    yield* Effect.sleep(silence)
    const isSilent = () => running.isNow && heard() === before
    if (!isSilent() || (yield* Effect.promise(() => isAtWork(place, client, isAnnounced)))) continue
    // An answer may be on its way.
    yield* Effect.sleep(endTime)
    if (isSilent()) yield* cut(client, "the server said nothing for a minute")
  }
})

/**
 * Whether the server works on a statement of the session, as it says to another one. Behind a pooler the session has no name, and may
 * work as long as the server answers.
 */
const isAtWork = (place: DatabaseLocation, client: Pg.Client, isAnnounced: boolean): Promise<boolean> =>
  fromAside(place, atWork, [idOf(client)]).then(
    // All types come as text.
    (answer) => !isAnnounced || answer === "t",
    // What the server itself refuses, such as one more session, it can say.
    (error: unknown) => error instanceof Error && Reflect.has(error, "severity")
  )

const atWork = `SELECT state = 'active' AND wait_event_type IS DISTINCT FROM 'Client' FROM pg_stat_activity WHERE pid = $1`

const end = (client: Pg.Client) => Effect.promise(() => client.end().catch(() => {})).pipe(orCut(client))

const orCut =
  (client: Pg.Client) =>
  (ending: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.interruptible(ending).pipe(
      Effect.timeoutOrElse({ duration: endTime, orElse: () => cut(client, "the server said nothing") })
    )

/** Ends the connection without a word. What waits for its answers fails with this reason. */
const cut = (client: Pg.Client, why: string) =>
  Effect.sync(() => void client.connection.stream.destroy(new Error(`timeout expired: ${why}`)))

/** A copy of the values, because the driver may change its array. */
const toDriver = (values: ReadonlyArray<Value>): Array<unknown> => [...values]
