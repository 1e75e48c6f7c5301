import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Json } from '@firn/codec'
import { Upgrades } from '@firn/genesis'
import { GenesisFiles } from '@firn/indexer'
import type { RawCase } from './Case.ts'
import { ConformanceError } from './ConformanceError.ts'
import * as ChainRecording from './chains/ChainRecording.ts'
import * as Outcome from './Outcome.ts'
import * as Recording from './Recording.ts'
import { type FileReport, merge, type Report } from './Report.ts'
import * as Archive from './replay/Archive.ts'
import * as Folders from './replay/Folders.ts'
import { readLines } from './replay/lines.ts'
import type { StartNodeApi } from './replay/NodeApi.ts'
import * as PointInTime from './replay/PointInTime.ts'
import * as Refusals from './replay/Refusals.ts'
import { startNodeApi } from './replay/startNodeApi.ts'
import type { Suite } from './Suite.ts'
import { notYetSupported, SUITES } from './Suites.ts'

/** Files that contain descriptions instead of cases. */
const DESCRIPTIONS: readonly string[] = ['README.md']

async function readJson(folder: string, file: string): Promise<unknown> {
  try {
    return Json.parse(await readFile(join(folder, file), 'utf8'))
  } catch (cause) {
    throw new ConformanceError('CONFORMANCE_FOLDER', `expected JSON in ${join(folder, file)}`, { cause })
  }
}

/** Returns the names of the files of a folder, except descriptions, and of its subfolders. */
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
    throw new ConformanceError('CONFORMANCE_FOLDER', `cannot read the folder ${folder}`, {
      cause,
    })
  }
}

