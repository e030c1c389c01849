/**
 * The shop: eight categories, 120 products at the beginning, each with its data as JSON-LD, lists in pages, and the same
 * lists again under queries that only sort and filter.
 */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"
import * as Shelf from "./shelf.ts"

export interface Product {
  readonly index: number
  readonly path: string
  readonly category: string
  readonly name: string
  readonly sku: string
  /** In pounds: "34.50". */
  readonly price: string
  readonly availability: "InStock" | "OutOfStock" | "PreOrder"
  readonly rating: string
  readonly reviews: number
  readonly modified: string
}

const perCategory = 15
const perPage = 8

/** The products that are still there. */
export const products = (history: History.History): ReadonlyArray<Product> =>
  Shelf.categories.flatMap((category, shelf) =>
    Array.from({ length: perCategory }, (_, i) => product(history, category, shelf * perCategory + i)).filter(
      ({ index }) => history.times("product removed", index) === 0
    )
  )

export const drafts = (history: History.History): ReadonlyArray<Draft.Draft> => {
  const all = products(history)
  return [
    index(history, all),
    ...Shelf.categories.flatMap((category) =>
      lists(
        history,
        category,
        all.filter((one) => one.category === category.name)
      )
    ),
    ...all.map((one) => page(history, one))
  ]
}

const product = (history: History.History, category: Shelf.Category, index: number): Product => {
  const dice = Dice.make(history.seed, "product", index)
  const noun = category.nouns[index % category.nouns.length] ?? category.name
  const name = Prose.sentence(dice, `${Prose.capital(Prose.sentence(dice, "{material}"))} ${noun}, {colour}`)
  const soldOut = dice.chance(0.12) !== (history.times("product sold out or back", index) % 2 === 1)
  return {
    index,
    path: `/shop/p/${Prose.slug(name)}-${index + 1}`,
    category: category.name,
    name,
    sku: `NM-${category.code}-${1000 + index * 7}`,
    price: price(history, index, dice.int(...category.pence)),
    availability: soldOut ? "OutOfStock" : dice.chance(0.08) ? "PreOrder" : "InStock",
    rating: (3 + dice.int(0, 20) / 10).toFixed(1),
    reviews: dice.int(1, 240),
    modified: Draft.dayOfRevision(history.last("product", index))
  }
}

/** Every change moves the price by 5 to 20 per cent, up or down, to another half pound. */
const price = ({ seed, times }: History.History, index: number, pence: number): string => {
  let halves = Math.max(4, Math.round(pence / 50))
  for (let change = 1; change <= times("product repriced", index); change++) {
    const dice = Dice.make(seed, "price", index, change)
    const step = Math.max(1, Math.round((halves * dice.int(5, 20)) / 100))
    halves += dice.chance(0.6) || halves - step < 4 ? step : -step
  }
  return (halves / 2).toFixed(2)
}

const index = (history: History.History, all: ReadonlyArray<Product>): Draft.Draft =>
  Html.draft(history, {
    path: "/shop/",
    modified: modifiedOf(history, [...Shelf.categories.keys()]),
    title: "Northmere Mill Supply",
    description: "Tools, lamps, cloth and kitchen things made in and around Northmere.",
    main: `<h1>Northmere Mill Supply</h1>
<p>Everything here is made within a day's walk of the weir. We send parcels on Tuesdays and Fridays.</p>
${Html.list(
  Shelf.categories.map((category) => {
    const count = all.filter((one) => one.category === category.name).length
    return `${Html.link(listPath(category), category.title)}: ${category.blurb} (${count} items)`
  })
)}
<p>The whole ${Html.link("/files/price-list.pdf", "price list")} is a PDF.</p>`
  })

/** The day on which something last happened to one of these shelves, a removal too. */
const modifiedOf = (history: History.History, shelves: ReadonlyArray<number>): string =>
  Draft.latest(
    shelves.flatMap((shelf) =>
      Array.from({ length: perCategory }, (_, i) =>
        Draft.dayOfRevision(history.last("product", shelf * perCategory + i))
      )
    )
  )

const listPath = ({ name }: Shelf.Category, query = ""): string => `/shop/c/${name}${query}`

