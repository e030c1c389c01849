/** Rows as a CSV file in the browser, as the server writes it: null is an empty cell, and an empty text is "". */
import type { CellValue, RowsAnswer } from "../ExploreApi.ts"

/** Rows that become text before the page does something else. */
const rowsAtOnce = 2000

export const csvBlob = async ({ columns, rows }: RowsAnswer): Promise<Blob> => {
  const parts = [`${columns.map(({ name }) => quoted(name)).join(",")}\n`]
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    parts.push(
      rows
        .slice(at, at + rowsAtOnce)
        .map((row) => `${row.map(cell).join(",")}\n`)
        .join("")
    )
    await turn()
  }
  return new Blob(parts, { type: "text/csv" })
}

/** The page takes what waits: keys, a click, a frame. */
const turn = (): Promise<void> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener("message", () => {
      port1.close()
      done()
    })
    port1.start()
    port2.postMessage(undefined)
  })

const cell = (value: CellValue): string => (value === null ? "" : quoted(String(value)))

const quoted = (text: string): string =>
  text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
