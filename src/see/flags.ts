/**
 * Flags that several commands share.
 */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"

export const files = Argument.String("file").pipe(
  Argument.withDescription("a pipeline file"),
  Argument.variadic({ min: 1 })
)

/** For commands that can look through the whole folder. */
export const anyFiles = Argument.String("file").pipe(
  Argument.withDescription("a pipeline file; default: every pipeline file of this folder"),
  Argument.variadic()
)

export const run = Argument.String("run").pipe(Argument.withDescription("the id of a run, or its first characters"))

export const file = Argument.String("file").pipe(Argument.withDescription("a pipeline file"))

export const vars = Flag.KeyValuePair("var").pipe(
  Flag.withDescription("the value of ${vars.NAME} in the pipeline file: NAME=VALUE; may be repeated"),
  Flag.withDefault({})
)

export const allowPrivate = Flag.Boolean("allow-private").pipe(
  Flag.withDescription("let the embedded service reach private and loopback addresses"),
  Flag.withDefault(false)
)

export const resolve = Flag.String("resolve").pipe(
  Flag.withDescription("connect to ADDR:PORT for requests to HOST: HOST=ADDR:PORT; may be repeated"),
  Flag.atLeast(0)
)

export const jsonWith = (description: string) =>
  Flag.Boolean("json").pipe(Flag.withDescription(description), Flag.withDefault(false))

export const json = jsonWith("print one JSON object instead of text, for programs")

export const jsonFor = (what: string) =>
  jsonWith(`print one JSON object for each ${what} instead of text, for programs`)

export const host = Flag.String("host").pipe(
  Flag.withDescription("the address to listen on; default: 127.0.0.1"),
  Flag.withDefault("127.0.0.1")
)

/** Refuses a number that is not from `least` to `most`. */
export const within = (least: number, most: number) =>
  Flag.filter<number>(
    (number) => number >= least && number <= most,
    (number) => `Expected a number from ${least} to ${most}, got ${number}`
  )

export const port = (standard: number) =>
  Flag.Int("port").pipe(
    Flag.withDescription(
      standard === 0
        ? "the port to listen on; default: 0, which takes a free port"
        : `the port to listen on; 0 takes a free port; default: ${standard}`
    ),
    within(0, 65_535),
    Flag.withDefault(standard)
  )
