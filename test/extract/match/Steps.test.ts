import { describe, expect, it } from "vitest"
import * as Steps from "#extract/match/Steps"
import { type Named, thing } from "../offered.ts"

const texts = (named: Named, name = "recipeInstructions") =>
  Steps.of(name, thing(named))?.map(({ value }) => value.data)

describe("steps", () => {
  it("are their text, and their name where they have none", () => {
    expect(texts({ "@type": "HowToStep", name: "Step 1", text: "Chop." })).toEqual(["Chop."])
    expect(texts({ "@type": "HowToStep", name: "Chop." })).toEqual(["Chop."])
    expect(texts({ "@type": "HowToStep", name: "Step 1", text: " " })).toEqual(["Step 1"])
  })

  it("of a section stand in its place", () => {
    const section = {
      "@type": "HowToSection",
      name: "Base",
      itemListElement: [
        { "@type": "HowToStep", name: "Step 1", text: "Chop." },
        { "@type": "HowToStep", text: "Boil." }
      ]
    }

    expect(texts(section)).toEqual(["Chop.", "Boil."])
    expect(texts({ "@type": "HowToSection", itemListElement: [section, "Serve."] })).toEqual([
      "Chop.",
      "Boil.",
      "Serve."
    ])
  })

  it("that are made of directions are these as one text", () => {
    const directions = [
      { "@type": "HowToDirection", text: "Heat the oil." },
      { "@type": "HowToTip", text: "Do not let it smoke." }
    ]

    expect(texts({ "@type": "HowToStep", itemListElement: directions })).toEqual(["Heat the oil. Do not let it smoke."])
  })

  it("are told by the name of the property where no type says so", () => {
    expect(texts({ text: "Chop." })).toEqual(["Chop."])
    expect(texts({ "@type": "ItemList", itemListElement: [{ "@type": "HowToStep", text: "Chop." }] })).toEqual([
      "Chop."
    ])
    expect(texts({ "@type": "Person", name: "Ada" }, "author")).toBeUndefined()
  })

  it("and ingredients are one text too, where a schema wants one", () => {
    const recipe = thing({
      recipeIngredient: ["salt", "salt"],
      recipeInstructions: [{ "@type": "HowToStep", text: "Chop." }, "Boil."],
      keywords: ["a", "b"]
    })

    expect(Steps.wholes(recipe).map(([name, { data }]) => [name, data])).toEqual([
      ["recipeIngredient", "salt\nsalt"],
      ["recipeInstructions", "Chop.\nBoil."]
    ])
  })
})
