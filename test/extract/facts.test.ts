import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const integer = { type: "integer" }
const dataOf = (html: string, properties: { readonly [name: string]: JsonSchema }, lang = "fr") =>
  byRules(
    { url: "http://x.test/p", html: `<html lang="${lang}"><main>${html}</main></html>`, metadata: {} },
    { schema: { properties }, prompt: undefined }
  ).data

describe("a list of facts about one thing", () => {
  it("may have one without a name", () => {
    const html = `<h1>Tarte aux pommes</h1><ul><li>Préparation : 25 minutes</li><li>Cuisson : 40 minutes</li>
      <li>Pour 6 personnes</li><li>Difficulté : facile</li></ul>`
    expect(dataOf(html, { prep_time_minutes: integer, cook_time_minutes: integer })).toEqual({
      prep_time_minutes: 25,
      cook_time_minutes: 40
    })
  })

  it("is a list of things where most have no name", () => {
    const html = `<h1>Menu</h1><ul><li>Prix : 12 €</li><li>Soupe du jour</li><li>Tarte</li><li>Café</li></ul>`
    expect(dataOf(html, { price: { type: "number" } })).toEqual({ price: null })
  })
})

describe("an address under its heading", () => {
  it("ends where a telephone number with a name of its own begins", () => {
    const html = `<h1>Musée</h1><h2>Adresse</h2><p>4 quai des Pêcheurs, 29900 Concarneau</p><p>Tél. : 02 98 00 00 01</p>`
    expect(dataOf(html, { address: text, phone: text })).toEqual({
      address: "4 quai des Pêcheurs, 29900 Concarneau",
      phone: "02 98 00 00 01"
    })
  })
})

it("a value is unclear whose name the page has and that was not taken; one whose name it has not is only missing", () => {
  const rows = (one: Readonly<Record<string, string>>) =>
    `<table>${Object.entries(one)
      .map(([name, value]) => `<tr><th>${name}:</th><td>${value}</td></tr>`)
      .join("")}</table>`
  const directive = (name: string) =>
    `<h2>${name}</h2>${rows({ Description: `Maps ${name}`, Status: "Base", Module: "mod_alias" })}`
  const module = rows({ Description: "Maps URLs", Status: "Base", "Module&nbsp;Identifier": "alias_module" })
  const html = `<title>Alias</title><h2>Module mod_alias</h2>${module}${directive("Alias")}${directive("Redirect")}`
  const text = { type: "string" }
  const schema = { type: "object", properties: { module_identifier: text, licence: text } }
  const { data, missing, unclear } = byRules(
    { html, url: "http://apache.test/", metadata: {} },
    { schema, prompt: undefined }
  )

  expect(data).toEqual({ module_identifier: null, licence: null })
  expect(missing).toEqual(["/module_identifier", "/licence"])
  expect(unclear).toEqual(["/module_identifier"])
})

it("a value is unclear that a title, a heading or a foot names; one that only prose speaks of is missing", () => {
  const html = `<title>Alias - Server Version 2.4</title><main><h1>Alias</h1>
    <p>Whoever maintains a mirror of many pages may use it to move them without any change to the links.</p>
    <h2>F.3. Editors</h2><ul><li>7</li></ul></main>
    <footer><p>Copyright 2026 The Foundation of all Servers and Aliases. Licensed under the Server License.</p></footer>`
  const schema = { type: "object", properties: { version: text, editor: integer, license: text, mirror: text } }
  const { missing, unclear } = byRules({ html, url: "http://alias.test/", metadata: {} }, { schema, prompt: undefined })

  expect(missing).toEqual(["/version", "/license", "/mirror"])
  expect(unclear).toEqual(["/version", "/license"])
})
