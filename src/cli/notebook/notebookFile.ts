/** Cells as a file of Jupyter, format 4.5. The same cells are the same bytes. */
import { createHash } from "node:crypto"
import type { Cell } from "./pythonNotebook.ts"

export interface Kernel {
  readonly name: string
  readonly display: string
  readonly language: string
}

export const python: Kernel = { name: "python3", display: "Python 3", language: "python" }

export const notebookFile = (cells: ReadonlyArray<Cell>, { display, language, name }: Kernel): string =>
  `${JSON.stringify(
    {
      cells: cells.map(({ kind, text }, at) => ({
        cell_type: kind,
        id: idOf(text, at),
        metadata: {},
        source: text.split(/(?<=\n)/),
        ...(kind === "code" ? { execution_count: null, outputs: [] } : {})
      })),
      metadata: { kernelspec: { display_name: display, language, name }, language_info: { name: language } },
      nbformat: 4,
      nbformat_minor: 5
    },
    undefined,
    1
  )}\n`

const idOf = (text: string, at: number): string =>
  createHash("sha256").update(`${at} ${text}`).digest("hex").slice(0, 8)
