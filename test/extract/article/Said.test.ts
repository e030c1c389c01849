import { expect, it } from "vitest"
import { textOf, thingIn } from "#extract/article/Said"
import { thing } from "../offered.ts"

it("what a thing says is its first text of a name that is not empty", () => {
  const article = thing({ headline: [" ", " The mill "], publisher: { name: "Valley News" } })

  expect(textOf(article, "headline")?.text).toBe("The mill")
  expect(textOf(article, "publisher")).toBeUndefined()
  expect(textOf(thingIn(article, "publisher"), "name")?.text).toBe("Valley News")
  expect(textOf(undefined, "name")).toBeUndefined()
})
