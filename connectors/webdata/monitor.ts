/**
 * The monitor source: what the checks of a monitor find, as tables; `by` says how it is learned.
 *
 * The law: each way has a state and a cursor of its own. A checkpoint of one says nothing to another: a pipeline that
 * changes its way begins anew, and keys make one row of what it had already.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { MonitorRequest } from "../../src/api/Monitor.ts"
import { Targets } from "../../src/api/MonitorTarget.ts"
import type { WebData } from "../../src/client/WebData.ts"
import type { Inboxes } from "../../src/pipeline/Inbox.ts"
import * as Source from "../../src/pipeline/Source.ts"
import * as monitorChecks from "./monitorChecks.ts"
import * as monitorEvents from "./monitorEvents.ts"
import * as tables from "./monitorTables.ts"

const { goal, schedule } = MonitorRequest.fields

const Options = Schema.Struct({
  monitor: Schema.NonEmptyString.annotate({ description: "the monitor, by id or by name" }),
  by: Schema.optionalKey(
    Schema.Literals(["checks", "webhook"]).annotate({
      description: "how it is learned: its checks are asked for, or `millrace receive` has been told of them",
      default: "checks"
    })
  ),
  targets: Schema.optionalKey(
    Schema.Union([Targets]).annotate({
      description: "what it watches: it is made where there is none of this name, and checked by each run"
    })
  ),
  schedule: Schema.optionalKey(
    Schema.Union([schedule]).annotate({
      description: "when the service checks by itself too, for a monitor that is made; hardly ever where silent"
    })
  ),
  goal,
  same: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "rows of pages that are the same too", default: false })
  ),
  inbox: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "by webhook: the inbox that is read; the one of the monitor's name where silent"
    })
  )
}).check(Schema.makeFilter((options) => monitorEvents.misfitOf(options)))

const State = Schema.Union([monitorChecks.State, monitorEvents.State])
const Cursor = Schema.Union([monitorChecks.Cursor, monitorEvents.Cursor])

type Answers = Stream.Stream<Source.Asked<typeof Cursor.Type>, Source.SourceError, WebData | Inboxes>

export const monitor = Source.make({
  type: "monitor",
  description: "what the checks of a monitor find: pages that changed, came, went or cannot be read",
  options: Options,
  state: State,
  cursor: Cursor,
  tables: () => [tables.pageChanges, tables.monitorChecks],
  ask: (options, { after, directory, start }): Answers =>
    options.by === "webhook"
      ? monitorEvents.ask(
          options,
          directory,
          Option.filter(start, monitorEvents.isState),
          Option.filter(after, monitorEvents.isCursor)
        )
      : Stream.unwrap(
          monitorChecks.ask(
            options,
            Option.filter(start, monitorChecks.isState),
            Option.filter(after, monitorChecks.isCursor)
          )
        ),
  parse: (options, { cursor, ...answer }) =>
    monitorEvents.isCursor(cursor)
      ? monitorEvents.parse(options, { ...answer, cursor })
      : monitorChecks.parse(options, { ...answer, cursor })
})
