/**
 * The authors of a page: the people whom it declares, else those whom it shows near its headline, else who publishes it.
 *
 * What a page shows counts where it says so: by the class of a byline, a link that is marked as the author's, or words
 * ("By Ada Stone"). A page that shows three authors of several things, as a list of posts does, has none of its own.
 */
import { type Element, elements } from "#page/Dom"
import type { Page } from "../page/Page.ts"
import { showsOther } from "../read/shown/cardLinks.ts"
import { datesIn } from "../read/shown/datesIn.ts"
import { authorsIn, isCalled, isLed, isOfPerson } from "../value/Byline.ts"
import type { Declared } from "./Declared.ts"
import { isBeside, type PlacedText } from "./Said.ts"

export interface Authors {
  /** The line that names them. */
  readonly nameLine: PlacedText
  readonly names: ReadonlyArray<string>
}

/** `met`: the line that was met when the main content was looked for. */
export const of = (page: Page, declared: Declared, met: Authors | undefined): Authors | undefined => {
  const { authors, isArticle, publishers } = declared
  const people = declaredAs(authors, isArticle)
  if (people !== undefined) return people
  const found = linesOf(page)
  // Where posts are listed, none is the page's.
  if (found.own.length + found.others >= listed && !isArticle) return undefined
  const line = nearest(page, found.own)
  // The line that the article itself stands under says the same in its own words.
  const own = met !== undefined && (line === undefined || line.names.join() === met.names.join()) ? met : line
  if (own !== undefined && own.names.length > 0) return own
  return line ?? (isArticle ? declaredAs(publishers, true) : undefined)
}

/** On a page that is not an article, a meta tag names its maker as often as its author: only a person counts. */
const declaredAs = (declared: ReadonlyArray<PlacedText>, isArticle: boolean): Authors | undefined => {
  const isTrusted = ({ source: { kind } }: PlacedText): boolean =>
    isArticle || (kind !== "meta" && kind !== "opengraph")
  const names = [
    ...new Set(declared.flatMap((author) => namesIn(author).filter((name) => isTrusted(author) || isOfPerson(name))))
  ]
  const [first] = declared
  if (first === undefined || names.length === 0) return undefined
  return { nameLine: { text: [...new Set(declared.map(({ text }) => text))].join(", "), source: first.source }, names }
}

/** A name that is declared may be one word, as those of forums are. */
const namesIn = ({ source, text }: PlacedText): ReadonlyArray<string> => {
  const [last = "", given = "", ...more] = text.split(/,\s*/)
  // Libraries write the family name first.
  if (/^(?:citation_|dc)/i.test(source.path) && given !== "" && more.length === 0 && /^\S+(?:\s\S+)?$/.test(last))
    return [`${given} ${last}`]
  const names = authorsIn(text)
  return names.length > 0 ? names : isCalled(text) ? [text] : []
}

interface Placed extends Authors {
  readonly from: number
  /** By a portrait or an address, and no word: far from the headline it is that of a comment. */
  readonly isSigned: boolean
}

/** The lines that name authors, and how many others do that stand beside. */
const linesOf = (page: Page): { readonly own: ReadonlyArray<Placed>; readonly others: number } => {
  const own: Array<Placed> = []
  const others = new Set<string>()
  const isOfOther = showsOther(page)
  for (const element of page.elements) {
    if (own.length >= maxFound) break
    if (!element.isVisible || element.to - element.from > maxElement || skipped.has(element.name)) continue
    const words = lineOf(element)
    const line =
      words ?? (element.to - element.from > maxSigned ? undefined : signerOf(element, spaced(element).split("\n")))
    if (line === undefined || page.isApart(element)) continue
    const isSigned = words === undefined
    const names = authorsIn(line)
    if (names.length > 0 && (isBeside(element) || (isSigned && isOfOther(element)))) others.add(names.join())
    else if (names.length > 0 && !own.some((one) => one.names.join() === names.join()))
      own.push({ from: element.from, isSigned, names, nameLine: { text: line, source: page.source("text", element) } })
  }
  return { own, others: others.size }
}

