/**
 * The names of months and days of the week in many languages, long, short and cut off, as the platform knows them.
 *
 * A word that means different months in different languages is a month only if the language is known.
 */

/** 1 to 12, of one word or of two ("كانون الثاني"); `language` as the page says it, "de" or "de-AT". */
export const monthOf = (word: string, language: string | undefined): number | undefined => {
  const key = `${language} ${word}`
  if (cache.has(key)) return cache.get(key)
  const found = find(word, language)
  if (cache.size > maxAsked) cache.clear()
  cache.set(key, found)
  return found
}

const cache = new Map<string, number | undefined>()
const maxAsked = 10_000

const find = (word: string, language: string | undefined): number | undefined => {
  if (word.length > maxWord) return undefined
  const folded = fold(word)
  const own = knownOf(language)
  if (own !== undefined) return namesOf(own).months.get(folded) ?? namesOf("en").months.get(folded)
  return namesOf("en").months.get(folded) ?? everywhere(scriptOf(folded)).get(folded) ?? undefined
}

export const isWeekday = (word: string, language: string | undefined): boolean => {
  const folded = fold(word)
  const own = knownOf(language)
  return namesOf("en").days.has(folded) || (own !== undefined && namesOf(own).days.has(folded))
}

/** The day of the week, Monday is 0. Where the page says no language, it is English or one in which the word is a long one. */
export const weekdayOf = (word: string, language: string | undefined): number | undefined => {
  if (word.length > maxWord) return undefined
  const folded = fold(word)
  const own = knownOf(language)
  const ownDay = own === undefined ? undefined : namesOf(own).days.get(folded)
  const day = ownDay ?? namesOf("en").days.get(folded)
  if (day !== undefined || own !== undefined || folded.length < 5) return day
  const found = new Set(scriptOf(folded).flatMap((one) => namesOf(one).days.get(folded) ?? []))
  const [only] = found
  return found.size === 1 ? only : undefined
}

/** Small letters without marks that some writers leave out: "Févr." is "fevr", "फ़रवरी" is "फरवरी". Vowels of Indic scripts stay. What is written in capitals has lost the dot of Turkish. */
const fold = (word: string): string =>
  word
    .normalize("NFD")
    .replaceAll(leftOut, "")
    .replaceAll("ی", "ي")
    .replaceAll("ک", "ك")
    .toLowerCase()
    .replaceAll("ı", "i")

