/**
 * A writer that can be trusted after trouble: its calls run one after the other, and none after one that failed or was
 * interrupted.
 *
 * The law: such a call may have staged half a batch. Committing behind it would make the half visible, so the only way
 * on is to open the destination anew.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Sink from "./Sink.ts"

export const strictWriter = (sink: string, writer: Sink.Writer): Sink.Writer => {
  const semaphore = Semaphore.makeUnsafe(1)
  let broken = false
  const refused = new Sink.SinkError({
    sink,
    message: "an earlier call of this writer failed; open the destination anew",
    retryable: false
  })
  const whole = <A>(call: Effect.Effect<A, Sink.SinkError>) =>
    semaphore.withPermit(
      Effect.suspend(() =>
        broken ? Effect.fail(refused) : Effect.onError(call, () => Effect.sync(() => void (broken = true)))
      )
    )
  return {
    resume: writer.resume,
    columns: writer.columns,
    write: (batch) => whole(writer.write(batch)),
    retainKeys: (table, keys) => whole(writer.retainKeys(table, keys)),
    commit: (commit) => whole(writer.commit(commit))
  }
}
