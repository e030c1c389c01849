import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" } as const

const data = (html: string, properties: { readonly [name: string]: Json }, url = "https://shop.test/boots") =>
  byRules({ url, html, metadata: {} }, { schema: { type: "object", properties }, prompt: undefined }).data

const script = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script><h1>Boots</h1>`

const offer = (sku: string, price: string, stock: string) => ({
  "@type": "Offer",
  sku,
  price,
  priceCurrency: "EUR",
  availability: `https://schema.org/${stock}`
})

const properties = {
  name: text,
  price: { type: "number" },
  currency: text,
  brand: text,
  sku: text,
  weight: text,
  in_stock: { type: "boolean" }
} as const

/** A page of a shop without any markup that machines read: a table of labels and values in its language. */
const page = (language: string, name: string, price: string, stock: string, rows: Readonly<Record<string, string>>) =>
  `<!doctype html><html lang="${language}"><head><title>${name}</title></head><body><nav><a href="/">x</a></nav>
  <main><h1>${name}</h1><p class="price">${price}</p><p>${stock}</p><table>${Object.entries(rows)
    .map(([label, value]) => `<tr><th>${label}</th><td>${value}</td></tr>`)
    .join("")}</table></main></body></html>`

describe("a product on a page of a shop", () => {
  it.each([
    ["ar", "حذاء جلدي", "٢٩٩٫٥٠ ر.س", 299.5, "SAR", "متوفر", ["العلامة التجارية", "رقم المنتج", "الوزن"]],
    ["fa", "کفش چرمی", "۱٬۲۹۹٬۰۰۰ تومان", 1_299_000, "IRT", "موجود", ["برند", "کد محصول", "وزن"]],
    ["he", "נעלי עור", "299.50 ₪", 299.5, "ILS", "במלאי", ["מותג", 'מק"ט', "משקל"]],
    ["hi", "चमड़े के जूते", "₹1,299.50", 1299.5, "INR", "स्टॉक में", ["ब्रांड", "उत्पाद कोड", "वजन"]],
    ["th", "รองเท้าหนัง", "฿1,299.50", 1299.5, "THB", "มีสินค้า", ["แบรนด์", "รหัสสินค้า", "น้ำหนัก"]],
    ["vi", "Giày da", "1.299.000 ₫", 1_299_000, "VND", "Còn hàng", ["Thương hiệu", "Mã sản phẩm", "Trọng lượng"]],
    ["id", "Sepatu kulit", "Rp 1.299.000", 1_299_000, "IDR", "Stok tersedia", ["Merek", "Kode produk", "Berat"]],
    ["el", "Δερμάτινα παπούτσια", "129,50 €", 129.5, "EUR", "Διαθέσιμο", ["Μάρκα", "Κωδικός προϊόντος", "Βάρος"]],
    ["tr", "Deri ayakkabı", "1.299,50 TL", 1299.5, "TRY", "Stokta var", ["Marka", "Ürün kodu", "Ağırlık"]],
    ["ja", "革の靴", "￥12,990（税込）", 12_990, "JPY", "在庫あり", ["ブランド", "商品番号", "重量"]],
    ["zh", "皮鞋", "￥1,299.50元", 1299.5, "CNY", "有货", ["品牌", "商品编号", "重量"]],
    ["ko", "가죽 신발", "129,900원", 129_900, "KRW", "재고 있음", ["브랜드", "상품코드", "무게"]],
    ["ru", "Кожаные ботинки", "12 990 ₽", 12_990, "RUB", "В наличии", ["Бренд", "Артикул", "Вес"]]
  ] as const)("in %s is read by its labels: %s", (language, name, price, amount, currency, stock, labels) => {
    const [brand, sku, weight] = labels
    const html = page(language, name, price, stock, { [brand]: "Nasim", [sku]: "AB-1234", [weight]: "1.2 kg" })
    const { data } = byRules(
      { url: "https://shop.test/x", html, metadata: {} },
      { schema: { type: "object", properties }, prompt: undefined }
    )

    expect(data).toEqual({
      name,
      price: amount,
      currency,
      brand: "Nasim",
      sku: "AB-1234",
      weight: "1.2 kg",
      in_stock: true
    })
  })
})

const asked = {
  sku: text,
  price: { type: "number" },
  currency: text,
  availability: text,
  in_stock: { type: "boolean" }
}

