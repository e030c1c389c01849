/** The samples of extruct: JSON-LD, microdata, OpenGraph, Dublin Core, RDFa and microformats. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { shortName } from "../../src/extract/page/Names.ts"
import { Page } from "../../src/extract/page/Page.ts"
import * as JsonLd from "../../src/extract/read/declared/JsonLd.ts"
import * as Meta from "../../src/extract/read/declared/Meta.ts"
import * as Microdata from "../../src/extract/read/declared/Microdata.ts"
import { difference, type Item, tidy } from "./Expected.ts"
import { isObject, type Json, list } from "./Json.ts"
import * as Microformats from "./microformats.ts"
import * as Rdfa from "./rdfa.ts"
import type { Case, Suite } from "./Suite.ts"

export const suites = (folder: string): ReadonlyArray<Suite> => {
  const samples = join(folder, "tests", "samples")
  const read = (path: string): string => readFileSync(join(samples, path), "utf8")
  // the files of the samples hold JSON
  const json = (path: string) => JSON.parse(read(path)) as Json
  const page = (path: string, url: string): Page => new Page(read(path), url)
  const all = (extension: string): ReadonlyArray<string> =>
    readdirSync(samples, { recursive: true, encoding: "utf8" })
      .filter(
        (path) => path.endsWith(extension) && existsSync(join(samples, `${path.slice(0, -extension.length)}.html`))
      )
      .map((path) => path.slice(0, -extension.length))
      .sort()

  const jsonLd = all(".jsonld").map((name): Case => {
    const things = JsonLd.read(page(`${name}.html`, "about:blank"))
    const written = json(`${name}.jsonld`)
    // Two of the files have an older form: `{"items": [[…], […]]}`.
    const expected = isObject(written) && Array.isArray(written["items"]) ? written["items"].flat() : list(written)
    return { name, miss: difference(things, expected.map(ofJsonLd), { ordered: true, ids: false }) }
  })

  const isMicrodata = /^(?:schema\.org\/(?!CreativeWork_|product_)|w3c\/|websites\/)/
  const microdata = all(".json")
    .filter((name) => isMicrodata.test(name) && !/\.(?:flat|withtext)$/.test(name))
    .map((name): Case => {
      const { things } = Microdata.read(page(`${name}.html`, bases.get(name) ?? "about:blank"))
      const miss = difference(things, list(json(`${name}.json`)).map(ofMicrodata), { ordered: true, ids: false })
      return { name, miss, apart: apart.get(name) }
    })
  const custom = Microdata.read(page("schema.org/product.html", "http://some-example.com")).things
  const customMiss = difference(custom, list(json("schema.org/product_custom_url.json")).map(ofMicrodata), {
    ordered: true,
    ids: false
  })

  const graph = ["opengraph_test", "opengraph_ns_product_test"].map((name): Case => {
    const [expected] = list(json(`misc/${name}.json`))
    // extruct leaves out prefixes that the page does not declare.
    const prefixes = new Set(
      isObject(expected) && isObject(expected["namespace"]) ? Object.keys(expected["namespace"]) : []
    )
    const pairs = list(isObject(expected) ? (expected["properties"] ?? []) : [])
    const found = Meta.read(page(`misc/${name}.html`, "about:blank")).filter(
      ({ name: key, value }) => value._tag === "Value" && prefixes.has(key.split(":")[0] ?? "")
    )
    const own = found.flatMap(({ name: key, value }) => (value._tag === "Value" ? [[key, value.data]] : []))
    const wanted = pairs.map((pair) => list(pair).map((part) => tidy(String(part))))
    return { name, miss: JSON.stringify(own) === JSON.stringify(wanted) ? undefined : firstOther(own, wanted) }
  })

  const dublin = ["dublincore_test"].map((name): Case => {
    const [expected] = list(json(`misc/${name}.json`))
    const entries = isObject(expected) ? [...list(expected["elements"] ?? []), ...list(expected["terms"] ?? [])] : []
    const wanted = entries
      .filter(isObject)
      .map((entry) => [String(entry["name"] ?? entry["rel"]), tidy(String(entry["content"] ?? entry["href"]))])
    const own = Meta.read(page(`misc/${name}.html`, "about:blank"))
      .filter(({ name: key }) => /^dc(?:terms)?\./i.test(key))
      .flatMap(({ name: key, value }) => (value._tag === "Value" ? [[key, String(value.data)]] : []))
    const sorted = (pairs: ReadonlyArray<ReadonlyArray<string>>) => pairs.map((pair) => JSON.stringify(pair)).sort()
    const miss =
      JSON.stringify(sorted(own)) === JSON.stringify(sorted(wanted))
        ? undefined
        : firstOther(sorted(own), sorted(wanted))
    return { name, miss }
  })

  const rdfa = all(".expanded.json")
    .map(
      (name): readonly [string, string, string, string] =>
        [name, `${name}.html`, `${name}.expanded.json`, "http://www.example.com/index.html"] as const
    )
    .concat([
      [
        "misc/Portfolio_Niels_Lubberman",
        "misc/Portfolio_Niels_Lubberman.html",
        "misc/Portfolio_Niels_Lubberman.json",
        "http://nielslubberman.nl/drupal/"
      ],
      [
        "misc/expanded_OG_support_test",
        "misc/expanded_OG_support_test.html",
        "misc/expanded_OG_support_test.json",
        "http://www.example.com/index.html"
      ]
    ])
    .map(
      ([name, html, expected, url]): Case => ({
        name,
        miss: Rdfa.missOf(page(html, url), json(expected), url),
        apart: apart.get(name)
      })
    )

  const microformat = Microformats.caseOf(
    "misc/microformat_test",
    read("misc/microformat_test.html"),
    json("misc/microformat_test.json"),
    "about:blank"
  )
  const everything = (["songkick/elysianfields", "songkick/tovestyrke"] as const).flatMap(
    (name): ReadonlyArray<Case> => {
      const url = name.endsWith("elysianfields")
        ? "http://www.songkick.com/artists/236156-elysian-fields"
        : "https://www.songkick.com/concerts/30166884-tove-styrke-at-hoxton-square-bar-and-kitchen"
      const expected = json(`${name}.json`)
      if (!isObject(expected)) return []
      const own = page(`${name}.html`, url)
      return [
        ...(expected["json-ld"] === undefined
          ? []
          : [
              {
                name: `${name} (json-ld)`,
                miss: difference(JsonLd.read(own), list(expected["json-ld"]).map(ofJsonLd), {
                  ordered: true,
                  ids: false
                })
              }
            ]),
        ...(expected["microdata"] === undefined
          ? []
          : [
              {
                name: `${name} (microdata)`,
                miss: difference(Microdata.read(own).things, list(expected["microdata"]).map(ofMicrodata), {
                  ordered: true,
                  ids: false
                })
              }
            ]),
        ...(expected["rdfa"] === undefined
          ? []
          : [{ name: `${name} (rdfa)`, miss: Rdfa.missOf(own, expected["rdfa"], url) }])
      ]
    }
  )

  return [
    { name: "extruct: JSON-LD", cases: jsonLd },
    { name: "extruct: microdata", cases: [...microdata, { name: "product, with a base", miss: customMiss }] },
    { name: "extruct: OpenGraph", cases: graph },
    { name: "extruct: Dublin Core", cases: dublin },
    { name: "extruct: RDFa", cases: rdfa },
    { name: "extruct: microformats", cases: [microformat] },
    { name: "extruct: whole pages", cases: everything }
  ]
}

const apart = new Map([
  [
    "misc/Portfolio_Niels_Lubberman",
    "`rel=icon` and other relations of HTML that RDFa reads as statements of the page"
  ],
  ["schema.org/SearchAction.001", "extruct's own reading of `<input itemprop=query-input>`"],
  ["w3c/microdata.5.3", "extruct puts what itemref names last; the HTML standard sorts properties in tree order"]
])

/** The base address that extruct's own tests give. */
const bases = new Map([
  ["w3c/microdata.7.1", "http://blog.example.com/progress-report"],
  ["w3c/microdata.object", "http://www.example.com/microdata/test"]
])

