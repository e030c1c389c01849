/** The authors that declared things and metas name: texts, or things with a name; no addresses of profiles. */
import type { Property } from "../Candidates.ts"
import { authorNames } from "./metaNames.ts"
import { type Said, saidOf, textOf } from "./Said.ts"

export interface Author extends Said {
  /** Whether an organization is said to be the author. */
  readonly isFirm: boolean
}

export const isOfFirm = ({ isFirm }: Author): boolean => isFirm

/** Names of persons: a text, or a thing with a name. */
export const namesOf = (properties: ReadonlyArray<Property>, name: string): ReadonlyArray<Author> => {
  const found: Array<Author> = []
  for (const property of properties) {
    if (property.name !== name || found.length >= maxAuthors) continue
    const { value } = property
    const said = value._tag === "Value" ? saidOf(value) : textOf(value, "name")
    const isFirm = value._tag === "Thing" && value.types.some((type) => /Organization$|Corporation|WebSite/.test(type))
    if (said !== undefined && !isAddress(said.text)) found.push({ ...said, isFirm })
  }
  return found
}

/** Of the first name of a meta that has some, all; and what cards of social networks say under a label. */
export const metaAuthors = (meta: ReadonlyArray<Property>, heads: ReadonlyMap<string, Said>): ReadonlyArray<Author> => {
  for (const wanted of authorNames) {
    const found = meta.flatMap(({ name, value }): ReadonlyArray<Author> => {
      const said = name.toLowerCase().replaceAll(".", ":") === wanted ? saidOf(value) : undefined
      return said === undefined || isAddress(said.text) ? [] : [{ ...said, isFirm: false }]
    })
    if (found.length > 0) return found.slice(0, maxAuthors)
  }
  const label = ["1", "2"].find((digit) =>
    /^(?:written|posted) by|^author/i.test(heads.get(`twitter:label${digit}`)?.text ?? "")
  )
  const said = label === undefined ? undefined : heads.get(`twitter:data${label}`)
  return said === undefined ? [] : [{ ...said, isFirm: false }]
}

const maxAuthors = 20

const isAddress = (text: string): boolean => /^(?:https?:)?\/\//i.test(text)
