/**
 * Measures, with the number apart from its unit: "2.5 kg" is 2.5 for `weight_kg` and 2500 for `weight_grams`.
 *
 * A number in another unit than the name means is converted to that unit; if that is not possible, it is not a value.
 */
import * as Numeral from "./Numeral.ts"

export interface Measure {
  readonly value: number
  /** As written, in small letters. */
  readonly unit: string
}

/** A number with its unit behind, and nothing else; `language` is that of the page. */
export const parse = (text: string, language?: string): Measure | undefined => {
  if (text.length > 60) return undefined
  const [number] = Numeral.all(text, 1)
  if (number === undefined || !/^(?:ca\.?|approx\.?|about|[~≈])?\s*[-−]?$/i.test(text.slice(0, number.from).trim()))
    return undefined
  const rest = text.slice(number.to)
  const unit = unitOfText(rest, language) ?? /^\s*([\p{L}µ°%²³/]{1,16})\.?$/u.exec(rest)?.[1]?.toLowerCase()
  return unit === undefined
    ? undefined
    : { value: Numeral.isNegative(text, number) ? -number.value : number.value, unit }
}

/** The unit that the words of a name end in: "weight_kg", "length (cm)". */
export const unitOf = (words: ReadonlyArray<string>): string | undefined => {
  const last = words.at(-1)
  const isRate = words.includes("per")
  return last !== undefined && words.length > 1 && !isRate && known.has(last) ? last : undefined
}

/** What a word of a sentence means as a unit: "in minutes"; one letter could be anything. */
export const unitNamed = (word: string): string | undefined => {
  const unit = word.toLowerCase()
  return known.has(unit) ? unit : undefined
}

/** Whether two words mean one unit: "kg" and "kilograms". */
export const isSame = (a: string, b: string): boolean => known.get(a) !== undefined && known.get(a) === known.get(b)

/** What a unit measures: "mass", "time". */
export const kindOf = (unit: string): string | undefined => known.get(unit)?.kind

/** All measures of a text that says the same in several units: "1.2 kg (2.6 lb)". */
export const all = (text: string, language?: string): ReadonlyArray<Measure> => {
  if (text.length > 80) return []
  return Numeral.all(text).flatMap((number) => {
    const symbol = /^\s*([\p{L}\p{M}µ°²³㍱-㏟]{1,16})(?![\p{L}\d])/u.exec(text.slice(number.to))?.[1]
    const unit = symbol === undefined ? undefined : unitOfText(symbol, language)
    return unit === undefined ? [] : [{ value: number.value, unit }]
  })
}

/** The unit that a text is, "кв. м", "τ.μ.", "דק׳", where it is known. */
const unitOfText = (text: string, language: string | undefined): string | undefined => {
  if (text.length > 24) return undefined
  const plain = plainUnit(text)
  return known.has(plain) ? plain : unitIn(text, language)
}

/** A measure in another unit of the same kind. */
export const convert = ({ unit, value }: Measure, to: string): number | undefined => {
  const from = known.get(unit)
  const target = known.get(to)
  if (unit === to) return value
  if (from === undefined || target === undefined || from.kind !== target.kind) return undefined
  return Number(((value * from.size) / target.size).toPrecision(12))
}

const sizes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  mass: {
    "mg milligram milligrams milligramm": 1e-6,
    "g gr gram grams gramm gramme grammes gramo gramos grammo grammi gramas г гр 克 グラム": 1e-3,
    "kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos kilogrammi kiloa κιλό кг 公斤 千克 キロ كجم كيلوجرام كيلو קג קילו किलो": 1,
    "t ton tons tonne tonnes tonnen": 1000,
    "lb lbs pound pounds": 0.45359237,
    "oz ounce ounces": 0.028349523125
  },
  length: {
    "mm millimeter millimetre millimeters millimetres мм": 1e-3,
    "cm centimeter centimetre centimeters centimetres zentimeter centimètres centímetros centimetri см 厘米 公分": 1e-2,
    "dm decimeter decimetre": 0.1,
    "m meter metre meters metres mètre mètres metro metros metri м 米": 1,
    "km kilometer kilometre kilometers kilometres kilomètres kilómetros chilometri км 公里": 1000,
    "in inch inches zoll pouces pulgadas pollici": 0.0254,
    "ft foot feet": 0.3048,
    "mi mile miles": 1609.344
  },
  area: {
    "sqm m2 qm mq mp м2 квм م2 مترمربع מר τμ ตรม 平米 平方米 平方公尺": 1,
    "sqft ft2": 0.09290304,
    "ha hectare hectares hektar": 10_000,
    "acre acres": 4046.8564224
  },
  volume: {
    "ml milliliter millilitre milliliters millilitres мл 毫升": 1e-3,
    "cl centiliter centilitre": 1e-2,
    "dl deciliter decilitre": 0.1,
    "l liter litre liters litres litro litros litri л 升": 1,
    "gal gallon gallons": 3.785411784
  },
  bytes: { "b bytes byte": 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  power: { "w watt watts": 1, kw: 1e3 },
  calendar: {
    "year years yr yrs jahre jahr ans años anni jaar anos": 12,
    "month months monate mois meses mesi maanden ヶ月 ヵ月 カ月 ケ月 個月": 1
  },
  time: {
    "ms milliseconds": 1e-3,
    "s sec secs seconds second sekunden secondes segundos secondi seconden": 1,
    "min mins minutes minute minuten minutos minuti minuto minut minuter minutter мин минут 分 分钟 分鐘": 60,
    "h hr hrs hours hour stunden stunde std heures heure horas hora ore uur timmar timer час часов 小时 小時 時間": 3600,
    "days day tage jours días dias giorni dagen": 86_400,
    "weeks week wochen semaines semanas settimane weken": 604_800
  }
}

/*
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

const namesByLanguage = new Map<string, ReadonlyMap<string, string>>()

const namesOf = (language: string): ReadonlyMap<string, string> => {
  const before = namesByLanguage.get(language)
  if (before !== undefined) return before
  const names = new Map<string, string>()
  if (Intl.NumberFormat.supportedLocalesOf(language).length > 0) {
    for (const [unit, own] of Object.entries(units)) for (const word of wordsOf(language, unit)) names.set(word, own)
  }
  namesByLanguage.set(language, names)
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

const known = new Map(
  Object.entries(sizes).flatMap(([kind, units]) =>
    Object.entries(units).flatMap(([names, size]) => {
      const unit = { kind, size }
      return names.split(" ").map((name) => [name, unit] as const)
    })
  )
)
