/**
 * How a section of the Open Law Library stands: in force, in a version of temporary law, or gone, and what says so.
 */
import type { Status } from "../../GovText.ts"
import { withoutStop } from "../written.ts"
import { child, childrenOf, type Element, textOf } from "../Xml.ts"

interface Standing {
  readonly status: Status
  /** "permanent", "temporary", "emergency"; nothing where the section is as its code. */
  readonly version: string | undefined
  /** Why it is not in force: "Repealed". */
  readonly reason: string
  /** The note that says that the section is as temporary law makes it. It is not text of the law. */
  readonly note: Element | undefined
}

/** `reason`: of the container that it stands in. */
export const standingOf = (section: Element, reason: string): Standing => {
  const permanent = isPermanent(textOf(child(section, "num")))
  const note = permanent ? undefined : temporaryNote(section)
  const why = textOf(child(section, "reason")) || reason || reasonIn(section)
  return {
    status: permanent || why !== "" ? "historical" : "in force",
    version: permanent ? "permanent" : note === undefined ? undefined : kindOf(note),
    reason: why,
    note
  }
}

/** A twin that holds the permanent text while temporary law is in force has "(Perm)" behind its number. */
export const isPermanent = (number: string): boolean => /\(Perm\)$/i.test(number)

/** A heading that says it, where there is no text. */
const reasonIn = (section: Element): string => {
  const heading = withoutStop(textOf(child(section, "heading")))
  if (/^\[?Reserved\]?$/i.test(heading)) return "Reserved"
  const says = childrenOf(section, "text", "para", "table", "include").length > 0
  return !says && /\bRepealed\]?$/i.test(heading) ? "Repealed" : ""
}

/** "*NOTE: This section includes amendments by temporary legislation that will expire on March 1, 2025…*" */
const temporaryNote = (section: Element): Element | undefined =>
  childrenOf(section, "text").find((text) =>
    /^\*?NOTE: This section (includes|was).{0,60}\b(temporary|emergency)\b/i.test(textOf(text).slice(0, 160))
  )

const kindOf = (note: Element): string =>
  /\bemergency\b.{0,20} legislation/i.test(textOf(note).slice(0, 120)) ? "emergency" : "temporary"
