/** The tables of the ledger, and their rows. */
import * as Schema from "effect/Schema"
import { events } from "../pipeline/Notify.ts"

/**
 * waiting: for its time, its turn, or its next attempt. running: it is under way, or was when a scheduler died. skipped:
 * the run before it went on. missed: nobody was there, and it is not made up for. dropped: its file is gone.
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

/** The runs that were made and are over. */
export const ended = "state IN ('done', 'behind', 'held', 'failed', 'wrong')"

export const create = `
  CREATE TABLE IF NOT EXISTS tasks (
    name TEXT PRIMARY KEY, path TEXT NOT NULL, text TEXT NOT NULL, rule TEXT NOT NULL, decided_to INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, due INTEGER NOT NULL, makes_up INTEGER NOT NULL,
    begin_at INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, attempt_at INTEGER,
    ended_at INTEGER, run_id TEXT, rows TEXT NOT NULL DEFAULT '{}', changed INTEGER, message TEXT,
    UNIQUE (task, due)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS open_runs ON runs (begin_at, id) WHERE state IN ('waiting', 'running');
  CREATE TABLE IF NOT EXISTS notices (
    id TEXT PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, event TEXT NOT NULL,
    target INTEGER NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL, message TEXT, UNIQUE (run, event, target)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS open_notices ON notices (state) WHERE state IN ('due', 'sending');`

/** Takes a task, a time, the task again, and how many of its runs stay whatever their age. */
export const prune = `DELETE FROM runs WHERE task = ? AND state NOT IN ('waiting', 'running')
  AND coalesce(ended_at, due) < ? AND id NOT IN
  (SELECT id FROM runs WHERE task = ? ORDER BY id DESC LIMIT ?)`

const optional = Schema.NullOr(Schema.Finite)

export const Task = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  text: Schema.String,
  rule: Schema.String,
  /** Every due time up to this one is decided on. */
  decided_to: Schema.Finite
})

export const Run = Schema.Struct({
  id: Schema.Finite,
  task: Schema.String,
  /** When it was to be, in milliseconds since the epoch. */
  due: Schema.Finite,
  /** Whether it makes up for a time that was missed. */
  makes_up: Schema.Finite,
  /** When it may begin: the due time and its jitter, or the next attempt's time. */
  begin_at: Schema.Finite,
  state: State,
  attempts: Schema.Finite,
  attempt_at: optional,
  ended_at: optional,
  /** The run in the journal of its pipeline. */
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
  /** Which of the file's `notify`. */
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
