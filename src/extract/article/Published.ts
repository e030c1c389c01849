/**
 * When an article was published and changed, where a page does not declare it: the day in its address, else what it shows.
 *
 * What a page shows counts by what says so: words ("Published on 3 May 2026", "更新日：2026年5月3日"), an element or a class
 * that is for dates, or a line near the headline that is a date and little else. What is said to be an update is never
 * the day of publication. Dates of comments, of other posts, of events and of copyrights are not the page's.
 */
import { contentOf, type Element, inline } from "#page/Dom"
import type { Source } from "../Candidates.ts"
import type { Page } from "../page/Page.ts"
import { type Line, linesOf, spanOf } from "../read/shown/Lines.ts"
import * as Day from "../value/Day.ts"
import type { FoundDay } from "../value/EastAsianDay.ts"
import * as Instant from "../value/Instant.ts"
import { languageOf } from "../value/PageLocale.ts"
import { isBeside, type PlacedText } from "./Said.ts"

/** A date-time where one is written, else a day. */
export const normal = (statement: PlacedText | undefined, language: string | undefined): PlacedText | undefined => {
  if (statement === undefined) return undefined
  const text = statement.text.slice(0, maxDate)
  const known = iso.exec(text)
  // Machines write the first day of their time where there is none.
  if (known?.[1] !== undefined)
    return /^(?:0|1970-01-01)/.test(known[1]) ? undefined : { text: known[1], source: statement.source }
  const options = language === undefined ? {} : { language }
  const written = (Instant.hasTime(text) ? Instant.parse(text, options) : undefined) ?? Day.parse(text, options)
  return written === undefined ? undefined : { text: written, source: statement.source }
}

/** The best date of publication that the page shows around its headline or in its article. */
export const shown = (page: Page, from: number, to: number, language: string | undefined): PlacedText | undefined =>
  best(datesOf(page, from, to, language).filter(({ isChange }) => !isChange))

/** The date of the last change that it shows there. */
export const changed = (page: Page, from: number, to: number, language: string | undefined): PlacedText | undefined =>
  best(datesOf(page, from, to, language).filter(({ isChange }) => isChange))

/** The day in an address: ".../2026/03/14/...", ".../2026-03-14-...", ".../20260314/...", ".../2026/mar/14/...". */
export const inAddress = (url: string, source: Source): PlacedText | undefined => {
  const found =
    /[/-](20[0-4]\d|19[89]\d)[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?=[/_.-]|$)/.exec(url) ??
    /\/(20[0-4]\d|19[89]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=[/_-])/.exec(url)
  if (found !== null) return { text: `${found[1]}-${found[2]}-${found[3]}`, source }
  const named = /\/(20[0-4]\d|19[89]\d)\/([a-z]{3,9})\/(\d{1,2})(?=\/|$)/i.exec(url)
  const text = named === null ? undefined : Day.parse(`${named[3]} ${named[2]} ${named[1]}`, { language: "en" })
  return text === undefined ? undefined : { text, source }
}

interface Dated {
  readonly dateText: PlacedText
  readonly rank: number
  readonly from: number
  readonly isChange: boolean
}

/** The best rank, and the first of it. */
const best = (dates: ReadonlyArray<Dated>): PlacedText | undefined =>
  dates.reduce<Dated | undefined>(
    (most, one) =>
      most === undefined || one.rank > most.rank || (one.rank === most.rank && one.from < most.from) ? one : most,
    undefined
  )?.dateText

const datesOf = (page: Page, begin: number, to: number, language: string | undefined): ReadonlyArray<Dated> => {
  const title = page.headings.find(({ name }) => name === "h1")
  const from = title === undefined ? begin : Math.min(begin, Math.max(0, title.from - nearBefore))
  const own = languageOf(page.url, language)
  const until = title === undefined ? to : Math.max(to, title.to + nearTitle)
  return [...marked(page, from, until, own), ...written(page, from, until, own, title)]
}

