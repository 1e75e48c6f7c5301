import { join } from 'node:path'
import { isFirnError } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { LedgerError } from '@firn/ledger'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, unpack } from '../testing/archives.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import * as DecodedBlock from './DecodedBlock.ts'
import type { SourceBlock } from './Source.ts'

const { folder, remove } = temporaryFolder()
let given: readonly SourceBlock[]
let evm: readonly SourceBlock[]
beforeAll(async () => {
  unpack('local', join(folder, 'local'))
  const source = createArchiveSource(join(folder, 'local'))
  given = await source.blocks('P', 1n, 100)
  evm = await source.blocks('C', 1n, 100)
  await source.close()
})
afterAll(remove)

const reasonOf = (work: () => unknown): unknown => {
  try {
    work()
    return 'none'
  } catch (error) {
    if (isFirnError(error)) return error.details['reason']
    throw error
  }
}
const flip = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))
const decoded = (height: number) => DecodedBlock.decode('P', given[height - 1] as SourceBlock)
const P = Networks.PRIMARY_NETWORK_ID

describe('container', () => {
  it('rejects a block with a changed byte: it fails to decode, or its id or signature does not match', () => {
    const block = given[4] as SourceBlock
    const { length } = block.bytes
    for (let at = 0; at < length; at += 37) {
      const changed = { ...block, bytes: flip(block.bytes, at) }
      const reason = reasonOf(() => DecodedBlock.decode('P', changed, P))
      expect(['bytes', 'id', 'signature']).toContain(reason)
    }
    const inSignature = { ...block, bytes: flip(block.bytes, length - 1) }
    expect(reasonOf(() => DecodedBlock.decode('P', inSignature, P))).toBe('signature')
    expect(reasonOf(() => DecodedBlock.decode('P', inSignature))).toBe('none')
    expect(reasonOf(() => DecodedBlock.decode('P', block, P))).toBe('none')
  })

  it('rejects a container whose id differs from the id that the source reports', () => {
    const block = given[4] as SourceBlock
    const { id: other } = decoded(6)
    expect(reasonOf(() => DecodedBlock.decode('P', { ...block, id: other }, P))).toBe('id')
    const { id, ...anonymous } = block
    expect(id).toBeDefined()
    expect(reasonOf(() => DecodedBlock.decode('P', anonymous, P))).toBe('none')
  })

  it('rejects a block whose height, parent or parent container does not follow the last block', () => {
    const link = DecodedBlock.linkOf(decoded(6))
    expect(reasonOf(() => DecodedBlock.assertFollows(decoded(7), link))).toBe('none')
    expect(reasonOf(() => DecodedBlock.assertFollows(decoded(8), link))).toBe('height')
    const otherId = { ...link, blockId: link.blockId.map((byte) => byte ^ 1) }
    expect(reasonOf(() => DecodedBlock.assertFollows(decoded(7), otherId))).toBe('parent')
    const otherContainer = { ...link, containerId: link.blockId }
    expect(reasonOf(() => DecodedBlock.assertFollows(decoded(7), otherContainer))).toBe('container')
    const unknown = { ...link, containerId: undefined }
    expect(reasonOf(() => DecodedBlock.assertFollows(decoded(7), unknown))).toBe('none')
  })

  it('rejects a block of another chain', () => {
    expect(reasonOf(() => DecodedBlock.decode('P', evm[3] as SourceBlock))).toBe('bytes')
    expect(reasonOf(() => DecodedBlock.decode('C', given[3] as SourceBlock))).toBe('bytes')
  })
})

describe('a block of a later network upgrade', () => {
  /** Returns an EVM block (RLP) whose header has `count` empty fields. */
  const evmHeader = (count: number) => {
    const header = [0xc0 + count, ...Array<number>(count).fill(0x80)]
    return Uint8Array.of(0xc0 + header.length + 4, ...header, 0xc0, 0xc0, 0x80, 0x80)
  }
  it.each([
    ['an unknown block type', 'P', () => Uint8Array.of(0, 0, 0, 0, 0, 99, ...new Uint8Array(60))],
    ['an unknown block type', 'X', () => Uint8Array.of(0, 0, 0, 0, 0, 99, ...new Uint8Array(60))],
    ['a later codec version', 'P', () => Uint8Array.of(0, 1, 0, 0, 0, 0, ...new Uint8Array(60))],
    ['an unknown container', 'C', () => Uint8Array.of(0, 0, 0, 0, 0, 3, ...new Uint8Array(60))],
    ['more header fields', 'C', () => evmHeader(31)],
  ] as const)('is reported as unsupported if it has %s on the %s-chain', (_name, chain, make) => {
    const decode = () => DecodedBlock.decode(chain, { kind: 'container', bytes: make(), origin: 'here' })
    expect(reasonOf(decode)).toBe('unsupported')
    expect(decode).toThrow(/ upgrade Firn\.$/)
    expect(
      reasonOf(() => DecodedBlock.decode('C', { kind: 'block', bytes: evmHeader(30), origin: '' })),
    ).toBe('none')
  })

  it('is distinguished from a block with a wrong id or of another chain', () => {
    const block = given[4] as SourceBlock
    const bytes = Uint8Array.of(0, 9, ...block.bytes.subarray(2))
    expect(reasonOf(() => DecodedBlock.decode('P', { ...block, bytes }))).toBe('id')
    const { bytes: inner } = DecodedBlock.decode('C', evm[3] as SourceBlock)
    expect(reasonOf(() => DecodedBlock.decode('P', { kind: 'block', bytes: inner, origin: '' }))).toBe(
      'bytes',
    )
  })

  it('is reported as unsupported if the ledger does not allow its type yet', () => {
    const cause = new LedgerError('LEDGER_TX_TYPE', 'not active yet')
    const error = DecodedBlock.refusedByRules(decoded(6), cause)
    expect(error).toMatchObject({ code: 'INDEXER_UNSUPPORTED', details: { height: 6n } })
    const other = DecodedBlock.refusedByRules(decoded(6), new LedgerError('LEDGER_TIME', 'no'))
    expect(other).toMatchObject({ code: 'INDEXER_BLOCK', details: { reason: 'rules' } })
  })
})

it("returns the inner block's id and no parent container if a block has no container", () => {
  const { bytes } = decoded(9)
  const bare = DecodedBlock.decode('P', { kind: 'block', bytes, origin: 'here' })
  expect(bare.container).toBeUndefined()
  expect(bare).toMatchObject({ height: 9n, parentId: decoded(8).id })
})