/** Runs a suite on the cases of its file. */
export function runSuite(suite: Suite, content: unknown): FileReport {
  if (!Array.isArray(content)) {
    const outcome = Outcome.failed('file', 'an array of cases', typeof content)
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

/** Checks the blocks and transactions of a recorded chain. */
async function runChain(folder: string, files: readonly string[], name: string): Promise<Report> {
  const lines: Record<string, readonly RawCase[]> = {}
  for (const file of files) if (file.endsWith('.jsonl')) lines[file] = await readLines(join(folder, file))
  const checked = ChainRecording.checkedFiles(lines)
  const leftOut = files.filter((file) => !checked.includes(file)).map((file) => `${name}/${file}`)
  const { apricotPhase5 } = (await readUpgrades(dirname(folder))) ?? {}
  const reports = ChainRecording.run(name, lines, apricotPhase5)
  return { files: reports, notYetSupported: [], unknown: [], leftOut }
}

/**
 * Returns the upgrade times of the archive in a folder, or undefined if the archive uses the default times of
 * its network.
 */
async function readUpgrades(archive: string): Promise<Upgrades.Upgrades | undefined> {
  const file = GenesisFiles.ARCHIVE_FILES.upgrades
  if (!existsSync(join(archive, file))) return undefined
  return Upgrades.fromJSON((await readJson(archive, file)) as Json.Json)
}

/**
 * Runs recorded exchanges. Returns one report for all exchanges of a folder, and one for each file of node
 * responses.
 */
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

/** Resources of a run, which are opened once and closed at its end. */
interface Session {
  /** Returns the indexed archive of a folder. */
  archive(folder: string): Promise<Archive.Archive>
  readonly start: StartNodeApi
  close(): Promise<void>
}

function createSession({ start = startNodeApi, ...options }: RunOptions): Session {
  const archives = new Map<string, Promise<Archive.Archive>>()
  return {
    start,
    archive(folder) {
      const known = archives.get(folder) ?? Archive.open(folder, options)
      archives.set(folder, known)
      return known
    },
    async close() {
      for (const archive of archives.values()) {
        await archive.then(
          (it) => it.close(),
          () => undefined,
        )
      }
    },
  }
}

/**
 * Returns whether a folder contains transcripts. A transcript is a file with one exchange per line, and
 * belongs to the archive of the parent folder.
 */
async function isOfExchanges(folder: string, files: readonly string[]): Promise<boolean> {
  const file = files.find((name) => name.endsWith('.jsonl'))
  const [first] = file === undefined ? [] : await readLines(join(folder, file))
  return first !== undefined && Folders.isExchange(first)
}

/** Runs the recordings of a folder and its subfolders. Returns undefined if it contains no recordings. */
async function runRecorded(folder: string, name: string, session: Session): Promise<Report | undefined> {
  const { files, folders } = await list(folder)
  if (files.includes(Refusals.FILE)) return inFolder(name, await Refusals.replay(folder))
  if (folders.length > 0) return runTree(folder, { files, folders }, session, `${name}/`)
  if (files.includes(ChainRecording.BLOCKS)) return runChain(folder, files, name)
  if (await isOfExchanges(folder, files)) {
    const archive = await session.archive(dirname(folder))
    return inFolder(name, await Folders.replay(folder, files, archive, session.start))
  }
  const contents = new Map<string, unknown>()
  for (const file of files)
    contents.set(file, file.endsWith('.json') ? await readJson(folder, file) : undefined)
  if ([...contents.values()].some(PointInTime.isRecording)) {
    const archive = await session.archive(dirname(folder))
    return inFolder(name, await Folders.comparePointInTime(folder, files, archive, session.start))
  }
  return [...contents.values()].some(Recording.isRecording) ? runExchanges(name, contents) : undefined
}

/** Adds the folder to the file names of a report. */
function inFolder(name: string, report: Report): Report {
  const named = (file: string) => `${name}/${file}`
  return {
    files: report.files.map((it) => ({ ...it, file: named(it.file) })),
    notYetSupported: report.notYetSupported.map(named),
    unknown: report.unknown.map(named),
    leftOut: report.leftOut.map(named),
  }
}

/** Runs all subfolders that contain recordings. Only lists other folders and files. */
async function runTree(
  folder: string,
  { files, folders }: Awaited<ReturnType<typeof list>>,
  session: Session,
  prefix = '',
): Promise<Report> {
  const reports: Report[] = [{ ...merge([]), leftOut: files.map((file) => `${prefix}${file}`) }]
  for (const inner of folders) {
    const name = `${prefix}${inner}`
    reports.push((await runRecorded(join(folder, inner), name, session)) ?? { ...merge([]), leftOut: [name] })
  }
  return merge(reports)
}

/** Options of {@link run}. */
export interface RunOptions extends Archive.ArchiveOptions {
  /** Starts the API against which transcripts are replayed; defaults to this project's node API. */
  readonly start?: StartNodeApi
}

/**
 * Runs the contents of a folder. The folder may contain one of these:
 * - golden vectors (files of cases)
 * - recorded exchanges with an aggregator (one per file)
 * - the recorded blocks and transactions of a chain (one per line)
 * - transcripts and point-in-time recordings of a node (next to the archive of its chains); a point-in-time recording contains the responses of a node at one height of its chains
 * - transactions that a node refused, beside the archive of its chains
 * - folders of recordings
 *
 * @throws ConformanceError `CONFORMANCE_FOLDER`; IndexerError, StoreError or LedgerError if an archive cannot
 * be indexed
 */
export async function run(folder: string, options: RunOptions = {}): Promise<Report> {
  const { files, folders } = await list(folder)
  const session = createSession(options)
  try {
    if (files.includes(Refusals.FILE)) return inFolder(basename(folder), await Refusals.replay(folder))
    if (folders.length > 0) return await runTree(folder, { files, folders }, session)
    const isVectors = files.some(
      (file) => SUITES.some((suite) => suite.file === file) || notYetSupported.includes(file),
    )
    const recorded = isVectors ? undefined : await runRecorded(folder, basename(folder), session)
    return recorded ?? (await runVectors(folder, files))
  } finally {
    await session.close()
  }
}
