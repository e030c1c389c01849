/** What the shop sells: its categories, their products, and the texts about them. */
export interface Category {
  readonly name: string
  readonly title: string
  readonly code: string
  readonly blurb: string
  readonly nouns: ReadonlyArray<string>
  /** The least and the most that a thing costs. */
  readonly pence: readonly [number, number]
}

export const categories: ReadonlyArray<Category> = [
  {
    name: "lamps",
    title: "Lamps and lanterns",
    code: "LA",
    blurb: "Light for workshops, wharves and reading chairs",
    nouns: ["hand lantern", "desk lamp", "wall sconce", "storm lamp", "bench light"],
    pence: [1800, 16_000]
  },
  {
    name: "hand-tools",
    title: "Hand tools",
    code: "HT",
    blurb: "Tools that are sharpened before they are sent",
    nouns: ["block plane", "marking gauge", "mallet", "drawknife", "try square"],
    pence: [900, 12_500]
  },
  {
    name: "kitchen",
    title: "Kitchen",
    code: "KI",
    blurb: "Pots, boards and jars for people who cook every day",
    nouns: ["stock pot", "bread board", "pickling jar", "milk pan", "pestle and mortar"],
    pence: [1200, 18_000]
  },
  {
    name: "cloth",
    title: "Cloth and rope",
    code: "CL",
    blurb: "Woven and laid on Rope Walk since the canal came",
    nouns: ["work apron", "tarpaulin", "mooring line", "tea towel", "tool roll"],
    pence: [600, 9000]
  },
  {
    name: "garden",
    title: "Garden",
    code: "GA",
    blurb: "For beds, hedges and the edge of the water",
    nouns: ["watering can", "seed tray", "hedge shears", "plant label set", "rain gauge"],
    pence: [500, 7500]
  },
  {
    name: "paper",
    title: "Paper and ink",
    code: "PA",
    blurb: "Ledgers, labels and ink that survives a damp shelf",
    nouns: ["ledger", "field notebook", "ink bottle", "letter opener", "label roll"],
    pence: [300, 4800]
  },
  {
    name: "fittings",
    title: "Hinges and fittings",
    code: "FI",
    blurb: "Small parts that hold large doors",
    nouns: ["strap hinge", "gate latch", "coat hook", "drawer pull", "window stay"],
    pence: [250, 6000]
  },
  {
    name: "measuring",
    title: "Measuring",
    code: "ME",
    blurb: "Gauges and rules, each checked against the town standard",
    nouns: ["folding rule", "plumb bob", "water level", "flow gauge", "weighing scale"],
    pence: [1500, 24_000]
  }
]

/** Sentences about one product. `{name}` is its name. */
export const praise: ReadonlyArray<string> = [
  "the {name} began as a repair for {person}, who would not part with the old one",
  "it is [turned|forged|cut|sewn] in batches of {6-40}, because the [kiln|bench|forge|frame] holds no more.",
  "after {2-9} winters at {place} ours looks better than on the day it arrived.",
  "a [{tool}|spare part|drop of oil] is all the care it asks for.",
  "we weigh and check each one, and send back about {2-9} in a hundred.",
  "the {material} comes from a yard near {place}, the rest from {river}.",
  "{person} tests every batch against the sample of {year}.",
  "it is a {adjective} thing: nothing on it is there for show.",
  "the second size was added in {month} {year} after {12-90} letters asked for it.",
  "it packs flat, which pleases the carrier and the {animal} on our label alike.",
  "spare parts cost less than {2-7} pounds and fit every one made since {year}.",
  "do not leave it in the rain overnight; an hour does no harm.",
  "in a trial of {3-12} weeks it outlasted two that cost twice as much.",
  "the maker signs the underside in pencil, which wears off, and stamps the year, which does not."
].map((text) => (text.endsWith(".") ? text : `${text}.`))
