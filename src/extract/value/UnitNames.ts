/**
 * What units are called in the language of a page, in full and cut off, as the platform knows it: "λεπτά" and "dk." are
 * minutes. A word means other units in other languages, so it counts only in its own.
 */

/** As `Measure` calls it: "min", "kg". */
export const unitIn = (word: string, language: string | undefined): string | undefined => {
  const own = language?.split(/[-_]/, 1)[0]?.toLowerCase()
  return own === undefined || !/^[a-z]{2,3}$/.test(own)
    ? undefined
    : namesOf(own === "iw" ? "he" : own).get(plainUnit(word))
}

/** Small letters without points, blanks and marks of what is cut off: "кв. м" is "квм", "m²" is "m2". */
export const plainUnit = (text: string): string =>
  text
    .replaceAll(/[㍱-㏟²³]/g, (sign) => sign.normalize("NFKC"))
    .replaceAll(/[.\s"״'׳’॰\u200c\u064b-\u0652]/g, "")
    .toLowerCase()

const units: Readonly<Record<string, string>> = {
  year: "year",
  month: "month",
  week: "week",
  day: "day",
  hour: "h",
  minute: "min",
  second: "s",
  gram: "g",
  kilogram: "kg",
  liter: "l",
  milliliter: "ml",
  kilometer: "km",
  meter: "m",
  centimeter: "cm"
}

const known = new Map<string, ReadonlyMap<string, string>>()

const namesOf = (language: string): ReadonlyMap<string, string> => {
  const before = known.get(language)
  if (before !== undefined) return before
  const names = new Map<string, string>()
  if (Intl.NumberFormat.supportedLocalesOf(language).length > 0) {
    for (const [unit, own] of Object.entries(units)) for (const word of wordsOf(language, unit)) names.set(word, own)
  }
  known.set(language, names)
  return names
}

/** Numbers that between them have every plural there is. */
const some = [1, 2, 3, 5, 11, 100, 1.5]

const wordsOf = (language: string, unit: string): ReadonlyArray<string> =>
  (["long", "short"] as const).flatMap((unitDisplay) => {
    const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay })
    return some.map((number) =>
      plainUnit(
        format
          .formatToParts(number)
          .flatMap(({ type, value }) => (type === "unit" ? [value] : []))
          .join("")
      )
    )
  })