const marked = (page: Page, from: number, to: number, language: string | undefined): ReadonlyArray<Dated> => {
  const found: Array<Dated> = []
  for (const element of page.elements) {
    if (element.from < from || !element.isVisible || found.length > maxFound) continue
    if (element.from > to) break
    if (element.to - element.from > maxElement) continue
    const isTime = element.name === "time" || element.name === "relative-time"
    if ((!isTime && !isNamedDate(element)) || page.isApart(element) || isBeside(element)) continue
    const text = (isTime ? element.attributes.get("datetime") : undefined) ?? contentOf(element, maxDate)
    const statement =
      text.length < maxDate ? normal({ text, source: page.source("text", element) }, language) : undefined
    if (statement === undefined || isEvent(element)) continue
    const names = namesOf(element)
    const isChange = isOfChange(element) || changedWords.test(contentOf(element, maxDate)) || isLedByChange(element)
    const isPublished = /publish|pubdate|entry-date|post-?date/i.test(names)
    found.push({ dateText: statement, rank: isPublished ? 4 : isTime ? 3 : 2, from: element.from, isChange })
  }
  return found
}

/** Lines that name a date in words, or that are a date near the headline. */
const written = (
  page: Page,
  from: number,
  to: number,
  language: string | undefined,
  title: Element | undefined
): ReadonlyArray<Dated> => {
  const found: Array<Dated> = []
  let before = ""
  for (const line of linesOf(page.root)) {
    const label = before
    before = line.text
    const { block, text } = line
    if (text.length > maxLine || !/[\p{Nd}年]/u.test(text) || found.length > maxFound) continue
    const days = Day.all(text, language === undefined ? {} : { language })
    for (const day of days.slice(0, 2)) {
      const [start, end] = spanOf(line, day.from, day.to)
      if (start < from || start > to || page.isApart(block) || page.isInFooter(block)) continue
      const lead = text.slice(days[days.indexOf(day) - 1]?.to ?? 0, day.from)
      const own = /\p{L}/u.test(lead) ? lead : `${label.length < maxLabel ? label : ""} ${lead}`
      const behind = text.slice(day.to, day.to + maxLabel)
      const isChange = changedWords.test(own)
      const isPublished = publishedWords.test(own) || publishedBehind.test(behind)
      const isNear = title !== undefined && start > title.from - nearBefore && start < title.to + nearLine
      if (!isChange && !isPublished && !(isNear && isLine(line, days))) continue
      if (isNoDate.test(own) || isBeside(block) || isEvent(block)) continue
      const source: Source = { kind: "text", path: page.pathOf(block), span: [start, end] }
      const statement = { text: Day.iso(day), source }
      found.push({ dateText: statement, rank: isPublished ? 4 : isChange ? 3 : 2, from: start, isChange })
    }
  }
  return found
}

/** Whether a line is a date, with a name, a time or a count of minutes at most: no sentence. */
const isLine = ({ text }: Line, [day, second]: ReadonlyArray<FoundDay>): boolean => {
  if (day === undefined || second !== undefined) return false
  const rest = (text.slice(0, day.from) + text.slice(day.to)).trim()
  return rest.split(/\s+/).length <= 12 && !/[.!?]\s|\p{Ll}{2,}\s\p{Ll}{2,}\s\p{Ll}{2,}\s\p{Ll}{2,}/u.test(rest)
}

const maxDate = 120
const maxLine = 240
const maxLabel = 40
const maxFound = 40
/** An element longer than this holds more than a date. */
const maxElement = 2000
const nearBefore = 4000
const nearTitle = 12_000
const nearLine = 6000

const iso = /^\s*(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?Z|\s?[+-]\d{2}:?\d{2})?)?)\s*$/

const namesOf = ({ attributes }: Element): string =>
  `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""} ${attributes.get("itemprop") ?? ""}`

const isNamedDate = (element: Element): boolean => {
  const names = namesOf(element)
  return names.length > 2 && names.length < 500 && /date|time(?!line)|publish|posted/i.test(names)
}

