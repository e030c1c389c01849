/**
 * The parts of a section of USLM: its number, its heading, what stands under them.
 */
import { saysGone } from "../Heading.ts"
import { withoutStop } from "../written.ts"
import { child, type Element, findAll, textOf } from "../Xml.ts"

/** Without brackets that its editors put around it. */
export const headingOf = (section: Element): string =>
  withoutStop(
    textOf(child(section, "heading"), marks)
      .replace(/^\[(.*)\]$/, "$1")
      .replace(/^([^[]*)\]$/, "$1")
      .replace(/[—–-]$/, "")
  )

/** "101", without "§", "Sec." and a full stop; as it is printed: the values beside it drop letters. */
export const numberOf = (section: Element): string => {
  const num = child(section, "num")
  return (textOf(num, raised) || (num?.attributes.value ?? ""))
    .replace(/^[[“"']+/, "")
    .replace(/^(§+|sections?|secs?\.?)\s*/i, "")
    .replaceAll(/[()“”"\s]/g, "")
    .replaceAll(/[—–]/g, "-")
    .replace(/(?<![.:])[.:]+$/, "")
}

/** What it says, without its own number and heading, but with the footnotes of these. */
export const bodyOf = (section: Element): ReadonlyArray<Element | string> => [
  ...section.children.filter((node) => typeof node === "string" || !isHead(node)),
  ...section.children.flatMap((node) =>
    typeof node === "string" || !isHead(node) ? [] : findAll(node, "footnote", "note")
  )
]

const isHead = ({ name }: Element): boolean => name === "num" || name === "heading"

/** Whether it says that it is not law any more, or not yet. */
export const isGone = (section: Element): boolean =>
  gone.has(section.attributes.status ?? "") ||
  section.attributes.role === "reserved" ||
  saysGone(textOf(child(section, "heading"), marks))

const gone = new Set(["repealed", "omitted", "transferred", "renumbered", "expired", "reserved", "removed", "vacant"])

const raised = new Set(["ref", "footnote", "note", "sup"])
const marks = new Set(["footnote", "note"])
