/** Facts about a part and the parts around it, for the features of its blocks: tags, hints, headings, scores. */
import { hintNames } from "../contentHints.ts"
import type { Outline } from "./Outline.ts"
import type { Part } from "./Part.ts"

export interface PartFacts {
  /** The number of its tag. */
  readonly tag: number
  /** The level of the heading that it is or is in, from 1 to 6; 0: it is not in a heading. */
  readonly heading: number
  /** Its tag and the tags of the three parts around it, as one number. */
  readonly tagWay: number
  /** Which of `surroundings` it is or is in, as bits. */
  readonly surroundings: number
  /** For each hint, the number of levels up to the nearest part with it. */
  readonly hints: Uint8Array
  /** The outermost part with the same blocks. */
  readonly distinct: Part
  /** The next part around it that has more blocks. */
  readonly outer: Part | undefined
  /** The number of levels up to the nearest part that is named as beside the content. */
  readonly aside: number
  /** The best score of the part and the parts around it. */
  readonly score: number
}

/** The facts of all parts. Call it when the parts are complete and have their scores. */
export const factsOfParts = ({ parts, root }: Outline): ((part: Part) => PartFacts) => {
  const ofRoot = factsOf(root, undefined)
  const facts: Array<PartFacts> = []
  const find = (part: Part): PartFacts => facts[part.number] ?? ofRoot
  for (const part of parts) facts.push(factsOf(part, part.parent === undefined ? undefined : find(part.parent)))
  return find
}

const tagOrder =
  "p pre blockquote li dd dt h1 h2 h3 h4 h5 h6 td th caption figcaption figure div section article main table tr tbody ul ol dl summary details address aside header footer nav form fieldset label body"
const tags = new Map(tagOrder.split(" ").map((name, at) => [name, at]))

/** Elements that say something about everything in them. */
export const surroundings =
  "main article nav aside header footer section form table ul blockquote figure details address dl pre".split(" ")
const surroundingBits = new Map(surroundings.map((name, at) => [name, 1 << at]))

/** The maximum number of levels; also: there is no such part. */
export const far = 40

const factsOf = (part: Part, above: PartFacts | undefined): PartFacts => {
  const hints = new Uint8Array(hintNames.length)
  for (let hint = 0; hint < hintNames.length; hint++) {
    hints[hint] = (part.hints >> hint) & 1 ? 0 : Math.min(far, (above?.hints[hint] ?? far) + 1)
  }
  const { parent } = part
  const isSame = parent?.parent !== undefined && parent.first === part.first && parent.end === part.end
  const tag = tags.get(part.name) ?? unknownTag
  return {
    tag,
    heading: headingLevelOf(part),
    tagWay: tagWayOf(part),
    surroundings: (above?.surroundings ?? 0) | (surroundingBits.get(part.name) ?? 0),
    hints,
    distinct: isSame && above !== undefined ? above.distinct : part,
    outer: isSame ? above?.outer : parent === undefined ? undefined : (above?.distinct ?? parent),
    aside: part.aside ? 0 : Math.min(far, (above?.aside ?? far) + 1),
    score: Math.max(part.score, above?.score ?? 0)
  }
}

const unknownTag = 40

const tagWayOf = (part: Part): number => {
  let key = 0
  let at: Part | undefined = part
  for (let i = 0; i < 4 && at !== undefined; i++, at = at.parent) key = key * 64 + (tags.get(at.name) ?? unknownTag) + 2
  return key
}

/** The level of the heading that a part is, or is at most two levels inside of; 0: there is none. */
const headingLevelOf = (part: Part): number => {
  let at: Part | undefined = part
  for (let i = 0; i < 3 && at !== undefined; i++, at = at.parent) {
    if (at.name.length === 2 && at.name.charCodeAt(0) === 104) {
      const level = at.name.charCodeAt(1) - 48
      if (level >= 1 && level <= 6) return level
    }
  }
  return 0
}
