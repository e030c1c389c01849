import { describe, expect, it } from "vitest"
import * as Zip from "#web/files/Zip"
import * as archives from "../../hostile/archives.ts"

const bytes = archives.zip([
  ["a.txt", Buffer.from("first")],
  ["b/c.txt", Buffer.from("second")]
])

const textOf = (zip: Zip.Zip | undefined, name: string) => new TextDecoder().decode(zip?.read(name))

describe("a zip file", () => {
  it("has entries by their names", () => {
    const zip = Zip.open(bytes, 100)

    expect(zip?.names).toEqual(["a.txt", "b/c.txt"])
    expect(textOf(zip, "b/c.txt")).toBe("second")
    expect(zip?.read("c.txt")).toBeUndefined()
  })

  it("may have a comment at its end", () => {
    const commented = Buffer.concat([bytes, Buffer.from("comment")])
    commented.writeUInt16LE(7, bytes.length - 2)

    expect(textOf(Zip.open(commented, 100), "a.txt")).toBe("first")
  })

  it("gives all of its entries together no more than the limit", () => {
    const zip = Zip.open(bytes, 8)

    expect(textOf(zip, "a.txt")).toBe("first")
    expect(() => zip?.read("b/c.txt")).toThrow("the document unpacks to more than")
  })

  it("is none where its end is missing, and nothing is read beyond its bytes", () => {
    expect(Zip.open(bytes.subarray(0, 60), 100)).toBeUndefined()
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = 0xff
      const zip = Zip.open(damaged, 100)
      for (const name of zip?.names ?? []) {
        const read = () => zip?.read(name)
        // What is damaged fails with a reason, or gives other bytes.
        try {
          read()
        } catch (error) {
          expect(error).toMatchObject({ name: "Error", code: expect.stringMatching(/^SCRAPE_FILE_/) })
        }
      }
    }
  })
})