/** Accents; the dot below of Indic letters; vowels and marks of Hebrew and Arabic; points. */
const leftOut = /[\u0300-\u036f\u093c\u09bc\u0a3c\u0591-\u05c7\u064b-\u0655\u0670\u0640.'’׳॰]/g

const maxWord = 24

/** Languages by their script: where a page says no language, a word is looked up in those of its letters. */
const scripts: ReadonlyArray<readonly [letters: RegExp, languages: ReadonlyArray<string>]> = [
  [/^\p{Script=Cyrillic}/u, "ru uk bg be sr mk kk".split(" ")],
  [/^\p{Script=Greek}/u, ["el"]],
  [/^\p{Script=Arabic}/u, ["ar", "fa", "ur"]],
  [/^\p{Script=Hebrew}/u, ["he"]],
  [/^\p{Script=Devanagari}/u, ["hi", "mr", "ne"]],
  [/^\p{Script=Bengali}/u, ["bn"]],
  [/^\p{Script=Gurmukhi}/u, ["pa"]],
  [/^\p{Script=Gujarati}/u, ["gu"]],
  [/^\p{Script=Tamil}/u, ["ta"]],
  [/^\p{Script=Telugu}/u, ["te"]],
  [/^\p{Script=Kannada}/u, ["kn"]],
  [/^\p{Script=Malayalam}/u, ["ml"]],
  [/^\p{Script=Thai}/u, ["th"]],
  [/^\p{Script=Georgian}/u, ["ka"]],
  [/^\p{Script=Armenian}/u, ["hy"]],
  [/^\p{Script=Myanmar}/u, ["my"]],
  [/^\p{Script=Khmer}/u, ["km"]],
  [/^\p{Script=Ethiopic}/u, ["am"]]
]
const latin = "en de fr es it nl pt sv da nb no fi pl cs sk hu ro tr hr sl et lv lt ca is".split(" ")
/** Their names are words of other languages too: they count only where a page says its language. */
const declared = "vi id ms fil tl sq gl af az uz sw cy ga eu".split(" ")
const languages = new Set([...latin, ...declared, ...scripts.flatMap(([, some]) => some)])

/** The language, where its names are known: "de-AT" is "de", "iw" is what Hebrew was called. */
const knownOf = (language: string | undefined): string | undefined => {
  const own = language?.split(/[-_]/, 1)[0]?.toLowerCase()
  const current = own === "iw" ? "he" : own === "in" ? "id" : own
  return current !== undefined && languages.has(current) ? current : undefined
}

const scriptOf = (word: string): ReadonlyArray<string> => scripts.find(([letters]) => letters.test(word))?.[1] ?? latin

interface Names {
  readonly months: ReadonlyMap<string, number>
  /** Monday is 0; undefined where a part of the name is that of several days. */
  readonly days: ReadonlyMap<string, number | undefined>
}

const known = new Map<string, Names>()

const namesOf = (language: string): Names => {
  const before = known.get(language)
  if (before !== undefined) return before
  const names = { months: monthsOf(language), days: daysOf(language) }
  known.set(language, names)
  return names
}

/** Countries and scripts whose names of months are others. */
const countries: Readonly<Record<string, ReadonlyArray<string>>> = {
  ar: ["ar", "ar-LB", "ar-DZ", "ar-MA"],
  sr: ["sr", "sr-Latn"]
}

const monthsOf = (language: string): ReadonlyMap<string, number> => {
  const found = new Map<string, number | undefined>()
  // What is cut off means a month only where no other begins so.
  const add = (name: string, month: number) =>
    found.set(name, found.has(name) && found.get(name) !== month ? undefined : month)
  const full = new Map<string, number>()
  for (const locale of countries[language] ?? [language]) {
    for (const style of ["long", "short"] as const) {
      const options = { month: style, timeZone: "UTC", calendar: "gregory" } as const
      const alone = new Intl.DateTimeFormat(locale, options)
      const inDate = new Intl.DateTimeFormat(locale, { ...options, day: "numeric", year: "numeric" })
      for (let month = 1; month <= 12; month++) {
        const day = Date.UTC(2023, month - 1, 15)
        const written = inDate.formatToParts(day).find(({ type }) => type === "month")?.value ?? ""
        for (const name of [alone.format(day), written].map(fold)) {
          if (!/^[\p{L}\p{M}]+(?: [\p{L}\p{M}]+)?$/u.test(name)) continue
          full.set(name, month)
          // Hebrew joins "in" to the name.
          if (language === "he") full.set(`ב${name}`, month)
          if (name.includes(" ")) continue
          for (let length = 3; length < name.length; length++) add(name.slice(0, length), month)
        }
      }
    }
  }
  for (const [name, month] of Object.entries(more[language] ?? {})) full.set(fold(name), month)
  const cut = Array.from(found, ([name, month]) => (month === undefined ? [] : [[name, month] as const])).flat()
  return new Map([...cut, ...full])
}

/** What people write beside. */
const more: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { sept: 9 },
  de: { mrz: 3, maerz: 3, mar: 3, jaenner: 1, janner: 1, jan: 1, feber: 2 },
  es: { set: 9, setiembre: 9 },
  nl: { mrt: 3, mei: 5 },
  uk: { берез: 3, верес: 9, листоп: 11 },
  hi: { जून: 6, सितम्बर: 9, नवम्बर: 11, दिसम्बर: 12 },
  bn: { জানুয়ারী: 1, ফেব্রুয়ারী: 2 },
  vi: Object.fromEntries("một hai ba tư năm sáu bảy tám chín mười".split(" ").map((one, i) => [`tháng ${one}`, i + 1]))
}

const daysOf = (language: string): ReadonlyMap<string, number | undefined> => {
  const found = new Map<string, number | undefined>()
  const add = (name: string, day: number) => found.set(name, (found.get(name) ?? day) === day ? day : undefined)
  for (const style of ["long", "short"] as const) {
    const format = new Intl.DateTimeFormat(language, { weekday: style, timeZone: "UTC" })
    for (let day = 1; day <= 7; day++)
      for (const part of fold(format.format(Date.UTC(2023, 0, day))).split("-")) {
        if (part !== "feira") add(part, (day + 5) % 7)
      }
  }
  for (const [word, day] of moreDays) if (language === "en") add(word, day)
  return found
}

const moreDays = [
  ["tues", 1],
  ["weds", 2],
  ["thur", 3],
  ["thurs", 3],
  ["mo", 0],
  ["tu", 1],
  ["we", 2],
  ["th", 3],
  ["fr", 4],
  ["sa", 5],
  ["su", 6]
] as const

const all = new Map<ReadonlyArray<string>, ReadonlyMap<string, number | null>>()

/** Names of all languages of a script; null where they differ. */
const everywhere = (some: ReadonlyArray<string>): ReadonlyMap<string, number | null> => {
  const before = all.get(some)
  if (before !== undefined) return before
  const found = new Map<string, number | null>()
  for (const language of some) {
    for (const [name, month] of namesOf(language).months) {
      if (name.length < 2 || (some === latin && name.length < 3)) continue
      found.set(name, (found.get(name) ?? month) === month ? month : null)
    }
  }
  all.set(some, found)
  return found
}
