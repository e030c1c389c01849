/** Judges recorded answers by nothing but an OpenAPI document and a generic JSON Schema validator. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import type { Exchange } from "./recorder.ts"

interface Document {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, Response> } | undefined>>
}
interface Response {
  readonly content?: Record<string, unknown>
}

/** What the document does not describe so, each as a sentence; none where it describes every answer. */
export const undescribed = (document: Document, exchanges: ReadonlyArray<Exchange>): ReadonlyArray<string> => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  for (const name of ownFormats) ajv.addFormat(name, true)
  ajv.addSchema({ $id: "openapi.json", ...document })

  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (place: string): ValidateFunction => {
    const known = validators.get(place) ?? ajv.compile({ $ref: place })
    validators.set(place, known)
    return known
  }

  const problem = ({ method, path, status, contentType, body }: Exchange): string | undefined => {
    const template = templateOf(Object.keys(document.paths), path.split("?", 1).join(""))
    if (template === undefined) return "the path is not described"
    const response = document.paths[template]?.[method.toLowerCase()]?.responses[status]
    if (response === undefined) return `${template} has no answer ${status}`
    if (response.content?.[contentType] === undefined) return `${template} ${status} has no content ${contentType}`
    const place = ["paths", template, method.toLowerCase(), "responses", status, "content", contentType, "schema"]
    const validate = validatorOf(`openapi.json#/${place.map(pointer).join("/")}`)
    if (validate(JSON.parse(body))) return undefined
    return `${template} ${status}: ${ajv.errorsText(validate.errors?.slice(0, 3))}`
  }
  return exchanges.flatMap((exchange) => {
    const found = problem(exchange)
    return found === undefined ? [] : [`${exchange.method} ${exchange.path}: ${found}; ${exchange.body.slice(0, 200)}`]
  })
}

/** The described path that a path is: of two, the one with fewer parameters. */
const templateOf = (templates: ReadonlyArray<string>, path: string): string | undefined =>
  templates
    .filter((template) => new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(path))
    .toSorted((a, b) => a.split("{").length - b.split("{").length)[0]

/** Formats that the document names itself: what they are is not for a generic validator. */
const ownFormats = [
  "re2",
  "css-selector",
  "cron",
  "schedule-in-words",
  "time-zone",
  "host-name",
  "time-range",
  "url",
  "url-or-wildcard"
]

const pointer = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))
