import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { crc32, zstdCompressSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AnswerFile from "#engine/journal/AnswerFile"
import type { SourceResponse } from "#engine/SourceElement"
import { folder } from "#testing/folder"
import { query } from "../../app/millrace.ts"

const law = (sentence: string, test: (path: string) => Promise<void>) =>
  it.effect(sentence, () =>
    Effect.scoped(Effect.flatMap(folder, (directory) => Effect.promise(() => test(join(directory, "answers.zst")))))
  )

const answer = (text: string, at = 0): SourceResponse => ({ kind: "pages", at, text, cursor: { page: at } })

/** Opens a file, uses it and closes it. */
const using = async <A>(
  path: string,
  use: (file: Awaited<ReturnType<typeof AnswerFile.open>>) => Promise<A>
): Promise<A> => {
  const file = await AnswerFile.open(path)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

const append = (path: string, ...answers: ReadonlyArray<SourceResponse>) =>
  using(path, async (file) => {
    for (const each of answers) await file.append(each)
  })

/** Each answer of a file with the byte behind it. */
const all = (path: string) =>
  using(path, async (file) => {
    const answers: Array<SourceResponse> = []
    const ends: Array<number> = []
    for (let found = await file.read(0); found !== undefined; found = await file.read(found.next)) {
      answers.push(found.answer)
      ends.push(found.next)
    }
    expect(file.length).toBe(answers.length)
    return { answers, ends }
  })

/**
 * The file as another program reads it: DuckDB, as `zstd -dc FILE` into a reader of JSON lines. Node's own decompression
 * ends at the first frame that is to be skipped, and is no witness.
 */
const foreign = async (path: string): Promise<ReadonlyArray<SourceResponse>> => {
  const columns = "{kind: 'VARCHAR', 'at': 'BIGINT', text: 'VARCHAR', cursor: 'JSON'}"
  const lines = `read_json('${path}', format = 'newline_delimited', compression = 'zstd', columns = ${columns})`
  const rows = await query(":memory:", `FROM ${lines}`)
  return rows.map((row) => ({
    kind: String(row["kind"]),
    at: Number(row["at"]),
    text: String(row["text"]),
    cursor: JSON.parse(String(row["cursor"]))
  }))
}

const three = [answer("first", 1), answer("Zürich 漢字 😀 \u0000 \u2028 \"'\\", 2), answer("third", 3)]

describe("answers", () => {
  law(
    "come back in the order they were appended, large ones and empty ones too, in this process and the next",
    (path) =>
      (async () => {
        const large = Array.from({ length: 300_000 }, (_, at) =>
          String.fromCodePoint(32 + ((at * 7919) % 0xd000))
        ).join("")
        const answers = [...three, answer(""), answer(large), answer("x".repeat(5_000_000)), answer("last")]

        await using(path, async (file) => {
          for (const each of answers) await file.append(each)
          expect(file.length).toBe(answers.length)
          expect((await file.read(0))?.answer).toEqual(answers[0])
        })

        expect((await all(path)).answers).toEqual(answers)
      })()
  )

  law("of a file that is not there are none", async (path) => {
    expect((await all(path)).answers).toEqual([])
  })

  law("go on behind those that are there when the file is opened again", async (path) => {
    for (const each of three) await append(path, each)

    expect((await all(path)).answers).toEqual(three)
  })

  law("are lines of JSON to any program that reads zstd", async (path) => {
    await append(path, ...three)

    expect(await foreign(path)).toEqual(three)
  })
})

describe("an answer whose text is JSON", () => {
  const page = `{"status":"scraping","data":[{"markdown":"a \\"quoted\\" Zürich 😀\\n"}]}`

  law("stands in its line as it came, for other programs to read on in it", async (path) => {
    await append(path, answer(page, 1), answer("first", 2), answer('{"head":12,"text":""}', 3))

    const lines = `read_json('${path}', format = 'newline_delimited', compression = 'zstd')`
    const markdown = await query(":memory:", `SELECT text->>'$.data[0].markdown' AS it FROM ${lines} WHERE "at" = 1`)
    expect(markdown).toEqual([{ it: 'a "quoted" Zürich 😀\n' }])
    expect((await foreign(path)).map(({ at, text }) => [at, text.slice(0, 5)])).toEqual([
      [1, '{"sta'],
      [2, "first"],
      [3, '{"hea']
    ])
  })

  law("comes back to the character, however it is written, and also where it is none after all", async (path) => {
    const texts = [
      page,
      '{ "a" : 1.0, "a": 1e2, "b": 12345678901234567890 }',
      "{}",
      '{"lines":\n1}',
      '{"lines":\r1}',
      '{"half a pair":"\ud800"}',
      '{"\u2028":"\u0000"}',
      '{"cut off":[}',
      "{",
      "}",
      ' {"a":1}',
      '{"a":1} ',
      "[1]",
      '"{}"',
      '{"head":3,"text":{}}'
    ]
    const answers = [
      ...texts.map((text, at) => answer(text, at)),
      { ...answer(page), kind: '{"head":1,', cursor: { text: '"text":{}', head: null } },
      { ...answer(page), kind: "Zürich 😀", cursor: null }
    ]
    await append(path, ...answers)

    expect((await all(path)).answers).toEqual(answers)
  })

  law("is read as older versions wrote it, and new ones go on behind it", async (path) => {
    const old = [...three, answer(page, 4), { ...answer('{"head":3,"text":{}}', 5), kind: '{"head":1,' }]
    await Fs.writeFile(path, Buffer.concat(old.map((each) => frame(`${JSON.stringify(each)}\n`))))

    await append(path, answer(page, 6), answer("seventh", 7))

    expect((await all(path)).answers).toEqual([...old, answer(page, 6), answer("seventh", 7)])
  })
})

/** A line as it stood in the file before texts were taken over as they are: framed as it still is. */
const frame = (line: string): Buffer => {
  const payload = zstdCompressSync(line)
  const head = Buffer.alloc(16)
  head.writeUInt32LE(0x184d2a50, 0)
  head.writeUInt32LE(8, 4)
  head.writeUInt32LE(payload.length, 8)
  head.writeUInt32LE(crc32(payload), 12)
  return Buffer.concat([head, payload])
}

describe("a file whose last answer is torn", () => {
  law("loses that one alone, wherever it was cut, and goes on", async (path) => {
    await append(path, ...three)
    const whole = await Fs.readFile(path)
    const { ends } = await all(path)
    const [, before = 0, end = 0] = ends
    expect(end).toBe(whole.length)

    for (let cut = before; cut < end; cut++) {
      await Fs.writeFile(path, whole.subarray(0, cut))
      const left = await using(path, async (file) => {
        const { length } = file
        await file.append(answer("another", cut))
        return length
      })
      expect([cut, left]).toEqual([cut, 2])
      expect((await all(path)).answers).toEqual([...three.slice(0, 2), answer("another", cut)])
    }
  })

  law("loses it also where its length is right and one byte of it is wrong", async (path) => {
    await append(path, ...three)
    const whole = await Fs.readFile(path)
    const { ends } = await all(path)
    const [, before = 0] = ends

    for (let at = before; at < whole.length; at++) {
      // The four bytes of the skippable frame's own length are only for others to read.
      if (at >= before + 4 && at < before + 8) continue
      const torn = Buffer.from(whole)
      torn.writeUInt8(torn.readUInt8(at) ^ 0x10, at)
      await Fs.writeFile(path, torn)
      const { answers } = await all(path)
      expect([at, answers]).toEqual([at, three.slice(0, 2)])
      expect((await Fs.stat(path)).size).toBe(before)
    }
  })

  law("is read by other programs again, once it was opened", async (path) => {
    await append(path, ...three)
    const whole = await Fs.readFile(path)
    await Fs.writeFile(path, whole.subarray(0, -3))

    await expect(foreign(path)).rejects.toThrow()
    await append(path, answer("fourth", 4))

    expect((await foreign(path)).map(({ at }) => at)).toEqual([1, 2, 4])
  })
})

describe("a file that is damaged in the middle", () => {
  law("is read up to the damage, which is told with its place and not passed over", async (path) => {
    await append(path, ...three)
    const damaged = await Fs.readFile(path)
    const { ends } = await all(path)
    const [second = 0, third = 0] = ends
    damaged.writeUInt8(damaged.readUInt8(third - 1) ^ 1, third - 1)
    await Fs.writeFile(path, damaged)

    await using(path, async (file) => {
      expect(file.length).toBe(3)
      expect((await file.read(0))?.answer).toEqual(three[0])
      await expect(file.read(second)).rejects.toThrow(
        `the answer at byte ${second} of ${path} is damaged; move the folder of this run away to continue without it`
      )
    })
    expect((await Fs.stat(path)).size).toBe(damaged.length)
  })

  law("in the head of an answer is told when it is opened, and nothing is cut off", async (path) => {
    await append(path, ...three)
    const whole = await Fs.readFile(path)
    const { ends } = await all(path)
    const [second = 0] = ends
    // The number that zstd skips frames by, and the length of the answer, made shorter and made longer.
    const heads: ReadonlyArray<readonly [at: number, bit: number]> = [
      [0, 1],
      [8, 1],
      [8, 2],
      [8, 64],
      [11, 64]
    ]
    for (const [at, bit] of heads) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8(damaged.readUInt8(second + at) ^ bit, second + at)
      await Fs.writeFile(path, damaged)

      await expect(AnswerFile.open(path)).rejects.toThrow(
        `the answer at byte ${second} of ${path} is damaged; move the folder of this run away to continue without it`
      )
      expect(await Fs.readFile(path)).toEqual(damaged)
    }
  })
})
