/** The documentation of the API as one page, generated from its OpenAPI document: no scripts, nothing from other hosts. */
import * as HtmlPage from "#base/HtmlPage"

type Part = Readonly<Record<string, unknown>>

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value)
const partOf = (value: unknown): Part => (isPart(value) ? value : {})
const listOf = (value: unknown): ReadonlyArray<Part> => (Array.isArray(value) ? value.filter(isPart) : [])
const entriesOf = (value: unknown): ReadonlyArray<readonly [string, Part]> =>
  Object.entries(partOf(value)).map(([name, part]) => [name, partOf(part)])

export const docsPage = (document: Part): string => {
  const operations = entriesOf(document["paths"]).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const groups = Map.groupBy(operations, ({ operation }) => String([operation["tags"]].flat()[0] ?? "other"))
  const schemas = entriesOf(partOf(document["components"])["schemas"]).toSorted(([a], [b]) => a.localeCompare(b))
  const contents = Array.from(
    groups,
    ([name, list]) =>
      `<li><a href="#${id(name)}">${text(name)}</a><ul>${list
        .map(
          ({ method, operation, path }) =>
            `<li><a href="#${id(operation["operationId"])}">${method} ${text(path)}</a></li>`
        )
        .join("")}</ul></li>`
  )
  const sections = Array.from(
    groups,
    ([name, list]) => `<h2 id="${id(name)}">${text(name)}</h2>${list.map(operationOf).join("")}`
  )
  const models = schemas.map(
    ([name, schema]) =>
      `<section id="schema-${id(name)}"><h3>${text(name)}</h3>${schemaOf(partOf(schema), 0)}</section>`
  )
  const { description, title } = partOf(document["info"])
  return HtmlPage.page({
    title: String(title),
    style: css,
    body: `<nav aria-label="Operations"><ul>${contents.join("")}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main><h1>${text(title)}</h1><p>${text(description)}</p>
<p>If the service has keys, requests need <code>Authorization: Bearer KEY</code>. This page is generated from
<a href="openapi.json">openapi.json</a>.</p>
${sections.join("\n")}
<h2 id="schemas">Schemas</h2>${models.join("\n")}
</main>`
  })
}

const operationOf = ({
  method,
  operation,
  path
}: {
  readonly path: string
  readonly method: string
  readonly operation: Part
}) => {
  const parameters = listOf(operation["parameters"])
  const bodies = entriesOf(partOf(operation["requestBody"])["content"])
  const responses = entriesOf(operation["responses"])
  const fails = responses.filter(([status]) => status !== "200")
  const answers = entriesOf(partOf(partOf(operation["responses"])["200"])["content"])
  return `<section id="${id(operation["operationId"])}"><h3><b>${method}</b> <code>${text(path)}</code></h3>${
    operation["description"] === undefined ? "" : `<p>${text(operation["description"])}</p>`
  }${
    parameters.length === 0
      ? ""
      : `<h4>Parameters</h4>${rows(parameters.map((one) => [one["name"], one["schema"], one["required"] === true, one["in"], one["description"]]))}`
  }${bodies.map(([type, { schema }]) => `<h4>Body: ${text(type)}</h4>${schemaOf(partOf(schema), 0)}`).join("")}${answers
    .map(([type, { schema }]) => `<h4>200: ${text(type)}</h4>${schemaOf(partOf(schema), 0)}`)
    .join("")}<details><summary>Errors</summary><ul>${fails
    .map(([status, { description }]) => `<li>${status}: ${text(description)}</li>`)
    .join("")}</ul></details></section>`
}

type Row = readonly [name: unknown, schema: unknown, required: boolean, place: unknown, description: unknown]

const rows = (all: ReadonlyArray<Row>): string =>
  `<table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${all
    .map(
      ([name, schema, isRequired, place, description]) =>
        `<tr><td><code>${text(name)}</code>${place === "" ? "" : ` (${text(place)})`}${isRequired ? ", required" : ""}</td><td>${typeOf(partOf(schema))}</td><td>${text(description ?? meaningOf(partOf(schema)))}</td></tr>`
    )
    .join("")}</tbody></table>`

/** The fields of an object, or the type of anything else. */
const schemaOf = (schema: Part, depth: number): string => {
  const { allOf, anyOf, properties, required } = schema
  const needed = new Set(Array.isArray(required) ? required.map(String) : [])
  if (properties !== undefined) {
    const fields = entriesOf(properties).map(([name, part]): Row => [name, part, needed.has(name), "", undefined])
    const rules = allOf === undefined ? "" : `<p>Rules: <code>${text(JSON.stringify(allOf))}</code></p>`
    return rows(fields) + rules
  }
  const choices = listOf(anyOf)
  if (depth < 1 && choices.some((one) => one["properties"] !== undefined)) {
    return choices.map((one, at) => `<h5>Choice ${at + 1}</h5>${schemaOf(one, depth + 1)}`).join("")
  }
  return `<p>${typeOf(schema)}</p>`
}

const typeOf = (schema: Part): string => {
  const { $ref, anyOf, enum: choices, format, items, oneOf, type } = schema
  if (typeof $ref === "string") {
    const name = $ref.split("/").at(-1) ?? ""
    return `<a href="#schema-${id(name)}">${text(name)}</a>`
  }
  const union = listOf(anyOf ?? oneOf)
  if (union.length > 0) return [...new Set(union.map(typeOf))].join(" or ")
  if (Array.isArray(choices))
    return choices.map((one: unknown) => `<code>${text(JSON.stringify(one))}</code>`).join(", ")
  if (type === "array") return `list of ${items === undefined ? "anything" : typeOf(partOf(items))}`
  const typeText = type === undefined ? "anything" : text(String(type))
  const bounds = limits.flatMap(([name, word]) =>
    schema[name] === undefined ? [] : [`${word} ${String(schema[name])}`]
  )
  return [typeText, ...(format === undefined ? [] : [`(${text(format)})`]), ...bounds].join(" ")
}

const limits = [
  ["minimum", "from"],
  ["maximum", "to"],
  ["minLength", "at least"],
  ["maxLength", "at most"]
] as const

/** The description of a schema, which may stand in a union with null. */
const meaningOf = (schema: Part): string => {
  const own = [schema, ...listOf(schema["allOf"])]
    .map((one) => one["description"])
    .find((one) => typeof one === "string")
  if (typeof own === "string") return own
  return (
    listOf(schema["anyOf"])
      .map(meaningOf)
      .find((one) => one !== "") ?? ""
  )
}

const id = (name: unknown): string => String(name).replaceAll(/[^\w-]+/g, "-")

const text = (value: unknown): string => HtmlPage.escape(String(value ?? ""))

const css =
  "body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}nav{float:left;width:22rem;max-height:100vh;overflow:auto;position:sticky;top:0;font-size:.85rem}" +
  "main{margin-left:23rem;padding:1rem 2rem;max-width:60rem}table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}" +
  "section{border-top:1px solid #ddd;padding:.5rem 0}code{font-size:.9em;overflow-wrap:anywhere}@media(max-width:60rem){nav{float:none;width:auto;position:static;max-height:none}main{margin:0}}" +
  "@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4ff}td,th,section{border-color:#444}}"
