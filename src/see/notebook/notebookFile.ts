/** Cells as a file of Jupyter, format 4.5. The same cells are the same bytes. */
import { createHash } from "node:crypto"
import { relative } from "node:path"
import type { Readers } from "#engine/Readers"

/** A cell of a notebook. */
export interface Cell {
  readonly kind: "markdown" | "code"
  readonly text: string
}

export interface Subject {
  readonly pipeline: string
  readonly file: string
  readonly readers: Readers
  /** The URL of a Postgres as the pipeline file has it: with names of secrets, and not with secrets. */
  readonly written?: string
  /** The folder of the notebook, from which paths are said. */
  readonly folder: string
}

interface Kernel {
  readonly name: string
  readonly display: string
  readonly language: string
}

export const python: Kernel = { name: "python3", display: "Python 3", language: "python" }
export const deno: Kernel = { name: "deno", display: "Deno", language: "typescript" }

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

/** A path from the folder of the notebook, as every system reads it. */
export const pathFrom = (folder: string, path: string): string => relative(folder, path).replaceAll("\\", "/")
