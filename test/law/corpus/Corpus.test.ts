import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { corpusOf, read, withFolder } from "./corpusOf.ts"

const section = (number: string, text: string) =>
  `<section xmlns="https://open.law/schemas/library" containing-doc="D.C. Code"><num>${number}</num><text>${text}</text></section>`

describe("the files of a corpus", () => {
  it("come all, each once, in one order, an index before what it lists", async () => {
    const files = {
      "b/z.xml": section("1", "a"),
      "b/index.xml": "<x/>",
      "b/c/a.xml": section("2", "a"),
      "a.txt": "hi",
      "B.xml": "<y/>"
    }
    const paths = async () => (await corpusOf(files)).files.map(({ path }) => path)

    expect(await paths()).toEqual(["B.xml", "a.txt", "b/index.xml", "b/z.xml", "b/c/a.xml"])
    expect(await paths()).toEqual(await paths())
  })

  it("say why they are left out where they are no law", async () => {
    const { files, skipped } = await corpusOf({
      ".git/HEAD": "ref",
      "README.md": "# law",
      "code.xml.bak": section("1", "a"),
      "data.json": "{}",
      "empty.xml": "",
      "list.xml": "<urlset/>",
      "picture.xml": new Uint8Array([60, 0, 1, 2])
    })

    expect(skipped.map(({ file, why }) => [file, why])).toEqual([
      [".git", "its name begins with a dot"],
      ["README.md", "it is neither XML nor HTML"],
      ["code.xml.bak", "its name is that of a backup copy"],
      ["data.json", "it is neither XML nor HTML"],
      ["empty.xml", "it is empty"],
      ["list.xml", "its first element is <urlset>, which is not a known format of government texts"],
      ["picture.xml", "it is not a text file"]
    ])
    expect(new Set(files.map(({ format }) => format))).toEqual(new Set(["none"]))
  })

  it("have the digest of what they say: of their bytes and their settings, not of their age", async () => {
    const digest = async (text: string, options = {}) =>
      (await corpusOf({ "a.xml": section("1", text) }, options)).files[0]?.sha256

    expect(await digest("a")).toBe(await digest("a"))
    expect(await digest("a")).not.toBe(await digest("b"))
    expect(await digest("a")).not.toBe(await digest("a", { folders: { "": { baseUrl: "https://law.example" } } }))
  })

  it("are one where the corpus is a file", () =>
    withFolder({ "deep/a.xml": section("1", "a") }, async (folder) => {
      const { files, sections } = await read(join(folder, "deep/a.xml"))

      expect(files.map(({ format, path }) => [path, format])).toEqual([["a.xml", "open-law"]])
      expect(sections.map(({ number }) => number)).toEqual(["1"])
    }))

  it("fail together only where there is no corpus", async () => {
    await expect(read("/nowhere/at/all")).rejects.toThrow("it cannot be read")
  })

  it("are not followed through links to folders, which may lead round in a circle", () =>
    withFolder({ "a.xml": section("1", "a") }, async (folder) => {
      mkdirSync(join(folder, "b"))
      symlinkSync(folder, join(folder, "b/round"))
      symlinkSync(join(folder, "gone"), join(folder, "b/broken"))
      symlinkSync(join(folder, "a.xml"), join(folder, "b/link.xml"))

      const { files, skipped } = await read(folder)

      expect(files.map(({ path }) => path)).toEqual(["a.xml", "b/broken", "b/link.xml", "b/round"])
      expect(skipped.map(({ file, why }) => [file, why])).toEqual([
        ["b/broken", "it is neither a file nor a folder"],
        ["b/link.xml", "the same text again: D.C. Code § 1, which a.xml:1 has"],
        ["b/round", "it is a link to a folder"]
      ])
    }))
})

describe("a file that is broken", () => {
  it("fails with its line behind what could be read, and the others go on", async () => {
    const { errors, files, sections } = await corpusOf({
      "a.xml": `<container xmlns="https://open.law/schemas/library" containing-doc="D.C. Code">\n${section("1", "a")}\n<section>\n<num>2</container>`,
      "b.xml": section("3", "c")
    })

    expect(errors.map(({ file, line, message }) => [file, line, message])).toEqual([
      ["a.xml", 4, "<num>, which opens in line 4, is not closed"]
    ])
    expect(sections.map(({ number }) => number)).toEqual(["1", "3"])
    expect(files[0]?.error?._tag).toBe("CorpusError")
  })

  it("is decoded as it declares, and by its mark of bytes", async () => {
    const latin = Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?>${section("1", "caf\u00e9")}`, "latin1")
    const wide = Buffer.from(`\ufeff${section("2", "caf\u00e9")}`, "utf16le")
    const { sections } = await corpusOf({
      "a.xml": latin,
      "b.xml": wide,
      "c.xml": `\ufeff${section("3", "caf\u00e9")}`
    })

    expect(sections.map(({ text }) => text)).toEqual(["caf\u00e9", "caf\u00e9", "caf\u00e9"])
  })
})

describe("a file that is hostile", () => {
  it("has no entities that expand, none that are fetched", async () => {
    const bomb = `<!DOCTYPE section [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>\n${section("1", "x &b;&c; &amp; y")}`
    const { sections } = await corpusOf({ "a.xml": bomb })

    expect(sections.map(({ text }) => text)).toEqual(["x &b;&c; & y"])
  })

  it("is given up where its elements are too deep", async () => {
    const { errors } = await corpusOf({
      "a.xml": section("1", `${"<para>".repeat(100_000)}x${"</para>".repeat(100_000)}`)
    })

    expect(errors.map(({ line, message }) => [line, message])).toEqual([
      [1, "elements are more than 400 deep; it is left out"]
    ])
  })

  it("is given up where one tag does not end", () =>
    withFolder({}, async (folder) => {
      const file = join(folder, "a.xml")
      writeFileSync(
        file,
        `<section xmlns="https://open.law/schemas/library" a="${"x".repeat(5_000_000)}"/>`.replace(
          ' a="',
          '>\n<num a="'
        )
      )

      const { errors } = await read(file)

      expect(errors.map(({ message }) => message)).toEqual(["one tag or comment is more than 4000000 characters"])
    }))

  it("has markup in its text as text", async () => {
    const { sections } = await corpusOf({
      "a.xml": section("1", "&lt;script&gt;alert(1)&lt;/script&gt; <![CDATA[<b>bold</b>]]>")
    })

    expect(sections.map(({ text }) => text)).toEqual(["<script>alert(1)</script> <b>bold</b>"])
  })
})
