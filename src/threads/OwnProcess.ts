/**
 * A process of its own that answers questions, for what may end the process that does it: it ends alone, and who asked goes
 * on.
 *
 * It has one question at a time; it starts with the first one, and ends once nobody has asked for a while, or with the
 * scope. Who gives a question up, and a question that takes too long, end the process, because its state is unknown. It
 * ends by itself when the process that started it is gone (`answeringParent`).
 */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"

export interface Options {
  /** The process's own file beside the asking one, without its ending: "./quarantineProcess". */
  readonly file: string
  /** `import.meta.url` of who asks. */
  readonly beside: string
  /** Not asked for this long, it ends. */
  readonly idleMillis: number
  /** A question may not take longer. */
  readonly mostMillis: number
  readonly heapMegabytes: number
}

/** The process ended without an answer. */
export class ProcessEnded extends Schema.TaggedError<ProcessEnded>()("ProcessEnded", {
  /** How it ended, as words that follow "it": "was ended by SIGABRT". */
  message: Schema.String
}) {}

export interface OwnProcess<in Request, out Answer> {
  readonly ask: (request: Request) => Effect.Effect<Answer, ProcessEnded>
}

export const make = Effect.fnUntraced(function* <Request extends object, Answer>(options: Options) {
  const turn = yield* Semaphore.make(1)
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(idle)
    child?.kill("SIGKILL")
    child = undefined
  }
  yield* Effect.addFinalizer(() => Effect.sync(end))

  /** The process that is there and lives, or a new one. */
  const started = (): ChildProcess => {
    clearTimeout(idle)
    if (child?.connected !== true) child = start(options)
    return child
  }
  const rest = () => {
    idle = setTimeout(end, options.idleMillis).unref()
  }

  const ask = (request: Request) =>
    Effect.suspend(() => exchange<Request, Answer>(started(), request)).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(options.mostMillis),
        orElse: () => Effect.fail(new ProcessEnded({ message: `did not end in ${options.mostMillis / 1000} seconds` }))
      }),
      Effect.onExit((exit) => Effect.sync(exit._tag === "Success" ? rest : end)),
      turn.withPermits(1)
    )
  const made: OwnProcess<Request, Answer> = { ask }
  return made
})

/** Whoever started it may end before it: neither keeps the other. */
const start = ({ beside, file, heapMegabytes }: Options): ChildProcess => {
  const path = fileURLToPath(new URL(`${file}${beside.endsWith(".ts") ? ".ts" : ".js"}`, beside))
  const child = fork(path, [], {
    execArgv: [`--max-old-space-size=${heapMegabytes}`, "--disable-warning=ExperimentalWarning"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  child.unref()
  child.channel?.unref()
  // How it ends is seen by who asks it then; without a listener it would end this process.
  child.on("error", () => {})
  return child
}

/** One question. */
const exchange = <Request extends object, Answer>(
  child: ChildProcess,
  request: Request
): Effect.Effect<Answer, ProcessEnded> =>
  Effect.callback((resume) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a process of this kind sends nothing but answers
    const onMessage = (answer: unknown) => done(Effect.succeed(answer as Answer))
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      done(
        Effect.fail(new ProcessEnded({ message: signal === null ? `ended with ${code}` : `was ended by ${signal}` }))
      )
    const onError = (cause: Error) => done(Effect.fail(new ProcessEnded({ message: `failed: ${cause.message}` })))
    const listenNoMore = () => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError)
    }
    const done = (result: Effect.Effect<Answer, ProcessEnded>) => {
      listenNoMore()
      resume(result)
    }
    child.on("message", onMessage).on("exit", onExit).on("error", onError)
    // A process that ends meanwhile says so by its end.
    child.send(request, () => {})
    return Effect.sync(listenNoMore)
  })

/** The side of the process: answers each question, and ends with the process that asks. */
export const answeringParent = <Request, Answer>(answer: (request: Request) => Promise<Answer>): void => {
  process.on("disconnect", () => process.exit())
  process.on("message", (request: Request) => {
    void answer(request).then((message) => process.send?.(message))
  })
}
