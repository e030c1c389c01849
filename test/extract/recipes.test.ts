import { describe, expect, it } from "vitest"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const object = (properties: { readonly [name: string]: Json }): JsonSchema => ({ type: "object", properties })
const texts: Json = { type: "array", items: { type: "string" } }

const data = (html: string, properties: { readonly [name: string]: Json }) =>
  byRules({ url: "https://food.test/stew", html, metadata: {} }, { schema: object(properties), prompt: undefined }).data

const declared = `<title>Stew</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe",
  "name":"Stew","author":[{"@type":"Person","name":"Ada Cook"}],"recipeYield":["4","4 servings"],
  "totalTime":"PT1H11M","prepTime":"PT10M","recipeIngredient":["2 carrots","salt","1 leek","salt"],
  "recipeInstructions":[
    {"@type":"HowToSection","name":"Base","itemListElement":[
      {"@type":"HowToStep","name":"Step 1","text":"Chop the carrots."},{"@type":"HowToStep","name":"Step 2","text":"Stir."}]},
    {"@type":"HowToSection","name":"End","itemListElement":[
      {"@type":"HowToStep","name":"Step 1","text":"Add the leek."},{"@type":"HowToStep","name":"Step 2","text":"Stir."}]}]}
  </script><h1>Stew</h1>`

describe("a recipe", () => {
  it("has its steps by their text, in the order of its sections, and equal ones as often as they come", () => {
    expect(data(declared, { title: {}, ingredients: texts, instructions: texts })).toEqual({
      title: "Stew",
      ingredients: ["2 carrots", "salt", "1 leek", "salt"],
      instructions: ["Chop the carrots.", "Stir.", "Add the leek.", "Stir."]
    })
  })

  it("has all its steps in one text where one text is wanted", () => {
    expect(data(declared, { instructions: { type: "string" } })).toEqual({
      instructions: "Chop the carrots.\nStir.\nAdd the leek.\nStir."
    })
  })

  it("has its steps as rows, whatever section they stand in", () => {
    const step = object({ text: { type: "string" } })

    expect(data(declared, { steps: { type: "array", items: step } })).toEqual({
      steps: [{ text: "Chop the carrots." }, { text: "Stir." }, { text: "Add the leek." }, { text: "Stir." }]
    })
  })

  it("has its times in the unit that the schema states, in words or in a name", () => {
    expect(
      data(declared, {
        total_time: { type: "integer", description: "total time in minutes" },
        prep_minutes: { type: "integer" },
        total_seconds: { type: "integer", description: "total time in seconds" },
        totalTime: { type: "string" }
      })
    ).toEqual({ total_time: 71, prep_minutes: 10, total_seconds: 4260, totalTime: "PT1H11M" })
  })

  it("has equal items once where the schema wants them so", () => {
    expect(data(declared, { ingredients: { type: "array", uniqueItems: true, items: { type: "string" } } })).toEqual({
      ingredients: ["2 carrots", "salt", "1 leek"]
    })
  })

  it("of microdata has the text of its steps", () => {
    const html = `<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Tea</h1>
      <ol><li itemprop="recipeInstructions" itemscope itemtype="https://schema.org/HowToStep"><b itemprop="name">One</b>
      <span itemprop="text">Boil water.</span></li><li itemprop="recipeInstructions" itemscope
      itemtype="https://schema.org/HowToStep"><b itemprop="name">Two</b> <span itemprop="text">Pour.</span></li></ol></div>`

    expect(data(html, { instructions: texts })).toEqual({ instructions: ["Boil water.", "Pour."] })
  })

  it("that is not marked has what stands under its headings", () => {
    const html = `<h1>Tea</h1><p>Prep time: 5 min</p><p>Total time: 1 h 10 min</p><p>Serves: 2</p><h2>Ingredients</h2>
      <ul><li>1 bag of tea</li><li>water</li><li>water</li></ul><h2>Instructions</h2>
      <ol><li>Boil the water.</li><li>Wait.</li><li>Pour.</li><li>Wait.</li></ol>`

    expect(
      data(html, {
        title: { type: "string" },
        ingredients: texts,
        instructions: texts,
        total_time: { type: "integer", description: "in minutes" },
        servings: { type: "integer" }
      })
    ).toEqual({
      title: "Tea",
      ingredients: ["1 bag of tea", "water", "water"],
      instructions: ["Boil the water.", "Wait.", "Pour.", "Wait."],
      total_time: 70,
      servings: 2
    })
  })
})
