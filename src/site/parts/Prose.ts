/**
 * Sentences from templates: `The {place} mill [opened|reopened] in {year}.` `[a|b]` is one of the choices, `{name}` a word of the
 * vocabulary or of the given words, `{3-40}` a number between the two. A line break of a template is a space.
 */
import type * as Dice from "../Dice.ts"

type Words = Readonly<Record<string, string>>
type List<A = string> = readonly [A, ...ReadonlyArray<A>]

/** One sentence of a template. */
export const sentence = (dice: Dice.Dice, template: string, words: Words = {}): string =>
  template
    .replaceAll(/\[([^\]]*)\]/g, (_, choices: string) => dice.pick(list(choices, "|")))
    .replaceAll(/\{(\d+)-(\d+)\}/g, (_, least: string, most: string) => String(dice.int(Number(least), Number(most))))
    .replaceAll(/\{([a-z]+)\}/g, (written, name: string) => {
      const known = vocabulary[name]
      return words[name] ?? (known === undefined ? written : dice.pick(known))
    })

/** A sentence with a capital. */
export const opening = (dice: Dice.Dice, template: string, words: Words = {}): string =>
  capital(sentence(dice, template, words))

/** Some sentences of a pool, no template twice, each beginning with a capital. */
export const paragraph = (dice: Dice.Dice, pool: List, sentences: number, words: Words = {}): string => {
  const templates = dice.sample(pool, sentences)
  return templates.map((template) => opening(dice, template, words)).join(" ")
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What a name is in an address: "Copper Ridge 3" is "copper-ridge-3". */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

/** What a text lists: "one; two; three". */
export const list = (text: string, separator: string | RegExp = "; "): List => {
  const [first = "", ...others] = text.trim().replaceAll(/\n */g, " ").split(separator)
  return [first, ...others]
}

/** The sentences of a text. */
export const sentences = (text: string): List => list(text, /(?<=\.) /)

/** The rows of a text, with their cells: "one | two". A line that begins with a space continues its row. */
export const rows = (text: string, separator = " | "): List<List> => {
  const [first = "", ...others] = text.trim().split(/\n(?! )/)
  return [list(first, separator), ...others.map((row) => list(row, separator))]
}

/** Lists by their names: "name: one, two". */
export const lists = (text: string): Readonly<Record<string, List>> =>
  Object.fromEntries(rows(text, ": ").map(([name, items = ""]) => [name, list(items, ", ")]))

/** The people, places and things of Northmere, a town that is not on any map. */
const vocabulary = lists(`
person: Ada Thornbury, Ben Okafor, Clara Wendt, Dov Lindqvist, Esme Hargrave, Farid Nasser, Greta Moll, Hamish Rook,
  Ines Caldeira, Jonas Pike, Keiko Amano, Lena Varga, Milo Straker, Nadia Ferrante, Oskar Brandt, Priya Raman, Quentin
  Ashby, Rosa Delgado, Stellan Frey, Tove Aldridge
place: Northmere, Alder Bridge, Quarry Hill, the Old Wharf, Saltergate, Fennel Row, the Lower Lock, Tanner's Yard,
  Millrace Lane, Heron Weir, the Corn Exchange, Abbot's Reach
month: January, February, March, April, May, June, July, August, September, October, November, December
season: spring, summer, autumn, winter
year: 1894, 1911, 1927, 1938, 1952, 1966, 1979, 1988, 1997, 2004, 2012, 2019, 2023
weekday: Monday, Tuesday, Wednesday, Thursday, Friday, Saturday
material: cast iron, brushed brass, oiled oak, ash, stoneware, galvanised steel, copper, linen, hemp, recycled
  aluminium, slate, beech, enamelled steel, waxed canvas
colour: graphite, moss green, cream, rust red, ink blue, natural, charcoal, ochre, pale grey
trade: millwright, joiner, stonemason, lock keeper, potter, rope maker, tinsmith, bookbinder
machine: turbine, sluice gate, pump, winch, loom, lathe, grain elevator, water wheel, flow meter
animal: otter, heron, kingfisher, barn owl, water vole, pike
river: the Mere, the Alder, Salter Brook, the Long Cut
adjective: quiet, stubborn, careful, surprising, patient, modest, thorough, practical, sturdy
unit: litres a second, kilowatt hours, revolutions a minute, degrees, millibars
tool: spirit level, torque wrench, feeler gauge, lantern, ledger, chalk line, hand drill
food: barley bread, smoked trout, apple cake, pea soup, rye biscuits, elderflower cordial
`)
