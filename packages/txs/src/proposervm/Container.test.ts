import { Bytes, Hex, Id, isFirnError, NodeId } from '@firn/codec'
import { StakingKey } from '@firn/keys'
import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import { cases, type VectorCase } from '../testing/vectors.ts'
import * as Container from './Container.ts'
import * as ContainerHeader from './ContainerHeader.ts'
import * as Epoch from './Epoch.ts'

const FILE = 'proposervm-blocks'

function epochOf(raw: VectorCase): Epoch.Epoch {
  const { pChainHeight, number, startTime } = raw as unknown as Record<keyof Epoch.Epoch, string>
  return { pChainHeight: BigInt(pChainHeight), number: BigInt(number), startTime: BigInt(startTime) }
}

describe('containers', () => {
  it.each(cases(FILE, 'postFork'))(
    'decodes and encodes the post-fork container like the node: $name',
    (vector) => {
      const bytes = Hex.decode(vector.bytes)
      const container = Container.decode(bytes) as Container.SignedContainer
      expect(Hex.encode(Container.encode(container))).toBe(vector.bytes)
      expect(Id.format(Container.id(container))).toBe(vector['id'])
      expect(Id.format(container.parentID)).toBe(vector['parent'])
      expect(container.timestamp).toBe(BigInt(vector['timestamp']))
      expect(container.pChainHeight).toBe(BigInt(vector['pChainHeight']))
      expect(Hex.encode(container.block)).toBe(vector['innerBlock'])
      expect(NodeId.format(Container.proposer(container))).toBe(vector['proposer'])
      expect(Container.epoch(container)).toEqual(epochOf(vector['epoch']))
      expect(container.type === 'GraniteBlock').toBe(vector['isGraniteEncoding'])
      Container.verify(container, Id.parse(vector['chainID']))
      expect(Container.open(bytes)).toMatchObject({ kind: 'postFork', id: Container.id(container) })
    },
  )

  it.each(cases(FILE, 'postFork').filter((vector) => vector['certificate'] !== null))(
    "creates and verifies the proposer's signature: $name",
    (vector) => {
      const container = Container.decode(Hex.decode(vector.bytes)) as Container.SignedContainer
      const chainId = Id.parse(vector['chainID'])
      const message = ContainerHeader.encode(Container.header(container, chainId))
      expect(Hex.encode(message)).toBe(vector['headerBytes'])
      expect(Hex.encode(sha256(message))).toBe(vector['signedHash'])
      expect(Hex.encode(Container.certificate(container)?.der ?? new Uint8Array())).toBe(
        vector['certificate'],
      )
      if (!vector['privateKeyPEM'] || Container.certificate(container)?.publicKey.type === 'rsa') return
      const key = StakingKey.parsePem(vector['privateKeyPEM'])
      const signed = Container.sign({ ...container, signature: new Uint8Array() }, chainId, (m) =>
        StakingKey.sign(m, key),
      )
      expect(Hex.encode(Container.encode(signed))).toBe(vector.bytes)
    },
  )

  it.each(cases(FILE, 'option'))('decodes and encodes an option container', (vector) => {
    const container = Container.decode(Hex.decode(vector.bytes))
    expect(container.type).toBe('Option')
    expect(Hex.encode(Container.encode(container))).toBe(vector.bytes)
    expect(Id.format(Container.id(container))).toBe(vector['id'])
    expect(Id.format(container.parentID)).toBe(vector['parent'])
    expect(Hex.encode(container.block)).toBe(vector['innerBlock'])
    expect(Container.proposer(container)).toBe(NodeId.EMPTY)
    Container.verify(container, Id.EMPTY)
  })

  it.each(cases(FILE, 'preFork'))('opens a pre-fork block, which has no container', (vector) => {
    const bytes = Hex.decode(vector.bytes)
    expect(() => Container.decode(bytes)).toThrow()
    const opened = Container.open(bytes)
    expect(opened.kind).toBe('preFork')
    expect(Id.format(opened.id)).toBe(vector['id'])
    expect(Hex.encode(opened.block)).toBe(vector['innerBlock'])
  })

  it.each(cases(FILE, 'parse'))('parses and verifies the container like the node: $name', (vector) => {
    const chainId = Id.parse(vector['chainID'] ?? Id.format(Id.EMPTY))
    const parsed = attempt(() => Container.decode(Hex.decode(vector.bytes)))
    const readable =
      parsed !== undefined && attempt(() => Container.certificate(parsed) ?? true) !== undefined
    expect(readable).toBe(vector['parseWithoutVerificationError'] === null)
    const verified = parsed !== undefined && attempt(() => Container.verify(parsed, chainId) ?? true)
    expect(verified === true).toBe(vector['ok'])
    if (parsed !== undefined && vector['ok']) expect(Id.format(Container.id(parsed))).toBe(vector['id'])
  })

  it.each(cases(FILE, 'parseHeader'))('decodes the header like the node: $name', (vector) => {
    const header = attempt(() => ContainerHeader.decode(Hex.decode(vector.bytes)))
    expect(header !== undefined).toBe(vector['ok'])
    if (header === undefined) return
    expect(Hex.encode(header.chain)).toBe(vector['chainID'])
    expect(Hex.encode(header.parent)).toBe(vector['parentID'])
    expect(Hex.encode(header.body)).toBe(vector['bodyID'])
  })

  it('rejects a container of the wrong chain, without a certificate, or with an all-zero epoch', () => {
    const [vector] = cases(FILE, 'postFork').filter((item) => item['certificate'] !== null)
    const container = Container.decode(Hex.decode(vector?.bytes)) as Container.SignedContainer
    expect(() => Container.verify(container, Id.EMPTY)).toThrow(
      expect.objectContaining({ code: 'TXS_SIGNATURE' }),
    )
    expect(
      Bytes.equals(Container.id({ ...container, signature: new Uint8Array(3) }), Container.id(container)),
    ).toBe(true)
    const anonymous = { ...container, certificate: new Uint8Array() }
    expect(() => Container.verify(anonymous, Id.EMPTY)).toThrow(
      expect.objectContaining({ code: 'TXS_SIGNATURE' }),
    )
    const zero = { ...container, type: 'GraniteBlock' as const, epoch: Epoch.NONE }
    expect(() => Container.verify(zero, Id.EMPTY)).toThrow(expect.objectContaining({ code: 'TXS_EPOCH' }))
  })
})

describe('epochs', () => {
  it.each(cases(FILE, 'newEpoch'))(
    'derives the epoch from the parent: $parentTimestamp, $childTimestamp',
    (vector) => {
      const epoch = Epoch.newEpoch({
        graniteTime: BigInt(vector['graniteTime']),
        epochDurationSeconds: vector['epochDurationSeconds'],
        parentPChainHeight: BigInt(vector['parentPChainHeight']),
        parentEpoch: epochOf(vector['parentEpoch']),
        parentTimestamp: BigInt(vector['parentTimestamp']),
        childTimestamp: BigInt(vector['childTimestamp']),
      })
      expect(epoch).toEqual(epochOf(vector['epoch']))
    },
  )
})

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
