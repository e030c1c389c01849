/**
 * The work behind `millrace connectors`: lists sources and sinks with their options, from the schemas that decode pipeline files.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { connectors } from "#connectors/index"
import { loadConnectors } from "#engine/loadConnectors"

export const listConnectors = (options: { readonly json: boolean }) =>
  Effect.map(loadConnectors(connectors), (connectors) => {
    const all = connectors.flatMap(({ name, sources, sinks, stores }) => [
      ...sources.map((source) => ({ connector: name, kind: "source", ...about(source) })),
      ...sinks.map((sink) => ({ connector: name, kind: "sink", writes: sink.writes, ...about(sink) })),
      ...stores.map(({ scheme }) => ({ connector: name, kind: "store", type: scheme, description: "", options: [] }))
    ])
    if (options.json) process.stdout.write(`${JSON.stringify(all)}\n`)
    else process.stdout.write(`${all.map(asText).join("\n")}\n`)
  })

interface About {
  readonly type: string
  readonly description: string
  readonly options: ReadonlyArray<{ readonly name: string; readonly description: string }>
}

const about = (part: {
  readonly type: string
  readonly description: string
  readonly schema: Schema.Constraint
}): About => {
  const { schema } = Schema.toJsonSchemaDocument(part.schema)
  const properties = schema["properties"]
  const options = Object.entries(typeof properties === "object" && properties !== null ? properties : {})
  return {
    type: part.type,
    description: part.description,
    options: options.map(([name, option]) => ({ name, description: descriptionOf(option) }))
  }
}

/** The description of a schema, or of its first alternative that has one. */
const descriptionOf = (schema: unknown): string => {
  if (typeof schema !== "object" || schema === null) return ""
  if ("description" in schema && typeof schema.description === "string") return schema.description
  const nested = ["anyOf", "allOf"].flatMap((key) => {
    const members: unknown = Reflect.get(schema, key)
    return Array.isArray(members) ? members.map(descriptionOf) : []
  })
  return nested.find((text) => text !== "") ?? ""
}

const asText = ({ kind, type, description, options }: About & { readonly kind: string }): string =>
  [
    `${kind} ${type}${description === "" ? "" : `: ${description}`}`,
    ...options.map((option) => `  ${option.name.padEnd(22)} ${option.description}`.trimEnd())
  ].join("\n")