/** Whether its class, or that of what it stands in, says that the date is of a change. */
const isOfChange = (element: Element): boolean => {
  for (let at: Element | undefined = element, up = 0; at !== undefined && up < 3; at = at.parent, up++) {
    if (/(?:^|[\s_-])(?:updated?|modified|lastmod|changed|last-?(?:updated?|modified))(?:$|[\s_-])/i.test(namesOf(at)))
      return true
  }
  return false
}

/** "Last updated: <time>": the words stand before the element. */
const isLedByChange = (element: Element): boolean => {
  const own = contentOf(element, maxDate)
  for (let at = element.parent, up = 0; at !== undefined && up < 3; at = at.parent, up++) {
    const text = contentOf(at, maxLine)
    const place = text.indexOf(own)
    const lead = place === -1 ? "" : text.slice(Math.max(0, place - maxLabel), place)
    if (/\p{L}/u.test(lead)) return changedWords.test(lead) && !publishedWords.test(lead)
    // A block beside it is another line.
    if (!inline.has(at.name) && (at.parent?.children.length ?? 0) > 1) return false
  }
  return false
}

const isEvent = (element: Element): boolean => {
  for (let at: Element | undefined = element, up = 0; at !== undefined && up < 4; at = at.parent, up++) {
    if (/(?:^|[\s_-])(?:events?|deadline|expir\w*|copyright|todays?|current|delivery)(?:$|[\s_-])/i.test(namesOf(at)))
      return true
  }
  return false
}

const publishedWords =
  /(?<!\p{L})(?:published?|publication|posted|first published|created|written|added|submitted|asked|started|veröffentlicht|erschienen|erstellt|datum|publiée?|mis en ligne|paru|publicado|publicada|publicación|postado|pubblicato|gepubliceerd|geplaatst|publicerad|udgivet|offentliggjort|publisert|julkaistu|opublikowano|dodano|publikováno|vydáno|közzétéve|megjelent|publicat|yayın\p{L}*|опубликован\p{L}*|дата публикации|опубліковано|δημοσιε\p{L}*|发布|發佈|发表|發表|公開|投稿|掲載|게시|작성|입력|등록|نشر|نُشر|تاريخ النشر|كتب|منتشر شده|تاریخ انتشار|פורסם|प्रकाशित|প্রকাশ\p{L}*|เผยแพร่|โพสต์|đăng|xuất bản|diterbitkan|dipublikasikan|nai-publish)(?![\p{Ll}])/iu
/** "3 May 2026 published": languages that put it behind. */
const publishedBehind = /^\s*(?:に?(?:公開|投稿|掲載)|发布|發佈|게시|등록|\(?published\)?)/iu
const changedWords =
  /(?<!\p{L})(?:(?:last |latest )?(?:updated?|modified|edited|revised|reviewed)|aktualisiert|letzte änderung|geändert|stand:|mise? à jour|modifié|actualizad[oa]|última actualización|atualizad[oa]|aggiornat[oa]|bijgewerkt|gewijzigd|uppdaterad|opdateret|oppdatert|päivitetty|zaktualizowano|aktualizacja|aktualizováno|frissítve|actualizat|güncelle\p{L}*|обновлен\p{L}*|изменен\p{L}*|оновлено|ενημερώθηκε|更新|수정|آخر تحديث|تم التحديث|تحديث|به‌روزرسانی|بروزرسانی|עודכן|अपडेट|অপডেট|আপডেট|อัปเดต|อัพเดท|แก้ไข|cập nhật|diperbarui)(?![\p{Ll}])/iu
/** Words before dates of other things: copyrights, deadlines, births, events. */
const isNoDate =
  /©|copyright|all rights|(?<!\p{L})(?:until|deadline|expires?|expired|ends?|starts? on|born|died|joined|member since|registered|valid|effective|event|when|accessed|retrieved|checked|apply|delivery|availability|expected|estimated|release date|bis|gültig|jusqu|hasta|caduca|fino al|до)(?!\p{L})/iu
