/**
 * What the Open Law Library keeps beside a section: its history, notes of editors, temporary law; each kind under its name.
 */
import { child, childrenOf, type Element, textOf } from "../Xml.ts"

export const annotationsOf = (section: Element): string => {
  const kinds = new Map<string, Array<string>>()
  for (const annotation of childrenOf(child(section, "annotations"), "annotation")) {
    const { type = "", display } = annotation.attributes
    const text = textOf(annotation) || sourceOf(annotation)
    if (display === "false" || text === "") continue
    const lines = kinds.get(type) ?? []
    kinds.set(type, lines)
    if (!lines.includes(text)) lines.push(text)
  }
  return [...kinds].flatMap(([type, lines]) => (type === "" ? lines : [type, ...lines])).join("\n")
}

/** An annotation without text names its source: "as added D.C. Law 21-172, § 2(b), eff. 2016-12-08". */
const sourceOf = ({ attributes: { prefix, doc, path, eff } }: Element): string => {
  if (doc === undefined) return ""
  const parts = [doc, path === undefined || path === "" ? "" : path.replaceAll("|", "").replace(/^§/, "§ ")]
  if (eff !== undefined && eff !== "") parts.push(`eff. ${eff}`)
  return [prefix ?? "", parts.filter((part) => part !== "").join(", ")].filter((part) => part !== "").join(" ")
}
