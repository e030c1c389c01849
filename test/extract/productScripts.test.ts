import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"

const text = { type: "string" } as const
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
    const { data } = extract(
      { url: "https://shop.test/x", html, metadata: {} },
      { type: "object", properties },
      undefined
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
