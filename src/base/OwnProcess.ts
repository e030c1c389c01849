/**
 * A process that answers questions whose work may crash: it ends alone, and the asking process continues.
 *
 * It has one question at a time. It starts with the first one, and ends with the scope or after some time without a
 * question. A question that is interrupted or takes too long ends the process, because its state is unknown. If the
 * asking process ends, so does this one (`answeringParent`).
 */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"

interface Options {
  /** The file of the process, beside the asking one, without its extension: "./quarantineProcess". */
  readonly file: string
  /** `import.meta.url` of the asking file. */
  readonly beside: string
  /** The process ends after this long without a question. */
  readonly idleMillis: number
  /** The time limit of a question. */
  readonly mostMillis: number
  readonly heapMegabytes: number
}

/** The process ended without an answer. */
class ProcessEnded extends Schema.TaggedError<ProcessEnded>()("ProcessEnded", {
  /** How it ended, in words that follow "it": "was ended by SIGABRT". */
  message: Schema.String
}) {}

interface OwnProcess<in Request, out Answer> {
  readonly ask: (request: Request) => Effect.Effect<Answer, ProcessEnded>
}

export const create = Effect.fnUntraced(function* <Request extends object, Answer>(options: Options) {
  const turn = yield* Semaphore.make(1)
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(idle)
    child?.kill("SIGKILL")
    child = undefined
  }
  yield* Effect.addFinalizer(() => Effect.sync(end))

  /** The running process, or a new one. */
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

/** Neither process keeps the other alive. */
const start = ({ beside, file, heapMegabytes }: Options): ChildProcess => {
  const path = fileURLToPath(new URL(`${file}${beside.endsWith(".ts") ? ".ts" : ".js"}`, beside))
  const child = fork(path, [], {
    execArgv: [`--max-old-space-size=${heapMegabytes}`, "--disable-warning=ExperimentalWarning"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  child.unref()
  child.channel?.unref()
  // `exchange` sees how the process ends; without a listener, the error would end this process.
  child.on("error", () => {})
  return child
}

const exchange = <Request extends object, Answer>(
  child: ChildProcess,
  request: Request
): Effect.Effect<Answer, ProcessEnded> =>
  Effect.callback((resume) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a process of this kind sends nothing but answers
    const onMessage = (answer: unknown) => finish(Effect.succeed(answer as Answer))
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      finish(
        Effect.fail(new ProcessEnded({ message: signal === null ? `ended with ${code}` : `was ended by ${signal}` }))
      )
    const onError = (cause: Error) => finish(Effect.fail(new ProcessEnded({ message: `failed: ${cause.message}` })))
    const listenNoMore = () => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError)
    }
    const finish = (result: Effect.Effect<Answer, ProcessEnded>) => {
      listenNoMore()
      resume(result)
    }
    child.on("message", onMessage).on("exit", onExit).on("error", onError)
    // If the process ends before it is sent, its exit reports that.
    child.send(request, () => {})
    return Effect.sync(listenNoMore)
  })

/** The other side: answers each question, and ends with the asking process. */
export const answeringParent = <Request, Answer>(answer: (request: Request) => Promise<Answer>): void => {
  process.on("disconnect", () => process.exit())
  process.on("message", (request: Request) => {
    void answer(request).then((message) => process.send?.(message))
  })
}