/** The first below the headline, the last above it, or one that says so in words wherever it stands. */
const nearest = (page: Page, all: ReadonlyArray<Placed>): Authors | undefined => {
  const title = page.headings.find(({ name }) => name === "h1")
  const start = title?.from ?? 0
  const end = title?.to ?? 0
  const found = all.filter(
    ({ from, isSigned }) => !isSigned || (title !== undefined && from >= end && from < end + maxSigned)
  )
  return (
    found.find(({ from }) => from >= start && from < end + nearTitle) ??
    found.findLast(({ from }) => from < start && from > start - nearTitle / 2) ??
    found.find(({ nameLine }) => isLed(nameLine.text))
  )
}

const maxFound = 12
const maxElement = 4000
const maxText = 140
const maxSigned = 2000
const listed = 3
/** How much of the HTML stands between a headline and the line below it. */
const nearTitle = 12_000

const skipped = new Set([
  "html",
  "head",
  "body",
  "main",
  "nav",
  "footer",
  "script",
  "style",
  "form",
  "svg",
  "img",
  "time"
])

/** The text of an element that says who wrote, by its mark, its class or its words. */
const lineOf = (element: Element): string | undefined => {
  const { attributes } = element
  const isMarked =
    attributes.get("rel") === "author" ||
    attributes.get("itemprop") === "author" ||
    byClass.test(attributes.get("class") ?? "") ||
    (element.name === "a" && byAddress.test(attributes.get("href") ?? ""))
  if (!isMarked && !mayBegin(element)) return undefined
  const text = spaced(element)
  if (text === "" || text.length > maxText) return undefined
  if (isMarked && !isSentence.test(text)) return isLed(text) || isWritten(text) ? text : undefined
  return led.test(text) ? text : undefined
}

/** Whether the text of an element may begin with "By": its own first text does. */
const mayBegin = ({ children }: Element): boolean => {
  for (const child of children) {
    if (child._tag === "Text") {
      if (/\S/.test(child.text)) return begins.test(child.text)
    } else
      return child.name === "span" || child.name === "strong" || child.name === "b" || child.name === "em"
        ? mayBegin(child)
        : false
  }
  return false
}

/** Parts apart, also where no blank stands between them. */
const spaced = (element: Element): string => {
  const parts: Array<string> = []
  let length = 0
  const visit = (parent: Element): void => {
    for (const child of parent.children) {
      if (length > maxText * 2) return
      if (child._tag === "Text") {
        const text = child.text.replaceAll(/\s+/g, " ")
        if (text.trim() !== "") parts.push(text)
        length += text.length
      } else if (child.isVisible && child.name !== "script" && child.name !== "style") {
        const isApart = child.name !== "b" && child.name !== "strong" && child.name !== "em" && child.name !== "i"
        if (isApart && parts.length > 0) parts.push("\n")
        visit(child)
      }
    }
  }
  visit(element)
  return parts
    .join("")
    .replaceAll(/[ \t]*\n\s*/g, "\n")
    .trim()
    .replace(/^(by|von|par|por|door|di|written by|posted by|author|authors)\s*[:：]?\n/i, "$1 ")
}

const byClass =
  /(?:^|[\s_-])(?:by-?line|author|p-author|posted-?by|written-?by|writer|contributor)s?(?:[_-]{0,2}(?:name|link|names|title|text))?(?:$|\s)/i
