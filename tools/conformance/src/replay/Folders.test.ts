import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Networks } from '@firn/genesis'
import { afterAll, describe, expect, it } from 'vitest'
import type { RawCase } from '../Case.ts'
import * as Report from '../Report.ts'
import { readSamples } from '../testing/samples.ts'
import type { Archive } from './Archive.ts'
import * as Exchange from './Exchange.ts'
import * as Folders from './Folders.ts'
import type { NodeApiOptions, StartNodeApi } from './NodeApi.ts'
import * as PointInTime from './PointInTime.ts'
import * as RecordedServer from './RecordedServer.ts'

const samples = readSamples<unknown>('replay')
const lines = samples['local'] as readonly RawCase[]
const recording = samples['moment'] as RawCase
const sets = samples['sets'] as readonly RawCase[]
const archive = {
  constants: Networks.LOCAL,
  genesis: { platform: { validators: [] }, cChain: { blockchainId: new Uint8Array(32) } },
  store: { snapshot: async () => ({ P: { time: 1_000n } }) },
  madeBy: () => 'a block',
  arrange: async () => undefined,
} as unknown as Archive

/** The only call of the sample that a node API forwards to its upstream. */
const balance = PointInTime.fromFile(recording).exchanges.find(
  ({ method }) => method === 'eth_getBalance',
) as Exchange.Exchange

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'transcripts-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

const text = (records: readonly unknown[]) => records.map((it) => `${JSON.stringify(it)}\n`).join('')

/**
 * Returns a function that starts substitutes for node APIs, and the requests that these receive. A substitute
 * sends recorded responses and forwards the EVM `questions` to its upstream.
 */
function recordedNodeApis(exchanges: readonly Exchange.Exchange[], questions = [balance.request.body]) {
  const started: NodeApiOptions[] = []
  let closed = 0
  const start: StartNodeApi = async (options) => {
    started.push(options)
    const server = await RecordedServer.start(exchanges)
    for (const body of questions) {
      await fetch(`${options.upstream}/ext/bc/C/rpc`, { method: 'POST', body: body ?? '' })
    }
    return { port: server.port, close: () => server.close().then(() => void closed++) }
  }
  return { start, started, closed: () => closed }
}

/** Returns a function that runs `begin` and then starts a node API that sends recorded responses. */
const startWith =
  (begin: (options: NodeApiOptions) => Promise<void>): StartNodeApi =>
  async (options) => {
    await begin(options)
    const server = await RecordedServer.start(lines.map(Exchange.fromLine))
    return { port: server.port, close: () => server.close() }
  }

const statuses = (report: Report.Report) =>
  report.files.map(({ file, results }) => `${file} ${results.map(({ outcome }) => outcome.status).join(' ')}`)

describe('folder of transcripts', () => {
  const exchanges = lines.map(Exchange.fromLine)
  const other = { ...lines[1], port: 9652 }

  it('replays transcripts with one node API per recorded node, at the chain heights of the recording', async () => {
    const nodeApis = recordedNodeApis(exchanges)
    const folder = folderOf({
      'envelope.jsonl': text([lines[0], other]),
      'index_incomplete.jsonl': text([{ ...lines[1], port: 9658 }]),
    })
    const files = ['envelope.jsonl', 'index_incomplete.jsonl']
    const report = await Folders.replay(folder, files, archive, nodeApis.start)
    expect(statuses(report)).toEqual([
      'envelope.jsonl passed passed',
      'index_incomplete.jsonl passed',
      'upstream passed passed',
    ])
    expect(
      nodeApis.started.map(({ node, heights }) => [node.hasAdmin, node.missed?.height, heights]),
    ).toEqual([
      [true, undefined, {}],
      [false, undefined, {}],
      [true, 76n, { C: 82n }],
    ])
    expect(nodeApis.closed()).toBe(3)
  })

  it('fails a transcript whose port has no node, and reports other files as skipped', async () => {
    const nodeApis = recordedNodeApis(exchanges)
    const folder = folderOf({
      'envelope.jsonl': text([{ ...lines[0], port: 1 }]),
      'issued.jsonl': text([{ kind: 'BaseTx' }]),
    })
    const files = ['envelope.jsonl', 'issued.jsonl', 'x.txt']
    const report = await Folders.replay(folder, files, archive, nodeApis.start)
    expect(report).toMatchObject({ unknown: [], leftOut: ['issued.jsonl', 'x.txt'] })
    expect(statuses(report)).toEqual(['envelope.jsonl failed', 'upstream passed'])
    expect(Report.isPassed(report)).toBe(false)
  })

  it('replays unknown transcripts of any network at the last blocks of the archive', async () => {
    const nodeApis = recordedNodeApis(exchanges)
    const folder = folderOf({ 'mine.jsonl': text([{ ...lines[0], port: 9850 }]) })
    const other = { ...archive, constants: Networks.FUJI } as Archive
    const report = await Folders.replay(folder, ['mine.jsonl'], other, nodeApis.start)
    expect(statuses(report)).toEqual(['mine.jsonl passed', 'upstream passed'])
    expect(nodeApis.started.map(({ heights, now }) => [heights, now])).toEqual([[{}, 1_031_000]])
  })

  it('skips an issueTx without a recorded response', async () => {
    const issued = '{"method":"avm.issueTx","params":{"tx":"0x00"},"id":1}'
    const request = { ...lines[0], path: '/ext/bc/X', requestBody: issued }
    const start = startWith(async ({ upstream }) => {
      await fetch(`${upstream}/ext/bc/X`, { method: 'POST', body: issued.replace('0x00', '0x01') })
      await fetch(`${upstream}/ext/bc/X`, { method: 'POST', body: issued })
    })
    const folder = folderOf({ 'mine.jsonl': text([request]) })
    const { files } = await Folders.replay(folder, ['mine.jsonl'], archive, start)
    expect(files.find(({ file }) => file === 'upstream')?.results.map(({ outcome }) => outcome)).toEqual([
      { status: 'skipped', reason: 'the response to this issueTx was not recorded' },
      { status: 'passed' },
    ])
  })

  it('reports the differences of changed responses', async () => {
    const changed = exchanges.map((it) => ({
      ...it,
      answer: { ...it.answer, body: it.answer.body.replace('12345', '1') },
    }))
    const { start } = recordedNodeApis(changed)
    const report = await Folders.replay(
      folderOf({ 'envelope.jsonl': text([lines[0]]) }),
      ['envelope.jsonl'],
      archive,
      start,
    )
    expect(Report.format(report).join('\n')).toContain(
      'result.networkID\n    expected "\\"12345\\""\n    got      "\\"1\\""',
    )
  })
})

