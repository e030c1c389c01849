/**
 * What the evaluation asks: an index that was made of a corpus and answers addresses, best first. Each answer is timed.
 */
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type * as Stream from "effect/Stream"
import type { CorpusFile } from "../../src/law/Corpus.ts"
import type { CorpusError } from "../../src/law/CorpusSettings.ts"

export interface Engine {
  readonly name: string
  /** The addresses of at most `k` sections, best first. */
  readonly search: (query: string, k: number) => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

export type Files = Stream.Stream<CorpusFile, CorpusError, FileSystem.FileSystem | Path.Path>

/** How an engine is loaded into a file, and opened again. */
export interface Maker {
  readonly name: string
  readonly load: (files: Files, file: string) => Promise<void>
  readonly open: (file: string) => Promise<Engine>
}

export interface Timed extends Engine {
  /** Milliseconds of every answer. */
  readonly times: ReadonlyArray<number>
  /** Milliseconds of CPU (user and system) of every answer, which do not grow on a busy machine as times do. */
  readonly cpu: ReadonlyArray<number>
}

export const timed = ({ close, name, search }: Engine): Timed => {
  const times: Array<number> = []
  const cpu: Array<number> = []
  return {
    name,
    times,
    cpu,
    close,
    search: async (query, k) => {
      const began = performance.now()
      const before = process.cpuUsage()
      const found = await search(query, k)
      const { system, user } = process.cpuUsage(before)
      cpu.push((system + user) / 1000)
      times.push(performance.now() - began)
      return found
    }
  }
}

/** The value that this share of the times stays below. */
export const quantile = (times: ReadonlyArray<number>, share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
