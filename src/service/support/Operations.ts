/**
 * The operations of the contract with their fields, read from its OpenAPI document: so answers are never older than the API.
 */
import * as OpenApi from "effect/http-api/OpenApi"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Api } from "#contract/Api"

export interface Operation {
  readonly method: string
  readonly path: string
  /** Its JSON pointer in the document. */
  readonly pointer: string
  readonly fields: ReadonlyArray<Field>
  readonly statuses: ReadonlyArray<string>
}

export interface Field {
  readonly name: string
  readonly required: boolean
  readonly description: string
  /** "an integer from 1 to 100", "one of include, skip, only". */
  readonly type: string
  readonly rule: Rule
}

/** The rules for a value, as far as the schema has any. */
export interface Rule {
  readonly types: ReadonlySet<string>
  readonly choices: ReadonlyArray<string>
  readonly minimum?: number
  readonly maximum?: number
}

const Node = Schema.Record(Schema.String, Schema.Unknown)
type Node = typeof Node.Type
const asNode = (value: unknown): Node => Option.getOrElse(Schema.decodeUnknownOption(Node)(value), () => ({}))
const asList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const asText = (value: unknown): string => (typeof value === "string" ? value : "")

let known: ReadonlyArray<Operation> | undefined

/** Reads the document once, on the first call. */
export const operations = (): ReadonlyArray<Operation> => {
  known ??= read(asNode(OpenApi.fromApi(Api)))
  return known
}

const read = (document: Node): ReadonlyArray<Operation> => {
  const schemas = asNode(asNode(document["components"])["schemas"])
  return Object.entries(asNode(document["paths"])).flatMap(([path, item]) =>
    Object.entries(asNode(item)).map(([method, value]): Operation => {
      const operation = asNode(value)
      const content = asNode(asNode(operation["requestBody"])["content"])
      const body = resolve(asNode(asNode(content["application/json"])["schema"]), schemas)
      return {
        method: method.toUpperCase(),
        path,
        pointer: `#/paths/${path.replaceAll("/", "~1")}/${method}`,
        fields: [...fieldsOf(body, schemas), ...queryOf(operation, schemas)],
        statuses: Object.keys(asNode(operation["responses"]))
      }
    })
  )
}

/** Fields that no one asks about. */
const unlisted = new Set(
  "origin integration zeroDataRetention deduplicateSimilarURLs toolDetail domainTools auditMetadata threatProtection filter".split(
    " "
  )
)

const fieldsOf = (body: Node, schemas: Node): ReadonlyArray<Field> => {
  const required = new Set(asList(body["required"]))
  return Object.entries(asNode(body["properties"]))
    .filter(([name]) => !unlisted.has(name))
    .map(([name, value]) => fieldOf(name, asNode(value), required.has(name), schemas))
}

const queryOf = (operation: Node, schemas: Node): ReadonlyArray<Field> =>
  asList(operation["parameters"])
    .map(asNode)
    .filter((parameter) => parameter["in"] === "query" && !unlisted.has(asText(parameter["name"])))
    .map((parameter) =>
      fieldOf(asText(parameter["name"]), asNode(parameter["schema"]), parameter["required"] === true, schemas)
    )

const fieldOf = (name: string, schema: Node, required: boolean, schemas: Node): Field => {
  const parts = branches(schema, schemas, 0)
  const description = parts.map((part) => asText(part["description"])).find((text) => text !== "") ?? ""
  const rule = ruleOf(parts)
  return { name, required, description, type: typeOf(rule), rule }
}

/** A field's own schema and its alternatives, without null. */
const branches = (schema: Node, schemas: Node, depth: number): ReadonlyArray<Node> => {
  const own = resolve(schema, schemas)
  const inner = asList(own["anyOf"]).concat(asList(own["oneOf"]), asList(own["allOf"])).map(asNode)
  return depth > 4 ? [own] : [own, ...inner.flatMap((part) => branches(part, schemas, depth + 1))]
}

const resolve = (schema: Node, schemas: Node): Node => {
  const name = asText(schema["$ref"]).split("/").at(-1) ?? ""
  return name === "" ? schema : asNode(schemas[name])
}

const ruleOf = (parts: ReadonlyArray<Node>): Rule => {
  const number = (key: string) => parts.map((part) => part[key]).find((value) => typeof value === "number")
  const [minimum, maximum] = [number("minimum"), number("maximum")]
  return {
    types: new Set(parts.map((part) => asText(part["type"])).filter((type) => type !== "" && type !== "null")),
    choices: parts.flatMap((part) => asList(part["enum"]).map(asText)).filter((choice) => choice !== ""),
    ...(typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? { minimum } : {}),
    ...(typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? { maximum } : {})
  }
}

const typeOf = ({ choices, maximum, minimum, types }: Rule): string => {
  if (choices.length > 0) return `${types.has("array") ? "an array of" : "one of"} ${[...new Set(choices)].join(", ")}`
  const range =
    minimum !== undefined && maximum !== undefined
      ? ` from ${minimum} to ${maximum}`
      : minimum !== undefined
        ? ` of at least ${minimum}`
        : maximum !== undefined
          ? ` of at most ${maximum}`
          : ""
  const names = [...types].map((type) => articles[type] ?? type)
  return names.length === 0 ? "any value" : names.join(" or ") + range
}

const articles: Readonly<Record<string, string>> = {
  integer: "an integer",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  array: "an array",
  object: "an object"
}
