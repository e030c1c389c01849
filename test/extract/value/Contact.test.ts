import { describe, expect, it } from "vitest"
import * as Contact from "#extract/value/Contact"

describe("Contact", () => {
  it("reads the one e-mail address of a text", () => {
    expect(Contact.email("write to ada@mill.test today")).toBe("ada@mill.test")
    expect(Contact.email("ada@mill.test or bob@mill.test")).toBeUndefined()
  })

  it("reads a telephone number, and neither a date nor a price", () => {
    expect(Contact.phone("tel:+44 20 7946 0018")).toBe("+44 20 7946 0018")
    expect(Contact.phone("Call (408) 714-1489")).toBe("(408) 714-1489")
    expect(Contact.phone("+7 (495) 123\u201145\u201167")).toBe("+7 (495) 123\u201145\u201167")
    expect(Contact.phone("هاتف: \u200e٠١١ ٤٦٥ ٠٠٠٠")).toBe("011 465 0000")
    expect(Contact.phone("０３－１２３４－５６７８")).toBe("03-1234-5678")
    expect(Contact.phone("01\u202f42\u202f68\u202f53\u202f00")).toBe("01\u202f42\u202f68\u202f53\u202f00")
    expect(Contact.phone("1 234 567,89")).toBeUndefined()
    expect(Contact.phone("2026-05-03")).toBeUndefined()
    expect(Contact.phone("£12")).toBeUndefined()
  })

  it("makes addresses absolute, and none of texts and scripts", () => {
    const page = "http://site.test/a/b"

    expect(Contact.url("../x.png", page)).toBe("http://site.test/x.png")
    expect(Contact.url("www.mill.test", page)).toBe("https://www.mill.test/")
    expect(Contact.url("two words", page)).toBeUndefined()
    expect(Contact.url("javascript:alert(1)", page)).toBeUndefined()
  })
})
