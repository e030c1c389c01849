/** A small Code of Maryland Regulations, as its library keeps it: a folder a title, one a subtitle, a file a chapter. */
const ns = `xmlns="https://open.law/schemas/library" xmlns:xi="http://www.w3.org/2001/XInclude"`

const level = (prefix: string, num: string, heading: string, content: string): string =>
  `<?xml version='1.0' encoding='utf-8'?>\n<container ${ns}>\n<prefix>${prefix}</prefix><num>${num}</num><heading>${heading}</heading>\n${content}\n</container>`

const include = (...files: ReadonlyArray<string>): string =>
  files.map((file) => `<xi:include href="./${file}"/>`).join("\n")

const section = (number: string, heading: string, text: string): string =>
  `<section>\n<prefix>Regulation</prefix><num>${number}</num><heading>${heading}</heading><text>${text}</text></section>`

const chapter = (title: string, num: string, ...numbers: ReadonlyArray<string>): string =>
  level(
    "Chapter",
    num,
    num === "04" ? "Bonds" : "Awards",
    numbers
      .map((number) =>
        section(
          number,
          `Purpose of chapter ${num}.`,
          `Of chapter ${num} of title ${title}${number === ".01" ? "." : `, ${number}.`}`
        )
      )
      .join("\n")
  )

export const comar = (): Record<string, string> => ({
  "comar/index.xml": `<document ${ns} id="Code of Maryland Regulations">${include("21/index.xml", "22/index.xml")}</document>`,
  "comar/21/index.xml": level("Title", "21", "PROCUREMENT", include("03/index.xml")),
  "comar/21/03/index.xml": level("Subtitle", "03", "CONTRACTS", include("03.xml", "04.xml")),
  "comar/21/03/03.xml": chapter("21", "03", ".01", ".02"),
  "comar/21/03/04.xml": chapter("21", "04", ".01", ".01-1", ".02"),
  "comar/22/index.xml": level("Title", "22", "RETIREMENT", include("03/index.xml")),
  "comar/22/03/index.xml": level("Subtitle", "03", "PENSIONS", include("04.xml")),
  "comar/22/03/04.xml": chapter("22", "04", ".01")
})
