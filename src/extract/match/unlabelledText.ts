/**
 * What a row says beside what has a name: "The Heron Weir Trust" of "Night watch, The Heron Weir Trust, £49000 a year".
 *
 * Such a text has no name, so it is used only if its column shows what it is: most of its texts begin or end as names of
 * organisations do.
 */
import * as Price from "../value/Price.ts"
import type { CandidateValue, Leaves } from "./CandidateValue.ts"

export const facet = "rest"

/** The parts of a row's text that no other leaf of it is, in their order. */
export const restOf = (row: ReadonlyArray<CandidateValue>, leaves: Leaves): ReadonlyArray<CandidateValue> => {
  const texts = row.filter((leaf) => leaf.facet === "" && typeof leaf.data === "string")
  const whole = texts.find(
    ({ data, value }) => value.source.kind === "block" && String(data).length <= maxText && value.href !== undefined
  )
  if (whole === undefined) return []
  const parts = new Set(texts.filter((leaf) => leaf.data !== whole.data).map(({ data }) => String(data)))
  let text = String(whole.data)
  for (const part of parts) text = text.replace(part, mark)
  if (text === whole.data) return []
  return text
    .split(separators)
    .map((part) => part.trim())
    .filter(
      (part) => part.length > 2 && part.length <= 80 && !part.includes(mark) && Price.parse(part)?.mark === undefined
    )
    .slice(0, 4)
    .map((data) => ({ ...whole, path: leaves.path("", [], 0), data, facet, trust: 0.6 * whole.trust }))
}

const maxText = 300
const mark = "\u0000"
const separators = /\s*[,|·•\n]\s*|\s+[–—-]\s+/

/** Whether a text is called as organisations are. */
export const isOrganization = (text: string): boolean => organization.test(text)

const organization =
  /\b(?:inc|ltd|llc|llp|plc|corp|co|gmbh|ag|kg|ug|e\.?v|s\.?a|s\.?r\.?l|b\.?v|n\.?v|company|corporation|council|trust|university|college|school|institute|foundation|association|society|group|bank|hospital|ministry|department|agency|authority|museum|library|services?|holdings?|partners|systems|technologies|labs?|studios?|universität|verein|stiftung|gesellschaft|supply|supplies|works|industries|brothers)\.?$|\s&\s(?:sons?|co|daughters|partners)\.?$|^(?:university|ministry|department|bank|city|town|county) of\b/i
