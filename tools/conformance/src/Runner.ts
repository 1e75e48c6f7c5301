import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Json } from '@firn/codec'
import type { RawCase } from './Case.ts'
import { ConformanceError } from './ConformanceError.ts'
import * as Outcome from './Outcome.ts'
import * as Recording from './Recording.ts'
import type { FileReport, Report } from './Report.ts'
import type { Suite } from './Suite.ts'
import { notYetSupported, SUITES } from './Suites.ts'

/** Files that describe the others. */
const DESCRIPTIONS: readonly string[] = ['README.md']

async function readJson(folder: string, file: string): Promise<unknown> {
  try {
    return Json.parse(await readFile(join(folder, file), 'utf8'))
  } catch (cause) {
    throw new ConformanceError('CONFORMANCE_FOLDER', `expected JSON in ${join(folder, file)}`, { cause })
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => !DESCRIPTIONS.includes(file)).sort()
  } catch (cause) {
    throw new ConformanceError('CONFORMANCE_FOLDER', `expected a folder that can be read at ${folder}`, {
      cause,
    })
  }
}

/** Runs one suite on the cases of its file. */
export function runSuite(suite: Suite, content: unknown): FileReport {
  if (!Array.isArray(content)) {
    const outcome = Outcome.failed('file', 'a list of cases', typeof content)
    return { file: suite.file, results: [{ name: suite.file, outcome }] }
  }
  const cases = content as readonly RawCase[]
  const results = cases.map((raw) => ({ name: String(raw['name'] ?? ''), outcome: suite.run(raw, cases) }))
  return { file: suite.file, results }
}

async function runVectors(folder: string, files: readonly string[]): Promise<Report> {
  const known = SUITES.filter(({ file }) => files.includes(file))
  const reports: FileReport[] = []
  for (const suite of known) reports.push(runSuite(suite, await readJson(folder, suite.file)))
  const isKnown = (file: string) =>
    SUITES.some((suite) => suite.file === file) || notYetSupported.includes(file)
  return {
    files: reports,
    notYetSupported: notYetSupported.filter((file) => files.includes(file)),
    unknown: files.filter((file) => !isKnown(file)),
  }
}

/** One report for all exchanges of a folder, and one for each file of a node's answers. */
function runRecordings(folder: string, contents: ReadonlyMap<string, unknown>): Report {
  const exchanges = [...contents].filter(([, content]) => Recording.isRecording(content))
  const all = exchanges.map(([, content]) => content as RawCase)
  const results = exchanges.map(([name, content]) => ({
    name,
    outcome: Recording.run(content as RawCase, all),
  }))
  const reports: FileReport[] = [{ file: basename(folder), results }]
  const unknown: string[] = []
  for (const [file, content] of contents) {
    if (Recording.isRecording(content)) continue
    if (!Recording.isNodeAnswers(content)) unknown.push(file)
    else {
      const answers = content.map((raw) => ({
        name: String(raw['what'] ?? ''),
        outcome: Recording.runNodeAnswer(raw, all),
      }))
      reports.push({ file, results: answers })
    }
  }
  return { files: reports, notYetSupported: [], unknown }
}

/**
 * Runs what is in a folder: golden vectors (files of cases), or recorded exchanges with an aggregator (one in each
 * file), whichever it holds.
 * @throws ConformanceError `CONFORMANCE_FOLDER`
 */
export async function run(folder: string): Promise<Report> {
  const files = await list(folder)
  const isVectors = files.some(
    (file) => SUITES.some((suite) => suite.file === file) || notYetSupported.includes(file),
  )
  if (isVectors) return runVectors(folder, files)
  const contents = new Map<string, unknown>()
  for (const file of files)
    contents.set(file, file.endsWith('.json') ? await readJson(folder, file) : undefined)
  const isRecordings = [...contents.values()].some(Recording.isRecording)
  return isRecordings ? runRecordings(folder, contents) : runVectors(folder, files)
}
