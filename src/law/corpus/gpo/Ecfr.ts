/**
 * A title of the Code of Federal Regulations as it is kept up to date (eCFR), in bulk: `DIV1` to `DIV9` are its levels, of which
 * `DIV8` is a section and `DIV9` an appendix. The day of the last change is the version.
 *
 * A long title has several volumes in one file, each with a `DIV1` and a day of its own. The number of a `DIV1` is that of the
 * volume or that of the title, so the title is what its heading says.
 */
import { numbersOf } from "../Heading.ts"
import type { FileContext, Opened, Reader } from "../Reader.ts"
import * as Cfr from "../uslm/Cfr.ts"
import { day, englishDay } from "../written.ts"
import { child, type Element, find, textOf } from "../Xml.ts"
import { made, translated } from "./translated.ts"

const levels: Readonly<Record<string, string>> = {
  DIV1: "title",
  DIV2: "subtitle",
  DIV3: "chapter",
  DIV4: "subchapter",
  DIV5: "part",
  DIV6: "subpart",
  DIV7: "level"
}
const around = new Set(["DLPSTEXTCLASS", "TEXT", "BODY", "ECFRBRWS", "ECFR", "VOLUME"])
const beside = new Set(["AUTH", "SOURCE", "EDNOTE"])

export const readerOf = (place: FileContext): Reader => {
  const cfr = Cfr.readerOf(place)
  const root: Opened = { name: "cfrDoc", attributes: {}, line: 1 }
  const facts = { title: "", day: "" }
  let sections = 0
  const say = (element: Element): void => cfr.took(element, [root])
  const describe = (): void =>
    say(
      made("meta", [
        made("docNumber", [facts.title]),
        made("docReleasePoint", [facts.day]),
        made("dc:creator", ["Office of the Federal Register"])
      ])
    )
  const changed = (written: string): void => {
    facts.day = englishDay(written) ?? day(written) ?? facts.day
    describe()
  }
  const level = (element: Element, name: string, number: string): void => {
    const [, kind = "", own = "", heading = ""] = head.exec(textOf(element)) ?? []
    if (name === "title" && own !== "") {
      facts.title = own
      describe()
    }
    if (kind !== "" || number !== "") say(made("num", [`${kind || name} ${own || number}`]))
    say(made("heading", [heading.replace(/--Volume \d+$/, "")]))
  }
  return {
    open: (element, within) => {
      const { attributes, name } = element
      if (attributes.AMDDATE !== undefined) changed(attributes.AMDDATE)
      if (around.has(name)) return "walk"
      const known = levels[name]
      if (known !== undefined) {
        cfr.open({ ...element, name: known }, [root])
        return "walk"
      }
      const isHead = name === "HEAD" && levels[within.at(-1)?.name ?? ""] !== undefined
      const isLaw = name === "DIV8" || name === "DIV9" || beside.has(name)
      return isHead || isLaw || name === "HEADER" || name === "AMDDATE" ? "take" : "skip"
    },
    took: (element, within) => {
      const { name } = element
      if (name === "AMDDATE") return changed(textOf(element))
      if (name === "HEADER") {
        facts.title ||= textOf(find(element, "IDNO"))
        return
      }
      if (name === "HEAD") {
        const { attributes, name: div } = within.at(-1) ?? root
        return level(element, levels[div] ?? "level", div === "DIV1" || div === "DIV7" ? "" : (attributes.N ?? ""))
      }
      if (!beside.has(name)) sections++
      say(name === "DIV8" ? sectionOf(element) : name === "DIV9" ? appendixOf(element) : translated(element))
    },
    close: (element, within) => {
      const known = levels[element.name]
      if (known !== undefined) cfr.close({ ...element, name: known }, within)
    },
    end: () => {
      if (sections === 0) place.say({ _tag: "Skipped", file: place.file, why: "it has no section of the eCFR" })
      cfr.end()
    }
  }
}

/** "Title 1—General Provisions", "PART 1—DEFINITIONS", "PARTS 23–49 [RESERVED]"; of a group only its subject. */
const head =
  /^\s*(?:(title|subtitle|chapter|subchapter|part|subpart)s?\s+([^\s—–]+?(?:[–-](?:\d\w*|[A-Z]\b))?)\s*(?:[—–-]+\s*|(?=\[)|$))?(.*)$/is

const sectionOf = (element: Element): Element => {
  const written = textOf(child(element, "HEAD"))
  const found = numbersOf(written)
  const number = (element.attributes.N ?? "").replace(/^[§\s]+/, "") || (found?.number ?? "")
  const heading = found?.heading ?? written
  return of("section", element, [made("num", [number]), made("heading", [heading])])
}

const appendixOf = (element: Element): Element => {
  const written = textOf(child(element, "HEAD"))
  const [, number = element.attributes.N ?? "", heading = ""] =
    /^((?:appendix|supplement)\s+\S+(?:\s+to\s+(?:sub)?part\s+\S+?)?)\s*[—–-]+\s*(.*)$/is.exec(written) ?? []
  return of("appendix", element, [made("num", [number]), made("heading", [heading || written])])
}

const of = (name: string, element: Element, heads: ReadonlyArray<Element>): Element => ({
  name,
  attributes: {},
  line: element.line,
  children: [
    ...heads,
    ...element.children
      .filter((node) => typeof node === "string" || node.name !== "HEAD")
      .map((node) => (typeof node === "string" ? node : translated(node)))
  ]
})
