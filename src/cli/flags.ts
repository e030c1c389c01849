/**
 * Flags that several commands share.
 */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

export const files = Argument.String("file").pipe(
  Argument.withDescription("a pipeline file"),
  Argument.variadic({ min: 1 })
)

/** Where a command can find out by itself what it is about. */
export const anyFiles = Argument.String("file").pipe(
  Argument.withDescription("a pipeline file; default: every pipeline file of this folder"),
  Argument.variadic()
)

export const run = Argument.String("run").pipe(Argument.withDescription("the id of a run, or its first characters"))

export const file = Argument.String("file").pipe(Argument.withDescription("a pipeline file"))

export const vars = Flag.KeyValuePair("var").pipe(
  Flag.withDescription("a value for ${vars.NAME}: NAME=VALUE; may be repeated"),
  Flag.withDefault({})
)

export const allowPrivate = Flag.Boolean("allow-private").pipe(
  Flag.withDescription("let the embedded service reach private and loopback addresses"),
  Flag.withDefault(false)
)

export const resolve = Flag.String("resolve").pipe(
  Flag.withDescription("serve HOST from ADDR:PORT: HOST=ADDR:PORT; may be repeated"),
  Flag.atLeast(0)
)

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("print one JSON object at the end, for programs"),
  Flag.withDefault(false)
)

export const host = Flag.String("host").pipe(
  Flag.withDescription("the address to listen on"),
  Flag.withDefault("127.0.0.1")
)

/** A whole number of a range; what is outside of it is refused with what may stand there. */
export const within = (least: number, most: number) =>
  Flag.filter<number>(
    (number) => number >= least && number <= most,
    (number) => `Expected a number from ${least} to ${most}, got ${number}`
  )

export const port = (otherwise: number) =>
  Flag.Int("port").pipe(
    Flag.withDescription("the port to listen on; 0 takes a free one"),
    within(0, 65_535),
    Flag.withDefault(otherwise)
  )
