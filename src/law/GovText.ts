/**
 * What a corpus of government texts is made of: documents of one version each, and their sections.
 *
 * `identity` names a section in all its versions, and `url` names one version of it; a field that the file does not have
 * is absent, never guessed. Texts are plain: one paragraph per line, its number first, no markup.
 */

export type Level = "federal" | "state" | "local"

/**
 * What kind of text it is. Codes and regulations are what is in force, put in order; acts, ordinances and rules are what
 * changes them; an interpretation is guidance.
 */
export type Collection =
  | "us-code"
  | "cfr"
  | "federal-register"
  | "act"
  | "bill"
  | "interpretation"
  | "state-code"
  | "municipal-code"
  | "charter"
  | "ordinance"

/**
 * `in force`: what is law, or was adopted as law: a rule of the Federal Register too. `guidance`: interpretations, notices,
 * proposed rules. `reproduction`: a text that only repeats what is law elsewhere, as an Act that was put into a code. `historical`: an
 * earlier version, or one that is repealed, expired, reserved, not yet applicable, or suspended while temporary law stands in
 * its place.
 */
export type Status = "in force" | "historical" | "bill" | "guidance" | "reproduction"

export interface GovDocument {
  readonly _tag: "Document"
  /** The same over all versions: "us/usc/t17", "us/cfr/t12/p1005", "us-ca/san-mateo/code/t10". */
  readonly identity: string
  /** "Title 17, Copyrights"; "Electronic Fund Transfers (Regulation E)". */
  readonly title: string
  /** Who makes or publishes it: "Bureau of Consumer Financial Protection". */
  readonly issuer: string
  readonly level: Level
  /** "United States", "District of Columbia", "San Mateo, California". */
  readonly jurisdiction: string
  readonly collection: Collection
  /** What the collection is called where it is cited: "U.S.C.", "C.F.R.", "D.C. Code", "San Mateo Municipal Code". */
  readonly collectionName: string
  /** Other names that people use for it: "Regulation E", "Reg. E", "Copyright Act of 1976". */
  readonly names: ReadonlyArray<string>
  /** Which version, in the publisher's words: "117-80", "2017-04-01", "Enrolled Bill"; "" where it does not say. */
  readonly version: string
  /** The day of that version, ISO: of its release, revision, or stage. */
  readonly versionDate?: string
  readonly url: string
}

export interface GovSection {
  readonly _tag: "Section"
  /** The identity of its document. */
  readonly document: string
  /**
   * The same over all versions: "us/usc/t17/s101", "us/cfr/t12/s1005.6", "us-dc/code/42-3505.31", "us/pl/91-596/s5". A number
   * that counts only inside its chapter stands behind its path: "us-md/code/21.03.04.01", "us-vt/code/t9/s2451". A variant of
   * a section has its own: "us-dc/code/42-3505.31(Perm)", "us-ri/code/3-7-7(from 2022-12-01)". No two sections of a corpus have one identity in one version.
   */
  readonly identity: string
  /** The number by which it is cited within its collection: "101", "1005.6", "42-3505.31", "10.04.010". */
  readonly number: string
  /** The first written form: "17 U.S.C. § 101", "D.C. Code § 42-3505.31". */
  readonly citation: string
  /** More written forms that the file itself gives: "83 FR 21707", "FR Doc. 2018-09910", "116 H. R. 1058 IH". */
  readonly alsoCited: ReadonlyArray<string>
  /** Without the number and without a full stop at its end. "" where it has none. */
  readonly heading: string
  /** What it stands in, outermost first: "Title 17 Copyrights", "Chapter 1 Subject Matter and Scope of Copyright". */
  readonly path: ReadonlyArray<string>
  readonly text: string
  /** What stands beside the law: source credits, histories, notes of editors. */
  readonly notes: string
  readonly status: Status
  /** Which version of the section, where it has one of its own: "permanent", "emergency"; else its document's. */
  readonly version: string
  readonly versionDate?: string
  /** Days, ISO. */
  readonly adopted?: string
  readonly effective?: string
  /** The first day on which this text is not law any more. */
  readonly effectiveUntil?: string
  /** Where a reader finds this version of it; unique in a corpus. */
  readonly url: string
  /** The line of its file where it begins, from 1. */
  readonly line?: number
}

/** Something of a file that was left out, and why: "a table of contents", "sections are in files of their own". */
export interface Skipped {
  readonly _tag: "Skipped"
  readonly file: string
  /** The line, from 1, where it is a part of a file. */
  readonly line?: number
  readonly why: string
  /** The other file that has it, where it is left out for that. */
  readonly other?: string
  /** It is a section that is loaded with the same text: nothing is missing. */
  readonly isAgain?: true
}

/** A section that is not loaded, as another one has its identity or its address. `why` names both. */
export interface Rejected {
  readonly _tag: "Rejected"
  readonly file: string
  readonly line?: number
  /** Where the other one stands: "12.xml:40". */
  readonly other: string
  readonly section: GovSection
  readonly why: string
}

/** A document comes before its sections. */
export type GovText = GovDocument | GovSection | Skipped | Rejected

/** The identity that all variants of a section share: of "us-dc/code/42-3505.31(Perm)" that without "(Perm)". */
export const withoutVariant = (identity: string): string => identity.replace(variant, "")

const variant = /\((?:Perm|(?:contingent|other|from [\d-]+(?: until [\d-]+)?|until [\d-]+)(?: \d+)?)\)$/
