import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Json } from '@firn/codec'
import type { RawCase } from '../Case.ts'
import { ConformanceError } from '../ConformanceError.ts'
import type { FileReport, Report } from '../Report.ts'
import type { Archive } from './Archive.ts'
import * as Exchange from './Exchange.ts'
import type { StartFace } from './Face.ts'
import { readLines } from './lines.ts'
import type { Mask } from './Masking.ts'
import * as Moments from './Moments.ts'
import { type Exceptions, IGNORED_HEADERS, MOST_NAMED } from './masks.ts'
import * as Network from './Network.ts'
import * as Orders from './Orders.ts'
import { PLANS, type Plan } from './plans.ts'
import * as Replay from './Replay.ts'

const LINES = '.jsonl'

function planOf({ constants }: Archive): Plan {
  const plan = PLANS[constants.networkID]
  if (plan !== undefined) return plan
  const known = Object.keys(PLANS).join(', ')
  throw new ConformanceError('CONFORMANCE_FOLDER', `expected network ${known}, got ${constants.networkID}`)
}

/** True for a line of a transcript. */
export function isExchange(line: RawCase): boolean {
  return Object.hasOwn(line, 'requestBody')
}

/** What came of the stages so far. */
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

/** With a case for each mask when the folder is whole: a part of it can't tell whether one is needed. */
function reportsOf({ reports, upstream, used }: Collected, exceptions: Exceptions, isWhole: boolean) {
  const { masks, named } = exceptions
  if (named.length > MOST_NAMED) {
    const message = `expected ${MOST_NAMED} named exchanges at most, got ${named.length}`
    throw new ConformanceError('CONFORMANCE_CASE', message)
  }
  const ofUpstream = upstream.length === 0 ? [] : [{ file: 'upstream', results: upstream }]
  return [...reports, ...ofUpstream, ...(isWhole ? [Replay.reportOfMasks(masks, used)] : [])]
}

/** Replays the transcripts of a folder, in the stages of the network's plan. */
export async function replay(
  folder: string,
  files: readonly string[],
  archive: Archive,
  start: StartFace,
): Promise<Report> {
  const plan = planOf(archive)
  const names = files.filter((file) => file.endsWith(LINES)).map((file) => file.slice(0, -LINES.length))
  const planned = plan.stages.flatMap((stage) => stage.files)
  const contents = new Map<string, Network.File>()
  for (const name of planned.filter((it) => names.includes(it))) {
    const lines = await readLines(join(folder, `${name}${LINES}`))
    contents.set(name, { name: `${name}${LINES}`, exchanges: lines.map(Exchange.fromLine) })
  }
  const all = [...contents.values()].flatMap(({ exchanges }) => exchanges)
  const facts = Network.factsOf(all)
  await archive.arrange(Orders.of(all, archive.madeBy))
  const collected: Collected = { reports: [], upstream: [], used: new Set() }
  for (const stage of plan.stages) {
    const present = stage.files.flatMap((name) => contents.get(name) ?? [])
    const { exceptions } = plan
    const options = { archive, plan, exceptions, ignoredHeaders: IGNORED_HEADERS, at: stage, start }
    const played = present.length === 0 ? undefined : await Network.play(present, facts, options)
    if (played !== undefined) collect(collected, played)
  }
  const isWhole = planned.every((name) => contents.has(name))
  const isKnown = (file: string) => planned.includes(file.slice(0, -LINES.length)) && file.endsWith(LINES)
  const leftOut = plan.leftOut.map((name) => `${name}${LINES}`).filter((file) => files.includes(file))
  const unknown = files.filter((file) => !isKnown(file) && !leftOut.includes(file))
  return { files: reportsOf(collected, plan.exceptions, isWhole), notYetSupported: [], unknown, leftOut }
}

async function readMoment(path: string): Promise<Moments.Moment> {
  if (path.endsWith(LINES)) {
    const lines = await readLines(path)
    return { heights: {}, now: 0, exchanges: lines.flatMap(Moments.setsFromLine) }
  }
  return Moments.fromFile(Json.parse(await readFile(path, 'utf8')) as RawCase)
}

/** Asks what a node was asked at each recorded moment, with the chains as they were then; only the bodies are compared. */
export async function compareMoments(
  folder: string,
  files: readonly string[],
  archive: Archive,
  start: StartFace,
): Promise<Report> {
  const plan = planOf(archive)
  const { exceptions, files: planned, later } = plan.moments
  const port = Number(Object.keys(plan.nodes)[0])
  const moments = new Map<string, Moments.Moment>()
  for (const file of planned.filter((it) => files.includes(it))) {
    moments.set(file, await readMoment(join(folder, file)))
  }
  const all = [...moments.values()].flatMap(({ exchanges }) => exchanges)
  const facts = Network.factsOf(all)
  await archive.arrange(Orders.of(all, archive.madeBy))
  const collected: Collected = { reports: [], upstream: [], used: new Set() }
  for (const [file, { heights, now, exchanges }] of moments) {
    const options = {
      archive,
      plan,
      exceptions,
      ignoredHeaders: 'all' as const,
      at: { heights, now: now + (later?.[file] ?? 0) },
      start,
    }
    const played = await Network.play(
      [{ name: file, exchanges: exchanges.map((it) => ({ ...it, port })) }],
      facts,
      options,
    )
    collect(collected, played)
  }
  const reports = reportsOf(collected, exceptions, moments.size === planned.length)
  const unknown = files.filter((file) => !moments.has(file))
  return { files: reports, notYetSupported: [], unknown, leftOut: [] }
}
