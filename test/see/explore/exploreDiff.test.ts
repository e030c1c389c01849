import { expect, it } from "vitest"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { startExplorer } from "./explored.ts"

/** A product as shops say it to search engines. */
const product = (sku: string, name: string, price: number) => {
  const says = {
    "@context": "https://schema.org",
    "@type": "Product",
    sku,
    name,
    offers: { "@type": "Offer", price, priceCurrency: "EUR" }
  }
  return `<html><head><title>${name}</title><script type="application/ld+json">${JSON.stringify(says)}</script></head><body><main><h1>${name}</h1><p>${sku} costs ${price} euro.</p></main></body></html>`
}

it("explore names changed rows, sets values beside each other, and ranks those in which a number moved", () => {
  const routes: Record<string, string> = {
    "/a": product("SKU-1", "Oak bread board", 20),
    "/b": product("SKU-2", "Steel milk pan", 100),
    "/c": product("SKU-3", "Linen coat hook", 8.5),
    "/d": product("SKU-4", "Iron strap hinge", 30)
  }
  return withSite(routes, async ({ folder, resolve }) => {
    write(
      folder,
      "shop.yaml",
      "source:",
      "  type: extract",
      '  urls: ["http://site.test/a", "http://site.test/b", "http://site.test/c", "http://site.test/d"]',
      "  schema:",
      "    type: object",
      "    properties:",
      "      products:",
      "        type: array",
      "        items:",
      "          type: object",
      "          properties:",
      "            sku: { type: string }",
      "            name: { type: string }",
      "            price: { type: number }",
      "table: { name: products, key: sku }",
      "sinks: { db: { type: duckdb, path: ./shop.duckdb, write: scd2 } }"
    )
    const run = async () =>
      expect(await millrace(folder, "run", "shop.yaml", "--resolve", resolve)).toMatchObject({ code: 0 })
    await run()
    routes["/a"] = product("SKU-1", "Oak bread board", 18)
    routes["/b"] = product("SKU-2", "Steel milk pan", 75)
    routes["/d"] = product("SKU-4", "Iron strap hinge", 33)
    await run()
    const shop = await startExplorer(folder, "shop.yaml")
    try {
      const all = (await shop.ask("/api/diff?table=products&from=previous&to=latest")).answer
      const cheaper = (await shop.ask("/api/diff?table=products&from=previous&to=latest&by=-price")).answer
      const dearer = (await shop.ask("/api/diff?table=products&from=previous&to=latest&by=price")).answer
      const first = (await shop.ask("/api/question")).answer.first
      const asked = await shop.ask("/api/sql", { sql: first.sql })

      expect(all).toMatchObject({ whole: true, counts: { changed: 3 }, fields: { price: 3 } })
      expect(all.changes.map(({ name }: { name: string }) => name).toSorted()).toEqual([
        "Iron strap hinge",
        "Oak bread board",
        "Steel milk pan"
      ])
      expect(all.changes.every((change: object) => !("pieces" in change))).toBe(true)
      expect(cheaper).toMatchObject({
        moved: 2,
        changes: [
          { name: "Steel milk pan", key: [["sku", "SKU-2"]], fields: [{ name: "price", old: 100, new: 75 }] },
          { name: "Oak bread board", key: [["sku", "SKU-1"]], fields: [{ name: "price", old: 20, new: 18 }] }
        ]
      })
      expect(dearer.changes.map(({ name }: { name: string }) => name)).toEqual(["Iron strap hinge"])
      // The question that SQL begins with, of the same rows: those that changed last come first.
      expect(first.title).toBe("What changed last")
      const columns = asked.answer.columns.map(({ name }: { name: string }) => name)
      expect(columns).toEqual(["name", "sku", "valid_from", "price_before", "price"])
      expect(
        asked.answer.rows
          .slice(0, 3)
          .map(([name]: [string]) => name)
          .toSorted()
      ).toEqual(["Iron strap hinge", "Oak bread board", "Steel milk pan"])
      expect(asked.answer.rows[3][3]).toBeNull()
    } finally {
      await shop.stop()
    }
  })
})
