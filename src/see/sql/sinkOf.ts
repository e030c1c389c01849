/** Chooses the sink of a pipeline that SQL queries. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Sink from "#engine/Sink"
import { wrong } from "../CliFailure.ts"

/**
 * The sink that the user named, otherwise the first that can be queried: databases and lakes come before files for hand-over,
 * which other programs do not open as tables.
 */
export const sinkOf = Effect.fnUntraced(function* <R>(
  pipeline: { readonly name: string; readonly sinks: Readonly<Record<string, Sink.Destination<R>>> },
  named: Option.Option<string>
) {
  const names = Object.keys(pipeline.sinks).join(", ")
  const sinks = Object.entries(pipeline.sinks)
  const isHandedOver = (sink: Sink.Destination<R>) => sink.readers === undefined
  for (const [name, sink] of [
    ...sinks.filter(([, one]) => !isHandedOver(one)),
    ...sinks.filter(([, one]) => isHandedOver(one))
  ]) {
    if (Option.isSome(named) ? named.value !== name : sink.queries === undefined) continue
    if (sink.queries === undefined)
      return yield* wrong(
        `${pipeline.name}: sink ${name}: a sink of type ${sink.type} cannot be queried with SQL; name another with --sink`
      )
    return { name, sink: { ...sink, queries: sink.queries } }
  }
  return yield* wrong(
    Option.isSome(named)
      ? `${pipeline.name} has no sink ${named.value}; sinks: ${names}`
      : `${pipeline.name} has no sink that can be queried with SQL; sinks: ${names}`
  )
})
