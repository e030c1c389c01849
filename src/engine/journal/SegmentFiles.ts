/**
 * The segments of one run. Each is opened at its first use and closed with the run. Those that only reading needs are
 * removed once everything is read.
 */
import * as Fs from "node:fs/promises"
import * as Segment from "#base/Segment"
import * as RunFolder from "./RunFolder.ts"

interface SegmentFiles {
  readonly blocks: () => Promise<Segment.Segment>
  readonly progress: () => Promise<Segment.Segment>
  readonly known: () => Promise<Segment.Segment>
  /** Removes what the source needs to continue reading and, if no destination has the run, what the next run could use. */
  readonly endReading: (isVain: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

export const inFolder = (folder: string): SegmentFiles => {
  const opened = new Map<string, Promise<Segment.Segment>>()
  const open = (path: string) => () => {
    const segment = opened.get(path) ?? Segment.open(path)
    opened.set(path, segment)
    return segment
  }
  return {
    blocks: open(RunFolder.blocksOf(folder)),
    progress: open(RunFolder.progressOf(folder)),
    known: open(RunFolder.knownOf(folder)),
    // An open file stays usable without a name, and is deleted when it is closed.
    endReading: async (isVain) => {
      await Fs.rm(RunFolder.progressOf(folder), { force: true })
      if (isVain) await Fs.rm(RunFolder.knownOf(folder), { force: true })
    },
    close: async () => {
      const all = await Promise.allSettled(opened.values())
      opened.clear()
      for (const segment of all) if (segment.status === "fulfilled") await segment.value.close()
    }
  }
}