const lists = (
  history: History.History,
  category: Shelf.Category,
  all: ReadonlyArray<Product>
): ReadonlyArray<Draft.Draft> => {
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  const pathOf = (page: number) => listPath(category, page === 1 ? "" : `?page=${page}`)
  const numbered = Array.from({ length: pages }, (_, i) =>
    list(history, category, pathOf(i + 1), all.slice(i * perPage, (i + 1) * perPage), Html.pager(pathOf, i + 1, pages))
  )
  const byPrice = [...all].sort((a, b) => Number(a.price) - Number(b.price))
  const byName = [...all].sort((a, b) => (a.name < b.name ? -1 : 1))
  const inStock = all.filter((one) => one.availability === "InStock")
  const again = { "?sort=price": byPrice, "?sort=name&dir=asc": byName, "?in_stock=1": inStock }
  return [
    ...numbered,
    ...Object.entries(again).map(([query, some]) => list(history, category, listPath(category, query), some, ""))
  ]
}

const list = (
  history: History.History,
  category: Shelf.Category,
  path: string,
  some: ReadonlyArray<Product>,
  pager: string
): Draft.Draft => {
  const base = listPath(category)
  const isAgain = pager === "" && path !== base
  const main = `<h1>${Html.escape(category.title)}</h1>
<p>${Html.escape(category.blurb)}.</p>
<p class="sort">Sort by ${Html.link(`${base}?sort=price`, "price")} or ${Html.link(`${base}?sort=name&dir=asc`, "name")},
or show only ${Html.link(`${base}?in_stock=1`, "what is in stock")}.</p>
<ul class="products">
${some
  .map(
    (one) =>
      `<li data-sku="${one.sku}" class="product">${Html.link(one.path, one.name)} <span class="price">£${one.price}</span> <em>${words[one.availability]}</em></li>`
  )
  .join("\n")}
</ul>
${pager}`
  const { blurb, title } = category
  const modified = modifiedOf(history, [Shelf.categories.indexOf(category)])
  const page = { path, title: `${title} | Northmere Mill Supply`, description: blurb, main, modified }
  return Html.draft(history, isAgain ? { ...page, canonical: base } : page)
}

const words = { InStock: "in stock", OutOfStock: "sold out", PreOrder: "on order" } as const

const page = (history: History.History, one: Product): Draft.Draft => {
  const dice = Dice.make(history.seed, "product text", one.index)
  const description = Prose.paragraph(dice, Shelf.praise, 3, { name: one.name.replace(/,.*/, "").toLowerCase() })
  const details = [
    ["Weight", `${dice.int(80, 9500)} g`],
    ["Made in", Prose.sentence(dice, "{place}")],
    ["Made by", Prose.sentence(dice, "{person}, {trade}")],
    ["Guarantee", `${dice.int(1, 25)} years`]
  ] as const
  const { availability, category, name, path, price, rating, reviews, sku } = one
  const main = `<article class="product">
<h1>${Html.escape(name)}</h1>
<p class="offer"><span class="price" data-currency="GBP">£${price}</span> <span class="stock">${words[availability]}</span></p>
<p>${Html.escape(description)}</p>
<dl>
<dt>SKU</dt><dd>${sku}</dd>
${details.map(([term, value]) => `<dt>${term}</dt><dd>${Html.escape(value)}</dd>`).join("\n")}
<dt>Rating</dt><dd>${rating} of 5 (${reviews} reviews)</dd>
</dl>
<p>More in ${Html.link(`/shop/c/${category}`, category)}.</p>
</article>`
  return Html.draft(
    history,
    {
      path,
      title: `${name} | Northmere Mill Supply`,
      description,
      main,
      ogType: "product",
      jsonLd: dataOf(one, description)
    },
    {
      modified: one.modified,
      fields: { price, availability },
      facts: { name, sku, price, currency: "GBP", availability, rating, reviews }
    }
  )
}

const dataOf = (one: Product, description: string): Readonly<Record<string, unknown>> => ({
  "@context": "https://schema.org",
  "@type": "Product",
  name: one.name,
  sku: one.sku,
  description,
  image: `${Draft.originMark}/assets/og.svg`,
  brand: { "@type": "Brand", name: "Northmere Mill Supply" },
  offers: {
    "@type": "Offer",
    url: `${Draft.originMark}${one.path}`,
    price: one.price,
    priceCurrency: "GBP",
    availability: `https://schema.org/${one.availability}`
  },
  aggregateRating: { "@type": "AggregateRating", ratingValue: one.rating, reviewCount: one.reviews, bestRating: "5" }
})
