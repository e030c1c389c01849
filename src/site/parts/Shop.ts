/** The shop: 120 products at the beginning, in lists with pages, and again under queries that only sort and filter. */
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

export type Product = ReturnType<typeof product>

const perCategory = 15

/** The products that are still there. */
export const products = (history: History.History): ReadonlyArray<Product> =>
  categories
    .flatMap((category, shelf) =>
      Array.from({ length: perCategory }, (_, i) => product(history, category, shelf * perCategory + i))
    )
    .filter(({ index }) => history.times("product removed", index) === 0)

export const section = (history: History.History): Html.Section => {
  const all = products(history)
  return [
    entrance(history, all),
    ...categories.flatMap((category, shelf) => {
      const modified = history.lastDay("product", shelf * perCategory, perCategory)
      const some = all.filter((one) => one.category === category.name)
      return lists(category, some).map((page) => ({ ...page, modified }))
    }),
    ...all.map((one) => page(history, one))
  ]
}

const product = (history: History.History, category: Category, index: number) => {
  const dice = history.dice("product", index)
  const noun = category.nouns[index % category.nouns.length] ?? category.name
  const name = Prose.sentence(dice, `${Prose.opening(dice, "{material}")} ${noun}, {colour}`)
  const isOut = dice.chance(0.12) !== (history.times("product sold out or back", index) % 2 === 1)
  return {
    index,
    path: `/shop/p/${Prose.slug(name)}-${index + 1}`,
    category: category.name,
    name,
    sku: `NM-${category.code}-${1000 + index * 7}`,
    /** In pounds: "34.50". */
    price: price(history, index, dice.int(...category.pence)),
    availability: isOut ? "OutOfStock" : dice.chance(0.08) ? "PreOrder" : ("InStock" as keyof typeof words),
    rating: (3 + dice.int(0, 20) / 10).toFixed(1),
    reviews: dice.int(1, 240),
    modified: history.lastDay("product", index)
  }
}

/** Every change moves the price by 5 to 20 per cent, up or down, to another half pound. */
const price = (history: History.History, index: number, pence: number): string => {
  let halves = Math.max(4, Math.round(pence / 50))
  for (let change = 1; change <= history.times("product repriced", index); change++) {
    const dice = history.dice("price", index, change)
    const step = Math.max(1, Math.round((halves * dice.int(5, 20)) / 100))
    halves += dice.chance(0.6) || halves - step < 4 ? step : -step
  }
  return (halves / 2).toFixed(2)
}

const entrance = (history: History.History, all: ReadonlyArray<Product>): Html.Page => {
  const count = (name: string) => all.filter(({ category }) => category === name).length
  const main = `<h1>Northmere Mill Supply</h1>
<p>Everything here is made within a day's walk of the weir. We send parcels on Tuesdays and Fridays.</p>
${Html.list(categories.map(({ blurb, name, title }) => `${Html.link(`/shop/c/${name}`, title)}: ${blurb} (${count(name)} items)`))}
<p>The whole ${Html.link("/files/price-list.pdf", "price list")} is a PDF.</p>`
  const modified = history.lastDay("product", 0, perCategory * categories.length)
  const description = "Tools, lamps, cloth and kitchen things made in and around Northmere."
  return { path: "/shop/", modified, title: "Northmere Mill Supply", description, main }
}

/** A category in pages, and again under queries that only sort and filter. */
const lists = ({ blurb, name, title }: Category, all: ReadonlyArray<Product>): ReadonlyArray<Html.Page> => {
  const base = `/shop/c/${name}`
  const again = {
    "?sort=price": [...all].sort((a, b) => Number(a.price) - Number(b.price)),
    "?sort=name&dir=asc": [...all].sort((a, b) => (a.name < b.name ? -1 : 1)),
    "?in_stock=1": all.filter((one) => one.availability === "InStock")
  }
  const list = (path: string, some: ReadonlyArray<Product>, pager: string): Html.Page => ({
    path,
    title: `${title} | Northmere Mill Supply`,
    description: blurb,
    main: `${Html.heading(title)}
<p>${Html.escape(blurb)}.</p>
<p class="sort">Sort by ${Html.link(`${base}?sort=price`, "price")} or ${Html.link(`${base}?sort=name&dir=asc`, "name")},
or show only ${Html.link(`${base}?in_stock=1`, "what is in stock")}.</p>
<ul class="products">
${Html.lines(some, item)}
</ul>
${pager}`
  })
  return [
    ...Html.paged(all, 8, base).map(({ pager, path, some }) => list(path, some, pager)),
    ...Object.entries(again).map(([query, some]) => ({ ...list(base + query, some, ""), canonical: base }))
  ]
}

const item = ({ availability, name, path, price: pounds, sku }: Product): string =>
  `<li data-sku="${sku}" class="product">${Html.link(path, name)} <span class="price">£${pounds}</span> <em>${words[availability]}</em></li>`

const words = { InStock: "in stock", OutOfStock: "sold out", PreOrder: "on order" } as const

const page = (history: History.History, one: Product): Html.Page => {
  const { availability, category, modified, name, path, price: pounds, rating, reviews, sku } = one
  const dice = history.dice("product text", one.index)
  const description = Prose.paragraph(dice, praise, 3, { name: name.replace(/,.*/, "").toLowerCase() })
  const terms = {
    SKU: sku,
    Weight: `${dice.int(80, 9500)} g`,
    "Made in": Prose.sentence(dice, "{place}"),
    "Made by": Prose.sentence(dice, "{person}, {trade}"),
    Guarantee: `${dice.int(1, 25)} years`,
    Rating: `${rating} of 5 (${reviews} reviews)`
  }
  const offer = { price: pounds, priceCurrency: "GBP", availability: `https://schema.org/${availability}` }
  return {
    path,
    modified,
    title: `${name} | Northmere Mill Supply`,
    description,
    ogType: "product",
    jsonLd: Html.thing("Product", {
      name,
      sku,
      description,
      image: `${Draft.originMark}/assets/og.svg`,
      brand: Html.thing("Brand", { name: "Northmere Mill Supply" }),
      offers: Html.thing("Offer", { url: `${Draft.originMark}${path}`, ...offer }),
      aggregateRating: Html.thing("AggregateRating", { ratingValue: rating, reviewCount: reviews, bestRating: "5" })
    }),
    fields: { price: pounds, availability },
    facts: { name, sku, price: pounds, currency: "GBP", availability, rating, reviews },
    main: `<article class="product">
${Html.heading(name)}
<p class="offer"><span class="price" data-currency="GBP">£${pounds}</span> <span class="stock">${words[availability]}</span></p>
<p>${Html.escape(description)}</p>
${Html.terms(terms)}
<p>More in ${Html.link(`/shop/c/${category}`, category)}.</p>
</article>`
  }
}

/** What the shop sells: name, code, the least and the most that a thing costs, title, blurb, and the things. */
const categories = Prose.rows(`
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
`).map(([name, code = "", least, most, title = "", blurb = "", nouns = ""]) => {
  return { name, code, title, blurb, nouns: nouns.split(", "), pence: [Number(least), Number(most)] as const }
})

type Category = (typeof categories)[number]

/** Sentences about one product. `{name}` is its name. */
const praise = Prose.sentences(`
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
