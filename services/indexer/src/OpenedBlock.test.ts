import { join } from 'node:path'
import { isFirnError } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveSource } from './ArchiveSource.ts'
import * as OpenedBlock from './OpenedBlock.ts'
import type { SourceBlock } from './Source.ts'
import { temporaryFolder, unpack } from './testing/archives.ts'

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
const opened = (height: number) => OpenedBlock.open('P', given[height - 1] as SourceBlock)
const P = Networks.PRIMARY_NETWORK_ID

describe('container', () => {
  it('rejects a block with any changed byte: it fails to decode, or its id or signature does not match', () => {
    const block = given[4] as SourceBlock
    const { length } = block.bytes
    for (let at = 0; at < length; at += 37) {
      const changed = { ...block, bytes: flip(block.bytes, at) }
      const reason = reasonOf(() => OpenedBlock.open('P', changed, P))
      expect(['bytes', 'id', 'signature']).toContain(reason)
    }
    const inSignature = { ...block, bytes: flip(block.bytes, length - 1) }
    expect(reasonOf(() => OpenedBlock.open('P', inSignature, P))).toBe('signature')
    expect(reasonOf(() => OpenedBlock.open('P', inSignature))).toBe('none')
    expect(reasonOf(() => OpenedBlock.open('P', block, P))).toBe('none')
  })

  it('rejects a container whose id differs from the id that the source reports', () => {
    const block = given[4] as SourceBlock
    const { id: other } = opened(6)
    expect(reasonOf(() => OpenedBlock.open('P', { ...block, id: other }, P))).toBe('id')
    const { id, ...anonymous } = block
    expect(id).toBeDefined()
    expect(reasonOf(() => OpenedBlock.open('P', anonymous, P))).toBe('none')
  })

  it('rejects a block whose height, parent or parent container does not follow the last block', () => {
    const link = OpenedBlock.linkOf(opened(6))
    expect(reasonOf(() => OpenedBlock.assertFollows(opened(7), link))).toBe('none')
    expect(reasonOf(() => OpenedBlock.assertFollows(opened(8), link))).toBe('height')
    const otherId = { ...link, blockId: link.blockId.map((byte) => byte ^ 1) }
    expect(reasonOf(() => OpenedBlock.assertFollows(opened(7), otherId))).toBe('parent')
    const otherContainer = { ...link, containerId: link.blockId }
    expect(reasonOf(() => OpenedBlock.assertFollows(opened(7), otherContainer))).toBe('container')
    const unknown = { ...link, containerId: undefined }
    expect(reasonOf(() => OpenedBlock.assertFollows(opened(7), unknown))).toBe('none')
  })

  it('rejects a block of another chain', () => {
    expect(reasonOf(() => OpenedBlock.open('P', evm[3] as SourceBlock))).toBe('bytes')
    expect(reasonOf(() => OpenedBlock.open('C', given[3] as SourceBlock))).toBe('bytes')
  })
})

it("returns the inner block's id and no parent container if a block has no container", () => {
  const { bytes } = opened(9)
  const bare = OpenedBlock.open('P', { kind: 'block', bytes, origin: 'here' })
  expect(bare.container).toBeUndefined()
  expect(bare).toMatchObject({ height: 9n, parentId: opened(8).id })
})
