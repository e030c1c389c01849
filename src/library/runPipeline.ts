/**
 * Running a pipeline, or a file, with all that it needs.
 *
 * Nothing is started that is not asked for: rows of a program into a file start no service and load none of it.
 */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { pipelineName } from "../file/PipelineKeys.ts"
import * as Journals from "../journal/Journals.ts"
import * as Pipeline from "../pipeline/Pipeline.ts"
import * as Run from "../pipeline/run/Run.ts"
import type * as Source from "../pipeline/Source.ts"
import { environmentOf } from "./environment.ts"
import { fileFault, placed } from "./fileFault.ts"
import { loadFile } from "./loadFile.ts"
import { wrong } from "./StartError.ts"
import { engine, parts, type Services, unasked, withService } from "./services.ts"

/**
 * A pipeline as `run` takes it: what `Pipeline.make` takes, with a name that may be absent and a source that may be a
 * promise.
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
  /** `rows` of an async iterable gives a promise. */
  readonly source: Source.Reader<Services> | Promise<Source.Reader<Services>>
}

/**
 * How `run` runs: the journal, the variables and secrets of a file, and how the web is reached.
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
  /** What `${vars.NAME}` of a file stands for, before the file's own. */
  readonly vars?: Readonly<Record<string, string>>
  /** The environment; default: that of the process, and the `.env` file of the working folder for what it does not set. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** "disk": `.millrace` beside the file, or in the working folder. "temporary": gone when the run ends. Default: "disk". */
  readonly journal?: "disk" | "temporary"
  /** Reads from the beginning, whatever the destinations remember. */
  readonly fullRefresh?: boolean
  /** A key: a run that committed under it is reported and not made again. */
  readonly once?: string
  /** Told after every answer of the source. */
  readonly watch?: (progress: Run.Progress) => void
  /** Whether loopback and private addresses may be read. */
  readonly allowPrivate?: boolean
  /** HOST=ADDR:PORT, in the place of DNS. */
  readonly resolve?: ReadonlyArray<string>
  /** The service that reads the web, where no file says it; default: the one inside this process. */
  readonly service?: { readonly url: string; readonly key?: Redacted.Redacted }
  /** Aborting it stops the run, as Ctrl-C does: it commits no more, and the promise is rejected with the reason. */
  readonly signal?: AbortSignal
}

/** Runs a pipeline file, or a pipeline: the next run, or the unfinished one. */
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

const ofSpec = Effect.fnUntraced(function* (spec: Spec, { service }: RunOptions) {
  if (Object.keys(spec.sinks).length === 0) return yield* wrong("`sinks` names no sink, so the rows would go nowhere")
  const source = yield* Effect.tryPromise({
    try: () => Promise.resolve(spec.source),
    catch: (cause) => wrong(`the source cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  const name = spec.name ?? spec.table?.name ?? source.tables[0].name
  if (!pipelineName.test(name)) {
    return yield* wrong(
      `${JSON.stringify(name)} cannot be the name of a pipeline; use letters, digits, dots, dashes and underscores`
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
      in_flight: undefined
    },
    once: undefined
  }
  return { file, pipeline: Pipeline.make<Services>({ ...spec, name, source }) }
})

const present = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
