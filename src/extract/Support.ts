/**
 * Whether a page says a value that a model gave.
 *
 * A text is supported if its words are on the page in that order, whole words only; a number if the page has the same
 * number; a date if the page has the same day; a value that the page says in another form (`OtherForms`); and any value if
 * our own rules found the same. Nothing else is supported.
 */

import { firstNot } from "#base/firstNot"
import { pointerOf } from "#base/pointerOf"
import { isList, isSchema, type Json } from "#contract/JsonSchema"
import { Addresses } from "#page/Address"
import * as Dom from "#page/Dom"
import type { Input } from "#web/SchemaFiller"
import type { Extracted, Source, Thing } from "./Candidates.ts"
import * as Certainty from "./Certainty.ts"
import * as OtherForms from "./OtherForms.ts"
import { Page } from "./page/Page.ts"
import { candidates } from "./read/candidates.ts"
import * as SaidPlaces from "./SaidPlaces.ts"

export interface Support {
  readonly sources: ReadonlyMap<string, Source>
  /** JSON pointers of what was asked for and is null. */
  readonly missing: ReadonlyArray<string>
}

/**
 * `text` is what the page says, `declared` what it declares as data, `found` what rules have filled in. A value that the text
 * supports has its place on `input`, if that is given.
 */
export const of = (
  data: Json,
  text: string,
  declared: ReadonlyArray<string>,
  found: Extracted,
  input?: Pick<Input, "html" | "url">
): Support => {
  const isSaid = sayingOf(text, declared)
  const placeOf = input === undefined ? () => nowhere : placesOn(input)
  const rules = new Map<string, Source>()
  for (const [pointer, source] of found.sources) {
    const value = valueAt(found.data, pointer)
    // A yes of one question says nothing of another.
    rules.set(typeof value === "boolean" ? `${pointer} ${value}` : keyOf(value), source)
  }
  const sources = new Map<string, Source>()
  const missing: Array<string> = []

  const visit = (value: Json, pointer: string): void => {
    if (value === null) missing.push(pointer)
    else if (isList(value)) value.forEach((item, index) => visit(item, `${pointer}/${index}`))
    else if (isSchema(value)) {
      for (const [name, part] of Object.entries(value)) visit(part, pointerOf(pointer, name))
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      const rule = rules.get(typeof value === "boolean" ? `${pointer} ${value}` : keyOf(value))
      if (rule !== undefined)
        sources.set(pointer, { ...rule, certainty: Certainty.raised(rule.certainty), supported: true })
      else if (typeof value !== "boolean" && isSaid(value, pointer) !== undefined)
        sources.set(pointer, { kind: "text", ...placeOf(value, pointer), certainty: "low", supported: true })
      else sources.set(pointer, { kind: "model", path: "", span: [0, 0], certainty: "low", supported: false })
    }
  }
  visit(data, "")
  return { sources, missing }
}

/** `text` is what the page says, `declared` what it declares, and where it leads. */
const sayingOf = (text: string, declared: ReadonlyArray<string>): SaidPlaces.Saying => {
  const addresses = declared.filter((one) => OtherForms.isAddress.test(one))
  const written = [text, ...declared.filter((one) => !OtherForms.isAddress.test(one))].join("\n")
  return SaidPlaces.of(SaidPlaces.flat(written), addresses)
}

type Place = Pick<Source, "path" | "span">
const nowhere: Place = { path: "", span: [0, 0] }

/** The smallest element that says a value, where the page says it first. The page's text is put together once for all values. */
const placesOn = ({ html, url }: Pick<Input, "html" | "url">) => {
  let shown: ReturnType<typeof shownText> | undefined
  let page: Page | undefined
  let saying: SaidPlaces.Saying | undefined
  return (value: string | number, pointer: string): Place => {
    page ??= new Page(html, url)
    shown ??= shownText(page.root)
    saying ??= SaidPlaces.of(shown.text, [])
    const place = saying(value, pointer)
    const element = place === undefined ? undefined : holderOf(shown.parts, place)
    return element === undefined || element === page.root
      ? nowhere
      : { path: page.pathOf(element), span: [element.from, element.to] }
  }
}

interface PlacedText {
  readonly from: number
  readonly to: number
  readonly element: Dom.Element
}

/** The text that is seen, as it is searched, and where the text of each element stands in it. */
const shownText = (root: Dom.Element): { readonly text: string; readonly parts: ReadonlyArray<PlacedText> } => {
  const texts: Array<string> = []
  const parts: Array<PlacedText> = []
  let [length, isBlank] = [0, true]
  const add = (written: string, element: Dom.Element): void => {
    const own = SaidPlaces.flat(written).replaceAll("\n", " ")
    const text = isBlank && own.startsWith(" ") ? own.slice(1) : own
    if (text === "") return
    if (text !== " ") parts.push({ from: length, to: length + text.length, element })
    texts.push(text)
    length += text.length
    isBlank = text.endsWith(" ")
  }
  const visit = (parent: Dom.Element): void => {
    for (const node of parent.children) {
      if (node._tag === "Text") add(node.text, parent)
      else if (node.isVisible) {
        const isApart = !Dom.inline.has(node.name)
        if (isApart) add(" ", node)
        visit(node)
        if (isApart) add(" ", node)
      }
    }
  }
  visit(root)
  return { text: texts.join(""), parts }
}

/** The smallest element that has all of a stretch of the text. */
const holderOf = (parts: ReadonlyArray<PlacedText>, [from, to]: OtherForms.Stretch): Dom.Element | undefined => {
  const first = parts[firstNot(parts, (part) => part.to <= from)]
  const last = parts[firstNot(parts, (part) => part.to < to)]
  let element = first?.element
  const end = last?.element.to ?? 0
  while (element !== undefined && element.to < end) element = element.parent
  return element
}

const keyOf = (value: Json | undefined): string =>
  typeof value === "string" ? SaidPlaces.plain(value) : JSON.stringify(value ?? null)

/** The value at a JSON pointer; undefined: there is none. */
export const valueAt = (data: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = data
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    value = isList(value) ? value[Number(key)] : isSchema(value) ? value[key] : undefined
  }
  return value
}

/** Texts that the page declares as data, beside what it shows, and the addresses that it leads to: its own, too. */
export const declaredOf = ({ html, url }: Input): ReadonlyArray<string> => {
  const { page, things } = candidates(html, url)
  const own = URL.parse(url)
  const texts: Array<string> = own === null ? [] : [own.href, own.origin]
  const addresses = new Addresses(url)
  for (const { attributes, name } of Dom.elements(Dom.parse(html), maxElements)) {
    const href = attributes.get("href") ?? attributes.get("src")
    if (href === undefined) continue
    if (name === "base") addresses.rebase(href)
    const address = addresses.resolve(href.trim())
    if (address !== undefined && /^(?:https?|mailto|tel):/i.test(address)) texts.push(address)
  }
  const collect = ({ properties }: Thing): void => {
    for (const { value } of properties) {
      if (value._tag === "Thing") collect(value)
      else texts.push(String(value.data))
      if (value._tag === "Value" && value.href !== undefined) texts.push(value.href)
    }
  }
  for (const thing of [page, ...things]) collect(thing)
  return texts
}

const maxElements = 50_000
