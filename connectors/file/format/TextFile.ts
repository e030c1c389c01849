/**
 * A file of text that grows: lines are joined in memory and appended about a megabyte at a time.
 *
 * Between two calls no file is open, so a writer that is given up leaves nothing to close.
 */
import * as Fs from "node:fs/promises"

export interface TextFile {
  readonly add: (text: string) => void
  /** Writes out what waits, if it is enough to be worth a call. */
  readonly settle: () => Promise<void>
  /** Appends the bytes of a file from an offset on. */
  readonly takeFrom: (file: string, offset: number) => Promise<void>
  readonly finish: () => Promise<void>
}

const enough = 1 << 20

export const make = (path: string): TextFile => {
  let waiting: Array<string> = []
  let length = 0

  const flush = async (): Promise<void> => {
    const text = waiting.join("")
    waiting = []
    length = 0
    await Fs.appendFile(path, text)
  }
  return {
    add: (text) => {
      waiting.push(text)
      length += text.length
    },
    settle: async () => {
      if (length >= enough) await flush()
    },
    takeFrom: async (file, offset) => {
      await flush()
      await copy(file, offset, path)
    },
    finish: flush
  }
}

const copy = async (from: string, offset: number, to: string): Promise<void> => {
  const source = await Fs.open(from, "r")
  try {
    const target = await Fs.open(to, "a")
    try {
      const buffer = Buffer.allocUnsafe(enough)
      for (let at = offset; ; ) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, at)
        if (bytesRead === 0) return
        await target.appendFile(buffer.subarray(0, bytesRead))
        at += bytesRead
      }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
