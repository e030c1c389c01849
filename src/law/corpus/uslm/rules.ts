/** What the elements of USLM, versions 1 and 2, are in a text. */
import type { Rules } from "../plain.ts"
import type { Element } from "../Xml.ts"

export const rules: Rules = {
  inline: new Set(
    (
      "ref date inline b i u a span sup sub term em strong ins del quotedText amendingAction shortTitle headingText " +
      "entity def approvedDate docTitle committee sponsor cosponsor fillIn checkBox currentThroughPublicLaw frDocId"
    ).split(" ")
  ),
  numbers: new Set(["num", "designator"]),
  headings: new Set(["heading"]),
  rows: new Set(["tr", "tocItem", "referenceItem"]),
  cells: new Set(["td", "th"]),
  dropped: (element) => out.has(element.name) || isMark(element),
  notes: ({ name }) => beside.has(name)
}

/** Tables of contents list what stands elsewhere; running heads and page marks are of the paper. */
const out = new Set(["toc", "img", "figure", "ear", "leftRunningHead", "rightRunningHead", "page", "meta"])

/** The raised figure that leads to a footnote, and back. */
export const isMark = ({ name, attributes, children }: Element): boolean =>
  name === "ref" &&
  (attributes.class === "footnoteRef" ||
    (attributes.idref !== undefined && attributes.href === undefined && /^[\d*†‡]*$/.test(children.join("").trim())))

const beside = new Set([
  "notes",
  "note",
  "sourceCredit",
  "source",
  "authority",
  "editorialNote",
  "explanationNote",
  "crossReference",
  "footnote",
  "endnote",
  "sidenote"
])
