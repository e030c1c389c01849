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

/** A number with its unit behind, and nothing else. */
export const parse = (text: string): Measure | undefined => {
  if (text.length > 60) return undefined
  const [number] = Numeral.all(text, 1)
  if (number === undefined || !/^(?:ca\.?|approx\.?|about|[~≈])?\s*[-−]?$/i.test(text.slice(0, number.from).trim()))
    return undefined
  const unit = /^\s*([\p{L}µ°%²³/]{1,16})\.?$/u.exec(text.slice(number.to))?.[1]
  if (unit === undefined) return undefined
  return { value: Numeral.isNegative(text, number) ? -number.value : number.value, unit: unit.toLowerCase() }
}

/** The unit that the words of a name end in: "weight_kg", "length (cm)". */
export const unitOf = (words: ReadonlyArray<string>): string | undefined => {
  const last = words.at(-1)
  const isRate = words.includes("per")
  return last !== undefined && words.length > 1 && !isRate && known.has(last) ? last : undefined
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
    "mg milligram milligrams": 1e-6,
    "g gr gram grams gramm": 1e-3,
    "kg kilo kilos kilogram kilograms": 1,
    "t ton tons tonne tonnes": 1000,
    "lb lbs pound pounds": 0.45359237,
    "oz ounce ounces": 0.028349523125
  },
  length: {
    "mm millimeter millimetre millimeters millimetres": 1e-3,
    "cm centimeter centimetre centimeters centimetres": 1e-2,
    "m meter metre meters metres": 1,
    "km kilometer kilometre kilometers kilometres": 1000,
    "in inch inches zoll": 0.0254,
    "ft foot feet": 0.3048,
    "mi mile miles": 1609.344
  },
  area: { "sqm m² m2 qm": 1, "sqft ft²": 0.09290304, "ha hectare hectares hektar": 10_000, "acre acres": 4046.8564224 },
  volume: { "ml milliliter millilitre": 1e-3, cl: 1e-2, "l liter litre liters litres": 1 },
  bytes: { "b bytes byte": 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  power: { "w watt watts": 1, kw: 1e3 },
  calendar: {
    "year years yr yrs jahre jahr ans años anni jaar anos": 12,
    "month months monate mois meses mesi maanden": 1
  },
  time: {
    "ms milliseconds": 1e-3,
    "s sec secs seconds second": 1,
    "min mins minutes minute minuten": 60,
    "h hr hrs hours hour stunden std": 3600,
    "days day tage": 86_400,
    "weeks week wochen": 604_800
  }
}

const known = new Map(
  Object.entries(sizes).flatMap(([kind, units]) =>
    Object.entries(units).flatMap(([names, size]) => names.split(" ").map((name) => [name, { kind, size }] as const))
  )
)