export const ofJsonLd = (json: Json): Item => {
  const properties = new Map<string, ReadonlyArray<Item | string>>()
  for (const [name, value] of isObject(json) ? Object.entries(json) : []) {
    const values = list(value).filter((part) => part !== null)
    if (!name.startsWith("@") && values.length > 0)
      properties.set(
        shortName(name),
        values.map((part) => (isObject(part) ? ofJsonLd(part) : String(part)))
      )
  }
  const types = isObject(json) ? list(json["@type"] ?? []).map(String) : []
  return { types, properties }
}

const ofMicrodata = (json: Json): Item => {
  if (!isObject(json)) return { types: [], properties: new Map() }
  const said = json["properties"]
  const properties = new Map<string, ReadonlyArray<Item | string>>()
  for (const [name, value] of isObject(said) ? Object.entries(said) : []) {
    properties.set(
      shortName(name),
      list(value).map((part) => (isObject(part) ? ofMicrodata(part) : String(part)))
    )
  }
  return { types: list(json["type"] ?? []).map(String), properties }
}

const firstOther = (own: ReadonlyArray<unknown>, wanted: ReadonlyArray<unknown>): string => {
  const at = wanted.findIndex((entry, i) => JSON.stringify(entry) !== JSON.stringify(own[i]))
  return `${JSON.stringify(own[at === -1 ? wanted.length : at])}, not ${JSON.stringify(wanted[at])}`
}
