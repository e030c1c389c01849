import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import { vsa } from "../../law/corpus/html/vsa.ts"
import { comar } from "../../law/corpus/openLaw/comar.ts"
import { inFolder, millrace, start, write } from "../millrace.ts"

/** A code of a city, as a page. */
const code = (noise = "No person shall make loud noise at night.") => `<!doctype html><html lang="en"><head>
<title>Title 7 Nuisances</title></head><body><h1>Title 7 Nuisances</h1>
<h2>Chapter 7.04 Noise</h2>
<h3 id="7_04_010">7.04.010 Quiet hours</h3><p>${noise}</p>
<h3 id="7_04_020">7.04.020 Leaf blowers</h3><p>A leaf blower rests on Sundays.</p>
</body></html>`

const put = (folder: string, name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const whose = ["--jurisdiction", "Springfield, Illinois", "--collection-name", "Springfield Municipal Code"]
const load = (folder: string, ...args: ReadonlyArray<string>) =>
  millrace(folder, "gov", "load", "corpus", ...whose, "--json", ...args)
const search = async (folder: string, ...args: ReadonlyArray<string>) => {
  const { stdout } = await millrace(folder, "gov", "search", "--json", ...args)
  return JSON.parse(stdout).web.map(({ title }: { readonly title: string }) => title)
}

const counted = (folder: string): unknown => {
  const database = new DatabaseSync(join(folder, ".millrace/service/gov.sqlite"))
  const row = database.prepare("SELECT count(*) AS n FROM gov_section").get()
  database.close()
  return row?.["n"]
}

describe("millrace gov", () => {
  it("loads a folder, says what it took and what it left, and finds it again", () =>
    inFolder(async (folder) => {
      put(folder, "corpus/title-7.html", code())
      put(folder, "corpus/README.md", "# A code")

      const { code: exit, stdout } = await millrace(folder, "gov", "load", "corpus", ...whose)
      const found = await millrace(folder, "gov", "search", "Springfield", "Municipal", "Code", "7.04.010")

      expect(exit).toBe(0)
      expect(stdout.replace(/\([\d.]+ m?s\)/, "(1 s)")).toMatchInlineSnapshot(`
        "2 sections of 2 files are in .millrace/service/gov.sqlite, 2 of them new or changed (1 s)
        format              files  documents  sections  written  removed
        not a known format  1      0          0         0        0
        html                1      1          2         2        0
        left out:
          1  it is neither XML nor HTML  such as README.md
        census of the tags in the files:
        format  headings  sections  with a reason  words  read  furniture  left out  unexplained
        html    2         2         0              34     31    3          0         0
        "
      `)
      expect(found.stdout).toContain(
        "1. Springfield Municipal Code § 7.04.010. Quiet hours [Springfield, Illinois, in force]"
      )
      expect(found.stdout).toContain("   No person shall make loud noise at night.")
    }))

  it("reads what has changed alone, and takes out what is gone where it is told to", () =>
    inFolder(async (folder) => {
      put(folder, "corpus/title-7.html", code())
      put(folder, "corpus/title-8.html", code().replaceAll("7.04", "8.04").replaceAll("7_04", "8_04"))
      const [first, second] = [JSON.parse((await load(folder)).stdout), JSON.parse((await load(folder)).stdout)]
      put(folder, "corpus/title-7.html", code("Whistling is allowed."))
      rmSync(join(folder, "corpus/title-8.html"))
      const third = JSON.parse((await load(folder, "--prune")).stdout)

      expect([first, second, third].map(({ known, sections, written }) => [sections, written, known])).toEqual([
        [4, 4, 0],
        [4, 0, 2],
        [2, 1, 0]
      ])
      expect(third.gone).toEqual({ files: 1, sections: 2 })
      expect(await search(folder, "whistling")).toHaveLength(1)
      expect(await search(folder, "8.04.010")).toEqual([])
    }))

  it("tells a broken file with its line, loads the others, and fails", () =>
    inFolder(async (folder) => {
      const broken = '<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0">\n<main>\n<section></main>\n</uscDoc>\n'
      put(folder, "corpus/broken.xml", broken)
      put(folder, "corpus/title-7.html", code())

      const { code: exit, stderr, stdout } = await load(folder)

      expect(exit).toBe(1)
      expect(stderr).toContain("files that could not be read: 1")
      expect(JSON.parse(stdout).failed).toEqual([expect.stringMatching(/^broken\.xml:3: /)])
      expect(JSON.parse(stdout).sections).toBe(2)
    }))

  it("loads every section of a code of chapters, and says as many as the index has", () =>
    inFolder(async (folder) => {
      for (const [name, text] of Object.entries(comar())) put(folder, `corpus/${name}`, text)

      const first = await millrace(folder, "gov", "load", "corpus", "--json")

      expect(first.code).toBe(0)
      expect(JSON.parse(first.stdout)).toMatchObject({ sections: 6, documents: 2, rejected: [] })
      expect(counted(folder)).toBe(6)
      expect((await search(folder, "COMAR 21.03.04.01"))[0]).toContain("§ 21.03.04.01. Purpose of chapter 04")
    }))

  it("finds a section by title and number, in its newest release, and an older one that is asked for", () =>
    inFolder(async (folder) => {
      put(folder, "corpus/r81/t9.html", vsa(81))
      put(folder, "corpus/r82/t9.html", vsa(82))

      expect((await millrace(folder, "gov", "load", "corpus")).code).toBe(0)
      const newest = "9 V.S.A. § 2451. Purpose [Vermont, in force, Release 82]"
      expect((await search(folder, "9 V.S.A. § 2451")).slice(0, 2)).toEqual([
        newest,
        "9 V.S.A. § 2451. Purpose [Vermont, in force, Release 81]"
      ])
      for (const form of ["9 VSA 2451", "Vt. Stat. Ann. tit. 9, § 2451", "9 V.S.A. § 2451(a)"]) {
        expect((await search(folder, form))[0]).toBe(newest)
      }
      expect((await search(folder, "9 V.S.A. § 2470aa"))[0]).toContain("§ 2470aa. Definitions")
      expect((await search(folder, "9 V.S.A. § 2451 release 81"))[0]).toContain("Release 81")
    }))

  it("keeps both texts of a section with days, and finds the one that is law on a day", () =>
    inFolder(async (folder) => {
      const head = `<meta name="description" content="Release 75 of the Official Code of Rhode Island Annotated released 2021.12.">`
      put(
        folder,
        "corpus/t3.html",
        `<!doctype html><html><head>${head}</head><body><h1>Title 3 Alcoholic Beverages</h1>
        <h3 id="a">3-7-7. Class B license. [Effective until December 1, 2022.]</h3><p>The old fee.</p>
        <h3 id="b">3-7-7. Class B license. [Effective December 1, 2022.]</h3><p>The new fee.</p></body></html>`
      )

      expect((await millrace(folder, "gov", "load", "corpus")).code).toBe(0)
      const titles = [
        "Rhode Island Code § 3-7-7. Class B license. (Effective until December 1, 2022.) [Rhode Island, in force, Release 75, until 2022-12-01, another text exists]",
        "Rhode Island Code § 3-7-7. Class B license. (Effective December 1, 2022.) [Rhode Island, historical, Release 75, from 2022-12-01, another text exists]"
      ].map((title) => title.replace(" (", " [").replace(".) [", ".] ["))
      expect(await search(folder, "R.I. Gen. Laws § 3-7-7")).toEqual(titles)
      expect(await search(folder, "R.I. Gen. Laws § 3-7-7", "--as-of", "2022-11-30")).toEqual(titles)
      expect(await search(folder, "R.I. Gen. Laws § 3-7-7", "--as-of", "2023-02-01")).toEqual(titles.toReversed())
      const wrong = await millrace(folder, "gov", "search", "fee", "--as-of", "2022-13-01")
      expect([wrong.code, wrong.stderr]).toEqual([
        2,
        expect.stringContaining("--as-of must be a day such as 2022-12-01")
      ])
    }))

  it("rejects a section that another one has the identity of, naming both, loads the rest, and fails each time", () =>
    inFolder(async (folder) => {
      put(folder, "corpus/a.html", code())
      put(
        folder,
        "corpus/b.html",
        code("Noise is allowed.").replace("Leaf", "Snow").replace("A leaf blower", "A plough")
      )

      for (const _ of ["first", "second"]) {
        const { code: exit, stderr, stdout } = await load(folder)

        expect(exit).toBe(1)
        expect(stderr).toContain(
          "sections that were rejected, because another section has the same identity: 2; all others are loaded"
        )
        expect(JSON.parse(stdout)).toMatchObject({
          sections: 2,
          rejected: [
            expect.stringMatching(/7\.04\.010.*a\.html(:4)?, which is loaded, and b\.html:4, which is not/),
            expect.stringMatching(/7\.04\.020/)
          ]
        })
      }
      expect(counted(folder)).toBe(2)
      rmSync(join(folder, "corpus/a.html"))
      expect((await load(folder, "--prune")).code).toBe(0)
      expect(await search(folder, "plough")).toHaveLength(1)
    }))

  it("says what to give where nobody says whose law it is, fails where nothing is loaded, and says it again", () =>
    inFolder(async (folder) => {
      put(folder, "corpus/title-7.html", code())
      put(
        folder,
        "corpus/diff.xml",
        '<notice xmlns="eregs"><changeset><change operation="modified"/></changeset></notice>'
      )

      for (const _ of ["first", "second"]) {
        const { code: exit, stderr, stdout } = await millrace(folder, "gov", "load", "corpus")

        expect(exit).toBe(1)
        expect(stderr).toContain("nothing was loaded from corpus")
        expect(stdout).toContain('name it: --jurisdiction "Springfield, Illinois" for millrace gov load')
        expect(stdout).toContain("it lists changes to a regulation and is not the regulation")
      }
    }))

  it("brings an index of an earlier form up to date, and says so", () =>
    inFolder(async (folder) => {
      put(folder, "corpus/title-7.html", code())
      await load(folder)
      const file = join(folder, ".millrace/service/gov.sqlite")
      const old = new DatabaseSync(file)
      old.exec("ALTER TABLE gov_file DROP COLUMN told")
      old.exec("ALTER TABLE gov_file DROP COLUMN form")
      old.exec("UPDATE gov_state SET form = 1")
      old.exec("UPDATE gov_section SET identity = identity || '~old', digest = 'old'")
      old.exec("INSERT INTO gov_file (path, digest, documents, sections) VALUES ('/elsewhere/8.html', 'd', 1, 1)")
      old.close()

      expect(await search(folder, "leaf blower")).toHaveLength(1)
      const { code: exit, stderr, stdout } = await load(folder)

      expect([exit, JSON.parse(stdout).written]).toEqual([0, 2])
      expect(stderr).toContain("was made by an earlier version of Millrace: its files are read again")
      expect(stderr).toContain(
        ".millrace/service/gov.sqlite has 1 file that an earlier version of Millrace read, such as /elsewhere/8.html"
      )
      expect((await load(folder)).stderr).not.toContain("was made by")
    }))

  it("takes settings of folders from a file, and tells what is wrong in it", () =>
    inFolder(async (folder) => {
      put(folder, "corpus/ut/title-7.html", code())
      const settings = write(folder, "gov.yaml", "folders:", "  ut: { jurisdiction: 'Orem, Utah' }")
      const wrong = write(folder, "wrong.yaml", "folders:", "  ut: { jurisdicton: 'Orem, Utah' }")

      const loaded = await millrace(folder, "gov", "load", "corpus", "--settings", settings)
      const refused = await millrace(folder, "gov", "load", "corpus", "--settings", wrong)

      expect(loaded.code).toBe(0)
      expect(loaded.stdout).toContain("2 sections of 1 file are in")
      expect((await search(folder, "quiet hours Orem"))[0]).toContain("[Orem, Utah, in force]")
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain("jurisdicton")
    }))

  it("says what to do where there is nothing to load, or nothing to search", () =>
    inFolder(async (folder) => {
      const nothing = await millrace(folder, "gov", "load", "corpus")
      const empty = await millrace(folder, "gov", "search", "noise")
      const many = await millrace(folder, "gov", "search", "noise", "--k", "101")

      expect([nothing.code, empty.code, many.code]).toEqual([2, 2, 2])
      expect(nothing.stderr).toContain("there is no file or folder corpus")
      expect(empty.stderr).toContain("load some with `millrace gov load PATH`")
      expect(many.stderr).toContain("--k must be a number from 1 to 100, not 101")
    }))

  it("is whole when it is killed and loaded again", () =>
    inFolder(async (folder) => {
      for (let at = 10; at < 60; at++) {
        put(folder, `corpus/title-${at}.html`, code().replaceAll("7.04", `${at}.04`).replaceAll("7_04", `${at}_04`))
      }
      const { ended, process } = start(folder, "gov", "load", "corpus", ...whose)
      const database = join(folder, ".millrace/service/gov.sqlite-wal")
      // It is killed as soon as it has written something.
      const written = setInterval(() => {
        try {
          if (readFileSync(database).byteLength > 0) process.kill("SIGKILL")
        } catch {}
      }, 2)
      await ended
      clearInterval(written)
      const again = await load(folder)

      expect(JSON.parse(again.stdout)).toMatchObject({ files: 50, sections: 100, failed: [] })
      expect(await search(folder, "leaf blower", "--k", "100")).toHaveLength(50)
    }))
})
