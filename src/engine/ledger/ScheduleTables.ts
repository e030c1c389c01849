/** The tables of the ledger, and their rows. */
import * as Schema from "effect/Schema"
import { events } from "../Notify.ts"

/**
 * waiting: for its time, its turn, or its next attempt. running: it is under way, or was when a scheduler died. skipped:
 * the run before it had not finished. missed: no scheduler ran, and it is not run later. dropped: its file is gone.
 */
export const State = Schema.Literals([
  "waiting",
  "running",
  "done",
  "behind",
  "held",
  "failed",
  "wrong",
  "skipped",
  "missed",
  "dropped"
])
export type State = typeof State.Type

/** The condition that a run was made and is over. */
export const ended = "state IN ('done', 'behind', 'held', 'failed', 'wrong')"

/** SQLite on one machine, or a schema of a Postgres that machines share. */
export type Dialect = "postgres" | "sqlite"

/** Statements that run each time the ledger is opened. `at`: the prefix of the names of tables. */
export const create = (dialect: Dialect, at: string): ReadonlyArray<string> => {
  const integer = dialect === "postgres" ? "BIGINT" : "INTEGER"
  const counted =
    dialect === "postgres" ? "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY" : "INTEGER PRIMARY KEY AUTOINCREMENT"
  const strict = dialect === "postgres" ? "" : "STRICT"
  return [
    ...(dialect === "postgres" ? [`CREATE SCHEMA IF NOT EXISTS ${at.slice(0, -1)}`] : []),
    `CREATE TABLE IF NOT EXISTS ${at}tasks (
      name TEXT PRIMARY KEY, path TEXT NOT NULL, text TEXT NOT NULL, rule TEXT NOT NULL, decided_to ${integer} NOT NULL
    ) ${strict}`,
    `CREATE TABLE IF NOT EXISTS ${at}runs (
      id ${counted}, task TEXT NOT NULL, due ${integer} NOT NULL, makes_up ${integer} NOT NULL,
      begin_at ${integer} NOT NULL, state TEXT NOT NULL, attempts ${integer} NOT NULL DEFAULT 0, attempt_at ${integer},
      ended_at ${integer}, run_id TEXT, rows TEXT NOT NULL DEFAULT '{}', changed ${integer}, message TEXT,
      UNIQUE (task, due)
    ) ${strict}`,
    `CREATE INDEX IF NOT EXISTS open_runs ON ${at}runs (begin_at, id) WHERE state IN ('waiting', 'running')`,
    `CREATE TABLE IF NOT EXISTS ${at}notices (
      id TEXT PRIMARY KEY, run ${integer} NOT NULL REFERENCES ${at}runs (id) ON DELETE CASCADE, event TEXT NOT NULL,
      target ${integer} NOT NULL, state TEXT NOT NULL, at ${integer} NOT NULL, message TEXT, UNIQUE (run, event, target)
    ) ${strict}`,
    `CREATE INDEX IF NOT EXISTS open_notices ON ${at}notices (state) WHERE state IN ('due', 'sending')`,
    ...(dialect === "postgres"
      ? [
          `CREATE TABLE IF NOT EXISTS ${at}leader (
            one BIGINT PRIMARY KEY CHECK (one = 1), holder TEXT NOT NULL, number BIGINT NOT NULL, until BIGINT NOT NULL
          )`,
          `INSERT INTO ${at}leader VALUES (1, '', 0, 0) ON CONFLICT DO NOTHING`
        ]
      : [])
  ]
}

const optional = Schema.NullOr(Schema.Finite)

export const Task = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  text: Schema.String,
  rule: Schema.String,
  /** All due times up to this one are decided. */
  decided_to: Schema.Finite
})

export const Run = Schema.Struct({
  id: Schema.Finite,
  task: Schema.String,
  /** The due time, in milliseconds since the epoch. */
  due: Schema.Finite,
  /** 1: it is the later run of a missed time; otherwise 0. */
  makes_up: Schema.Finite,
  /** When it may begin: the due time and its jitter, or the next attempt's time. */
  begin_at: Schema.Finite,
  state: State,
  attempts: Schema.Finite,
  attempt_at: optional,
  ended_at: optional,
  /** The id of the run in the journal of its pipeline. */
  run_id: Schema.NullOr(Schema.String),
  rows: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Finite)),
  changed: optional,
  message: Schema.NullOr(Schema.String)
})
export interface Run extends Schema.Schema.Type<typeof Run> {}

export const Notice = Schema.Struct({
  id: Schema.String,
  run: Schema.Finite,
  event: Schema.Literals(events),
  /** The index in the file's `notify`. */
  target: Schema.Finite,
  /** due: to be sent. sending: it may have been sent, and is not sent again. */
  state: Schema.Literals(["due", "sending", "sent", "failed"]),
  at: Schema.Finite,
  message: Schema.NullOr(Schema.String)
})
export interface Notice extends Schema.Schema.Type<typeof Notice> {}

const [task, run, notice] = [
  Schema.decodeUnknownSync(Task),
  Schema.decodeUnknownSync(Run),
  Schema.decodeUnknownSync(Notice)
]
export const decodeTask = (row: unknown) => task(row)
export const decodeRun = (row: unknown): Run => run(row)
export const decodeNotice = (row: unknown): Notice => notice(row)
