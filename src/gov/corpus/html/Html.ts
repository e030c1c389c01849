/**
 * A code that is published as HTML pages.
 *
 * The law: a heading without text is an entry of a table of contents where its section stands elsewhere on the page, and no
 * section. Whose law it is the page says, or a setting; where neither does, the page is left out.
 */
import type { GovDocument } from "../../GovText.ts"
import * as Jurisdiction from "../Jurisdiction.ts"
import { plain } from "../plain.ts"
import type { Place, Reader } from "../Reader.ts"
import type { Around } from "../Surroundings.ts"
import { day, present, step, titled, withoutStop } from "../written.ts"
import type { Element } from "../Xml.ts"
import { outline, type Part } from "./outline.ts"
import * as Page from "./Page.ts"
import { counted, rules } from "./rules.ts"

export const make = (place: Place, around: Around): Reader => {
  const head: Array<Element> = []
  let body: Element | undefined
  return {
    open: ({ name }) => {
      if (name === "html" || name === "head") return "walk"
      return name === "body" || headParts.has(name) ? "take" : "skip"
    },
    took: (element) => {
      if (element.name === "body") body ??= element
      else head.push(element)
    },
    close: () => undefined,
    end: () => read(Page.make(head), body, place, around)
  }
}

const headParts = new Set(["title", "meta", "link", "script"])

const read = (page: Page.Page, body: Element | undefined, place: Place, around: Around): void => {
  const skip = (why: string, line?: number): void =>
    place.say({ _tag: "Skipped", file: place.file, ...(line === undefined ? {} : { line }), why })
  const parts = body === undefined ? [] : outline(body)
  const sections = parts.filter(({ kind }) => kind === "section")
  if (sections.length === 0) return skip("it has no section with a number")
  const whose = placeOf(page, place)
  if (whose === undefined) return skip("it does not say whose law it is; say the jurisdiction")
  const { settings } = place
  const root = `${whose.root}/code`
  const url = urlOf(page, place, around)
  const version = day(page.legislation?.dateModified ?? page.legislation?.legislationDateVersion) ?? ""
  const collectionName = page.site || settings.collectionName || `${whose.name.replace(/,.*$/, "")} Municipal Code`
  const top = parts.find(({ kind }) => kind === "level")
  const document: GovDocument = {
    _tag: "Document",
    identity: top === undefined ? root : `${root}/${kinds[top.prefix.toLowerCase()] ?? ""}${top.number.toLowerCase()}`,
    title:
      top === undefined
        ? page.title || collectionName
        : `${titled(top.prefix)} ${top.number}${top.heading === "" ? "" : `, ${titled(withoutStop(top.heading))}`}`,
    issuer: Page.jurisdictionOf(page) ?? settings.issuer ?? whose.name,
    level: whose.level,
    jurisdiction: whose.name,
    collection: settings.collection ?? (whose.level === "state" ? "state-code" : "municipal-code"),
    collectionName,
    names: [],
    version,
    ...present({ versionDate: version }),
    url: url ?? `urn:x-gov:${root}`
  }
  const full = new Set(sections.filter(hasText).map(({ number }) => number))
  if (full.size === 0) return skip("it lists sections that stand elsewhere")
  place.say(document)
  const levels: Array<Part> = []
  const told = new Set<string>()
  for (const part of parts) {
    if (part.kind === "level") {
      while ((levels.at(-1)?.depth ?? 0) >= part.depth) levels.pop()
      levels.push(part)
      continue
    }
    if (!hasText(part)) {
      if (!full.has(part.number) && !told.has(part.number)) skip(`a heading without text: ${part.number}`, part.line)
      told.add(part.number)
      continue
    }
    const heading = withoutStop(part.heading)
    place.say({
      _tag: "Section",
      document: document.identity,
      identity: `${root}/${part.number}`,
      number: part.number,
      citation: `${collectionName} § ${part.number}`,
      alsoCited: [],
      heading,
      path: levels.map((level) => step(level.prefix, level.number, level.heading)),
      text: plain(part.body.map(counted), rules).text,
      notes: plain(part.history.map(counted), rules).text,
      status: /^\[?(repealed|reserved|expired|omitted)\b/i.test(heading) ? "historical" : "in force",
      version,
      ...present({ versionDate: version }),
      url: `${url ?? `urn:x-gov:${root}`}#${part.anchor === "" ? part.number : encodeURI(part.anchor)}`
    })
  }
}

const kinds: Readonly<Record<string, string>> = {
  title: "t",
  chapter: "ch",
  part: "p",
  article: "art-",
  division: "div-"
}

const hasText = ({ body }: Part): boolean => plain(body, rules).text !== ""

/** A setting that knows the state says more than a page that does not. */
const placeOf = (page: Page.Page, { settings }: Place): Jurisdiction.Jurisdiction | undefined => {
  const written = Page.jurisdictionOf(page)
  const own = written === undefined ? undefined : Jurisdiction.parse(written)
  if (settings.jurisdiction === undefined) return own
  return own === undefined || own.root.startsWith("us/local/") ? Jurisdiction.parse(settings.jurisdiction) : own
}

const urlOf = (page: Page.Page, { settings, beneath }: Place, around: Around): string | undefined => {
  const base = settings.baseUrl?.replace(/\/+$/, "")
  return page.canonical ?? around.url ?? (base === undefined ? undefined : `${base}/${encodeURI(beneath)}`)
}
