/**
 * What an HTML page says of itself: its head, and JSON-LD of the type Legislation.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Jurisdiction from "../Jurisdiction.ts"
import { type Element, textOf, tidy } from "../Xml.ts"

export interface Page {
  readonly title: string
  /** What the title says behind a bar: "Spanish Fork Municipal Code". */
  readonly site: string
  readonly canonical?: string
  /** What its head says in a sentence; "" where it says none. */
  readonly description: string
  readonly legislation?: typeof Legislation.Type
}

const Named = Schema.Union([Schema.String, Schema.Struct({ name: Schema.optionalKey(Schema.String) })])
const Legislation = Schema.Struct({
  "@type": Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  name: Schema.optionalKey(Schema.String),
  legislationType: Schema.optionalKey(Schema.Unknown),
  jurisdiction: Schema.optionalKey(Named),
  legislationJurisdiction: Schema.optionalKey(Named),
  dateModified: Schema.optionalKey(Schema.String),
  legislationDateVersion: Schema.optionalKey(Schema.String)
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Union([Legislation, Schema.Array(Legislation)])))

export const of = (parts: ReadonlyArray<Element>): Page => {
  const titles = parts.filter(({ name }) => name === "title").map((title) => textOf(title))
  const [title = "", ...rest] = (titles[0] ?? "").split(/\s+[|·]\s+/)
  const canonical = parts.find(({ name, attributes }) => name === "link" && attributes.rel === "canonical")?.attributes
    .href
  const legislation = parts
    .filter(({ name, attributes }) => name === "script" && attributes.type === "application/ld+json")
    .flatMap((script) =>
      Option.match(decode(script.children.join("")), { onNone: () => [], onSome: (found) => [found].flat() })
    )
    .find((found) => [found["@type"]].flat().includes("Legislation"))
  return {
    title,
    site: rest.at(-1) ?? "",
    description: tidy(
      parts.find(({ name, attributes }) => name === "meta" && attributes.name === "description")?.attributes.content ??
        ""
    ),
    ...(canonical !== undefined && /^https?:/.test(canonical) ? { canonical } : {}),
    ...(legislation === undefined ? {} : { legislation })
  }
}

/** Whose law it is, as the page says it. */
export const jurisdictionOf = ({ description, legislation }: Page): string | undefined => {
  const named = legislation?.jurisdiction ?? legislation?.legislationJurisdiction
  return (typeof named === "string" ? named : named?.name) ?? Jurisdiction.ofCode(description)
}

/** The release that a page is of, as it says itself: "Release 81 of the Official Code of …"; else its folder, "r81". */
export const releaseOf = ({ description }: Page, file: string): string | undefined => {
  const number =
    /\brelease\s+(\d+)\b/i.exec(description)?.[1] ?? /(?:^|\/)r(?:elease)?[-_ ]?(\d{1,4})\//i.exec(file)?.[1]
  return number === undefined ? undefined : `Release ${number}`
}
