/**
 * `docs/reference/cli.md`: every command with its arguments, flags and their defaults, from the tree that parses them.
 *
 * A default is what the parser of a flag gives when nothing is written, so it cannot differ from what the command does.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import type * as Command from "effect/cli/Command"
import * as Param from "effect/cli/Param"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { millrace } from "#app/millrace"
import { code, page, table } from "./markdown.ts"

interface Parameter {
  readonly name: string
  readonly kind: Param.ParamKind
  readonly type: string
  readonly description: string
  /** Whether a command fails without it. */
  readonly required: boolean
  readonly default: string
  /** The environment variables that stand in for it. */
  readonly environment: ReadonlyArray<string>
  readonly repeated: boolean
}

interface Entry {
  readonly path: string
  readonly command: Command.Command.Any
  readonly parameters: ReadonlyArray<Parameter>
}

/** A flag or an argument of as many commands stands once, above all of them. */
const sharedBy = 4

export const cliPage = Effect.gen(function* () {
  const entries = yield* entriesOf("millrace", millrace)
  const all = entries.flatMap(({ parameters }) => parameters)
  const shared = new Map(
    all.filter((one) => all.filter((other) => same(one, other)).length >= sharedBy).map((one) => [asKey(one), one])
  )
  return page(
    "Command line",
    "Every command of `bin/millrace` (`millrace` where the package is installed), from the command tree in `src/app/millrace.ts`. " +
      "Exit codes are in [errors](errors.md#exit-codes).",
    [
      "## All commands",
      table(
        ["command", "what it does"],
        entries.map(({ command, path }) => [`[\`${path}\`](#${path.replaceAll(" ", "-")})`, command.description ?? ""])
      ),
      "## What many commands share",
      parameterTable([...shared.values()]),
      "Every command also has `--help`, `--version`, `--log-level LEVEL` and `--completions SHELL`.",
      ...entries.flatMap((entry) => section(entry, new Set(shared.keys())))
    ]
  )
}).pipe(Effect.provide(NodeServices.layer))

const entriesOf = (
  path: string,
  command: Command.Command.Any
): Effect.Effect<ReadonlyArray<Entry>, never, Command.Environment> =>
  Effect.gen(function* () {
    const below = command.subcommands.flatMap(({ commands }) => commands).filter(({ unlisted }) => !unlisted)
    const own = yield* Effect.forEach(paramsOf(command), parameterOf)
    const entries = yield* Effect.forEach(below, (one) =>
      entriesOf(path === "millrace" ? one.name : `${path} ${one.name}`, one)
    )
    return [...(path === "millrace" ? [] : [{ path, command, parameters: own }]), ...entries.flat()]
  })

/** The flags and arguments of a command, in the order in which it was made. The public type does not show them. */
const paramsOf = (command: Command.Command.Any): ReadonlyArray<Param.Any> => {
  const config = Predicate.hasProperty(command, "config") ? command.config : undefined
  const listed = (key: "flags" | "arguments") => {
    const params: unknown = Predicate.hasProperty(config, key) ? config[key] : undefined
    if (!Array.isArray(params))
      throw new Error(`the command ${command.name} has no list of ${key}: effect/cli has changed`)
    return params.filter((param): param is Param.Any => Param.isParam(param))
  }
  return [...listed("arguments"), ...listed("flags")]
}

const parameterOf = Effect.fnUntraced(function* (param: Param.Any) {
  const single = singleOf(param)
  const asked = new Set<string>()
  const provider = ConfigProvider.make((path) => {
    asked.add(path.join("_"))
    return Effect.succeed(undefined)
  })
  const parsed = yield* param
    .parse({ flags: {}, arguments: [] })
    .pipe(Effect.provideService(ConfigProvider.ConfigProvider, provider), Effect.exit)
  const given: unknown = Exit.isSuccess(parsed) ? parsed.value[1] : undefined
  const parameter: Parameter = {
    name: single.name,
    kind: param.kind,
    type: single.typeName ?? nameOfType(single),
    description: Option.getOrElse(single.description, () => ""),
    required: Exit.isFailure(parsed),
    default: inWords(given),
    environment: [...asked],
    repeated: isRepeated(param)
  }
  return parameter
})

const inside = (param: Param.Any): unknown => (Predicate.hasProperty(param, "param") ? param.param : undefined)

const singleOf = (param: Param.Any): Param.Single<Param.ParamKind, unknown> => {
  if (Param.isSingle(param)) return param
  const inner = inside(param)
  if (!Param.isParam(inner)) throw new Error("a parameter that stands for no other: effect/cli has changed")
  return singleOf(inner)
}

const isRepeated = (param: Param.Any): boolean => {
  if (param._tag === "Variadic") return true
  const inner = inside(param)
  return Param.isParam(inner) && isRepeated(inner)
}

const nameOfType = ({ primitiveType }: Param.Single<Param.ParamKind, unknown>): string => {
  const choices = Predicate.hasProperty(primitiveType, "choiceKeys") ? primitiveType.choiceKeys : undefined
  if (Array.isArray(choices)) return choices.join(" or ")
  return words[primitiveType._tag] ?? primitiveType._tag.toLowerCase()
}

const words: Readonly<Record<string, string>> = {
  String: "text",
  Int: "whole number",
  KeyValuePair: "NAME=VALUE",
  Redacted: "text, a secret"
}

const inWords = (value: unknown): string => {
  if (Option.isOption(value)) return Option.match(value, { onNone: () => "", onSome: inWords })
  if (Redacted.isRedacted(value) || value === undefined || value === false) return ""
  if (Array.isArray(value) || Predicate.isObject(value))
    return Object.keys(value).length === 0 ? "" : JSON.stringify(value)
  return String(value)
}

const section = ({ command, parameters, path }: Entry, shared: ReadonlySet<string>): ReadonlyArray<string> => {
  const own = parameters.filter((parameter) => !shared.has(asKey(parameter)))
  const others = parameters.filter((parameter) => shared.has(asKey(parameter)))
  const usage = ["millrace", path, ...parameters.filter(({ kind }) => kind === "argument").map(usageOf)].join(" ")
  return [
    `## ${path}`,
    `${code(usage)}: ${lower(command.description ?? "")}.`,
    ...(own.length === 0 ? [] : [parameterTable(own)]),
    ...(others.length === 0 ? [] : [`Shared: ${others.map(spelled).map(code).join(", ")}.`]),
    ...(command.examples.length === 0 ? [] : [command.examples.map(exampleOf).join("\n")])
  ]
}

const exampleOf = ({ command, description = "" }: Command.Command.Example): string =>
  `- ${code(command)}: ${description}`

const parameterTable = (parameters: ReadonlyArray<Parameter>): string =>
  table(
    ["", "value", "what it does", "default"],
    parameters.map((parameter) => [
      code(spelled(parameter)),
      parameter.type === "boolean" || parameter.kind === "argument" ? "" : parameter.type,
      parameter.description,
      [parameter.required ? "required" : code(parameter.default), ...parameter.environment.map(code)]
        .filter((text) => text !== "")
        .join(" or ")
    ])
  )

const spelled = ({ kind, name }: Parameter): string => (kind === "flag" ? `--${name}` : name.toUpperCase())

const usageOf = ({ name, repeated, required }: Parameter): string => {
  const shown = `${name.toUpperCase()}${repeated ? "..." : ""}`
  return required ? shown : `[${shown}]`
}

const asKey = ({ description, kind, name, ...rest }: Parameter): string =>
  [kind, name, description, rest.default, rest.repeated, rest.required].join("\n")
const same = (one: Parameter, other: Parameter): boolean => asKey(one) === asKey(other)
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
