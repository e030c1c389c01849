/**
 * An issue of the Federal Register in bulk (`FEDREG`): its rules, proposed rules, notices and presidential documents.
 *
 * A document begins on the page that its first page mark names, if the mark is before its text, and else on the page before.
 */
import type { FileContext, Reader } from "../Reader.ts"
import * as FederalRegister from "../uslm/FederalRegister.ts"
import { day, englishDay } from "../written.ts"
import { child, childrenOf, type Element, find, findAll, isElement, textOf } from "../Xml.ts"
import { made, translated } from "./translated.ts"

const items: Readonly<Record<string, string>> = {
  RULE: "rule",
  PRORULE: "proposedRule",
  NOTICE: "notice",
  PRESDOCU: "presidentialDocument"
}
const around = new Set(["FEDREG", "RULES", "PRORULES", "NOTICES", "PRESDOC", "PRESDOCS", "NEWPART", "CORRECT"])
/** What the head of a document says apart from its text. */
const heads = new Set(["AGENCY", "SUBAGY", "CFR", "DEPDOC", "RIN", "SUBJECT"])

export const readerOf = (place: FileContext): Reader => {
  const register = FederalRegister.readerOf(place)
  const issue = made("frDoc", [])
  const facts = { volume: "", date: "", page: "" }
  return {
    open: ({ name }) => {
      if (around.has(name)) return "walk"
      return items[name] !== undefined || ["VOL", "DATE", "UNITNAME", "PRTPAGE", "PTITLE"].includes(name)
        ? "take"
        : "skip"
    },
    took: (element, within) => {
      if (element.name === "PRTPAGE" || element.name === "PTITLE") {
        facts.page = element.attributes.P ?? pagesOf(element).at(-1) ?? facts.page
      } else if (element.name === "UNITNAME") {
        register.took(made("meta", [made("dc:title", [textOf(element)])]), [issue, issue])
      } else if (items[element.name] !== undefined) {
        register.took(itemOf(element, facts), [issue, issue])
        facts.page = pagesOf(element).at(-1) ?? facts.page
      } else if (within.length === 1) {
        if (element.name === "VOL") facts.volume = textOf(element)
        else facts.date ||= englishDay(textOf(element)) ?? ""
        register.took(made("meta", [made("dc:date", [facts.date]), made("volume", [facts.volume])]), [issue])
      }
    },
    close: () => undefined,
    end: () => register.end()
  }
}

const pagesOf = (element: Element): ReadonlyArray<string> =>
  findAll(element, "PRTPAGE").flatMap(({ attributes: { P } }) => (P === undefined ? [] : [P]))

/** A document as USLM has it. */
const itemOf = (element: Element, { page }: { readonly page: string }): Element => {
  const preamble = child(element, "PREAMB") ?? element
  const all = (...names: ReadonlyArray<string>) => findAll(preamble, ...names)
  const filed = textOf(find(element, "FRDOC"))
  const number = /\bdoc\.?\s*([A-Z]?\d[\dA-Z]*[–-]\d+)/i.exec(filed)?.[1] ?? ""
  const order = findAll(element, "EXECORDR", "PROC", "PNOTICE", "DETERM", "PRMEMO", "PRORDER")[0]
  const action = textOf(find(preamble, "ACT")).replace(/^action:\s*/i, "")
  const meta = made("meta", [
    made("docNumber", [number]),
    // The President's documents begin behind their title.
    made("startingPage", [find(find(element, "PRES"), "PRTPAGE")?.attributes.P ?? beginsPage(element) ?? page]),
    made("dc:title", [textOf(order)]),
    made("property", [action], { role: "ACTION" })
  ])
  const subject = find(element, "SUBJECT") ?? (order === undefined ? undefined : findAll(element, "HD")[0])
  const preface = made("preface", [
    ...all("AGENCY", "SUBAGY").map((one) => made("organization", [textOf(one)])),
    ...all("CFR").map((one) => made("affected", [textOf(one)])),
    ...all("DEPDOC").map((one) => made("property", [textOf(one)], { role: "DEPDOC" })),
    ...all("RIN").map((one) => made("property", [textOf(one)], { role: "RIN" })),
    made("subject", [textOf(subject)])
  ])
  const name = items[element.name] ?? "notice"
  return {
    name,
    attributes: {},
    line: element.line,
    children: [
      meta,
      preface,
      made("main", [...datesOf(element), ...blocksOf(element)]),
      made("notes", [
        made("frDocId", [filed]),
        ...childrenOf(element, "BILCOD").map((one) => made("billingCode", [textOf(one)]))
      ])
    ]
  }
}

/** The page of a mark that stands before any text. */
const beginsPage = (element: Element): string | undefined => {
  for (const node of element.children) {
    if (!isElement(node)) {
      if (/\S/.test(node)) return undefined
      continue
    }
    if (node.name === "PRTPAGE") return node.attributes.P
    const inner = beginsPage(node)
    if (inner !== undefined || textOf(node) !== "") return inner
  }
  return undefined
}

/** The day on which a rule begins. It is said in a sentence, and stands in the text too: this holds only the day. */
const datesOf = (element: Element): ReadonlyArray<Element> => {
  const said = findAll(element, "EFFDATE", "DATES").map((one) => textOf(one))
  const found = said.map((text) =>
    englishDay(/\beffective\b[^.;]*?((?:[A-Z][a-z]+\.?) \d{1,2}, \d{4})/i.exec(text)?.[1] ?? "")
  )
  const [first] = found.filter((one) => day(one) !== undefined)
  return first === undefined ? [] : [made("statement", [made("date", [], { date: first })], { role: "effectiveDate" })]
}

/** The blocks of the text, without what the head says. */
const blocksOf = (element: Element): ReadonlyArray<Element> =>
  element.children.filter(isElement).flatMap((block) => {
    if (heads.has(block.name) || block.name === "FRDOC" || block.name === "BILCOD") return []
    if (["PREAMB", "SUPLINF", "EXECORD", "PROCLA", "PRNOTICE"].includes(block.name)) return blocksOf(block)
    return [translated(block)]
  })
