import { expect, test } from "vitest"
import { decode } from "#page/Charset"

/** Bytes of texts in encodings that Node writes no more, by what they are when read. */
const written: ReadonlyArray<readonly [charset: string, text: string]> = [
  ["windows-1251", "Это обычная русская страница, которая ничего не говорит о своей кодировке."],
  ["koi8-r", "Это обычная русская страница, которая ничего не говорит о своей кодировке."],
  ["shift_jis", "このページは文字コードを宣言していませんが、日本語の文章として正しく読まれるはずです。"],
  ["euc-jp", "このページは文字コードを宣言していませんが、日本語の文章として正しく読まれるはずです。"],
  ["gb18030", "这个网页没有声明它的编码，但是它的中文内容应当被正确地读出来，而不是变成乱码。"],
  ["big5", "這個網頁沒有宣告它的編碼，但是它的中文內容應當被正確地讀出來，而不是變成亂碼。"],
  ["euc-kr", "이 페이지는 문자 인코딩을 밝히지 않지만 한국어 문장으로 올바르게 읽혀야 합니다."],
  ["windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, a přesto se tato stránka má číst správně."],
  ["windows-1253", "Αυτή η σελίδα δεν δηλώνει την κωδικοποίησή της, αλλά πρέπει να διαβαστεί σωστά."],
  [
    "windows-1252",
    "Cette page ne dit rien de son encodage, et ses caractères accentués doivent être lus à l’identique : déjà été là."
  ]
]

/** A text in a charset: each character by the bytes that the decoder reads as it. */
const encode = (text: string, charset: string): Uint8Array => {
  const decoder = new TextDecoder(charset)
  const bytesOf = new Map<string, ReadonlyArray<number>>()
  for (let first = 0; first < 256; first++) {
    const alone = decoder.decode(Uint8Array.of(first))
    if (alone.length === 1 && !bytesOf.has(alone)) bytesOf.set(alone, [first])
  }
  for (let first = 0x81; first < 0xff; first++) {
    for (let second = 0x40; second < 0xff; second++) {
      const both = decoder.decode(Uint8Array.of(first, second))
      if (both.length === 1 && !bytesOf.has(both)) bytesOf.set(both, [first, second])
    }
  }
  return Uint8Array.from(
    [...text].flatMap((character) => bytesOf.get(character) ?? expect.fail(`${charset}: ${character}`))
  )
}

const page = (text: string, charset: string) =>
  Buffer.concat([
    Buffer.from("<!doctype html><html><head><style>p { color: red }</style></head><body><p class=x>"),
    encode(text, charset),
    Buffer.from("</p></body></html>")
  ])

test("a page that says nothing of its encoding is read in the one that its letters are of", () => {
  for (const [charset, text] of written) {
    expect(decode(page(text, charset), "text/html", "html"), charset).toContain(text)
  }
})

test("UTF-8 of which a few bytes are broken is UTF-8", () => {
  const broken = Buffer.concat([
    Buffer.from("Größe und Maße, Übermut und Ärger. ".repeat(3)),
    Buffer.from([0xff]),
    Buffer.from(" Ende")
  ])
  expect(decode(broken, "text/html", "html")).toContain("Größe und Maße, Übermut und Ärger. \uFFFD Ende")
})

test("a label UTF-8 on bytes that are something else counts as none: the page's own label is asked, and then its letters", () => {
  const [[charset, text] = expect.fail()] = written
  const body = page(text, charset)
  const inside = Buffer.concat([Buffer.from("<meta charset=koi8-r>"), page(text, "koi8-r")])

  expect(decode(body, "text/html; charset=utf-8", "html")).toContain(text)
  expect(decode(Buffer.concat([Buffer.from("<meta charset=utf-8>"), body]), "text/html", "html")).toContain(text)
  expect(decode(inside, "text/html; charset=utf-8", "html")).toContain(text)
  expect(decode(Buffer.from([0x61, 0xe9, 0x62]), "text/html; charset=utf-8", "html")).toBe("a\uFFFDb")
})

test("a few letters tell nothing, and escape sequences are not believed", () => {
  expect(decode(Buffer.from([0xcf, 0xf0, 0xe8]), "text/html", "html")).toBe("Ïðè")
  const escaped = Buffer.concat([
    Buffer.from("\u001b$B<script>\u001b(B", "latin1"),
    Buffer.from([0xe9, 0xe8, 0xe0, 0xe9, 0xe8, 0xe0, 0xe9, 0xe8, 0xe0])
  ])
  expect(decode(escaped, "text/html", "html")).toContain("<script>")
})

test("style sheets that nothing ends are left out in one pass, and the letters before them tell", () => {
  const [[charset, text] = expect.fail()] = written
  const body = Buffer.concat([page(text, charset), Buffer.from("<style<Y".repeat(400_000))])

  expect(decode(body, "text/html", "html")).toContain(text)
})
