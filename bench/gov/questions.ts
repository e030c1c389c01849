/**
 * (f) Questions in plain words, by people who do not know what the law calls it. Each was written from the text of the
 * sections that answer it; any of them is right.
 */
import type { Engine } from "./Engine.ts"
import type { Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

export const asked: ReadonlyArray<readonly [question: string, ...answers: ReadonlyArray<string>]> = [
  ["How long does the copyright in a novel written today last?", "us/usc/t17/s302"],
  ["May I quote a few lines of a book in a review without asking the author?", "us/usc/t17/s107"],
  ["How much money can the owner of a song get from somebody who pirated it on purpose?", "us/usc/t17/s504"],
  ["Are texts written by the federal government protected by copyright?", "us/usc/t17/s105"],
  ["Can I resell a used record that I bought?", "us/usc/t17/s109"],
  [
    "Is a website that hosts what users upload liable for pirated videos, and how is it told to take them down?",
    "us/usc/t17/s512"
  ],
  ["What kinds of inventions can get a patent?", "us/usc/t35/s101"],
  ["How many years does a patent last from the day it was applied for?", "us/usc/t35/s154"],
  ["Can something be patented that any skilled person would have thought of?", "us/usc/t35/s103"],
  ["For how many days does the flag fly at half-staff when a president dies?", "us/usc/t4/s7"],
  ["How many stripes and stars does the American flag have?", "us/usc/t4/s1", "us/usc/t4/s2"],
  ["On which day does Congress meet to count the votes of the electors?", "us/usc/t3/s15"],
  ["On what date does a new president's four years begin?", "us/usc/t3/s101"],
  ["Who acts as president when there is neither a president nor a vice president?", "us/usc/t3/s19"],
  ["Can a court throw out an arbitrator's award because the arbitrator was corrupt?", "us/usc/t9/s10"],
  ["Is a clause in a contract that disputes go to arbitration binding?", "us/usc/t9/s2"],
  ["What is the fine for refusing to answer the census?", "us/usc/t13/s221"],
  ["Are the answers that I give to the census kept secret?", "us/usc/t13/s9"],
  ["How much can I lose when my debit card is stolen and I tell the bank late?", "us/cfr/t12/s1005.6"],
  ["May my bank charge overdraft fees at cash machines if I never agreed to them?", "us/cfr/t12/s1005.17"],
  ["How many days does a bank have to look into a mistake on my account that I reported?", "us/cfr/t12/s1005.11"],
  ["When must a lender tell me that it turned down my credit application, and why?", "us/cfr/t12/s1002.9"],
  ["May a lender ask whether I am married or plan to have children?", "us/cfr/t12/s1002.5"],
  ["How much extra may a mortgage company hold in my escrow account as a cushion?", "us/cfr/t12/s1024.17"],
  ["May a realtor be paid for sending clients to a title company?", "us/cfr/t12/s1024.14"],
  ["What must somebody do whose dynamite or other explosives were stolen?", "us/cfr/t27/s555.30"],
  ["How soon must a gun dealer report that firearms are missing from the shop?", "us/cfr/t27/s478.39a"],
  ["How much may a landlord in Washington DC raise the rent after a tenant moves out?", "us-dc/code/42-3502.13"],
  [
    "How many days of paid sick leave does an employer with 30 workers have to give in the District of Columbia?",
    "us-dc/code/32-531.02"
  ],
  ["Are driveway sealers made of coal tar banned in D.C.?", "us-dc/code/8-153.01"],
  ["May I take my dog to the outdoor tables of a restaurant in D.C.?", "us-dc/code/8-1865.02"],
  ["How is my weekly unemployment check worked out in the District of Columbia?", "us-dc/code/51-107"],
  ["Where near 42nd Avenue is it forbidden to ride a skateboard in San Mateo?", "us-ca/san-mateo/code/11.28.090"],
  ["How loud may noise be at my neighbor's property in San Mateo?", "us-ca/san-mateo/code/7.30.040"],
  ["Does the mayor of San Mateo get expenses paid back?", "us-ca/san-mateo/charter/2.04"],
  ["How many hens may I keep in my yard in Spanish Fork?", "us-ut/spanish-fork/code/6.20.010"],
  ["Does my cat need a rabies shot in Spanish Fork?", "us-ut/spanish-fork/code/6.12.020"],
  ["Can I go ice fishing on a pond in a city park in Spanish Fork?", "us-ut/spanish-fork/code/7.24.100"],
  ["Is it against the law to leave a toddler alone in a car in Spanish Fork?", "us-ut/spanish-fork/code/9.04.040"],
  [
    "Does the law say that every employer must keep the workplace free of deadly hazards?",
    "us/pl/91-596/s5",
    "us/act/COMPS-1523/s5"
  ]
]

export const questions = async (texts: Texts, engines: ReadonlyArray<Engine>): Promise<ReadonlyArray<Trial.Row>> => {
  const trials = asked
    .filter(([, ...answers]) => answers.some((identity) => texts.versionsOf(identity).length > 0))
    .map(([query, ...answers]): Trial.Trial => {
      const right = new Set(answers)
      return { query, isRight: (url) => right.has(texts.at(url)?.section.identity ?? ""), wanted: answers.join(" or ") }
    })
  return [await Trial.row("(f) questions in plain words", trials, engines)]
}

/** Sections that questions ask for and the corpus does not have. */
export const lacking = (texts: Texts): ReadonlyArray<string> =>
  asked.flatMap(([, ...answers]) =>
    answers.some((identity) => texts.versionsOf(identity).length > 0) ? [] : [answers.join(" or ")]
  )