const byAddress = /\/(?:authors?|contributors?|writers?|columnists?|autor(?:en|es)?|auteurs?)\/[^/?#]+\/?(?:[?#].*)?$/i
const begins =
  /^\s*(?:(?:written|posted|words|story|article|reported|geschrieben|écrit|escrito|scritto)\s+)?(?:by|von|par|por|door|authors?|autor(?:in)?|auteure?|autore|di|av|af|作者|記者|记者|著者|文|بقلم|الكاتب(?:ة)?|كتبت?|نویسنده|נכתב על ידי|מאת|लेखक|लेखिका|লেখক|প্রতিবেদক|ผู้เขียน|โดย|[Tt]ác giả|[Oo]leh|[Pp]enulis|[Аа]втор|[Σσ]υντάκτης)(?:\s*[:：]|\s|$)|^\s*\p{Script=Hangul}{2,4}\s?기자/iu
/** Capitals count: "By leveraging our data" signs nothing. */
const led =
  /^(?:(?:[Ww]ritten|WRITTEN|[Aa]uthored|[Pp]osted|[Ww]ords|[Ss]tory|[Aa]rticle|[Rr]ecipe|[Rr]eported|[Gg]eschrieben|[ÉEée]crit|[Ee]scrito|[Ss]critto)\s+)?(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]oor|[Aa]uthors?:|AUTHORS?:|[Aa]utor(?:in)?:|[Aa]uteure?\s?:|[Aa]utore:|[Dd]i|[Aa]v|[Aa]f|作者|記者|记者|著者|筆者|文|بقلم|الكاتب(?:ة)?|كتبت?|نویسنده|נכתב על ידי|מאת|लेखक|लेखिका|লেখক|প্রতিবেদক|ผู้เขียน|โดย|[Tt]ác giả|[Oo]leh|[Pp]enulis|[Аа]втор|[Σσ]υντάκτης)\s*[:：]?\s*(?:(?:Dr|Prof|Mr|Mrs|Ms)\.?\s)?[\p{Lu}\p{Lo}][\p{L}\p{M}'’.-]*(?:\s[^.!?\n]{1,60})?(?:\n|$|[,|•·–—(-])|^\p{Script=Hangul}{2,4}\s?기자(?:\n|$|[,|•·–—(-])/u
/** A sentence tells about somebody and signs nothing. */
const isSentence = /\p{Ll}[.!?]\s+\p{Lu}|\p{L}{3}\s(?:is|was|has|are|loves|works|lives|writes)\s/u
/** A name begins with a capital, or is in letters that have none. */
const isWritten = (text: string): boolean =>
  /^[\p{Lu}\p{Lo}]/u.test(text) &&
  text
    .split(/\n/, 1)[0]
    ?.split(/\s+/)
    .every((word) => !/^\p{Ll}{5,}/u.test(word)) === true

/*
 * Finds the author in a line with a name and a date, but without a word such as "by": "Nora Blum · March 4, 2026".
 *
 * A name next to a date can be a category or a town, so the line must also have a portrait or a link to a person's page.
 */

/** The author; undefined: the element is not such a line. `parts`: the texts of its elements. */
const signerOf = (element: Element, parts: ReadonlyArray<string>): string | undefined => {
  if (parts.length > maxParts || parts.join(" ").length > maxText) return undefined
  const inner = elements(element, maxElements)
  const isDated = parts.some((part) => datesIn(part).length > 0) || inner.some(({ name }) => name === "time")
  if (!isDated || inner.some(({ name }) => heading.test(name))) return undefined
  const pieces = parts.flatMap((part) => part.split(/\s+[·•|–—]\s+|\s*[·•|]\s*/)).map((piece) => piece.trim())
  const [name, other] = pieces.filter(isPerson)
  if (name === undefined || pieces.length < 2 || other !== undefined || !inner.some((one) => showsPerson(one, name)))
    return undefined
  return name
}

const heading = /^h[1-6]$/
const maxParts = 9
const maxElements = 40

const isPerson = (text: string): boolean =>
  /^\p{Lu}[\p{L}'’.-]+(?:\s\p{Lu}[\p{L}'’.-]*){1,3}$/u.test(text) && isOfPerson(text) && datesIn(text).length === 0

const showsPerson = ({ attributes, name }: Element, person: string): boolean => {
  if (name === "a") return profile.test(attributes.get("href") ?? "")
  if (name !== "img") return false
  const alt = attributes.get("alt") ?? ""
  return alt.includes(person) || portrait.test(`${attributes.get("class") ?? ""} ${attributes.get("src") ?? ""}`)
}

const profile =
  /\/(?:@|(?:team|people|staff|person|profiles?|users?|u|members?|redaktion|equipe)\/)[^/?#]+\/?(?:[?#].*)?$/i
const portrait =
  /(?:^|[\s/_-])(?:rounded-full|circle|avatars?|gravatar|portraits?|headshots?|profile|author)(?:$|[\s/_.-])/i
