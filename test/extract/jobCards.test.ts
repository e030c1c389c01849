import { describe, expect, it } from "vitest"
import { extract } from "#extract/byRules"

const text = { type: "string" }
const number = { type: "number" }
const jobs = (cards: ReadonlyArray<string>, lang = "en") =>
  extract(
    {
      url: "http://jobs.test/",
      html: `<html lang="${lang}"><main><h1>Remote jobs</h1><div>${cards.join("")}</div></main></html>`,
      metadata: {}
    },
    {
      properties: {
        jobs: {
          type: "array",
          items: {
            type: "object",
            properties: {
              title: text,
              company: text,
              location: text,
              salary_min: number,
              salary_max: number,
              url: text
            }
          }
        }
      }
    },
    undefined
  ).data

const card = (id: number, title: string, company: string, place: string, pay: string, alt = "") =>
  `<a href="/j/${id}" class="block p-4"><div><img src="/l/${id}.png" alt="${alt}"><div><h3>${title}</h3><p>${company}</p>
   <div><span>${place}</span><span>${pay}</span><span>2d ago</span></div></div></div></a>`

describe("cards of jobs that are a link each, and name nothing", () => {
  it("have the title of their heading, the company, the place and the pay", () => {
    const data = jobs([
      card(1, "Frontend Developer", "Northwind Ltd", "Berlin, Germany", "€60,000 – €75,000"),
      card(2, "Data Engineer", "Blue Rock GmbH", "Remote", "€70,000 – €90,000"),
      card(3, "Product Designer", "Halo Inc", "Lisbon, Portugal", "€45,000 – €55,000")
    ])
    const row = (
      id: number,
      title: string,
      company: string,
      location: string,
      salary_min: number,
      salary_max: number
    ) => ({
      title,
      company,
      location,
      salary_min,
      salary_max,
      url: `http://jobs.test/j/${id}`
    })
    expect(data).toEqual({
      jobs: [
        row(1, "Frontend Developer", "Northwind Ltd", "Berlin, Germany", 60_000, 75_000),
        row(2, "Data Engineer", "Blue Rock GmbH", "Remote", 70_000, 90_000),
        row(3, "Product Designer", "Halo Inc", "Lisbon, Portugal", 45_000, 55_000)
      ]
    })
  })

  it("have the company that a logo names, and a country in the language of the page", () => {
    const data = jobs(
      [
        card(1, "Entwicklerin", "Nordlicht", "Wien, Österreich", "Vollzeit", "Logo von Nordlicht"),
        card(2, "Koch", "Halde", "Zürich, Schweiz", "Teilzeit", "Halde Logo")
      ],
      "de"
    )
    expect(data).toMatchObject({
      jobs: [
        { title: "Entwicklerin", company: "Nordlicht", location: "Wien, Österreich", salary_min: null },
        { title: "Koch", company: "Halde", location: "Zürich, Schweiz", salary_min: null }
      ]
    })
  })

  it("have no company and no place where nothing shows which text is one", () => {
    const data = jobs([
      card(1, "Frontend Developer", "Growth", "Blue", "€60,000 – €75,000"),
      card(2, "Data Engineer", "Search", "Green", "€70,000 – €90,000")
    ])
    expect(data).toMatchObject({
      jobs: [
        { company: null, location: null },
        { company: null, location: null }
      ]
    })
  })
})
