/**
 * The names of months and days of the week in the languages of Europe, long, short and cut off, as the platform knows them.
 *
 * A word that means different months in different languages is a month only if the language is known.
 */

/** 1 to 12; `language` as the page says it, "de" or "de-AT". */
export const monthOf = (word: string, language: string | undefined): number | undefined => {
  const key = `${language} ${word}`
  if (asked.has(key)) return asked.get(key)
  const found = find(word, language)
  if (asked.size > maxAsked) asked.clear()
  asked.set(key, found)
  return found
}

const asked = new Map<string, number | undefined>()
const maxAsked = 10_000

const find = (word: string, language: string | undefined): number | undefined => {
  if (word.length > maxWord) return undefined
  const folded = fold(word)
  const own = language?.slice(0, 2).toLowerCase()
  if (own !== undefined && languages.includes(own)) {
    return namesOf(own).months.get(folded) ?? namesOf("en").months.get(folded)
  }
  return namesOf("en").months.get(folded) ?? everywhere().get(folded) ?? undefined
}

export const isWeekday = (word: string, language: string | undefined): boolean => {
  const folded = fold(word)
  const own = language?.slice(0, 2).toLowerCase()
  return (
    namesOf("en").days.has(folded) || (own !== undefined && languages.includes(own) && namesOf(own).days.has(folded))
  )
}

/** Small letters without marks: "Févr." is "fevr". */
const fold = (word: string): string =>
  word
    .normalize("NFD")
    .replaceAll(/[\p{M}.'’]/gu, "")
    .toLowerCase()

const maxWord = 16
const languages = "en de fr es it nl pt sv da nb no fi pl cs sk hu ro tr ru uk bg hr sl el et lv lt ca is".split(" ")

interface Names {
  readonly months: ReadonlyMap<string, number>
  readonly days: ReadonlySet<string>
}

const known = new Map<string, Names>()

const namesOf = (language: string): Names => {
  const before = known.get(language)
  if (before !== undefined) return before
  const names = { months: monthsOf(language), days: daysOf(language) }
  known.set(language, names)
  return names
}

const monthsOf = (language: string): ReadonlyMap<string, number> => {
  const found = new Map<string, number | undefined>()
  // What is cut off means a month only where no other begins so.
  const add = (name: string, month: number) =>
    found.set(name, found.has(name) && found.get(name) !== month ? undefined : month)
  const full = new Map<string, number>()
  for (const style of ["long", "short"] as const) {
    const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" })
    const inDate = new Intl.DateTimeFormat(language, { day: "numeric", month: style, year: "numeric", timeZone: "UTC" })
    for (let month = 1; month <= 12; month++) {
      const day = Date.UTC(2023, month - 1, 15)
      const written = inDate.formatToParts(day).find(({ type }) => type === "month")?.value ?? ""
      for (const name of [alone.format(day), written].map(fold)) {
        if (!/^\p{L}+$/u.test(name)) continue
        full.set(name, month)
        for (let length = 3; length < name.length; length++) add(name.slice(0, length), month)
      }
    }
  }
  for (const [name, month] of Object.entries(more[language] ?? {})) full.set(name, month)
  const cut = Array.from(found, ([name, month]) => (month === undefined ? [] : [[name, month] as const])).flat()
  return new Map([...cut, ...full])
}

/** What people write beside. */
const more: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { sept: 9 },
  de: { mrz: 3, maerz: 3, mar: 3, jaenner: 1, janner: 1, jan: 1, feber: 2 },
  es: { set: 9, setiembre: 9 },
  nl: { mrt: 3, mei: 5 },
  uk: { берез: 3, верес: 9, листоп: 11 }
}

const daysOf = (language: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const style of ["long", "short"] as const) {
    const format = new Intl.DateTimeFormat(language, { weekday: style, timeZone: "UTC" })
    for (let day = 1; day <= 7; day++)
      for (const part of fold(format.format(Date.UTC(2023, 0, day))).split("-")) found.add(part)
  }
  for (const word of ["tues", "thur", "thurs", "weds"]) if (language === "en") found.add(word)
  return found
}

let all: ReadonlyMap<string, number | null> | undefined

/** Names of all languages; null where they differ. */
const everywhere = (): ReadonlyMap<string, number | null> => {
  if (all !== undefined) return all
  const found = new Map<string, number | null>()
  for (const language of languages) {
    for (const [name, month] of namesOf(language).months) {
      if (name.length < 3) continue
      found.set(name, (found.get(name) ?? month) === month ? month : null)
    }
  }
  all = found
  return found
}
