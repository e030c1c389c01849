/**
 * The work behind `millrace receive`: a receiver on a port, and a run of the pipeline when events have come.
 *
 * A received event is in the inbox, so a run that fails or dies loses nothing, and the next run loads it. One run at a
 * time, in a process of its own, so that no run stops the receiver from answering.
 */
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { inboxOf } from "#connectors/webdata/inboxOf"
import { Inboxes as InboxService } from "#engine/Inbox"
import * as Inboxes from "#engine/Inboxes"
import * as Receiver from "#engine/InboxReceiver"
import * as Server from "#engine/InboxServer"
import { duration, millisOf } from "#engine/KeySchemas"
import type { NetworkFlags } from "#library/services"
import { failed, notListening, wrong } from "#see/CliFailure"
import { loadText, textOf } from "#see/loadPipeline"
import { releaseMemory, thisProcess } from "../releaseMemory.ts"
import { runApart } from "../schedule/scheduleRunner.ts"
import * as receiveRuns from "./receiveRuns.ts"

interface Options extends NetworkFlags {
  readonly file: string
  readonly host: string
  readonly port: number
  readonly path: string
  readonly secret: Option.Option<Redacted.Redacted>
  readonly secretFile: Option.Option<string>
  readonly noRun: boolean
  /** As people write a time. */
  readonly gather: string
  readonly vars: Readonly<Record<string, string>>
}

export const receiveEvents = Effect.fn("receiveEvents")(
  function* (options: Options) {
    const { file: path, host, noRun, port } = options
    const text = yield* textOf(path)
    const { file, pipeline } = yield* loadText(path, text, options.vars, "none")
    const name = inboxOf(pipeline.source)
    if (name === undefined) return yield* notTold(path, pipeline.source.type)
    if (file.once !== undefined)
      return yield* wrong(`${path}: \`once:\` is the key of one run, and a receiver starts many runs: remove it`)
    if (!options.path.startsWith("/"))
      return yield* wrong(`--path must begin with /, not ${JSON.stringify(options.path)}`)
    const gatherMillis = yield* gatherOf(options.gather)
    const secret = yield* secretOf(options)
    const { open } = yield* InboxService
    const inbox = yield* Effect.mapError(open(name, pipeline.directory), ({ message }) => failed(message))
    const runs = yield* receiveRuns.prepare({
      name: pipeline.name,
      gatherMillis,
      run: runApart({ path: resolve(path), text }, options)
    })
    const receiver = yield* Receiver.open({ inbox, secret, path: options.path, accepted: runs.came })
    const url = yield* Server.serve(receiver, { host, port }).pipe(
      Effect.catchTag("ServeError", ({ cause }) => notListening(host, port, cause))
    )
    process.stdout.write(`millrace receives events for ${pipeline.name} at ${url}${options.path}\n`)
    yield* Effect.forkScoped(releaseMemory(thisProcess))
    if (noRun) return yield* Effect.never
    const { events } = yield* Effect.mapError(inbox.counts, ({ message }) => failed(message))
    return yield* runs.work(events > 0)
  },
  Effect.scoped,
  Effect.provide(Inboxes.layer)
)

const notTold = (path: string, type: string) =>
  wrong(
    `${path}: its source does not read webhook events${type === "monitor" ? "" : ` (it is ${type})`}; write\n` +
      "  source: { type: monitor, by: webhook, monitor: the monitor's name or id }"
  )

const isDuration = Schema.is(duration)

const gatherOf = (text: string) =>
  isDuration(text)
    ? Effect.succeed(millisOf(text))
    : Effect.fail(wrong(`--gather must be a time such as 5s or 1m, not ${JSON.stringify(text)}`))

/** It is never in what is printed. */
const secretOf = Effect.fnUntraced(function* ({ secret, secretFile }: Options) {
  const given = Option.isSome(secretFile)
    ? Option.some(yield* secretIn(secretFile.value))
    : Option.map(secret, Redacted.value)
  if (Option.isNone(given)) return yield* wrong(`there is no webhook secret: ${whereFrom}`)
  if (given.value === "") return yield* wrong(`the webhook secret is empty, so anyone could sign events: ${whereFrom}`)
  return Redacted.make(given.value)
})

const whereFrom =
  "set MILLRACE_WEBHOOK_SECRET, or name a file with --secret-file; it is in the advanced settings of the service's " +
  "account, or in the file `webhook-secret` of the data folder of `millrace serve`"

const secretIn = (path: string) =>
  Effect.map(
    Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (cause) =>
        wrong(`the webhook secret cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
    }),
    (text) => text.trim()
  )
