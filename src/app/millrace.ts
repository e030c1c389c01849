/** The tree of all commands. Without a command, `millrace` says what is in the folder, and what one could do. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { backfill } from "./commands/backfill.ts"
import { connectors } from "./commands/connectors.ts"
import { diff } from "./commands/diff.ts"
import { check, plan, preview } from "./commands/dryRun.ts"
import { explore } from "./commands/explore.ts"
import { exports } from "./commands/export.ts"
import { gov } from "./commands/gov.ts"
import { init } from "./commands/init.ts"
import { mcp } from "./commands/mcp.ts"
import { notebook } from "./commands/notebook.ts"
import { commit, drop, replay, runs } from "./commands/pastRuns.ts"
import { receive } from "./commands/receive.ts"
import { rejects } from "./commands/rejects.ts"
import { report } from "./commands/report.ts"
import { run } from "./commands/run.ts"
import { schedule } from "./commands/schedule.ts"
import { serve, site } from "./commands/serve.ts"
import { shell, sql } from "./commands/sql.ts"
import { compact, journal, vacuum, verify } from "./commands/upkeep.ts"
import { why } from "./commands/why.ts"

export const millrace = Command.make("millrace", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./showFolder.ts")),
    ({ showFolder }) => showFolder
  )
).pipe(
  Command.withDescription("From the web to the warehouse: run pipelines that load websites into tables"),
  Command.withSubcommands([
    run,
    runs,
    backfill,
    commit,
    drop,
    replay,
    rejects,
    report,
    diff,
    why,
    sql,
    shell,
    explore,
    notebook,
    exports,
    journal,
    compact,
    vacuum,
    verify,
    check,
    plan,
    preview,
    schedule,
    receive,
    serve,
    site,
    gov,
    mcp,
    init,
    connectors
  ])
)
