import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Json } from '@firn/codec'
import type { RawCase } from './Case.ts'
import { ConformanceError } from './ConformanceError.ts'
import * as ChainRecording from './chains/ChainRecording.ts'
import * as Outcome from './Outcome.ts'
import * as Recording from './Recording.ts'
import { type FileReport, merge, type Report } from './Report.ts'
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

/** The names in a folder: of files that don't describe the others, and of folders. */
async function list(folder: string): Promise<{ files: string[]; folders: string[] }> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
      entries
        .filter(isWanted)
        .map(({ name }) => name)
        .sort()
    return {
      files: names((entry) => !entry.isDirectory() && !DESCRIPTIONS.includes(entry.name)),
      folders: names((entry) => entry.isDirectory()),
    }
  } catch (cause) {
    throw new ConformanceError('CONFORMANCE_FOLDER', `expected a folder that can be read at ${folder}`, {
      cause,
    })
  }
}

async function readLines(folder: string, file: string): Promise<RawCase[]> {
  try {
    const text = await readFile(join(folder, file), 'utf8')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Json.parse(line) as RawCase)
  } catch (cause) {
    throw new ConformanceError('CONFORMANCE_FOLDER', `expected lines of JSON in ${join(folder, file)}`, {
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
    leftOut: [],
  }
}

/** The blocks and transactions of one recorded chain. */
async function runChain(folder: string, files: readonly string[], name: string): Promise<Report> {
  const lines: Record<string, readonly RawCase[]> = {}
  for (const file of files) if (file.endsWith('.jsonl')) lines[file] = await readLines(folder, file)
  const checked = ChainRecording.checkedFiles(lines)
  const leftOut = files.filter((file) => !checked.includes(file)).map((file) => `${name}/${file}`)
  return { files: ChainRecording.run(name, lines), notYetSupported: [], unknown: [], leftOut }
}

/** One report for all exchanges of a folder, and one for each file of a node's answers. */
function runExchanges(name: string, contents: ReadonlyMap<string, unknown>): Report {
  const exchanges = [...contents].filter(([, content]) => Recording.isRecording(content))
  const all = exchanges.map(([, content]) => content as RawCase)
  const results = exchanges.map(([name, content]) => ({
    name,
    outcome: Recording.run(content as RawCase, all),
  }))
  const reports: FileReport[] = [{ file: name, results }]
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
  return { files: reports, notYetSupported: [], unknown, leftOut: [] }
}

/** Recordings of one folder, and of the folders inside; undefined when it holds none. */
async function runRecorded(folder: string, name: string): Promise<Report | undefined> {
  const { files, folders } = await list(folder)
  if (folders.length > 0) return runTree(folder, { files, folders }, `${name}/`)
  if (files.includes(ChainRecording.BLOCKS)) return runChain(folder, files, name)
  const contents = new Map<string, unknown>()
  for (const file of files)
    contents.set(file, file.endsWith('.json') ? await readJson(folder, file) : undefined)
  return [...contents.values()].some(Recording.isRecording) ? runExchanges(name, contents) : undefined
}

/** Every folder in a folder of recordings; those of other things, and loose files, are only named. */
async function runTree(
  folder: string,
  { files, folders }: Awaited<ReturnType<typeof list>>,
  prefix = '',
): Promise<Report> {
  const reports: Report[] = [{ ...merge([]), leftOut: files.map((file) => `${prefix}${file}`) }]
  for (const inner of folders) {
    const name = `${prefix}${inner}`
    reports.push((await runRecorded(join(folder, inner), name)) ?? { ...merge([]), leftOut: [name] })
  }
  return merge(reports)
}

/**
 * Runs what is in a folder: golden vectors (files of cases), recorded exchanges with an aggregator (one in each file), the
 * recorded blocks and transactions of a chain (files of lines), or folders of recordings.
 * @throws ConformanceError `CONFORMANCE_FOLDER`
 */
export async function run(folder: string): Promise<Report> {
  const { files, folders } = await list(folder)
  if (folders.length > 0) return runTree(folder, { files, folders })
  const isVectors = files.some(
    (file) => SUITES.some((suite) => suite.file === file) || notYetSupported.includes(file),
  )
  const recorded = isVectors ? undefined : await runRecorded(folder, basename(folder))
  return recorded ?? runVectors(folder, files)
}
