import { CheckedHex, Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import type { RawCase } from '../Case.ts'
import type { FileReport } from '../Report.ts'
import { change, leaves, readSamples } from '../testing/samples.ts'
import * as ChainRecording from './ChainRecording.ts'
import type { Lines } from './RecordedChain.ts'

const samples = readSamples<Lines>('chains')

/** Recorded fields that are not part of any bytes: times, totals, descriptions, and execution results. */
const UNCHECKED: Readonly<Record<string, readonly string[]>> = {
  'c/blocks.jsonl': ['receipts', 'callTrace', 'container.timestamp', 'block.totalDifficulty'],
  'c/atomic.jsonl': ['note', 'json'],
  'p/blocks.jsonl': ['container.timestamp'],
  'p/txs.jsonl': ['height', 'status'],
  'x/blocks.jsonl': ['container.timestamp'],
}

describe.each(Object.entries(samples))('recorded chain: %s', (name, lines) => {
  it('finds no differences in any file of the recorded chain', () => {
    const reports = ChainRecording.run(name, lines)
    expect(reports.map(({ file }) => file)).toEqual(Object.keys(lines).map((file) => `${name}/${file}`))
    for (const report of reports) expect(failures(report)).toEqual([])
  })

  it.each(Object.keys(lines))('detects a change in every checked field of %s', (file) => {
    const list = lines[file] ?? []
    const unseen = list.flatMap((raw, index) =>
      leaves(raw)
        .filter((path) => !isUnchecked(`${name}/${file}`, path))
        .filter((path) => {
          const changed = { ...lines, [file]: list.with(index, change(raw, path) as RawCase) }
          return ChainRecording.run(name, changed).every((report) => failures(report).length === 0)
        })
        .map((path) => path.join('.')),
    )
    expect(unseen).toEqual([])
  })

  it('fails if a recorded member has no check', () => {
    const [file = ''] = Object.keys(lines)
    const unheard = { ...lines, [file]: (lines[file] ?? []).map((raw) => ({ ...raw, unheard: 1 })) }
    const [report] = ChainRecording.run(name, unheard)
    expect(report === undefined ? [] : failures(report)).not.toEqual([])
  })
})

describe('C-chain block from before the proposervm', () => {
  const block = (samples['c']?.['blocks.jsonl'] ?? []).find((raw) => Object.hasOwn(raw, 'rawBlock')) ?? {}
  const bytes = CheckedHex.encode(Hex.decode(String(block['rawBlock'])))
  const container = block['container'] as RawCase
  const run = (id: unknown) => {
    const raw = { ...block, containerBytes: bytes, container: { ...container, bytes, id } }
    return ChainRecording.run('c', { 'blocks.jsonl': [raw] }).flatMap(failures)
  }

  it('accepts the block hash as the id of a block from before the proposervm', () => {
    expect(run(Id.format(Hex.decode(String(block['hash']))))).toEqual([])
  })

  it('rejects the hash of the bytes as the id of a block from before the proposervm', () => {
    expect(run(Id.format(Id.hash(Hex.decode(String(block['rawBlock'])))))).toHaveLength(1)
  })
})

describe('C-chain block with an atomic transaction', () => {
  const lines = samples['c'] ?? {}

  it('decodes a single atomic transaction before Apricot phase 5, and a list of atomic transactions since then', () => {
    const [later, never] = [0n, 2n ** 63n].map((time) =>
      ChainRecording.run('c', lines, time).flatMap(failures),
    )
    expect(later).toEqual([])
    expect(never?.length).toBeGreaterThan(0)
  })
})

it('checks no files of a chain that is not in the Primary Network', () => {
  const lines = { 'blocks.jsonl': [{ block: { number: '0x0' } }], 'txs.jsonl': [{}] }
  expect(ChainRecording.checkedFiles(lines)).toEqual([])
  expect(ChainRecording.run('l1', lines)).toEqual([])
})

function failures({ results }: FileReport): unknown[] {
  return results.filter(({ outcome }) => outcome.status !== 'passed')
}

function isUnchecked(file: string, path: readonly (string | number)[]): boolean {
  const [first, second] = path
  // A block's bytes contain only the hashes of transactions. Clients decode the other fields from each
  // transaction.
  if (second === 'transactions' && path[3] !== 'hash') return true
  const listed = UNCHECKED[file] ?? []
  return listed.includes(String(first)) || listed.includes(`${first}.${second}`)
}
