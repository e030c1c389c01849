import { expect, test } from "vitest"
import { Attributes } from "#page/Attributes"
import { languageOf } from "#page/markdown/Language"

const ofClass = (value: string): string | undefined => {
  const attributes = new Attributes()
  attributes.add("class", value)
  return languageOf(attributes)
}

test("the language is read from the classes that highlighters write", () => {
  expect(ofClass("language-js")).toBe("js")
  expect(ofClass("hljs lang-C++ wide")).toBe("c++")
  expect(ofClass("language-ruby highlighter-rouge")).toBe("ruby")
  expect(ofClass("highlight highlight-source-shell")).toBe("shell")
  expect(ofClass("highlight-python3 notranslate")).toBe("python3")
  expect(ofClass("brush: java; gutter: false")).toBe("java")
  expect(ofClass("highlight bash")).toBe("bash")
  expect(ofClass("sourceCode python")).toBe("python")
})

test("a name that says nothing is no language, and other classes are none", () => {
  expect(ofClass("language-plaintext")).toBe("")
  expect(ofClass("language-text")).toBe("")
  expect(ofClass("slanguage")).toBeUndefined()
  expect(ofClass("note")).toBeUndefined()
})