describe("a product", () => {
  const offers = [
    offer("B-41", "49.95", "OutOfStock"),
    offer("B-42", "44.95", "InStock"),
    offer("B-43", "39.95", "SoldOut")
  ]

  it.each([
    ["before its offers", { "@type": "Product", name: "Boots", sku: "B", offers }],
    ["behind its offers", { "@type": "Product", name: "Boots", offers, sku: "B" }],
    ["with its offers turned around", { "@type": "Product", offers: offers.toReversed(), sku: "B", name: "Boots" }],
    [
      "with its offers in one that stands for all",
      { "@type": "Product", offers: { "@type": "AggregateOffer", offers }, sku: "B", name: "Boots" }
    ]
  ])("is what its own node says, %s, and can be had where any offer can", (_, product) => {
    expect(data(script(product), asked)).toEqual({
      sku: "B",
      price: 44.95,
      currency: "EUR",
      availability: "InStock",
      in_stock: true
    })
  })

  it("has no sku of one of several offers, of a variant or of another product", () => {
    const other = { "@type": "Product", name: "Laces", sku: "L", offers: offer("L", "5", "InStock") }
    const product = { "@type": "Product", name: "Boots", offers, isRelatedTo: [other], isVariantOf: { sku: "ALL-B" } }

    expect(data(script(product), { sku: text })).toEqual({ sku: null })
    expect(
      data(script({ "@type": "ProductGroup", name: "Boots", hasVariant: [other, product] }), { sku: text })
    ).toEqual({
      sku: null
    })
  })

  it("has the sku of its only offer where it says none itself", () => {
    const one = { "@type": "Product", name: "Boots", offers: offer("B-42", "44.95", "InStock") }

    expect(data(script(one), { sku: text })).toEqual({ sku: "B-42" })
    expect(data(script({ ...one, sku: "B" }), { sku: text })).toEqual({ sku: "B" })
  })

  it("of several variants has the lowest price of those that can be had", () => {
    const variants = [
      { "@type": "Product", sku: "1", offers: offer("1", "10", "OutOfStock") },
      { "@type": "Product", sku: "2", offers: offer("2", "12", "InStock") },
      { "@type": "Product", sku: "3", offers: offer("3", "15", "InStock") }
    ]

    expect(data(script({ "@type": "ProductGroup", name: "Boots", hasVariant: variants }), asked)).toMatchObject({
      price: 12,
      currency: "EUR",
      availability: "InStock"
    })
  })

  it("has the lowest price that it declares, and no price that is struck through", () => {
    const from = { "@type": "AggregateOffer", lowPrice: "10", highPrice: "20", priceCurrency: "CAD" }
    const struck = {
      "@type": "Offer",
      priceCurrency: "EUR",
      priceSpecification: [
        {
          "@type": "UnitPriceSpecification",
          priceType: "https://schema.org/ListPrice",
          price: "30",
          priceCurrency: "EUR"
        },
        { "@type": "UnitPriceSpecification", price: "25", priceCurrency: "EUR" }
      ]
    }

    expect(data(script({ "@type": "Product", name: "Boots", offers: from }), asked)).toMatchObject({
      price: 10,
      currency: "CAD"
    })
    expect(data(script({ "@type": "Product", name: "Boots", offers: [struck, struck] }), asked)).toMatchObject({
      price: 25
    })
    expect(data(script({ "@type": "Product", name: "Boots", offers: struck }), asked)).toMatchObject({ price: 25 })
  })

  it("keeps its offers as rows with what each says", () => {
    const rows = { type: "array", items: { type: "object", properties: { sku: text, price: { type: "number" } } } }

    expect(data(script({ "@type": "Product", name: "Boots", sku: "B", offers }), { offers: rows })).toEqual({
      offers: [
        { sku: "B-41", price: 49.95 },
        { sku: "B-42", price: 44.95 },
        { sku: "B-43", price: 39.95 }
      ]
    })
  })
})

