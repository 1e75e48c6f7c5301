import { Bytes, CheckedHex, Hex, Id } from '@firn/codec'
import { Container } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import * as Containers from './Containers.ts'
import { cases, type VectorCase } from './testing/vectors.ts'

const bytesOf = (vector: VectorCase) => Hex.decode(vector['bytes'] as string)
const containerOf = (vector: VectorCase) => CheckedHex.decode(vector['containerBytes'] as string)
const withContainer = (kind: string) =>
  cases('recorded-x-c', kind).filter(({ containerBytes }) => containerBytes !== null)

describe('identify', () => {
  it('reads id, parent and height of every type of P-chain block like the node', () => {
    for (const vector of cases('platform-blocks', 'valid')) {
      const identified = Containers.identify('P', bytesOf(vector))
      expect(Id.format(identified.id), vector['name']).toBe(vector['id'])
      const { height, parentId } = identified.read()
      expect([String(height), Id.format(parentId)], vector['name']).toEqual([
        vector['height'],
        vector['parent'],
      ])
    }
  })

  it('reads id, parent and height of X-chain blocks like the node', () => {
    for (const vector of cases('avm-blocks', 'block')) {
      const block = Containers.identify('X', bytesOf(vector)).read()
      const read = [Id.format(block.id), String(block.height), Id.format(block.parentId)]
      expect(read, vector['name']).toEqual([vector['id'], vector['height'], vector['parent']])
    }
  })

  it('gives bare C-chain blocks the hash of their header', () => {
    for (const vector of withContainer('cBlock')) {
      const { block } = Container.decode(containerOf(vector))
      expect(Hex.encode(Containers.identify('C', block).id)).toBe(vector['hash'])
    }
  })

  it.each(['X', 'C'] as const)('gives recorded containers of the %s-chain the ids of the node', (chain) => {
    const recorded = withContainer(chain === 'X' ? 'xBlock' : 'cBlock')
    for (const vector of recorded) {
      const { id } = Containers.identify(chain, containerOf(vector))
      expect(Id.format(id)).toBe(vector['containerID'])
    }
    expect(recorded.length).toBeGreaterThan(10)
  })

  it('ignores the signature in the id, and takes the parent of the container', () => {
    for (const vector of cases('proposervm-blocks', 'postFork')) {
      const { id } = Containers.identify('P', bytesOf(vector))
      expect(Id.format(id)).toBe(vector['id'])
    }
    const [vector] = withContainer('xBlock')
    const bytes = containerOf(vector as VectorCase)
    const { parentId } = Containers.identify('X', bytes).read()
    expect(parentId).toEqual(Container.decode(bytes).parentID)
  })

  it('rejects a container whose signature field is cut off, although its hash is the right id', () => {
    let rejected = 0
    for (const vector of cases('proposervm-blocks', 'postFork')) {
      const container = Container.decode(bytesOf(vector))
      const cut = Container.unsignedBytes(container)
      expect(Id.format(Id.hash(cut))).toBe(vector['id'])
      expect(() => Containers.identify('P', cut)).toThrow('without its signature field')
      rejected += 1
    }
    expect(rejected).toBeGreaterThan(10)
  })

  it('says to upgrade when a block has an unknown type', () => {
    const unknown = Bytes.concat(Uint8Array.of(0, 0, 0, 0, 0, 99), new Uint8Array(60))
    const { read } = Containers.identify('P', unknown)
    expect(read).toThrow(expect.objectContaining({ code: 'SYNC_UNREADABLE' }))
    expect(read).toThrow('Upgrade Firn')
  })

  it('rejects bytes that are no C-chain block', () => {
    expect(() => Containers.identify('C', new Uint8Array(10))).toThrow()
  })
})

describe('hasValidSignature', () => {
  it("accepts the node's containers, and no other signature", () => {
    for (const vector of cases('proposervm-blocks', 'postFork')) {
      const chainId = Id.parse(vector['chainID'] as string)
      const bytes = bytesOf(vector)
      expect(Containers.hasValidSignature(chainId, bytes), vector['name']).toBe(true)
      if (vector['certificate'] === null) continue
      const changed = bytes.with(-1, (bytes.at(-1) as number) ^ 1)
      expect(Containers.hasValidSignature(chainId, changed), vector['name']).toBe(false)
      expect(Containers.hasValidSignature(new Uint8Array(32).fill(9), bytes), vector['name']).toBe(false)
    }
  })

  it('accepts blocks that have no signature', () => {
    const [option] = cases('proposervm-blocks', 'option')
    const [block] = cases('platform-blocks', 'valid')
    for (const vector of [option, block]) {
      expect(Containers.hasValidSignature(Id.EMPTY, bytesOf(vector as VectorCase))).toBe(true)
    }
  })
})