describe('folder of point-in-time recordings', () => {
  const exchanges = [...PointInTime.fromFile(recording).exchanges, ...sets.flatMap(PointInTime.setsFromLine)]

  it('replays the calls of each point-in-time recording with its chain heights and its clock', async () => {
    const nodeApis = recordedNodeApis(exchanges)
    const folder = folderOf({
      '01-after-x.json': JSON.stringify(recording),
      'validators_at.jsonl': text(sets),
    })
    const report = await Folders.comparePointInTime(
      folder,
      ['01-after-x.json', 'validators_at.jsonl'],
      archive,
      nodeApis.start,
    )
    expect(report.files.map(({ file, results }) => [file, results.length])).toEqual([
      ['01-after-x.json', 7],
      ['validators_at.jsonl', 8],
      ['upstream', 2],
    ])
    expect(Report.isPassed(report)).toBe(true)
    expect(Report.format(report)).toContain(
      'recorded responses: 15 equal, 0 equal after masking, 0 different, 0 not compared',
    )
    expect(nodeApis.started.map(({ heights, now }) => [heights, now])).toEqual([
      [{ P: 0n, X: 32n, C: 0n }, 1795217420246.806],
      [{}, 0],
    ])
  })

  it('reports files that are not point-in-time recordings as skipped', async () => {
    const { start } = recordedNodeApis(exchanges)
    const files = { '01-after-x.json': JSON.stringify(recording), 'other.json': '{}', 'other.jsonl': '{}\n' }
    const report = await Folders.comparePointInTime(folderOf(files), Object.keys(files), archive, start)
    expect(report).toMatchObject({ unknown: [], leftOut: ['other.json', 'other.jsonl'] })
    expect(Report.isPassed(report)).toBe(true)
  })

  it.each([
    ['the time in its file', '11', 5_000],
    ['a time 31 seconds after its last block if the height of that block was proposed', '12', 32_000],
  ])('sets the clock of a point-in-time recording to %s', (_name, proposed, now) => {
    const call = (method: string, result: object) => ({ path: '', method, params: {}, response: { result } })
    const calls = [
      call('platform.getTimestamp', { timestamp: '1970-01-01T00:00:01Z' }),
      call('platform.getHeight', { height: '12' }),
      call('platform.getProposedHeight', { height: proposed }),
    ]
    expect(PointInTime.fromFile({ calls, height: '12', unixTime: 5 }).now).toBe(now)
  })

  it.each([
    ['forwards nothing', [], ['requests are forwarded to the upstream']],
    [
      'forwards requests that it could serve itself',
      [balance.request.body, '{"method":"eth_x"}'],
      ['POST /ext/bc/C/rpc eth_x '],
    ],
  ])('reports a failure for a node API that %s', async (_name, questions, failed) => {
    const { start } = recordedNodeApis(exchanges, questions)
    const folder = folderOf({ '01-after-x.json': JSON.stringify(recording) })
    const { files } = await Folders.comparePointInTime(folder, ['01-after-x.json'], archive, start)
    const results = files.find(({ file }) => file === 'upstream')?.results ?? []
    expect(results.filter(({ outcome }) => outcome.status === 'failed').map(({ name }) => name)).toEqual(
      failed,
    )
  })

  it.each([
    ['changed during the recording', { heightsAfter: { p: '1', x: '32', c: 0 } }],
    ['has an unknown member', { more: 1 }],
    [
      'has a call with an unknown member',
      { calls: [{ path: '', method: '', params: {}, response: {}, more: 1 }] },
    ],
  ])('rejects a point-in-time recording that %s', (_name, change) => {
    expect(() => PointInTime.fromFile({ ...recording, ...change })).toThrow(/differs|unknown field/)
  })
})