describe("the number of an article", () => {
  const forms = [
    [
      "a table",
      (label: string) => `<table><tr><th>Color</th><td>Red</td></tr><tr><th>${label}</th><td>AB-12345</td></tr></table>`
    ],
    ["definitions", (label: string) => `<dl><dt>Color</dt><dd>Red</dd><dt>${label}:</dt><dd>AB-12345</dd></dl>`],
    ["a bold label", (label: string) => `<ul><li><b>Color</b> Red</li><li><b>${label}</b> AB-12345</li></ul>`],
    ["spans", (label: string) => `<div><span class="label">${label}:</span> <span>AB-12345</span></div>`],
    ["a line", (label: string) => `<p>${label}: AB-12345</p>`]
  ] as const
  const labels = {
    sku:
      "SKU|Item number|Item #|Item No.|Style #|Artikelnummer|Art.-Nr.|Art. Nr.|Bestellnummer|Référence|Réf.|Référence produit|Referencia|" +
      "Código|Codice articolo|Cod. articolo|Artikelnr|Varenr|Tuotenumero|Numer katalogowy|Артикул|品番|商品编号|货号",
    mpn: "MPN|Part number|Herstellernummer|Référence fabricant",
    model: "Model|Model No.|Item model number|Modell|型番",
    upc: "UPC",
    ean: "EAN|EAN-Code",
    gtin: "GTIN|Barcode",
    isbn: "ISBN|ISBN-13",
    asin: "ASIN"
  }

  it.each(
    forms.flatMap(([form, html]) =>
      Object.entries(labels).map(([column, names]) => [column, form, names, html] as const)
    )
  )("is the %s that %s calls %s", (column, _, names, html) => {
    const wrong = names
      .split("|")
      .filter((label) => data(`<h1>Bag</h1>${html(label)}`, { [column]: text })?.[column as never] !== "AB-12345")

    expect(wrong).toEqual([])
  })

  it("is not the number of another kind, but the ASIN and a plain reference are what a shop calls the article", () => {
    const table = (label: string) => `<h1>Bag</h1><table><tr><th>${label}<td>AB-12345<tr><th>Color<td>Red</table>`
    const found = (column: string, label: string) => data(table(label), { [column]: text })

    expect(found("sku", "EAN")).toEqual({ sku: null })
    expect(found("sku", "MPN")).toEqual({ sku: null })
    expect(found("sku", "Model")).toEqual({ sku: null })
    expect(found("ean", "SKU")).toEqual({ ean: null })
    expect(found("mpn", "Artikelnummer")).toEqual({ mpn: null })
    expect(found("asin", "SKU")).toEqual({ asin: null })
    expect(found("isbn", "EAN")).toEqual({ isbn: null })
    expect(found("sku", "ASIN")).toEqual({ sku: "AB-12345" })
    expect(found("reference", "SKU")).toEqual({ reference: "AB-12345" })
  })

  it("is read with marks for the direction of writing around it", () => {
    const html =
      "<h1>Bag</h1><ul><li><span class=b>ASIN \u200f : \u200e</span> <span>\u200eB01GOH7PKA\u200e</span></li></ul>"

    expect(data(html, { asin: text, sku: text })).toMatchObject({ asin: "B01GOH7PKA" })
    expect(data(html, { sku: text })).toEqual({ sku: "B01GOH7PKA" })
  })

  it("is read from data attributes that all say the same", () => {
    expect(
      data("<h1>Bag</h1><div data-product-sku=L-7></div><button data-sku=L-7>Buy</button>", { sku: text })
    ).toEqual({
      sku: "L-7"
    })
    expect(data("<h1>Bag</h1><div data-sku=L-7></div><div data-sku=L-8></div>", { sku: text })).toEqual({ sku: null })
  })
})

describe("a price", () => {
  const asked = { price: { type: "number" }, currency: text }

  it.each(["0", "0.00", "$0.00", "4006381333931", "1234567890", "+49 30 1234567890"])("is none of %s", (written) => {
    expect(data(`<h1>Bag</h1><p>Price: ${written}</p>`, asked)).toMatchObject({ price: null })
  })

  it("is one of a large sum with its currency, and nothing where it is free", () => {
    expect(data("<h1>Bag</h1><p>Price: Rp 1500000000</p>", asked)).toEqual({ price: 1_500_000_000, currency: "IDR" })
    expect(data("<h1>Bag</h1><p>Price: Free</p>", asked)).toMatchObject({ price: 0 })
  })

  it("is what the page shows where it declares nothing", () => {
    const product = {
      "@type": "Product",
      name: "Boots",
      offers: { "@type": "Offer", price: "0.00", priceCurrency: "USD" }
    }

    expect(data(`${script(product)}<p class=price>$15.00</p>`, asked)).toEqual({ price: 15, currency: "USD" })
  })

  it("has the currency of the country where several share a sign, and what the page declares before that", () => {
    const shown = "<h1>Bag</h1><p>Price: $20</p>"
    const product = {
      "@type": "Product",
      name: "Boots",
      offers: { "@type": "Offer", price: "20", priceCurrency: "USD" }
    }

    expect(data(shown, asked, "https://shop.ca/bag")).toEqual({ price: 20, currency: "CAD" })
    expect(data(`<html lang=en-AU>${shown}`, asked)).toEqual({ price: 20, currency: "AUD" })
    expect(data(shown, asked)).toEqual({ price: 20, currency: "USD" })
    expect(data(script(product) + shown, asked, "https://shop.ca/bag")).toEqual({ price: 20, currency: "USD" })
  })

  it("has no currency of a word in capitals", () => {
    const html = "<h1>Bag</h1><p>TOP condition, ALL sizes, 2 CUP holders, TOP 10</p><p>Price: 15.00</p>"

    expect(data(html, asked)).toEqual({ price: 15, currency: null })
  })
})
