/** What the name, class, id and role of a tag say about the part that it opens. */

import { hintsOf } from "../contentHints.ts"
import { asideRoles, namesAside } from "./asides.ts"
import { hashStart, hashWith } from "./letters.ts"

/** See the fields of the same names in `Part`. */
export interface TagFacts {
  readonly hints: number
  readonly way: number
  readonly id: string
  readonly classes: string
  readonly aside: boolean
  readonly stands: string
}

/** The attributes of a tag. */
export interface Named {
  readonly length?: number
  get(name: string): string | undefined
}

/** `above`: the `way` of the part around it. */
export const saidBy = (name: string, attributes: Named, above: number): TagFacts => {
  let way = hashOf(name, above)
  if (attributes.length === 0) return { aside: false, hints: 0, stands: name, way, id: "", classes: "" }
  const id = attributes.get("id") ?? ""
  const classes = attributes.get("class") ?? ""
  const role = attributes.get("role") ?? ""
  if (classes !== "") way = hashOf(classes, way)
  const [ofClasses, ofId] = [namesOf(classes), namesOf(id)]
  const hints = ofClasses.hints | ofId.hints
  return {
    aside: ofClasses.aside || ofId.aside || asideRoles.has(role),
    hints: role === "" ? hints : hints | namesOf(`role-${role}`).hints,
    stands: role === "main" || role === "article" ? role : name,
    way,
    id,
    classes
  }
}

/** For the page itself, which has no tag. */
export const nothingSaid: TagFacts = { aside: false, hints: 0, stands: "", way: hashStart, id: "", classes: "" }

/** What classes, an id or a role say. */
interface Names {
  readonly aside: boolean
  readonly hints: number
}

/** A cache of classes, ids and roles: the pages of a site repeat them. */
const known = new Map<string, Names>()
const maxKnown = 4000
const maxName = 500

const namesOf = (names: string): Names => {
  if (names === "") return noNames
  const before = known.get(names)
  if (before !== undefined) return before
  const facts = { aside: namesAside(names), hints: hintsOf(names) }
  // Long names are rarely repeated, and would fill the cache.
  if (names.length > maxName) return facts
  if (known.size >= maxKnown) known.clear()
  known.set(ownCopy(names), facts)
  return facts
}

/** Copies the text: it is a slice of the page, and keeping the slice would keep the whole page in memory. */
const ownCopy = (text: string): string => Buffer.from(text).toString()

const noNames: Names = { aside: false, hints: 0 }

/** The hash of a text without its digits. */
export const hashOf = (text: string, start: number): number => {
  let hash = hashWith(start, 47)
  for (let i = 0; i < text.length && i < maxHashed; i++) {
    const char = text.charCodeAt(i)
    if (char < 48 || char > 57) hash = hashWith(hash, char)
  }
  return hash
}

const maxHashed = 200
