/** What the shop sells: its categories, their products, and the texts about them. */
import * as Prose from "./Prose.ts"

const rows = Prose.rows(`
lamps | LA | 1800 | 16000 | Lamps and lanterns | Light for workshops, wharves and reading chairs
  | hand lantern, desk lamp, wall sconce, storm lamp, bench light
hand-tools | HT | 900 | 12500 | Hand tools | Tools that are sharpened before they are sent
  | block plane, marking gauge, mallet, drawknife, try square
kitchen | KI | 1200 | 18000 | Kitchen | Pots, boards and jars for people who cook every day
  | stock pot, bread board, pickling jar, milk pan, pestle and mortar
cloth | CL | 600 | 9000 | Cloth and rope | Woven and laid on Rope Walk since the canal came
  | work apron, tarpaulin, mooring line, tea towel, tool roll
garden | GA | 500 | 7500 | Garden | For beds, hedges and the edge of the water
  | watering can, seed tray, hedge shears, plant label set, rain gauge
paper | PA | 300 | 4800 | Paper and ink | Ledgers, labels and ink that survives a damp shelf
  | ledger, field notebook, ink bottle, letter opener, label roll
fittings | FI | 250 | 6000 | Hinges and fittings | Small parts that hold large doors
  | strap hinge, gate latch, coat hook, drawer pull, window stay
measuring | ME | 1500 | 24000 | Measuring | Gauges and rules, each checked against the town standard
  | folding rule, plumb bob, water level, flow gauge, weighing scale
`)

export const categories = rows.map(([name = "", code = "", least, most, title = "", blurb = "", nouns = ""]) => ({
  name,
  code,
  title,
  blurb,
  nouns: nouns.split(", "),
  /** The least and the most that a thing costs. */
  pence: [Number(least), Number(most)] as const
}))

export type Category = (typeof categories)[number]

/** Sentences about one product. `{name}` is its name. */
export const praise = Prose.sentences(`
the {name} began as a repair for {person}, who would not part with the old one. it is [turned|forged|cut|sewn] in
batches of {6-40}, because the [kiln|bench|forge|frame] holds no more. after {2-9} winters at {place} ours looks better
than on the day it arrived. a [{tool}|spare part|drop of oil] is all the care it asks for. we weigh and check each one,
and send back about {2-9} in a hundred. the {material} comes from a yard near {place}, the rest from {river}. {person}
tests every batch against the sample of {year}. it is a {adjective} thing: nothing on it is there for show. the second
size was added in {month} {year} after {12-90} letters asked for it. it packs flat, which pleases the carrier and the
{animal} on our label alike. spare parts cost less than {2-7} pounds and fit every one made since {year}. do not leave
it in the rain overnight; an hour does no harm. in a trial of {3-12} weeks it outlasted two that cost twice as much. the
maker signs the underside in pencil, which wears off, and stamps the year, which does not.
`)
