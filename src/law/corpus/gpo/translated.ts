/**
 * Elements of the XML that the Government Publishing Office makes of its typesetting (the eCFR and the Federal Register in bulk)
 * as the elements of USLM. A format is such a mapping: its law is read by the readers of USLM.
 */
import type { Element } from "../Xml.ts"

/** What is not named here is a block. */
const names: Readonly<Record<string, string>> = {
  HD: "heading",
  HD1: "heading",
  HD2: "heading",
  HD3: "heading",
  HD4: "heading",
  HED: "heading",
  HED1: "heading",
  CITA: "sourceCredit",
  SECAUTH: "sourceCredit",
  AUTH: "authority",
  SOURCE: "source",
  EDNOTE: "editorialNote",
  EFFDNOT: "note",
  CROSSREF: "crossReference",
  NOTE: "note",
  FTNT: "footnote",
  REGTEXT: "level",
  E: "i",
  I: "i",
  B: "b",
  SU: "sup",
  FR: "i",
  AC: "i",
  FTREF: "i",
  XREF: "i",
  TR: "tr",
  ROW: "tr",
  TD: "td",
  ENT: "td",
  TH: "th",
  CHED: "th",
  PRTPAGE: "page",
  GPH: "figure",
  IMG: "img",
  CFRTOC: "toc",
  CONTENTS: "toc",
  P: "p",
  FP: "p"
}

/** An element with all that is in it. */
export const translated = (element: Element): Element => ({
  ...element,
  name: names[element.name] ?? names[element.name.toUpperCase()] ?? element.name,
  children: element.children.map((node) => (typeof node === "string" ? node : translated(node)))
})

export const made = (
  name: string,
  children: ReadonlyArray<Element | string>,
  attributes: Readonly<Record<string, string>> = {}
): Element => ({ name, attributes, children, line: 0 })
