/**
 * Runs a pipeline or a pipeline file with all that it needs.
 *
 * Parts that a pipeline does not need are not loaded: to write rows of a program into a file, no service is started.
 */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { CrawlerName } from "#base/CrawlerName"
import * as Journals from "#engine/Journals"
import * as Pipeline from "#engine/Pipeline"
import { pipelineName } from "#engine/PipelineKeys"
import * as Run from "#engine/Run"
import type * as Source from "#engine/Source"
import { environmentOf } from "./environment.ts"
import { fileFault, placed } from "./fileFault.ts"
import { loadFile } from "./loadFile.ts"
import { wrong } from "./StartError.ts"
import { engine, parts, type Services, unasked, withService } from "./services.ts"

/**
 * A pipeline for `run`: the same as for `Pipeline.make`, but the name is optional and the source may be a promise.
 *
 * @example
 * ```ts
 * import { rows, run, type Spec } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const spec: Spec = {
 *   name: "sorted",
 *   source: rows([{ id: 2 }, { id: 1 }], { table: "numbers" }),
 *   sinks: { out: memory.with({ name: "sorted" }) },
 *   checks: [{ rows: { min: 2 } }]
 * }
 * console.log((await run(spec, { journal: "temporary" })).status) // "done"
 * ```
 */
export interface Spec extends Omit<Pipeline.Parts<Services>, "name" | "source"> {
  /** Names the pipeline in its destinations; default: the name of its main table. */
  readonly name?: string
  /** A promise, if `rows` was given an async iterable without columns. */
  readonly source: Source.Reader<Services> | Promise<Source.Reader<Services>>
}

/**
 * The options of `run`: the journal, the variables and secrets of a file, and the network.
 *
 * @example
 * ```ts
 * import { rows, run, type RunOptions } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const spec = { source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: memory.with({ name: "once" }) } }
 * const options: RunOptions = { journal: "temporary", once: "2026-11-25" }
 * const first = await run(spec, options)
 * const second = await run(spec, options)
 * console.log(first.runId === second.runId, second.alreadyDone === undefined) // true false
 * ```
 */
export interface RunOptions {
  /** The values of `${vars.NAME}` in a file; they override the file's own. */
  readonly vars?: Readonly<Record<string, string>>
  /** The environment; default: that of the process, and the `.env` file of the working folder for what it does not set. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** "disk": kept in `.millrace` beside the file or in the working folder; "temporary": deleted after the run. Default: "disk". */
  readonly journal?: "disk" | "temporary"
  /** Whether to read everything again, and ignore the checkpoints in the destinations; default: false. */
  readonly fullRefresh?: boolean
  /** A key of your choice: if a run has already committed under it, its report is returned and nothing is run. */
  readonly once?: string
  /** Called after every answer of the source. */
  readonly watch?: (progress: Run.Progress) => void
  /** Whether private and loopback addresses may be read; default: false. */
  readonly allowPrivate?: boolean
  /** HOST=ADDR:PORT: requests to HOST connect to ADDR:PORT instead of the address from DNS. */
  readonly resolve?: ReadonlyArray<string>
  /** The service that reads the web, for a pipeline without a file; default: one inside this process. */
  readonly service?: { readonly url: string; readonly key?: Redacted.Redacted }
  /** Who asks, for a pipeline without a file and with the service inside this process; default: Millrace. */
  readonly crawler?: CrawlerName
  /** Aborting it stops the run, as Ctrl-C does: it commits no more, and the promise is rejected with the reason. */
  readonly signal?: AbortSignal
}

/** Runs a pipeline file or a pipeline: continues the unfinished run, or starts one. */
export const runPipeline = Effect.fn("Engine.run")(function* (what: string | Spec, options: RunOptions = {}) {
  const env = options.env ?? (yield* environmentOf)
  const { file, pipeline } = typeof what === "string" ? yield* ofFile(what, options, env) : yield* ofSpec(what, options)
  const flags = { allowPrivate: options.allowPrivate ?? false, resolve: options.resolve ?? [], env }
  const { watch } = options
  const isTemporary = options.journal === "temporary"
  const work = Effect.gen(function* () {
    const ready = yield* withService(file, pipeline, flags, !isTemporary)
    return yield* Run.run(ready, {
      ...(watch === undefined ? {} : { watch: (progress: Run.Progress) => Effect.sync(() => watch(progress)) }),
      fullRefresh: options.fullRefresh ?? false,
      once: options.once ?? file.once
    })
  })
  return yield* work.pipe(
    Effect.provide(
      Layer.merge(
        isTemporary ? Layer.mergeAll(parts, unasked, Journals.layerTemporary) : engine,
        ConfigProvider.layer(ConfigProvider.fromEnv({ env: present(env) }))
      )
    ),
    // An engine error about a step of a file is reported at its line.
    Effect.mapError((error) => ("problemAt" in file ? (fileFault(file, error) ?? error) : placed(error)))
  )
}, Effect.scoped)

const ofFile = (path: string, { vars = {} }: RunOptions, env: NonNullable<RunOptions["env"]>) =>
  loadFile(path, { vars, env, interval: "none" })

const ofSpec = Effect.fnUntraced(function* (spec: Spec, { crawler, service }: RunOptions) {
  if (Object.keys(spec.sinks).length === 0) return yield* wrong("`sinks` names no sink, so the rows would go nowhere")
  const source = yield* Effect.tryPromise({
    try: () => Promise.resolve(spec.source),
    catch: (cause) => wrong(`the source cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  const name = spec.name ?? spec.table?.name ?? source.tables[0].name
  if (!pipelineName.test(name)) {
    return yield* wrong(
      `${JSON.stringify(name)} cannot be the name of a pipeline; give it a \`name\` of letters A to Z, digits, dots, dashes and underscores`
    )
  }
  const file = {
    service: service ?? ("embedded" as const),
    network: {
      allow_private: false,
      resolve: [],
      proxy: undefined,
      tries: undefined,
      per_host: undefined,
      in_flight: undefined,
      accept_wrong_length: false
    },
    crawler,
    once: undefined
  }
  return { file, pipeline: Pipeline.make<Services>({ ...spec, name, source }) }
})

const present = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
