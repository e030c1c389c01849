/**
 * Converts a Word document to HTML, in the thread that reads files; the page pass does the rest.
 *
 * Pictures are left out. The library drops elements that it does not know, with the words inside. So unknown wrappers
 * of text are renamed to a known one.
 */
import mammoth from "mammoth"
import { tokenize } from "#page/Tokenizer"
import { FileProblem } from "./FileProblem.ts"
import * as FileFacts from "./files/FileFacts.ts"
import * as Zip from "./files/Zip.ts"

export interface DocxRead {
  readonly kind: "docx"
  readonly html: string
  readonly facts: FileFacts.FileFacts
  /** What was left out, each as a sentence. */
  readonly warnings: ReadonlyArray<string>
}

/** The maximum unpacked size of a file. */
const maxUnpacked = 200 * 1024 * 1024

export const readDocx = async (bytes: Uint8Array): Promise<DocxRead> => {
  const zip = Zip.open(bytes, maxUnpacked)
  if (zip === undefined) throw broken("it is not a zip file, or its end is missing")
  if (!zip.names.some((name) => name.startsWith("word/"))) throw broken(noText)
  const facts = factsOf(zip)
  const { messages, value } = await mammoth
    .convertToHtml(inputOf(zip), { convertImage, styleMap })
    .catch((cause: unknown) => {
      throw cause instanceof FileProblem ? cause : broken(reasonOf(cause))
    })
  const hasEquations = messages.some(({ message }) => /\boMath\b/.test(message))
  return {
    kind: "docx",
    html: value,
    facts,
    warnings: hasEquations ? ["the document has equations, which are left out"] : []
  }
}

/** The parts of a document, as the library asks for them. */
interface Parts {
  readonly exists: (name: string) => boolean
  readonly read: (name: string, encoding?: string) => Promise<string | Uint8Array>
}

const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: "" }))

const styleMap = ["p[style-name='Title'] => h1:fresh"]

/**
 * Without a path or a buffer, the library uses an opened zip file (`mammoth/lib/unzip.js`). Its types do not say so:
 * they demand bytes, which it then ignores.
 */
const inputOf = (zip: Zip.Zip) => {
  const names = new Set(zip.names)
  const file: Parts = {
    exists: (name) => names.has(name),
    read: async (name, encoding) => {
      const bytes = zip.read(name) ?? new Uint8Array()
      return encoding === undefined
        ? bytes
        : new TextDecoder(encoding).decode(bytes).replace(wrappers, "<$1$2:smartTag")
    }
  }
  return { file, arrayBuffer: new ArrayBuffer(0) }
}

/** The tags of fields, such as the number of a figure, and of text in another direction. */
const wrappers = /<(\/?)(\w{1,20}):(?:fldSimple|dir|bdo)(?=[\s/>])/g

const noText = "it has no text"

const broken = (why: string) => new FileProblem("SCRAPE_FILE_BROKEN_ERROR", `the document is broken: ${why}`)

const reasonOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message.split("\n", 1).join("") : String(cause)
  if (message.startsWith("Could not find main document")) return noText
  if (message.includes("xmldom")) return "its XML cannot be read"
  if (cause instanceof RangeError) return "its parts are nested too deeply"
  return cause instanceof TypeError ? "it refers to something that it does not have" : message
}

const factsOf = (zip: Zip.Zip): FileFacts.FileFacts => {
  const xml = zip.read("docProps/core.xml")
  if (xml === undefined) return {}
  const partTexts = textsOf(new TextDecoder().decode(xml))
  return FileFacts.of({
    title: partTexts.get("title"),
    author: partTexts.get("creator"),
    description: partTexts.get("description") ?? partTexts.get("subject"),
    keywords: partTexts.get("keywords"),
    language: partTexts.get("language"),
    dcTermsCreated: partTexts.get("created"),
    modifiedTime: partTexts.get("modified")
  })
}

/** The texts of elements, by their names without prefixes. */
const textsOf = (xml: string): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  let name = ""
  const open = (tag: string) => {
    name = tag.slice(tag.indexOf(":") + 1)
  }
  const text = (value: string) => {
    if (name !== "" && value.trim() !== "" && !texts.has(name)) texts.set(name, value)
  }
  tokenize(xml, { foreign: false, open, close: () => open(":"), text }, { xml: true })
  return texts
}
