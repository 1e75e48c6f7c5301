import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Json } from '@firn/codec'
import type { RawCase } from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import type { FileReport, Report } from '../Report.ts'
import type { Archive } from './Archive.ts'
import * as Exchange from './Exchange.ts'
import { readLines } from './lines.ts'
import type { Mask } from './Masking.ts'
import * as masks from './masks.ts'
import * as Network from './Network.ts'
import type { StartNodeApi } from './NodeApi.ts'
import * as Orders from './Orders.ts'
import * as PointInTime from './PointInTime.ts'
import * as plans from './plans.ts'
import * as Replay from './Replay.ts'

const LINES = '.jsonl'

/** Returns whether a line is an exchange of a transcript. */
export function isExchange(line: RawCase): boolean {
  return Object.hasOwn(line, 'requestBody')
}

/** The results of all stages so far. */
interface Collected {
  readonly reports: FileReport[]
  readonly upstream: FileReport['results'][number][]
  readonly used: Set<Mask>
}

function collect(into: Collected, { reports, upstream, used }: Network.Played): void {
  into.reports.push(...reports)
  into.upstream.push(...upstream)
  for (const mask of used) into.used.add(mask)
}

/**
 * Returns the reports, with a case for each required mask if the folder is complete. An incomplete folder
 * cannot show whether a mask is needed.
 */
function reportsOf({ reports, upstream, used }: Collected, exceptions: masks.Exceptions, isWhole: boolean) {
  const { masks: all, named } = exceptions
  if (named.length > masks.MOST_NAMED) {
    const message = `expected at most ${masks.MOST_NAMED} named exchanges, got ${named.length}`
    throw new ConformanceError('CONFORMANCE_CASE', message)
  }
  const ofMasks = Replay.reportOfMasks(all, used)
  const isJudged = isWhole && ofMasks.results.length > 0
  const ofUpstream = upstream.length === 0 ? [] : [{ file: 'upstream', results: upstream }]
  return [...reports, ...ofUpstream, ...(isJudged ? [ofMasks] : [])]
}

/** Returns the transcripts of a folder by name without extension. Other files are omitted. */
async function readTranscripts(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, Network.File>> {
  const known = plans.findTranscripts(files.map(withoutEnding))
  const contents = new Map<string, Network.File>()
  for (const file of files) {
    const name = withoutEnding(file)
    if (!file.endsWith(LINES) || known?.leftOut.includes(name)) continue
    const lines = await readLines(join(folder, file))
    if (!lines.every(isExchange)) continue
    contents.set(name, { name: file, exchanges: lines.map(Exchange.fromLine) })
  }
  return contents
}

const withoutEnding = (file: string) => file.replace(LINES, '')

/**
 * Replays the transcripts of a folder in the stages of their plan. Lists other files without checking them.
 */
export async function replay(
  folder: string,
  files: readonly string[],
  archive: Archive,
  start: StartNodeApi,
): Promise<Report> {
  const contents = await readTranscripts(folder, files)
  const all = [...contents.values()].flatMap(({ exchanges }) => exchanges)
  const ports = [...new Set(all.map(({ port }) => port))]
  const plan = await plans.forTranscripts(archive, [...contents.keys()], ports)
  const facts = Network.factsOf(all)
  await archive.arrange(Orders.of(all, archive.madeBy))
  const collected: Collected = { reports: [], upstream: [], used: new Set() }
  for (const stage of plan.stages) {
    const present = stage.files.flatMap((name) => contents.get(name) ?? [])
    const { exceptions } = plan
    const options = { archive, plan, exceptions, ignoredHeaders: masks.IGNORED_HEADERS, at: stage, start }
    const played = present.length === 0 ? undefined : await Network.play(present, facts, options)
    if (played !== undefined) collect(collected, played)
  }
  const isWhole = plan.stages.every((stage) => stage.files.every((name) => contents.has(name)))
  const leftOut = files.filter((file) => !contents.has(withoutEnding(file)))
  return { files: reportsOf(collected, plan.exceptions, isWhole), notYetSupported: [], unknown: [], leftOut }
}

/** Returns the point-in-time recording in a file, or undefined if the file contains none. */
async function readPointInTime(path: string): Promise<PointInTime.Recording | undefined> {
  if (path.endsWith(LINES)) {
    const lines = await readLines(path)
    if (!lines.every(PointInTime.isSets)) return undefined
    return { heights: {}, now: 0, exchanges: lines.flatMap(PointInTime.setsFromLine) }
  }
  if (!path.endsWith('.json')) return undefined
  const content: unknown = Json.parse(await readFile(path, 'utf8'))
  return PointInTime.isRecording(content) ? PointInTime.fromFile(content) : undefined
}

/** Port that represents the node of point-in-time recordings, because their files do not name the node. */
const PORT = 9650

/**
 * Repeats the requests of each point-in-time recording with the chains at the recorded heights. Compares only
 * the bodies, and lists other files without checking them.
 */
export async function comparePointInTime(
  folder: string,
  files: readonly string[],
  archive: Archive,
  start: StartNodeApi,
): Promise<Report> {
  const recordings = new Map<string, PointInTime.Recording>()
  for (const file of files) {
    const recording = await readPointInTime(join(folder, file))
    if (recording !== undefined) recordings.set(file, recording)
  }
  const all = [...recordings.values()].flatMap(({ exchanges }) => exchanges)
  const facts = Network.factsOf(all)
  const nodeId = plans.identify(
    archive,
    [...recordings.values()].map(({ exchanges }) => exchanges),
  )
  await archive.arrange(Orders.of(all, archive.madeBy))
  const collected: Collected = { reports: [], upstream: [], used: new Set() }
  for (const [file, { heights, now, exchanges }] of recordings) {
    const plan = plans.forPointInTime(archive, nodeId, exchanges, PORT)
    const { exceptions } = plan
    const options = { archive, plan, exceptions, ignoredHeaders: 'all' as const, at: { heights, now }, start }
    const asked = exchanges.map((it) => ({ ...it, port: PORT }))
    collect(collected, await Network.play([{ name: file, exchanges: asked }], facts, options))
  }
  const leftOut = files.filter((file) => !recordings.has(file))
  return {
    files: reportsOf(collected, masks.POINT_IN_TIME, false),
    notYetSupported: [],
    unknown: [],
    leftOut,
  }
}
